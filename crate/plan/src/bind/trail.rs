//! Keeps the full names of what a view's query writes, as Flink stores them with the view.

use std::ops::Range;

use sg_diag::Span;
use sg_value::Gather as _;

use super::{Binder, name::Part, scope::Scope};

impl Binder<'_> {
    /// A table that is read here.
    pub(super) fn trail_table(&mut self, span: Span, full: impl Fn() -> String) {
        if let Some(trail) = &mut self.trail {
            trail.tables.insert(span.start, full());
        }
    }

    /// A column that is read here, with the fields behind it.
    pub(super) fn trail_column(&mut self, scope: &Scope, column: u32, span: Span, fields: &[Part<'_>]) {
        let Some(trail) = &mut self.trail else { return };
        if let Some(mut full) = full_name(scope, column) {
            for field in fields {
                put!(full, ".`{}`", field.text);
            }
            trail.columns.insert(span.start, full);
        }
    }

    /// The columns that `*` or `t.*` stands for.
    pub(super) fn trail_star(&mut self, scope: &Scope, columns: Range<u32>, span: Span) {
        let Some(trail) = &mut self.trail else { return };
        let names = columns.filter_map(|column| full_name(scope, column)).gather();
        trail.stars.insert(span.start, names);
    }
}

/// `` `t`.`c` ``; a relation without a name is called EXPR$0.
fn full_name(scope: &Scope, column: u32) -> Option<String> {
    let relation = scope
        .relations
        .iter()
        .find(|relation| relation.columns.contains(&column))?;
    let field = scope.columns.get(column as usize)?;
    let owner = relation.name.as_deref().unwrap_or("EXPR$0");
    Some(format!("`{owner}`.`{}`", field.name))
}
