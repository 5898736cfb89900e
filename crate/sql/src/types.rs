//! Reads types: all of Flink's, nested, with their synonyms.

use sg_diag::{Code, Diagnostic, Span};

use crate::ast::{IntervalSyntax, RowField, TimeUnit, TypeKind, TypeSyntax};
use crate::complaint::trailing_comma;
use crate::cursor::{A_TYPE, Cursor, Expected, Parsed};
use crate::token::Token;

/// A type with its `NOT NULL`.
pub(crate) fn data_type(cursor: &mut Cursor<'_>) -> Parsed<TypeSyntax> {
    let start = cursor.here();
    cursor.enter_type()?;
    let kind = simple(cursor);
    cursor.leave_type();
    let mut kind = kind?;
    loop {
        let wrap = if cursor.take_word("ARRAY") {
            TypeKind::Array
        } else if cursor.take_word("MULTISET") {
            TypeKind::Multiset
        } else {
            break;
        };
        kind = wrap(Box::new(TypeSyntax {
            kind,
            nullable: true,
            span: cursor.since(start),
        }));
    }
    let nullable = !cursor.at_word("NOT");
    if !nullable {
        cursor.expect_words(&["NOT", "NULL"])?;
    }
    // `RETURNING INT NULL ON EMPTY` has a clause there, not a nullability.
    if nullable && !cursor.at_words(&["NULL", "ON"]) {
        cursor.take_word("NULL");
    }
    Ok(TypeSyntax {
        kind,
        nullable,
        span: cursor.since(start),
    })
}

fn simple(cursor: &mut Cursor<'_>) -> Parsed<TypeKind> {
    let Some(word) = cursor.word() else {
        return named(cursor);
    };
    let take = |cursor: &mut Cursor<'_>| cursor.take_word(&word);
    let kind = match word.as_str() {
        "CHAR" | "CHARACTER" => {
            take(cursor);
            if cursor.take_word("VARYING") {
                TypeKind::Varchar(length(cursor)?)
            } else {
                TypeKind::Char(length(cursor)?)
            }
        }
        "VARCHAR" => {
            take(cursor);
            TypeKind::Varchar(length(cursor)?)
        }
        "BINARY" => {
            take(cursor);
            if cursor.take_word("VARYING") {
                TypeKind::Varbinary(length(cursor)?)
            } else {
                TypeKind::Binary(length(cursor)?)
            }
        }
        "VARBINARY" => {
            take(cursor);
            TypeKind::Varbinary(length(cursor)?)
        }
        "DECIMAL" | "DEC" | "NUMERIC" => {
            take(cursor);
            decimal(cursor)?
        }
        "TIME" => {
            take(cursor);
            let precision = length(cursor)?;
            cursor.take_words(&["WITHOUT", "TIME", "ZONE"]);
            TypeKind::Time(precision)
        }
        "TIMESTAMP" => {
            take(cursor);
            timestamp(cursor)?
        }
        "TIMESTAMP_LTZ" => {
            take(cursor);
            TypeKind::TimestampLtz(length(cursor)?)
        }
        "DOUBLE" => {
            take(cursor);
            cursor.take_word("PRECISION");
            TypeKind::Double
        }
        "INTERVAL" => {
            take(cursor);
            TypeKind::Interval(interval_units(cursor)?)
        }
        _ => return constructed(cursor, &word),
    };
    Ok(kind)
}

/// Types without parameters, those made of others, and names.
fn constructed(cursor: &mut Cursor<'_>, word: &str) -> Parsed<TypeKind> {
    let plain = match word {
        "STRING" => TypeKind::String,
        "BOOLEAN" => TypeKind::Boolean,
        "BYTES" => TypeKind::Bytes,
        "TINYINT" => TypeKind::TinyInt,
        "SMALLINT" => TypeKind::SmallInt,
        "INT" | "INTEGER" => TypeKind::Int,
        "BIGINT" => TypeKind::BigInt,
        "FLOAT" => TypeKind::Float,
        "DATE" => TypeKind::Date,
        "VARIANT" => TypeKind::Variant,
        "BITMAP" => TypeKind::Bitmap,
        "NULL" => TypeKind::Null,
        "ARRAY" | "MULTISET" | "MAP" if cursor.peek_nth(1).token != Token::Lt => {
            cursor.take_word(word);
            let failure = cursor.expected_code("<");
            let start = cursor.position().saturating_sub(1);
            let found = crate::span::byte_span(cursor.token_at(start).span);
            return Err(cursor.flink_fails_at(failure, found.map_or(0, |span| span.start)));
        }
        "ARRAY" | "MULTISET" => {
            cursor.take_word(word);
            let element = Box::new(angled(cursor, data_type)?);
            return Ok(if word == "ARRAY" {
                TypeKind::Array(element)
            } else {
                TypeKind::Multiset(element)
            });
        }
        "MAP" => {
            cursor.take_word(word);
            return angled(cursor, |cursor| {
                let key = data_type(cursor)?;
                cursor.expect(&Token::Comma, ",")?;
                Ok(TypeKind::Map(Box::new(key), Box::new(data_type(cursor)?)))
            });
        }
        "ROW" => {
            cursor.take_word(word);
            return Ok(TypeKind::Row(row_fields(cursor)?));
        }
        "STRUCTURED" => {
            cursor.take_word(word);
            return angled(cursor, structured);
        }
        "RAW" => {
            cursor.take_word(word);
            cursor.expect(&Token::LParen, "(")?;
            let class = cursor.text()?;
            cursor.expect(&Token::Comma, ",")?;
            let serializer = cursor.text()?;
            cursor.expect(&Token::RParen, ")")?;
            return Ok(TypeKind::Raw { class, serializer });
        }
        "REAL" => {
            return Err(Diagnostic::new(Code::TypeNotInFlink, cursor.here())
                .arg("type", "REAL")
                .into());
        }
        _ => return named(cursor),
    };
    cursor.take_word(word);
    Ok(plain)
}

fn named(cursor: &mut Cursor<'_>) -> Parsed<TypeKind> {
    match cursor.peek() {
        Token::Word(word) if word.quote_style.is_some() || !crate::keyword::is_reserved(&word.value) => {
            Ok(TypeKind::Named(cursor.object_name()?))
        }
        _ => Err(cursor.expected(A_TYPE)),
    }
}

fn length(cursor: &mut Cursor<'_>) -> Parsed<Option<u32>> {
    if !cursor.take(&Token::LParen) {
        return Ok(None);
    }
    let length = cursor.number()?;
    cursor.expect(&Token::RParen, ")")?;
    Ok(Some(length))
}

fn decimal(cursor: &mut Cursor<'_>) -> Parsed<TypeKind> {
    let (mut precision, mut scale) = (None, None);
    if cursor.take(&Token::LParen) {
        precision = Some(cursor.number()?);
        if cursor.take(&Token::Comma) {
            scale = Some(cursor.number()?);
        }
        cursor.expect(&Token::RParen, ")")?;
    }
    Ok(TypeKind::Decimal { precision, scale })
}

fn timestamp(cursor: &mut Cursor<'_>) -> Parsed<TypeKind> {
    let precision = length(cursor)?;
    let start = cursor.here();
    if cursor.take_words(&["WITH", "LOCAL", "TIME", "ZONE"]) {
        return Ok(TypeKind::TimestampLtz(precision));
    }
    if cursor.at_words(&["WITH", "TIME", "ZONE"]) {
        let flink = cursor.flink_fails_at_nth(cursor.unexpected(), 1).0.flink;
        cursor.expect_words(&["WITH", "TIME", "ZONE"])?;
        let diagnostic = Diagnostic::new(Code::TypeNotInFlink, cursor.since(start));
        let mut diagnostic = diagnostic.arg("type", "TIMESTAMP WITH TIME ZONE");
        diagnostic.flink = flink;
        return Err(diagnostic
            .fix(sg_diag::Fix::replace(cursor.since(start), "WITH LOCAL TIME ZONE"))
            .into());
    }
    cursor.take_words(&["WITHOUT", "TIME", "ZONE"]);
    Ok(TypeKind::Timestamp(precision))
}

/// The units of an interval: `DAY`, `DAY(3) TO SECOND(3)`, `YEAR TO MONTH`.
pub(crate) fn interval_units(cursor: &mut Cursor<'_>) -> Parsed<IntervalSyntax> {
    let start = cursor.here();
    let from = time_unit(cursor)?;
    let (mut precision, mut fraction) = (None, None);
    if cursor.take(&Token::LParen) {
        precision = Some(cursor.number()?);
        if from == TimeUnit::Second && cursor.take(&Token::Comma) {
            fraction = Some(cursor.number()?);
        }
        cursor.expect(&Token::RParen, ")")?;
    }
    let mut to = None;
    if cursor.take_word("TO") {
        to = Some(time_unit(cursor)?);
        fraction = length(cursor)?;
    }
    Ok(IntervalSyntax {
        from,
        precision,
        to,
        fraction,
        span: cursor.since(start),
    })
}

fn time_unit(cursor: &mut Cursor<'_>) -> Parsed<TimeUnit> {
    let unit = cursor.word().and_then(|word| TimeUnit::from_word(&word));
    let Some(unit) = unit else {
        return Err(cursor.expected(Expected("a unit of time", "时间单位")));
    };
    cursor.advance();
    Ok(unit)
}

/// `< … >`
fn angled<T>(cursor: &mut Cursor<'_>, read: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>) -> Parsed<T> {
    cursor.expect(&Token::Lt, "<")?;
    let inner = read(cursor)?;
    cursor.expect(&Token::Gt, ">")?;
    Ok(inner)
}

/// `<name type, …>`, `(name type, …)`, or `<>`.
fn row_fields(cursor: &mut Cursor<'_>) -> Parsed<Vec<RowField>> {
    if cursor.take(&Token::Neq) {
        return Ok(Vec::new());
    }
    let (close, sign) = if cursor.take(&Token::LParen) {
        (Token::RParen, ")")
    } else {
        cursor.expect(&Token::Lt, "<")?;
        (Token::Gt, ">")
    };
    let fields = fields_until(cursor, &close, sign)?;
    cursor.expect(&close, sign)?;
    Ok(fields)
}

fn structured(cursor: &mut Cursor<'_>) -> Parsed<TypeKind> {
    let class = cursor.text()?;
    let fields = if cursor.take(&Token::Comma) {
        fields_until(cursor, &Token::Gt, ">")?
    } else {
        Vec::new()
    };
    Ok(TypeKind::Structured { class, fields })
}

fn fields_until(cursor: &mut Cursor<'_>, close: &Token, sign: &'static str) -> Parsed<Vec<RowField>> {
    let mut fields = Vec::new();
    while cursor.peek() != close {
        fields.push(row_field(cursor)?);
        let Some(comma) = cursor.take_comma() else { break };
        if cursor.peek() == close {
            return Err(trailing_comma(comma, sign).into());
        }
    }
    Ok(fields)
}

#[inline(never)]
fn row_field(cursor: &mut Cursor<'_>) -> Parsed<RowField> {
    let start = cursor.here();
    if matches!(
        cursor.peek_nth(1).token,
        Token::Comma | Token::Gt | Token::RParen | Token::LParen
    ) {
        let end = if cursor.word().is_some() {
            start
        } else {
            Span::at(start.end)
        };
        return Err(Diagnostic::new(Code::TypeNeedsFieldNames, start.join(end)).into());
    }
    let name = cursor.ident()?;
    let data_type = data_type(cursor)?;
    let comment = match cursor.peek() {
        Token::SingleQuotedString(_) => Some(cursor.text()?),
        _ => None,
    };
    Ok(RowField {
        name,
        data_type,
        comment,
    })
}
