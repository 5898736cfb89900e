//! Sources as the page shows them: columns, and the watermark declaration with its literal.

use sg_expr::{Expr, ExprKind};
use sg_plan::catalog::{Catalog, Table};
use sg_plan::settings::Settings;
use sg_value::{Gather as _, Value};

use crate::arrivals::SourceTable;
use crate::dto;
use crate::view::{TextPart, column_view};

/// All sources, with offsets into the shared script.
pub(crate) fn source_views(
    sources: &[SourceTable],
    catalog: &Catalog,
    part: &TextPart<'_>,
) -> Vec<dto::SourceView> {
    let idle_timeout_ms =
        Some(Settings::read(&catalog.settings).idle_timeout_ms).filter(|timeout| *timeout > 0);
    let view = |(number, source): (usize, &SourceTable)| {
        let table = &source.table;
        let key = |name: &str| {
            table.primary_key.iter().flatten().any(|column| {
                table
                    .columns
                    .get(*column as usize)
                    .is_some_and(|column| &*column.field.name == name)
            })
        };
        dto::SourceView {
            source: u32::try_from(number).unwrap_or(u32::MAX),
            table: table.name.to_string(),
            partitions: source.partitions,
            columns: source
                .columns
                .iter()
                .map(|field| column_view(field, key(&field.name)))
                .gather(),
            rowtime: rowtime(table),
            watermark: declaration(table, part),
            out_of_orderness_ms: bound_ms(table),
            idle_timeout_ms,
            literal: literal(table, part),
        }
    };
    sources.iter().enumerate().map(view).gather()
}

fn rowtime(table: &Table) -> Option<String> {
    let column = table.watermark.as_ref()?.column as usize;
    table
        .columns
        .get(column)
        .map(|column| column.field.name.to_string())
}

/// The expression behind `AS`, as written.
fn declaration(table: &Table, part: &TextPart<'_>) -> Option<String> {
    let clause = part.text_of(table.watermark.as_ref()?.span);
    let upper = clause.to_ascii_uppercase();
    let at = upper.find(" AS ")?;
    clause.get(at + 4..).map(|text| text.trim().to_owned())
}

/// The bound of `column - INTERVAL …`; 0 for the bare column.
pub(crate) fn bound_ms(table: &Table) -> Option<i64> {
    match &table.watermark.as_ref()?.expression.as_ref()?.kind {
        ExprKind::Column(_) => Some(0),
        ExprKind::Call { function, args } if function.name == "-" => match args.as_slice() {
            [
                Expr {
                    kind: ExprKind::Column(_),
                    ..
                },
                Expr {
                    kind: ExprKind::Literal(Value::Int(ms)),
                    ..
                },
            ] => Some(*ms),
            _ => None,
        },
        _ => None,
    }
}

/// The digits of the bound's literal.
fn literal(table: &Table, part: &TextPart<'_>) -> Option<dto::Span> {
    bound_ms(table).filter(|bound| *bound > 0)?;
    let span = table.watermark.as_ref()?.span;
    let clause = part.text_of(span);
    let open = clause.find('\'')?;
    let length = clause.get(open + 1..)?.find('\'')?;
    let start = span.start + u32::try_from(open + 1).ok()?;
    Some(part.utf16(sg_diag::Span::new(start, start + u32::try_from(length).ok()?)))
}
