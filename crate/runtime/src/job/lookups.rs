//! The tables that lookup joins ask: what the arrivals so far have left in them.
//!
//! With a primary key a row replaces the one of its key, and a delete takes it away; without one rows only add up, as in
//! the stand-ins of the recorded cases (`tests/oracle`).

use std::{cell::RefCell, rc::Rc};

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
}

impl LookupTable {
    /// An empty table.
    pub(super) fn new(source: u32, name: &Rc<str>, key: Option<Vec<usize>>) -> Self {
        Self {
            source,
            name: Rc::clone(name),
            key: key.map(Rc::from),
            rows: Rc::default(),
        }
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
    pub(super) fn take(&self, source: u32, change: Change<'_>) {
        for table in self
            .tables
            .borrow_mut()
            .iter_mut()
            .filter(|table| table.source == source)
        {
            table.take(change);
        }
    }

    /// Rows of a table in which these cells have these values.
    pub(crate) fn find(&self, name: &str, wanted: &[(usize, Value)]) -> Vec<Row> {
        let tables = self.tables.borrow();
        let Some(table) = tables.iter().find(|table| *table.name == *name) else {
            return Vec::new();
        };
        let matches = |row: &&Row| wanted.iter().all(|(at, value)| row.get(*at) == Some(value));
        table.rows.iter().filter(matches).map(Rc::clone).gather()
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
