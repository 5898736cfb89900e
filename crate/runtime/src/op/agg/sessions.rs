//! Sessions of a key, and what becomes of them when a row comes in.
//!
//! Flink: `MergingWindowSet` with `SessionWindowAssigner`, which window table functions and group windows share. Sessions
//! that touch are one. The state of a merged session stays under the name of one of its parts, so a map says where the
//! state of a session is. Bounds are wall clock.

use std::rc::Rc;

use sg_value::{Gather as _, Row, Value};

use crate::{
    op::{Ctx, OpState, TimerClock},
    state::{Item, Key, MapTable, Table, UserKey},
};

/// Start and end of a session.
pub(crate) type Session = (i64, i64);

/// The sessions of an operator.
pub(crate) struct Sessions {
    /// Handle of the state `session-window-mapping`.
    pub(crate) mapping: usize,
    /// Silence that ends a session.
    pub(crate) gap_ms: i64,
}

/// Where a row belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The session, with all that it has taken in.
    pub(crate) session: Session,
    /// The name under which its state is kept.
    pub(crate) state: Session,
    /// Sessions that are gone because they are part of it; their timers have to go, too.
    pub(crate) gone: Vec<Session>,
    /// Names of states that have to be merged into its own.
    pub(crate) merged: Vec<Session>,
}

pub(crate) fn cells(session: Session) -> [Value; 2] {
    [Value::Int(session.0), Value::Int(session.1)]
}

pub(crate) fn session_of(cells: &[Value]) -> Option<Session> {
    match cells {
        [start, end] => Some((start.as_ms()?, end.as_ms()?)),
        _ => None,
    }
}

/// As the map keeps it: with types that print as timestamps.
const fn stored(session: Session) -> [Value; 2] {
    [Value::timestamp_ms(session.0), Value::timestamp_ms(session.1)]
}

impl Sessions {
    fn table<'s>(&self, state: &'s mut OpState<'_>) -> Option<&'s mut MapTable> {
        match state.tables.get_mut(self.mapping) {
            Some(Table::Map(table)) => Some(table),
            _ => None,
        }
    }

    /// Puts a row of this time among the sessions of a key.
    pub(crate) fn place(&self, state: &mut OpState<'_>, key: Key<'_>, wall_ms: i64) -> Placed {
        let new = (wall_ms, wall_ms.wrapping_add(self.gap_ms));
        let note = state.note;
        let Some(table) = self.table(state) else {
            return Placed::alone(new);
        };
        let (placed, known) = find(table, key, new);
        if known {
            return placed;
        }
        for gone in &placed.gone {
            table.take(key.into(), &stored(*gone), &note);
        }
        let item = Item {
            row: Rc::from(stored(placed.state)),
            mark: 0,
        };
        let user_key = UserKey::from(Row::from(stored(placed.session)));
        table.put(key.into(), user_key, item, &note);
        placed
    }

    /// Takes the timers of sessions back that are part of another now.
    pub(crate) fn forget_timers(
        cx: &mut Ctx<'_>,
        gone: &[Session],
        at: (TimerClock, impl Fn(Session) -> i64),
    ) {
        let (clock, fires_at) = at;
        for session in gone {
            cx.timers
                .delete(clock, fires_at(*session), cx.key, &cells(*session));
            cx.report.merged(*session);
        }
    }

    /// The name under which the state of a session is kept.
    pub(crate) fn state_of(
        &self,
        state: &mut OpState<'_>,
        key: Key<'_>,
        session: Session,
    ) -> Option<Session> {
        state_of(self.table(state)?, key, session)
    }

    /// Forgets a session.
    pub(crate) fn retire(&self, state: &mut OpState<'_>, key: Key<'_>, session: Session) {
        let note = state.note;
        if let Some(table) = self.table(state) {
            table.take(key.into(), &stored(session), &note);
        }
    }
}

impl Placed {
    /// A session without anything else.
    pub(crate) const fn alone(session: Session) -> Self {
        Self {
            session,
            state: session,
            gone: Vec::new(),
            merged: Vec::new(),
        }
    }
}

fn state_of(table: &MapTable, key: Key<'_>, session: Session) -> Option<Session> {
    let items = table.get(key.into(), &stored(session));
    session_of(&items.first()?.row)
}

/// What a new session of one row would do, and whether its session is there already.
fn find(table: &MapTable, key: Key<'_>, new: Session) -> (Placed, bool) {
    let Some(entries) = table.entries(key.into()) else {
        return (Placed::alone(new), false);
    };
    let [before, after] = entries.around(&stored(new));
    let neighbour = |(session, _): (&UserKey, _)| session_of(session);
    let (before, after) = (before.and_then(neighbour), after.and_then(neighbour));
    // one that is there itself is on both sides
    let before = after.filter(|after| *after == new).or(before);
    let state = |of: Session| {
        let first = entries.get(&stored(of)).first();
        first.and_then(|first| session_of(&first.row)).unwrap_or(of)
    };
    let placed = merge(new, (after, before), state);
    let known = [before, after].contains(&Some(placed.session));
    (placed, known)
}

/// Merges a new session with its neighbours, where they touch.
fn merge(
    new: Session,
    (after, before): (Option<Session>, Option<Session>),
    state: impl Fn(Session) -> Session,
) -> Placed {
    let mut whole = new;
    let mut parts: Vec<Session> = Vec::new();
    for other in [after, before].into_iter().flatten() {
        if whole.0 <= other.1 && whole.1 >= other.0 {
            whole = (whole.0.min(other.0), whole.1.max(other.1));
            if !parts.contains(&other) {
                parts.push(other);
            }
        }
    }
    // Flink walks a hash set, and the first of it gives the state its name.
    parts.sort_by_key(|part| bucket(*part));
    let Some(first) = parts.first() else {
        return Placed::alone(new);
    };
    let name = state(*first);
    if parts == [whole] {
        return Placed {
            session: whole,
            state: name,
            gone: Vec::new(),
            merged: Vec::new(),
        };
    }
    let merged = parts.iter().map(|part| state(*part)).filter(|part| *part != name);
    Placed {
        session: whole,
        state: name,
        merged: merged.gather(),
        gone: parts,
    }
}

/// Where Java's `HashSet` of three keeps a session. Flink: `TimeWindow.hashCode`.
#[expect(
    clippy::cast_possible_truncation,
    reason = "Java's hash codes are 32 bits that wrap around"
)]
const fn bucket((start_ms, end_ms): Session) -> u32 {
    let odd = ((end_ms << 1) as i32).wrapping_add(1);
    let mut inverse = odd.wrapping_mul(odd).wrapping_mul(odd);
    let mut round = 0;
    while round < 3 {
        inverse = inverse.wrapping_mul(2_i32.wrapping_sub(odd.wrapping_mul(inverse)));
        round += 1;
    }
    let hash = start_ms.wrapping_add(inverse as i64) as i32 as u32;
    (hash ^ hash >> 16) & 15
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(new: Session, after: Option<Session>, before: Option<Session>) -> Placed {
        merge(new, (after, before), |part| part)
    }

    #[test]
    fn sessions_that_touch_are_one() {
        assert_eq!(placed((10, 15), None, Some((4, 9))), Placed::alone((10, 15)));
        let extended = placed((10, 15), None, Some((5, 10)));
        assert_eq!((extended.session, extended.state), ((5, 15), (5, 10)));
        assert_eq!(extended.gone, [(5, 10)]);
        assert!(extended.merged.is_empty());
    }

    #[test]
    fn a_row_within_a_session_changes_nothing() {
        let inside = placed((6, 9), None, Some((5, 10)));
        assert_eq!((inside.session, inside.state), ((5, 10), (5, 10)));
        assert!(inside.gone.is_empty());
    }

    #[test]
    fn a_bridge_merges_both_sides_into_one_of_their_states() {
        let bridge = placed((10, 15), Some((14, 19)), Some((5, 10)));
        assert_eq!(bridge.session, (5, 19));
        assert_eq!(bridge.gone.len(), 2);
        assert_eq!(bridge.merged.len(), 1);
        assert_ne!(bridge.merged.first(), Some(&bridge.state));
    }
}
