//! Names that only a projection has are lost above a filter that reads nothing else than the projected columns.
//!
//! Flink: Calcite's `ProjectFilterTransposeRule` makes a projection below the filter, where columns have their own names,
//! and the one above, which is left with names alone, goes as any other (`ProjectRemoveRule`). The tree here keeps the
//! projection above: a Calc is the same either way. Cases: select/filter-loses-a-name, window-tvf/filter-loses-a-name.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Rule, RuleContext, rewrite::columns_of};
use crate::logical::{LogicalNode, LogicalOp};

pub(super) struct NamesAboveFilter;

impl Rule for NamesAboveFilter {
    fn name(&self) -> &'static str {
        "names-above-filter"
    }

    fn apply(&self, node: &Rc<LogicalNode>, _cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let LogicalOp::Filter(filter) = &below.op else {
            return None;
        };
        let kept: Vec<u32> = project
            .expressions
            .iter()
            .map(sg_expr::Expr::as_column)
            .gather::<Option<_>>()?;
        let ascending = kept.is_sorted_by(|left, right| left < right);
        let reads_kept = columns_of([&filter.condition])
            .iter()
            .all(|column| kept.contains(column));
        if !ascending || !reads_kept || kept.len() == below.schema.len() {
            return None;
        }
        let mut fields = node.schema.to_vec();
        for (field, column) in fields.iter_mut().zip(&kept) {
            field.name = Rc::clone(&below.schema.get(*column as usize)?.name);
        }
        (fields[..] != node.schema[..]).then(|| {
            Rc::new(LogicalNode {
                schema: fields.into(),
                ..(**node).clone()
            })
        })
    }
}
