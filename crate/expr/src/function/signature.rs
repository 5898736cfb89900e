//! Signatures as data: which arguments a form takes, and what it returns.

use sg_value::{DataType, TypeKind, data_type::MAX_LENGTH};

use crate::{
    bound::Expr,
    infer::{timestamp, timestamp_ltz},
    types::{KindExt, varchar},
};

/// One form of a function.
pub(crate) struct Signature {
    /// Arguments in order.
    pub(crate) params: &'static [Param],
    /// How many of the last ones may be missing.
    pub(crate) optional: usize,
    /// Whether the last one may be repeated.
    pub(crate) variadic: bool,
    /// The type of the result.
    pub(crate) returns: Returns,
    /// When the result can be NULL.
    pub(crate) nullable: Nullable,
}

/// What an argument may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Param {
    /// A character string.
    Text,
    /// A byte string.
    Bytes,
    /// TINYINT, SMALLINT or INT.
    Int,
    /// Any integer.
    Integer,
    /// Any number.
    Number,
    /// BOOLEAN.
    Bool,
    /// TIMESTAMP or `TIMESTAMP_LTZ`.
    Timestamp,
    /// Anything with a type.
    Any,
    /// ARRAY.
    Array,
    /// An element of the array that is the first argument; NULL too.
    Element,
    /// MAP.
    Map,
    /// BITMAP.
    Bitmap,
    /// ARRAY of TINYINT, SMALLINT or INT.
    IntArray,
    /// A word.
    Symbol,
}

/// The type of a result.
#[derive(Clone, Copy)]
pub(crate) enum Returns {
    /// STRING
    Text,
    /// CHAR(n)
    Char(u32),
    /// VARCHAR of at most this length
    Varchar(u32),
    /// INT
    Int,
    /// BIGINT
    BigInt,
    /// DOUBLE
    Double,
    /// BOOLEAN
    Bool,
    /// BYTES
    Bytes,
    /// DATE
    Date,
    /// TIMESTAMP(3)
    Timestamp3,
    /// `TIMESTAMP_LTZ(3)`
    Ltz3,
    /// ARRAY<STRING>
    TextArray,
    /// MAP<STRING, STRING>
    TextMap,
    /// The type of an argument.
    Same(usize),
    /// VARCHAR with the length of an argument.
    VarcharOf(usize),
    /// From the arguments.
    From(fn(&[Expr]) -> TypeKind),
}

/// When a result can be NULL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nullable {
    /// Where an argument can.
    IfAny,
    /// Always.
    Always,
    /// Never.
    Never,
    /// Where the first argument can.
    IfFirst,
}

/// A form with all arguments, nullable where an argument is.
pub(crate) const fn takes(params: &'static [Param], returns: Returns) -> Signature {
    Signature {
        params,
        optional: 0,
        variadic: false,
        returns,
        nullable: Nullable::IfAny,
    }
}

impl Signature {
    /// The last `count` arguments may be missing.
    pub(crate) const fn optional(mut self, count: usize) -> Self {
        self.optional = count;
        self
    }

    /// The last argument may be repeated.
    pub(crate) const fn variadic(mut self) -> Self {
        self.variadic = true;
        self
    }

    /// The result can be NULL whatever the arguments.
    pub(crate) const fn nullable(mut self) -> Self {
        self.nullable = Nullable::Always;
        self
    }

    /// When the result can be NULL.
    pub(crate) const fn nulls(mut self, nullable: Nullable) -> Self {
        self.nullable = nullable;
        self
    }

    /// Whether it takes so many arguments.
    pub(crate) const fn takes_count(&self, count: usize) -> bool {
        let most = self.params.len();
        count + self.optional >= most && (count <= most || self.variadic)
    }

    /// Whether it takes these arguments.
    pub(crate) fn accepts(&self, args: &[Expr]) -> bool {
        self.takes_count(args.len())
            && args.iter().enumerate().all(|(at, arg)| {
                self.param(at)
                    .is_some_and(|param| param.accepts(&arg.data_type, args.first()))
            })
    }

    fn param(&self, at: usize) -> Option<Param> {
        let last = if self.variadic { self.params.last() } else { None };
        self.params.get(at).or(last).copied()
    }

    /// The type of the result.
    pub(crate) fn result(&self, args: &[Expr]) -> DataType {
        let nullable = match self.nullable {
            Nullable::IfAny => args.iter().any(|arg| arg.data_type.nullable),
            Nullable::IfFirst => args.first().is_some_and(|arg| arg.data_type.nullable),
            Nullable::Always => true,
            Nullable::Never => false,
        };
        DataType {
            kind: self.returns.kind(args),
            nullable,
        }
    }

    /// `LOCATE(string, string[, integer]) → INT`
    pub(crate) fn form(&self, name: &str) -> String {
        let mut text = format!("{name}(");
        let required = self.params.len() - self.optional;
        for (at, param) in self.params.iter().enumerate() {
            if at >= required {
                text.push('[');
            }
            if at > 0 {
                text.push_str(", ");
            }
            text.push_str(param.word());
        }
        if self.variadic {
            text.push_str(", …");
        }
        text.push_str(&"]".repeat(self.optional));
        text.push_str(") → ");
        text.push_str(self.returns.word());
        text
    }
}

impl Param {
    fn accepts(self, data_type: &DataType, first: Option<&Expr>) -> bool {
        let kind = &data_type.kind;
        if *kind == TypeKind::Null {
            return self != Self::Symbol;
        }
        match self {
            Self::Text => kind.is_character(),
            Self::Bytes => kind.is_binary(),
            Self::Int => kind.integer_bits().is_some_and(|bits| bits <= 32),
            Self::Integer => kind.is_integer(),
            Self::Number => kind.is_numeric(),
            Self::Bool => *kind == TypeKind::Boolean,
            Self::Timestamp => kind.is_timestamp(),
            Self::Any => !matches!(kind, TypeKind::Raw(_)),
            Self::Array => matches!(kind, TypeKind::Array(_)),
            Self::Map => matches!(kind, TypeKind::Map(..)),
            Self::Bitmap => *kind == TypeKind::Bitmap,
            Self::IntArray => {
                matches!(kind, TypeKind::Array(element) if Self::Int.accepts(element, None))
            }
            Self::Symbol => matches!(kind, TypeKind::Raw(_)),
            Self::Element => match first.map(|array| &array.data_type.kind) {
                Some(TypeKind::Array(element)) => {
                    let both = [element.as_ref().clone(), data_type.clone()];
                    crate::infer::generalized_type(&both).is_some()
                }
                _ => false,
            },
        }
    }

    /// The word for it in a form.
    const fn word(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Bytes => "bytes",
            Self::Int => "int",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Bool => "boolean",
            Self::Timestamp => "timestamp",
            Self::Any => "any",
            Self::Array => "array",
            Self::Element => "element",
            Self::Map => "map",
            Self::Bitmap => "bitmap",
            Self::IntArray => "int array",
            Self::Symbol => "word",
        }
    }

    /// Calcite's name of the family, for Flink's own message.
    pub(crate) const fn family(self) -> &'static str {
        match self {
            Self::Text => "<CHARACTER>",
            Self::Bytes => "<BINARY>",
            Self::Int | Self::Integer => "<INTEGER>",
            Self::Number => "<NUMERIC>",
            Self::Bool => "<BOOLEAN>",
            Self::Timestamp => "<TIMESTAMP>",
            Self::Any | Self::Symbol => "<ANY>",
            Self::Array => "<ARRAY>",
            Self::Element => "<ARRAY ELEMENT>",
            Self::Map => "<MAP>",
            Self::Bitmap => "<BITMAP>",
            Self::IntArray => "ARRAY<INT>",
        }
    }
}

impl Returns {
    fn kind(self, args: &[Expr]) -> TypeKind {
        let of = |at: usize| {
            args.get(at)
                .map(|arg| arg.data_type.without_time_attribute().kind)
        };
        match self {
            Self::Text => TypeKind::Varchar(MAX_LENGTH),
            Self::Char(length) => TypeKind::Char(length),
            Self::Varchar(length) => TypeKind::Varchar(length),
            Self::Int => TypeKind::Int,
            Self::BigInt => TypeKind::BigInt,
            Self::Double => TypeKind::Double,
            Self::Bool => TypeKind::Boolean,
            Self::Bytes => TypeKind::Varbinary(MAX_LENGTH),
            Self::Date => TypeKind::Date,
            Self::Timestamp3 => timestamp(3),
            Self::Ltz3 => timestamp_ltz(3),
            Self::TextArray => TypeKind::Array(DataType::STRING.into()),
            Self::TextMap => TypeKind::Map(DataType::STRING.into(), DataType::STRING.into()),
            Self::Same(at) => of(at).unwrap_or(TypeKind::Null),
            Self::VarcharOf(at) => varchar(of(at).and_then(|kind| kind.length()).unwrap_or(MAX_LENGTH)),
            Self::From(rule) => rule(args),
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Text | Self::Char(_) | Self::Varchar(_) | Self::VarcharOf(_) => "STRING",
            Self::Int => "INT",
            Self::BigInt => "BIGINT",
            Self::Double => "DOUBLE",
            Self::Bool => "BOOLEAN",
            Self::Bytes => "BYTES",
            Self::Date => "DATE",
            Self::Timestamp3 => "TIMESTAMP(3)",
            Self::Ltz3 => "TIMESTAMP_LTZ(3)",
            Self::TextArray => "ARRAY<STRING>",
            Self::TextMap => "MAP<STRING, STRING>",
            Self::Same(_) | Self::From(_) => "the argument's type",
        }
    }
}
