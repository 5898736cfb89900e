//! Sub-plans that occur more than once and are run once.
//!
//! Flink: `SubplanReuser`. Two trees are equal if their texts, row types and changelog modes are. The largest common
//! trees are shared; their numbers follow the order in which a second visit finds them.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_expr::PlanStyle;
use sg_value::Gather as _;

use super::{
    explain::description,
    node::{PhysicalNode, PhysicalOp},
};

/// Which trees of a plan are shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reuse {
    /// By digest: first occurrence and number.
    shared: IndexMap<String, (Rc<PhysicalNode>, u32)>,
    enabled: bool,
}

impl Reuse {
    /// Looks for equal trees in all roots together.
    pub(crate) fn find(roots: &[Rc<PhysicalNode>], enabled: bool) -> Self {
        let mut reuse = Self {
            shared: IndexMap::new(),
            enabled,
        };
        if enabled {
            let mut seen = IndexMap::new();
            for root in roots {
                reuse.visit(root, &mut seen);
            }
        }
        reuse
    }

    /// A tree that was seen before is shared as a whole; what is inside it is not looked at again.
    fn visit(&mut self, node: &Rc<PhysicalNode>, seen: &mut IndexMap<String, Rc<PhysicalNode>>) {
        let digest = digest(node);
        if let Some(first) = seen.get(&digest) {
            if can_be_shared(node) && !self.shared.contains_key(&digest) {
                let id = u32::try_from(self.shared.len() + 1).unwrap_or(u32::MAX);
                self.shared.insert(digest, (Rc::clone(first), id));
            }
            if can_be_shared(node) {
                return;
            }
        } else {
            seen.insert(digest, Rc::clone(node));
        }
        node.inputs.iter().for_each(|input| self.visit(input, seen));
    }

    /// The number of a shared tree.
    pub(crate) fn id(&self, node: &PhysicalNode) -> Option<u32> {
        if !self.enabled || self.shared.is_empty() {
            return None;
        }
        self.shared.get(&digest(node)).map(|(_, id)| *id)
    }

    /// Shared trees with their numbers.
    pub(crate) fn shared(&self) -> impl Iterator<Item = (&Rc<PhysicalNode>, u32)> {
        self.shared.values().map(|(node, id)| (node, *id))
    }

    /// All numbers.
    pub(crate) fn all_ids(&self) -> Vec<u32> {
        self.shared.values().map(|(_, id)| *id).gather()
    }
}

/// An exchange alone is no gain, and a sink never is one.
const fn can_be_shared(node: &PhysicalNode) -> bool {
    !matches!(node.op, PhysicalOp::Sink(_))
}

/// What tells trees apart.
pub(crate) fn digest(node: &PhysicalNode) -> String {
    let types: Vec<String> = node
        .schema
        .iter()
        .map(|field| field.data_type.to_string())
        .gather();
    let inputs: Vec<String> = node.inputs.iter().map(|input| digest(input)).gather();
    format!(
        "{}:{}[{}]({})",
        description(node, PlanStyle::Physical),
        node.changelog_mode,
        types.join(","),
        inputs.join(";")
    )
}
