//! The expression tree after binding: every node typed and spanned, names resolved to column numbers.

use std::rc::Rc;

use sg_diag::Span;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use crate::function::FunctionDef;

/// The class of the type that symbols have.
const SYMBOL: &str = "$symbol";

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
        Self {
            kind: ExprKind::Column(index),
            data_type,
            span,
        }
    }

    /// A constant.
    pub const fn literal(value: Value, data_type: DataType, span: Span) -> Self {
        Self {
            kind: ExprKind::Literal(value),
            data_type,
            span,
        }
    }

    /// A failure that has been reported.
    pub const fn invalid(span: Span) -> Self {
        Self {
            kind: ExprKind::Invalid,
            data_type: DataType::nullable(TypeKind::Null),
            span,
        }
    }

    /// A bare NULL.
    pub const fn null(span: Span) -> Self {
        Self {
            kind: ExprKind::Literal(Value::Null),
            data_type: DataType::nullable(TypeKind::Null),
            span,
        }
    }

    /// A word of the syntax as an argument: a unit (`HOUR`), a flag (`BOTH`), a field's name.
    pub fn symbol(word: &str, span: Span) -> Self {
        let data_type = DataType::not_null(TypeKind::Raw(Rc::from(SYMBOL)));
        Self {
            kind: ExprKind::Literal(Value::from(word)),
            data_type,
            span,
        }
    }

    /// The word, if this is a symbol.
    pub fn as_symbol(&self) -> Option<&str> {
        match (&self.kind, &self.data_type.kind) {
            (ExprKind::Literal(Value::Str(word)), TypeKind::Raw(class)) if &**class == SYMBOL => Some(word),
            _ => None,
        }
    }

    /// The constant, if this is a literal.
    pub fn as_literal(&self) -> Option<&Value> {
        match &self.kind {
            ExprKind::Literal(value) if self.as_symbol().is_none() => Some(value),
            _ => None,
        }
    }

    /// Whether a failure hides in it.
    pub fn is_invalid(&self) -> bool {
        match &self.kind {
            ExprKind::Invalid => true,
            ExprKind::Call { args, .. } => args.iter().any(Self::is_invalid),
            ExprKind::Column(_) | ExprKind::Literal(_) => false,
        }
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
                args: args.iter().map(|arg| arg.map_columns(renumber)).gather(),
            },
            other => other.clone(),
        };
        Self {
            kind,
            data_type: self.data_type.clone(),
            span: self.span,
        }
    }
}
