//! Windows that put accumulators together, and functions that cannot.
//!
//! Flink: HOP and CUMULATE share slices, sessions grow together; the code of `FIRST_VALUE` and `LAST_VALUE` has no `merge`.
//! HOP takes distinct values of a slice back, which `SUM` and `LISTAGG` without retraction cannot.
//! Cases: errors/first-value-in-a-cumulate-window, errors/last-value-in-a-session, errors/distinct-sum-in-a-hop-window.

use sg_diag::{Code, Diagnostic, Diagnostics};
use sg_expr::AggregateCall;

use super::node::{PhysicalNode, PhysicalOp, WindowKind};

/// Says which function a window cannot have. Only running is refused: Flink finds out when it makes the code.
pub(super) fn check(node: &PhysicalNode, diags: &mut Diagnostics) -> Option<()> {
    let calls = match &node.op {
        PhysicalOp::WindowAggregate(spec) if merges(&spec.window.kind) => &spec.calls[..],
        PhysicalOp::GroupWindowAggregate(spec) if merges(&spec.window.kind) => &spec.calls[..],
        _ => &[],
    };
    let hopping = match &node.op {
        PhysicalOp::WindowAggregate(spec) => Some((&spec.window, &spec.calls)),
        PhysicalOp::GlobalWindowAggregate(spec) => Some((&spec.window, &spec.calls)),
        _ => None,
    };
    if let Some((_, calls)) = hopping.filter(|(window, _)| matches!(window.kind, WindowKind::Hop { .. })) {
        distinct_in_hop(calls, diags)?;
    }
    for call in calls {
        if let Some(flink) = without_merge(call) {
            let function = call.function.name;
            diags.push(
                Diagnostic::new(Code::WindowNeedsMerge, call.span)
                    .arg("function", function)
                    .flink(flink),
            );
            return None;
        }
    }
    node.inputs.iter().try_for_each(|input| check(input, diags))
}

/// Says which call over distinct values a HOP window cannot have.
fn distinct_in_hop(calls: &[AggregateCall], diags: &mut Diagnostics) -> Option<()> {
    for call in calls.iter().filter(|call| call.distinct) {
        let class = match call.function.name {
            "SUM" => ", Please choose SumWithRetractAggFunction.",
            "LISTAGG" => ".",
            _ => continue,
        };
        let flink = format!("TableException: This function does not support retraction{class}");
        let refused = Diagnostic::new(Code::DistinctInHop, call.span).arg("function", call.function.name);
        diags.push(refused.flink(flink));
        return None;
    }
    Some(())
}

fn merges(kind: &WindowKind) -> bool {
    matches!(
        kind,
        WindowKind::Hop { .. } | WindowKind::Cumulate { .. } | WindowKind::Session { .. }
    )
}

/// Flink's message, for a function that cannot be merged.
#[inline(never)]
fn without_merge(call: &AggregateCall) -> Option<String> {
    let word = match call.function.name {
        "FIRST_VALUE" => "FirstValue",
        "LAST_VALUE" => "LastValue",
        _ => return None,
    };
    let package = "org.apache.flink.table.runtime.functions.aggregate";
    let (class, accumulator) = if call.retract {
        let class = format!("{word}WithRetractAggFunction");
        let accumulator = format!("{package}.{class}.{word}WithRetractAccumulator");
        (class, accumulator)
    } else {
        (
            format!("{word}AggFunction"),
            "org.apache.flink.table.data.RowData".to_owned(),
        )
    };
    Some(format!(
        "ValidationException: Could not find an implementation method 'merge' in class '{package}.{class}' for function \
         '{}' that matches the following signature:\nvoid merge({accumulator}, java.lang.Iterable)",
        call.function.name
    ))
}
