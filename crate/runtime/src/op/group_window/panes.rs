//! Panes: the pieces that windows of HOP and CUMULATE are made of.
//!
//! Flink: `SlidingWindowAssigner` with its panes. Bounds are wall clock.

use sg_plan::physical::node::WindowKind;

use crate::op::agg::{sessions::Session, slices::align};

/// Pieces of equal length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panes {
    kind: WindowKind,
    pane_ms: i64,
}

impl Panes {
    /// Of a window that has some.
    pub(crate) const fn new(kind: WindowKind) -> Option<Self> {
        let pane_ms = match kind {
            WindowKind::Hop {
                slide_ms, size_ms, ..
            } => greatest_common_divisor(size_ms, slide_ms),
            WindowKind::Cumulate { step_ms, .. } => step_ms,
            WindowKind::Tumble { .. } | WindowKind::Session { .. } | WindowKind::Dynamic { .. } => {
                return None;
            }
        };
        Some(Self { kind, pane_ms })
    }

    const fn offset_ms(&self) -> i64 {
        match self.kind {
            WindowKind::Hop { offset_ms, .. }
            | WindowKind::Cumulate { offset_ms, .. }
            | WindowKind::Tumble { offset_ms, .. } => offset_ms,
            WindowKind::Session { .. } | WindowKind::Dynamic { .. } => 0,
        }
    }

    /// The pane of a time.
    pub(crate) const fn pane_of(&self, wall_ms: i64) -> Session {
        let start_ms = align(wall_ms, self.offset_ms(), self.pane_ms);
        (start_ms, start_ms.wrapping_add(self.pane_ms))
    }

    /// The last window that a pane is part of. Where windows are further apart than they are long, a pane may be part of
    /// none: then it is the window before it.
    pub(crate) const fn last_window(&self, pane: Session) -> Session {
        match self.kind {
            WindowKind::Hop {
                slide_ms,
                size_ms,
                offset_ms,
            } => {
                let start_ms = align(pane.0, offset_ms, slide_ms);
                (start_ms, start_ms.wrapping_add(size_ms))
            }
            WindowKind::Cumulate {
                max_size_ms,
                offset_ms,
                ..
            } => {
                let start_ms = align(pane.0, offset_ms, max_size_ms);
                (start_ms, start_ms.wrapping_add(max_size_ms))
            }
            WindowKind::Tumble { .. } | WindowKind::Session { .. } | WindowKind::Dynamic { .. } => pane,
        }
    }

    /// The panes of a window, the earliest first.
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn of(self, window: Session) -> impl Iterator<Item = Session> {
        let count = window.1.wrapping_sub(window.0) / self.pane_ms;
        (0..count).map(move |at| {
            let start_ms = window.0.wrapping_add(at * self.pane_ms);
            (start_ms, start_ms.wrapping_add(self.pane_ms))
        })
    }
}

const fn greatest_common_divisor(left: i64, right: i64) -> i64 {
    if right == 0 {
        left
    } else {
        greatest_common_divisor(right, left % right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_of_a_hop_are_as_long_as_size_and_slide_have_in_common() {
        let hop = Panes::new(WindowKind::Hop {
            slide_ms: 4,
            size_ms: 10,
            offset_ms: 0,
        })
        .unwrap();
        assert_eq!(hop.pane_of(-1), (-2, 0));
        assert_eq!(hop.last_window((6, 8)), (4, 14));
        let panes: Vec<_> = hop.of((4, 14)).collect();
        assert_eq!(panes, [(4, 6), (6, 8), (8, 10), (10, 12), (12, 14)]);
    }

    #[test]
    fn panes_of_a_cumulate_are_its_steps() {
        let cumulate = Panes::new(WindowKind::Cumulate {
            step_ms: 5,
            max_size_ms: 20,
            offset_ms: 1,
        })
        .unwrap();
        assert_eq!(cumulate.pane_of(0), (-4, 1));
        assert_eq!(cumulate.last_window((6, 11)), (1, 21));
    }
}
