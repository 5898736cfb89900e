//! Chains of joins that become one exec node.

use std::rc::Rc;

use sg_value::Gather as _;

use super::{Lowering, make};
use crate::{
    logical::{JoinKind, LogicalNode, join_schema},
    physical::{
        multi_join::{Chain, MultiJoinInput, MultiJoinSpec},
        node::{PhysicalNode, PhysicalOp},
    },
    settings::parse_duration_ms,
};

impl Lowering<'_> {
    pub(super) fn multi_join(&mut self, node: &LogicalNode, chain: Chain) -> Option<Rc<PhysicalNode>> {
        let lowered: Vec<Rc<PhysicalNode>> = chain
            .inputs
            .iter()
            .map(|input| self.lower(input))
            .gather::<Option<_>>()?;
        let mut fields = lowered.first()?.schema.to_vec();
        for (input, step) in lowered.iter().skip(1).zip(&chain.steps) {
            let kind = if step.left {
                JoinKind::Left
            } else {
                JoinKind::Inner
            };
            fields = join_schema(kind, &fields, &input.schema);
        }
        let mut steps = chain.steps.into_iter();
        let inputs = lowered
            .iter()
            .zip(chain.keys)
            .zip(&chain.ttl)
            .enumerate()
            .map(|(at, ((input, key), ttl))| MultiJoinInput {
                step: if at == 0 { None } else { steps.next() },
                key,
                unique: None,
                ttl_ms: ttl
                    .as_deref()
                    .and_then(parse_duration_ms)
                    .unwrap_or(self.settings.state_ttl_ms),
                width: u32::try_from(input.schema.len()).unwrap_or(u32::MAX),
            })
            .gather();
        let spec = MultiJoinSpec {
            inputs,
            ttl_hints: chain.ttl,
        };
        Some(make(node, PhysicalOp::MultiJoin(Box::new(spec)), lowered, fields))
    }
}
