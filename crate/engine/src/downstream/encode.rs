//! A result as an append, a retract and an upsert stream.
//!
//! Append carries rows that come and nothing else. Retract adds rows and takes them back. Upsert sends a row under its
//! key in place of the last one, and a key without a row where it goes; before-images are not sent.

use std::collections::VecDeque;

use sg_value::format::cell_text;
use sg_value::map::FxMap;
use sg_value::{Change, Field, Gather as _, RowKind, Value};

use crate::dto::{EncodedRow, Encodings};

/// Changes that are listed at most.
const LISTED: usize = 60;

/// The streams while they are written.
#[derive(Debug)]
pub(super) struct Encoder {
    fields: Vec<Field>,
    made: Encodings,
    rows: VecDeque<EncodedRow>,
    /// Whether `-U` comes by itself; else the last row of each key is kept, to take it back.
    before_images: bool,
    last: FxMap<String, Vec<Value>>,
}

impl Encoder {
    /// For a result with these columns and this upsert key.
    pub(super) fn new(fields: Vec<Field>, key: Option<Vec<u32>>, before_images: bool) -> Self {
        Self {
            fields,
            before_images: before_images || key.is_none(),
            made: Encodings {
                key,
                ..Encodings::default()
            },
            rows: VecDeque::new(),
            last: FxMap::default(),
        }
    }

    /// Takes a change of the result in, after a number of arrivals.
    pub(super) fn take(&mut self, slots: u32, change: Change<'_>) {
        let keyed = self.made.key.is_some();
        let adds = matches!(change.kind, RowKind::Insert | RowKind::UpdateAfter);
        let last = if self.before_images {
            None
        } else {
            let key = self.key_text(change.row);
            if adds {
                self.last.insert(key, change.row.to_vec())
            } else {
                self.last.remove(&key)
            }
        };
        let upsert = match change.kind {
            _ if !keyed => "none",
            RowKind::UpdateBefore => "none",
            RowKind::Delete => "tombstone",
            RowKind::Insert | RowKind::UpdateAfter => "put",
        };
        match (adds, &last) {
            (true, Some(before)) => self.push(slots, before, (false, "none")),
            (false, Some(before)) => return self.push(slots, before, (false, upsert)),
            (_, None) => {}
        }
        self.push(slots, change.row, (adds, upsert));
    }

    fn push(&mut self, slots: u32, row: &[Value], (add, upsert): (bool, &'static str)) {
        let [append, retract, upserts] = &mut self.made.messages;
        *append += u32::from(add);
        *retract += 1;
        *upserts += u32::from(upsert != "none");
        let cells = row
            .iter()
            .zip(&self.fields)
            .map(|(value, field)| (!value.is_null()).then(|| cell_text(value, &field.data_type)));
        self.rows.push_back(EncodedRow {
            slots,
            cells: cells.gather(),
            add,
            upsert,
        });
        if self.rows.len() > LISTED {
            self.rows.pop_front();
            self.made.earlier += 1;
        }
    }

    fn key_text(&self, row: &[Value]) -> String {
        let key = self.made.key.as_deref().unwrap_or_default();
        let cells = key.iter().filter_map(|at| {
            let field = self.fields.get(*at as usize)?;
            Some(cell_text(row.get(*at as usize)?, &field.data_type))
        });
        cells.gather::<Vec<_>>().join("\u{1f}")
    }

    /// What was written.
    pub(super) fn finish(mut self) -> Encodings {
        self.made.rows = self.rows.into();
        self.made
    }
}
