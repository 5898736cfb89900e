//! When a group window emits beside its end, `table.exec.emit.*`, and which windows are refused.
//!
//! Flink: `WindowEmitStrategy`. Cases: group-window/early-fire-*, group-window/late-fire-*, batch/group-window-*.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics};

use super::{
    explain::{logical_plan, window_name},
    node::{EmitSpec, GroupWindowAggregateSpec, PhysicalNode, PhysicalOp, WindowSpec},
};
use crate::settings::Settings;

/// The strategy that the settings ask for; `None` where a window emits at its end only.
pub(super) fn strategy(window: &WindowSpec, settings: &Settings) -> Option<EmitSpec> {
    // Processing time is never late.
    let late = settings.late_fire && window.rowtime;
    if !settings.early_fire && !late {
        return None;
    }
    let lateness_ms = settings.allow_lateness_ms.unwrap_or(settings.state_ttl_ms);
    Some(EmitSpec {
        early_ms: settings
            .early_fire
            .then(|| settings.early_fire_delay_ms.unwrap_or(-1)),
        late_ms: late.then(|| settings.late_fire_delay_ms.unwrap_or(-1)),
        lateness_ms: if late { lateness_ms } else { 0 },
    })
}

/// Says which window the settings do not fit, or batch mode.
pub(super) fn check(root: &Rc<PhysicalNode>, settings: &Settings, diags: &mut Diagnostics) -> Option<()> {
    let Some((node, problem)) = first_problem(root, settings) else {
        return Some(());
    };
    // Flink's plan has no node that gathers the result
    let root = match (&root.op, root.inputs.first()) {
        (PhysicalOp::FinalResult(_), Some(input)) => input,
        _ => root,
    };
    let flink = format!(
        "TableException: {}Cannot generate a valid execution plan for the given query: \n\n{}\n\n{}\nPlease check the \
         documentation for the set of currently supported SQL features.",
        problem.prefix,
        logical_plan(root),
        problem.flink
    );
    diags.push(
        Diagnostic::new(problem.code, node.span)
            .arg("reason", problem.reason)
            .flink(flink),
    );
    None
}

struct Problem {
    code: Code,
    prefix: &'static str,
    reason: &'static str,
    flink: String,
}

fn first_problem(node: &Rc<PhysicalNode>, settings: &Settings) -> Option<(Rc<PhysicalNode>, Problem)> {
    let below = node
        .inputs
        .iter()
        .find_map(|input| first_problem(input, settings));
    if below.is_some() {
        return below;
    }
    let PhysicalOp::GroupWindowAggregate(spec) = &node.op else {
        return None;
    };
    let found = if settings.batch {
        problem_in_batch(spec)
    } else {
        problem(&spec.window, settings)
    };
    found.map(|problem| (Rc::clone(node), problem))
}

/// What windows of GROUP BY lack in batch mode. Flink: `BatchPhysicalWindowAggregateRule`.
fn problem_in_batch(spec: &GroupWindowAggregateSpec) -> Option<Problem> {
    let session = spec.window.kind.is_session();
    let distinct = spec.calls.iter().any(|call| call.distinct);
    (session || distinct).then(|| Problem {
        code: Code::NotInBatchWindow,
        prefix: if session { "Sql optimization: " } else { "" },
        reason: if session { "SESSION" } else { "DISTINCT" },
        flink: if session {
            format!("Window {} is not supported right now.", window_name(spec))
        } else {
            "DISTINCT aggregates are currently not supported.".to_owned()
        },
    })
}

#[inline(never)]
fn problem(window: &WindowSpec, settings: &Settings) -> Option<Problem> {
    let problem = |reason, flink: String| {
        Some(Problem {
            code: Code::EmitStrategy,
            prefix: "Sql optimization: ",
            reason,
            flink,
        })
    };
    let (early, late) = (settings.early_fire, settings.late_fire);
    if window.kind.is_session() {
        return if early || late {
            problem(
                "a SESSION emits at its end only",
                "Session window doesn't support EMIT strategy currently.".to_owned(),
            )
        } else {
            None
        };
    }
    let lateness_ms = settings.allow_lateness_ms.unwrap_or(settings.state_ttl_ms);
    if window.rowtime && late && lateness_ms <= 0 {
        return problem(
            "late-fire needs allow-lateness",
            "The 'AFTER WATERMARK' emit strategy requires set 'allow-lateness' or 'minIdleStateRetentionTime' in table \
             config."
                .to_owned(),
        );
    }
    if early && settings.early_fire_delay_ms.is_none_or(|delay_ms| delay_ms < 0) {
        return problem(
            "early-fire needs a delay",
            "Early-fire delay should not be null or negative value whenenable early-fire emit strategy."
                .to_owned(),
        );
    }
    if late && settings.late_fire_delay_ms.is_none_or(|delay_ms| delay_ms < 0) {
        return problem(
            "late-fire needs a delay",
            "Late-fire delay should not be null or negative value whenenable late-fire emit strategy."
                .to_owned(),
        );
    }
    match settings.late_fire_delay_ms {
        Some(delay_ms) if late && lateness_ms < delay_ms => problem(
            "allow-lateness is shorter than the delay of late-fire",
            format!(
                "Allow-lateness [{lateness_ms}ms] should not be smaller than Late-fire delay [{delay_ms}ms] when enable \
                 late-fire emit strategy."
            ),
        ),
        _ => None,
    }
}
