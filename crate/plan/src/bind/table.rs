//! CREATE TABLE: columns, computed and metadata columns, watermark, primary key, options.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_expr::Expr;
use sg_sql::{ast as ddl, byte_span, query as ast};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{
    Binder,
    expr::{Clause, ExprCx},
    from::idents,
    scope::{Relation, Scope},
};
use crate::catalog::{CatalogObject, Column, ColumnKind, ObjectPath, OptionSpan, Table, Watermark};

/// The span of a table's name in a query.
pub(super) fn name_span(name: &ast::ObjectName) -> Span {
    let spans = idents(name).into_iter().filter_map(|ident| byte_span(ident.span));
    spans.reduce(Span::join).unwrap_or_default()
}

/// The parts of a declaration that a table is made of, before and after LIKE.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) columns: Vec<Column>,
    pub(super) watermark: Option<Watermark>,
    pub(super) primary_key: Option<Vec<u32>>,
    pub(super) options: IndexMap<String, String>,
    pub(super) option_spans: IndexMap<String, OptionSpan>,
    pub(super) partitioned_by: Vec<Rc<str>>,
    pub(super) distribution: Option<Rc<str>>,
    pub(super) constraint: Option<Rc<str>>,
    pub(super) comment: Option<Rc<str>>,
}

/// What is to be put into a database.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Table,
    /// CREATE TABLE … AS
    TableAs,
    Model,
}

impl Binder<'_> {
    /// The declared table, or `None` where there is nothing to declare (it exists, or has another catalog's name).
    #[inline(never)]
    pub(crate) fn bind_create_table(&mut self, create: &ddl::CreateTable) -> Option<Table> {
        if create.replace == ddl::Replace::Existing {
            self.check_replaced(&create.name)?;
        }
        let target = if create.as_query.is_some() {
            Target::TableAs
        } else {
            Target::Table
        };
        let path = self.target_path(&create.name, target, create.temporary)?;
        if let Some(object) = self.catalog.object_of_kind(&path, create.temporary)
            && create.replace == ddl::Replace::Never
        {
            if !create.if_not_exists {
                let first = object.span();
                self.already_exists("CreateTable", &create.name, first);
            }
            return None;
        }
        let query = create.as_query.as_ref().map(|query| self.query_columns(query));
        let mut parts = self.like_parts(create);
        let mark = self.diags.len();
        match query {
            Some(query) => self.bind_columns_as(create, query, &mut parts),
            None => self.bind_columns(&create.columns, &mut parts),
        }
        self.drop_validation_heads(mark);
        if let Some(distribution) = &create.distribution {
            parts.distribution = Some(self.bind_distribution(distribution, &parts.columns, ""));
        }
        self.bind_watermark(create.watermark.as_ref(), &mut parts);
        self.check_key_as(create, &parts);
        self.bind_primary_key(create.primary_key.as_ref(), &mut parts);
        self.bind_partitions(&create.partitioned_by, &mut parts);
        read_options(&create.options, &mut parts);
        if let Some(comment) = &create.comment {
            parts.comment = Some(Rc::from(comment.value.as_str()));
        }
        Some(Table {
            name: path.object,
            place: path.place,
            columns: parts.columns,
            watermark: parts.watermark,
            primary_key: parts.primary_key,
            options: parts.options,
            option_spans: parts.option_spans,
            comment: parts.comment,
            distribution: parts.distribution,
            constraint: parts.constraint,
            partitioned_by: parts.partitioned_by,
            temporary: create.temporary,
            broken: self.diags.has_errors(),
            span: create.name.span,
        })
    }

    /// REPLACE TABLE: what is replaced has to be there.
    #[inline(never)]
    fn check_replaced(&mut self, name: &ddl::ObjectName) -> Option<()> {
        let path = self.object_path(name)?;
        if self.catalog.object(&path).is_some() {
            return Some(());
        }
        let flink = format!(
            "TableException: The table {} to be replaced doesn't exist. You can try to use CREATE TABLE AS statement or CREATE \
             OR REPLACE TABLE AS statement.",
            path.quoted()
        );
        self.no_such_object(&path, name.span, flink);
        None
    }

    /// The path of a name; whether something is there is another question.
    pub(super) fn object_path(&self, name: &ddl::ObjectName) -> Option<ObjectPath> {
        let parts: Vec<&str> = name.parts.iter().map(|part| part.name.as_str()).gather();
        self.home.object(&parts)
    }

    /// The path of something new; its database has to be there, if it is to last.
    pub(super) fn target_path(
        &mut self,
        name: &ddl::ObjectName,
        target: Target,
        temporary: bool,
    ) -> Option<ObjectPath> {
        let path = self.object_path(name)?;
        let catalog = &path.place.catalog;
        if temporary || self.catalog.has(&path.place) {
            return Some(path);
        }
        if self.catalog.databases(catalog).is_none() {
            // CREATE TABLE … AS asks another part of Flink
            let end = if target == Target::TableAs { "" } else { "." };
            let flink = format!("ValidationException: Catalog {catalog} does not exist{end}");
            self.no_catalog(catalog, name.span, flink);
            return None;
        }
        let operation = if target == Target::Model {
            "CreateModel"
        } else {
            "CreateTable"
        };
        let flink = format!(
            "ValidationException: Could not execute {operation} in path {}\nDatabaseNotExistException: Database {} does \
             not exist in Catalog {catalog}.",
            path.quoted(),
            path.place.database
        );
        self.unknown_database(&path.place, name.span, flink);
        None
    }

    #[inline(never)]
    pub(super) fn already_exists(&mut self, operation: &str, name: &ddl::ObjectName, first: Span) {
        let Some(path) = self.object_path(name) else {
            return;
        };
        let flink = format!(
            "ValidationException: Could not execute {operation} in path {}\nTableAlreadyExistException: Table (or view) \
             {} already exists in Catalog {}.",
            path.quoted(),
            path.in_catalog(),
            path.place.catalog
        );
        self.report(
            Diagnostic::new(Code::TableExists, name.span)
                .arg("table", &path.object)
                .label(first, LabelText::FirstHere)
                .flink(flink),
        );
    }

    /// `DISTRIBUTED …` as SHOW CREATE TABLE prints it. The replay has no buckets, so it changes nothing else.
    /// `head` begins Flink's message.
    #[inline(never)]
    pub(super) fn bind_distribution(
        &mut self,
        syntax: &ddl::Distribution,
        columns: &[Column],
        head: &str,
    ) -> Rc<str> {
        let names: Vec<&str> = columns
            .iter()
            .filter(|column| matches!(column.kind, ColumnKind::Physical))
            .map(|column| &*column.field.name)
            .gather();
        for column in &syntax.columns {
            if !names.contains(&&*column.name) {
                let diagnostic = Diagnostic::new(Code::UnknownDistributionColumn, column.span)
                    .arg("column", &column.name)
                    .flink(format!(
                        "{head}ValidationException: Invalid bucket key '{}'. A bucket key for a distribution must \
                         reference a physical column in the schema. Available columns are: [{}]",
                        column.name,
                        names.join(", ")
                    ))
                    .suggest_similar(&column.name, names.iter().copied());
                self.report(diagnostic);
            }
        }
        if syntax.buckets == Some(0) {
            self.report(Diagnostic::new(Code::NoBuckets, syntax.span).flink(format!(
                "{head}ValidationException: Invalid bucket count '0'. The number of buckets for a distributed table must \
                 be at least 1."
            )));
        }
        let kind = match syntax.kind {
            ddl::DistributionKind::Hash => "HASH",
            ddl::DistributionKind::Range => "RANGE",
            ddl::DistributionKind::Unknown => "",
        };
        let columns: Vec<String> = syntax
            .columns
            .iter()
            .map(|column| format!("`{}`", column.name))
            .gather();
        let mut text = String::from("DISTRIBUTED");
        if !columns.is_empty() {
            put!(text, " BY {kind}({})", columns.join(", "));
        }
        if let Some(buckets) = syntax.buckets {
            put!(text, " INTO {buckets} BUCKETS");
        }
        Rc::from(text)
    }

    /// Physical and metadata columns first, since computed ones may read them wherever they stand.
    pub(super) fn bind_columns(&mut self, columns: &[ddl::Column], parts: &mut Parts) {
        let inherited = parts.columns.len();
        let mut computed = Vec::new();
        if let Some(last) = columns.last()
            && !self.fits_columns(inherited + columns.len(), last.span)
        {
            return;
        }
        for column in columns {
            if !self.check_new_column(column, parts, inherited) {
                continue;
            }
            let name: Rc<str> = Rc::from(column.name.name.as_str());
            let unknown = DataType::nullable(TypeKind::Null);
            let (data_type, kind) = match &column.kind {
                ddl::ColumnKind::Physical(syntax) => (self.bind_type(syntax), ColumnKind::Physical),
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
                    (self.bind_type(data_type), kind)
                }
                ddl::ColumnKind::Computed(syntax) => {
                    computed.push((parts.columns.len(), syntax));
                    (
                        Some(unknown.clone()),
                        ColumnKind::Computed {
                            expr: Expr::invalid(syntax.span),
                            text: Rc::from(""),
                        },
                    )
                }
                ddl::ColumnKind::Named => {
                    self.not_supported("CREATE TABLE … AS", column.span);
                    (None, ColumnKind::Physical)
                }
            };
            let data_type = data_type.unwrap_or(unknown);
            parts.columns.push(Column {
                field: Field { name, data_type },
                kind,
                comment: column.comment.as_ref().map(|text| Rc::from(text.value.as_str())),
                span: column.name.span,
            });
        }
        debug_assert!(parts.columns.len() >= inherited, "columns are only added");
        for (at, syntax) in computed {
            let (scope, numbers) = declared_scope(&parts.columns, false);
            let bound = self.bind_declared(&scope, &numbers, syntax);
            if let Some(column) = parts.columns.get_mut(at) {
                column.field.data_type = bound.data_type.clone();
                column.kind = ColumnKind::Computed {
                    expr: bound,
                    text: self.declared_text(syntax),
                };
            }
        }
    }

    fn check_new_column(&mut self, column: &ddl::Column, parts: &Parts, inherited: usize) -> bool {
        let name = column.name.name.as_str();
        let Some(at) = parts.columns.iter().position(|known| *known.field.name == *name) else {
            return true;
        };
        let Some(first) = parts.columns.get(at) else {
            return true;
        };
        let inherited = at < inherited;
        let kind = match first.kind {
            ColumnKind::Physical => "regular",
            ColumnKind::Computed { .. } => "generated",
            ColumnKind::Metadata { .. } => "metadata",
        };
        let flink = if inherited {
            format!("ValidationException: A column named '{name}' already exists in the base table.")
        } else {
            format!("ValidationException: A {kind} Column named '{name}' already exists in the table.")
        };
        self.report(
            Diagnostic::new(Code::DuplicateColumn, column.name.span)
                .arg("column", name)
                .label(first.span, LabelText::FirstHere)
                .flink(flink),
        );
        false
    }

    /// The text of an expression in a declaration, as Flink prints it.
    pub(super) fn declared_text(&self, syntax: &ddl::ExprSyntax) -> Rc<str> {
        Rc::from(self.printed(&syntax.expr))
    }

    /// The text of an expression, as Flink prints it.
    pub(super) fn printed(&self, expr: &sg_sql::query::Expr) -> String {
        let trail = crate::unparse::Trail::default();
        let printer = crate::unparse::Unparser {
            text: self.text,
            spans: &self.spans,
            trail: &trail,
        };
        printer.expr(expr)
    }

    /// An expression over declared columns, renumbered to the table's columns.
    pub(super) fn bind_declared(&mut self, scope: &Scope, numbers: &[u32], syntax: &ddl::ExprSyntax) -> Expr {
        let mark = self.diags.len();
        let bound = self.bind_expr(&mut ExprCx::over(scope, Clause::Declaration), &syntax.expr);
        self.reword_declaration_errors(mark);
        let bound = if bound.data_type.kind == TypeKind::Null && !bound.is_invalid() {
            self.check_bare_null(&bound);
            Expr::invalid(bound.span)
        } else {
            bound
        };
        bound.map_columns(&mut |column| numbers.get(column as usize).copied().unwrap_or(u32::MAX))
    }

    /// In a declaration Flink calls an unknown column an unknown identifier, without its usual head.
    pub(super) fn reword_declaration_errors(&mut self, mark: usize) {
        self.drop_validation_heads(mark);
        let diags = std::mem::take(&mut self.diags);
        for (at, mut diagnostic) in diags.into_iter().enumerate() {
            if at >= mark && matches!(diagnostic.code, Code::UnknownColumn | Code::UnknownColumnAnywhere) {
                let name = diagnostic.span.text(self.text).trim_matches('`');
                let position = self.position(diagnostic.span);
                diagnostic.flink = Some(format!(
                    "CalciteContextException: {position}: Unknown identifier '{name}'"
                ));
            }
            self.diags.push(diagnostic);
        }
    }

    /// In a declaration the validator's messages come without its usual head.
    pub(super) fn drop_validation_heads(&mut self, mark: usize) {
        let diags = std::mem::take(&mut self.diags);
        for (at, mut diagnostic) in diags.into_iter().enumerate() {
            if at >= mark
                && let Some(place) = diagnostic
                    .flink
                    .as_deref()
                    .and_then(|text| text.strip_prefix("ValidationException: SQL validation failed. "))
                && (place.starts_with("From line") || place.starts_with("At line"))
            {
                diagnostic.flink = Some(format!("CalciteContextException: {place}"));
            }
            self.diags.push(diagnostic);
        }
    }

    fn bind_primary_key(&mut self, syntax: Option<&ddl::PrimaryKey>, parts: &mut Parts) {
        let Some(key) = syntax else { return };
        let mut columns = Vec::with_capacity(key.columns.len());
        for column in &key.columns {
            let at = parts
                .columns
                .iter()
                .position(|known| *known.field.name == *column.name);
            match at.and_then(|at| parts.columns.get(at).map(|known| (at, known))) {
                Some((at, known)) if matches!(known.kind, ColumnKind::Physical) => {
                    columns.push(u32::try_from(at).unwrap_or(u32::MAX));
                }
                Some(_) => self.bad_key_column(Code::PrimaryKeyNotPhysical, column, parts),
                None => self.bad_key_column(Code::UnknownPrimaryKeyColumn, column, parts),
            }
        }
        for &at in &columns {
            if let Some(column) = parts.columns.get_mut(at as usize) {
                column.field.data_type.nullable = false;
            }
        }
        parts.primary_key = Some(columns);
        parts.constraint = key
            .constraint
            .as_ref()
            .map(|constraint| Rc::from(constraint.name.as_str()));
    }

    fn bad_key_column(&mut self, code: Code, column: &ddl::Ident, parts: &Parts) {
        let position = self.position(column.span);
        let place = position.split(" to ").next().unwrap_or(&position);
        let place = place.trim_start_matches("From ").trim_start_matches("At ");
        let name = &column.name;
        let flink = if code == Code::UnknownPrimaryKeyColumn {
            format!(
                "ValidationException: Primary key column '{name}' is not defined in the schema at {place}"
            )
        } else {
            format!(
                "ValidationException: Could not create a PRIMARY KEY with column '{name}' at {place}.\nA PRIMARY KEY \
                 constraint must be declared on physical columns."
            )
        };
        let names: Vec<&str> = parts.columns.iter().map(|known| &*known.field.name).gather();
        let diagnostic = Diagnostic::new(code, column.span)
            .arg("column", name)
            .flink(flink);
        self.report(diagnostic.suggest_similar(name, names));
    }

    fn bind_partitions(&mut self, columns: &[ddl::Ident], parts: &mut Parts) {
        for column in columns {
            if parts
                .columns
                .iter()
                .any(|known| *known.field.name == *column.name)
            {
                parts.partitioned_by.push(Rc::from(column.name.as_str()));
            } else {
                let names: Vec<&str> = parts.columns.iter().map(|known| &*known.field.name).gather();
                let flink = format!(
                    "ValidationException: Partition column '{}' not defined in the table schema. Available columns: [{}]",
                    column.name,
                    names
                        .iter()
                        .map(|name| format!("'{name}'"))
                        .gather::<Vec<_>>()
                        .join(", ")
                );
                self.report(
                    Diagnostic::new(Code::UnknownPartitionColumn, column.span)
                        .arg("column", &column.name)
                        .flink(flink)
                        .suggest_similar(&column.name, names),
                );
            }
        }
    }

    /// DROP TABLE and DROP VIEW: the object that is to go.
    #[inline(never)]
    pub(crate) fn bind_drop(&mut self, drop: &ddl::Drop) -> Option<(ObjectPath, bool)> {
        let path = self.object_path(&drop.name)?;
        let is_kind = |object: &CatalogObject| {
            matches!(
                (object, drop.kind),
                (CatalogObject::Table(_), ddl::DropKind::Table)
                    | (CatalogObject::View(_), ddl::DropKind::View)
            )
        };
        if self
            .catalog
            .object_of_kind(&path, drop.temporary)
            .is_some_and(is_kind)
        {
            if !drop.temporary && self.catalog.object_of_kind(&path, true).is_some() {
                self.hidden_by_temporary(drop, &path);
                return None;
            }
            return Some((path, drop.temporary));
        }
        if !drop.temporary && self.catalog.object_of_kind(&path, true).is_some() {
            self.hidden_by_temporary(drop, &path);
            return None;
        }
        if drop.if_exists {
            return None;
        }
        let word = match (drop.temporary, drop.kind) {
            (true, _) => "Temporary table or view",
            (false, ddl::DropKind::View) => "View",
            (false, _) => "Table",
        };
        let flink = format!(
            "ValidationException: {word} with identifier '{}' does not exist.",
            path.dotted()
        );
        self.no_such_object(&path, drop.name.span, flink);
        None
    }

    fn hidden_by_temporary(&mut self, drop: &ddl::Drop, path: &ObjectPath) {
        let kind = match self.catalog.object_of_kind(path, true) {
            Some(CatalogObject::View(_)) => "view",
            _ => "table",
        };
        let flink = format!(
            "ValidationException: Temporary {kind} with identifier '{}' exists. Drop it first before removing the \
             permanent {kind}.",
            path.quoted()
        );
        let diagnostic = Diagnostic::new(Code::TemporaryHides, drop.name.span);
        self.report(diagnostic.arg("table", &path.object).flink(flink));
    }

    /// Something that is named and not there.
    pub(super) fn no_such_object(&mut self, path: &ObjectPath, span: Span, flink: String) {
        if self.catalog.databases(&path.place.catalog).is_none() {
            return self.no_catalog(&path.place.catalog, span, flink);
        }
        let names = self.catalog.names();
        self.report(
            Diagnostic::new(Code::UnknownTable, span)
                .arg("table", &path.object)
                .flink(flink)
                .suggest_similar(&path.object, names.iter().map(|name| &**name)),
        );
    }
}

/// The columns that a declaration's expression can read, and their numbers in the table.
pub(super) fn declared_scope(columns: &[Column], computed_too: bool) -> (Scope, Vec<u32>) {
    let mut fields = Vec::new();
    let mut numbers = Vec::new();
    for (at, column) in (0_u32..).zip(columns) {
        if computed_too || !matches!(column.kind, ColumnKind::Computed { .. }) {
            fields.push(column.field.clone());
            numbers.push(at);
        }
    }
    let broken = fields.iter().any(|field| field.data_type.kind == TypeKind::Null);
    let count = u32::try_from(fields.len()).unwrap_or(u32::MAX);
    let relation = Relation {
        name: None,
        table: None,
        columns: 0..count,
        span: Span::default(),
        whole: Span::default(),
        broken: false,
    };
    let mut scope = Scope::of(relation, fields);
    if broken {
        for relation in &mut scope.relations {
            relation.broken = true;
        }
    }
    (scope, numbers)
}

fn read_options(options: &[ddl::TableOption], parts: &mut Parts) {
    for option in options {
        let key = option.key.value.clone();
        let span = OptionSpan {
            key: option.key.span,
            value: option.value.span,
        };
        parts.option_spans.insert(key.clone(), span);
        parts.options.insert(key, option.value.value.clone());
    }
}
