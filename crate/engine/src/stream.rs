//! A file of any size, run through the queries of a workspace piece by piece: only the state and the result are kept.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_runtime::{Fault, Job, JobOptions, Limits};
use sg_value::{Field, Gather as _, RowKind, Value, format, ordered_map::OrderedMap};

use crate::bulk::TOGETHER;
use crate::dto;
use crate::file::{Format, refuse_one_name};
use crate::prepare::{PreparedStatement, prepare};
use crate::replay::Script;
use crate::view::bilingual;

/// Different rows of a result that are kept; a larger one is only counted.
const MOST_ROWS: usize = 100_000;

/// Bytes of the longest line that is held; a longer one is no row, and counts as unread.
const LONGEST: usize = 1 << 24;

/// How often each row of a result is there; the type that operators keep their views in.
type Counts = OrderedMap<Vec<Value>, i64>;

/// A file while it is run.
#[derive(Debug)]
pub struct FileRun {
    format: Format,
    lanes: Vec<FileLane>,
    /// Bytes of a line whose end has not come.
    rest: Vec<u8>,
    /// Lines of a row whose quoted value has line feeds in it.
    open: String,
    /// The bytes up to the next line feed belong to a line that was too long.
    skips: bool,
    /// The next line holds the names of the columns.
    names_come: bool,
    rows: u64,
    unread: u64,
    /// Cells of the rows that are to arrive together.
    cells: Vec<Value>,
}

/// A query that reads the file.
#[derive(Debug)]
struct FileLane {
    job: Job,
    source: u32,
    columns: Rc<[Field]>,
    changes: u64,
    result: Counts,
    /// Rows of the result, listed or not.
    rows: i64,
    too_large: bool,
    fault: Option<Fault>,
}

impl FileRun {
    /// Makes the queries of a workspace, given as JSON text, ready for the lines of a file. `Err` is a text for people.
    pub fn open(json: &str, table: &str, csv: Option<char>, has_names: bool) -> Result<Self, dto::Bilingual> {
        let workspace = dto::Workspace::read(json).map_err(|error| crate::session::unreadable(&error))?;
        let script = Script::new(&workspace);
        let mut lanes = Vec::new();
        let mut format = None;
        for query in &workspace.queries {
            let (text, _) = script.with_query(&query.sql);
            let prepared = prepare(&text);
            if let Some(table) = prepared.catalog.table_named(table) {
                format = Some(Format::of_file(table, csv));
            }
            let mut jobs = prepared.statements.into_iter().filter_map(|one| match one {
                PreparedStatement::Job(job) => Some(job),
                PreparedStatement::Text { .. } => None,
            });
            if let Some(job) = jobs.next().filter(|_| !prepared.diagnostics.has_errors()) {
                let limits = Limits {
                    max_changes: u64::MAX,
                    ..Limits::default()
                };
                let columns = match &job.query {
                    Some(columns) => Rc::clone(columns),
                    None => Rc::from([]),
                };
                refuse_one_name(&job.graph, true).map_err(|diagnostic| said(&diagnostic))?;
                let options = JobOptions {
                    limits,
                    ..JobOptions::default()
                };
                lanes.push(
                    FileLane::new(&job.graph, &options, table, columns)
                        .map_err(|fault| said(&fault.diagnostic))?,
                );
            }
        }
        let Some(format) = format.filter(|_| !lanes.is_empty()) else {
            return Err(said(&Diagnostic::new(Code::NoQuery, Span::default())));
        };
        Ok(Self {
            format,
            lanes,
            rest: Vec::new(),
            open: String::new(),
            skips: false,
            names_come: has_names,
            rows: 0,
            unread: 0,
            cells: Vec::new(),
        })
    }

    /// The next bytes of the file.
    pub fn push(&mut self, mut bytes: &[u8]) {
        if self.skips {
            let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
                return;
            };
            bytes = bytes.get(end + 1..).unwrap_or_default();
            self.skips = false;
        }
        let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') else {
            self.rest.extend_from_slice(bytes);
            if self.rest.len() > LONGEST {
                self.rest = Vec::new();
                self.skips = true;
                self.unread += 1;
            }
            return;
        };
        let (whole, rest) = bytes.split_at(last + 1);
        let mut lines = std::mem::take(&mut self.rest);
        // the last line feed ends a line and begins none
        lines.extend_from_slice(whole.get(..last).unwrap_or_default());
        self.rest.extend_from_slice(rest);
        for line in lines.split(|byte| *byte == b'\n') {
            self.line(line);
        }
        self.deliver();
    }

    /// The end of the file: the last line, and the last watermark.
    pub fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        self.line(&rest);
        // a quote that never ends
        self.unread += u64::from(!self.open.is_empty());
        self.deliver();
        for lane in &mut self.lanes {
            if lane.fault.is_none() {
                lane.fault = lane.job.end().err();
                lane.fold();
            }
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        let line = String::from_utf8_lossy(bytes);
        let line = line.trim_start_matches('\u{feff}');
        let inside = !self.open.is_empty();
        if self.format.goes_on(line, inside) {
            self.open.push_str(line);
            self.open.push('\n');
            if self.open.len() > LONGEST {
                self.open = String::new();
                self.unread += 1;
            }
            return;
        }
        let whole = std::mem::take(&mut self.open) + line;
        let line = whole.trim_end_matches('\r');
        if line.trim().is_empty() {
            return;
        }
        if std::mem::take(&mut self.names_come) {
            return;
        }
        match self.format.read(line) {
            Ok(rows) => {
                for (_, row) in rows {
                    self.cells.extend(row.iter().cloned());
                    self.rows += 1;
                }
            }
            Err(_) => self.unread += 1,
        }
        if self.rows.is_multiple_of(TOGETHER as u64) {
            self.deliver();
        }
    }

    fn deliver(&mut self) {
        if self.cells.is_empty() {
            return;
        }
        let at_ms = i64::try_from(self.rows).unwrap_or(i64::MAX);
        for lane in self.lanes.iter_mut().filter(|lane| lane.fault.is_none()) {
            lane.fault = lane.job.push_rows(lane.source, 0, at_ms, &self.cells).err();
            lane.fold();
        }
        self.cells.clear();
    }

    /// How far it is; of each result its first rows, at most `most`.
    pub fn look(&self, most: usize) -> dto::FileProgress {
        let lanes = self.lanes.iter().map(|lane| lane.look(most));
        dto::FileProgress {
            rows: self.rows,
            unread: self.unread,
            queries: lanes.gather(),
        }
    }
}

impl FileLane {
    fn new(
        graph: &Rc<sg_plan::job::JobGraph>,
        options: &JobOptions,
        table: &str,
        columns: Rc<[Field]>,
    ) -> Result<Self, Fault> {
        let mut job = Job::build(graph, options)?;
        let source = job.sources().iter().find(|source| *source.table == *table);
        let source = source.map_or(u32::MAX, |source| source.source);
        let fault = job.start().err();
        let mut lane = Self {
            job,
            source,
            columns,
            changes: 0,
            result: Counts::default(),
            rows: 0,
            too_large: false,
            fault,
        };
        lane.fold();
        Ok(lane)
    }

    /// Adds the last changes to the result.
    fn fold(&mut self) {
        for output in self.job.outputs() {
            self.changes += 1;
            let by = match output.kind {
                RowKind::Insert | RowKind::UpdateAfter => 1,
                RowKind::UpdateBefore | RowKind::Delete => -1,
            };
            self.rows += by;
            if self.too_large {
                continue;
            }
            let row = output.row.to_vec();
            let count = self.result.entry(row);
            *count += by;
            if *count == 0 {
                self.result.remove(output.row);
            }
        }
        if self.result.len() > MOST_ROWS {
            self.too_large = true;
            self.result = Counts::default();
        }
    }

    fn look(&self, most: usize) -> dto::FileResult {
        let repeated = self
            .result
            .iter()
            .flat_map(|(row, count)| std::iter::repeat_n(row, usize::try_from(*count).unwrap_or(0)));
        let cells = |row: &Vec<Value>| {
            row.iter()
                .zip(self.columns.iter())
                .map(|(cell, field)| (!cell.is_null()).then(|| format::cell_text(cell, &field.data_type)))
                .gather()
        };
        dto::FileResult {
            columns: self.columns.iter().map(|field| field.name.to_string()).gather(),
            table: repeated.take(most).map(cells).gather(),
            rows: self.rows,
            changes: self.changes,
            fault: self.fault.as_ref().map(|fault| said(&fault.diagnostic)),
        }
    }
}

fn said(diagnostic: &Diagnostic) -> dto::Bilingual {
    bilingual(|lang| diagnostic.message(lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKSPACE: &str = r#"{"script": "CREATE TABLE t (k STRING, v INT) WITH ('connector' = 'replay')",
        "queries": [{"sql": "SELECT k, COUNT(*) AS n, SUM(v) AS total FROM t GROUP BY k"}]}"#;

    fn shown(run: &FileRun) -> Vec<String> {
        let cells = |row: &Vec<Option<String>>| {
            row.iter()
                .map(|cell| cell.clone().unwrap_or_default())
                .collect::<Vec<_>>()
                .join(" ")
        };
        run.look(10).queries[0].table.iter().map(cells).collect()
    }

    #[test]
    fn lines_are_cut_wherever_the_bytes_are() {
        let text = "k,v\nä,1\r\n\"b,c\",2\nä,x\n\nä,3";
        let mut whole = FileRun::open(WORKSPACE, "t", Some(','), true).unwrap();
        whole.push(text.as_bytes());
        whole.end();
        let mut apart = FileRun::open(WORKSPACE, "t", Some(','), true).unwrap();
        for byte in text.as_bytes() {
            apart.push(&[*byte]);
        }
        apart.end();
        assert_eq!(shown(&whole), ["b,c 1 2", "ä 3 4"]);
        assert_eq!(shown(&apart), shown(&whole));
        assert_eq!(whole.look(0).rows, 4);
    }

    #[test]
    fn a_line_feed_in_quotes_belongs_to_the_value() {
        let text = "k,v\n\"a\nb\",1\n\"a\r\nb\n\",2\n5\" disk,3\n\"say \"\"hi\n\"\"\",4\nc,5\n\"open,6\nd,7";
        let mut run = FileRun::open(WORKSPACE, "t", Some(','), true).unwrap();
        for byte in text.as_bytes() {
            run.push(&[*byte]);
        }
        run.end();
        assert_eq!(
            shown(&run),
            [
                "5\" disk 1 3",
                "a\nb 1 1",
                "a\r\nb\n 1 2",
                "c 1 5",
                "say \"hi\n\" 1 4"
            ]
        );
        assert_eq!((run.look(0).rows, run.look(0).unread), (5, 1));
    }

    #[test]
    fn lines_of_json_are_read_and_broken_ones_counted() {
        let mut run = FileRun::open(WORKSPACE, "t", None, false).unwrap();
        run.push(b"{\"k\": \"a\", \"v\": 1, \"more\": []}\n{\"k\": \n{\"k\": \"a\"}\n");
        run.end();
        assert_eq!(shown(&run), ["a 2 1"]);
        assert_eq!((run.look(0).rows, run.look(0).unread), (2, 1));
    }

    #[test]
    fn a_line_that_does_not_end_is_not_held() {
        let mut run = FileRun::open(WORKSPACE, "t", Some(','), false).unwrap();
        let piece = vec![b'x'; LONGEST / 2];
        run.push(b"a,1\nb,");
        for _ in 0..5 {
            run.push(&piece);
            assert!(run.rest.len() <= LONGEST);
        }
        run.push(b"x\na,2\na");
        run.push(b",3");
        run.end();
        assert_eq!(shown(&run), ["a 3 6"]);
        assert_eq!((run.look(0).rows, run.look(0).unread), (3, 1));
    }

    #[test]
    fn a_table_that_no_query_reads_is_refused() {
        let json = r#"{"script": "", "queries": [{"sql": "SELECT 1"}]}"#;
        assert!(FileRun::open(json, "t", None, false).is_err());
    }
}
