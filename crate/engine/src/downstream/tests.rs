//! Sinks and encodings over one small stream: tea 1, tea 2, cup 5, and after a minute tea 3.

use sg_value::Gather as _;

use crate::Session;
use crate::dto::{Downstream, SinkReport};

const SOURCE: &str = "CREATE TABLE t (k STRING, v BIGINT) WITH ('connector' = 'replay');";
const SUMS: &str = "SELECT k, SUM(v) AS s FROM t GROUP BY k";

fn after(script: &str, sql: &str, slots: u32) -> Downstream {
    let event = |at: u32, k: &str, v: u32| serde_json::json!({ "at": at, "table": "t", "kind": "+I", "row": { "k": k, "v": v } });
    let events = [
        event(0, "tea", 1),
        event(500, "tea", 2),
        event(1_500, "cup", 5),
        event(61_000, "tea", 3),
    ];
    let workspace = serde_json::json!({
        "name": "", "script": format!("{SOURCE}\n{script}"), "queries": [{ "sql": sql }], "sources": [],
        "events": events, "start": "", "end": "open", "settings": {}, "controls": [],
    });
    let mut session = Session::new();
    let opened = session.open(0, &workspace.to_string()).expect("a workspace");
    assert!(opened.queries[0].ok, "{:?}", opened.queries[0].diagnostics);
    let mut frames = Vec::new();
    session.advance(0, 100, &mut frames);
    session.downstream(0, 0, slots)
}

/// The books of `INSERT INTO s` with a sink of these columns and options.
fn sink(columns: &str, options: &str, sql: &str, slots: u32) -> SinkReport {
    let script = format!("CREATE TABLE s ({columns}) WITH ({options});");
    let mut sinks = after(&script, &format!("INSERT INTO s {sql}"), slots).sinks;
    assert_eq!(sinks.len(), 1);
    sinks.remove(0)
}

#[test]
fn a_sink_names_its_columns_and_their_key() {
    let workspace = serde_json::json!({
        "name": "", "queries": [{ "sql": "INSERT INTO s SELECT k, SUM(v) FROM t GROUP BY k" }], "sources": [],
        "script": format!("{SOURCE}\nCREATE TABLE s ({KEYED}) WITH ('connector' = 'jdbc');"),
        "events": [], "start": "", "end": "open", "settings": {}, "controls": [],
    });
    let opened = Session::new()
        .open(0, &workspace.to_string())
        .expect("a workspace");
    let columns = &opened.queries[0].output_columns;
    let named: Vec<_> = columns
        .iter()
        .map(|column| (column.name.as_str(), column.key))
        .gather();
    assert_eq!(named, [("k", true), ("s", false)]);
}

const KEYED: &str = "k STRING, s BIGINT, PRIMARY KEY (k) NOT ENFORCED";

#[test]
fn an_upsert_log_keeps_the_last_message_of_each_key() {
    let report = sink(KEYED, "'connector' = 'upsert-kafka'", SUMS, 4);
    assert_eq!(report.received, [2, 0, 2, 0]);
    assert_eq!((report.appended, report.updated, report.live_rows), (2, 2, 2));
    let superseded: Vec<bool> = report.log.iter().map(|message| message.superseded).gather();
    assert_eq!(superseded, [true, true, false, false]);
    let value = r#"{"k":"tea","s":1}"#.len() as u64;
    let key = r#"{"k":"tea"}"#.len() as u64;
    assert_eq!((report.bytes, report.live_bytes), (4 * (value + key), 2 * value));
}

#[test]
fn a_cdc_log_carries_before_images() {
    let report = sink(
        "k STRING, s BIGINT",
        "'connector' = 'kafka', 'format' = 'debezium-json'",
        SUMS,
        4,
    );
    assert_eq!(report.writes, "cdc-log");
    assert_eq!(report.received, [2, 2, 2, 0]);
    assert_eq!((report.writes_done, report.live_rows), (6, 2));
}

#[test]
fn statements_of_a_key_meet_in_the_buffer() {
    let report = sink(KEYED, "'connector' = 'jdbc'", SUMS, 3);
    // The first second is flushed: two changes of one key, one statement. The rest is in the buffer.
    assert_eq!((report.writes_done, report.visible_rows), (1, 1));
    let open = report.batches.last().expect("a batch");
    assert!(open.open);
    assert_eq!(open.rows, 1);
}

#[test]
fn a_lake_deletes_by_position_within_a_commit_and_by_key_across_commits() {
    let report = sink(
        KEYED,
        "'connector' = 'iceberg', 'write.upsert.enabled' = 'true'",
        SUMS,
        4,
    );
    let [first, open] = report.batches.as_slice() else {
        panic!("{:?}", report.batches);
    };
    assert_eq!(
        (first.rows, first.position_deletes, first.equality_deletes),
        (3, 1, 2)
    );
    assert_eq!(
        (open.rows, open.position_deletes, open.equality_deletes),
        (1, 0, 1)
    );
    assert!(open.open && !first.open);
    assert_eq!((report.files, report.read_rows, report.visible_rows), (3, 6, 2));
}

#[test]
fn a_lake_without_a_key_appends_before_images_too() {
    let report = sink("k STRING, s BIGINT", "'connector' = 'iceberg'", SUMS, 4);
    assert_eq!(report.received, [2, 2, 2, 0]);
    assert_eq!(report.live_rows, 6);
}

#[test]
fn a_bare_query_says_what_each_sink_would_make_of_it() {
    let behind = after("", SUMS, 4);
    let refused: Vec<_> = behind.sinks.iter().map(|sink| sink.refused).gather();
    assert_eq!(
        refused,
        [Some("changes"), None, None, None, Some("changes"), None]
    );
    let reason = behind.encodings.append_refusal.expect("a reason");
    assert!(reason.notes.iter().any(|note| note.en.contains(
        "doesn't support consuming update changes which is produced by node GroupAggregate(groupBy=[k], select=[k, SUM(v) AS s])"
    )));
}

#[test]
fn a_result_in_three_encodings() {
    let encodings = after("", SUMS, 2).encodings;
    assert_eq!(encodings.messages, [2, 3, 2]);
    assert_eq!(encodings.key, Some(vec![0]));
    let rows: Vec<_> = encodings.rows.iter().map(|row| (row.add, row.upsert)).gather();
    assert_eq!(rows, [(true, "put"), (false, "none"), (true, "put")]);
}

#[test]
fn before_images_that_a_sink_does_not_ask_for_are_known_all_the_same() {
    let script = format!("CREATE TABLE s ({KEYED}) WITH ('connector' = 'upsert-kafka');");
    let encodings = after(&script, &format!("INSERT INTO s {SUMS}"), 2).encodings;
    let cells: Vec<_> = encodings
        .rows
        .iter()
        .map(|row| (row.add, row.cells[1].as_deref()))
        .gather();
    assert_eq!(cells, [(true, Some("1")), (false, Some("1")), (true, Some("3"))]);
}
