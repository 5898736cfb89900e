//! State of windows takes as many entries and bytes as in real savepoints.
//!
//! The figures are per key, measured on Flink 2.3.0 with ten rows a key, one second apart, none of them fired or, where
//! it says so, with a watermark in the middle. Finds: a state, a timer or a column that counts too often or not at all.

use std::rc::Rc;

use sg_engine::prepare::{PreparedStatement, prepare};
use sg_runtime::{Arrival, ArrivalKind, Job, JobOptions};
use sg_value::{RowKind, Value};

const TABLE: &str = "CREATE TABLE a (id BIGINT, k BIGINT, v BIGINT, s STRING, f DOUBLE, ts TIMESTAMP(3), \
    WATERMARK FOR ts AS SOURCE_WATERMARK()) WITH ('connector' = 'replay');\n";
const BASE_MS: i64 = 1_704_067_200_000;
const KEYS: i64 = 3;

/// A query with its operator's entries and bytes per key.
struct Measured {
    operator: &'static str,
    set: &'static str,
    sql: &'static str,
    entries: u64,
    bytes: u64,
}

const fn measured(operator: &'static str, sql: &'static str, entries: u64, bytes: u64) -> Measured {
    Measured {
        operator,
        set: "",
        sql,
        entries,
        bytes,
    }
}

/// With a local phase rows wait there without a timer until the watermark moves; the figures are those of a checkpoint,
/// which does not wait.
const fn one_phase(sql: &'static str, entries: u64, bytes: u64) -> Measured {
    Measured {
        set: "SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';\n",
        ..measured("WindowAggregate", sql, entries, bytes)
    }
}

const EARLY: &str = "SET 'table.exec.emit.early-fire.enabled' = 'true';\n";
const LATE: &str =
    "SET 'table.exec.emit.late-fire.enabled' = 'true';\nSET 'table.exec.emit.allow-lateness' = '1 h';\n";

/// Nothing has fired.
const OPEN: &[Measured] = &[
    one_phase(
        "SELECT k, window_start, window_end, COUNT(*), SUM(v) FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND)) GROUP BY k, window_start, window_end",
        12,
        660,
    ),
    one_phase(
        "SELECT k, window_start, window_end, COUNT(*) FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), INTERVAL '2' SECOND, \
         INTERVAL '6' SECOND)) GROUP BY k, window_start, window_end",
        12,
        612,
    ),
    one_phase(
        "SELECT k, window_start, window_end, AVG(v), MIN(s) FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND, INTERVAL '6' SECOND)) GROUP BY k, window_start, window_end",
        12,
        852,
    ),
    one_phase(
        "SELECT k, window_start, window_end, COUNT(*) FROM TABLE(CUMULATE(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND, INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end",
        12,
        612,
    ),
    one_phase(
        "SELECT k, window_start, window_end, COUNT(DISTINCT v) FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND)) GROUP BY k, window_start, window_end",
        22,
        1_248,
    ),
    measured(
        "WindowAggregate",
        "SELECT k, window_start, window_end, COUNT(*), SUM(v) FROM TABLE(SESSION(TABLE a PARTITION BY k, \
         DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY k, window_start, window_end",
        3,
        189,
    ),
    measured(
        "WindowAggregate",
        "SELECT k, window_start, window_end, COUNT(*), SUM(v) FROM TABLE(SESSION(TABLE a PARTITION BY k, \
         DESCRIPTOR(ts), INTERVAL '0.5' SECOND)) GROUP BY k, window_start, window_end",
        30,
        1_890,
    ),
    measured(
        "WindowTableFunction",
        "SELECT k, v, s, window_start FROM TABLE(SESSION(TABLE a PARTITION BY k, DESCRIPTOR(ts), \
         INTERVAL '30' SECOND))",
        13,
        1_294,
    ),
    measured(
        "GroupWindowAggregate",
        "SELECT k, COUNT(*), SUM(v), MIN(s) FROM a GROUP BY k, TUMBLE(ts, INTERVAL '2' SECOND)",
        12,
        900,
    ),
    measured(
        "GroupWindowAggregate",
        "SELECT k, COUNT(*) FROM a GROUP BY k, HOP(ts, INTERVAL '2' SECOND, INTERVAL '6' SECOND)",
        14,
        814,
    ),
    measured(
        "GroupWindowAggregate",
        "SELECT k, COUNT(*) FROM a GROUP BY k, SESSION(ts, INTERVAL '30' SECOND)",
        3,
        181,
    ),
    measured(
        "WindowDeduplicate",
        "SELECT * FROM (SELECT k, v, s, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY k, window_start, \
         window_end ORDER BY ts ASC) rn FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '2' SECOND))) WHERE rn <= 1",
        12,
        948,
    ),
    measured(
        "WindowRank",
        "SELECT * FROM (SELECT k, v, s, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY k, window_start, \
         window_end ORDER BY v DESC) rn FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '20' SECOND))) WHERE rn <= 3",
        11,
        1_345,
    ),
    measured(
        "WindowRank",
        "SELECT * FROM (SELECT k, v, s, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY k, window_start, \
         window_end ORDER BY v ASC) rn FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '20' SECOND))) WHERE rn <= 3",
        4,
        435,
    ),
    Measured {
        operator: "GroupWindowAggregate",
        set: "SET 'table.exec.emit.early-fire.delay' = '30 min';\n",
        sql: "SELECT k, TUMBLE_START(ts, INTERVAL '2' SECOND), COUNT(*) FROM a \
              GROUP BY k, TUMBLE(ts, INTERVAL '2' SECOND)",
        entries: 24,
        bytes: 1_344,
    },
    Measured {
        operator: "GroupWindowAggregate",
        set: "SET 'table.exec.emit.early-fire.delay' = '0 s';\n",
        sql: "SELECT k, TUMBLE_START(ts, INTERVAL '2' SECOND), COUNT(*) FROM a \
              GROUP BY k, TUMBLE(ts, INTERVAL '2' SECOND)",
        entries: 18,
        bytes: 1_290,
    },
    Measured {
        operator: "GroupWindowAggregate",
        set: "SET 'table.exec.emit.late-fire.delay' = '30 min';\n",
        sql: "SELECT k, TUMBLE_START(ts, INTERVAL '2' SECOND), COUNT(*) FROM a \
              GROUP BY k, TUMBLE(ts, INTERVAL '2' SECOND)",
        entries: 18,
        bytes: 1_026,
    },
];

/// The watermark stands at the fifth second.
const HALF_WAY: &[Measured] = &[
    measured(
        "GlobalWindowAggregate",
        "SELECT k, window_start, window_end, COUNT(*), SUM(f) FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND, INTERVAL '6' SECOND)) GROUP BY k, window_start, window_end",
        10,
        570,
    ),
    measured(
        "GlobalWindowAggregate",
        "SELECT k, window_start, window_end, COUNT(*), SUM(f) FROM TABLE(CUMULATE(TABLE a, DESCRIPTOR(ts), \
         INTERVAL '2' SECOND, INTERVAL '10' SECOND)) GROUP BY k, window_start, window_end",
        9,
        505,
    ),
];

fn push(job: &mut Job, kind: ArrivalKind) {
    let arrival = Arrival {
        source: 0,
        partition: 0,
        processing_time_ms: BASE_MS,
        kind,
    };
    job.push(&arrival).expect("a push");
}

/// Entries and bytes of all operators together after all rows, and whether the operator is there.
fn state_of(case: &Measured, watermark_ms: Option<i64>) -> (u64, u64, bool) {
    let emit = match case.set {
        set if set.contains("early") => EARLY,
        set if set.contains("late") => LATE,
        _ => "",
    };
    let prepared = prepare(&format!("{emit}{}{TABLE}{};", case.set, case.sql));
    let job = prepared
        .statements
        .into_iter()
        .find_map(|statement| match statement {
            PreparedStatement::Job(job) => Some(job),
            PreparedStatement::Text { .. } => None,
        });
    let prepared = job.unwrap_or_else(|| panic!("{}: {:?}", case.sql, prepared.diagnostics));
    let mut job = Job::build(&prepared.graph, &JobOptions::default()).expect("a job");
    job.start().expect("a start");
    for at in 1..=10 {
        for key in 0..KEYS {
            let row = [
                Value::Int(at * 100 + key),
                Value::Int(key),
                Value::Int(at),
                Value::from(format!("text-{at:07}").as_str()),
                Value::Double(1.5),
                Value::timestamp_ms(BASE_MS + at * 1_000),
            ];
            let kind = RowKind::Insert;
            push(
                &mut job,
                ArrivalKind::Row {
                    kind,
                    row: Rc::from(row),
                },
            );
        }
    }
    if let Some(watermark_ms) = watermark_ms {
        push(&mut job, ArrivalKind::Watermark(BASE_MS + watermark_ms));
    }
    let stats = job.operator_stats();
    let entries = stats.iter().map(|stats| stats.entries).sum();
    let bytes = stats.iter().map(|stats| stats.bytes).sum();
    let found = prepared
        .graph
        .operators
        .iter()
        .any(|operator| operator.name == case.operator);
    (entries, bytes, found)
}

#[test]
fn windows_take_as_many_bytes_as_in_a_savepoint() {
    let cases = OPEN.iter().map(|case| (case, None));
    let mut wrong = Vec::new();
    for (case, watermark_ms) in cases.chain(HALF_WAY.iter().map(|case| (case, Some(5_000)))) {
        let (entries, bytes, found) = state_of(case, watermark_ms);
        let keys = KEYS.unsigned_abs();
        if !found || (entries, bytes) != (case.entries * keys, case.bytes * keys) {
            wrong.push(format!(
                "{} {}\n  {} entries and {} bytes a key, here {} and {}",
                case.operator,
                case.sql,
                case.entries,
                case.bytes,
                entries / keys,
                bytes / keys
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
