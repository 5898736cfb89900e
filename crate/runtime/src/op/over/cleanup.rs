//! Forgetting the state of a key that nothing happened to for long.
//!
//! Flink: `KeyedProcessFunctionWithCleanupState`. It is no `StateTtlConfig`: a processing-time timer looks after the key,
//! and is set anew once the key has used up half a time-to-live more.

use crate::op::{Ctx, TimerClock};

/// The time-to-live of an operator with cleanup timers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cleanup {
    /// 0 and 1 never.
    pub(crate) ttl_ms: i64,
    /// Handle of the time at which the key is looked at.
    pub(crate) state: usize,
    /// How long after the last use at most; the time-to-live at least.
    pub(crate) longest_ms: i64,
}

impl Cleanup {
    /// Whether anything is ever forgotten.
    pub(crate) const fn is_on(self) -> bool {
        self.ttl_ms > 1
    }

    /// The key is used now.
    pub(super) fn touch(self, cx: &mut Ctx<'_>) {
        if !self.is_on() {
            return;
        }
        let (key, now_ms) = (cx.key, cx.clock.processing_ms);
        let current = cx.number(self.state);
        if current.is_some_and(|at_ms| now_ms + self.ttl_ms <= at_ms) {
            return;
        }
        let at_ms = now_ms + self.longest_ms;
        cx.set_number(self.state, Some(at_ms));
        if let Some(before_ms) = current {
            cx.timers.delete(TimerClock::Processing, before_ms, key, &[]);
        }
        cx.timers.register(TimerClock::Processing, at_ms, key, &[]);
    }

    /// Forgets the time.
    pub(super) fn clear(self, cx: &mut Ctx<'_>) {
        cx.set_number(self.state, None);
    }
}
