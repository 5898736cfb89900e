//! INSERT INTO: columns by position, casts to the sink's types.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_expr::{Expr, converts_implicitly};
use sg_sql::ast as ddl;
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{Binder, BoundQuery, TableUse, query::Place};
use crate::{
    catalog::{CatalogObject, Table},
    logical::{LogicalNode, LogicalOp, SinkNode, unique_names},
};

impl Binder<'_> {
    /// The sink node, or `None` where something is broken.
    #[inline(never)]
    pub(crate) fn bind_insert(&mut self, insert: &ddl::Insert) -> Option<Rc<LogicalNode>> {
        let table = self.sink_table(&insert.table);
        if let Some(table) = &table {
            self.check_partition(table, insert)?;
        }
        // Flink validates the source inside the INSERT: its messages have the head twice
        self.nested_validation = true;
        let bound = self.bind_query(&insert.query.query, Place::Statement);
        self.nested_validation = false;
        let table = table?;
        self.failed |= table.broken;
        let (table, _) = self.hinted(&table, insert.table.span);
        let checked = super::check_options(&table, TableUse::Sink, insert.table.span);
        self.diags.append(checked);
        let targets = match &insert.columns {
            Some(list) => Some(self.target_columns(&table, list)?),
            None => None,
        };
        let bound = match &targets {
            Some(targets) => self.spread(&table, targets, bound, insert)?,
            None => bound,
        };
        let node = self.cast_to_sink(&table, bound, insert.query.span)?;
        let sink = SinkNode {
            table,
            columns: targets,
            on_conflict: insert.on_conflict.map(|(on_conflict, _)| on_conflict),
            overwrite: insert.overwrite,
        };
        let schema = node.schema.to_vec();
        Some(
            self.builder
                .node(LogicalOp::Sink(sink), vec![node], schema, insert.span),
        )
    }

    /// What Flink says about PARTITION and OVERWRITE; the sinks of a replay have neither.
    #[inline(never)]
    fn check_partition(&mut self, table: &Table, insert: &ddl::Insert) -> Option<()> {
        let mut unknown = false;
        for value in &insert.partition {
            let name = &value.column.name;
            if table.columns.iter().any(|column| *column.field.name == **name) {
                continue;
            }
            let flink = self.validation(value.column.span, &format!("Unknown target column '{name}'"));
            let names: Vec<&str> = table.columns.iter().map(|column| &*column.field.name).gather();
            self.report(
                Diagnostic::new(Code::UnknownTargetColumn, value.column.span)
                    .arg("column", name)
                    .arg("table", &table.name)
                    .flink(flink)
                    .suggest_similar(name, names),
            );
            unknown = true;
        }
        let full = table.full_name();
        let not_a_key = insert
            .partition
            .iter()
            .find(|value| !table.partitioned_by.iter().any(|key| **key == *value.column.name));
        if let Some(value) = not_a_key.filter(|_| !unknown) {
            let keys: Vec<&str> = table.partitioned_by.iter().map(|key| &**key).gather();
            let flink = format!(
                "ValidationException: Static partition column '{}' should be in the partition keys list [{}] for table \
                 '{full}'.",
                value.column.name,
                keys.join(", ")
            );
            let diagnostic = Diagnostic::new(Code::NotAPartitionColumn, value.column.span);
            self.report(diagnostic.arg("column", &value.column.name).flink(flink));
            unknown = true;
        }
        let writes_files = matches!(table.connector(), Some("filesystem" | "iceberg"));
        if insert.overwrite && !writes_files {
            let flink = format!(
                "ValidationException: INSERT OVERWRITE requires that the underlying DynamicTableSink of table '{full}' \
                 implements the SupportsOverwrite interface."
            );
            self.report(Diagnostic::new(Code::OverwriteNotSupported, insert.table.span).flink(flink));
            unknown = true;
        }
        if !table.partitioned_by.is_empty() && !writes_files && !unknown {
            let flink = format!(
                "TableException: Table '{full}' is a partitioned table, but the underlying DynamicTableSink doesn't implement \
                 the SupportsPartitioning interface."
            );
            let diagnostic = Diagnostic::new(Code::PartitionedSink, insert.table.span);
            self.report(diagnostic.arg("table", &table.name).flink(flink));
            unknown = true;
        }
        if let Some(value) = insert.partition.first().filter(|_| !unknown) {
            self.not_supported("PARTITION (…)", value.column.span);
            unknown = true;
        }
        (!unknown).then_some(())
    }

    #[inline(never)]
    fn sink_table(&mut self, name: &ddl::ObjectName) -> Option<Rc<Table>> {
        let path = self.object_path(name)?;
        match self.catalog.object(&path) {
            Some(CatalogObject::Table(table)) => Some(Rc::clone(table)),
            Some(CatalogObject::View(view)) => {
                let declared = view.span;
                let flink = format!("TableException: Sink '{}' does not exists", path.dotted());
                self.report(
                    Diagnostic::new(Code::InsertIntoView, name.span)
                        .arg("view", &path.object)
                        .label(declared, LabelText::DeclaredHere)
                        .flink(flink),
                );
                None
            }
            None => {
                let flink = format!(
                    "ValidationException: Cannot find table '{}' in any of the catalogs [{}], nor as a temporary table.",
                    path.quoted(),
                    self.catalog.listed()
                );
                self.no_such_object(&path, name.span, flink);
                None
            }
        }
    }

    /// Table columns of `INSERT INTO t (a, b)`.
    fn target_columns(&mut self, table: &Table, list: &[ddl::Ident]) -> Option<Vec<u32>> {
        let writable = table.sink_columns();
        let mut targets: Vec<u32> = Vec::with_capacity(list.len());
        let mut sound = true;
        for column in list {
            let found = writable
                .iter()
                .copied()
                .find(|&at| column_name(table, at) == Some(column.name.as_str()));
            match found {
                Some(at) if targets.contains(&at) => {
                    let message = format!("Target column '{}' is assigned more than once", column.name);
                    let flink = self.validation(column.span, &message);
                    let diagnostic = Diagnostic::new(Code::TargetColumnTwice, column.span);
                    self.report(diagnostic.arg("column", &column.name).flink(flink));
                    sound = false;
                }
                Some(at) => targets.push(at),
                None => {
                    let message = format!("Unknown target column '{}'", column.name);
                    let flink = self.validation(column.span, &message);
                    let names: Vec<&str> = writable.iter().filter_map(|&at| column_name(table, at)).gather();
                    self.report(
                        Diagnostic::new(Code::UnknownTargetColumn, column.span)
                            .arg("column", &column.name)
                            .arg("table", &table.name)
                            .flink(flink)
                            .suggest_similar(&column.name, names),
                    );
                    sound = false;
                }
            }
        }
        sound.then_some(targets)
    }

    /// The query's columns at the places of the target columns, NULL at the others.
    fn spread(
        &mut self,
        table: &Table,
        targets: &[u32],
        bound: BoundQuery,
        insert: &ddl::Insert,
    ) -> Option<BoundQuery> {
        let span = insert.query.span;
        if bound.names.len() != targets.len() {
            if !self.failed {
                let message = format!(
                    "Number of INSERT target columns ({}) does not equal number of source items ({})",
                    targets.len(),
                    bound.names.len()
                );
                self.column_count(table, targets.len(), &bound, (span, Some(message)));
            }
            return None;
        }
        let mut expressions = Vec::new();
        let mut names = Vec::new();
        for at in table.sink_columns() {
            let column = table.columns.get(at as usize)?;
            let given = targets.iter().position(|&target| target == at);
            match given.and_then(|given| Some((given, bound.node.schema.get(given)?))) {
                Some((given, field)) => {
                    let given = u32::try_from(given).ok()?;
                    expressions.push(Expr::column(given, field.data_type.clone(), span));
                    names.push(bound.names.get(given as usize).map(Rc::clone)?);
                }
                None if !column.field.data_type.nullable => {
                    self.missing_not_null(&column.field, column.span, insert.table.span);
                    return None;
                }
                None => {
                    let null = Expr::literal(
                        sg_value::Value::Null,
                        column.field.data_type.without_time_attribute(),
                        span,
                    );
                    names.push(Rc::from(format!("EXPR${}", expressions.len())));
                    expressions.push(null);
                }
            }
        }
        // Flink puts the columns in order within the query's own select list
        if let LogicalOp::Project(list) = &bound.node.op
            && let Some(input) = bound.node.inputs.first()
        {
            let expressions = expressions
                .into_iter()
                .map(|expr| match expr.as_column() {
                    Some(at) => list.expressions.get(at as usize).cloned().unwrap_or(expr),
                    None => expr,
                })
                .gather();
            let unique = super::result_names(&names);
            let node = self
                .builder
                .project_always(Rc::clone(input), expressions, &unique, span);
            return Some(BoundQuery { node, names });
        }
        Some(self.projected(bound.node, expressions, names, span))
    }

    fn missing_not_null(&mut self, field: &Field, declared: Span, span: Span) {
        let flink = format!(
            "ValidationException: SQL validation failed. At line 0, column 0: Column '{}' has no default value and does not \
             allow NULLs",
            field.name
        );
        self.report(
            Diagnostic::new(Code::MissingNotNullColumn, span)
                .arg("column", &field.name)
                .label(declared, LabelText::DeclaredHere)
                .flink(flink),
        );
    }

    /// Checks number and types of the columns, and casts where a type differs.
    fn cast_to_sink(&mut self, table: &Table, bound: BoundQuery, span: Span) -> Option<Rc<LogicalNode>> {
        let columns = table.sink_columns();
        let fields: Vec<&Field> = columns
            .iter()
            .filter_map(|&at| table.columns.get(at as usize))
            .map(|column| &column.field)
            .gather();
        if self.failed || table.broken {
            return None;
        }
        if fields.len() != bound.names.len() {
            self.column_count(table, fields.len(), &bound, (span, None));
            return None;
        }
        let mut expressions = Vec::with_capacity(fields.len());
        let mut casts = false;
        for ((at, from), field) in (0_u32..).zip(bound.node.schema.iter()).zip(&fields) {
            let to = field.data_type.without_time_attribute();
            let from_type = from.data_type.without_time_attribute();
            let column = Expr::column(at, from.data_type.clone(), span);
            let fits = fits_without_cast(&from_type.kind, &to.kind);
            if !fits && !converts_implicitly(&from_type, &to) {
                self.column_type(table, &bound, at, span);
                return None;
            }
            casts |= !fits;
            // NOT NULL of the sink is checked at run time, not by the cast
            let target = to.with_nullable(true);
            expressions.push(if from.data_type == target || from.data_type != from_type {
                column
            } else {
                sg_expr::cast_exactly(column, &target)
            });
        }
        if !casts {
            return Some(bound.node);
        }
        let names: Vec<Rc<str>> = fields.iter().map(|field| Rc::clone(&field.name)).gather();
        Some(self.builder.project_always(bound.node, expressions, &names, span))
    }

    fn column_count(
        &mut self,
        table: &Table,
        expected: usize,
        bound: &BoundQuery,
        (span, message): (Span, Option<String>),
    ) {
        let flink = match message {
            Some(message) => self.validation(span, &message),
            None => sink_mismatch(table, bound, "Different number of columns."),
        };
        self.report(
            Diagnostic::new(Code::SinkColumnCount, span)
                .arg("sink", &table.name)
                .arg("columns", expected)
                .arg("given", bound.names.len())
                .label(table.span, LabelText::DeclaredHere)
                .flink(flink),
        );
    }

    #[inline(never)]
    fn column_type(&mut self, table: &Table, bound: &BoundQuery, at: u32, span: Span) {
        let columns = table.sink_columns();
        let column = columns
            .get(at as usize)
            .and_then(|&at| table.columns.get(at as usize));
        let (Some(column), Some(from)) = (column, bound.node.schema.get(at as usize)) else {
            return;
        };
        let cause = format!(
            "Incompatible types for sink column '{}' at position {}.",
            column.field.name,
            at + 1
        );
        let flink = sink_mismatch(table, bound, &cause);
        let from: &DataType = &from.data_type;
        self.report(
            Diagnostic::new(Code::SinkColumnType, span)
                .arg("sink", &table.name)
                .arg("column", &column.field.name)
                .arg("type", &column.field.data_type)
                .arg("given", from)
                .label(column.span, LabelText::DeclaredHere)
                .flink(flink),
        );
    }
}

fn column_name(table: &Table, at: u32) -> Option<&str> {
    table.columns.get(at as usize).map(|column| &*column.field.name)
}

/// Whether a value can be written as it is: equal types, and text or bytes into a type that is long enough.
///
/// Flink: `LogicalTypeCasts.supportsAvoidingCast`. Case: sinks/two-inserts-into-one-sink.
fn fits_without_cast(from: &TypeKind, to: &TypeKind) -> bool {
    match (from, to) {
        (TypeKind::Char(length) | TypeKind::Varchar(length), TypeKind::Varchar(limit))
        | (TypeKind::Binary(length) | TypeKind::Varbinary(length), TypeKind::Varbinary(limit)) => {
            length <= limit
        }
        _ => from == to,
    }
}

fn sink_mismatch(table: &Table, bound: &BoundQuery, cause: &str) -> String {
    let list = |fields: &[Field]| {
        fields
            .iter()
            .map(|field| format!("{}: {}", field.name, field.data_type.without_time_attribute()))
            .gather::<Vec<_>>()
            .join(", ")
    };
    let mut fields = bound.fields();
    let names: Vec<Option<Rc<str>>> = fields.iter().map(|field| Some(Rc::clone(&field.name))).gather();
    for (field, name) in fields.iter_mut().zip(unique_names(&names)) {
        field.name = name;
    }
    let query = list(&fields);
    let sink: Vec<Field> = table
        .sink_columns()
        .iter()
        .filter_map(|&at| table.columns.get(at as usize))
        .map(|column| column.field.clone())
        .gather();
    format!(
        "ValidationException: Column types of query result and sink for '{}' do not match.\nCause: {cause}\n\nQuery \
         schema: [{query}]\nSink schema:  [{}]",
        table.full_name(),
        list(&sink)
    )
}
