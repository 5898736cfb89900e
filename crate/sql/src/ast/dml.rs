//! Queries as statements, INSERT, statement sets.

use std::rc::Rc;

use sg_diag::Span;

use super::{Ident, ObjectName, Text};
use crate::query;

/// A query: `[WITH …] SELECT …`, `VALUES …`, `TABLE t`.
#[derive(Clone, Debug, PartialEq)]
pub struct QuerySyntax {
    /// The tree.
    pub query: Rc<query::Query>,
    /// Where it stands.
    pub span: Span,
}

/// `INSERT INTO name [PARTITION (…)] [(columns)] query [ON CONFLICT DO …]`
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// The sink. Its OPTIONS hint is in the side table, at this name.
    pub table: ObjectName,
    /// `OVERWRITE` instead of `INTO`.
    pub overwrite: bool,
    /// `PARTITION (p = 'v')`
    pub partition: Vec<PartitionValue>,
    /// The column list; `None` if not written.
    pub columns: Option<Vec<Ident>>,
    /// What is written, `VALUES` included.
    pub query: QuerySyntax,
    /// `ON CONFLICT DO …`
    pub on_conflict: Option<(OnConflict, Span)>,
    /// The whole statement.
    pub span: Span,
}

/// `column = 'value'` of PARTITION.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionValue {
    /// The partition column.
    pub column: Ident,
    /// Its value, as text.
    pub value: Text,
}

/// What happens when rows of different upsert keys meet in one primary key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnConflict {
    /// `DO ERROR`
    Error,
    /// `DO NOTHING`
    Nothing,
    /// `DO DEDUPLICATE`
    Deduplicate,
}

/// `EXECUTE STATEMENT SET BEGIN insert; … END`
#[derive(Clone, Debug, PartialEq)]
pub struct StatementSet {
    /// The inserts, at least one.
    pub inserts: Vec<Insert>,
}
