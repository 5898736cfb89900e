//! Laws of running: snapshots, traces, and the books of state.

use std::rc::Rc;

use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
use sg_engine::prepare::{PreparedJob, PreparedStatement, prepare};
use sg_runtime::{Arrival, ArrivalKind, Job};
use sg_runtime::{JobOptions, TraceLevel};
use sg_value::{RowKind, Value};

use crate::stream::{BASE_MS, Event, Query, case_text, changes, query};

fn job(query: &Query) -> PreparedJob {
    let case = sg_engine::case::Case::parse(&case_text(query, &[], 1)).expect("a case");
    let prepared = prepare(&case.sql);
    let job = prepared
        .statements
        .into_iter()
        .find_map(|statement| match statement {
            PreparedStatement::Job(job) => Some(job),
            PreparedStatement::Text { .. } => None,
        });
    job.unwrap_or_else(|| panic!("{}", query.sql()))
}

fn build(prepared: &PreparedJob, trace: TraceLevel) -> Job {
    let mut job = Job::build(
        &prepared.graph,
        &JobOptions {
            trace,
            ..JobOptions::default()
        },
    )
    .expect("a job");
    job.start().expect("a start");
    job
}

fn push(job: &mut Job, at: usize, event: &Event) -> Vec<String> {
    let cells = vec![
        Value::Int(event.row.id),
        event.row.k.map_or(Value::Null, Value::from),
        event.row.v.map_or(Value::Null, Value::Int),
        Value::timestamp_ms(BASE_MS + event.row.ts),
    ];
    let arrival = Arrival {
        source: 0,
        partition: 0,
        processing_time_ms: BASE_MS + i64::try_from(at).unwrap_or(0) * 100,
        kind: ArrivalKind::Row {
            kind: if event.deleted {
                RowKind::Delete
            } else {
                RowKind::Insert
            },
            row: Rc::from(cells),
        },
    };
    job.push(&arrival).expect("a push");
    job.outputs()
        .map(|output| format!("{:?} {:?}", output.kind, output.row))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Finds: state, a timer, a clock or a counter that a snapshot forgets.
    #[test]
    fn a_restored_job_goes_on_as_the_first_time(query in query(true), events in changes(30), cut in 0_usize..30) {
        let events: Vec<Event> = events.into_iter().filter(|event| !event.deleted).collect();
        let cut = cut.min(events.len());
        let prepared = job(&query);
        let mut running = build(&prepared, TraceLevel::Off);
        for (at, event) in events.iter().enumerate().take(cut) {
            push(&mut running, at, event);
        }
        let snapshot = running.snapshot();
        let rest = |job: &mut Job| -> Vec<Vec<String>> {
            events.iter().enumerate().skip(cut).map(|(at, event)| push(job, at, event)).collect()
        };
        let first = rest(&mut running);
        running.restore(&snapshot);
        prop_assert_eq!(first, rest(&mut running), "{}", query.sql());
    }

    /// Finds: tracing that changes what is computed.
    #[test]
    fn tracing_changes_nothing(query in query(false), events in changes(30)) {
        let prepared = job(&query);
        let (mut quiet, mut traced) = (build(&prepared, TraceLevel::Off), build(&prepared, TraceLevel::Full));
        for (at, event) in events.iter().enumerate() {
            prop_assert_eq!(push(&mut quiet, at, event), push(&mut traced, at, event), "{}", query.sql());
        }
    }

    /// Finds: bytes or entries that are booked twice or not at all.
    #[test]
    fn the_books_of_state_equal_a_recount(query in query(false), events in changes(30)) {
        let prepared = job(&query);
        let mut running = build(&prepared, TraceLevel::Off);
        for (at, event) in events.iter().enumerate() {
            push(&mut running, at, event);
            for (operator, stats) in prepared.graph.operators.iter().zip(running.operator_stats()) {
                let (mut entries, mut bytes) = (0, 0);
                for handle in running.state_handles(operator.id) {
                    let page = running.state_page(operator.id, handle.handle, 0, u64::MAX);
                    entries += page.total;
                    bytes += page.rows.iter().map(|row| row.bytes).sum::<u64>();
                }
                prop_assert_eq!((stats.entries, stats.bytes), (entries, bytes), "{}", query.sql());
            }
        }
    }

    /// Finds: anything that depends on chance.
    #[test]
    fn the_same_replay_gives_the_same_bytes(query in query(false), events in changes(20)) {
        let prepared = job(&query);
        let frames = || {
            let mut running = build(&prepared, TraceLevel::Full);
            let mut bytes = Vec::new();
            for (at, event) in events.iter().enumerate() {
                push(&mut running, at, event);
            }
            running.take_frames(&mut bytes);
            bytes
        };
        prop_assert_eq!(frames(), frames(), "{}", query.sql());
    }
}
