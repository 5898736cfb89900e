//! Declarations as SHOW CREATE TABLE and SHOW CREATE VIEW print them.
//!
//! Flink: `ShowCreateUtil`. Cases: statements/create-table-like, statements/show-create-*.

use std::rc::Rc;

use sg_value::{DataType, Gather as _, TypeKind, data_type::MAX_LENGTH};

use super::{quoted, quoted_text};
use crate::{
    bind::constraint_name,
    catalog::{Column, ColumnKind, Table, View},
};

/// `CREATE TABLE …`
pub(crate) fn create_table(table: &Table) -> String {
    let mut elements: Vec<String> = table.columns.iter().map(column).gather();
    if let Some(watermark) = &table.watermark
        && let Some(rowtime) = table.columns.get(watermark.column as usize)
    {
        elements.push(format!(
            "WATERMARK FOR {} AS {}",
            quoted(&rowtime.field.name),
            watermark.text
        ));
    }
    if let Some(key) = &table.primary_key {
        let names: Vec<Rc<str>> = key
            .iter()
            .filter_map(|&at| table.columns.get(at as usize))
            .map(|column| Rc::clone(&column.field.name))
            .gather();
        let constraint = constraint_name(table.constraint.as_ref(), &names);
        let shown: Vec<String> = names.iter().map(|name| quoted(name)).gather();
        elements.push(format!(
            "CONSTRAINT {} PRIMARY KEY ({}) NOT ENFORCED",
            quoted(&constraint),
            shown.join(", ")
        ));
    }
    let temporary = if table.temporary { "TEMPORARY " } else { "" };
    let mut text = format!(
        "CREATE {temporary}TABLE {} (\n  {}\n)\n",
        table.path().quoted(),
        elements.join(",\n  ")
    );
    if let Some(comment) = &table.comment {
        put!(text, "COMMENT {}\n", quoted_text(comment));
    }
    if let Some(distribution) = &table.distribution {
        put!(text, "{distribution}\n");
    }
    if !table.partitioned_by.is_empty() {
        let columns: Vec<String> = table.partitioned_by.iter().map(|name| quoted(name)).gather();
        put!(text, "PARTITIONED BY ({})\n", columns.join(", "));
    }
    if !table.options.is_empty() {
        let mut options: Vec<String> = table
            .options
            .iter()
            .map(|(key, value)| format!("  {} = {}", quoted_text(key), quoted_text(value)))
            .gather();
        options.sort_unstable();
        put!(text, "WITH (\n{}\n)\n", options.join(",\n"));
    }
    text
}

fn column(column: &Column) -> String {
    let name = quoted(&column.field.name);
    let mut text = match &column.kind {
        ColumnKind::Physical => format!("{name} {}", serializable(&column.field.data_type)),
        ColumnKind::Computed { text, .. } => format!("{name} AS {text}"),
        ColumnKind::Metadata { .. } => format!(
            "{name} {} {}",
            serializable(&column.field.data_type),
            metadata(column)
        ),
    };
    if let Some(comment) = &column.comment {
        put!(text, " COMMENT {}", quoted_text(comment));
    }
    text
}

/// `METADATA FROM 'key' VIRTUAL`
pub(crate) fn metadata(column: &Column) -> String {
    let ColumnKind::Metadata { key, is_virtual } = &column.kind else {
        return String::new();
    };
    let from = if **key == *column.field.name {
        String::new()
    } else {
        format!(" FROM {}", quoted_text(key))
    };
    let virtual_word = if *is_virtual { " VIRTUAL" } else { "" };
    format!("METADATA{from}{virtual_word}")
}

/// A type without the short words of schemas: STRING is VARCHAR(2147483647).
pub(crate) fn serializable(data_type: &DataType) -> String {
    let kind = match &data_type.kind {
        TypeKind::Varchar(MAX_LENGTH) => format!("VARCHAR({MAX_LENGTH})"),
        TypeKind::Varbinary(MAX_LENGTH) => format!("VARBINARY({MAX_LENGTH})"),
        TypeKind::Timestamp { precision, .. } => format!("TIMESTAMP({precision})"),
        TypeKind::TimestampLtz { precision, .. } => format!("TIMESTAMP({precision}) WITH LOCAL TIME ZONE"),
        TypeKind::Array(of) => format!("ARRAY<{}>", serializable(of)),
        TypeKind::Multiset(of) => format!("MULTISET<{}>", serializable(of)),
        TypeKind::Map(key, value) => format!("MAP<{}, {}>", serializable(key), serializable(value)),
        TypeKind::Row(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| format!("{} {}", quoted(&field.name), serializable(&field.data_type)))
                .gather();
            format!("ROW<{}>", fields.join(", "))
        }
        other => other.to_string(),
    };
    if data_type.nullable {
        kind
    } else {
        format!("{kind} NOT NULL")
    }
}

/// `CREATE VIEW …`
pub(crate) fn create_view(view: &View) -> String {
    let columns: Vec<String> = view
        .fields
        .iter()
        .map(|field| {
            let comment = view.column_comments.iter().find(|(name, _)| *name == field.name);
            match comment {
                Some((_, comment)) => format!("{} COMMENT {}", quoted(&field.name), quoted_text(comment)),
                None => quoted(&field.name),
            }
        })
        .gather();
    let temporary = if view.temporary { "TEMPORARY " } else { "" };
    let comment = match &view.comment {
        Some(comment) => format!("COMMENT {}\n", quoted_text(comment)),
        None => String::new(),
    };
    format!(
        "CREATE {temporary}VIEW {} (\n  {}\n)\n{comment}AS {}\n",
        view.path().quoted(),
        columns.join(",\n  "),
        view.text()
    )
}
