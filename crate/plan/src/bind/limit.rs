//! How much a statement may name once its views and stars are written out: each view may stand for several others, and so on.

use sg_diag::{Code, Diagnostic, Span};

use super::Binder;

/// Most tables that a statement reads, with its views and WITH tables written out.
const TABLES: usize = 128;
/// Most columns of a table or a result.
const COLUMNS: usize = 1024;
/// Most values of an IN list: half a second of planning in a browser.
const VALUES: usize = 20_000;

impl Binder<'_> {
    /// Counts a table that is read; false where there are too many.
    pub(super) fn count_table(&mut self) -> bool {
        self.count_tables(1)
    }

    /// Counts the tables of a WITH table that is used; false where there are too many.
    pub(super) fn count_tables(&mut self, count: usize) -> bool {
        self.tables = self.tables.saturating_add(count);
        self.tables <= TABLES
    }

    /// Said once for the statement: what happens within a view is not reported where it happens.
    pub(super) fn check_table_count(&mut self) {
        if self.tables > TABLES {
            let diagnostic = Diagnostic::new(Code::TooManyTables, self.statement);
            self.report(diagnostic.arg("limit", TABLES));
        }
    }

    /// Whether a list can have so many values; says so where not.
    pub(super) fn fits_values(&mut self, count: usize, span: Span) -> bool {
        if count > VALUES {
            let diagnostic = Diagnostic::new(Code::TooManyValues, span);
            self.report(diagnostic.arg("count", count).arg("limit", VALUES));
        }
        count <= VALUES
    }

    /// Whether so many columns can be; says so where not.
    pub(super) fn fits_columns(&mut self, count: usize, span: Span) -> bool {
        if count > COLUMNS {
            let diagnostic = Diagnostic::new(Code::TooManyColumns, span);
            self.report(diagnostic.arg("count", count).arg("limit", COLUMNS));
        }
        count <= COLUMNS
    }
}
