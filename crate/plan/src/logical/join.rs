//! Joins as SQL has them; what becomes an interval, temporal, lookup or window join is decided when nodes are lowered.

use std::rc::Rc;

use sg_diag::Span;
use sg_expr::Expr;
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{LogicalNode, unique_names};

/// Joins two inputs. Output: the columns of both, or those of the left for [`JoinKind::Semi`] and [`JoinKind::Anti`].
#[derive(Clone, Debug)]
pub struct JoinNode {
    /// INNER, LEFT …
    pub kind: JoinKind,
    /// Over the columns of the left input followed by those of the right one, also where only the left ones are in the
    /// output; the literal TRUE where there is none.
    pub condition: Expr,
    /// Hints of the query that name an input.
    pub hints: JoinHints,
    /// LATERAL: what the right input calls the left one in its outer columns; gone after optimization.
    pub lateral: Option<u32>,
}

/// What hints behind SELECT say about the inputs of a join.
#[derive(Clone, Debug, Default)]
pub struct JoinHints {
    /// `STATE_TTL` of the left and the right input as written.
    pub ttl: [Option<Rc<str>>; 2],
    /// `MULTI_JOIN` of both inputs.
    pub multi: bool,
    /// Hints that only batch plans use, as plans print them: `BROADCAST options:[LEFT]`.
    pub ignored: Vec<Rc<str>>,
    /// `LOOKUP` of the right input, and `MINI_BATCH`.
    pub lookup: LookupHints,
}

/// What hints say about a lookup.
#[derive(Clone, Debug, Default)]
pub struct LookupHints {
    /// Rows are distributed by the lookup keys.
    pub shuffle: bool,
    /// How a lookup that finds nothing is repeated.
    pub retry: Option<LookupRetry>,
    /// How many rows are looked up together, and after how many milliseconds at the latest.
    pub mini_batch: Option<(u32, i64)>,
}

/// How a lookup that finds nothing is repeated.
#[derive(Clone, Debug)]
pub struct LookupRetry {
    /// `lookup_miss, FIXED_DELAY, 1000ms, 3`, for the plan text.
    pub text: Rc<str>,
    /// Milliseconds between two attempts.
    pub delay_ms: i64,
    /// How often at most it is repeated.
    pub attempts: i64,
}

/// The kinds of joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JoinKind {
    /// Pairs.
    Inner,
    /// Pairs, and left rows without one.
    Left,
    /// Pairs, and right rows without one.
    Right,
    /// Pairs, and rows of either side without one.
    Full,
    /// Left rows with a match.
    Semi,
    /// Left rows without a match.
    Anti,
}

impl JoinKind {
    /// The name in a physical plan: `LeftOuterJoin`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inner => "InnerJoin",
            Self::Left => "LeftOuterJoin",
            Self::Right => "RightOuterJoin",
            Self::Full => "FullOuterJoin",
            Self::Semi => "LeftSemiJoin",
            Self::Anti => "LeftAntiJoin",
        }
    }

    /// The name in an abstract syntax tree: `left`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Inner => "inner",
            Self::Left => "left",
            Self::Right => "right",
            Self::Full => "full",
            Self::Semi => "semi",
            Self::Anti => "anti",
        }
    }

    /// Whether every left row is in the result, with NULLs where it has no match.
    pub const fn keeps_left(self) -> bool {
        matches!(self, Self::Left | Self::Full)
    }

    /// Whether every right row is in the result, with NULLs where it has no match.
    pub const fn keeps_right(self) -> bool {
        matches!(self, Self::Right | Self::Full)
    }

    /// Whether only left columns are in the output.
    pub const fn is_semi_or_anti(self) -> bool {
        matches!(self, Self::Semi | Self::Anti)
    }

    /// The kind that keeps the rows of the left side, of the right side.
    pub const fn keeping(sides: [bool; 2]) -> Self {
        match sides {
            [false, false] => Self::Inner,
            [true, false] => Self::Left,
            [false, true] => Self::Right,
            [true, true] => Self::Full,
        }
    }
}

/// A condition that is always met.
pub fn always(span: Span) -> Expr {
    Expr::literal(Value::Bool(true), DataType::not_null(TypeKind::Boolean), span)
}

/// Whether a condition is the literal TRUE.
pub fn is_always(condition: &Expr) -> bool {
    matches!(condition.as_literal(), Some(Value::Bool(true)))
}

/// The columns of both sides as a condition sees them: without the NULLs of padding, names not yet unique.
pub fn condition_fields(left: &[Field], right: &[Field]) -> Vec<Field> {
    left.iter().chain(right).cloned().gather()
}

/// The columns of a join: clashing names get a number, padded columns are nullable.
///
/// Calcite: `SqlValidatorUtil.deriveJoinRowType`.
pub fn join_schema(kind: JoinKind, left: &[Field], right: &[Field]) -> Vec<Field> {
    if kind.is_semi_or_anti() {
        return left.to_vec();
    }
    let names: Vec<Option<Rc<str>>> = left
        .iter()
        .chain(right)
        .map(|field| Some(Rc::clone(&field.name)))
        .gather();
    let padded = |field: &Field, pads: bool| {
        if pads {
            field.data_type.with_nullable(true)
        } else {
            field.data_type.clone()
        }
    };
    let types = left
        .iter()
        .map(|field| padded(field, kind.keeps_right()))
        .chain(right.iter().map(|field| padded(field, kind.keeps_left())));
    unique_names(&names)
        .into_iter()
        .zip(types)
        .map(|(name, data_type)| Field { name, data_type })
        .gather()
}

/// Number of columns of the left input.
pub fn left_width(node: &LogicalNode) -> u32 {
    let width = node.inputs.first().map_or(0, |left| left.schema.len());
    u32::try_from(width).unwrap_or(u32::MAX)
}
