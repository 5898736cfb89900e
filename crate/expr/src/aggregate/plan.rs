//! Aggregate calls as plans show them.

use std::fmt::Write;

use sg_value::Gather as _;

use super::AggregateCall;

/// The name of a call in plans: `COUNT`, `SUM_RETRACT`, `$SUM0`.
pub fn plan_name(call: &AggregateCall) -> String {
    let suffix = if call.retract { "_RETRACT" } else { "" };
    format!("{}{suffix}", call.function_name())
}

/// Names of a call's cells in the plan of a local phase, the first cell having number `first_cell` among all calls:
/// `count1$0`, `sum$1`.
pub fn cell_names(call: &AggregateCall, first_cell: u32) -> Vec<String> {
    if call.user.is_some() {
        return vec![format!("{}${first_cell}", call.function_name())];
    }
    let names = (call.function.cells)(call).iter();
    names
        .zip(first_cell..)
        .map(|(name, number)| format!("{name}${number}"))
        .gather()
}

/// The text of a call in plans: `COUNT(DISTINCT user_id) FILTER $f3`, without ` AS n`.
pub fn plan_text<'a>(call: &AggregateCall, columns: &dyn Fn(u32) -> &'a str) -> String {
    let distinct = if call.distinct { "DISTINCT " } else { "" };
    with_filter(
        call,
        format!("{}({distinct}{})", plan_name(call), arguments(call, columns)),
        columns,
    )
}

fn arguments<'a>(call: &AggregateCall, columns: &dyn Fn(u32) -> &'a str) -> String {
    if call.args.is_empty() {
        return "*".to_owned();
    }
    let names: Vec<&str> = call.args.iter().map(|column| columns(*column)).gather();
    names.join(", ")
}

fn with_filter<'a>(call: &AggregateCall, mut text: String, columns: &dyn Fn(u32) -> &'a str) -> String {
    if let Some(filter) = call.filter {
        // Writing to a String cannot fail.
        let _ignored = write!(text, " FILTER {}", columns(filter));
    }
    text
}

/// Which set of distinct values a call uses: equal arguments share one.
fn distinct_number(calls: &[AggregateCall], call: &AggregateCall) -> usize {
    distinct_arguments(calls)
        .iter()
        .position(|args| *args == call.args)
        .unwrap_or(0)
}

fn distinct_arguments(calls: &[AggregateCall]) -> Vec<&[u32]> {
    let mut known: Vec<&[u32]> = Vec::new();
    for call in calls.iter().filter(|call| call.distinct) {
        if !known.contains(&call.args.as_slice()) {
            known.push(&call.args);
        }
    }
    known
}

/// One cell's name, or several in parentheses.
fn cells_text(names: &[String]) -> String {
    match names {
        [only] => only.clone(),
        several => format!("({})", several.join(", ")),
    }
}

/// Names of the cells per call, numbered through.
fn all_cell_names(calls: &[AggregateCall]) -> Vec<Vec<String>> {
    let mut next = 0;
    calls
        .iter()
        .map(|call| {
            let names = cell_names(call, next);
            next += u32::try_from(names.len()).unwrap_or(0);
            names
        })
        .gather()
}

/// The `select` items of a local phase behind the keys: `COUNT(*) AS count1$0`,
/// `COUNT(distinct$0 user_id) FILTER $f3 AS count$2`, `DISTINCT(user_id) AS distinct$0`.
pub fn local_items<'a>(calls: &[AggregateCall], columns: &dyn Fn(u32) -> &'a str) -> Vec<String> {
    let mut items: Vec<String> = calls
        .iter()
        .zip(all_cell_names(calls))
        .map(|(call, names)| {
            let distinct = if call.distinct {
                format!("distinct${} ", distinct_number(calls, call))
            } else {
                String::new()
            };
            let text = format!("{}({distinct}{})", plan_name(call), arguments(call, columns));
            format!("{} AS {}", with_filter(call, text, columns), cells_text(&names))
        })
        .gather();
    items.extend(distinct_arguments(calls).iter().enumerate().map(|(at, args)| {
        let names: Vec<&str> = args.iter().map(|column| columns(*column)).gather();
        format!("DISTINCT({}) AS distinct${at}", names.join(", "))
    }));
    items
}

/// The `select` items of a global phase behind the keys: `COUNT(count1$0) AS n`, `SUM_RETRACT((sum$1, count$2)) AS total`,
/// `COUNT(distinct$0 count$1) AS users`.
pub fn global_items(calls: &[AggregateCall]) -> Vec<String> {
    calls
        .iter()
        .zip(all_cell_names(calls))
        .map(|(call, names)| {
            let distinct = if call.distinct {
                format!("distinct${} ", distinct_number(calls, call))
            } else {
                String::new()
            };
            format!(
                "{}({distinct}{}) AS {}",
                plan_name(call),
                cells_text(&names),
                call.name
            )
        })
        .gather()
}
