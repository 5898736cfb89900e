//! Partitions of tables: they are folders of files, of which there are none here.

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::ast as ddl;
use sg_value::Gather as _;

use super::{Binder, alter::Altered};
use crate::catalog::{CatalogObject, ObjectPath};

impl Binder<'_> {
    /// Says why a table has no partitions.
    #[inline(never)]
    pub(super) fn no_partitions(&mut self, path: &ObjectPath, span: Span, (feature, head): (&str, &str)) {
        let (place, catalog) = (path.in_catalog(), &path.place.catalog);
        match self.catalog.object(path) {
            Some(CatalogObject::Table(table)) if !table.partitioned_by.is_empty() => {
                self.not_supported(feature, span);
            }
            Some(_) => {
                let flink = format!(
                    "TableException: {head}\nTableNotPartitionedException: Table {place} in catalog {catalog} is not \
                     partitioned."
                );
                let diagnostic = Diagnostic::new(Code::NotPartitioned, span);
                self.report(diagnostic.arg("table", &path.object).flink(flink));
            }
            None if self.catalog.databases(catalog).is_none() => {
                let flink =
                    format!("TableException: {head}\nValidationException: Catalog {catalog} does not exist");
                self.no_catalog(catalog, span, flink);
            }
            None => {
                let flink = format!(
                    "ValidationException: {head}\nTableNotExistException: Table (or view) {place} does not exist in Catalog \
                     {catalog}."
                );
                self.no_such_object(path, span, flink);
            }
        }
    }

    /// ALTER TABLE … ADD and DROP PARTITION.
    #[inline(never)]
    pub(super) fn change_partitions(
        &mut self,
        path: &ObjectPath,
        span: Span,
        change: &ddl::PartitionChange,
    ) -> Option<Altered> {
        let (word, condition) = if change.added {
            ("ADD", " IF NOT EXISTS")
        } else {
            ("DROP", " IF EXISTS")
        };
        if change.conditional && !change.added {
            return Some(Altered::Nothing);
        }
        let condition = if change.conditional { condition } else { "" };
        let mut head = format!(
            "Could not execute ALTER TABLE {} {word}{condition}",
            path.dotted()
        );
        for (values, options) in &change.partitions {
            put!(head, " PARTITION ({})", spec(values));
            let options: Vec<String> = options
                .iter()
                .map(|option| format!("{}: [{}]", option.key.value, option.value.value))
                .gather();
            if !options.is_empty() {
                put!(head, " WITH ({})", options.join(", "));
            }
        }
        if change.added {
            self.no_partitions(path, span, ("ADD PARTITION", &head));
            return None;
        }
        let first = change.partitions.first()?;
        let flink = format!(
            "TableException: {head}\nPartitionNotExistException: Partition CatalogPartitionSpec{{{{{}}}}} of table {} in catalog \
             {} does not exist.",
            spec(&first.0),
            path.in_catalog(),
            path.place.catalog
        );
        if self.catalog.object(path).is_none() {
            self.no_such_object(path, span, flink);
        } else {
            let diagnostic = Diagnostic::new(Code::NotPartitioned, span);
            self.report(diagnostic.arg("table", &path.object).flink(flink));
        }
        None
    }
}

/// `d=1, e=2`
fn spec(values: &[ddl::PartitionValue]) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|value| format!("{}={}", value.column.name, value.value.value))
        .gather();
    parts.join(", ")
}
