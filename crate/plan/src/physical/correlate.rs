//! The exec node `Correlate`.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Field;

use crate::logical::TableFunction;

/// Calls a table function for each row. Output: the input's columns, then the function's.
#[derive(Clone, Debug)]
pub struct CorrelateSpec {
    /// Rows for which nothing passes are kept, with NULLs.
    pub left: bool,
    /// The function.
    pub function: TableFunction,
    /// Its arguments over the input.
    pub args: Vec<Expr>,
    /// Its own columns.
    pub columns: Vec<Field>,
    /// What its rows have to satisfy, over its own columns.
    pub condition: Option<Expr>,
    /// The number of the variable that stands for the row in the plan text.
    pub variable: Option<u32>,
    /// The columns of the row as the query calls them, for the plan text.
    pub row: Vec<Rc<str>>,
}
