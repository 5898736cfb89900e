//! What one sink makes of a changelog: messages, statements, files, and what a reader gets in the end.
//!
//! A model of the connectors' documented behaviour with one writer. Flink: upsert-kafka (`-U` is left out, `-D` is a
//! key without a value), the buffer of JDBC that keeps the last change of a key, the rolling policy of file systems,
//! and Iceberg's delta writer: a row that replaces one of the same commit marks it in a position delete file, any
//! other one is taken away by its key in an equality delete file.

use std::collections::VecDeque;

use sg_value::format::cell_text;
use sg_value::{Change, Field, Gather as _, RowKind, Value, ordered_map::OrderedMap};

use super::target::{Target, Writes};
use crate::dto::{SinkBatch, SinkMessage, SinkReport};

/// Messages and batches that a report lists at most.
const LISTED: usize = 32;
/// A position in a data file: a number, and the file's name by its place in a dictionary.
const POSITION_BYTES: u64 = 12;

/// The newest row of a key, or the rows of one content.
#[derive(Clone, Copy, Debug, Default)]
struct Live {
    /// How many; more than one only where there is no key.
    rows: u32,
    /// Of each, without its key.
    bytes: u64,
    /// Number of the message that wrote it.
    message: u32,
    /// Number of the batch that wrote it.
    batch: u32,
}

/// A message while it is remembered.
#[derive(Debug)]
struct Message {
    does: &'static str,
    key: String,
    text: String,
    bytes: u64,
    number: u32,
}

/// The books of one sink.
#[derive(Debug)]
pub(super) struct Ledger {
    target: Target,
    report: SinkReport,
    live: OrderedMap<String, Live>,
    /// JDBC with a key: the last change of each key since the last flush; one that takes away has no rows.
    buffer: OrderedMap<String, Live>,
    log: VecDeque<Message>,
    messages: u32,
    open: SinkBatch,
    batches: VecDeque<SinkBatch>,
    batch: u32,
    next_ms: i64,
}

impl Ledger {
    /// Empty books of a sink whose job starts at a time.
    pub(super) fn new(target: Target, start_ms: i64) -> Self {
        let report = SinkReport {
            operator: target.operator,
            table: target.table.clone(),
            connector: target.connector.clone(),
            format: target.format_name.clone(),
            writes: target.writes.name(),
            key: target.key_names(),
            refused: target.refused,
            interval_ms: target.interval_ms,
            interval_assumed: target.interval_assumed,
            batch_rows: target.batch_rows,
            ..SinkReport::default()
        };
        Self {
            next_ms: start_ms.saturating_add(target.interval_ms),
            target,
            report,
            live: OrderedMap::default(),
            buffer: OrderedMap::default(),
            log: VecDeque::new(),
            messages: 0,
            open: SinkBatch::default(),
            batches: VecDeque::new(),
            batch: 0,
        }
    }

    /// The operator whose changes belong here; `None` where it is the result of a bare query.
    pub(super) fn operator(&self) -> Option<u32> {
        self.target.operator
    }

    /// Processing time goes on: what is due is committed or flushed.
    pub(super) fn advance(&mut self, now_ms: i64) {
        let every = self.target.interval_ms;
        if every <= 0 || now_ms < self.next_ms {
            return;
        }
        self.commit(self.next_ms);
        self.next_ms += ((now_ms - self.next_ms) / every + 1) * every;
    }

    /// The input has ended: the last checkpoint.
    pub(super) fn end(&mut self, now_ms: i64) {
        self.commit(now_ms);
    }

    /// Rows that came to a sink that keeps nothing of them.
    pub(super) fn discard_all(&mut self, rows: u64) {
        if self.target.writes == Writes::Nothing {
            self.report.writes_done = u32::try_from(rows).unwrap_or(u32::MAX);
        }
    }

    /// Takes a change in.
    pub(super) fn take(&mut self, change: Change<'_>) {
        let [inserted, before, after, deleted] = &mut self.report.received;
        let (received, adds) = match change.kind {
            RowKind::Insert => (inserted, true),
            RowKind::UpdateBefore => (before, false),
            RowKind::UpdateAfter => (after, true),
            RowKind::Delete => (deleted, false),
        };
        *received += 1;
        if self.target.refused.is_some() {
            return;
        }
        let upserts = matches!(
            self.target.writes,
            Writes::UpsertLog | Writes::UpsertStatements | Writes::UpsertLake
        );
        if upserts && change.kind == RowKind::UpdateBefore {
            return;
        }
        let key = self.text(change.row, self.target.key.as_deref());
        let bytes = self.target.row_bytes(change.row);
        match self.target.writes {
            Writes::Nothing => {}
            Writes::Changes => self.fold(&key, bytes, adds),
            Writes::Log | Writes::CdcLog | Writes::Lines => {
                self.fold(&key, bytes, adds);
                let does = if adds { "add" } else { "take" };
                let bytes = match self.target.writes {
                    Writes::Lines => self.line_bytes(&change),
                    _ => bytes,
                };
                self.send(does, key, &change, bytes);
            }
            Writes::UpsertLog => {
                self.fold(&key, bytes, adds);
                let key_bytes = self.target.key_bytes(change.row);
                let (does, bytes) = if adds {
                    ("put", bytes + key_bytes)
                } else {
                    ("tombstone", key_bytes)
                };
                self.send(does, key, &change, bytes);
            }
            Writes::Statements => {
                self.fold(&key, bytes, adds);
                self.write_rows(bytes);
                self.flush_if_full();
            }
            Writes::UpsertStatements => {
                let bytes = if adds {
                    bytes
                } else {
                    self.target.key_bytes(change.row)
                };
                let change = Live {
                    rows: u32::from(adds),
                    bytes,
                    ..Live::default()
                };
                self.buffer.insert(key, change);
                self.open.rows += 1;
                self.flush_if_full();
            }
            Writes::Files => {
                self.fold(&key, bytes, adds);
                self.write_rows(bytes);
            }
            Writes::Lake | Writes::UpsertLake => self.lake(&key, &change, bytes),
        }
        if self.target.interval_ms == 0 {
            self.report.visible_rows = self.report.live_rows;
        }
    }

    /// A row comes to what readers get, or goes.
    fn fold(&mut self, key: &str, bytes: u64, adds: bool) {
        let keyed = self.target.key.is_some();
        let message = self.messages;
        let batch = self.batch;
        if adds {
            let live = self.live.entry(key.to_owned());
            if keyed && live.rows > 0 {
                self.report.updated += 1;
                self.report.live_bytes = self.report.live_bytes + bytes - live.bytes;
            } else {
                self.report.appended += 1;
                self.report.live_bytes += bytes;
                self.report.live_rows += 1;
                live.rows += 1;
            }
            (live.bytes, live.message, live.batch) = (bytes, message, batch);
        } else if let Some(live) = self.live.get_mut(key) {
            self.report.deleted += 1;
            self.report.live_bytes = self.report.live_bytes.saturating_sub(live.bytes);
            self.report.live_rows -= 1;
            live.rows -= 1;
            if live.rows == 0 {
                self.live.remove(key);
            }
        }
    }

    /// Iceberg's delta writer; without a key its plain one, which appends whatever comes.
    #[inline(never)]
    fn lake(&mut self, key: &str, change: &Change<'_>, bytes: u64) {
        let adds = matches!(change.kind, RowKind::Insert | RowKind::UpdateAfter);
        if self.target.key.is_none() {
            self.fold(key, bytes, true);
            self.write_rows(bytes);
            return;
        }
        // An upsert first deletes the key; a changelog with before-images deletes the row that goes.
        if !adds || self.target.writes == Writes::UpsertLake {
            let written_now = self.live.get(key).is_some_and(|live| live.batch == self.batch);
            if written_now {
                self.open.position_deletes += 1;
                self.open.bytes += POSITION_BYTES;
            } else {
                self.open.equality_deletes += 1;
                self.open.bytes += match self.target.writes {
                    Writes::UpsertLake => self.target.key_bytes(change.row),
                    _ => bytes,
                };
            }
        }
        self.fold(key, bytes, adds);
        if adds {
            self.write_rows(bytes);
        }
    }

    fn write_rows(&mut self, bytes: u64) {
        self.open.rows += 1;
        self.open.bytes += bytes;
    }

    fn flush_if_full(&mut self) {
        let most = self.target.batch_rows;
        if most > 0 && self.open.rows >= most {
            self.commit(self.next_ms);
        }
    }

    fn commit(&mut self, at_ms: i64) {
        while let Some((key, Live { rows, bytes, .. })) = self.buffer.pop_first() {
            let adds = rows > 0;
            self.fold(&key, bytes, adds);
            self.open.bytes += bytes;
            self.open.equality_deletes += u32::from(!adds);
            self.report.writes_done += 1;
            self.messages += 1;
        }
        let SinkBatch {
            rows,
            position_deletes,
            equality_deletes,
            bytes,
            ..
        } = self.open;
        self.report.visible_rows = self.report.live_rows;
        if rows + position_deletes + equality_deletes == 0 {
            return;
        }
        if self.target.writes != Writes::UpsertStatements {
            self.report.writes_done += rows + position_deletes + equality_deletes;
        }
        self.report.bytes += bytes;
        if self.target.writes.makes_files() {
            let made = [rows, position_deletes, equality_deletes];
            self.report.files += made.iter().map(|rows| u32::from(*rows > 0)).sum::<u32>();
            self.report.read_rows += made.iter().sum::<u32>();
        }
        self.batches.push_back(SinkBatch { at_ms, ..self.open });
        if self.batches.len() > LISTED {
            self.batches.pop_front();
            self.report.earlier_batches += 1;
        }
        self.open = SinkBatch::default();
        self.batch += 1;
    }

    fn send(&mut self, does: &'static str, key: String, change: &Change<'_>, bytes: u64) {
        self.report.writes_done += 1;
        self.report.bytes += bytes;
        let text = self.text(change.row, None);
        self.log.push_back(Message {
            does,
            key,
            text,
            bytes,
            number: self.messages,
        });
        if self.log.len() > LISTED {
            self.log.pop_front();
        }
        self.messages += 1;
    }

    /// Cells of these columns, or of all, as one text.
    fn text(&self, row: &[Value], columns: Option<&[u32]>) -> String {
        let mut text = String::new();
        let mut push = |value: &Value, field: &Field| {
            if !text.is_empty() {
                text.push_str(", ");
            }
            text.push_str(&cell_text(value, &field.data_type));
        };
        let cells = || row.iter().zip(&self.target.fields);
        match columns {
            Some(columns) => columns
                .iter()
                .filter_map(|at| cells().nth(*at as usize))
                .for_each(|(value, field)| push(value, field)),
            None => cells().for_each(|(value, field)| push(value, field)),
        }
        text
    }

    /// `+I[tea, 3]` and a line feed.
    fn line_bytes(&self, change: &Change<'_>) -> u64 {
        (self.text(change.row, None).len() + 5) as u64
    }

    /// The books as they stand.
    pub(super) fn report(mut self) -> SinkReport {
        let upserts = self.target.writes == Writes::UpsertLog;
        let live = &self.live;
        let log = self.log.iter().map(|message| SinkMessage {
            does: message.does,
            text: message.text.clone(),
            bytes: u32::try_from(message.bytes).unwrap_or(u32::MAX),
            superseded: upserts
                && live
                    .get(&message.key)
                    .is_none_or(|live| live.message != message.number),
        });
        self.report.log = log.gather();
        if !self.buffer.is_empty()
            || self.open.rows + self.open.equality_deletes + self.open.position_deletes > 0
        {
            self.batches.push_back(SinkBatch {
                at_ms: self.next_ms,
                open: true,
                ..self.open
            });
        }
        self.report.batches = self.batches.into();
        self.report
    }
}
