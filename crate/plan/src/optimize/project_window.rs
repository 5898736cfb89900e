//! A window table function carries only columns that are read above it, its time column and its partition columns.
//!
//! Flink: `ProjectWindowTableFunctionTransposeRule`.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    Kinds, Rule, RuleContext,
    rewrite::{all_columns, columns_of, names, positions, renumber, with_inputs},
};
use crate::{
    logical::{FilterNode, LogicalNode, LogicalOp, ProjectNode, WindowTvfNode},
    physical::node::WindowSource,
};

pub(super) struct ColumnsBelowWindow;

impl Rule for ColumnsBelowWindow {
    fn name(&self) -> &'static str {
        "columns-below-window"
    }

    fn needs(&self) -> Kinds {
        Kinds::WINDOW_TVF
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (filter, window) = match &below.op {
            LogicalOp::Filter(filter) => (Some(filter), below.inputs.first()?),
            _ => (None, below),
        };
        let LogicalOp::WindowTvf(tvf) = &window.op else {
            return None;
        };
        let input = window.inputs.first()?;
        let width = input.schema.len();
        let read = columns_of(
            project
                .expressions
                .iter()
                .chain(filter.map(|filter| &filter.condition)),
        );
        let time = match tvf.window.source {
            WindowSource::TimeColumn(column) => Some(column),
            WindowSource::Attached { .. } | WindowSource::SliceEnd(_) => None,
        };
        let is_kept =
            |column: &u32| read.contains(column) || time == Some(*column) || tvf.partition.contains(column);
        let kept: Vec<u32> = (0_u32..).take(width).filter(is_kept).gather();
        if kept.len() == width {
            return None;
        }
        let input_names = names(input);
        let columns = all_columns(input);
        let pick = |column: &u32| columns.get(*column as usize).cloned();
        let expressions: Vec<Expr> = kept.iter().filter_map(pick).gather();
        let kept_names: Vec<Rc<str>> = kept
            .iter()
            .filter_map(|&column| input_names.get(column as usize).map(Rc::clone))
            .gather();
        let narrow = cx
            .builder
            .project_always(Rc::clone(input), expressions, &kept_names, window.span);
        // the window's own three columns follow those of its input
        let all_kept: Vec<u32> = kept
            .iter()
            .copied()
            .chain((0_u32..).skip(width).take(window.schema.len() - width))
            .gather();
        let positions = positions(&all_kept, window.schema.len());
        let windowed = LogicalNode {
            op: LogicalOp::WindowTvf(renumbered(tvf, &positions)),
            ..(**window).clone()
        };
        let mut input = with_inputs(&windowed, vec![narrow]);
        if let Some(filter) = filter {
            let condition = renumber(&filter.condition, &positions);
            let filtered = LogicalNode {
                op: LogicalOp::Filter(FilterNode { condition }),
                ..(**below).clone()
            };
            input = with_inputs(&filtered, vec![input]);
        }
        let expressions: Vec<Expr> = project
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        let changed = LogicalNode {
            op: LogicalOp::Project(ProjectNode { expressions }),
            ..(**node).clone()
        };
        Some(with_inputs(&changed, vec![input]))
    }
}

fn renumbered(tvf: &WindowTvfNode, positions: &[Option<u32>]) -> WindowTvfNode {
    let at = |column: u32| {
        positions
            .get(column as usize)
            .copied()
            .flatten()
            .unwrap_or(u32::MAX)
    };
    let mut changed = tvf.clone();
    if let WindowSource::TimeColumn(column) = &mut changed.window.source {
        *column = at(*column);
    }
    for key in &mut changed.partition {
        *key = at(*key);
    }
    changed
}
