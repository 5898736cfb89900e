//! Windowed calls and rankings in batch: what sorts for them, and windows that share a sort in one node.
//!
//! Flink: `BatchPhysicalOverAggregate`, `BatchPhysicalRank`. Cases: batch/over-*, batch/rank*.

use std::rc::Rc;

use sg_expr::AggregateCall;
use sg_value::{Field, Gather as _};

use super::{
    super::{
        line::{all_names, name_of, names},
        rank::{order, over_call_text},
        tree::Drawing,
    },
    Drawer, Part, exchange, line,
};
use crate::physical::node::{OverAggregateSpec, PhysicalNode, PhysicalOp};

/// What rows are put together and sorted by.
struct Order {
    keys: String,
    by: String,
    /// All of it, for the node that sorts.
    sort: String,
}

impl Order {
    fn of(spec: &OverAggregateSpec, fields: &[Field]) -> Self {
        let by = order(&spec.order, fields);
        let mut sort: Vec<String> = spec
            .partition
            .iter()
            .map(|key| format!("{} ASC", name_of(*key, fields)))
            .gather();
        let rest = spec
            .order
            .iter()
            .filter(|key| !spec.partition.contains(&key.column));
        let rest = order(&rest.copied().gather::<Vec<_>>(), fields);
        if !rest.is_empty() {
            sort.push(rest);
        }
        Self {
            keys: names(&spec.partition, fields),
            by,
            sort: sort.join(", "),
        }
    }

    fn sorted(&self, tree: Rc<Drawing>) -> Rc<Drawing> {
        if self.sort.is_empty() {
            tree
        } else {
            line(format!("Sort(orderBy=[{}])", self.sort), vec![tree])
        }
    }

    /// Where equal keys are together already, what sorts stands below a projection.
    fn prepared(&self, part: &Part) -> Rc<Drawing> {
        let tree = &part.tree;
        if part.together.as_ref() != Some(&self.keys) {
            let to = if self.keys.is_empty() {
                "single".to_owned()
            } else {
                format!("hash[{}]", self.keys)
            };
            return self.sorted(exchange(&to, Rc::clone(tree)));
        }
        match tree.inputs.as_slice() {
            [below] if tree.text.starts_with("Calc(") => {
                line(tree.text.clone(), vec![self.sorted(Rc::clone(below))])
            }
            _ => self.sorted(Rc::clone(tree)),
        }
    }
}

/// The spec and the input of windowed calls, exchanges left out.
fn windowed(node: &PhysicalNode) -> Option<(&OverAggregateSpec, &Rc<PhysicalNode>)> {
    let input = node.inputs.first()?;
    match &node.op {
        PhysicalOp::Exchange(_) => windowed(input),
        PhysicalOp::OverAggregate(spec) => Some((spec, input)),
        _ => None,
    }
}

impl Drawer {
    pub(super) fn over(
        &self,
        spec: &OverAggregateSpec,
        input: &Rc<PhysicalNode>,
        node: &PhysicalNode,
    ) -> Part {
        let mut windows = vec![(spec, input)];
        let mut below = input;
        while let Some((lower, base)) = windowed(below)
            && (&lower.partition, &lower.order) == (&spec.partition, &spec.order)
            && base.schema.len() < below.schema.len()
            && lower.places.is_none()
            && logical(below) == node.logical
        {
            windows.push((lower, base));
            below = base;
        }
        windows.reverse();
        let part = self.drawn(below);
        let in_chain = windowed(below).is_some() && logical(below) == node.logical;
        let mut columns = if in_chain {
            part.columns.clone()
        } else {
            below.schema.to_vec()
        };
        let sort = Order::of(spec, &below.schema);
        let mut parts = Vec::new();
        if !spec.partition.is_empty() {
            parts.push(format!("partitionBy=[{}]", sort.keys));
        }
        if !spec.order.is_empty() {
            parts.push(format!("orderBy=[{}]", sort.by));
        }
        for (at, (window, input)) in windows.iter().enumerate() {
            let text = |call: &AggregateCall| {
                format!("{} AS {}", over_call_text(window, call, &input.schema), call.name)
            };
            let calls: Vec<String> = window.calls.iter().map(text).gather();
            parts.push(format!(
                "window#{at}=[{} {}]",
                calls.join(", "),
                window.frame.text()
            ));
            columns.extend(window.calls.iter().map(|call| Field {
                name: Rc::clone(&call.name),
                data_type: call.data_type.clone(),
            }));
        }
        parts.push(format!("select=[{}]", all_names(&columns)));
        let text = format!("OverAggregate({})", parts.join(", "));
        Part {
            tree: line(text, vec![sort.prepared(&part)]),
            columns,
            together: Some(sort.keys),
            single: false,
        }
    }

    /// The best of each part, then the best of all.
    pub(super) fn ranked(
        &self,
        (spec, (start, end)): (&OverAggregateSpec, (i64, i64)),
        input: &Rc<PhysicalNode>,
        node: &PhysicalNode,
    ) -> Part {
        let part = self.drawn(input);
        let sort = Order::of(spec, &input.schema);
        let text = |start: i64, global: bool, fields: &[Field]| {
            format!(
                "Rank(rankType=[RANK], rankRange=[rankStart={start}, rankEnd={end}], partitionBy=[{}], orderBy=[{}], \
                 global=[{global}], select=[{}])",
                sort.keys,
                sort.by,
                all_names(fields)
            )
        };
        let local = line(text(1, false, &input.schema), vec![sort.sorted(part.tree)]);
        let below = Part {
            tree: local,
            columns: Vec::new(),
            ..part
        };
        Part {
            tree: line(text(start, true, &node.schema), vec![sort.prepared(&below)]),
            columns: node.schema.to_vec(),
            together: Some(sort.keys),
            single: false,
        }
    }
}

/// The logical node that a node implements, exchanges left out.
fn logical(node: &PhysicalNode) -> Option<crate::logical::NodeId> {
    match (&node.op, node.inputs.first()) {
        (PhysicalOp::Exchange(_), Some(input)) => logical(input),
        _ => node.logical,
    }
}
