//! Constructs that begin with a word of their own: CAST, CASE, INTERVAL, MAP[…], TABLE t and others.

use sg_diag::{Code, Diagnostic, Span};

use super::{Prefix, json, text, value};
use crate::ast::{TimeUnit, TypeKind, TypeSyntax};
use crate::cursor::{A_STRING, AN_EXPRESSION, Cursor, Expected, Parsed};
use crate::query::{
    BinaryOperator, CaseWhen, DataType, Expr, FunctionArguments, Ident, Interval, TypedString, UnaryOperator,
    Value, ValueWithSpan,
};
use crate::reserved::Reserved;
use crate::token::Token;
use crate::types::{data_type, interval_units};

/// Who reads the expression that begins with this word; `None` leaves it to columns and calls.
pub(super) fn reader(cursor: &Cursor<'_>, word: &str, next: &Token) -> Option<Prefix> {
    let read: Prefix = match (word, next) {
        ("TRUE" | "FALSE" | "NULL", _) => constant,
        ("NOT", _) => not,
        ("EXISTS", _) => |cursor| exists(cursor, false),
        ("CASE", _) => case,
        ("INTERVAL", _) => interval,
        ("CAST" | "TRY_CAST", Token::LParen) => cast,
        ("CONVERT", Token::LParen) if cursor.which(2, &CONVERTS_TO).is_some() => convert,
        ("DESCRIPTOR", Token::LParen) => descriptor,
        ("TABLE", Token::Word(_)) => table_argument,
        ("ARRAY", Token::LBracket) => |cursor| cursor.array(),
        ("ARRAY", Token::LParen) if cursor.query_in_parentheses(cursor.position() + 1, true) => {
            array_of_query
        }
        ("MAP" | "MULTISET", Token::LBracket) => collection,
        ("TIMESTAMP", _) if cursor.at_words(&["TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"]) => timestamp_ltz,
        ("DATE" | "TIME" | "TIMESTAMP", Token::SingleQuotedString(_)) => typed_string,
        // Flink has no such functions: they are columns
        ("USER" | "CURRENT_USER" | "SESSION_USER" | "SYSTEM_USER", next)
            if !matches!(next, Token::LParen | Token::Period) =>
        {
            |cursor| cursor.ident_of_any().map(|name| identifier(&name))
        }
        ("UNKNOWN", next) if !matches!(next, Token::LParen | Token::Period) => unknown,
        (_, Token::LParen) => return text::reader(word).or_else(|| json::reader(word)),
        _ => return None,
    };
    Some(read)
}

/// `TRUE`, `FALSE`, `NULL`
#[expect(clippy::unnecessary_wraps, reason = "constructs share one signature")]
fn constant(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    Ok(Expr::Value(value(cursor.advance())))
}

/// `NOT a`, `NOT EXISTS (…)`
fn not(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    if cursor.at_words(&["NOT", "EXISTS"]) {
        cursor.advance();
        return exists(cursor, true);
    }
    cursor.sign(UnaryOperator::Not, super::NOT)
}

/// `EXISTS (SELECT …)`
fn exists(cursor: &mut Cursor<'_>, negated: bool) -> Parsed<Expr> {
    cursor.advance();
    let subquery = cursor.subquery()?;
    Ok(Expr::Exists { subquery, negated })
}

/// `ARRAY(SELECT …)`
fn array_of_query(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let name = super::object_name(cursor.any_word()?);
    let query = FunctionArguments::Subquery(cursor.subquery()?);
    Ok(Expr::Function(Box::new(super::call::plain(name, query))))
}

/// `{fn f(x)}`, `{d '2024-01-01'}`, `{t '…'}`, `{ts '…'}`
#[inline(never)]
pub(super) fn odbc(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    cursor.advance();
    let expr = match cursor.take_one(&["FN", "D", "T", "TS"]) {
        Some(0) => {
            let name = super::object_name(cursor.any_word()?);
            let mut call = cursor.call(name)?;
            if let Expr::Function(function) = &mut call {
                function.uses_odbc_syntax = true;
            }
            call
        }
        Some(which) => {
            let data_type = match which {
                1 => DataType::Date,
                2 => DataType::Time,
                _ => DataType::Timestamp,
            };
            literal(cursor, data_type, true)?
        }
        None => return Err(cursor.no_expression()),
    };
    cursor.expect(&Token::RBrace, "}")?;
    Ok(expr)
}

/// `CAST(x AS type)`, `TRY_CAST(x AS type)`
fn cast(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    let reserved = if cursor.take_word("CAST") {
        Reserved::Cast
    } else {
        Reserved::TryCast
    };
    if reserved == Reserved::TryCast {
        cursor.advance();
    }
    cursor.expect(&Token::LParen, "(")?;
    let value = cursor.tree()?;
    cursor.expect_word("AS")?;
    let data_type = type_argument(cursor)?;
    cursor.expect(&Token::RParen, ")")?;
    Ok(reserved.call(cursor.since(start), vec![value, data_type]))
}

/// First words of the types that CONVERT takes; behind other words it changes the encoding of a text.
const CONVERTS_TO: [&str; 20] = [
    "BIGINT",
    "BINARY",
    "BOOLEAN",
    "BYTES",
    "CHAR",
    "DATE",
    "DEC",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "INT",
    "INTEGER",
    "NUMERIC",
    "SMALLINT",
    "STRING",
    "TIME",
    "TIMESTAMP",
    "TINYINT",
    "VARBINARY",
    "VARCHAR",
];

/// `CONVERT(type, x [, style])`: a cast; nothing is made of the style.
fn convert(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    cursor.advance();
    cursor.expect(&Token::LParen, "(")?;
    let data_type = type_argument(cursor)?;
    cursor.expect(&Token::Comma, ",")?;
    let value = cursor.tree()?;
    if cursor.take_comma().is_some() {
        cursor.number()?;
    }
    cursor.expect(&Token::RParen, ")")?;
    Ok(Reserved::Cast.call(cursor.since(start), vec![value, data_type]))
}

/// A type, kept aside, and the argument that stands for it.
fn type_argument(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let data_type = data_type(cursor)?;
    let span = data_type.span;
    cursor.side.types.insert(span.start, data_type);
    Ok(Reserved::Type.call(span, Vec::new()))
}

/// `DESCRIPTOR(a, b)`
fn descriptor(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    cursor.advance();
    let columns = cursor.parenthesized(|cursor| cursor.ident().map(|name| identifier(&name)))?;
    Ok(Reserved::Descriptor.call(cursor.since(start), columns))
}

impl Cursor<'_> {
    /// The next word as a name, reserved or not.
    fn ident_of_any(&mut self) -> Parsed<crate::ast::Ident> {
        let span = self.here();
        let name = self.any_word()?.value;
        Ok(crate::ast::Ident { name, span })
    }
}

fn identifier(name: &crate::ast::Ident) -> Expr {
    Expr::Identifier(quoted(name))
}

/// A name that has been checked already, so that nobody takes it for a reserved word.
fn quoted(name: &crate::ast::Ident) -> Ident {
    Ident {
        value: name.name.clone(),
        quote_style: Some('`'),
        span: name.span,
    }
}

/// `TABLE name [PARTITION BY k, …] [ORDER BY …]` as an argument.
fn table_argument(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    cursor.advance();
    let name = cursor.object_name()?;
    let name = match name.parts.as_slice() {
        [single] => identifier(single),
        parts => Expr::CompoundIdentifier(parts.iter().map(quoted).collect()),
    };
    with_keys(cursor, start, name)
}

/// `PARTITION BY …` and `ORDER BY …` behind a table argument, which is a name or a query.
pub(super) fn with_keys(cursor: &mut Cursor<'_>, start: Span, table: Expr) -> Parsed<Expr> {
    let mut args = vec![table];
    for (words, reserved) in [
        (["PARTITION", "BY"], Reserved::PartitionBy),
        (["ORDER", "BY"], Reserved::OrderBy),
    ] {
        let clause = cursor.here();
        if cursor.take_words(&words) {
            let keys = keys(cursor)?;
            args.push(reserved.call(cursor.since(clause), keys));
        }
    }
    Ok(Reserved::Table.call(cursor.since(start), args))
}

/// `a`, `(a)` or `(a, b)`: several keys need parentheses, as a comma ends the argument.
fn keys(cursor: &mut Cursor<'_>) -> Parsed<Vec<Expr>> {
    let expr = cursor.tree()?;
    Ok(match expr {
        Expr::Nested(key) => vec![*key],
        Expr::Tuple(keys) => keys,
        key => vec![key],
    })
}

/// `MAP[k, v, …]`, `MULTISET[a, …]`
fn collection(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.here();
    let reserved = if cursor.take_word("MAP") {
        Reserved::Map
    } else {
        Reserved::Multiset
    };
    if reserved == Reserved::Multiset {
        cursor.advance();
    }
    let elements = cursor.elements()?;
    Ok(reserved.call(cursor.since(start), elements))
}

/// `INTERVAL '1' DAY`, `INTERVAL -'1' DAY`, `INTERVAL 5 MINUTE`, `INTERVAL (a + b) DAY`, `INTERVAL col DAY`
fn interval(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    cursor.advance();
    let start = cursor.here();
    let sign = match cursor.peek() {
        Token::Minus => Some(UnaryOperator::Minus),
        Token::Plus => Some(UnaryOperator::Plus),
        _ => None,
    };
    if sign.is_some() {
        cursor.advance();
    }
    let mut value = match cursor.peek() {
        Token::SingleQuotedString(_) => string(cursor)?,
        Token::Number(..) | Token::LParen | Token::Word(_) => cursor.operand()?,
        _ => return Err(cursor.expected(AN_EXPRESSION)),
    };
    if let Some(op) = sign {
        value = Expr::UnaryOp {
            op,
            expr: Box::new(value),
        };
    }
    if cursor
        .word()
        .and_then(|word| TimeUnit::from_word(&word))
        .is_none()
    {
        let diagnostic = Diagnostic::new(Code::IntervalWithoutUnit, cursor.since(start));
        return Err(diagnostic
            .arg("value", cursor.since(start).text(cursor.text))
            .into());
    }
    let units = interval_units(cursor)?;
    Ok(Expr::Interval(Interval {
        value: Box::new(value),
        leading_field: units.from,
        leading_precision: units.precision,
        last_field: units.to,
        fractional_seconds_precision: units.fraction,
    }))
}

fn string(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    match cursor.peek() {
        Token::SingleQuotedString(_) => constant(cursor),
        _ => Err(cursor.expected(A_STRING)),
    }
}

/// `TIMESTAMP WITH LOCAL TIME ZONE '…'`
fn timestamp_ltz(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let start = cursor.expect_words(&["TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"])?;
    let value = string(cursor)?;
    Ok(Reserved::TimestampLtzLiteral.call(cursor.since(start), vec![value]))
}

/// `DATE '…'`, `TIME '…'`, `TIMESTAMP '…'`
fn typed_string(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let data_type = match cursor.take_one(&["DATE", "TIME", "TIMESTAMP"]) {
        Some(0) => DataType::Date,
        Some(1) => DataType::Time,
        _ => DataType::Timestamp,
    };
    literal(cursor, data_type, false)
}

fn literal(cursor: &mut Cursor<'_>, data_type: DataType, uses_odbc_syntax: bool) -> Parsed<Expr> {
    match string(cursor)? {
        Expr::Value(value) => Ok(Expr::TypedString(TypedString {
            data_type,
            value,
            uses_odbc_syntax,
        })),
        other => Ok(other),
    }
}

/// `UNKNOWN`, which is `CAST(NULL AS BOOLEAN)`.
#[expect(clippy::unnecessary_wraps, reason = "constructs share one signature")]
fn unknown(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let span = cursor.here();
    cursor.advance();
    let boolean = TypeSyntax {
        kind: TypeKind::Boolean,
        nullable: true,
        span,
    };
    cursor.side.types.insert(span.start, boolean);
    let null = Expr::Value(ValueWithSpan {
        value: Value::Null,
        span,
    });
    let boolean = Reserved::Type.call(span, Vec::new());
    Ok(Reserved::Cast.call(span, vec![null, boolean]))
}

/// `CASE [x] WHEN a [, b …] THEN … [ELSE …] END`
fn case(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let case_token = cursor.advance().span;
    let operand = if cursor.at_words(&["WHEN"]) {
        None
    } else {
        Some(Box::new(cursor.tree()?))
    };
    let mut conditions = Vec::new();
    while conditions.is_empty() || cursor.at_words(&["WHEN"]) {
        cursor.expect_word("WHEN")?;
        let start = cursor.here();
        let mut values = vec![cursor.tree()?];
        while operand.is_some() && cursor.take_comma().is_some() {
            values.push(cursor.tree()?);
        }
        let condition = match <[Expr; 1]>::try_from(values) {
            Ok([condition]) => condition,
            Err(values) => Reserved::WhenList.call(cursor.since(start), values),
        };
        cursor.expect_word("THEN")?;
        conditions.push(CaseWhen {
            condition,
            result: cursor.tree()?,
        });
    }
    let else_result = if cursor.take_word("ELSE") {
        Some(Box::new(cursor.tree()?))
    } else {
        None
    };
    if !cursor.at_words(&["END"]) {
        return Err(cursor.expected(Expected("`WHEN`, `ELSE` or `END`", "`WHEN`、`ELSE` 或 `END`")));
    }
    let end_token = cursor.advance().span;
    Ok(Expr::Case {
        case_token,
        end_token,
        operand,
        conditions,
        else_result,
    })
}

/// `(a - b) DAY [TO SECOND]`, at the unit; `left` is the difference.
pub(super) fn minus_interval(cursor: &mut Cursor<'_>, left: Expr, start: Span) -> Parsed<Expr> {
    let operands = match left {
        Expr::Nested(inner) => match *inner {
            Expr::BinaryOp {
                left,
                op: BinaryOperator::Minus,
                right,
            } => vec![*left, *right],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let units = interval_units(cursor)?;
    cursor.side.intervals.insert(start.start, units);
    Ok(Reserved::MinusToInterval.call(cursor.since(start), operands))
}

/// `(a, b) OVERLAPS (c, d)`, behind the word.
pub(super) fn overlaps(cursor: &mut Cursor<'_>, left: Expr, start: Span) -> Parsed<Expr> {
    const PERIOD: Expected = Expected("a period `(start, end)`", "时间段 `(start, end)`");
    let right = cursor.operators(super::operator::COMPARISON)?;
    let (Expr::Tuple(mut args), Expr::Tuple(right)) = (left, right) else {
        return Err(cursor.expected(PERIOD));
    };
    args.extend(right);
    Ok(Reserved::Overlaps.call(cursor.since(start), args))
}

/// A string argument where nothing else will do.
pub(super) fn string_argument(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    string(cursor)
}
