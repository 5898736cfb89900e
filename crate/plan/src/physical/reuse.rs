//! Sub-plans that occur more than once and are run once.
//!
//! Flink: `SubplanReuser`. Two trees are equal if their texts, row types and changelog modes are. The largest common
//! trees are shared; their numbers follow the order in which a second visit finds them.

use std::rc::Rc;

use indexmap::IndexMap;
use sg_expr::PlanStyle;
use sg_value::{Gather as _, sorted::SortedMap};

use super::{
    explain::description,
    node::{PhysicalNode, PhysicalOp},
};

/// Which trees of a plan are shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reuse {
    digests: Digests,
    /// By digest: first occurrence and number.
    shared: IndexMap<u32, (Rc<PhysicalNode>, u32)>,
}

impl Reuse {
    /// Looks for equal trees in all roots together.
    pub(crate) fn find(roots: &[Rc<PhysicalNode>], enabled: bool) -> Self {
        let mut reuse = Self::default();
        if enabled {
            let mut seen = SortedMap::default();
            for root in roots {
                reuse.visit(root, &mut seen);
            }
        }
        reuse
    }

    /// A tree that was seen before is shared as a whole; what is inside it is not looked at again.
    fn visit(&mut self, node: &Rc<PhysicalNode>, seen: &mut SortedMap<u32, Rc<PhysicalNode>>) {
        let digest = self.digests.of(node);
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

    /// The number of a shared tree of the roots.
    pub(crate) fn id(&self, node: &PhysicalNode) -> Option<u32> {
        let digest = self.digests.known(node)?;
        self.shared.get(&digest).map(|(_, id)| *id)
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

/// What tells trees apart: equal trees have the same number. The line of a node is printed once, however deep it lies.
#[derive(Clone, Debug, Default)]
pub(crate) struct Digests {
    /// By what a node says of itself and the numbers of its inputs.
    by_text: IndexMap<String, u32>,
    /// By the address of a node, which stays where it is as long as the plan is read.
    by_node: SortedMap<usize, u32>,
}

impl Digests {
    /// The number of a tree.
    pub(crate) fn of(&mut self, node: &PhysicalNode) -> u32 {
        if let Some(known) = self.known(node) {
            return known;
        }
        let inputs: Vec<u32> = node.inputs.iter().map(|input| self.of(input)).gather();
        let types = node.schema.iter().map(|field| field.data_type.to_string());
        let parts = inputs.iter().map(u32::to_string).chain(types);
        let parts: Vec<String> = parts.gather();
        let line = description(node, PlanStyle::Physical);
        let text = format!("{line}:{}:{}", node.changelog_mode, parts.join(","));
        let next = u32::try_from(self.by_text.len()).unwrap_or(u32::MAX);
        let number = *self.by_text.entry(text).or_insert(next);
        self.by_node.insert(address(node), number);
        number
    }

    fn known(&self, node: &PhysicalNode) -> Option<u32> {
        self.by_node.get(&address(node)).copied()
    }
}

fn address(node: &PhysicalNode) -> usize {
    std::ptr::from_ref(node).addr()
}
