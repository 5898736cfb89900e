//! Cuts out of a release what the SQL parser links but the engine never runs: of 3.3 MB
//! before `wasm-opt`, the second kind alone was a tenth.
//!
//! - **Printing of syntax trees.** The parser quotes a tree in one of its messages, for which the engine has its own. That
//!   one use links the printing of every statement of every dialect. The functions print nothing.
//! - **Statements inside queries.** A query can hold INSERT, UPDATE, DELETE or MERGE in some dialects, so that to copy, compare
//!   or drop a query links the same for every statement. The engine's own tokens have no such keywords (`prepass.rs` in
//!   `sg_sql`), so there never is one. The functions trap.
//!
//! What only these called is then unreachable and goes with them.

use rustc_demangle::demangle;
use walrus::{FunctionBuilder, FunctionId, FunctionKind, Module, ir::Value};

/// What becomes of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Returns `Ok(())` at once.
    Silent,
    /// Traps: it is never called.
    Never,
}

/// What the engine does print of the parser's: words, names and values.
const PRINTED: [&str; 6] = [
    "sqlparser::ast::value::",
    "sqlparser::ast::operator::",
    "sqlparser::ast::data_type::",
    "sqlparser::ast::Ident ",
    "sqlparser::ast::ObjectName ",
    "sqlparser::ast::ObjectNamePart ",
];

/// How the parser reads a statement inside a query.
const READERS: [&str; 4] = ["parse_insert", "parse_update", "parse_delete", "parse_merge"];

/// Makes the cuts; returns how many functions of either kind there were.
pub(crate) fn make(module: &mut Module) -> (usize, usize) {
    let found: Vec<(FunctionId, Cut)> = module
        .funcs
        .iter()
        .filter_map(|function| {
            let name = function.name.as_deref()?;
            Some((function.id(), cut_of(&format!("{:#}", demangle(name)))?))
        })
        .collect();
    for &(id, cut) in &found {
        let function = module.funcs.get(id);
        let FunctionKind::Local(local) = &function.kind else {
            continue;
        };
        let arguments = local.args.clone();
        let signature = module.types.get(function.ty());
        let (params, results) = (signature.params().to_vec(), signature.results().to_vec());
        let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
        match cut {
            Cut::Silent => builder.func_body().const_(Value::I32(0)),
            Cut::Never => builder.func_body().unreachable(),
        };
        module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
    }
    let silent = found.iter().filter(|(_, cut)| *cut == Cut::Silent).count();
    (silent, found.len() - silent)
}

/// By a symbol such as `<sqlparser::ast::Statement as core::fmt::Display>::fmt`.
fn cut_of(symbol: &str) -> Option<Cut> {
    const STATEMENT: &str = "sqlparser::ast::Statement";
    if let Some(of) = symbol.strip_prefix("core::ptr::drop_in_place") {
        let of = of.trim_start_matches(':').strip_prefix('<')?.strip_suffix('>')?;
        return (of == STATEMENT).then_some(Cut::Never);
    }
    let method = symbol.rsplit("::").next()?;
    if symbol.contains("sqlparser::parser::") && READERS.contains(&method) {
        return Some(Cut::Never);
    }
    let (owner, of_trait) = symbol.strip_prefix('<')?.split_once(" as ")?;
    if owner == STATEMENT && ["clone", "eq", "span"].contains(&method) {
        return Some(Cut::Never);
    }
    // only `limit != Some(None)` links it, which compares no expressions
    if owner == "sqlparser::ast::Expr" && method == "eq" {
        return Some(Cut::Never);
    }
    let prints = of_trait.starts_with("core::fmt::Display>")
        && (owner.starts_with("sqlparser::ast::") || owner.starts_with("sqlparser::keywords::"))
        && !PRINTED.iter().any(|kept| format!("{owner} ").starts_with(kept));
    prints.then_some(Cut::Silent)
}
