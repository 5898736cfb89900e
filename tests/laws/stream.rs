//! Generated streams and queries.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::{option, sample::select};

/// 2024-01-01T00:00:00Z.
pub(crate) const BASE_MS: i64 = 1_704_067_200_000;

/// A row of the table `s (id INT, k STRING, v INT, ts TIMESTAMP(3))`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: i64,
    pub(crate) k: Option<&'static str>,
    pub(crate) v: Option<i64>,
    /// Milliseconds after [`BASE_MS`].
    pub(crate) ts: i64,
}

/// A row that comes or goes.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) row: Row,
    pub(crate) deleted: bool,
}

/// Rows in arrival order, event time out of order by up to 20 s.
pub(crate) fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let row = (
        option::weighted(0.9, select(&["a", "b", "c"][..])),
        option::weighted(0.85, -9_i64..40),
        0_i64..20_000,
    );
    vec(row, 1..most).prop_map(|rows| {
        let numbered = rows.into_iter().enumerate().map(|(at, (k, v, late))| {
            let at = i64::try_from(at).unwrap_or(0);
            Row {
                id: at,
                k,
                v,
                ts: (30_000 + at * 2_500 - late).max(1),
            }
        });
        numbered.collect()
    })
}

/// Rows of which some are deleted again, each after it came.
pub(crate) fn changes(most: usize) -> impl Strategy<Value = Vec<Event>> {
    (rows(most), vec(any::<(bool, u8)>(), most)).prop_map(|(rows, plan)| {
        let mut events: Vec<Event> = Vec::new();
        let mut waiting: Vec<(usize, Row)> = Vec::new();
        for (at, (row, (deleted, delay))) in rows.into_iter().zip(plan).enumerate() {
            events.push(Event {
                row: row.clone(),
                deleted: false,
            });
            if deleted {
                waiting.push((at + usize::from(delay % 5), row));
            }
            let (due, later) = waiting.into_iter().partition(|(when, _)| *when <= at);
            events.extend(take(due));
            waiting = later;
        }
        events.extend(take(waiting));
        events
    })
}

fn take(due: Vec<(usize, Row)>) -> impl Iterator<Item = Event> {
    due.into_iter().map(|(_, row)| Event { row, deleted: true })
}

/// A query: which aggregates, over which filter, by which key.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    pub(crate) aggregates: Vec<&'static str>,
    pub(crate) keyed: bool,
    pub(crate) filter: Option<i64>,
    /// Length of a tumbling window in milliseconds.
    pub(crate) window_ms: Option<i64>,
}

/// Aggregates that the naive evaluation knows.
pub(crate) const AGGREGATES: [&str; 7] = [
    "COUNT(*)",
    "COUNT(v)",
    "SUM(v)",
    "MIN(v)",
    "MAX(v)",
    "AVG(v)",
    "COUNT(DISTINCT v)",
];

/// Queries with or without a tumbling window.
pub(crate) fn query(windowed: bool) -> impl Strategy<Value = Query> {
    let windows = if windowed {
        prop_oneof![Just(Some(5_000)), Just(Some(10_000)), Just(Some(60_000))].boxed()
    } else {
        Just(None).boxed()
    };
    (
        vec(select(&AGGREGATES[..]), 1..4),
        any::<bool>(),
        option::of(-5_i64..20),
        windows,
    )
        .prop_map(|(aggregates, keyed, filter, window_ms)| Query {
            aggregates,
            keyed,
            filter,
            window_ms,
        })
}

impl Query {
    /// The SQL of the query.
    pub(crate) fn sql(&self) -> String {
        let mut columns = Vec::new();
        let mut groups = Vec::new();
        if self.window_ms.is_some() {
            groups.extend(["window_start", "window_end"]);
        }
        if self.keyed {
            groups.push("k");
        }
        columns.extend(groups.iter().map(|name| (*name).to_owned()));
        columns.extend(
            self.aggregates
                .iter()
                .enumerate()
                .map(|(at, call)| format!("{call} AS a{at}")),
        );
        let from = self.window_ms.map_or_else(
            || "s".to_owned(),
            |ms| {
                format!(
                    "TABLE(TUMBLE(TABLE s, DESCRIPTOR(ts), INTERVAL '{}' SECOND))",
                    ms / 1_000
                )
            },
        );
        let filter = self
            .filter
            .map_or_else(String::new, |bound| format!(" WHERE v > {bound}"));
        let group = if groups.is_empty() {
            String::new()
        } else {
            format!(" GROUP BY {}", groups.join(", "))
        };
        format!("SELECT {} FROM {from}{filter}{group};", columns.join(", "))
    }
}

/// Bound of out-of-orderness in the table's declaration, milliseconds.
pub(crate) const BOUND_MS: i64 = 4_000;

/// A case's text: the table, the query and the events.
pub(crate) fn case_text(query: &Query, events: &[Event], parallelism: u32) -> String {
    let mode = if query.window_ms.is_some() {
        "I"
    } else {
        "I,UB,UA,D"
    };
    text_of(&query.sql(), events, (mode, parallelism))
}

/// The same of any SQL.
pub(crate) fn text_of(sql: &str, events: &[Event], (mode, parallelism): (&str, u32)) -> String {
    let mut text = format!(
        "# generated\n# parallelism: {parallelism}\n==== sql\nCREATE TABLE s (id INT, k STRING, v INT, ts TIMESTAMP(3), \
         WATERMARK FOR ts AS ts - INTERVAL '4' SECOND) WITH ('connector' = 'replay', 'changelog-mode' = '{mode}');\n{sql}\n\
         ==== events\n"
    );
    for event in events {
        let Row { id, k, v, ts } = &event.row;
        let kind = if event.deleted { "-D " } else { "" };
        let k = k.map_or_else(|| "null".to_owned(), |k| format!("\"{k}\""));
        let v = v.map_or_else(|| "null".to_owned(), |v| v.to_string());
        writeln!(
            text,
            "s {kind}{{\"id\": {id}, \"k\": {k}, \"v\": {v}, \"ts\": \"{}\"}}",
            time(*ts)
        )
        .unwrap();
    }
    text
}

pub(crate) fn time(ms: i64) -> String {
    let (minutes, rest) = (ms / 60_000, ms % 60_000);
    format!(
        "2024-01-01 {:02}:{:02}:{:02}.{:03}",
        minutes / 60,
        minutes % 60,
        rest / 1_000,
        rest % 1_000
    )
}
