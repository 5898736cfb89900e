//! Completion and help for the word under the cursor.

use sg_diag::{Lang, LineIndex, Span};
use sg_expr::FunctionDef;
use sg_plan::catalog::{Catalog, CatalogObject};
use sg_value::Gather as _;

use crate::dto;
use crate::prepare::declared;
use crate::view::TextPart;

/// Candidates for the word before a UTF-16 offset: columns and tables first, then functions, then keywords.
pub fn complete(script: &str, offset: u32) -> Vec<dto::Completion> {
    let part = TextPart::new(script, 0);
    let at = LineIndex::new(script).utf8_from_utf16(offset);
    let word = word_before(script, at);
    let written = word.text(script);
    let span = part.utf16(word);
    let catalog = declared(script);
    let mut found = named(&catalog, written, span);
    found.extend(functions(written, span));
    found.extend(keywords(written, span));
    found
}

/// Help for the function, table or column at a UTF-16 offset.
pub fn hover(script: &str, offset: u32) -> Option<dto::Hover> {
    let part = TextPart::new(script, 0);
    let at = LineIndex::new(script).utf8_from_utf16(offset);
    let word = word_around(script, at);
    let written = word.text(script);
    if written.is_empty() {
        return None;
    }
    let span = part.utf16(word);
    if let Some(function) = sg_expr::functions().find(|function| function.name.eq_ignore_ascii_case(written))
    {
        let text = help(function);
        return Some(dto::Hover {
            span,
            title: signature(function),
            text,
        });
    }
    let catalog = declared(script);
    let tables = catalog.objects().filter_map(|object| match object {
        CatalogObject::Table(table) => Some(table),
        CatalogObject::View(_) => None,
    });
    for table in tables {
        if *table.name == *written {
            let columns: Vec<String> = table
                .columns
                .iter()
                .map(|column| format!("{} {}", column.field.name, column.field.data_type))
                .gather();
            let text = dto::Bilingual::new(columns.join(", "), columns.join(", "));
            return Some(dto::Hover {
                span,
                title: format!("TABLE {written}"),
                text,
            });
        }
        if let Some(column) = table.columns.iter().find(|column| *column.field.name == *written) {
            let text = dto::Bilingual::new(
                format!("Column of `{}`.", table.name),
                format!("`{}` 的列。", table.name),
            );
            return Some(dto::Hover {
                span,
                title: format!("{written} {}", column.field.data_type),
                text,
            });
        }
    }
    None
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn word_before(script: &str, at: u32) -> Span {
    let before = script.get(..at as usize).unwrap_or(script);
    let length = before.bytes().rev().take_while(|byte| is_word(*byte)).count();
    Span::new(at.saturating_sub(u32::try_from(length).unwrap_or(0)), at)
}

fn word_around(script: &str, at: u32) -> Span {
    let after = script.get(at as usize..).unwrap_or_default();
    let length = after.bytes().take_while(|byte| is_word(*byte)).count();
    Span::new(
        word_before(script, at).start,
        at.saturating_add(u32::try_from(length).unwrap_or(0)),
    )
}

fn begins(candidate: &str, written: &str) -> bool {
    candidate
        .get(..written.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(written))
}

fn named(catalog: &Catalog, written: &str, span: dto::Span) -> Vec<dto::Completion> {
    let mut found = Vec::new();
    let mut add = |label: &str, kind, detail: String| {
        let known = found
            .iter()
            .any(|other: &dto::Completion| other.label == label && other.kind == kind);
        if begins(label, written) && !known {
            let (label, insert) = (label.to_owned(), label.to_owned());
            found.push(dto::Completion {
                label,
                kind,
                detail,
                doc: None,
                insert,
                span,
            });
        }
    };
    for object in catalog.objects() {
        match object {
            CatalogObject::Table(table) => {
                add(&table.name, "table", "TABLE".to_owned());
                for column in &table.columns {
                    add(&column.field.name, "column", column.field.data_type.to_string());
                }
            }
            CatalogObject::View(view) => add(&view.name, "table", "VIEW".to_owned()),
        }
    }
    for function in catalog.functions.callable(&catalog.current) {
        add(&function.name, "function", function.signature(&function.name));
    }
    found
}

/// One line about a function.
fn help(function: &FunctionDef) -> dto::Bilingual {
    let text = |lang| function.doc.text(function.name, lang);
    dto::Bilingual::new(text(Lang::En), text(Lang::Zh))
}

fn functions(written: &str, span: dto::Span) -> impl Iterator<Item = dto::Completion> {
    let is_name = |name: &str| name.bytes().all(is_word);
    sg_expr::functions()
        .filter(move |function| is_name(function.name) && begins(function.name, written))
        .map(move |function| dto::Completion {
            label: function.name.to_owned(),
            kind: "function",
            detail: signature(function),
            doc: Some(help(function)),
            insert: format!("{}(", function.name),
            span,
        })
}

fn signature(function: &FunctionDef) -> String {
    function
        .forms()
        .first()
        .map_or_else(|| function.name.to_owned(), |form| form.clone().into_owned())
}

fn keywords(written: &str, span: dto::Span) -> Vec<dto::Completion> {
    let offered = sg_sql::keywords().filter(|keyword| !written.is_empty() && begins(keyword, written));
    offered
        .map(|keyword| dto::Completion {
            label: keyword.to_owned(),
            kind: "keyword",
            detail: String::new(),
            doc: None,
            insert: keyword.to_owned(),
            span,
        })
        .gather()
}
