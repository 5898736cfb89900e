//! The tables that lookup joins ask: what the arrivals so far have left in them.
//!
//! With a primary key a row replaces the one of its key, and a delete takes it away; without one rows only add up, as in
//! the stand-ins of the recorded cases (`tests/oracle`).
//!
//! A cache belongs to the table: joins that ask by the same columns share it, as Flink's do that run in one process. It is no
//! state: no savepoint holds it. Flink: `CachingLookupFunction`, `DefaultLookupCache`, `LookupFullCache`. Unverified:
//! that of 20 keys and more Flink drops the least used one of a part of the cache only (Guava's `LocalCache` has parts).
//! Cases: join-lookup/cache-*, join-lookup/full-cache-*.

use std::{cell::RefCell, rc::Rc};

use sg_plan::physical::timed::LookupCache;
use sg_value::{Change, Gather as _, Row, Value};

/// All tables that a job looks up.
#[derive(Debug, Default)]
pub(crate) struct Lookups {
    tables: RefCell<Vec<LookupTable>>,
}

/// What a table holds.
#[derive(Clone, Debug)]
pub(crate) struct LookupTable {
    /// Its number among the sources.
    source: u32,
    name: Rc<str>,
    /// Cells of the primary key.
    key: Option<Rc<[usize]>>,
    rows: Rc<Vec<Row>>,
    cache: Option<LookupCache>,
    /// Answers that are given again; the one used last stands last.
    answers: Rc<Vec<Answer>>,
    /// The rows as they were when the whole table was loaded.
    loaded: Rc<Vec<Row>>,
    /// When it is loaded next, milliseconds.
    load_at_ms: i64,
}

/// Cells of a table with what they have to equal.
pub(crate) type Wanted = Vec<(usize, Value)>;

/// What was found when a key was asked for.
#[derive(Clone, Debug)]
struct Answer {
    wanted: Wanted,
    rows: Vec<Row>,
    asked_ms: i64,
    used_ms: i64,
}

impl LookupTable {
    /// An empty table; `start_ms` is when the job starts.
    pub(super) fn new(
        (source, name): (u32, &Rc<str>),
        key: Option<Vec<usize>>,
        cache: Option<LookupCache>,
        start_ms: i64,
    ) -> Self {
        Self {
            source,
            name: Rc::clone(name),
            key: key.map(Rc::from),
            rows: Rc::default(),
            cache,
            answers: Rc::default(),
            loaded: Rc::default(),
            load_at_ms: start_ms,
        }
    }

    /// Loads the table if that was due. What came since is not in it.
    fn load(&mut self, now_ms: i64) {
        let every_ms = self.cache.map_or(0, |cache| cache.reload_ms);
        if every_ms > 0 && self.load_at_ms <= now_ms {
            self.loaded = Rc::clone(&self.rows);
            let intervals = (now_ms - self.load_at_ms) / every_ms + 1;
            // an interval that no clock reaches the end of
            self.load_at_ms = self.load_at_ms.saturating_add(intervals.saturating_mul(every_ms));
        }
    }

    fn ask(&mut self, wanted: Wanted, now_ms: i64, last: bool) -> Option<Vec<Row>> {
        let Some(cache) = self.cache else {
            let rows = find(&self.rows, &wanted);
            return (last || !rows.is_empty()).then_some(rows);
        };
        if cache.reload_ms > 0 {
            self.load(now_ms);
            return Some(find(&self.loaded, &wanted));
        }
        let answers = Rc::make_mut(&mut self.answers);
        answers.retain(|answer| {
            now_ms - answer.used_ms < cache.idle_ms && now_ms - answer.asked_ms < cache.age_ms
        });
        if let Some(at) = answers.iter().position(|answer| answer.wanted == wanted) {
            let mut answer = answers.remove(at);
            answer.used_ms = now_ms;
            let rows = answer.rows.clone();
            answers.push(answer);
            return Some(rows);
        }
        let rows = find(&self.rows, &wanted);
        if rows.is_empty() && !last {
            return None;
        }
        if cache.missing || !rows.is_empty() {
            let asked = wanted.iter().map(|(at, _)| *at).gather::<Vec<usize>>();
            answers.push(Answer {
                wanted,
                rows: rows.clone(),
                asked_ms: now_ms,
                used_ms: now_ms,
            });
            let by_the_same = |answer: &Answer| answer.wanted.iter().map(|(at, _)| at).eq(&asked);
            if answers.iter().filter(|answer| by_the_same(answer)).count() as u64 > cache.keys
                && let Some(oldest) = answers.iter().position(by_the_same)
            {
                answers.remove(oldest);
            }
        }
        Some(rows)
    }

    fn take(&mut self, change: Change<'_>) {
        let rows = Rc::make_mut(&mut self.rows);
        if let Some(key) = &self.key {
            rows.retain(|row| !key.iter().all(|at| row.get(*at) == change.row.get(*at)));
        }
        if !change.kind.retracts() {
            rows.push(change.row.into());
        }
    }
}

impl Lookups {
    /// The tables of a job.
    pub(super) fn new(tables: Vec<LookupTable>) -> Self {
        Self {
            tables: RefCell::new(tables),
        }
    }

    /// Takes a change that arrives at a source.
    pub(super) fn take(&self, source: u32, change: Change<'_>, now_ms: i64) {
        for table in self
            .tables
            .borrow_mut()
            .iter_mut()
            .filter(|table| table.source == source)
        {
            table.load(now_ms);
            table.take(change);
        }
    }

    /// Rows of a table in which these cells have these values, from its cache where it has one. `None` if nothing is found
    /// and this is not the `last` attempt; what the cache holds is never asked for again.
    pub(crate) fn ask(&self, name: &str, wanted: Wanted, (now_ms, last): (i64, bool)) -> Option<Vec<Row>> {
        let mut tables = self.tables.borrow_mut();
        match tables.iter_mut().find(|table| *table.name == *name) {
            Some(table) => table.ask(wanted, now_ms, last),
            None => Some(Vec::new()),
        }
    }

    /// All tables as they stand; cheap, as rows are shared.
    pub(super) fn snapshot(&self) -> Vec<LookupTable> {
        self.tables.borrow().clone()
    }

    /// Goes back to what a snapshot holds.
    pub(super) fn restore(&self, tables: &[LookupTable]) {
        *self.tables.borrow_mut() = tables.to_vec();
    }
}

fn find(rows: &[Row], wanted: &Wanted) -> Vec<Row> {
    let matches = |row: &&Row| wanted.iter().all(|(at, value)| row.get(*at) == Some(value));
    rows.iter().filter(matches).map(Rc::clone).gather()
}
