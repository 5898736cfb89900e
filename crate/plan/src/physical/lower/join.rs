//! Joins: which exec node runs one.

use std::rc::Rc;

use super::{Lowering, make};
use crate::{
    logical::{JoinNode, LogicalNode, join_schema},
    physical::{
        expression::conjunction,
        join::{EquiKeys, JoinSide, JoinSpec},
        node::{PhysicalNode, PhysicalOp},
    },
    settings::parse_duration_ms,
};

impl Lowering<'_> {
    /// A join that keeps both inputs, whatever time it is.
    pub(super) fn join(&mut self, node: &LogicalNode, join: &JoinNode) -> Option<Rc<PhysicalNode>> {
        let [left, right] = node.inputs.as_slice() else {
            return None;
        };
        let (left, right) = (self.lower(left)?, self.lower(right)?);
        let (keys, rest) = EquiKeys::split(&join.condition, u32::try_from(left.schema.len()).ok()?);
        let ttl = |at: usize| {
            let hinted = join.hints.ttl.get(at)?.as_deref();
            hinted.and_then(parse_duration_ms)
        };
        let side = |at: usize| JoinSide {
            ttl_ms: ttl(at).unwrap_or(self.settings.state_ttl_ms),
            ..JoinSide::default()
        };
        let fields = join_schema(join.kind, &left.schema, &right.schema);
        let spec = JoinSpec {
            kind: join.kind,
            condition: join.condition.clone(),
            keys,
            residual: conjunction(rest),
            sides: [side(0), side(1)],
            mini_batch: self.bundle(),
            hints: join.hints.clone(),
        };
        Some(make(
            node,
            PhysicalOp::Join(Box::new(spec)),
            vec![left, right],
            fields,
        ))
    }
}
