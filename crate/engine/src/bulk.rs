//! Bulk runs for benches: the same code as a replay, over rows that are made beforehand.

use sg_diag::Lang;
use sg_runtime::Fault;
use sg_runtime::Job;
use sg_runtime::{JobOptions, Limits, TraceLevel};
use sg_value::{Change, Gather as _, RowKind, Value, ordered_map::OrderedMap};

use crate::generate::Random;
use crate::prepare::{PreparedStatement, prepare};

/// A query that is measured.
#[derive(Debug)]
pub struct BulkQuery {
    /// Its name.
    pub name: &'static str,
    /// A script over the table `events (k BIGINT, v BIGINT, ts TIMESTAMP(3))`.
    pub sql: &'static str,
}

const TABLE: &str = "SET 'pipeline.auto-watermark-interval' = '200 ms';\n\
    CREATE TABLE events (k BIGINT, v BIGINT, ts TIMESTAMP(3), \
    WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'replay');\n";

impl BulkQuery {
    /// All of them, as they stand in `bulk.sql`. The module of a page has none: whoever measures it brings them.
    pub fn all() -> Vec<Self> {
        let parts = include_str!("bulk.sql").split("\n-- ").skip(1);
        parts
            .filter_map(|part| {
                let (name, sql) = part.split_once('\n')?;
                Some(Self { name, sql })
            })
            .gather()
    }

    /// The query of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|query| query.name == name)
    }
}

/// A run that is ready to go.
#[derive(Debug)]
pub struct Run {
    job: Job,
    /// Cells of all rows, three a row.
    cells: Vec<Value>,
    /// Rows taken so far.
    taken: usize,
    emitted: u64,
    traced: bool,
    frames: Vec<u8>,
    frame_bytes: u64,
}

/// Rows that arrive together where nothing is traced.
pub(crate) const TOGETHER: usize = 256;

impl Run {
    /// Builds the job and makes the rows: 1 ms apart in event time, none of them late. With 0 `keys`, each row
    /// has a key of its own. `Err` is an English text.
    pub fn new(sql: &str, rows: u32, keys: u32, traced: bool) -> Result<Self, String> {
        let prepared = prepare(&format!("{TABLE}{sql}"));
        if let Some(error) = prepared
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity().is_refusal())
        {
            return Err(error.message(Lang::En));
        }
        let job = prepared
            .statements
            .into_iter()
            .find_map(|statement| match statement {
                PreparedStatement::Job(job) => Some(job),
                PreparedStatement::Text { .. } => None,
            });
        let Some(prepared) = job else {
            return Err(format!("{sql} is no query"));
        };
        let trace = if traced { TraceLevel::Full } else { TraceLevel::Off };
        let limits = Limits {
            max_state_entries: u64::MAX,
            ..Limits::default()
        };
        let options = JobOptions {
            trace,
            limits,
            ..JobOptions::default()
        };
        let mut job = Job::build(&prepared.graph, &options).map_err(|fault| text(&fault))?;
        job.start().map_err(|fault| text(&fault))?;
        let mut random = Random::new(42);
        let mut cells = Vec::with_capacity(rows as usize * 3);
        for row in 0..rows {
            let key = if keys == 0 { row } else { random.below(keys) };
            cells.push(Value::Int(i64::from(key)));
            cells.push(Value::Int(i64::from(random.below(1_000))));
            cells.push(Value::timestamp_ms(1_704_067_200_000 + i64::from(row)));
        }
        Ok(Self {
            job,
            cells,
            taken: 0,
            emitted: 0,
            traced,
            frames: Vec::new(),
            frame_bytes: 0,
        })
    }

    /// Pushes up to `rows` more rows: traced ones one event a push, others up to 256 at a time; true when all are in.
    pub fn some(&mut self, rows: usize) -> Result<bool, String> {
        let cells = self.cells.get(self.taken * 3..).unwrap_or_default();
        if !self.traced {
            let most = cells.len().min(rows * 3);
            for rows in cells.get(..most).unwrap_or_default().chunks(TOGETHER * 3) {
                let at_ms = rows.last().and_then(Value::as_ms).unwrap_or_default();
                self.job
                    .push_rows(0, 0, at_ms, rows)
                    .map_err(|fault| text(&fault))?;
                self.emitted += self.job.outputs().count() as u64;
                self.taken += rows.len() / 3;
            }
            return Ok(self.taken * 3 >= self.cells.len());
        }
        for row in cells.chunks_exact(3).take(rows) {
            let at_ms = row.last().and_then(Value::as_ms).unwrap_or_default();
            self.job
                .push_row(
                    0,
                    0,
                    at_ms,
                    Change {
                        kind: RowKind::Insert,
                        row,
                    },
                )
                .map_err(|fault| text(&fault))?;
            self.emitted += self.job.outputs().count() as u64;
            self.taken += 1;
        }
        self.job.take_frames(&mut self.frames);
        self.frame_bytes += self.frames.len() as u64;
        self.frames.clear();
        Ok(self.taken * 3 >= self.cells.len())
    }

    /// Pushes all rows and ends the input.
    pub fn all(&mut self) -> Result<(), String> {
        while !self.some(4_096)? {}
        self.job.end().map_err(|fault| text(&fault))?;
        self.emitted += self.job.outputs().count() as u64;
        Ok(())
    }

    /// The rows that go in, as numbers: `[k, v, ts]` with `ts` in milliseconds since the epoch, one row after
    /// the other.
    pub fn input(&self) -> Vec<i64> {
        self.cells.iter().map(number).gather()
    }

    /// Pushes all rows that are left, ends the input and gives the rows that the changelog leaves in the end,
    /// sorted, as numbers. Slower than [`Self::all`]: it proves what that computes. `Err` also where the
    /// changelog takes back a row that is not there.
    pub fn table(&mut self) -> Result<Vec<Vec<i64>>, String> {
        let mut counts = Counts::default();
        while self.taken * 3 < self.cells.len() {
            self.some(1)?;
            self.fold(&mut counts)?;
        }
        self.job.end().map_err(|fault| text(&fault))?;
        self.fold(&mut counts)?;
        Ok(counts
            .iter()
            .flat_map(|(row, count)| {
                let row: Vec<i64> = row.iter().map(number).gather();
                std::iter::repeat_n(row, usize::try_from(*count).unwrap_or(0))
            })
            .gather())
    }

    /// Adds the last slot's changes to a table.
    fn fold(&self, counts: &mut Counts) -> Result<(), String> {
        for output in self.job.outputs() {
            let row: Vec<Value> = output.row.iter().map(|cell| Value::Int(number(cell))).gather();
            match output.kind {
                RowKind::Insert | RowKind::UpdateAfter => *counts.entry(row) += 1,
                RowKind::UpdateBefore | RowKind::Delete => match counts.get_mut(&row) {
                    None => {
                        let row: Vec<i64> = row.iter().map(number).gather();
                        return Err(format!("{row:?} is taken back, but is not there"));
                    }
                    Some(1) => {
                        counts.remove(&row);
                    }
                    Some(count) => *count -= 1,
                },
            }
        }
        Ok(())
    }

    /// Changes that reached the sink.
    pub const fn emitted(&self) -> u64 {
        self.emitted
    }

    /// Bytes of trace.
    pub const fn frame_bytes(&self) -> u64 {
        self.frame_bytes
    }
}

/// Rows of numbers with how often each is there; the type that operators keep their views in.
type Counts = OrderedMap<Vec<Value>, i64>;

fn text(fault: &Fault) -> String {
    fault.diagnostic.message(Lang::En)
}

/// A cell of a bulk query: all are integers or timestamps of whole milliseconds, and none is NULL.
fn number(cell: &Value) -> i64 {
    cell.as_ms().unwrap_or(i64::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_runs_and_emits() {
        for query in BulkQuery::all() {
            let mut run =
                Run::new(query.sql, 100, 5, true).unwrap_or_else(|why| panic!("{}: {why}", query.name));
            run.all().unwrap_or_else(|why| panic!("{}: {why}", query.name));
            assert!(run.emitted() > 0, "{}", query.name);
            assert!(run.frame_bytes() > 0, "{}", query.name);
        }
    }

    #[test]
    fn the_table_is_what_the_input_adds_up_to() {
        let query = BulkQuery::from_name("group-by").unwrap();
        let mut run = Run::new(query.sql, 100, 5, false).unwrap();
        let mut expected = std::collections::BTreeMap::<i64, (i64, i64)>::new();
        for row in run.input().chunks_exact(3) {
            let (count, total) = expected.entry(row[0]).or_default();
            *count += 1;
            *total += row[1];
        }
        let expected: Vec<Vec<i64>> = expected
            .into_iter()
            .map(|(key, (count, total))| vec![key, count, total])
            .collect();
        assert_eq!(run.table().unwrap(), expected);
    }

    #[test]
    fn rows_that_arrive_together_emit_what_single_ones_do() {
        for name in [
            "group-by",
            "tumble",
            "session",
            "over-rows",
            "top-n",
            "filter-project",
            "inner-join",
            "join-keyed",
            "semi-join",
            "window-join",
        ] {
            let left = [256, 1].map(|together| {
                let query = BulkQuery::from_name(name).unwrap();
                let mut run = Run::new(query.sql, 2_000, 20, false).unwrap();
                let mut counts = Counts::default();
                while run.taken < 2_000 {
                    run.some(together).unwrap();
                    run.fold(&mut counts).unwrap();
                }
                run.job.end().unwrap();
                run.fold(&mut counts).unwrap();
                assert!(!counts.is_empty(), "{name}");
                (run.emitted(), counts.iter().cloned().gather::<Vec<_>>())
            });
            assert_eq!(left[0], left[1], "{name}");
        }
    }

    #[test]
    fn without_a_number_of_keys_each_row_has_its_own() {
        let mut run = Run::new(BulkQuery::from_name("count").unwrap().sql, 50, 0, false).unwrap();
        assert_eq!(run.table().unwrap().len(), 50);
    }
}
