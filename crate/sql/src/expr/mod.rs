//! Expressions that sqlparser cannot read, or reads as something else: read here, called by the dialect's hooks.

mod json;

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    BinaryOperator, CaseWhen, DateTimeField, Expr, ExtractSyntax, Ident, Interval, UnaryOperator, Value,
    ValueWithSpan,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use crate::ast::{IntervalSyntax, TimeUnit, TypeKind, TypeSyntax};
use crate::complaint::trailing_comma;
use crate::cursor::{A_STRING, Cursor, Expected, Parsed};
use crate::error::comma_before;
use crate::keyword::{is_clause, is_reserved};
use crate::reserved::Reserved;
use crate::span::token_span;
use crate::types::{data_type, interval_units};

/// Reads an expression that begins with a certain word.
pub(crate) type Prefix = fn(&mut Cursor<'_, '_>) -> Parsed<Expr>;

/// Precedence of OVERLAPS, that of a comparison.
pub(crate) const OVERLAPS: u8 = 30;

const AN_EXPRESSION: Expected = Expected("an expression", "表达式");

/// Who reads the expression that begins at the next token; `None` leaves it to sqlparser.
pub(crate) fn prefix(cursor: &Cursor<'_, '_>) -> Option<Prefix> {
    if *cursor.peek_nth(0) == Token::LBracket {
        // sqlparser would read an array.
        return Some(|cursor| Err(cursor.expected(AN_EXPRESSION)));
    }
    let word = cursor.word()?;
    let next = &cursor.peek_nth(1).token;
    let read: Prefix = match (word.as_str(), next) {
        ("CAST" | "TRY_CAST", Token::LParen) => cast,
        ("DESCRIPTOR", Token::LParen) => descriptor,
        ("TABLE", Token::Word(_)) => table_argument,
        ("MAP" | "MULTISET", Token::LBracket) => collection,
        ("INTERVAL", _) => interval,
        ("TIMESTAMP", _) if cursor.at_words(&["TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"]) => timestamp_ltz,
        ("DATE" | "TIME" | "TIMESTAMP", Token::SingleQuotedString(_)) => typed_string,
        ("CASE", _) => case,
        ("UNKNOWN", next) if !matches!(next, Token::LParen | Token::Period) => unknown,
        ("EXTRACT", Token::LParen) => extract,
        ("TRIM", Token::LParen) if at_trim_from(cursor) => trim_from,
        (_, Token::LParen) => return json::prefix(&word),
        (_, next) if is_no_expression(&word, next) => no_expression,
        _ => return None,
    };
    Some(read)
}

/// Reserved words that are expressions or begin one without a parenthesis. Sorted.
const STARTERS: [&str; 15] = [
    "ARRAY",
    "CASE",
    "CAST",
    "CURRENT_DATE",
    "CURRENT_TIME",
    "CURRENT_TIMESTAMP",
    "EXISTS",
    "FALSE",
    "INTERVAL",
    "LOCALTIME",
    "LOCALTIMESTAMP",
    "NOT",
    "NULL",
    "TRUE",
    "UNKNOWN",
];

/// True for a reserved word that cannot begin an expression where no parenthesis follows it.
fn is_no_expression(word: &str, next: &Token) -> bool {
    // `TIMESTAMPDIFF(DAY, a, b)` has a unit as its first argument.
    let unit = *next == Token::Comma && TimeUnit::from_word(word).is_some();
    is_reserved(word) && STARTERS.binary_search(&word).is_err() && !unit
}

/// Says that no expression begins here.
fn no_expression(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let found = cursor.parser.peek_token_ref();
    let span = cursor.here();
    if let Some(comma) = comma_before(cursor, found)
        && is_clause(span.text(&cursor.dialect.text))
    {
        return Err(trailing_comma(comma, span.text(&cursor.dialect.text)).into());
    }
    if is_clause(span.text(&cursor.dialect.text)) {
        return Err(cursor.expected(AN_EXPRESSION));
    }
    Err(cursor.reserved_word(span))
}

/// `EXTRACT(unit FROM x)`
fn extract(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    cursor.parser.advance_token();
    cursor.expect(&Token::LParen, "(")?;
    let field = cursor
        .parser
        .parse_date_time_field()
        .map_err(|error| cursor.failure(error))?;
    cursor.expect_word("FROM")?;
    let expr = Box::new(cursor.tree()?);
    cursor.expect(&Token::RParen, ")")?;
    Ok(Expr::Extract {
        field,
        syntax: ExtractSyntax::From,
        expr,
    })
}

/// `TRIM(LEADING FROM x)`: what is cut off is not named.
fn at_trim_from(cursor: &Cursor<'_, '_>) -> bool {
    let is = |at: usize, words: &[&str]| {
        matches!(&cursor.peek_nth(at).token, Token::Word(word) if word.quote_style.is_none()
            && words.iter().any(|known| word.value.eq_ignore_ascii_case(known)))
    };
    is(2, &["LEADING", "TRAILING", "BOTH"]) && is(3, &["FROM"])
}

fn trim_from(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    use sqlparser::ast::TrimWhereField;

    cursor.parser.advance_token();
    cursor.expect(&Token::LParen, "(")?;
    let side = match cursor.word().as_deref() {
        Some("LEADING") => TrimWhereField::Leading,
        Some("TRAILING") => TrimWhereField::Trailing,
        _ => TrimWhereField::Both,
    };
    cursor.parser.advance_token();
    cursor.expect_word("FROM")?;
    let expr = Box::new(cursor.tree()?);
    cursor.expect(&Token::RParen, ")")?;
    Ok(Expr::Trim {
        expr,
        trim_where: Some(side),
        trim_what: None,
        trim_characters: None,
    })
}

/// Reads an infix construct at the next token; `None` leaves it to sqlparser.
pub(crate) fn infix(cursor: &mut Cursor<'_, '_>, left: &Expr) -> Option<Parsed<Expr>> {
    if at_minus_interval(cursor.parser) {
        return Some(minus_interval(cursor, left));
    }
    let negated = cursor.at_words(&["NOT", "BETWEEN", "SYMMETRIC"]);
    if negated || cursor.at_words(&["BETWEEN", "SYMMETRIC"]) {
        return Some(between_symmetric(cursor, left, negated));
    }
    if cursor.at_words(&["OVERLAPS"]) {
        return Some(overlaps(cursor, left));
    }
    None
}

/// `CAST(x AS type)`, `TRY_CAST(x AS type)`
fn cast(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let start = cursor.here();
    let reserved = if cursor.take_word("CAST") {
        Reserved::Cast
    } else {
        Reserved::TryCast
    };
    if reserved == Reserved::TryCast {
        cursor.parser.advance_token();
    }
    cursor.expect(&Token::LParen, "(")?;
    let value = cursor.tree()?;
    cursor.expect_word("AS")?;
    let data_type = type_argument(cursor)?;
    cursor.expect(&Token::RParen, ")")?;
    Ok(reserved.call(token_span(cursor.since(start)), vec![value, data_type]))
}

/// A type, kept aside, and the argument that stands for it.
fn type_argument(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let data_type = data_type(cursor)?;
    let span = data_type.span;
    cursor.dialect.keep_type(span.start, data_type);
    Ok(Reserved::Type.call(token_span(span), Vec::new()))
}

/// `DESCRIPTOR(a, b)`
fn descriptor(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let start = cursor.here();
    cursor.parser.advance_token();
    let columns = cursor.parenthesized(|cursor| cursor.ident().map(|name| identifier(&name)))?;
    Ok(Reserved::Descriptor.call(token_span(cursor.since(start)), columns))
}

fn identifier(name: &crate::ast::Ident) -> Expr {
    Expr::Identifier(quoted(name))
}

/// A name that has been checked already, so that nobody takes it for a reserved word.
fn quoted(name: &crate::ast::Ident) -> Ident {
    Ident {
        value: name.name.clone(),
        quote_style: Some('`'),
        span: token_span(name.span),
    }
}

/// `TABLE name [PARTITION BY k, …] [ORDER BY …]` as an argument.
fn table_argument(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let start = cursor.here();
    cursor.parser.advance_token();
    let name = cursor.object_name()?;
    let mut args = vec![match name.parts.as_slice() {
        [single] => identifier(single),
        parts => Expr::CompoundIdentifier(parts.iter().map(quoted).collect()),
    }];
    for (words, reserved) in [
        (["PARTITION", "BY"], Reserved::PartitionBy),
        (["ORDER", "BY"], Reserved::OrderBy),
    ] {
        let clause = cursor.here();
        if cursor.take_words(&words) {
            let keys = keys(cursor)?;
            args.push(reserved.call(token_span(cursor.since(clause)), keys));
        }
    }
    Ok(Reserved::Table.call(token_span(cursor.since(start)), args))
}

/// `a`, `(a)` or `(a, b)`: several keys need parentheses, as a comma ends the argument.
fn keys(cursor: &mut Cursor<'_, '_>) -> Parsed<Vec<Expr>> {
    let expr = cursor.tree()?;
    Ok(match expr {
        Expr::Nested(key) => vec![*key],
        Expr::Tuple(keys) => keys,
        key => vec![key],
    })
}

/// `MAP[k, v, …]`, `MULTISET[a, …]`
fn collection(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let start = cursor.here();
    let reserved = if cursor.take_word("MAP") {
        Reserved::Map
    } else {
        Reserved::Multiset
    };
    if reserved == Reserved::Multiset {
        cursor.parser.advance_token();
    }
    cursor.expect(&Token::LBracket, "[")?;
    let mut elements = Vec::new();
    while *cursor.peek() != Token::RBracket {
        elements.push(cursor.tree()?);
        if cursor.take_comma().is_none() {
            break;
        }
    }
    cursor.expect(&Token::RBracket, "]")?;
    Ok(reserved.call(token_span(cursor.since(start)), elements))
}

/// `INTERVAL '1' DAY`, `INTERVAL -'1' DAY`, `INTERVAL 5 MINUTE`, `INTERVAL (a + b) DAY`, `INTERVAL col DAY`
fn interval(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    cursor.parser.advance_token();
    let start = cursor.here();
    let sign = match cursor.peek() {
        Token::Minus => Some(UnaryOperator::Minus),
        Token::Plus => Some(UnaryOperator::Plus),
        _ => None,
    };
    if sign.is_some() {
        cursor.parser.advance_token();
    }
    let mut value = match cursor.peek() {
        Token::SingleQuotedString(_) => string(cursor)?,
        Token::Number(..) | Token::LParen | Token::Word(_) => cursor
            .parser
            .parse_prefix()
            .and_then(|root| cursor.parser.parse_compound_expr(root, Vec::new()))
            .map_err(|error| cursor.failure(error))?,
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
            .arg("value", cursor.since(start).text(&cursor.dialect.text))
            .into());
    }
    let units = interval_units(cursor)?;
    Ok(Expr::Interval(Interval {
        value: Box::new(value),
        leading_field: Some(field(units.from)),
        leading_precision: units.precision.map(u64::from),
        last_field: units.to.map(field),
        fractional_seconds_precision: units.fraction.map(u64::from),
    }))
}

fn field(unit: TimeUnit) -> DateTimeField {
    match unit {
        TimeUnit::Year => DateTimeField::Year,
        TimeUnit::Quarter => DateTimeField::Quarter,
        TimeUnit::Month => DateTimeField::Month,
        TimeUnit::Week => DateTimeField::Week(None),
        TimeUnit::Day => DateTimeField::Day,
        TimeUnit::Hour => DateTimeField::Hour,
        TimeUnit::Minute => DateTimeField::Minute,
        TimeUnit::Second => DateTimeField::Second,
        TimeUnit::Millisecond => DateTimeField::Millisecond,
        TimeUnit::Microsecond => DateTimeField::Microsecond,
        TimeUnit::Nanosecond => DateTimeField::Nanosecond,
    }
}

fn string(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let text = cursor.text()?;
    Ok(Expr::Value(ValueWithSpan {
        value: Value::SingleQuotedString(text.value),
        span: token_span(text.span),
    }))
}

/// `TIMESTAMP WITH LOCAL TIME ZONE '…'`
fn timestamp_ltz(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let start = cursor.expect_words(&["TIMESTAMP", "WITH", "LOCAL", "TIME", "ZONE"])?;
    let value = string(cursor)?;
    Ok(Reserved::TimestampLtzLiteral.call(token_span(cursor.since(start)), vec![value]))
}

/// `DATE '…'`, `TIME '…'`, `TIMESTAMP '…'`
fn typed_string(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    use sqlparser::ast::{DataType, TimezoneInfo, TypedString};
    let data_type = match cursor.word().as_deref() {
        Some("DATE") => DataType::Date,
        Some("TIME") => DataType::Time(None, TimezoneInfo::None),
        _ => DataType::Timestamp(None, TimezoneInfo::None),
    };
    cursor.parser.advance_token();
    let text = cursor.text()?;
    let value = ValueWithSpan {
        value: Value::SingleQuotedString(text.value),
        span: token_span(text.span),
    };
    Ok(Expr::TypedString(TypedString {
        data_type,
        value,
        uses_odbc_syntax: false,
    }))
}

/// `UNKNOWN`, which is `CAST(NULL AS BOOLEAN)`.
#[expect(clippy::unnecessary_wraps, reason = "constructs share one signature")]
fn unknown(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let span = cursor.here();
    cursor.parser.advance_token();
    cursor.dialect.keep_type(
        span.start,
        TypeSyntax {
            kind: TypeKind::Boolean,
            nullable: true,
            span,
        },
    );
    let null = Expr::Value(ValueWithSpan {
        value: Value::Null,
        span: token_span(span),
    });
    let boolean = Reserved::Type.call(token_span(span), Vec::new());
    Ok(Reserved::Cast.call(token_span(span), vec![null, boolean]))
}

/// `CASE [x] WHEN a [, b …] THEN … [ELSE …] END`
fn case(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    let case_token = AttachedToken(cursor.parser.next_token());
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
            Err(values) => Reserved::WhenList.call(token_span(cursor.since(start)), values),
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
    let end_token = AttachedToken(cursor.parser.next_token());
    Ok(Expr::Case {
        case_token,
        end_token,
        operand,
        conditions,
        else_result,
    })
}

/// True between `(a - b)` and a unit of time: the difference of two times as an interval.
pub(crate) fn at_minus_interval(parser: &Parser<'_>) -> bool {
    let unit = matches!(&parser.peek_token_ref().token,
        Token::Word(word) if word.quote_style.is_none() && TimeUnit::from_word(&word.value).is_some());
    if !unit || parser.get_current_token().token != Token::RParen {
        return false;
    }
    let mut depth = 0_usize;
    let mut minus = false;
    for index in (0..=parser.get_current_index()).rev() {
        match parser.token_at(index).token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 1 => {
                let call = index.checked_sub(1).is_some_and(|before| {
                    matches!(&parser.token_at(before).token,
                        Token::Word(word) if word.quote_style.is_some() || !is_operator_word(&word.value))
                });
                return minus && !call;
            }
            Token::LParen => depth -= 1,
            Token::Minus if depth == 1 => minus = true,
            _ => {}
        }
    }
    false
}

/// Words that an expression in parentheses can follow; before any other word the parentheses make a call.
fn is_operator_word(word: &str) -> bool {
    const WORDS: [&str; 17] = [
        "SELECT", "DISTINCT", "ALL", "AND", "OR", "NOT", "WHEN", "THEN", "ELSE", "CASE", "BY", "WHERE", "ON",
        "HAVING", "BETWEEN", "LIKE", "AS",
    ];
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// `(a - b) DAY [TO SECOND]`; the left side has been read.
fn minus_interval(cursor: &mut Cursor<'_, '_>, left: &Expr) -> Parsed<Expr> {
    let Expr::Nested(inner) = left else {
        return Err(cursor.unexpected());
    };
    let Expr::BinaryOp {
        left: minuend,
        op: BinaryOperator::Minus,
        right: subtrahend,
    } = &**inner
    else {
        return Err(cursor.unexpected());
    };
    let start = opening_of(cursor);
    let units = interval_units(cursor)?;
    cursor.dialect.keep_interval(
        start.start,
        IntervalSyntax {
            span: units.span,
            ..units
        },
    );
    let args = vec![(**minuend).clone(), (**subtrahend).clone()];
    Ok(Reserved::MinusToInterval.call(token_span(cursor.since(start)), args))
}

/// The parenthesis that the last token closes.
fn opening_of(cursor: &Cursor<'_, '_>) -> Span {
    let mut depth = 0_usize;
    for index in (0..=cursor.parser.get_current_index()).rev() {
        let token = cursor.parser.token_at(index);
        match token.token {
            Token::RParen => depth += 1,
            Token::LParen if depth == 1 => return crate::span::byte_span(token.span).unwrap_or_default(),
            Token::LParen => depth -= 1,
            _ => {}
        }
    }
    cursor.here()
}

/// `a [NOT] BETWEEN SYMMETRIC low AND high`; the left side has been read.
fn between_symmetric(cursor: &mut Cursor<'_, '_>, left: &Expr, negated: bool) -> Parsed<Expr> {
    /// As tight as BETWEEN itself, so that its AND is left.
    const BETWEEN: u8 = 32;
    let start = cursor.here();
    if negated {
        cursor.take_word("NOT");
    }
    cursor.take_words(&["BETWEEN", "SYMMETRIC"]);
    let low = cursor
        .parser
        .parse_subexpr(BETWEEN)
        .map_err(|error| cursor.failure(error))?;
    cursor.expect_word("AND")?;
    let high = cursor
        .parser
        .parse_subexpr(BETWEEN)
        .map_err(|error| cursor.failure(error))?;
    let call =
        Reserved::BetweenSymmetric.call(token_span(cursor.since(start)), vec![left.clone(), low, high]);
    Ok(if negated {
        Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr: Box::new(call),
        }
    } else {
        call
    })
}

/// `(a, b) OVERLAPS (c, d)`; the left side has been read.
fn overlaps(cursor: &mut Cursor<'_, '_>, left: &Expr) -> Parsed<Expr> {
    const PERIOD: Expected = Expected("a period `(start, end)`", "时间段 `(start, end)`");
    let start = if cursor.parser.get_current_token().token == Token::RParen {
        opening_of(cursor)
    } else {
        cursor.here()
    };
    let Expr::Tuple(left) = left else {
        return Err(cursor.expected(PERIOD));
    };
    cursor.expect_word("OVERLAPS")?;
    let right = cursor
        .parser
        .parse_subexpr(OVERLAPS)
        .map_err(|error| cursor.failure(error))?;
    let Expr::Tuple(right) = right else {
        return Err(cursor.expected(PERIOD));
    };
    let args = left.iter().cloned().chain(right).collect();
    Ok(Reserved::Overlaps.call(token_span(cursor.since(start)), args))
}

/// A string argument where nothing else will do.
fn string_argument(cursor: &mut Cursor<'_, '_>) -> Parsed<Expr> {
    match cursor.peek() {
        Token::SingleQuotedString(_) => string(cursor),
        _ => Err(cursor.expected(A_STRING)),
    }
}
