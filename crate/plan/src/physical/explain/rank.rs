//! The texts of windowed calls, rankings and sorting.

use sg_expr::{AggregateCall, Expr, FrameBound, PlanStyle, display};
use sg_value::{Field, Gather as _};

use super::{
    line::{all_names, name_of, names},
    window::window_text,
};
use crate::{
    logical::{RankRange, SortColumn},
    physical::node::{
        OrderTime, OverAggregateSpec, RankSpec, RankStrategy, WindowDeduplicateSpec, WindowRankSpec,
    },
};

/// `price DESC, ts ASC`
pub(super) fn order(keys: &[SortColumn], input: &[Field]) -> String {
    let keys: Vec<String> = keys
        .iter()
        .map(|key| format!("{} {}", name_of(key.column, input), word(*key)))
        .gather();
    keys.join(", ")
}

const fn word(key: SortColumn) -> &'static str {
    if key.direction.descending { "DESC" } else { "ASC" }
}

/// `partitionBy=[k], orderBy=[ts ASC], window=[ ROWS BETWEEN 2 PRECEDING AND CURRENT ROW], select=[…]`
#[inline(never)]
pub(super) fn over(spec: &OverAggregateSpec, input: &[Field], output: &[Field]) -> Vec<String> {
    let partition =
        (!spec.partition.is_empty()).then(|| format!("partitionBy=[{}]", names(&spec.partition, input)));
    let mut items = vec![all_names(input)];
    items.extend(
        spec.calls
            .iter()
            .zip(output.iter().skip(input.len()))
            .map(|(call, field)| format!("{} AS {}", over_call_text(spec, call, input), field.name)),
    );
    let unit = if spec.frame.rows { "ROWS" } else { "RANGE" };
    let start = match spec.frame.start {
        FrameBound::UnboundedPreceding => "UNBOUNDED PRECEDING".to_owned(),
        FrameBound::Preceding(count) => format!("{count} PRECEDING"),
        FrameBound::CurrentRow => "CURRENT ROW".to_owned(),
        FrameBound::Following(count) => format!("{count} FOLLOWING"),
        FrameBound::UnboundedFollowing => "UNBOUNDED FOLLOWING".to_owned(),
    };
    partition
        .into_iter()
        .chain([
            format!("orderBy=[{}]", order(&spec.order, input)),
            format!("window=[ {unit} BETWEEN {start} AND CURRENT ROW]"),
            format!("select=[{}]", items.join(", ")),
        ])
        .gather()
}

/// `LAG(kwh, 1, 0)`, `COUNT(DISTINCT device)`, `ROW_NUMBER(*)`
pub(super) fn over_call_text(spec: &OverAggregateSpec, call: &AggregateCall, input: &[Field]) -> String {
    if call.args.is_empty() {
        return format!("{}(*)", call.function_name());
    }
    let args: Vec<String> = call
        .args
        .iter()
        .map(|arg| match (*arg as usize).checked_sub(input.len()) {
            Some(constant) => spec
                .constants
                .get(constant)
                .map_or_else(String::new, |(value, data_type)| {
                    let constant = Expr::literal(value.clone(), data_type.clone(), call.span);
                    display(&constant, &|_| "", PlanStyle::Physical)
                }),
            None => name_of(*arg, input).to_owned(),
        })
        .gather();
    let distinct = if call.distinct { "DISTINCT " } else { "" };
    format!("{}({distinct}{})", call.function_name(), args.join(", "))
}

/// A ranking; what runs may be a deduplication.
#[inline(never)]
pub(super) fn rank(spec: &RankSpec, input: &[Field], output: &[Field], style: PlanStyle) -> Vec<String> {
    if let (PlanStyle::Execution, Some(deduplicate)) = (style, &spec.deduplicate) {
        let keep = if deduplicate.keep_last {
            "LastRow"
        } else {
            "FirstRow"
        };
        let time = match deduplicate.time {
            OrderTime::Rowtime => "ROWTIME",
            OrderTime::Proctime | OrderTime::Value => "PROCTIME",
        };
        return vec![
            format!("keep=[{keep}]"),
            format!("key=[{}]", names(&spec.partition, input)),
            format!("order=[{time}]"),
            format!("outputInsertOnly=[{}]", deduplicate.insert_only),
        ];
    }
    let range = match spec.range {
        RankRange::Constant { start, end } => format!("rankStart={start}, rankEnd={end}"),
        RankRange::Column(column) => format!("rankEnd={}", name_of(column, input)),
    };
    let keys: Vec<String> = spec
        .order
        .iter()
        .zip(&spec.times)
        .map(|(key, time)| {
            let mark = if *time == OrderTime::Rowtime {
                "ROWTIME "
            } else {
                ""
            };
            format!("{mark}{} {}", name_of(key.column, input), word(*key))
        })
        .gather();
    vec![
        format!("strategy=[{}]", strategy(&spec.strategy)),
        "rankType=[ROW_NUMBER]".to_owned(),
        format!("rankRange=[{range}]"),
        format!("partitionBy=[{}]", names(&spec.partition, input)),
        format!("orderBy=[{}]", keys.join(", ")),
        format!("select=[{}]", all_names(output)),
    ]
}

/// `window=[TUMBLE(…)], rankType=[ROW_NUMBER], rankRange=[…], partitionBy=[], orderBy=[n DESC], select=[…]`
#[inline(never)]
pub(super) fn window_rank(spec: &WindowRankSpec, input: &[Field], output: &[Field]) -> Vec<String> {
    let (start, end) = spec.places;
    vec![
        format!("window=[{}]", window_text(&spec.window, &spec.session, input)),
        "rankType=[ROW_NUMBER]".to_owned(),
        format!("rankRange=[rankStart={start}, rankEnd={end}]"),
        format!("partitionBy=[{}]", names(&spec.partition, input)),
        format!("orderBy=[{}]", order(&spec.order, input)),
        format!("select=[{}]", all_names(output)),
    ]
}

/// `window=[TUMBLE(…)], keep=[LastRow], partitionKeys=[k], orderKey=[ts], order=[ROWTIME]`
#[inline(never)]
pub(super) fn window_deduplicate(spec: &WindowDeduplicateSpec, input: &[Field]) -> Vec<String> {
    let keep = if spec.keep_last { "LastRow" } else { "FirstRow" };
    vec![
        format!("window=[{}]", window_text(&spec.window, &spec.session, input)),
        format!("keep=[{keep}]"),
        format!("partitionKeys=[{}]", names(&spec.partition, input)),
        format!("orderKey=[{}]", name_of(spec.time, input)),
        "order=[ROWTIME]".to_owned(),
    ]
}

fn strategy(strategy: &RankStrategy) -> String {
    match strategy {
        RankStrategy::AppendFast => "AppendFastStrategy".to_owned(),
        RankStrategy::UpdateFast(key) => {
            let columns: Vec<String> = key.iter().map(u32::to_string).gather();
            format!("UpdateFastStrategy[{}]", columns.join(","))
        }
        RankStrategy::Retract => "RetractStrategy".to_owned(),
    }
}

fn bounds(spec: &RankSpec) -> [String; 2] {
    let (start, end) = match spec.range {
        RankRange::Constant { start, end } => (start, end),
        RankRange::Column(_) => (1, i64::MAX),
    };
    [
        format!("offset=[{}]", start - 1),
        format!("fetch=[{}]", end - start + 1),
    ]
}

/// `orderBy=[price ASC], offset=[2], fetch=[5], strategy=[AppendFastStrategy]`
#[inline(never)]
pub(super) fn sort_limit(spec: &RankSpec, input: &[Field]) -> Vec<String> {
    let mut parts = vec![format!("orderBy=[{}]", order(&spec.order, input))];
    parts.extend(bounds(spec));
    parts.push(format!("strategy=[{}]", strategy(&spec.strategy)));
    parts
}

/// `offset=[0], fetch=[2]`
#[inline(never)]
pub(super) fn limit(spec: &RankSpec) -> Vec<String> {
    bounds(spec).to_vec()
}
