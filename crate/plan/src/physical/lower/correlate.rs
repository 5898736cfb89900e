//! Table functions that are called for each row.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Lowering, make};
use crate::{
    logical::{CorrelateNode, LogicalNode, LogicalOp, shown_correlate_schema},
    physical::node::{CorrelateSpec, PhysicalNode, PhysicalOp},
};

impl Lowering<'_> {
    /// A call, numbered as Flink numbers the variables of its plans.
    #[inline(never)]
    pub(super) fn correlate(
        &mut self,
        node: &LogicalNode,
        correlate: &CorrelateNode,
    ) -> Option<Rc<PhysicalNode>> {
        let input = self.lower_input(node)?;
        let variable = self.next_variable;
        self.next_variable += u32::from(correlate.lookups > 0);
        let fields = shown_correlate_schema(&input.schema, correlate);
        let spec = CorrelateSpec {
            left: correlate.left,
            function: correlate.function,
            args: correlate.args.clone(),
            columns: correlate.columns.clone(),
            condition: correlate.condition.clone(),
            row: node
                .inputs
                .first()
                .into_iter()
                .flat_map(|input| input.schema.iter())
                .map(|field| Rc::clone(&field.name))
                .gather(),
            variable: (correlate.lookups > 0).then_some(variable),
        };
        Some(make(
            node,
            PhysicalOp::Correlate(Box::new(spec)),
            vec![input],
            fields,
        ))
    }
}

/// How often rows are looked up by table functions in a tree: the number of the first variable.
pub(in crate::physical) fn lookups(node: &LogicalNode) -> u32 {
    let own = match &node.op {
        LogicalOp::Correlate(correlate) => correlate.lookups,
        _ => 0,
    };
    node.inputs.iter().map(|input| lookups(input)).sum::<u32>() + own
}
