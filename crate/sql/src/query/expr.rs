//! Expressions.

use sg_diag::Span;

use super::{Function, Ident, Query};
use crate::ast::TimeUnit;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// `a`
    Identifier(Ident),
    /// `a.b`
    CompoundIdentifier(Vec<Ident>),
    /// `a[1].b`, `f(x).y`
    CompoundFieldAccess {
        /// What something is taken from.
        root: Box<Self>,
        /// What is taken, one after the other.
        access_chain: Vec<AccessExpr>,
    },
    /// A literal.
    Value(ValueWithSpan),
    /// `DATE '2024-01-01'`
    TypedString(TypedString),
    /// `INTERVAL '1' DAY`
    Interval(Interval),
    /// `(a)`
    Nested(Box<Self>),
    /// `(a, b)`
    Tuple(Vec<Self>),
    /// `-a`, `NOT a`
    UnaryOp {
        /// The operator.
        op: UnaryOperator,
        /// The operand.
        expr: Box<Self>,
    },
    /// `a + b`
    BinaryOp {
        /// What stands before the operator.
        left: Box<Self>,
        /// The operator.
        op: BinaryOperator,
        /// What stands behind it.
        right: Box<Self>,
    },
    /// `a = ANY (…)`, `a = SOME (…)`
    AnyOp {
        /// What is compared.
        left: Box<Self>,
        /// How.
        compare_op: BinaryOperator,
        /// With what.
        right: Box<Self>,
        /// SOME was written.
        is_some: bool,
    },
    /// `a = ALL (…)`
    AllOp {
        /// What is compared.
        left: Box<Self>,
        /// How.
        compare_op: BinaryOperator,
        /// With what.
        right: Box<Self>,
    },
    /// `IS NULL`
    IsNull(Box<Self>),
    /// `IS NOT NULL`
    IsNotNull(Box<Self>),
    /// `IS TRUE`
    IsTrue(Box<Self>),
    /// `IS NOT TRUE`
    IsNotTrue(Box<Self>),
    /// `IS FALSE`
    IsFalse(Box<Self>),
    /// `IS NOT FALSE`
    IsNotFalse(Box<Self>),
    /// `IS UNKNOWN`
    IsUnknown(Box<Self>),
    /// `IS NOT UNKNOWN`
    IsNotUnknown(Box<Self>),
    /// `a IS DISTINCT FROM b`
    IsDistinctFrom(Box<Self>, Box<Self>),
    /// `a IS NOT DISTINCT FROM b`
    IsNotDistinctFrom(Box<Self>, Box<Self>),
    /// `a IS [NOT] JSON`
    IsJson {
        /// What is tested.
        expr: Box<Self>,
        /// What kind of JSON; any where nothing is said.
        kind: Option<JsonPredicateType>,
        /// NOT
        negated: bool,
    },
    /// `a [NOT] BETWEEN low AND high`
    Between {
        /// What is tested.
        expr: Box<Self>,
        /// NOT
        negated: bool,
        /// The lower bound.
        low: Box<Self>,
        /// The upper bound.
        high: Box<Self>,
    },
    /// `a [NOT] IN (…)`
    In {
        /// What is tested.
        expr: Box<Self>,
        /// What it is looked for in.
        target: InTarget,
        /// NOT
        negated: bool,
    },
    /// `a [NOT] LIKE b`
    Like {
        /// NOT
        negated: bool,
        /// What is tested.
        expr: Box<Self>,
        /// The pattern.
        pattern: Box<Self>,
        /// ESCAPE
        escape_char: Option<Box<Self>>,
    },
    /// `a [NOT] ILIKE b`
    ILike {
        /// NOT
        negated: bool,
        /// What is tested.
        expr: Box<Self>,
        /// The pattern.
        pattern: Box<Self>,
        /// ESCAPE
        escape_char: Option<Box<Self>>,
    },
    /// `a [NOT] SIMILAR TO b`
    SimilarTo {
        /// NOT
        negated: bool,
        /// What is tested.
        expr: Box<Self>,
        /// The pattern.
        pattern: Box<Self>,
        /// ESCAPE
        escape_char: Option<Box<Self>>,
    },
    /// `a [NOT] RLIKE b`
    RLike {
        /// NOT
        negated: bool,
        /// What is tested.
        expr: Box<Self>,
        /// The pattern.
        pattern: Box<Self>,
    },
    /// `a MEMBER OF (b)`
    MemberOf {
        /// What is looked for.
        value: Box<Self>,
        /// In what.
        array: Box<Self>,
    },
    /// `CASE … END`
    Case {
        /// The word CASE.
        case_token: Span,
        /// The word END.
        end_token: Span,
        /// `CASE a WHEN …`
        operand: Option<Box<Self>>,
        /// `WHEN … THEN …`
        conditions: Vec<CaseWhen>,
        /// `ELSE …`
        else_result: Option<Box<Self>>,
    },
    /// `[NOT] EXISTS (query)`
    Exists {
        /// The query.
        subquery: Box<Query>,
        /// NOT
        negated: bool,
    },
    /// `(query)`
    Subquery(Box<Query>),
    /// `f(x)`
    Function(Box<Function>),
    /// `ARRAY[a, b]`
    Array(Vec<Self>),
    /// `GROUPING SETS (…)`
    GroupingSets(Vec<Vec<Self>>),
    /// `CUBE (…)`
    Cube(Vec<Vec<Self>>),
    /// `ROLLUP (…)`
    Rollup(Vec<Vec<Self>>),
    /// `EXTRACT(field FROM a)`
    Extract {
        /// The field.
        field: DateTimeField,
        /// Of what.
        expr: Box<Self>,
    },
    /// `CEIL(a [TO field])`
    Ceil {
        /// What is rounded.
        expr: Box<Self>,
        /// To what.
        field: CeilFloorKind,
    },
    /// `FLOOR(a [TO field])`
    Floor {
        /// What is rounded.
        expr: Box<Self>,
        /// To what.
        field: CeilFloorKind,
    },
    /// `POSITION(a IN b)`
    Position {
        /// What is looked for.
        expr: Box<Self>,
        /// In what.
        r#in: Box<Self>,
    },
    /// `SUBSTRING(a FROM b FOR c)`, `SUBSTRING(a, b, c)`
    Substring {
        /// Of what.
        expr: Box<Self>,
        /// From where.
        substring_from: Option<Box<Self>>,
        /// How much.
        substring_for: Option<Box<Self>>,
        /// SUBSTR was written.
        shorthand: bool,
    },
    /// `OVERLAY(a PLACING b FROM c FOR d)`
    Overlay {
        /// In what.
        expr: Box<Self>,
        /// What is put there.
        overlay_what: Box<Self>,
        /// Where.
        overlay_from: Box<Self>,
        /// How much is replaced.
        overlay_for: Option<Box<Self>>,
    },
    /// `TRIM(LEADING b FROM a)`
    Trim {
        /// Of what.
        expr: Box<Self>,
        /// On which side.
        trim_where: Option<TrimWhereField>,
        /// What is cut off.
        trim_what: Option<Box<Self>>,
    },
}

/// What is taken from a value.
#[derive(Clone, Debug, PartialEq)]
pub enum AccessExpr {
    /// `.a`, `.f(x)`
    Dot(Expr),
    /// `[a]`
    Subscript(Expr),
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueWithSpan {
    /// The literal.
    pub value: Value,
    /// Where it stands.
    pub span: Span,
}

/// A literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Its digits, with a point or an exponent.
    Number(String),
    /// Its text, decoded.
    SingleQuotedString(String),
    /// The digits of `X'0a'`.
    HexStringLiteral(String),
    /// TRUE or FALSE
    Boolean(bool),
    /// NULL
    Null,
}

/// `DATE '2024-01-01'`
#[derive(Clone, Debug, PartialEq)]
pub struct TypedString {
    /// Its type.
    pub data_type: DataType,
    /// Its text.
    pub value: ValueWithSpan,
    /// `{d '…'}` was written.
    pub uses_odbc_syntax: bool,
}

/// Types of literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    /// DATE
    Date,
    /// TIME
    Time,
    /// TIMESTAMP
    Timestamp,
}

/// `INTERVAL '1-2' YEAR(2) TO MONTH`
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// How many.
    pub value: Box<Expr>,
    /// The first unit.
    pub leading_field: TimeUnit,
    /// Its digits.
    pub leading_precision: Option<u32>,
    /// The last unit.
    pub last_field: Option<TimeUnit>,
    /// Digits of the fraction.
    pub fractional_seconds_precision: Option<u32>,
}

/// A part of a time.
#[derive(Clone, Debug, PartialEq)]
pub enum DateTimeField {
    /// A unit of time.
    Unit(TimeUnit),
    /// Another word, such as EPOCH.
    Custom(Ident),
}

/// What CEIL and FLOOR round to.
#[derive(Clone, Debug, PartialEq)]
pub enum CeilFloorKind {
    /// A whole number.
    Whole,
    /// `TO field`
    DateTimeField(DateTimeField),
    /// `, digits`
    Scale(ValueWithSpan),
}

/// Operators before an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// NOT
    Not,
}

/// Operators between operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `||`
    StringConcat,
    /// `>`
    Gt,
    /// `<`
    Lt,
    /// `>=`
    GtEq,
    /// `<=`
    LtEq,
    /// `=`
    Eq,
    /// `<>`
    NotEq,
    /// AND
    And,
    /// OR
    Or,
}

impl BinaryOperator {
    /// As SQL writes it.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
            Self::StringConcat => "||",
            Self::Gt => ">",
            Self::Lt => "<",
            Self::GtEq => ">=",
            Self::LtEq => "<=",
            Self::Eq => "=",
            Self::NotEq => "<>",
            Self::And => "AND",
            Self::Or => "OR",
        }
    }
}

/// Kinds of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonPredicateType {
    /// VALUE
    Value,
    /// SCALAR
    Scalar,
    /// ARRAY
    Array,
    /// OBJECT
    Object,
}

/// What stands behind IN.
#[derive(Clone, Debug, PartialEq)]
pub enum InTarget {
    /// `(a, b)`
    List(Vec<Expr>),
    /// `(query)`
    Subquery(Box<Query>),
}

/// `WHEN condition THEN result`
#[derive(Clone, Debug, PartialEq)]
pub struct CaseWhen {
    /// When.
    pub condition: Expr,
    /// Then.
    pub result: Expr,
}

/// The sides of TRIM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimWhereField {
    /// BOTH
    Both,
    /// LEADING
    Leading,
    /// TRAILING
    Trailing,
}
