//! ALTER TABLE … ADD and MODIFY: columns, watermark, key and distribution.

use std::rc::Rc;

use sg_diag::Code;
use sg_expr::Expr;
use sg_sql::ast as ddl;
use sg_value::{DataType, Gather as _, TypeKind};

use super::{
    Binder,
    alter::{Draft, Key, constraint_name},
};
use crate::catalog::{Column, ColumnKind};

impl Binder<'_> {
    pub(super) fn add_element(&mut self, draft: &mut Draft, element: &ddl::PositionedElement) {
        match element {
            ddl::PositionedElement::Column(column, position) => {
                if draft.position(&column.name.name).is_some() {
                    let reason = format!("Column `{}` already exists in the table.", column.name.name);
                    let name = &column.name.name;
                    return self.alter_failed(Code::AlterColumnExists, column.name.span, name, &reason);
                }
                if let Some(made) = self.column_of(column) {
                    let end = draft.table.columns.len();
                    self.place_column(draft, made, position, end);
                }
            }
            ddl::PositionedElement::Watermark(watermark) => {
                if let Some((column, text)) = &draft.watermark {
                    let reason = format!(
                        "The current table has already defined the watermark strategy `{column}` AS {text}. You might want \
                         to drop it before adding a new one."
                    );
                    return self.alter_failed(Code::AlterAlreadyThere, watermark.span, "WATERMARK", &reason);
                }
                self.set_watermark(draft, watermark);
            }
            ddl::PositionedElement::PrimaryKey(key) => {
                if let Some(known) = &draft.key {
                    let columns: Vec<String> =
                        known.columns.iter().map(|column| format!("`{column}`")).gather();
                    let reason = format!(
                        "The current table has already defined the primary key constraint [{}]. You might want to drop it \
                         before adding a new one.",
                        columns.join(", ")
                    );
                    return self.alter_failed(Code::AlterAlreadyThere, key.span, "PRIMARY KEY", &reason);
                }
                set_key(draft, key);
            }
            ddl::PositionedElement::Distribution(distribution) => {
                if draft.table.distribution.is_some() {
                    let reason = "The current table has already defined a distribution. You can modify it or drop it before \
                                  adding a new one.";
                    return self.alter_failed(
                        Code::AlterAlreadyThere,
                        distribution.span,
                        "DISTRIBUTION",
                        reason,
                    );
                }
                self.set_distribution(draft, distribution);
            }
        }
    }

    #[inline(never)]
    pub(super) fn modify_element(&mut self, draft: &mut Draft, element: &ddl::PositionedElement) {
        match element {
            ddl::PositionedElement::Column(column, position) => {
                let name = &column.name.name;
                let Some(at) = draft.position(name) else {
                    let reason = format!("Column `{name}` does not exist in the table.");
                    return self.alter_failed(Code::AlterColumnUnknown, column.name.span, name, &reason);
                };
                if let Some(made) = self.column_of(column) {
                    draft.table.columns.remove(at);
                    self.place_column(draft, made, position, at);
                }
            }
            ddl::PositionedElement::Watermark(watermark) => {
                if draft.watermark.is_none() {
                    let reason =
                        "The current table does not define any watermark. You might want to add a new one.";
                    return self.alter_failed(Code::AlterNothingToDrop, watermark.span, "WATERMARK", reason);
                }
                self.set_watermark(draft, watermark);
            }
            ddl::PositionedElement::PrimaryKey(key) => {
                if draft.key.is_none() {
                    let reason = "The current table does not define any primary key constraint. You might want to add a new one.";
                    return self.alter_failed(Code::AlterNothingToDrop, key.span, "PRIMARY KEY", reason);
                }
                set_key(draft, key);
            }
            ddl::PositionedElement::Distribution(distribution) => {
                if draft.table.distribution.is_none() {
                    let reason = "The current table does not define any distribution. You might want to add a new one.";
                    return self.alter_failed(
                        Code::AlterNothingToDrop,
                        distribution.span,
                        "DISTRIBUTION",
                        reason,
                    );
                }
                self.set_distribution(draft, distribution);
            }
        }
    }

    pub(super) fn set_distribution(&mut self, draft: &mut Draft, distribution: &ddl::Distribution) {
        let head = format!(
            "TableException: Could not execute AlterTable in path {}\n",
            draft.table.path().quoted()
        );
        let columns = draft.table.columns.clone();
        draft.table.distribution = Some(self.bind_distribution(distribution, &columns, &head));
    }

    pub(super) fn set_watermark(&mut self, draft: &mut Draft, watermark: &ddl::Watermark) {
        let Some(column) = watermark.column.first() else {
            return;
        };
        let text = self.declared_text(&watermark.expr);
        draft.watermark = Some((Rc::from(column.name.as_str()), text));
    }

    /// A column without the types that other columns decide.
    pub(super) fn column_of(&mut self, column: &ddl::Column) -> Option<Column> {
        let (data_type, kind) = match &column.kind {
            ddl::ColumnKind::Physical(syntax) => (self.bind_type(syntax)?, ColumnKind::Physical),
            ddl::ColumnKind::Metadata {
                data_type,
                key,
                is_virtual,
            } => {
                let key = key
                    .as_ref()
                    .map_or(column.name.name.as_str(), |key| key.value.as_str());
                let kind = ColumnKind::Metadata {
                    key: Rc::from(key),
                    is_virtual: *is_virtual,
                };
                (self.bind_type(data_type)?, kind)
            }
            ddl::ColumnKind::Computed(syntax) => {
                let kind = ColumnKind::Computed {
                    expr: Expr::invalid(syntax.span),
                    text: self.declared_text(syntax),
                };
                (DataType::nullable(TypeKind::Null), kind)
            }
            ddl::ColumnKind::Named => return None,
        };
        Some(Column {
            field: sg_value::Field {
                name: Rc::from(column.name.name.as_str()),
                data_type,
            },
            kind,
            comment: column.comment.as_ref().map(|text| Rc::from(text.value.as_str())),
            span: column.name.span,
        })
    }

    pub(super) fn place_column(
        &mut self,
        draft: &mut Draft,
        column: Column,
        position: &ddl::ElementPosition,
        default: usize,
    ) {
        let at = match position {
            ddl::ElementPosition::Default => default,
            ddl::ElementPosition::First => 0,
            ddl::ElementPosition::After(other) => {
                let Some(at) = draft.position(&other.name) else {
                    let reason = format!(
                        "Referenced column `{}` by 'AFTER' does not exist in the table.",
                        other.name
                    );
                    return self.alter_failed(Code::AlterColumnUnknown, other.span, &other.name, &reason);
                };
                at + 1
            }
        };
        let at = at.min(draft.table.columns.len());
        draft.table.columns.insert(at, column);
    }
}

fn set_key(draft: &mut Draft, key: &ddl::PrimaryKey) {
    let columns: Vec<Rc<str>> = key
        .columns
        .iter()
        .map(|column| Rc::from(column.name.as_str()))
        .gather();
    let given = key.constraint.as_ref().map(|name| Rc::from(name.name.as_str()));
    draft.key = Some(Key {
        constraint: constraint_name(given.as_ref(), &columns),
        columns,
    });
}
