//! What the clock, the watermark and chance say. Always the virtual clock of the replay.

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, TimeKind, TypeKind, Value, time::DAY_MS};

use super::super::{
    CallSite, Eval, FunctionDef, Kernel, Resolve, Volatility, built_in,
    definition::Family::Time,
    signature::{Nullable, Returns, Signature, takes},
};
use crate::{bound::Expr, eval::EvalCx, infer::timestamp, resolve::Request};

static INSTANT: &[Signature] = &[takes(&[], Returns::Ltz3).nulls(Nullable::Never)];
static WALL: &[Signature] = &[takes(&[], Returns::From(|_| timestamp(3))).nulls(Nullable::Never)];
static TODAY: &[Signature] = &[takes(&[], Returns::Date).nulls(Nullable::Never)];
static TIME_OF_DAY: &[Signature] = &[takes(&[], Returns::From(|_| TypeKind::Time(0))).nulls(Nullable::Never)];
static PROCTIME: &[Signature] = &[takes(
    &[],
    Returns::From(|_| TypeKind::TimestampLtz {
        precision: 3,
        time: TimeKind::Proctime,
    }),
)
.nulls(Nullable::Never)];

const fn clock(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&CallSite<'_>) -> Kernel,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Time, Resolve::Table(of), Eval::Build(eval), doc).volatility(Volatility::PerRow)
}

pub(super) static ROWS: &[FunctionDef] = &[
    clock(
        "CURRENT_TIMESTAMP",
        INSTANT,
        instant,
        ["The processing time, as an instant.", "当前处理时间（时刻）。"],
    )
    .written(&["CURRENT_TIMESTAMP"]),
    clock(
        "NOW",
        INSTANT,
        instant,
        ["The processing time, as an instant.", "当前处理时间（时刻）。"],
    ),
    clock(
        "CURRENT_ROW_TIMESTAMP",
        INSTANT,
        instant,
        [
            "The processing time of the row, as an instant.",
            "该行的处理时间（时刻）。",
        ],
    ),
    clock(
        "LOCALTIMESTAMP",
        WALL,
        wall,
        [
            "The processing time as a wall clock of the session's zone.",
            "会话时区下的当前处理时间。",
        ],
    )
    .written(&["LOCALTIMESTAMP"]),
    clock(
        "CURRENT_DATE",
        TODAY,
        today,
        ["The date in the session's zone.", "会话时区下的当前日期。"],
    )
    .written(&["CURRENT_DATE"]),
    clock(
        "CURRENT_TIME",
        TIME_OF_DAY,
        time_of_day,
        ["The time of day in the session's zone.", "会话时区下的当前时间。"],
    )
    .written(&["CURRENT_TIME"]),
    clock(
        "LOCALTIME",
        TIME_OF_DAY,
        time_of_day,
        ["The time of day in the session's zone.", "会话时区下的当前时间。"],
    )
    .written(&["LOCALTIME"]),
    clock(
        "PROCTIME",
        PROCTIME,
        instant,
        [
            "A processing-time attribute, for windows and joins by arrival.",
            "处理时间属性，用于按到达时间的窗口和连接。",
        ],
    ),
    FunctionDef::new(
        "PROCTIME_MATERIALIZE",
        Time,
        Resolve::Internal,
        Eval::Build(instant),
        ["", ""],
    )
    .volatility(Volatility::PerRow)
    .sees_nulls(),
    FunctionDef::new(
        "CURRENT_WATERMARK",
        Time,
        Resolve::Rules(resolve_watermark),
        Eval::Build(watermark),
        [
            "The watermark that the operator has received; NULL before the first.",
            "算子已收到的水位线；首个水位线之前为 NULL。",
        ],
    )
    .volatility(Volatility::PerRow)
    .sees_nulls()
    .written(&["CURRENT_WATERMARK(rowtime)"]),
    FunctionDef::new(
        "SOURCE_WATERMARK",
        Time,
        Resolve::Rules(resolve_source_watermark),
        Eval::Never,
        [
            "In a WATERMARK declaration: the source itself makes the watermarks.",
            "用于 WATERMARK 声明：由数据源自己给出水位线。",
        ],
    )
    .volatility(Volatility::PerRow)
    .written(&["SOURCE_WATERMARK()"]),
];

/// The argument has to be an event-time attribute.
fn resolve_watermark(mut request: Request<'_>) -> Expr {
    let Some([rowtime]) = request.take() else {
        return Expr::invalid(request.span);
    };
    if !rowtime.data_type.is_rowtime() {
        let diagnostic = Diagnostic::new(Code::WatermarkOfNoTimeAttribute, rowtime.span)
            .arg("type", &rowtime.data_type.kind)
            .flink(format!(
                "The argument of CURRENT_WATERMARK() must be a rowtime attribute, but was '{}'.",
                rowtime.data_type
            ));
        return request.refuse(diagnostic);
    }
    let data_type = rowtime.data_type.without_time_attribute().with_nullable(true);
    request.call(vec![rowtime], data_type)
}

/// The declaration of a watermark takes it out before it comes here.
fn resolve_source_watermark(request: Request<'_>) -> Expr {
    let diagnostic = Diagnostic::new(Code::SourceWatermarkOutsideDeclaration, request.span).flink(
        "SOURCE_WATERMARK() is a declarative marker function and doesn't have concrete runtime implementation. \
         It can only be used as a single expression in a WATERMARK FOR clause in the CREATE TABLE DDL.",
    );
    request.refuse(diagnostic)
}

fn instant(_: &CallSite<'_>) -> Kernel {
    Box::new(|_, cx| Ok(Value::timestamp_ms(cx.processing_time_ms)))
}

fn wall_ms(cx: &EvalCx) -> i64 {
    cx.zone.wall_from_instant(cx.processing_time_ms)
}

fn wall(_: &CallSite<'_>) -> Kernel {
    Box::new(|_, cx| Ok(Value::timestamp_ms(wall_ms(cx))))
}

fn today(_: &CallSite<'_>) -> Kernel {
    Box::new(|_, cx| Ok(Value::Int(wall_ms(cx).div_euclid(DAY_MS))))
}

fn time_of_day(_: &CallSite<'_>) -> Kernel {
    Box::new(|_, cx| Ok(Value::Int(wall_ms(cx).rem_euclid(DAY_MS))))
}

fn watermark(_: &CallSite<'_>) -> Kernel {
    Box::new(|_, cx| Ok(cx.watermark_ms.map_or(Value::Null, Value::timestamp_ms)))
}

/// `PROCTIME_MATERIALIZE` over a processing-time attribute, which has no value of its own.
pub(crate) fn materialize_proctime(expr: Expr) -> Expr {
    let data_type: DataType = expr.data_type.without_time_attribute();
    let span = expr.span;
    crate::resolve::call(built_in("PROCTIME_MATERIALIZE"), vec![expr], data_type, span)
}
