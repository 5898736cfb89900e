//! The SQL/JSON functions.
//!
//! Clauses are symbols behind the arguments, some with a value behind them:
//! `RETURNING` (a NULL literal of the type), `NULL ON EMPTY`, `ERROR ON EMPTY`, `DEFAULT ON EMPTY` (the value),
//! `EMPTY ARRAY ON EMPTY`, `EMPTY OBJECT ON EMPTY`, the same `… ON ERROR`, `TRUE ON ERROR`, `FALSE ON ERROR`,
//! `UNKNOWN ON ERROR`, `WITHOUT ARRAY`, `WITH CONDITIONAL ARRAY`, `WITH UNCONDITIONAL ARRAY`, `NULL ON NULL`,
//! `ABSENT ON NULL`.

mod make;
mod path;
mod query;
mod text;

use super::FunctionDef;
pub(crate) use text::quoted;

pub(super) static TABLES: [&[FunctionDef]; 2] = [query::ROWS, make::ROWS];
