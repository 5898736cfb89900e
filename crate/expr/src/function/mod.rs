//! The registry of scalar functions.
//!
//! One row is all it takes to have a function: resolution, completion, documentation, folding and evaluation read
//! the same row. Rows stand in one table per family.

mod definition;
pub(crate) mod signature;
pub(crate) mod value_cast;

mod arithmetic;
pub(crate) mod bitmap;
mod cast;
mod chance;
mod collection;
mod comparison;
mod conditional;
mod exp;
mod fit;
mod group_window;
mod hash;
mod json;
pub(crate) mod logic;
mod math;
mod object;
mod over;
mod pattern;
mod string;
pub mod subquery;
pub(crate) mod time;
mod unordered;
mod variant;
mod version;

pub(crate) use definition::{CallSite, Eval, Failure, Kernel, Nulls, Outcome, Resolve, failure};
pub use definition::{Doc, Family, FunctionDef, Volatility, help_file};
pub(crate) use json::quoted as json_quoted;

/// All tables, in the order in which functions are listed.
static TABLES: &[&[&[FunctionDef]]] = &[
    &[
        comparison::ROWS,
        logic::ROWS,
        arithmetic::ROWS,
        math::ROWS,
        conditional::ROWS,
        cast::ROWS,
        over::ROWS,
    ],
    &string::TABLES,
    &[
        pattern::ROWS,
        hash::ROWS,
        chance::ROWS,
        subquery::ROWS,
        version::ROWS,
        bitmap::ROWS,
        object::ROWS,
        variant::ROWS,
    ],
    &collection::TABLES,
    &json::TABLES,
    &time::TABLES,
    &[group_window::ROWS, crate::script::ROWS],
];

/// All functions and operators, by family; those that only the planner makes are left out.
pub fn functions() -> impl Iterator<Item = &'static FunctionDef> {
    rows().filter(|row| !matches!(row.resolve, Resolve::Internal))
}

fn rows() -> impl Iterator<Item = &'static FunctionDef> {
    TABLES
        .iter()
        .flat_map(|tables| tables.iter())
        .flat_map(|table| table.iter())
}

/// The row of this plan name, those that only the planner makes included: `CAST`, `PROCTIME_MATERIALIZE`.
pub fn planned_function(name: &str) -> Option<&'static FunctionDef> {
    rows().find(|row| row.name == name)
}

/// The row of a name in any case of letters.
pub(crate) fn find(name: &str) -> Option<&'static FunctionDef> {
    functions().find(|row| {
        row.name.eq_ignore_ascii_case(name)
            || row.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    })
}

/// The row of a name that this crate itself uses.
///
/// # Panics
/// Where there is no such row, which a test rules out.
pub(crate) fn built_in(name: &'static str) -> &'static FunctionDef {
    match rows().find(|row| row.name == name) {
        Some(row) => row,
        None => unreachable!("no function {name}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use sg_diag::Lang;

    use super::*;

    #[test]
    fn names_are_unique_and_documented() {
        let mut seen = BTreeSet::new();
        for row in rows() {
            for name in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(name.to_ascii_uppercase()), "{name} twice");
            }
            if !matches!(row.resolve, Resolve::Internal) {
                assert!(row.doc.text(row.name, Lang::En).ends_with('.'), "{}", row.name);
                assert!(row.doc.text(row.name, Lang::Zh).ends_with('。'), "{}", row.name);
                assert!(!row.forms().is_empty(), "{}", row.name);
            }
        }
    }
}
