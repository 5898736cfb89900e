//! The best rows of input that takes rows back: all rows are kept.
//!
//! Flink: `RetractableTopNFunction`; LIMIT is the same with one sort key for all. Input: all row kinds. Output: `+I` and
//! `-D`, or, where places are numbered, `-U` and `+U` for every row that moves.
//! State: `data-state` (sort key → rows) and `sorted-map` (sort keys with numbers of rows); TTL applies.
//! Timers: none. Watermark: forwarded. Differs from Flink: `sorted-map` and `data-state` are one table, whose entries
//! also count the bytes that a sort key takes in `sorted-map`. Cases: topn/deleted-row-promotes-the-next,
//! topn/sum-may-fall-retract-strategy, select/limit-refills-after-delete.
//!
//! A stored row remembers the kind of its last output, and a row is found again only by what was stored as an insert:
//! where an update was the last output of a row, taking it back leaves it among the rows and only lowers the number of
//! rows of its sort key, by which places are counted. Flink compares the kinds, too.
//!
//! Rows that expire leave their sort key in `sorted-map`: it still counts in front of a row, and is forgotten once its rows
//! are looked for in vain. Flink: `processStateStaled`. Cases: ttl/top-*. Where it looks for a row of a list that is shorter
//! than its number Flink's job fails; here no row comes.

use std::{cmp::Ordering, rc::Rc};

use sg_value::{Change, Gather as _, Row, RowKind, Value, hash::table_hash};

use super::places::{DATA, Places, entries, table};
use crate::{
    op::{Ctx, OpResult, Operator},
    state::{Item, Items, Table, UserKey},
};

/// The places.
pub(crate) struct RetractTopN {
    pub(crate) places: Places,
    /// Handle of `sorted-map`.
    pub(crate) keys: usize,
    /// Whether the kind of a row's last output stays with it.
    pub(crate) remembers_kinds: bool,
}

impl Operator for RetractTopN {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let end = self.places.end(cx, change);
        let sort_key = UserKey::of(change.row, &self.places.sort);
        if change.kind.retracts() {
            self.take_back(cx, &sort_key, change.row, end);
        } else {
            self.take_in(cx, &sort_key, change.row, end);
        }
        Ok(())
    }
}

/// A row in state.
struct Stored {
    sort_key: UserKey,
    /// Its place among those of its sort key.
    within: usize,
    row: Row,
}

/// What stands before a sort key.
struct Before {
    /// Rows as places are counted.
    places: i64,
    /// Rows of the sort key itself, as places are counted.
    own: i64,
}

impl Before {
    /// How many of the shown places are left for the rows from the sort key on.
    #[cfg_attr(sg_hot, optimize(size))]
    fn left(&self, end: i64) -> usize {
        usize::try_from(end.saturating_sub(self.places)).unwrap_or(0)
    }
}

/// So many rows less that a sort key is not counted any more.
const FORGOTTEN: i64 = i64::MIN / 2;

/// How the rows that are left out of a list are counted.
#[derive(Clone, Copy, PartialEq)]
enum Skipped {
    /// Those that are there.
    There,
    /// As places are counted; what has expired is forgotten.
    Counted,
    /// Of the sort key itself those that are there, of others as places are counted, what has expired included.
    Expired,
}

/// The mark of a row: its hash, by which it is looked for, and the kind of its last output.
#[cfg_attr(sg_hot, optimize(size))]
fn mark(row: &[Value], kind: RowKind) -> i64 {
    (table_hash(row) << 2).cast_signed() | kind as i64
}

/// How often a sort key is there, as `sorted-map` holds it: its cells and the number.
#[cfg_attr(sg_hot, optimize(size))]
fn counted(value: &Value) -> (&[Value], i64) {
    let parts = match value {
        Value::Row(cells) => cells.split_last(),
        _ => None,
    };
    parts.map_or((&[], 0), |(count, cells)| (cells, count.as_int().unwrap_or(0)))
}

impl RetractTopN {
    #[cfg_attr(sg_hot, optimize(size))]
    fn counts<'c>(&self, cx: &'c Ctx<'_>) -> &'c [Value] {
        let cells = match cx.state.tables.get(self.keys) {
            Some(Table::Value(keys)) => keys.get(cx.key, &[]),
            _ => None,
        };
        match cells.and_then(<[Value]>::first) {
            Some(Value::Array(counts)) => counts,
            _ => &[],
        }
    }

    /// Visits sort keys in order, each with the number of its rows and those that are there, as long as `visit` says so:
    /// all of them, or those from one on. Of a sort key whose rows have expired only the number is left.
    #[cfg_attr(sg_hot, optimize(size))]
    fn walk<'c>(
        &self,
        cx: &'c Ctx<'_>,
        from: Option<&[Value]>,
        visit: &mut dyn FnMut(&'c [Value], i64, &'c [Item]) -> bool,
    ) {
        let Some(Table::Map(data)) = cx.state.tables.get(DATA) else {
            return;
        };
        let mut counts = self.counts(cx);
        if let Some(from) = from {
            let begin = counts.partition_point(|own| data.compare(counted(own).0, from).is_lt());
            counts = counts.get(begin..).unwrap_or_default();
        }
        let entries = data.entries(cx.key.into());
        for (own, items) in entries.into_iter().flat_map(|entries| entries.iter_from(from)) {
            let mut count = 0;
            while let Some((first, rest)) = counts.split_first() {
                let (cells, number) = counted(first);
                match data.compare(cells, own) {
                    Ordering::Less if !visit(cells, number, &[]) => return,
                    Ordering::Less => counts = rest,
                    Ordering::Equal => {
                        (count, counts) = (number, rest);
                        break;
                    }
                    Ordering::Greater => break,
                }
            }
            if !visit(own, count, items) {
                return;
            }
        }
        for gone in counts {
            let (cells, number) = counted(gone);
            if !visit(cells, number, &[]) {
                return;
            }
        }
    }

    /// What stands before a sort key; `None` where it has none of the shown places.
    #[cfg_attr(sg_hot, optimize(size))]
    fn before(&self, cx: &Ctx<'_>, sort_key: &UserKey, end: i64) -> Option<Before> {
        let compared = entries(&cx.state, cx.key)?;
        let mut before = Before { places: 0, own: 0 };
        let mut shown = true;
        self.walk(cx, None, &mut |own, count, _| {
            if compared.compare(own, sort_key).is_ge() {
                if compared.compare(own, sort_key).is_eq() {
                    before.own = count;
                }
                return false;
            }
            before.places += count;
            shown = before.places < end;
            shown
        });
        shown.then_some(before)
    }

    /// So many rows, counted from the first one of a sort key, without the first few of these. What has expired is
    /// forgotten where it is met.
    #[cfg_attr(sg_hot, optimize(size))]
    fn behind(
        &self,
        cx: &mut Ctx<'_>,
        sort_key: &UserKey,
        (mut skip, most): (usize, i64),
        skipped: Skipped,
    ) -> Vec<Stored> {
        let (mut rows, mut gone) = (Vec::new(), Vec::new());
        let most = usize::try_from(most).unwrap_or(0);
        if most == 0 {
            return rows;
        }
        self.walk(cx, Some(sort_key), &mut |own, count, items| {
            let is_own = *own == **sort_key;
            let by = match skipped {
                Skipped::There => items.len(),
                Skipped::Expired if is_own => items.len(),
                Skipped::Counted | Skipped::Expired => usize::try_from(count).unwrap_or(0),
            };
            if count <= 0 {
                skip = skip.saturating_sub(by);
                return true;
            }
            if items.is_empty() && !(skipped == Skipped::Expired && by <= skip) {
                gone.extend((!is_own).then_some(own));
                return true;
            }
            if by <= skip {
                skip -= by;
                return true;
            }
            let stored = |(within, item): (usize, &Item)| Stored {
                sort_key: UserKey::from(Row::from(own)),
                within,
                row: Rc::clone(&item.row),
            };
            let left = most - rows.len();
            rows.extend(items.iter().enumerate().skip(skip).take(left).map(stored));
            skip = 0;
            rows.len() < most && skipped == Skipped::There
        });
        let gone: Vec<Row> = gone.into_iter().map(Row::from).gather();
        for own in gone {
            self.count(cx, &own.into(), FORGOTTEN);
        }
        rows
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn update(cx: &mut Ctx<'_>, sort_key: &UserKey, change: &mut dyn FnMut(&mut Items)) {
        let (key, note) = (cx.key, cx.state.note);
        if let Some(data) = table(&mut cx.state, DATA) {
            data.update(key.into(), sort_key.clone(), &note, change);
        }
    }

    /// There is one row more of a sort key, or less.
    #[cfg_attr(sg_hot, optimize(size))]
    fn count(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, by: i64) {
        let (key, note) = (cx.key, cx.state.note);
        let (data, keys) = cx.state.tables.split_at_mut(self.keys);
        let (Some(Table::Map(data)), Some(Table::Value(keys))) = (data.get(DATA), keys.first_mut()) else {
            return;
        };
        let mut entry = keys.entry(key, &[], |cells| cells.push(Value::Null));
        let Some(cell) = entry.cells().first_mut() else {
            return;
        };
        let mut nothing = Rc::from([]);
        let counts = match cell {
            Value::Array(counts) => counts,
            _ => &mut nothing,
        };
        let place = counts.binary_search_by(|own| data.compare(counted(own).0, sort_key));
        let (Ok(at) | Err(at)) = place;
        let count = by
            + counts
                .get(at)
                .filter(|_| place.is_ok())
                .map_or(0, |own| counted(own).1);
        let is_there = count > 0;
        let last = |own: &mut Value| match own {
            Value::Row(cells) => Rc::get_mut(cells)
                .and_then(<[Value]>::last_mut)
                .is_some_and(|last| {
                    *last = Value::Int(count);
                    true
                }),
            _ => false,
        };
        let is_same = place.is_ok() && is_there;
        if !is_same
            || !Rc::get_mut(counts)
                .and_then(|counts| counts.get_mut(at))
                .is_some_and(last)
        {
            let own = is_there.then(|| {
                let cells = sort_key.iter().cloned();
                Value::Row(cells.chain([Value::Int(count)]).gather())
            });
            let (before, behind) = counts.split_at(at);
            let behind = behind.get(usize::from(place.is_ok())..).unwrap_or_default();
            let all = before.iter().cloned().chain(own).chain(behind.iter().cloned());
            *cell = Value::Array(all.gather());
        }
        if matches!(cell, Value::Array(counts) if counts.is_empty()) {
            entry.remove(&note);
        } else {
            entry.commit(&note);
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn take_in(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &[Value], end: i64) {
        let mut own = Stored {
            sort_key: sort_key.clone(),
            within: 0,
            row: Rc::from(row),
        };
        Self::update(cx, sort_key, &mut |items| {
            own.within = items.len();
            items.push(Item {
                row: Rc::clone(&own.row),
                mark: mark(row, RowKind::Insert),
            });
        });
        self.count(cx, sort_key, 1);
        let Some(before) = self.before(cx, sort_key, end) else {
            return;
        };
        if !self.places.cascades() {
            let place = before.places + before.own;
            if place > end {
                return;
            }
            if let Some(out) = self
                .behind(cx, sort_key, (before.left(end), 1), Skipped::Counted)
                .first()
            {
                self.places.emit(cx, RowKind::Delete, &out.row, end);
            }
            self.places.emit(cx, RowKind::Insert, &own.row, place);
            return;
        }
        let mut next = before.places + before.own;
        let behind = self.behind(cx, sort_key, (own.within + 1, end - next + 1), Skipped::There);
        let mut current = &own;
        for before in &behind {
            self.emit(cx, RowKind::UpdateBefore, before, next);
            self.emit(cx, RowKind::UpdateAfter, current, next);
            current = before;
            next += 1;
        }
        if next <= end {
            self.emit(cx, RowKind::Insert, current, next);
        }
    }

    #[cfg_attr(sg_hot, optimize(size))]
    fn take_back(&self, cx: &mut Ctx<'_>, sort_key: &UserKey, row: &[Value], end: i64) {
        let wanted = mark(row, RowKind::Insert);
        let found = entries(&cx.state, cx.key).and_then(|entries| {
            let counts = self.counts(cx);
            let own = |own: &Value| entries.compare(counted(own).0, sort_key);
            counts.binary_search_by(own).ok()?;
            let mut items = entries.get(sort_key).iter();
            items.position(|item| item.mark == wanted && *item.row == *row)
        });
        let Some(within) = found else {
            let gone = entries(&cx.state, cx.key).is_none_or(|entries| entries.get(sort_key).is_empty());
            self.count(cx, sort_key, if gone { FORGOTTEN } else { -1 });
            return;
        };
        // where a row stands before it goes, and which one gets the last place then
        let cascades = self.places.cascades();
        let (mut place, mut promoted) = (i64::MAX, None);
        if let Some(before) = self.before(cx, sort_key, end) {
            place = before.places + within as i64 + 1;
            if !cascades && place <= end {
                promoted = self
                    .behind(cx, sort_key, (before.left(end), 1), Skipped::Expired)
                    .pop();
            }
        }
        let mut removed = None;
        Self::update(cx, sort_key, &mut |items| removed = items.remove(within));
        if !cascades {
            self.count(cx, sort_key, -1);
        }
        if place <= end
            && let Some(removed) = removed
        {
            self.close_up(cx, sort_key, (&removed.row, within, place), (promoted, end));
        }
        if cascades {
            self.count(cx, sort_key, -1);
        }
    }

    /// Says what follows for the shown places from a row being gone.
    #[cfg_attr(sg_hot, optimize(size))]
    fn close_up(
        &self,
        cx: &mut Ctx<'_>,
        sort_key: &UserKey,
        (removed, within, mut place): (&Row, usize, i64),
        (promoted, end): (Option<Stored>, i64),
    ) {
        if !self.places.cascades() {
            self.places.emit(cx, RowKind::Delete, removed, place);
            if let Some(promoted) = promoted {
                self.places.emit(cx, RowKind::Insert, &promoted.row, end);
            }
            return;
        }
        // the rows as they are numbered without the one that is gone
        let behind = self.behind(cx, sort_key, (within, end - place + 1), Skipped::There);
        let mut before = None;
        for row in &behind {
            match before {
                None => self.places.emit(cx, RowKind::UpdateBefore, removed, place),
                Some(before) => self.emit(cx, RowKind::UpdateBefore, before, place),
            }
            self.emit(cx, RowKind::UpdateAfter, row, place);
            before = Some(row);
            place += 1;
        }
        if place <= end {
            match before {
                None => self.places.emit(cx, RowKind::Delete, removed, place),
                Some(before) => self.emit(cx, RowKind::Delete, before, place),
            }
        }
    }

    /// Emits a stored row; where kinds are remembered, it has this kind from now on.
    #[cfg_attr(sg_hot, optimize(size))]
    fn emit(&self, cx: &mut Ctx<'_>, kind: RowKind, stored: &Stored, place: i64) {
        let silent =
            place < self.places.start || (kind == RowKind::UpdateBefore && !self.places.update_before);
        if self.remembers_kinds && !silent {
            Self::update(cx, &stored.sort_key, &mut |items| {
                if let Some(item) = items.as_mut().get_mut(stored.within) {
                    item.mark = (item.mark & !3) | kind as i64;
                }
            });
        }
        self.places.emit(cx, kind, &stored.row, place);
    }
}
