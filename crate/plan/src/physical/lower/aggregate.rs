//! Aggregations without a window.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::AggregateCall;
use sg_value::{Field, Gather as _, TypeKind};

use super::{Lowering, make, window::is_window_aggregate};
use crate::{
    logical::{AggregateNode, LogicalNode},
    physical::{
        explain::flink_logical_text,
        node::{GroupAggregateSpec, PhysicalNode, PhysicalOp},
        window_property::window_properties,
    },
    settings::parse_duration_ms,
};

impl Lowering<'_> {
    /// Refuses DISTINCT of what Flink cannot keep apart (`AggregateUtil.createDistinctKeyType`); `text` makes a message of its
    /// reason. Cases: group-agg/distinct-of-*.
    #[inline(never)]
    pub(super) fn check_distinct(
        &mut self,
        calls: &[AggregateCall],
        text: impl FnOnce(&str) -> String,
    ) -> Option<()> {
        let found = calls.iter().filter(|call| call.distinct).find_map(|call| {
            let [of] = call.arg_types.as_slice() else {
                return None;
            };
            let root = match of.kind {
                TypeKind::Binary(_) => "BINARY",
                TypeKind::Varbinary(_) => "VARBINARY",
                TypeKind::Map(..) => "MAP",
                TypeKind::Multiset(_) => "MULTISET",
                TypeKind::Row(_) => "ROW",
                TypeKind::Structured(..) => "STRUCTURED_TYPE",
                _ => return None,
            };
            Some((call, of, root))
        });
        let Some((call, of, root)) = found else {
            return Some(());
        };
        let reason = format!(
            "Distinct aggregate function does not support type: {root}.\nPlease re-check the data type."
        );
        self.refuse(
            Diagnostic::new(Code::CallNotRunnable, call.span)
                .arg("function", format!("{}(DISTINCT)", call.function.name))
                .arg_list("types", [of.to_string()])
                .flink(text(&reason)),
        )
    }

    /// A window aggregation where every grouping set has the start and the end of one window, else a group
    /// aggregation.
    #[inline(never)]
    pub(super) fn aggregate(
        &mut self,
        node: &LogicalNode,
        aggregate: &AggregateNode,
    ) -> Option<Rc<PhysicalNode>> {
        if let Some(call) = aggregate
            .calls
            .iter()
            .find(|call| call.function.name == "COUNT" && call.args.len() > 1)
        {
            let flink = format!(
                "TableException: Sql optimization: Cannot generate a valid execution plan for the given query: \n\n{}\n\n\
                 We now only support the count of one field.\nPlease check the documentation for the set of currently \
                 supported SQL features.",
                flink_logical_text(self.root)
            );
            return self.refuse(
                Diagnostic::new(Code::CountOfSeveral, call.span)
                    .arg("given", call.args.len())
                    .flink(flink),
            );
        }
        let input = node.inputs.first()?;
        if let Some(window) = window_properties(input)
            && is_window_aggregate(input, aggregate, &window)
        {
            self.check_distinct(&aggregate.calls, |reason| window_rule_failed(node, reason))?;
            return self.window_aggregate(node, aggregate, &window);
        }
        let root = self.root;
        self.check_distinct(&aggregate.calls, |reason| {
            format!(
                "TableException: Sql optimization: Cannot generate a valid execution plan for the given query: \n\n{}\n\n\
                 {reason}\nPlease check the documentation for the set of currently supported SQL features.",
                flink_logical_text(root)
            )
        })?;
        if !is_plain(aggregate) {
            return self.unsupported("GroupAggregate with grouping sets", node.span);
        }
        let input = self.lower(input)?;
        let fields = output_fields(&input, aggregate);
        let hinted = aggregate.ttl_hint.as_deref().and_then(parse_duration_ms);
        let spec = GroupAggregateSpec {
            keys: aggregate.keys.clone(),
            calls: aggregate.calls.clone(),
            record_counter: None,
            visible_calls: u32::try_from(aggregate.calls.len()).ok()?,
            update_before: false,
            ttl_ms: hinted.unwrap_or(self.settings.state_ttl_ms),
            ttl_hint: aggregate.ttl_hint.clone(),
            mini_batch: self.bundle(),
            stage: aggregate.stage,
            of_nothing: self.settings.batch && aggregate.keys.is_empty(),
        };
        Some(make(node, PhysicalOp::GroupAggregate(spec), vec![input], fields))
    }
}

/// Whether there is one grouping set with all keys.
fn is_plain(aggregate: &AggregateNode) -> bool {
    matches!(aggregate.sets.as_slice(), [set] if set.len() == aggregate.keys.len())
}

/// Key columns under the names that the input has for them, then the calls.
pub(super) fn output_fields(input: &PhysicalNode, aggregate: &AggregateNode) -> Vec<Field> {
    let keys = aggregate
        .keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize))
        .cloned();
    let calls = aggregate.calls.iter().map(|call| Field {
        name: Rc::clone(&call.name),
        data_type: call.data_type.clone(),
    });
    keys.chain(calls).gather()
}

/// What the planner says where a rule for windows gave up.
fn window_rule_failed(node: &LogicalNode, reason: &str) -> String {
    let text = flink_logical_text(&Rc::new(node.clone()));
    let own = text.lines().next().unwrap_or_default();
    let own = own.strip_prefix("FlinkLogicalAggregate(").unwrap_or(own);
    let own = own.strip_suffix("])").unwrap_or(own);
    let own = own.replace("=[", "=").replace("], ", ",");
    format!(
        "RuntimeException: Error while applying rule StreamPhysicalWindowAggregateRule(in:LOGICAL,out:STREAM_PHYSICAL), args \
         [rel#N:FlinkLogicalAggregate.LOGICAL.any.None: 0.[NONE].[NONE].[NONE](input=RelSubset#N,{own})]\n\
         RuntimeException: Error occurred while applying rule StreamPhysicalWindowAggregateRule(in:LOGICAL,\
         out:STREAM_PHYSICAL)\nTableException: {reason}"
    )
}
