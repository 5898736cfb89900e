//! Expressions and queries as Flink prints them again: names in backquotes, units singular, clauses on lines of their own.
//!
//! Flink: Calcite's `SqlPrettyWriter`, as DESCRIBE and SHOW CREATE show it. What has no rule here is printed as it was
//! written. Cases: statements/describe-shows-keys-and-extras, statements/show-tables-and-views.

mod create;
mod expr;
mod query;

pub(crate) use create::{create_table, create_view, metadata, serializable};
use sg_sql::Spans;
use sg_value::sorted::SortedMap;

/// Full names of what a query writes, by the offset where it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trail {
    /// `` `t`.`c` ``
    pub(crate) columns: SortedMap<u32, String>,
    /// What `*` stands for.
    pub(crate) stars: SortedMap<u32, Vec<String>>,
    /// `` `default_catalog`.`default_database`.`t` ``
    pub(crate) tables: SortedMap<u32, String>,
}

/// Prints nodes of one statement.
#[derive(Clone, Copy)]
pub(crate) struct Unparser<'a> {
    /// The script.
    pub(crate) text: &'a str,
    /// Whole spans of its nodes.
    pub(crate) spans: &'a Spans,
    /// Full names; without one a name is printed as written.
    pub(crate) trail: &'a Trail,
}

/// A name in backquotes.
pub(crate) fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

/// A text in quotes.
pub(crate) fn quoted_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
