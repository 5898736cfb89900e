//! Interval literals: `INTERVAL '1-2' YEAR TO MONTH`, `INTERVAL -'20' MINUTE`, `INTERVAL n DAY`.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_sql::{
    ast::{IntervalSyntax, TimeUnit},
    query as ast,
};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Binder, expr::ExprCx, literal::plain_text, types::interval_kind};

/// What a literal's text gives.
enum Parsed {
    /// Months or milliseconds.
    Amount(i64),
    /// The largest field has too many digits: its value as written.
    TooLarge(String),
    /// The text has another form.
    Malformed,
}

impl Binder<'_> {
    #[inline(never)]
    pub(super) fn bind_interval(
        &mut self,
        cx: &mut ExprCx<'_>,
        interval: &ast::Interval,
        span: Span,
    ) -> Expr {
        let units = units_of(interval, span);
        let (negative, value) = match &*interval.value {
            ast::Expr::UnaryOp {
                op: ast::UnaryOperator::Minus,
                expr,
            } => (true, &**expr),
            ast::Expr::UnaryOp {
                op: ast::UnaryOperator::Plus,
                expr,
            } => (false, &**expr),
            other => (false, other),
        };
        let text = match value {
            ast::Expr::Value(value) => plain_text(&value.value),
            _ => None,
        };
        let Some(text) = text else {
            return self.bind_interval_expression(cx, &interval.value, &units, span);
        };
        let amount = match parse(text, &units) {
            Parsed::Amount(amount) => amount,
            Parsed::TooLarge(field) => return self.interval_too_large(&field, &units, span),
            Parsed::Malformed => return self.malformed_interval(text, &units, span),
        };
        let amount = if negative { -amount } else { amount };
        Expr::literal(
            Value::Int(amount),
            DataType::not_null(interval_kind(&units)),
            span,
        )
    }

    /// `INTERVAL n DAY` is `n * INTERVAL '1' DAY`.
    fn bind_interval_expression(
        &mut self,
        cx: &mut ExprCx<'_>,
        value: &ast::Expr,
        units: &IntervalSyntax,
        span: Span,
    ) -> Expr {
        let value = self.bind_expr(cx, value);
        let unit = unit_amount(units.from);
        let one = Expr::literal(Value::Int(unit), DataType::not_null(interval_kind(units)), span);
        self.call("*", vec![value, one], span)
    }

    fn interval_too_large(&mut self, field: &str, units: &IntervalSyntax, span: Span) -> Expr {
        let qualifier = format!("{}({})", units.from.word(), units.precision.unwrap_or(2));
        let message = format!("Interval field value {field} exceeds precision of {qualifier} field");
        let flink = self.validation(span, &message);
        let digits = field.trim_start_matches(['-', '+']).len();
        let diagnostic = Diagnostic::new(Code::IntervalTooLarge, span)
            .arg("value", field)
            .arg("field", units.from.word())
            .arg("digits", units.precision.unwrap_or(2))
            .fix(sg_diag::Fix::insert(span.end, format!("({digits})")))
            .flink(flink);
        self.report(diagnostic);
        Expr::invalid(span)
    }

    fn malformed_interval(&mut self, text: &str, units: &IntervalSyntax, span: Span) -> Expr {
        let qualifier = match units.to {
            Some(to) => format!("{} TO {}", units.from.word(), to.word()),
            None => units.from.word().to_owned(),
        };
        let message = format!("Illegal interval literal format '{text}' for INTERVAL {qualifier}");
        let flink = self.validation(span, &message);
        let diagnostic = Diagnostic::new(Code::BadLiteral, span)
            .arg("type", format!("INTERVAL {qualifier}"))
            .arg("text", text)
            .flink(flink);
        self.report(diagnostic);
        Expr::invalid(span)
    }
}

/// The units of a literal, as our own syntax has them.
const fn units_of(interval: &ast::Interval, span: Span) -> IntervalSyntax {
    IntervalSyntax {
        from: interval.leading_field,
        precision: interval.leading_precision,
        to: interval.last_field,
        fraction: interval.fractional_seconds_precision,
        span,
    }
}

/// Months or milliseconds of one unit.
const fn unit_amount(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Year => 12,
        TimeUnit::Quarter => 3,
        TimeUnit::Month => 1,
        TimeUnit::Week => 604_800_000,
        TimeUnit::Day => 86_400_000,
        TimeUnit::Hour => 3_600_000,
        TimeUnit::Minute => 60_000,
        TimeUnit::Second => 1_000,
        TimeUnit::Millisecond => 1,
        TimeUnit::Microsecond | TimeUnit::Nanosecond => 0,
    }
}

/// Units of a literal from the largest to the smallest, with what stands before each in the text.
const CHAIN: [(TimeUnit, char); 6] = [
    (TimeUnit::Year, ' '),
    (TimeUnit::Month, '-'),
    (TimeUnit::Day, ' '),
    (TimeUnit::Hour, ' '),
    (TimeUnit::Minute, ':'),
    (TimeUnit::Second, ':'),
];

fn parse(text: &str, units: &IntervalSyntax) -> Parsed {
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let fields: Vec<(TimeUnit, char)> = match units.to {
        None => vec![(units.from, ' ')],
        Some(to) => CHAIN
            .into_iter()
            .filter(|(unit, _)| (units.from..=to).contains(unit))
            .gather(),
    };
    let mut rest = digits;
    let mut total = 0_i64;
    for (at, (unit, separator)) in fields.iter().enumerate() {
        if at > 0 {
            let Some(after) = rest.strip_prefix(*separator) else {
                return Parsed::Malformed;
            };
            rest = after;
        }
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some((number, after)) = rest
            .split_at_checked(length)
            .filter(|(number, _)| !number.is_empty())
        else {
            return Parsed::Malformed;
        };
        rest = after;
        let Ok(value) = number.parse::<i64>() else {
            return Parsed::TooLarge(number.to_owned());
        };
        let significant = number.trim_start_matches('0').len();
        if at == 0 && significant > units.precision.unwrap_or(2) as usize {
            let sign = if negative { "-" } else { "" };
            return Parsed::TooLarge(format!("{sign}{value}"));
        }
        if at > 0 && value > largest(*unit) {
            return Parsed::Malformed;
        }
        total += value.saturating_mul(unit_amount(*unit));
        if *unit == TimeUnit::Second
            && let Some(fraction) = rest.strip_prefix('.')
        {
            let Some(millis) = millis_of_fraction(fraction) else {
                return Parsed::Malformed;
            };
            total += millis;
            rest = "";
        }
    }
    if !rest.is_empty() {
        return Parsed::Malformed;
    }
    Parsed::Amount(if negative { -total } else { total })
}

/// The largest value of a field that is not the first.
const fn largest(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Month => 11,
        TimeUnit::Hour => 23,
        TimeUnit::Minute | TimeUnit::Second => 59,
        _ => i64::MAX,
    }
}

/// `5` is 500 ms; digits behind the third are cut.
fn millis_of_fraction(digits: &str) -> Option<i64> {
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let three: String = digits.chars().chain("000".chars()).take(3).gather();
    three.parse().ok()
}

/// The length of a day-time interval literal in milliseconds, `None` for anything else.
pub(super) fn millis_of(expr: &Expr) -> Option<i64> {
    match (&expr.data_type.kind, expr.as_literal()) {
        (TypeKind::IntervalDayTime(_), Some(value)) => value.as_int(),
        _ => None,
    }
}

/// `MINUTE`, `DAY TO SECOND`
pub(super) fn unit_words(kind: &TypeKind) -> String {
    let word = |unit| match unit {
        sg_value::IntervalUnit::Year => "YEAR",
        sg_value::IntervalUnit::Month => "MONTH",
        sg_value::IntervalUnit::Day => "DAY",
        sg_value::IntervalUnit::Hour => "HOUR",
        sg_value::IntervalUnit::Minute => "MINUTE",
        sg_value::IntervalUnit::Second => "SECOND",
    };
    match kind {
        TypeKind::IntervalDayTime(fields) | TypeKind::IntervalYearMonth(fields) => {
            if fields.first == fields.last {
                word(fields.first).to_owned()
            } else {
                format!("{} TO {}", word(fields.first), word(fields.last))
            }
        }
        _ => String::new(),
    }
}
