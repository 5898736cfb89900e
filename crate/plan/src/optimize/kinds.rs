//! Which kinds of nodes a tree has. A rule about joins is not asked where there is none: most trees have few kinds, and a
//! page that has just loaded would compile each rule to hear that it does not apply.

use super::filter_constant::is_empty;
use crate::logical::{LogicalNode, LogicalOp};

/// A set of kinds of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// Every tree has some.
    pub const ANY: Self = Self(1);
    /// A node of any kind with more than one input.
    pub const SEVERAL_INPUTS: Self = Self(1 << 1);
    /// `LogicalOp::Filter`.
    pub const FILTER: Self = Self(1 << 2);
    /// `LogicalOp::Aggregate` or `LogicalOp::GroupWindow`.
    pub const AGGREGATE: Self = Self(1 << 3);
    /// `LogicalOp::WindowTvf`.
    pub const WINDOW_TVF: Self = Self(1 << 4);
    /// `LogicalOp::Union`.
    pub const UNION: Self = Self(1 << 5);
    /// `LogicalOp::Join`.
    pub const JOIN: Self = Self(1 << 6);
    /// `LogicalOp::Correlate`.
    pub const CORRELATE: Self = Self(1 << 7);
    /// `LogicalOp::SetOp`.
    pub const SET_OPERATION: Self = Self(1 << 8);
    /// `LogicalOp::Over`.
    pub const OVER: Self = Self(1 << 9);
    /// `LogicalOp::Rank`.
    pub const RANK: Self = Self(1 << 10);
    /// `LogicalOp::Sort`.
    pub const SORT: Self = Self(1 << 11);
    /// `LogicalOp::Values` without rows.
    pub const NOTHING: Self = Self(1 << 12);

    /// Nodes of either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds of a tree's nodes.
    pub(super) fn of(node: &LogicalNode) -> Self {
        let own = match node.op {
            LogicalOp::Filter(_) => Self::FILTER,
            LogicalOp::Aggregate(_) | LogicalOp::GroupWindow(_) => Self::AGGREGATE,
            LogicalOp::WindowTvf(_) => Self::WINDOW_TVF,
            LogicalOp::Union(_) => Self::UNION,
            LogicalOp::Join(_) => Self::JOIN,
            LogicalOp::Correlate(_) => Self::CORRELATE,
            LogicalOp::SetOp(_) => Self::SET_OPERATION,
            LogicalOp::Over(_) => Self::OVER,
            LogicalOp::Rank(_) => Self::RANK,
            LogicalOp::Sort(_) => Self::SORT,
            LogicalOp::Values(_) if is_empty(node) => Self::NOTHING,
            _ => Self::ANY,
        };
        let several = if node.inputs.len() > 1 {
            Self::SEVERAL_INPUTS
        } else {
            Self::ANY
        };
        let bits = Self::ANY.0 | own.0 | several.0;
        Self(
            node.inputs
                .iter()
                .fold(bits, |bits, input| bits | Self::of(input).0),
        )
    }

    /// Whether the two have a kind in common.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}
