//! Columns by name: `c`, `t.c`, `c.field`, and a field that stands alone.

use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_expr::{Expr, resolve_call};
use sg_sql::{byte_span, query as ast};
use sg_value::{Gather as _, TypeKind};

use super::{
    Binder,
    scope::{Relation, Scope},
};
use crate::catalog::DatabasePath;

/// A part of a name as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl<'a> Part<'a> {
    pub(super) fn of(ident: &'a ast::Ident) -> Self {
        Self {
            text: &ident.value,
            span: byte_span(ident.span).unwrap_or_default(),
        }
    }
}

pub(super) fn join(parts: &[Part<'_>]) -> Span {
    let first = parts.first().map_or_else(Span::default, |part| part.span);
    parts.iter().fold(first, |span, part| span.join(part.span))
}

pub(super) fn dotted(parts: &[Part<'_>]) -> String {
    parts.iter().map(|part| part.text).gather::<Vec<_>>().join(".")
}

impl Binder<'_> {
    /// The expression for a name of one or more parts.
    pub(super) fn bind_name(&mut self, scope: &Scope, parts: &[Part<'_>]) -> Expr {
        if let Some(found) = self.outer_name(scope, parts) {
            return found;
        }
        match parts {
            [] => Expr::invalid(Span::default()),
            [part] => self.bind_simple_name(scope, *part),
            _ => self.bind_compound_name(scope, parts),
        }
    }

    fn bind_simple_name(&mut self, scope: &Scope, part: Part<'_>) -> Expr {
        let columns: Vec<u32> = scope.named(part.text).gather();
        if let Some(merged) = scope.merged_column(part.text) {
            let merged = merged.clone();
            return self.merged_name(scope, &merged, part.span);
        }
        match columns.as_slice() {
            [column] if Self::field_elsewhere(scope, *column, part.text) => {
                self.ambiguous(scope, part, &columns)
            }
            [column] => {
                self.trail_column(scope, *column, part.span, &[]);
                Self::column(scope, *column, part.span)
            }
            [] => self.bind_lone_field(scope, part),
            _ => self.ambiguous(scope, part, &columns),
        }
    }

    /// Whether a ROW of another relation has a field that is called like the column. Case: errors/column-and-field.
    fn field_elsewhere(scope: &Scope, column: u32, name: &str) -> bool {
        let others = scope
            .relations
            .iter()
            .filter(|relation| !relation.columns.contains(&column));
        let mut columns = others.flat_map(|relation| relation.columns.clone());
        columns.any(|at| {
            let field = scope.columns.get(at as usize);
            field.is_some_and(|field| has_field(&field.data_type.kind, name))
        })
    }

    pub(super) fn column(scope: &Scope, column: u32, span: Span) -> Expr {
        scope.columns.get(column as usize).map_or_else(
            || Expr::invalid(span),
            |field| Expr::column(column, field.data_type.clone(), span),
        )
    }

    /// Flink takes a bare name for a field of a ROW column where no column is called so.
    fn bind_lone_field(&mut self, scope: &Scope, part: Part<'_>) -> Expr {
        let rows: Vec<u32> = (0_u32..)
            .zip(&scope.columns)
            .filter(|(_, field)| has_field(&field.data_type.kind, part.text))
            .map(|(at, _)| at)
            .gather();
        match rows.as_slice() {
            [row] => {
                let row = Self::column(scope, *row, part.span);
                self.field(row, part, part.span)
            }
            // A function that is written without parentheses.
            [] if part.span.text(self.text).eq_ignore_ascii_case("PI") => {
                self.call("PI", Vec::new(), part.span)
            }
            [] => self.unknown_column(scope, part),
            _ => self.ambiguous(scope, part, &rows),
        }
    }

    fn ambiguous(&mut self, scope: &Scope, part: Part<'_>, columns: &[u32]) -> Expr {
        let flink = self.validation(part.span, &format!("Column '{}' is ambiguous", part.text));
        let owners = scope
            .relations
            .iter()
            .filter(|relation| columns.iter().any(|column| relation.columns.contains(column)))
            .gather::<Vec<_>>();
        // Two relations of one name have been reported.
        let names: Vec<_> = owners.iter().filter_map(|owner| owner.name.as_ref()).gather();
        if (1..names.len()).any(|at| names.get(at) == names.get(at - 1)) {
            self.failed = true;
            return Expr::invalid(part.span);
        }
        let mut diagnostic = Diagnostic::new(Code::AmbiguousColumn, part.span)
            .arg("column", part.text)
            .flink(flink);
        for owner in owners {
            diagnostic = diagnostic.label(owner.span, LabelText::AlsoHere);
        }
        self.report(diagnostic);
        Expr::invalid(part.span)
    }

    fn unknown_column(&mut self, scope: &Scope, part: Part<'_>) -> Expr {
        if scope.is_broken() {
            self.failed = true;
            return Expr::invalid(part.span);
        }
        let names = || scope.columns.iter().map(|field| &*field.name);
        let other_case = names().find(|name| name.eq_ignore_ascii_case(part.text));
        let hint = other_case.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
        let flink = self.validation(
            part.span,
            &format!("Column '{}' not found in any table{hint}", part.text),
        );
        let tables: Vec<&str> = scope
            .relations
            .iter()
            .filter_map(|relation| relation.name.as_deref())
            .gather();
        let diagnostic = match tables.as_slice() {
            [table] => Diagnostic::new(Code::UnknownColumn, part.span).arg("table", table),
            _ => Diagnostic::new(Code::UnknownColumnAnywhere, part.span),
        };
        self.report(
            diagnostic
                .arg("column", part.text)
                .flink(flink)
                .suggest_similar(part.text, names()),
        );
        Expr::invalid(part.span)
    }

    #[inline(never)]
    fn bind_compound_name(&mut self, scope: &Scope, parts: &[Part<'_>]) -> Expr {
        if let Some((relation, used)) = find_relation(&self.home, scope, parts) {
            let (owner, rest) = parts.split_at(used);
            return self.bind_in_relation(scope, relation, owner, rest);
        }
        let Some((first, rest)) = parts.split_first() else {
            return Expr::invalid(join(parts));
        };
        let columns: Vec<u32> = scope.named(first.text).gather();
        match columns.as_slice() {
            [column] => {
                let table = scope
                    .relations
                    .iter()
                    .find(|relation| relation.columns.contains(column));
                let table = table.and_then(|relation| relation.name.clone());
                self.trail_column(scope, *column, first.span, rest);
                let start = Self::column(scope, *column, first.span);
                self.fields(start, parts, rest, table.as_deref())
            }
            [] => {
                // all but the last part name a table
                let owner = parts.split_last().map_or(parts, |(_, owner)| owner);
                let owner = Part {
                    text: &dotted(owner),
                    span: join(owner),
                };
                self.unknown_qualifier(scope, owner, join(parts))
            }
            _ => self.ambiguous(scope, *first, &columns),
        }
    }

    fn bind_in_relation(
        &mut self,
        scope: &Scope,
        relation: &Relation,
        owner: &[Part<'_>],
        rest: &[Part<'_>],
    ) -> Expr {
        let Some((first, fields)) = rest.split_first() else {
            return Expr::invalid(join(owner));
        };
        let columns: Vec<u32> = scope
            .columns_of(relation)
            .filter(|(_, field)| &*field.name == first.text)
            .map(|(at, _)| at)
            .gather();
        match columns.as_slice() {
            [column] => {
                self.trail_column(scope, *column, join(owner).join(first.span), fields);
                let start = Self::column(scope, *column, join(owner).join(first.span));
                self.fields(start, rest, fields, relation.name.as_deref())
            }
            [] => self.unknown_column_of(scope, relation, *first, owner),
            _ => self.ambiguous(scope, *first, &columns),
        }
    }

    fn unknown_column_of(
        &mut self,
        scope: &Scope,
        relation: &Relation,
        part: Part<'_>,
        owner: &[Part<'_>],
    ) -> Expr {
        if relation.broken {
            self.failed = true;
            return Expr::invalid(part.span);
        }
        let names: Vec<&str> = scope.columns_of(relation).map(|(_, field)| &*field.name).gather();
        let other_case = names.iter().find(|name| name.eq_ignore_ascii_case(part.text));
        let hint = other_case.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
        let message = format!(
            "Column '{}' not found in table '{}'{hint}",
            part.text,
            dotted(owner)
        );
        let flink = self.validation(part.span, &message);
        self.report(
            Diagnostic::new(Code::UnknownColumn, part.span)
                .arg("column", part.text)
                .arg("table", dotted(owner))
                .label(relation.span, LabelText::DeclaredHere)
                .flink(flink)
                .suggest_similar(part.text, names),
        );
        Expr::invalid(part.span)
    }

    pub(super) fn unknown_qualifier(&mut self, scope: &Scope, part: Part<'_>, whole: Span) -> Expr {
        if scope.is_broken() {
            self.failed = true;
            return Expr::invalid(whole);
        }
        let names = || {
            scope
                .relations
                .iter()
                .filter_map(|relation| relation.name.as_deref())
        };
        let other_case = names().find(|name| name.eq_ignore_ascii_case(part.text));
        let hint = other_case.map_or_else(String::new, |name| format!("; did you mean '{name}'?"));
        let message = if part.span == whole {
            // `x.*`
            format!("Unknown identifier '{}'", part.text)
        } else {
            format!("Table '{}' not found{hint}", part.text)
        };
        let flink = self.validation(part.span, &message);
        self.report(
            Diagnostic::new(Code::UnknownQualifier, part.span)
                .arg("name", part.text)
                .flink(flink)
                .suggest_similar(part.text, names()),
        );
        Expr::invalid(whole)
    }

    /// Follows `rest` as fields of `start`; `path` is the whole name from the column on.
    fn fields(&mut self, start: Expr, path: &[Part<'_>], rest: &[Part<'_>], table: Option<&str>) -> Expr {
        let mut expr = start;
        let depth = path.len() - rest.len();
        for (at, part) in rest.iter().enumerate() {
            let span = expr.span.join(part.span);
            if !has_field(&expr.data_type.kind, part.text) && !expr.is_invalid() {
                let shown = path.get(..=depth + at).unwrap_or(path);
                return self.unknown_field(&expr, shown, *part, table);
            }
            expr = self.field(expr, *part, span);
        }
        expr
    }

    #[inline(never)]
    fn unknown_field(&mut self, row: &Expr, shown: &[Part<'_>], part: Part<'_>, table: Option<&str>) -> Expr {
        let owner = shown.split_last().map_or(shown, |(_, owner)| owner);
        // a column without fields is taken for a table
        let flink = if shown.len() > 2 || row.data_type.kind.fields().is_some() {
            let table = table.unwrap_or("EXPR$0");
            let message = format!("Column '{}' not found in table '{table}'", dotted(shown));
            self.validation(join(shown), &message)
        } else {
            self.validation(join(owner), &format!("Table '{}' not found", dotted(owner)))
        };
        let names: Vec<&str> = match row.data_type.kind.fields() {
            Some(fields) => fields.iter().map(|field| &*field.name).gather(),
            None => Vec::new(),
        };
        self.report(
            Diagnostic::new(Code::UnknownField, part.span)
                .arg("field", part.text)
                .arg("type", &row.data_type)
                .flink(flink)
                .suggest_similar(part.text, names),
        );
        Expr::invalid(join(shown))
    }

    /// `row.field`
    pub(super) fn field(&mut self, row: Expr, part: Part<'_>, span: Span) -> Expr {
        let symbol = Expr::symbol(part.text, part.span);
        self.expressions(|diags| resolve_call(".", vec![row, symbol], span, diags))
    }
}

pub(super) fn has_field(kind: &TypeKind, name: &str) -> bool {
    kind.fields()
        .is_some_and(|fields| fields.iter().any(|field| &*field.name == name))
}

/// The relation that the first parts name, and how many parts it took; at least one part is left.
pub(super) fn find_relation<'s>(
    home: &DatabasePath,
    scope: &'s Scope,
    parts: &[Part<'_>],
) -> Option<(&'s Relation, usize)> {
    let relations = || scope.relations.iter();
    let by_path = |used: usize| {
        let texts: Vec<&str> = parts.get(..used)?.iter().map(|part| part.text).gather();
        let path = home.object(&texts);
        relations()
            .find(|relation| relation.table.is_some() && relation.table == path)
            .map(|relation| (relation, used))
    };
    let by_alias = |name: &str| relations().find(|relation| relation.name.as_deref() == Some(name));
    match parts {
        [_, _, _, _, ..] if by_path(3).is_some() => by_path(3),
        [_, _, _, ..] if by_path(2).is_some() => by_path(2),
        [table, _, ..] => by_alias(table.text).map(|relation| (relation, 1)),
        _ => None,
    }
}
