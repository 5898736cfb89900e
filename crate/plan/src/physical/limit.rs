//! What a plan may ask of a page: so many subtasks, and so many windows for a row.
//!
//! Flink has neither limit: a cluster grows, and a job that never ends is stopped by somebody. Here a row in a thousand
//! million windows would stop the page.

use sg_diag::{Code, Diagnostic, Diagnostics, Span};

use super::node::{PhysicalNode, PhysicalOp, WindowKind};
use crate::settings::Settings;

/// Most subtasks of an operator: one for each key group, as many as there are unless set.
const SUBTASKS: u32 = 128;
/// Most windows that a row is in, or results that one gives: a day by the second fits.
const WINDOWS: i64 = 100_000;

/// Says what is too much; `None` where it did.
pub(super) fn check(root: &PhysicalNode, settings: &Settings, diags: &mut Diagnostics) -> Option<()> {
    let problem = if settings.parallelism > SUBTASKS {
        Diagnostic::new(Code::TooManySubtasks, root.span).arg("limit", SUBTASKS)
    } else if let Some(span) = too_many_windows(root) {
        Diagnostic::new(Code::TooManyWindows, span).arg("limit", WINDOWS)
    } else {
        return Some(());
    };
    diags.push(problem);
    None
}

/// The window that gives a row too many of them.
fn too_many_windows(node: &PhysicalNode) -> Option<Span> {
    let window = match &node.op {
        PhysicalOp::WindowTableFunction(spec) => Some(&spec.window),
        PhysicalOp::WindowAggregate(spec) => Some(&spec.window),
        PhysicalOp::GroupWindowAggregate(spec) => Some(&spec.window),
        _ => None,
    };
    let own = window.filter(|window| windows_of_a_row(&window.kind) > WINDOWS);
    own.map(|window| window.span)
        .or_else(|| node.inputs.iter().find_map(|input| too_many_windows(input)))
}

fn windows_of_a_row(kind: &WindowKind) -> i64 {
    let (whole_ms, part_ms) = match *kind {
        WindowKind::Hop {
            slide_ms, size_ms, ..
        } => (size_ms, slide_ms),
        WindowKind::Cumulate {
            step_ms, max_size_ms, ..
        } => (max_size_ms, step_ms),
        WindowKind::Dynamic { step_ms, gap_ms } => (gap_ms, step_ms),
        WindowKind::Tumble { .. } | WindowKind::Session { .. } => return 1,
    };
    whole_ms.checked_div(part_ms).unwrap_or(1)
}
