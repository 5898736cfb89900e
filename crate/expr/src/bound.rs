//! The expression tree after binding: every node typed and spanned, names resolved to column numbers.

use sg_diag::Span;
use sg_value::{DataType, Value};

use crate::function::FunctionDef;

/// An expression over the columns of one input row.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of the result.
    pub data_type: DataType,
    /// The SQL text it came from; the clause's where the planner made it.
    pub span: Span,
}

/// The four things an expression can be. CAST, CASE, AND, IS NULL, `r.field` … are calls like any other.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A column of the input row, counted from 0.
    Column(u32),
    /// A constant of the node's type.
    Literal(Value),
    /// A call of a built-in; casts to argument types are calls of their own.
    Call {
        /// The function's row in the registry.
        function: &'static FunctionDef,
        /// Its arguments.
        args: Vec<Expr>,
    },
    /// A failure that has been reported; silences what would follow from it.
    Invalid,
}

impl Expr {
    /// A column reference.
    pub const fn column(index: u32, data_type: DataType, span: Span) -> Self {
        Self { kind: ExprKind::Column(index), data_type, span }
    }

    /// A constant.
    pub const fn literal(value: Value, data_type: DataType, span: Span) -> Self {
        Self { kind: ExprKind::Literal(value), data_type, span }
    }

    /// The column number, if this is nothing but a column.
    pub const fn as_column(&self) -> Option<u32> {
        match self.kind {
            ExprKind::Column(index) => Some(index),
            _ => None,
        }
    }

    /// Calls `visit` with the number of every column that is read, repetitions included.
    pub fn for_each_column(&self, visit: &mut impl FnMut(u32)) {
        match &self.kind {
            ExprKind::Column(index) => visit(*index),
            ExprKind::Call { args, .. } => args.iter().for_each(|arg| arg.for_each_column(visit)),
            ExprKind::Literal(_) | ExprKind::Invalid => {}
        }
    }

    /// The same expression with every column number replaced.
    #[must_use]
    pub fn map_columns(&self, renumber: &mut impl FnMut(u32) -> u32) -> Self {
        let kind = match &self.kind {
            ExprKind::Column(index) => ExprKind::Column(renumber(*index)),
            ExprKind::Call { function, args } => ExprKind::Call {
                function,
                args: args.iter().map(|arg| arg.map_columns(renumber)).collect(),
            },
            other => other.clone(),
        };
        Self { kind, data_type: self.data_type.clone(), span: self.span }
    }
}
