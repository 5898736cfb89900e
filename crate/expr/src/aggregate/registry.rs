//! The table of aggregate functions and their typing.

use sg_diag::{Code, Diagnostic, Diagnostics, Span};
use sg_value::{DataType, Gather as _, TypeKind};

use super::{
    AggregateContext, AggregateDef, Typing, average, bitmap, collect, count, deviation, extreme, first_last,
    json, list, percentile, ranking, sum,
};
use crate::types::{Charset, calcite_type};

static ROWS: &[AggregateDef] = &[
    count::COUNT,
    sum::SUM,
    average::AVG,
    extreme::MIN,
    extreme::MAX,
    first_last::FIRST_VALUE,
    first_last::LAST_VALUE,
    list::LISTAGG,
    list::ARRAY_AGG,
    collect::COLLECT,
    json::OBJECT_NULLS,
    json::OBJECT_NO_NULLS,
    json::ARRAY_NULLS,
    json::ARRAY_NO_NULLS,
    deviation::STDDEV_POP,
    deviation::STDDEV_SAMP,
    deviation::STDDEV,
    deviation::VAR_POP,
    deviation::VAR_SAMP,
    deviation::VARIANCE,
    percentile::PERCENTILE,
    bitmap::BUILD,
    bitmap::BUILD_CARDINALITY,
    bitmap::OR,
    bitmap::OR_CARDINALITY,
    bitmap::AND,
    bitmap::AND_CARDINALITY,
    bitmap::XOR,
    bitmap::XOR_CARDINALITY,
    sum::SUM0,
    deviation::WELFORD,
];

/// Functions that exist only with OVER.
static WINDOW_ROWS: &[AggregateDef] = &[
    ranking::ROW_NUMBER,
    ranking::RANK,
    ranking::DENSE_RANK,
    ranking::LAG,
    ranking::LEAD,
    ranking::NTILE,
    ranking::PERCENT_RANK,
    ranking::CUME_DIST,
];

/// Functions of other systems and of Flink's batch mode that are no aggregates of its streams.
const NOT_IN_STREAMS: [&str; 1] = ["APPROX_COUNT_DISTINCT"];

/// All aggregate functions that SQL can name.
pub fn aggregates() -> impl Iterator<Item = &'static AggregateDef> {
    ROWS.iter().filter(|row| !row.name.starts_with('$'))
}

/// Whether the name is an aggregate function's, in any case of letters.
pub fn is_aggregate(name: &str) -> bool {
    find(name).is_some()
        || NOT_IN_STREAMS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether the name is that of a function that exists only with OVER, in any case of letters.
pub fn is_window_function(name: &str) -> bool {
    WINDOW_ROWS.iter().any(|row| row.name.eq_ignore_ascii_case(name))
}

/// The function of this name that can stand before OVER.
pub fn over_function(name: &str) -> Option<&'static AggregateDef> {
    let mut rows = WINDOW_ROWS.iter().chain(ROWS);
    rows.find(|row| row.name.eq_ignore_ascii_case(name))
}

fn find(name: &str) -> Option<&'static AggregateDef> {
    ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// Resolves an aggregate call to its function and result type, or reports why there is none.
///
/// `arg_types` is empty for `COUNT(*)`. The planner's own `$SUM0` has a row too.
pub fn resolve_aggregate(
    name: &str,
    arg_types: &[DataType],
    cx: AggregateContext,
    span: Span,
    diags: &mut Diagnostics,
) -> Option<(&'static AggregateDef, DataType)> {
    let Some(function) = find(name) else {
        let code = if is_aggregate(name) {
            Code::AggregateNotInStreams
        } else {
            Code::UnknownFunction
        };
        diags.push(Diagnostic::new(code, span).arg("function", name));
        return None;
    };
    typed(function, arg_types, cx, span, diags)
}

/// The same inside of `MATCH_RECOGNIZE`, which runs what a query itself cannot call as well.
pub fn resolve_in_match(
    name: &str,
    arg_types: &[DataType],
    cx: AggregateContext,
    span: Span,
    diags: &mut Diagnostics,
) -> Option<(&'static AggregateDef, DataType)> {
    let more = match name {
        "APPROX_COUNT_DISTINCT" => &count::APPROX_COUNT_DISTINCT,
        "SINGLE_VALUE" => &super::SINGLE_VALUE,
        _ => return resolve_aggregate(name, arg_types, cx, span, diags),
    };
    typed(more, arg_types, cx, span, diags)
}

/// The same for a function before OVER; `full` if its frame surely has a row.
pub fn resolve_over(
    name: &str,
    arg_types: &[DataType],
    full: bool,
    span: Span,
    diags: &mut Diagnostics,
) -> Option<(&'static AggregateDef, DataType)> {
    let Some(function) = over_function(name) else {
        diags.push(Diagnostic::new(Code::UnknownFunction, span).arg("function", name));
        return None;
    };
    let cx = AggregateContext {
        grouped: full,
        ..AggregateContext::default()
    };
    typed(function, arg_types, cx, span, diags)
}

fn typed(
    function: &'static AggregateDef,
    arg_types: &[DataType],
    cx: AggregateContext,
    span: Span,
    diags: &mut Diagnostics,
) -> Option<(&'static AggregateDef, DataType)> {
    let nullable = |kind: TypeKind| {
        let nullable = !cx.grouped || cx.filtered || arg_types.iter().any(|arg| arg.nullable);
        DataType { kind, nullable }
    };
    let plain: Vec<DataType> = arg_types.iter().map(DataType::without_time_attribute).gather();
    let diagnostic = match (function.resolve)(&plain) {
        Typing::Nullable(kind) => return Some((function, nullable(kind))),
        Typing::AsArguments(kind) => {
            let nullable = arg_types.first().is_none_or(|arg| arg.nullable);
            return Some((function, DataType { kind, nullable }));
        }
        Typing::Always(kind) => return Some((function, DataType::nullable(kind))),
        Typing::NotNull(kind) => return Some((function, DataType::not_null(kind))),
        Typing::WrongTypes(families) => wrong_types(function, &plain, span).flink(format!(
            "Cannot apply '{0}' to arguments of type '{0}({1})'. Supported form(s): '{0}({families})'",
            function.name,
            types_text(arg_types)
        )),
        Typing::WrongCount => Diagnostic::new(Code::WrongArgumentCount, span)
            .arg("function", function.name)
            .arg("given", arg_types.len())
            .arg_list("forms", function.forms.iter().copied())
            .flink(format!(
                "Invalid number of arguments to function '{}'. Was expecting 1 arguments",
                function.name
            )),
        Typing::Unplannable(flink) => wrong_types(function, &plain, span).flink(flink),
    };
    diags.push(diagnostic);
    None
}

fn wrong_types(function: &AggregateDef, types: &[DataType], span: Span) -> Diagnostic {
    Diagnostic::new(Code::AggregateArgumentType, span)
        .arg("function", function.name)
        .arg_list("types", types.iter().map(|data_type| data_type.kind.to_string()))
        .arg_list("forms", function.forms.iter().copied())
}

fn types_text(types: &[DataType]) -> String {
    let texts: Vec<String> = types
        .iter()
        .map(|data_type| {
            let attribute = if data_type.is_rowtime() { " *ROWTIME*" } else { "" };
            format!("<{}{attribute}>", calcite_type(data_type, Charset::Hidden))
        })
        .gather();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed_text(name: &str, kind: TypeKind, cx: AggregateContext) -> Option<String> {
        let mut diags = Diagnostics::new();
        let found = resolve_aggregate(name, &[DataType::not_null(kind)], cx, Span::default(), &mut diags);
        assert_eq!(found.is_none(), !diags.is_empty());
        found.map(|(_, data_type)| data_type.to_string())
    }

    #[test]
    fn results_are_not_null_only_in_groups_without_filter() {
        let grouped = AggregateContext {
            grouped: true,
            ..AggregateContext::default()
        };
        let filtered = AggregateContext {
            filtered: true,
            ..grouped
        };
        assert_eq!(
            typed_text("SUM", TypeKind::Int, AggregateContext::default()).as_deref(),
            Some("INT")
        );
        assert_eq!(
            typed_text("sum", TypeKind::Int, grouped).as_deref(),
            Some("INT NOT NULL")
        );
        assert_eq!(typed_text("SUM", TypeKind::Int, filtered).as_deref(), Some("INT"));
        assert_eq!(
            typed_text("COUNT", TypeKind::Int, filtered).as_deref(),
            Some("BIGINT NOT NULL")
        );
    }

    #[test]
    fn decimals_widen_and_averages_keep_integers() {
        let decimal = TypeKind::Decimal {
            precision: 6,
            scale: 2,
        };
        let cx = AggregateContext::default();
        assert_eq!(
            typed_text("SUM", decimal.clone(), cx).as_deref(),
            Some("DECIMAL(38, 2)")
        );
        assert_eq!(typed_text("AVG", decimal, cx).as_deref(), Some("DECIMAL(38, 6)"));
        assert_eq!(
            typed_text("AVG", TypeKind::TinyInt, cx).as_deref(),
            Some("TINYINT")
        );
        assert_eq!(typed_text("SUM", TypeKind::Varchar(3), cx), None);
    }
}
