//! EXTRACT and its short forms.

use sg_diag::{Code, Diagnostic};
use sg_value::{
    DataType, TypeKind, Value,
    time::{TimeUnit, extract, extract_date, extract_interval_months, extract_interval_ms, extract_time},
};

use super::{
    super::{CallSite, Eval, FunctionDef, Kernel, Resolve, definition::Family::Time},
    is_instant, wall,
};
use crate::{bound::Expr, resolve::Request, types::KindExt};

const fn short(name: &'static str, doc: [&'static str; 2]) -> FunctionDef {
    FunctionDef::new(name, Time, Resolve::Rules(resolve_short), Eval::Never, doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "EXTRACT",
        Time,
        Resolve::Rules(resolve_extract),
        Eval::Build(build),
        [
            "A field of a date, time or interval as BIGINT.",
            "日期、时间或区间的某个字段（BIGINT）。",
        ],
    )
    .written(&["EXTRACT(unit FROM time)"]),
    short("YEAR", ["The year of a date.", "日期的年份。"]).written(&["YEAR(date)"]),
    short(
        "QUARTER",
        ["The quarter of a date, 1 to 4.", "日期所在季度，1 至 4。"],
    )
    .written(&["QUARTER(date)"]),
    short(
        "MONTH",
        ["The month of a date, 1 to 12.", "日期的月份，1 至 12。"],
    )
    .written(&["MONTH(date)"]),
    short(
        "WEEK",
        ["The ISO week of a date, 1 to 53.", "日期所在的 ISO 周，1 至 53。"],
    )
    .written(&["WEEK(date)"]),
    short(
        "DAYOFYEAR",
        ["The day of the year, 1 to 366.", "一年中的第几天，1 至 366。"],
    )
    .written(&["DAYOFYEAR(date)"]),
    short(
        "DAYOFMONTH",
        ["The day of the month, 1 to 31.", "一月中的第几天，1 至 31。"],
    )
    .written(&["DAYOFMONTH(date)"]),
    short(
        "DAYOFWEEK",
        [
            "The day of the week, 1 is Sunday.",
            "一周中的第几天，1 为星期日。",
        ],
    )
    .written(&["DAYOFWEEK(date)"]),
    short("HOUR", ["The hour of a time, 0 to 23.", "时间的小时，0 至 23。"]).written(&["HOUR(time)"]),
    short(
        "MINUTE",
        ["The minute of a time, 0 to 59.", "时间的分钟，0 至 59。"],
    )
    .written(&["MINUTE(time)"]),
    short(
        "SECOND",
        ["The second of a time, 0 to 59.", "时间的秒，0 至 59。"],
    )
    .written(&["SECOND(time)"]),
];

/// `HOUR(t)` is `EXTRACT(HOUR FROM t)`.
fn resolve_short(mut request: Request<'_>) -> Expr {
    let name = request.function.name;
    let Some([operand]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let unit = match name {
        "DAYOFYEAR" => "DOY",
        "DAYOFMONTH" => "DAY",
        "DAYOFWEEK" => "DOW",
        other => other,
    };
    let symbol = Expr::symbol(unit, request.span);
    request.sub_call("EXTRACT", vec![symbol, operand])
}

fn resolve_extract(mut request: Request<'_>) -> Expr {
    let Some([unit, operand]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let word = unit.as_symbol().unwrap_or_default().to_owned();
    let kind = operand.data_type.without_time_attribute().kind;
    if !kind.is_datetime() && !kind.is_interval() {
        request.args = vec![unit, operand];
        return request.wrong_types(&[
            "'EXTRACT(<DATETIME_INTERVAL> FROM <DATETIME_INTERVAL>)'".to_owned(),
            "'EXTRACT(<DATETIME_INTERVAL> FROM <DATETIME>)'".to_owned(),
        ]);
    }
    let known = TimeUnit::from_word(&word);
    if known.is_none() {
        return unknown_unit(request, &word, &kind, unit.span);
    }
    let data_type = DataType {
        kind: TypeKind::BigInt,
        nullable: operand.data_type.nullable,
    };
    let symbol = Expr::symbol(&word.to_ascii_uppercase(), unit.span);
    request.call(vec![symbol, operand], data_type)
}

/// Reports a unit that the function does not know for the type.
pub(super) fn unknown_unit(request: Request<'_>, word: &str, kind: &TypeKind, span: sg_diag::Span) -> Expr {
    let diagnostic = Diagnostic::new(Code::UnknownTimeUnit, span)
        .arg("function", request.function.name)
        .arg("unit", word)
        .arg("type", kind)
        .flink(format!("'{word}' is not a valid time frame"));
    request.refuse(diagnostic)
}

fn build(site: &CallSite<'_>) -> Kernel {
    let unit = site
        .symbol(0)
        .and_then(TimeUnit::from_word)
        .unwrap_or(TimeUnit::Year);
    let kind = site.kind(1).clone();
    let instant = is_instant(&kind);
    Box::new(move |values, cx| {
        let Some(value) = values.get(1) else {
            return Ok(Value::Null);
        };
        Ok(Value::Int(match (value, &kind) {
            (Value::Int(days), TypeKind::Date) => extract_date(unit, *days),
            (Value::Int(time_ms), TypeKind::Time(_)) => extract_time(unit, *time_ms),
            (Value::Int(months), TypeKind::IntervalYearMonth(_)) => extract_interval_months(unit, *months),
            (Value::Int(ms), _) => extract_interval_ms(unit, *ms),
            (other, _) => match wall(other, instant, cx) {
                Some((ms, nanos)) => extract(unit, ms, nanos),
                None => return Ok(Value::Null),
            },
        }))
    })
}
