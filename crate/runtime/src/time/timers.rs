//! Timers of one operator's subtask on one clock.
//!
//! They fire by time, and those of one time in the order in which they were registered: the order in which their keys
//! were first used. Registering the same time, key and namespace twice is one timer. Many timers of one time share a
//! bucket with flat keys, so that a window of many keys costs no allocation per key; the buckets of few timers are used
//! again. A few timers of one time lie in the queue itself, one behind the other, if their keys are one cell: rows with times
//! of their own have one or two each.
#![expect(
    clippy::indexing_slicing,
    reason = "numbers of timers come from the index of their bucket"
)]

use std::rc::Rc;

use sg_value::Value;

use crate::{
    index::{Index, folded},
    op::TimerClock,
    state::{Key, same_cells},
};
use sg_value::ordered::{Ordered, Place, Spare};

/// A timer that fires.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer<'a> {
    /// Its time, milliseconds since the epoch.
    pub(crate) at_ms: i64,
    /// Its namespace: nothing, a window's end, or a window's start and end.
    pub(crate) namespace: &'a [Value],
    /// The clock that it waited for.
    pub(crate) clock: TimerClock,
}

/// Timers waiting for a clock.
#[derive(Clone, Debug)]
pub(crate) struct TimerQueue {
    /// By time. Of one time there are single timers, or one bucket.
    buckets: Rc<Ordered<(i64, Waiting)>>,
    /// The time of the next timer, `i64::MAX` if there is none: asked at every watermark.
    first_ms: i64,
    /// Empty buckets.
    spare: Spare<Bucket>,
}

impl Default for TimerQueue {
    fn default() -> Self {
        Self {
            buckets: Rc::default(),
            first_ms: i64::MAX,
            spare: Spare::default(),
        }
    }
}

/// Timers of one time.
#[derive(Clone, Debug)]
pub(crate) enum Waiting {
    /// One without a namespace.
    Single {
        hash: u64,
        slot: u32,
        key: Value,
    },
    Many(Rc<Bucket>),
}

impl Default for Waiting {
    fn default() -> Self {
        Self::Single {
            hash: 0,
            slot: 0,
            key: Value::Null,
        }
    }
}

impl Waiting {
    fn single(key: Key<'_>, cell: &Value) -> Self {
        Self::Single {
            hash: key.hash,
            slot: key.slot,
            key: cell.clone(),
        }
    }

    /// The timers in the order of registration: key and namespace.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key<'_>, &[Value])> {
        self.iter_from(0).map(|(_, timer)| timer)
    }

    /// The same with their places, from one on.
    pub(crate) fn iter_from(&self, from: usize) -> impl Iterator<Item = (usize, (Key<'_>, &[Value]))> {
        let count = match self {
            Self::Single { .. } => 1,
            Self::Many(bucket) => bucket.heads.len(),
        };
        let timer = |ix| match self {
            Self::Single { hash, slot, key } => Some((
                Key {
                    cells: std::slice::from_ref(key),
                    hash: *hash,
                    slot: *slot,
                },
                &[][..],
            )),
            Self::Many(bucket) => bucket.timer(ix),
        };
        (from..count).filter_map(move |ix| Some((ix, timer(ix)?)))
    }

    /// The key of a single timer.
    pub(crate) fn as_single(&self) -> Option<Key<'_>> {
        match self {
            Self::Single { .. } => self.iter().next().map(|(key, _)| key),
            Self::Many(_) => None,
        }
    }

    /// Whether it is a single timer, and of this key.
    fn is_of(&self, of: Key<'_>, namespace: &[Value]) -> bool {
        matches!(self, Self::Single { hash, key, .. }
            if *hash == of.hash && namespace.is_empty() && same_cells(std::slice::from_ref(key), of.cells))
    }
}

/// Timers of one time. Few are looked through, more have an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bucket {
    index: Option<Index>,
    heads: Vec<Head>,
    cells: Vec<Value>,
    /// Timers that were taken back.
    deleted: usize,
}

/// Timers of one time that are looked through.
const FEW: usize = 8;

/// Single timers of one time at most.
const SINGLES: usize = 4;

#[derive(Clone, Copy, Debug)]
struct Head {
    hash: u64,
    slot: u32,
    from: u32,
    key: u16,
    namespace: u16,
    deleted: bool,
}

impl Bucket {
    fn find(&self, hash: u64, key: &[Value], namespace: &[Value]) -> Option<u32> {
        let same = |ix: u32| {
            let (own_key, own_namespace) = self.parts(self.heads[ix as usize]);
            same_cells(own_key, key) && same_cells(own_namespace, namespace)
        };
        match &self.index {
            Some(index) => index.find(folded(hash), same),
            None => (0..self.heads.len() as u32).find(|ix| {
                let head = self.heads[*ix as usize];
                head.hash == hash && !head.deleted && same(*ix)
            }),
        }
    }

    /// Makes an index of what is there.
    fn indexed(&self) -> Index {
        let mut index = Index::default();
        for (ix, head) in (0..).zip(&self.heads) {
            if !head.deleted {
                index.insert(folded(head.hash), ix);
            }
        }
        index
    }

    fn parts(&self, head: Head) -> (&[Value], &[Value]) {
        let from = head.from as usize;
        let middle = from + usize::from(head.key);
        (
            &self.cells[from..middle],
            &self.cells[middle..middle + usize::from(head.namespace)],
        )
    }

    /// A timer: key and namespace.
    #[inline]
    fn timer(&self, ix: usize) -> Option<(Key<'_>, &[Value])> {
        let head = self.heads[ix];
        let (cells, namespace) = self.parts(head);
        let key = Key {
            cells,
            hash: head.hash,
            slot: head.slot,
        };
        (!head.deleted).then_some((key, namespace))
    }

    fn push(&mut self, key: Key<'_>, namespace: &[Value]) {
        let ix = self.heads.len() as u32;
        self.heads.push(Head {
            hash: key.hash,
            slot: key.slot,
            from: self.cells.len() as u32,
            key: key.cells.len() as u16,
            namespace: namespace.len() as u16,
            deleted: false,
        });
        self.cells.extend_from_slice(key.cells);
        self.cells.extend_from_slice(namespace);
        match &mut self.index {
            Some(index) => index.insert(folded(key.hash), ix),
            None if self.heads.len() > FEW => self.index = Some(self.indexed()),
            None => {}
        }
    }
}

/// The place behind all timers of a time and before.
#[inline]
fn end_of(buckets: &Ordered<(i64, Waiting)>, at_ms: i64) -> Place {
    buckets.behind(|(own_ms, _)| *own_ms <= at_ms)
}

impl TimerQueue {
    /// Adds a timer; `false` if it is there.
    pub(crate) fn register(&mut self, at_ms: i64, key: Key<'_>, namespace: &[Value]) -> bool {
        self.first_ms = self.first_ms.min(at_ms);
        let buckets = Rc::make_mut(&mut self.buckets);
        let behind = end_of(buckets, at_ms);
        let other = buckets.before(behind).is_none_or(|(own_ms, _)| *own_ms != at_ms);
        if let (true, [cell], []) = (other, key.cells, namespace) {
            buckets.insert(behind, (at_ms, Waiting::single(key, cell)));
            return true;
        }
        let (mut first, mut singles) = (behind, 0);
        while let Some(place) = buckets.back(first)
            && let Some((own_ms, waiting)) = buckets.get(place)
            && *own_ms == at_ms
        {
            if waiting.is_of(key, namespace) {
                return false;
            }
            if let Waiting::Many(_) = waiting {
                return Self::add_to(buckets.get_mut(place), key, namespace);
            }
            (first, singles) = (place, singles + 1);
        }
        if singles < SINGLES
            && let ([cell], []) = (key.cells, namespace)
        {
            buckets.insert(behind, (at_ms, Waiting::single(key, cell)));
            return true;
        }
        let mut bucket = self.spare.take();
        let own = Rc::make_mut(&mut bucket);
        for (_, waiting) in buckets.iter_from(first).take(singles) {
            waiting
                .iter()
                .for_each(|(key, namespace)| own.push(key, namespace));
        }
        own.push(key, namespace);
        for _ in 0..singles {
            if let Some(place) = buckets.back(end_of(buckets, at_ms)) {
                buckets.remove(place);
            }
        }
        buckets.insert(end_of(buckets, at_ms), (at_ms, Waiting::Many(bucket)));
        true
    }

    fn add_to((_, waiting): &mut (i64, Waiting), key: Key<'_>, namespace: &[Value]) -> bool {
        let Waiting::Many(bucket) = waiting else {
            return false;
        };
        let bucket = Rc::make_mut(bucket);
        if bucket.find(key.hash, key.cells, namespace).is_some() {
            return false;
        }
        bucket.push(key, namespace);
        true
    }

    /// Takes a timer back; `false` if there is none.
    pub(crate) fn delete(&mut self, at_ms: i64, key: Key<'_>, namespace: &[Value]) -> bool {
        let mut behind = end_of(&self.buckets, at_ms);
        while let Some(place) = self.buckets.back(behind)
            && let Some((own_ms, waiting)) = self.buckets.get(place)
            && *own_ms == at_ms
        {
            behind = place;
            let found = match waiting {
                Waiting::Many(bucket) => bucket.find(key.hash, key.cells, namespace),
                Waiting::Single { .. } => waiting.is_of(key, namespace).then_some(0),
            };
            let Some(ix) = found else { continue };
            let buckets = Rc::make_mut(&mut self.buckets);
            if let (_, Waiting::Many(bucket)) = buckets.get_mut(place) {
                let bucket = Rc::make_mut(bucket);
                if let Some(index) = &mut bucket.index {
                    index.remove(folded(key.hash), ix);
                }
                bucket.heads[ix as usize].deleted = true;
                bucket.deleted += 1;
                if bucket.deleted < bucket.heads.len() {
                    return true;
                }
            }
            let (_, waiting) = buckets.remove(place);
            self.look_for_first();
            self.used(waiting);
            return true;
        }
        false
    }

    fn look_for_first(&mut self) {
        self.first_ms = self.buckets.first().map_or(i64::MAX, |(at_ms, _)| *at_ms);
    }

    /// Keeps a bucket that is done with for other timers, if it is small.
    pub(crate) fn used(&mut self, waiting: Waiting) {
        let Waiting::Many(bucket) = waiting else { return };
        self.spare.give(bucket, |own| {
            own.heads.clear();
            own.cells.clear();
            own.deleted = 0;
            own.index.is_none()
        });
    }

    /// The time of the next timer.
    pub(crate) fn next(&self) -> Option<i64> {
        (!self.buckets.is_empty()).then_some(self.first_ms)
    }

    /// Takes the earliest timers, if their time is not after `limit_ms`.
    pub(crate) fn pop_due(&mut self, limit_ms: i64) -> Option<(i64, Waiting)> {
        if self.first_ms > limit_ms {
            return None;
        }
        let popped = Rc::make_mut(&mut self.buckets).pop_first();
        self.look_for_first();
        popped
    }

    /// Forgets all timers and gives them back.
    pub(crate) fn clear(&mut self) -> Rc<Ordered<(i64, Waiting)>> {
        self.first_ms = i64::MAX;
        std::mem::take(&mut self.buckets)
    }

    /// All timers in the order of firing, to look at.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &Waiting)> {
        self.buckets.iter().map(|(at_ms, waiting)| (*at_ms, waiting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &mut TimerQueue, limit_ms: i64) -> Vec<(i64, i64)> {
        let mut fired = Vec::new();
        while let Some((at_ms, bucket)) = queue.pop_due(limit_ms) {
            fired.extend(
                bucket
                    .iter()
                    .filter_map(|(key, _)| Some((at_ms, key.cells.first()?.as_int()?))),
            );
        }
        fired
    }

    fn register(queue: &mut TimerQueue, at_ms: i64, key: i64) -> bool {
        let cells = [Value::Int(key)];
        queue.register(at_ms, key_of(&cells), &[])
    }

    fn key_of(cells: &[Value]) -> Key<'_> {
        Key {
            cells,
            hash: cells.first().and_then(Value::as_int).unwrap_or_default() as u64,
            ..Key::NONE
        }
    }

    #[test]
    fn they_fire_by_time_then_by_first_use() {
        let mut queue = TimerQueue::default();
        for (at_ms, key) in [(20, 1), (10, 3), (10, 2), (20, 3)] {
            assert!(register(&mut queue, at_ms, key));
        }
        assert!(!register(&mut queue, 10, 3), "the same timer");
        assert_eq!(queue.next(), Some(10));
        assert_eq!(drain(&mut queue, 15), [(10, 3), (10, 2)]);
        assert_eq!(drain(&mut queue, 25), [(20, 1), (20, 3)]);
    }

    #[test]
    fn few_and_many_timers_of_a_time_fire_by_first_use() {
        for count in [2, SINGLES as i64, SINGLES as i64 + 1, 30] {
            let mut queue = TimerQueue::default();
            for key in 0..count {
                for at_ms in [20, 10, 30] {
                    assert!(register(&mut queue, at_ms, key));
                    assert!(!register(&mut queue, at_ms, key));
                }
            }
            assert!(queue.delete(20, key_of(&[Value::Int(1)]), &[]));
            assert!(!register(&mut queue, 20, 0));
            assert!(register(&mut queue, 20, 1));
            let twenty = std::iter::once(0).chain(2..count).chain([1]);
            let all = (0..count).map(|key| (10, key)).chain(twenty.map(|key| (20, key)));
            assert_eq!(drain(&mut queue, 25), all.collect::<Vec<_>>());
            assert_eq!(queue.next(), Some(30));
        }
    }

    #[test]
    fn a_deleted_timer_does_not_fire() {
        let mut queue = TimerQueue::default();
        register(&mut queue, 10, 1);
        register(&mut queue, 10, 2);
        let mut snapshot = queue.clone();
        assert!(queue.delete(10, key_of(&[Value::Int(1)]), &[]));
        assert!(!queue.delete(10, key_of(&[Value::Int(1)]), &[]));
        assert_eq!(drain(&mut queue, 10), [(10, 2)]);
        assert_eq!(drain(&mut snapshot, 10), [(10, 1), (10, 2)]);
    }
}
