//! Window joins: both inputs have the same windows, and the condition compares their starts and their ends.
//!
//! Flink: `WindowJoinUtil`. Other windows, or one bound only, make a regular join.

use sg_expr::{Expr, ExprKind};

use crate::{
    logical::LogicalNode,
    physical::{
        join::conjuncts,
        node::{WindowSource, WindowSpec},
        window_property::window_properties,
    },
};

/// The windows of both inputs, and what the condition asks for beside them.
pub(in crate::physical) fn equal_windows(
    condition: &Expr,
    left: &LogicalNode,
    right: &LogicalNode,
) -> Option<([WindowSpec; 2], Vec<Expr>)> {
    let (of_left, of_right) = (window_properties(left)?, window_properties(right)?);
    let width = u32::try_from(left.schema.len()).ok()?;
    let (mut starts, mut ends, mut rest) = (None, None, Vec::new());
    for part in conjuncts(condition) {
        match compared(part, width) {
            Some((one, other)) if of_left.starts.contains(&one) && of_right.starts.contains(&other) => {
                starts = starts.or(Some((one, other)));
            }
            Some((one, other)) if of_left.ends.contains(&one) && of_right.ends.contains(&other) => {
                ends = ends.or(Some((one, other)));
            }
            // The equalities are written anew, the left column first.
            Some((one, _)) => rest.push(in_order(part, one)),
            None => rest.push(part.clone()),
        }
    }
    let (starts, ends) = (starts?, ends?);
    let same = of_left.window.kind == of_right.window.kind
        && of_left.window.rowtime == of_right.window.rowtime
        && of_left.window.zone == of_right.window.zone;
    if !same {
        return None;
    }
    let attached = |window: WindowSpec, start, end| WindowSpec {
        source: WindowSource::Attached {
            start: Some(start),
            end,
        },
        ..window
    };
    Some((
        [
            attached(of_left.window, starts.0, ends.0),
            attached(of_right.window, starts.1, ends.1),
        ],
        rest,
    ))
}

/// `left = right` of an equality of these columns, whichever comes first in it.
fn in_order(equality: &Expr, left: u32) -> Expr {
    let mut equality = equality.clone();
    if let ExprKind::Call { args, .. } = &mut equality.kind
        && args.first().and_then(Expr::as_column) != Some(left)
    {
        args.reverse();
    }
    equality
}

/// The two columns of `a = b`, a left one and a right one in its own number.
fn compared(expr: &Expr, width: u32) -> Option<(u32, u32)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let (one, other) = (one.as_column()?, other.as_column()?);
    let (left, right) = if one < other { (one, other) } else { (other, one) };
    (function.name == "=" && left < width && right >= width).then(|| (left, right - width))
}
