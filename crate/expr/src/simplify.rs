//! Boolean and CASE simplification after Calcite's `RexSimplify`, as far as it shows in plans.

use sg_diag::Span;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use crate::{
    bound::{Expr, ExprKind},
    fold::{constant, same, truth, with_args},
    function::{FunctionDef, built_in, logic::junction},
    neutral::{coalesce, neutral},
    resolve::call,
    search::{Gather, comparison_with_constant, gather, outside},
    types::shown_type,
};

/// What an unknown result counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// NULL is a result of its own.
    Kept,
    /// Only TRUE counts.
    IsFalse,
}

/// Simplifies from the leaves up.
pub(crate) fn simplified(expr: Expr, unknown: Unknown) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr;
    };
    let function: &'static FunctionDef = function;
    let objects = |arg: &Expr| matches!(arg.data_type.kind, TypeKind::Structured(..));
    if function.name == "TYPEOF" && !args.iter().any(objects) {
        // Its value is its argument's type, which folding would change.
        let text = args
            .first()
            .map_or_else(String::new, |arg| shown_type(&arg.data_type).to_string());
        return Expr::literal(
            Value::from(text.as_str()),
            expr.data_type.with_nullable(false),
            expr.span,
        );
    }
    let inner = if matches!(function.name, "AND" | "OR") {
        unknown
    } else {
        Unknown::Kept
    };
    let json = matches!(function.name, "JSON_OBJECT" | "JSON_ARRAY");
    let args: Vec<Expr> = args
        .iter()
        .map(|arg| {
            // JSON within JSON goes in as it is, which a constant text would not.
            if json && is_json_call(arg) {
                arg.clone()
            } else {
                simplified(arg.clone(), inner)
            }
        })
        .gather();
    let (name, span) = (function.name, expr.span);
    if is_comparison(name) && args.iter().any(is_null) {
        return Expr::literal(Value::Null, DataType::BOOLEAN, span);
    }
    let rebuilt = with_args(&expr, function, args);
    let ExprKind::Call { args, .. } = &rebuilt.kind else {
        return rebuilt;
    };
    if let Some(value) = constant(function, &rebuilt, args) {
        return value;
    }
    match (name, args.as_slice()) {
        ("NOT", [operand]) => not(operand, span).unwrap_or(rebuilt),
        ("AND", _) => and(args.clone(), unknown, span),
        ("OR", _) => or(args.clone(), unknown, span),
        ("IS NULL", [operand]) => null_test(operand, true, span).unwrap_or(rebuilt),
        ("IS NOT NULL", [operand]) => null_test(operand, false, span).unwrap_or(rebuilt),
        ("IS TRUE" | "IS NOT FALSE", [operand]) if !operand.data_type.nullable => operand.clone(),
        ("IS FALSE" | "IS NOT TRUE", [operand]) if !operand.data_type.nullable => not(operand, span)
            .unwrap_or_else(|| call(built_in("NOT"), vec![operand.clone()], not_null_truth(), span)),
        ("IS NOT DISTINCT FROM", [left, right]) => same_or_null(left, right, false, span),
        ("IS DISTINCT FROM", [left, right]) => same_or_null(left, right, true, span),
        ("CASE", _) => case(&rebuilt, args),
        ("COALESCE", _) => coalesce(&rebuilt, args),
        ("+" | "-" | "*" | "/", [left, right]) => neutral(&rebuilt, left, right).unwrap_or(rebuilt),
        _ => rebuilt,
    }
}

const fn not_null_truth() -> DataType {
    DataType::not_null(TypeKind::Boolean)
}

fn is_json_call(expr: &Expr) -> bool {
    ["JSON_OBJECT", "JSON_ARRAY", "JSON"]
        .iter()
        .any(|name| call_of(expr, name).is_some())
}

pub(crate) fn is_comparison(name: &str) -> bool {
    matches!(name, "=" | "<>" | "<" | "<=" | ">" | ">=")
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Value::Null))
}

pub(crate) fn call_of<'e>(expr: &'e Expr, name: &str) -> Option<&'e [Expr]> {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == name => Some(args),
        _ => None,
    }
}

/// The operator that holds where this one does not.
fn negated(name: &str) -> Option<&'static str> {
    Some(match name {
        "=" => "<>",
        "<>" => "=",
        "<" => ">=",
        "<=" => ">",
        ">" => "<=",
        ">=" => "<",
        "IS NULL" => "IS NOT NULL",
        "IS NOT NULL" => "IS NULL",
        "IS TRUE" => "IS NOT TRUE",
        "IS NOT TRUE" => "IS TRUE",
        "IS FALSE" => "IS NOT FALSE",
        "IS NOT FALSE" => "IS FALSE",
        _ => return None,
    })
}

/// NOT pushed into its operand; `None` where it stays.
fn not(operand: &Expr, span: Span) -> Option<Expr> {
    let ExprKind::Call { function, args } = &operand.kind else {
        return None;
    };
    if let Some(opposite) = negated(function.name) {
        return Some(call(
            built_in(opposite),
            args.clone(),
            operand.data_type.clone(),
            span,
        ));
    }
    let each = || -> Vec<Expr> {
        args.iter()
            .map(|arg| {
                not(arg, span)
                    .unwrap_or_else(|| call(built_in("NOT"), vec![arg.clone()], arg.data_type.clone(), span))
            })
            .gather()
    };
    match function.name {
        "NOT" => args.first().cloned(),
        "AND" => Some(or(each(), Unknown::Kept, span)),
        "OR" => Some(and(each(), Unknown::Kept, span)),
        "SEARCH" => outside(operand, args, span),
        _ => None,
    }
}

/// IS [NOT] NULL of an operator that is NULL where an operand is.
fn null_test(operand: &Expr, null: bool, span: Span) -> Option<Expr> {
    if !operand.data_type.nullable {
        return Some(truth(!null, span));
    }
    if is_null(operand) {
        return Some(truth(null, span));
    }
    let ExprKind::Call { function, args } = &operand.kind else {
        return None;
    };
    let strict =
        is_comparison(function.name) || matches!(function.name, "+" | "-" | "*" | "CAST" | "Reinterpret");
    if !strict {
        return None;
    }
    let name = if null { "IS NULL" } else { "IS NOT NULL" };
    let tests: Vec<Expr> = args
        .iter()
        .filter(|arg| arg.data_type.nullable)
        .map(|arg| {
            null_test(arg, null, span)
                .unwrap_or_else(|| call(built_in(name), vec![arg.clone()], not_null_truth(), span))
        })
        .gather();
    if tests.is_empty() {
        return None;
    }
    Some(junction(built_in(if null { "OR" } else { "AND" }), tests, span))
}

/// IS [NOT] DISTINCT FROM in terms of `=`.
fn same_or_null(left: &Expr, right: &Expr, distinct: bool, span: Span) -> Expr {
    let test = |name, arg: &Expr| {
        let simpler =
            matches!(name, "IS NULL" | "IS NOT NULL").then(|| null_test(arg, name == "IS NULL", span));
        simpler
            .flatten()
            .unwrap_or_else(|| call(built_in(name), vec![arg.clone()], not_null_truth(), span))
    };
    let nullable = left.data_type.nullable || right.data_type.nullable;
    let data_type = DataType {
        kind: TypeKind::Boolean,
        nullable,
    };
    let both = vec![left.clone(), right.clone()];
    if !nullable {
        return call(built_in(if distinct { "<>" } else { "=" }), both, data_type, span);
    }
    let equal = call(built_in("="), both, data_type, span);
    if distinct {
        let one = junction(
            built_in("OR"),
            vec![test("IS NOT NULL", left), test("IS NOT NULL", right)],
            span,
        );
        junction(built_in("AND"), vec![one, test("IS NOT TRUE", &equal)], span)
    } else {
        let none = junction(
            built_in("AND"),
            vec![test("IS NULL", left), test("IS NULL", right)],
            span,
        );
        junction(built_in("OR"), vec![none, test("IS TRUE", &equal)], span)
    }
}

fn and(args: Vec<Expr>, unknown: Unknown, span: Span) -> Expr {
    let mut terms: Vec<Expr> = Vec::with_capacity(args.len());
    let mut negations: Vec<Expr> = Vec::new();
    for term in flat(args, "AND") {
        match term.as_literal() {
            Some(Value::Bool(true)) => continue,
            Some(Value::Bool(false)) => return truth(false, span),
            Some(Value::Null) if unknown == Unknown::IsFalse => return truth(false, span),
            _ => {}
        }
        // Calcite puts negated terms last.
        let list = if call_of(&term, "NOT").is_some() {
            &mut negations
        } else {
            &mut terms
        };
        add(list, term, Gather::All);
    }
    if unknown == Unknown::IsFalse {
        drop_implied_null_tests(&mut terms);
    }
    let mut terms = gather(terms, Gather::All, unknown);
    if unknown == Unknown::IsFalse {
        // Calcite takes these out and adds them again
        terms.sort_by_key(|term| call_of(term, "IS NOT NULL").is_some());
    }
    terms.extend(negations);
    if terms
        .iter()
        .any(|term| matches!(term.as_literal(), Some(Value::Bool(false))))
    {
        return truth(false, span);
    }
    if terms.is_empty() {
        return truth(true, span);
    }
    junction(built_in("AND"), terms, span)
}

/// `a IS NOT NULL` says nothing beside a comparison of `a`, where only TRUE counts.
fn drop_implied_null_tests(terms: &mut Vec<Expr>) {
    let compared: Vec<Expr> = terms
        .iter()
        .filter_map(|term| match &term.kind {
            ExprKind::Call { function, args } if is_comparison(function.name) => Some(args.clone()),
            _ => ["LIKE", "NOT"]
                .iter()
                .find_map(|name| call_of(term, name))
                .map(|args| match args {
                    [inner] => call_of(inner, "LIKE").unwrap_or_default().to_vec(),
                    args => args.to_vec(),
                }),
        })
        .flatten()
        .gather();
    terms.retain(|term| match call_of(term, "IS NOT NULL") {
        Some([operand]) => !compared.iter().any(|other| same(other, operand)),
        _ => true,
    });
}

fn or(args: Vec<Expr>, unknown: Unknown, span: Span) -> Expr {
    let mut terms: Vec<Expr> = Vec::with_capacity(args.len());
    for term in flat(args, "OR") {
        match term.as_literal() {
            Some(Value::Bool(false)) => continue,
            Some(Value::Bool(true)) => return truth(true, span),
            Some(Value::Null) if unknown == Unknown::IsFalse => continue,
            _ => {}
        }
        add(&mut terms, term, Gather::Any);
    }
    if unknown == Unknown::Kept {
        // As a value, tests for NULL come first; conditions of filters stay as they are.
        terms.sort_by_key(|term| call_of(term, "IS NULL").is_none());
    }
    let terms = gather(terms, Gather::Any, unknown);
    if terms
        .iter()
        .any(|term| matches!(term.as_literal(), Some(Value::Bool(true))))
    {
        return truth(true, span);
    }
    if terms.is_empty() {
        return truth(false, span);
    }
    junction(built_in("OR"), terms, span)
}

/// Adds a term that is not there yet. Of comparisons with constants, of which a list of IN has thousands, [`gather`] sees to
/// that.
fn add(terms: &mut Vec<Expr>, term: Expr, how: Gather) {
    if comparison_with_constant(&term, how).is_some() || !terms.iter().any(|known| same(known, &term)) {
        terms.push(term);
    }
}

fn flat(args: Vec<Expr>, name: &str) -> Vec<Expr> {
    args.into_iter()
        .flat_map(|arg| match call_of(&arg, name) {
            Some(inner) => inner.to_vec(),
            None => vec![arg],
        })
        .gather()
}

/// Whether a condition cannot fail. Calcite: `RexSimplify.SafeRexVisitor`.
fn is_safe(expr: &Expr) -> bool {
    let ExprKind::Call { function, args } = &expr.kind else {
        return true;
    };
    let safe = is_comparison(function.name)
        || function.name.starts_with("IS ")
        || matches!(
            function.name,
            "AND" | "OR" | "NOT" | "+" | "-" | "*" | "SEARCH" | "IN" | "CASE" | "LIKE" | "BETWEEN"
        );
    safe && args.iter().all(is_safe)
}

/// CASE without branches that are never taken.
fn case(expr: &Expr, args: &[Expr]) -> Expr {
    let Some((otherwise, branches)) = args.split_last() else {
        return expr.clone();
    };
    let mut kept: Vec<Expr> = Vec::with_capacity(args.len());
    let mut last = otherwise.clone();
    for branch in branches.chunks_exact(2) {
        let [condition, result] = branch else { continue };
        match condition.as_literal() {
            Some(Value::Bool(true)) => {
                last = result.clone();
                break;
            }
            Some(Value::Bool(false) | Value::Null) => {}
            _ => match kept.as_mut_slice() {
                // Neighbours of one value are one branch.
                [.., before, value] if same(value, result) && is_safe(condition) => {
                    // Calcite looks at tests for NULL first.
                    let mut both = vec![before.clone(), condition.clone()];
                    both.sort_by_key(|term| call_of(term, "IS NULL").is_none());
                    *before = or(both, Unknown::IsFalse, expr.span);
                }
                _ => kept.extend([condition.clone(), result.clone()]),
            },
        }
    }
    if kept.is_empty() {
        return last;
    }
    kept.push(last);
    let ExprKind::Call { function, .. } = &expr.kind else {
        return expr.clone();
    };
    with_args(expr, function, kept)
}
