//! ALTER TABLE and ALTER VIEW: the declaration is taken apart, changed, and bound again.
//!
//! Flink: `AlterTableConverter` and its messages. Cases: statements/alter-table, statements/alter-*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Expr, ExprKind};
use sg_sql::{ast as ddl, query as ast};
use sg_value::{DataType, Gather as _, TypeKind};

use super::{
    Binder, BinderInput,
    expr::{Clause, ExprCx},
    table::declared_scope,
};
use crate::{
    catalog::{CatalogObject, Column, ColumnKind, ObjectPath, OptionSpan, Table, View, Watermark},
    logical::rowtime,
};

/// What an ALTER statement leaves behind.
pub(crate) enum Altered {
    /// Another declaration under the same path.
    Object(CatalogObject),
    /// The object under another path.
    Renamed(ObjectPath, CatalogObject),
    /// Nothing changes.
    Nothing,
}

/// A primary key by names.
pub(super) struct Key {
    pub(super) constraint: Rc<str>,
    pub(super) columns: Vec<Rc<str>>,
}

/// A table's declaration in pieces that can be moved: everything by name.
pub(super) struct Draft {
    pub(super) table: Table,
    /// Rowtime column and watermark text.
    pub(super) watermark: Option<(Rc<str>, Rc<str>)>,
    pub(super) key: Option<Key>,
}

impl Draft {
    fn of(table: &Table) -> Self {
        let name = |at: u32| {
            table
                .columns
                .get(at as usize)
                .map(|column| Rc::clone(&column.field.name))
        };
        Self {
            watermark: table
                .watermark
                .as_ref()
                .and_then(|watermark| Some((name(watermark.column)?, Rc::clone(&watermark.text)))),
            key: table.primary_key.as_ref().map(|key| {
                let columns: Vec<Rc<str>> = key.iter().filter_map(|&at| name(at)).gather();
                Key {
                    constraint: constraint_name(table.constraint.as_ref(), &columns),
                    columns,
                }
            }),
            table: table.clone(),
        }
    }

    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.table
            .columns
            .iter()
            .position(|column| *column.field.name == *name)
    }

    /// What a column is needed for: the end of Flink's sentence about it.
    pub(super) fn user_of(&self, name: &str) -> Option<String> {
        let written = format!("`{name}`");
        for column in &self.table.columns {
            if let ColumnKind::Computed { text, .. } = &column.kind
                && text.contains(&written)
            {
                return Some(format!(
                    "is referenced by computed column `{}`",
                    column.field.name
                ));
            }
        }
        if let Some((rowtime, text)) = &self.watermark
            && (**rowtime == *name || text.contains(&written))
        {
            return Some("is referenced by watermark expression".to_owned());
        }
        if self.table.partitioned_by.iter().any(|column| **column == *name) {
            return Some("is used as the partition keys".to_owned());
        }
        None
    }
}

/// The name of a primary key's constraint: given, or made of its columns.
pub(crate) fn constraint_name(given: Option<&Rc<str>>, columns: &[Rc<str>]) -> Rc<str> {
    given.map_or_else(|| Rc::from(format!("PK_{}", columns.join("_"))), Rc::clone)
}

impl Binder<'_> {
    /// The changed table; `None` where it cannot be changed.
    #[inline(never)]
    pub(crate) fn bind_alter_table(&mut self, alter: &ddl::AlterTable) -> Option<Altered> {
        let path = self.object_path(&alter.name)?;
        if let ddl::AlterAction::Partitions(change) = &alter.action {
            return self.change_partitions(&path, alter.name.span, change);
        }
        let table = match self.catalog.object_of_kind(&path, false) {
            Some(CatalogObject::Table(table)) if self.catalog.object_of_kind(&path, true).is_none() => {
                Rc::clone(table)
            }
            Some(CatalogObject::View(_)) => {
                let flink = "ValidationException: ALTER TABLE for a view is not allowed";
                let diagnostic = Diagnostic::new(Code::AlterTableOfView, alter.name.span);
                self.report(diagnostic.arg("view", &path.object).flink(flink));
                return None;
            }
            _ if alter.if_exists => return Some(Altered::Nothing),
            _ => {
                let flink = format!(
                    "ValidationException: Table {} doesn't exist or is a temporary table.",
                    path.quoted()
                );
                self.no_such_object(&path, alter.name.span, flink);
                return None;
            }
        };
        if table.broken {
            self.failed = true;
            return None;
        }
        if let ddl::AlterAction::RenameTable(to) = &alter.action {
            return self.rename_table(&table, &path, to);
        }
        let mut draft = Draft::of(&table);
        let before = self.diags.len();
        self.change(&mut draft, alter);
        if self.diags.len() > before {
            return None;
        }
        let table = self.rebuilt(draft, alter.name.span)?;
        Some(Altered::Object(CatalogObject::Table(Rc::new(table))))
    }

    #[inline(never)]
    fn rename_table(
        &mut self,
        table: &Rc<Table>,
        path: &ObjectPath,
        to: &ddl::ObjectName,
    ) -> Option<Altered> {
        let target = self.rename_target("TABLE", path, to)?;
        let renamed = Table {
            name: Rc::clone(&target.object),
            ..(**table).clone()
        };
        Some(Altered::Renamed(
            path.clone(),
            CatalogObject::Table(Rc::new(renamed)),
        ))
    }

    /// The new path: of the new name only its last part counts, as in Flink.
    fn rename_target(&mut self, kind: &str, path: &ObjectPath, to: &ddl::ObjectName) -> Option<ObjectPath> {
        let target = path.beside(to.object());
        let Some(known) = self.catalog.object(&target) else {
            return Some(target);
        };
        let first = known.span();
        let flink = format!(
            "ValidationException: Could not execute ALTER {kind} {} RENAME TO {}\nTableAlreadyExistException: Table (or view) \
             {} already exists in Catalog {}.",
            path.dotted(),
            self.object_path(to)?.dotted(),
            target.in_catalog(),
            target.place.catalog
        );
        self.report(
            Diagnostic::new(Code::TableExists, to.span)
                .arg("table", &target.object)
                .label(first, sg_diag::LabelText::FirstHere)
                .flink(flink),
        );
        None
    }

    pub(super) fn alter_failed(&mut self, code: Code, span: Span, name: &str, reason: &str) {
        let flink = format!("ValidationException: Failed to execute ALTER TABLE statement.\n{reason}");
        self.report(Diagnostic::new(code, span).arg("name", name).flink(flink));
    }

    #[inline(never)]
    fn change(&mut self, draft: &mut Draft, alter: &ddl::AlterTable) {
        let whole = alter.name.span;
        match &alter.action {
            ddl::AlterAction::RenameTable(_) | ddl::AlterAction::Partitions(_) => {}
            ddl::AlterAction::RenameColumn(old, new) => self.rename_column(draft, old, new),
            ddl::AlterAction::SetOptions(options) => {
                for option in options {
                    let spans = OptionSpan {
                        key: option.key.span,
                        value: option.value.span,
                    };
                    let key = &option.key.value;
                    draft
                        .table
                        .options
                        .insert(key.clone(), option.value.value.clone());
                    draft.table.option_spans.insert(key.clone(), spans);
                }
            }
            ddl::AlterAction::ResetOptions(keys) => self.reset_options(draft, keys, whole),
            ddl::AlterAction::Add(elements) => {
                // a watermark or key may name a column that comes behind it
                for element in columns_first(elements) {
                    self.add_element(draft, element);
                }
            }
            ddl::AlterAction::Modify(elements) => {
                for element in columns_first(elements) {
                    self.modify_element(draft, element);
                }
            }
            ddl::AlterAction::DropColumns(columns) => self.drop_columns(draft, columns),
            ddl::AlterAction::DropPrimaryKey(span) => {
                if draft.key.take().is_none() {
                    let reason = "The current table does not define any primary key.";
                    self.alter_failed(Code::AlterNothingToDrop, *span, "PRIMARY KEY", reason);
                }
            }
            ddl::AlterAction::DropConstraint(name) => self.drop_constraint(draft, name),
            ddl::AlterAction::DropWatermark(span) => {
                if draft.watermark.take().is_none() {
                    let reason = "The current table does not define any watermark strategy.";
                    self.alter_failed(Code::AlterNothingToDrop, *span, "WATERMARK", reason);
                }
            }
            ddl::AlterAction::DropDistribution(span) => {
                if draft.table.distribution.take().is_none() {
                    let flink = format!(
                        "ValidationException: Table {} does not have a distribution to drop.",
                        draft.table.path().quoted()
                    );
                    self.report(
                        Diagnostic::new(Code::AlterNothingToDrop, *span)
                            .arg("name", "DISTRIBUTION")
                            .flink(flink),
                    );
                }
            }
        }
    }

    fn reset_options(&mut self, draft: &mut Draft, keys: &[ddl::Text], whole: Span) {
        if keys.is_empty() {
            let flink = "ValidationException: ALTER TABLE RESET does not support empty key";
            self.report(Diagnostic::new(Code::AlterResetEmpty, whole).flink(flink));
        }
        for key in keys {
            if key.value == "connector" {
                let flink = "ValidationException: ALTER TABLE RESET does not support changing 'connector'";
                self.report(Diagnostic::new(Code::AlterResetConnector, key.span).flink(flink));
            }
            draft.table.options.shift_remove(&key.value);
            draft.table.option_spans.shift_remove(&key.value);
        }
    }

    #[inline(never)]
    fn rename_column(&mut self, draft: &mut Draft, old: &ddl::Ident, new: &ddl::Ident) {
        let Some(at) = draft.position(&old.name) else {
            let reason = format!("The column `{}` does not exist in the base table.", old.name);
            return self.alter_failed(Code::AlterColumnUnknown, old.span, &old.name, &reason);
        };
        if draft.position(&new.name).is_some() {
            let reason = format!("The column `{}` already existed in table schema.", new.name);
            return self.alter_failed(Code::AlterColumnExists, new.span, &new.name, &reason);
        }
        if let Some(user) = draft.user_of(&old.name) {
            let reason = format!("The column `{}` {user}.", old.name);
            return self.alter_failed(Code::AlterColumnInUse, old.span, &old.name, &reason);
        }
        let to: Rc<str> = Rc::from(new.name.as_str());
        if let Some(key) = &mut draft.key {
            for column in key.columns.iter_mut().filter(|column| ***column == *old.name) {
                *column = Rc::clone(&to);
            }
        }
        if let Some(column) = draft.table.columns.get_mut(at) {
            // a metadata column keeps the key that its old name was
            column.field.name = to;
        }
    }

    pub(super) fn drop_columns(&mut self, draft: &mut Draft, columns: &[ddl::Ident]) {
        let mut left = Vec::new();
        for column in columns {
            if draft.position(&column.name).is_some() {
                left.push(column);
                continue;
            }
            let reason = format!("The column `{}` does not exist in the base table.", column.name);
            self.alter_failed(Code::AlterColumnUnknown, column.span, &column.name, &reason);
        }
        // computed columns go first: what they read may go with them
        let is_computed = |draft: &Draft, name: &str| {
            let at = draft.position(name);
            at.and_then(|at| draft.table.columns.get(at))
                .is_some_and(|column| matches!(column.kind, ColumnKind::Computed { .. }))
        };
        left.sort_by_key(|column| !is_computed(draft, &column.name));
        for column in left {
            let name = &column.name;
            let in_key = draft
                .key
                .as_ref()
                .is_some_and(|key| key.columns.iter().any(|known| **known == **name));
            let user = draft
                .user_of(name)
                .or_else(|| in_key.then(|| "is used as the primary key".to_owned()));
            if let Some(user) = user {
                let reason = format!("The column `{name}` {user}.");
                self.alter_failed(Code::AlterColumnInUse, column.span, name, &reason);
                continue;
            }
            if let Some(at) = draft.position(name) {
                draft.table.columns.remove(at);
            }
        }
    }

    pub(super) fn drop_constraint(&mut self, draft: &mut Draft, name: &ddl::Ident) {
        match &draft.key {
            Some(key) if *key.constraint == *name.name => draft.key = None,
            Some(key) => {
                let reason = format!(
                    "The current table does not define a primary key constraint named '{}'. Available constraint name: \
                     ['{}'].",
                    name.name, key.constraint
                );
                self.alter_failed(Code::AlterNothingToDrop, name.span, &name.name, &reason);
            }
            None => {
                let reason = "The current table does not define any primary key.";
                self.alter_failed(Code::AlterNothingToDrop, name.span, &name.name, reason);
            }
        }
    }

    /// The table with types, expressions and numbers as the changed declaration gives them.
    #[inline(never)]
    fn rebuilt(&mut self, draft: Draft, span: Span) -> Option<Table> {
        let Draft {
            mut table,
            watermark,
            key,
        } = draft;
        for column in &mut table.columns {
            column.field.data_type = column.field.data_type.without_time_attribute();
            if let ColumnKind::Computed { .. } = column.kind {
                column.field.data_type = DataType::nullable(TypeKind::Null);
            }
        }
        for at in 0..table.columns.len() {
            let Some(ColumnKind::Computed { text, .. }) =
                table.columns.get(at).map(|column| column.kind.clone())
            else {
                continue;
            };
            let bound = self.bind_text(&text, &table.columns, false, span)?;
            if let Some(column) = table.columns.get_mut(at) {
                column.field.data_type = bound.data_type.clone();
                column.kind = ColumnKind::Computed { expr: bound, text };
            }
        }
        let position = |table: &Table, name: &str| {
            let at = table
                .columns
                .iter()
                .position(|column| *column.field.name == *name);
            at.and_then(|at| u32::try_from(at).ok())
        };
        table.watermark = match watermark {
            Some((column, text)) => {
                let Some(at) = position(&table, &column) else {
                    let reason = format!(
                        "Invalid column name '{column}' for rowtime attribute in watermark declaration."
                    );
                    self.alter_failed(Code::AlterColumnUnknown, span, &column, &reason);
                    return None;
                };
                let expression = match &*text {
                    "SOURCE_WATERMARK()" => None,
                    _ => Some(self.bind_text(&text, &table.columns, true, span)?),
                };
                if let Some(column) = table.columns.get_mut(at as usize) {
                    column.field.data_type = rowtime(&column.field.data_type);
                }
                Some(Watermark {
                    column: at,
                    expression,
                    text,
                    span,
                })
            }
            None => None,
        };
        (table.primary_key, table.constraint) = match key {
            Some(key) => {
                let mut columns = Vec::new();
                for name in &key.columns {
                    let Some(at) = position(&table, name) else {
                        let reason = format!(
                            "Invalid primary key '{}'. Column '{name}' does not exist.",
                            key.constraint
                        );
                        self.alter_failed(Code::AlterColumnUnknown, span, name, &reason);
                        return None;
                    };
                    if let Some(column) = table.columns.get_mut(at as usize) {
                        column.field.data_type.nullable = false;
                    }
                    columns.push(at);
                }
                (Some(columns), Some(key.constraint))
            }
            None => (None, None),
        };
        Some(table)
    }

    /// An expression of a declaration, bound from its text over a table's columns.
    pub(super) fn bind_text(
        &mut self,
        text: &str,
        columns: &[Column],
        computed_too: bool,
        span: Span,
    ) -> Option<Expr> {
        let sql = format!("SELECT {text}");
        let script = sg_sql::parse_script(&sql);
        let parsed = script.statements.first()?;
        let Ok(ddl::Statement::Query(query)) = &parsed.statement else {
            return None;
        };
        let ast::SetExpr::Select(select) = &*query.query.body else {
            return None;
        };
        let Some(ast::SelectItem::UnnamedExpr(expr)) = select.projection.first() else {
            return None;
        };
        let input = BinderInput {
            text: &sql,
            catalog: self.catalog,
            settings: self.settings,
        };
        let (side, spans) = (Rc::new(parsed.side.clone()), Rc::new(parsed.spans.clone()));
        let mut binder = Binder::new(input, parsed.span, side, spans);
        let (scope, numbers) = declared_scope(columns, computed_too);
        let bound = binder.bind_expr(&mut ExprCx::over(&scope, Clause::Declaration), expr);
        let bound =
            bound.map_columns(&mut |column| numbers.get(column as usize).copied().unwrap_or(u32::MAX));
        let (diags, sound) = binder.finish();
        for mut diagnostic in diags {
            diagnostic.span = span;
            self.report(diagnostic);
        }
        sound.then(|| at_place(&bound, span))
    }

    /// The changed view; `None` where it cannot be changed.
    #[inline(never)]
    pub(crate) fn bind_alter_view(&mut self, alter: &ddl::AlterView) -> Option<Altered> {
        let (ddl::AlterView::Rename { name, .. } | ddl::AlterView::Query { name, .. }) = alter;
        let path = self.object_path(name)?;
        let Some(CatalogObject::View(view)) = self.catalog.object_of_kind(&path, false) else {
            let flink = if self.catalog.object(&path).is_some() {
                "ValidationException: ALTER VIEW for a table is not allowed".to_owned()
            } else {
                format!(
                    "ValidationException: View {} doesn't exist or is a temporary view.",
                    path.quoted()
                )
            };
            self.no_such_object(&path, name.span, flink);
            return None;
        };
        let view = Rc::clone(view);
        match alter {
            ddl::AlterView::Rename { to, .. } => {
                let target = self.rename_target("VIEW", &path, to)?;
                let renamed = View {
                    name: Rc::clone(&target.object),
                    ..(*view).clone()
                };
                Some(Altered::Renamed(path, CatalogObject::View(Rc::new(renamed))))
            }
            ddl::AlterView::Query { query, .. } => {
                let mut changed = self.view_of(&path, &[], query, name.span);
                changed.comment.clone_from(&view.comment);
                Some(Altered::Object(CatalogObject::View(Rc::new(changed))))
            }
        }
    }
}

fn columns_first(elements: &[ddl::PositionedElement]) -> Vec<&ddl::PositionedElement> {
    let is_column = |element: &&ddl::PositionedElement| matches!(element, ddl::PositionedElement::Column(..));
    let (columns, others): (Vec<_>, Vec<_>) = elements.iter().partition(is_column);
    columns.into_iter().chain(others).gather()
}

/// The expression with all its spans at one place: its own text is not in the script.
fn at_place(expr: &Expr, span: Span) -> Expr {
    let kind = match &expr.kind {
        ExprKind::Call { function, args } => ExprKind::Call {
            function,
            args: args.iter().map(|arg| at_place(arg, span)).gather(),
        },
        other => other.clone(),
    };
    Expr {
        kind,
        data_type: expr.data_type.clone(),
        span,
    }
}
