//! The texts of aggregate calls in each phase.

use sg_expr::{
    AggregateCall,
    aggregate::{cell_names, plan_name, plan_text},
};
use sg_value::{Field, Gather as _};

use super::{
    line::{name_of, names},
    window::window_text,
};
use crate::logical::AggregateStage;
use crate::physical::{
    node::{
        GroupAggregateSpec, IncrementalGroupAggregateSpec, LocalWindowAggregateSpec, MiniBatchAssignerSpec,
        PhysicalOp, WindowAggregateSpec, WindowProperty,
    },
    phases::distinct_arguments,
};

/// `interval=[1000ms], mode=[ProcTime]`
#[inline(never)]
pub(super) fn bundles(spec: MiniBatchAssignerSpec) -> Vec<String> {
    let mode = if spec.rowtime { "RowTime" } else { "ProcTime" };
    vec![
        format!("interval=[{}ms]", spec.interval_ms),
        format!("mode=[{mode}]"),
    ]
}

/// `groupBy=[k], window=[…], select=[k, COUNT(*) AS n, start('w$) AS window_start]`: an aggregation over windows, or one of
/// its phases.
#[inline(never)]
pub(super) fn windows(op: &PhysicalOp, input: &[Field], output: &[Field]) -> Vec<String> {
    let (keys, window, items) = match op {
        PhysicalOp::WindowAggregate(spec) => (
            spec.keys.clone(),
            window_text(&spec.window, &spec.partition, input),
            windowed(spec, input, output),
        ),
        PhysicalOp::LocalWindowAggregate(spec) => (
            spec.keys.clone(),
            window_text(&spec.window, &[], input),
            local_window(spec, input, output),
        ),
        PhysicalOp::GlobalWindowAggregate(spec) => {
            let keys: Vec<u32> = (0..spec.key_count).gather();
            let items = global(&keys, &spec.calls, &spec.properties, (input, output));
            (keys, window_text(&spec.window, &[], input), items)
        }
        _ => return Vec::new(),
    };
    let grouped = (!keys.is_empty()).then(|| format!("groupBy=[{}]", names(&keys, input)));
    let extension = matches!(op, PhysicalOp::WindowAggregate(spec) if spec.window.kind.is_extension());
    let rest = [
        format!("window=[{window}]"),
        format!("select=[{}]", items.join(", ")),
    ];
    let extension = extension.then(|| "extension=[true]".to_owned());
    grouped.into_iter().chain(rest).chain(extension).gather()
}

/// `groupBy=[k], select=[k, COUNT(*) AS n]`: an aggregation without a window, or one of its phases.
#[inline(never)]
pub(super) fn grouped(
    op: &PhysicalOp,
    spec: &GroupAggregateSpec,
    (input, output): (&[Field], &[Field]),
) -> Vec<String> {
    let items = match op {
        PhysicalOp::LocalGroupAggregate(_) => local(&spec.keys, &spec.calls, input),
        PhysicalOp::GlobalGroupAggregate(_) => global(&spec.keys, &spec.calls, &[], (input, output)),
        _ => complete(&spec.keys, &spec.calls, spec.visible_calls, input),
    };
    let groups = (!spec.keys.is_empty()).then(|| format!("groupBy=[{}]", names(&spec.keys, input)));
    let stage = match spec.stage {
        AggregateStage::Whole => None,
        AggregateStage::Partial => Some("partialFinalType=[PARTIAL]".to_owned()),
        AggregateStage::Final => Some("partialFinalType=[FINAL]".to_owned()),
    };
    let select = format!("select=[{}]", items.join(", "));
    // the count of rows came with the first step
    let counted = spec
        .record_counter
        .filter(|at| spec.stage == AggregateStage::Final && *at < spec.visible_calls)
        .map(|at| format!("indexOfCountStar=[{at}]"));
    groups
        .into_iter()
        .chain(stage)
        .chain([select])
        .chain(counted)
        .gather()
}

/// `partialAggGrouping=[k, $f2], finalAggGrouping=[k], select=[k, COUNT(distinct$0 count$1) AS count$1]`
#[inline(never)]
pub(super) fn incremental(spec: &IncrementalGroupAggregateSpec, input: &[Field]) -> Vec<String> {
    let IncrementalGroupAggregateSpec { partial, final_keys } = spec;
    let keys = partial.keys.get(..*final_keys as usize).unwrap_or_default();
    let mut items = key_items(keys, input);
    let distinct = distinct_arguments(&partial.calls);
    let cells = cells_in(
        &partial.calls,
        input.get(partial.keys.len()..).unwrap_or_default(),
    );
    for (call, cells) in partial.calls.iter().zip(cells) {
        let seen = seen_values(call, &distinct)
            .map(|view| format!("{view} "))
            .unwrap_or_default();
        items.push(format!("{}({seen}{cells}) AS {cells}", plan_name(call)));
    }
    vec![
        format!("partialAggGrouping=[{}]", names(&partial.keys, input)),
        format!("finalAggGrouping=[{}]", names(keys, input)),
        format!("select=[{}]", items.join(", ")),
    ]
}

/// `k, COUNT(*) AS n, SUM(x) AS total`: the whole aggregation in one node.
pub(super) fn complete(keys: &[u32], calls: &[AggregateCall], visible: u32, input: &[Field]) -> Vec<String> {
    let mut items = key_items(keys, input);
    let columns = |column: u32| name_of(column, input);
    items.extend(
        calls
            .iter()
            .take(visible as usize)
            .map(|call| format!("{} AS {}", plan_text(call, &columns), call.name)),
    );
    items
}

/// A window aggregation in one node.
fn windowed(spec: &WindowAggregateSpec, input: &[Field], output: &[Field]) -> Vec<String> {
    let mut items = complete(&spec.keys, &spec.calls, spec.visible_calls, input);
    items.extend(property_items(&spec.properties, output));
    items
}

/// `k, COUNT(*) AS count1$0, AVG(x) AS (sum$1, count$2), DISTINCT(u) AS distinct$0, slice_end('w$) AS $slice_end`
fn local_window(spec: &LocalWindowAggregateSpec, input: &[Field], output: &[Field]) -> Vec<String> {
    let mut items = local(&spec.keys, &spec.calls, input);
    if let Some(end) = output.last() {
        items.push(format!("slice_end('w$) AS {}", end.name));
    }
    items
}

/// The same without the end of a slice.
pub(super) fn local(keys: &[u32], calls: &[AggregateCall], input: &[Field]) -> Vec<String> {
    let mut items = key_items(keys, input);
    let distinct = distinct_arguments(calls);
    for (call, cells) in calls.iter().zip(cells_of(calls)) {
        let filter = call
            .filter
            .map(|column| format!(" FILTER {}", name_of(column, input)))
            .unwrap_or_default();
        let args = if call.args.is_empty() {
            "*".to_owned()
        } else {
            names(&call.args, input)
        };
        let seen = seen_values(call, &distinct)
            .map(|view| format!("{view} "))
            .unwrap_or_default();
        items.push(format!("{}({seen}{args}){filter} AS {cells}", plan_name(call)));
    }
    for (at, args) in distinct.iter().enumerate() {
        items.push(format!("DISTINCT({}) AS distinct${at}", names(args, input)));
    }
    items
}

/// `k, COUNT(count1$0) AS n, AVG((sum$1, count$2)) AS a, COUNT(distinct$0 count$3) AS u, start('w$) AS window_start`
fn global(
    keys: &[u32],
    calls: &[AggregateCall],
    properties: &[WindowProperty],
    (input, output): (&[Field], &[Field]),
) -> Vec<String> {
    let mut items = key_items(keys, input);
    let distinct = distinct_arguments(calls);
    let mut texts: Vec<String> = Vec::new();
    for (call, cells) in calls
        .iter()
        .zip(cells_in(calls, input.get(keys.len()..).unwrap_or_default()))
    {
        let seen = seen_values(call, &distinct)
            .map(|view| format!("{view} "))
            .unwrap_or_default();
        texts.push(format!("{}({seen}{cells})", plan_name(call)));
    }
    texts.extend(properties.iter().map(|property| property_text(*property)));
    // A hidden call is named like the column behind it, and the last text finds no name any more.
    // Case: cdc/sum-in-windows-of-an-upsert-source.
    let names = output.iter().skip(keys.len());
    items.extend(
        texts
            .iter()
            .zip(names)
            .map(|(text, field)| format!("{text} AS {}", field.name)),
    );
    items
}

fn key_items(keys: &[u32], input: &[Field]) -> Vec<String> {
    keys.iter().map(|key| name_of(*key, input).to_owned()).gather()
}

/// The cells of each call under the names that the first phase gives them.
fn cells_in(calls: &[AggregateCall], fields: &[Field]) -> Vec<String> {
    let mut rest = fields.iter();
    calls
        .iter()
        .map(|call| {
            let count = cell_names(call, 0).len();
            let cells: Vec<&str> = rest.by_ref().take(count).map(|field| &*field.name).gather();
            match cells.as_slice() {
                [cell] => (*cell).to_owned(),
                cells => format!("({})", cells.join(", ")),
            }
        })
        .gather()
}

/// The cells of each call as plans show them: `sum$0`, or `(sum$1, count$2)`.
fn cells_of(calls: &[AggregateCall]) -> Vec<String> {
    let mut next = 0;
    calls
        .iter()
        .map(|call| {
            let cells = cell_names(call, next);
            next += u32::try_from(cells.len()).unwrap_or(u32::MAX);
            match cells.as_slice() {
                [cell] => cell.clone(),
                cells => format!("({})", cells.join(", ")),
            }
        })
        .gather()
}

/// The name of the set of seen values of a DISTINCT call.
fn seen_values(call: &AggregateCall, distinct: &[&[u32]]) -> Option<String> {
    let at = distinct.iter().position(|args| *args == call.args.as_slice())?;
    call.distinct.then(|| format!("distinct${at}"))
}

fn property_items<'a>(
    properties: &'a [WindowProperty],
    output: &'a [Field],
) -> impl Iterator<Item = String> + 'a {
    let first = output.len().saturating_sub(properties.len());
    properties
        .iter()
        .zip(output.iter().skip(first))
        .map(|(property, field)| format!("{} AS {}", property_text(*property), field.name))
}

fn property_text(property: WindowProperty) -> String {
    let word = match property {
        WindowProperty::Start => "start",
        WindowProperty::End => "end",
        WindowProperty::Rowtime => "rowtime",
        WindowProperty::Proctime => "proctime",
    };
    format!("{word}('w$)")
}
