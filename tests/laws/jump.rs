//! Stepping back and jumping: whatever the way to a position, what is looked at there is the same.
//!
//! Finds: a snapshot that forgets a table, a timer, a clock or a counter; a replay from a snapshot that books bytes anew;
//! frames that depend on how many arrivals were taken at once, or on looks in between.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};
use proptest::sample::select;
use sg_engine::{Session, StateAt};

use crate::stream::{Event, changes, time};

/// Statements over `s`, which takes rows back, and over `r`, which only gets rows.
const QUERIES: [&str; 16] = [
    "SELECT a.id, b.v FROM s AS a JOIN s AS b ON a.k = b.k AND a.id < b.id",
    "SELECT a.id, b.v FROM s AS a LEFT JOIN s AS b ON a.k = b.k AND a.v > b.v",
    "SELECT a.id, b.id AS o FROM r AS a FULL JOIN r AS b ON a.k = b.k AND b.ts BETWEEN a.ts - INTERVAL '3' SECOND AND a.ts AND a.id <> b.id",
    "SELECT id FROM s WHERE v IN (SELECT v FROM s WHERE k = 'a')",
    "SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS x FROM r",
    "SELECT id, COUNT(*) OVER (PARTITION BY k ORDER BY ts RANGE BETWEEN INTERVAL '9' SECOND PRECEDING AND CURRENT ROW) AS x FROM r",
    "SELECT id, SUM(v) OVER (PARTITION BY k ORDER BY v) AS x FROM s",
    "SELECT * FROM (SELECT id, k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC) AS n FROM s) WHERE n <= 2",
    "SELECT k, v FROM (SELECT id, k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS n FROM r) WHERE n = 1",
    "SELECT k, c FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY c DESC) AS n FROM (SELECT k, COUNT(*) AS c FROM r GROUP BY k)) WHERE n <= 2",
    "SELECT k, window_start, SUM(v) AS x FROM TABLE(SESSION(TABLE r PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)) \
     GROUP BY k, window_start, window_end",
    "SELECT k, window_end, COUNT(DISTINCT v) AS x FROM TABLE(CUMULATE(TABLE r, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '20' SECOND)) \
     GROUP BY k, window_start, window_end",
    "SELECT k, COUNT(DISTINCT v) AS x, LISTAGG(k) AS l, MAX(v) AS m FROM s GROUP BY k",
    "SELECT k FROM s EXCEPT ALL SELECT k FROM r",
    "SELECT * FROM r MATCH_RECOGNIZE (PARTITION BY k ORDER BY ts MEASURES A.id AS a, LAST(B.id) AS b ONE ROW PER MATCH \
     AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+? C) DEFINE B AS B.v > 2, C AS C.v < 20)",
    "SELECT k, SUM(x) AS y FROM (SELECT k, v, COUNT(*) AS x FROM s GROUP BY k, v) GROUP BY k",
];

/// Settings in front of the tables: time-to-live, mini-batches, several tasks.
const SETTINGS: [&str; 4] = [
    "",
    "SET 'table.exec.state.ttl' = '1 s';",
    "SET 'table.exec.mini-batch.enabled' = 'true'; SET 'table.exec.mini-batch.allow-latency' = '500 ms'; \
     SET 'table.exec.mini-batch.size' = '3';",
    "SET 'parallelism.default' = '3';",
];

fn workspace(query: &str, settings: &str, events: &[Event]) -> String {
    let table = |name: &str, mode: &str| {
        format!(
            "CREATE TABLE {name} (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '4' SECOND) \
             WITH ('connector' = 'replay', 'changelog-mode' = '{mode}');"
        )
    };
    let script = format!("{settings} {} {}", table("s", "I,UB,UA,D"), table("r", "I"));
    let mut arrivals = String::new();
    for (at, event) in events.iter().enumerate() {
        let row = &event.row;
        let k = row.k.map_or_else(|| "null".to_owned(), |k| format!("\"{k}\""));
        let v = row.v.map_or_else(|| "null".to_owned(), |v| v.to_string());
        let tables: &[&str] = if event.deleted { &["s"] } else { &["s", "r"] };
        let kind = if event.deleted { "-D" } else { "+I" };
        for table in tables {
            let comma = if arrivals.is_empty() { "" } else { "," };
            write!(
                arrivals,
                "{comma}{{\"at\":{},\"table\":\"{table}\",\"kind\":\"{kind}\",\
                 \"row\":{{\"id\":{},\"k\":{k},\"v\":{v},\"ts\":\"{}\"}}}}",
                at * 150,
                row.id,
                time(row.ts)
            )
            .unwrap();
        }
    }
    format!(
        "{{\"name\":\"\",\"script\":\"{script}\",\"queries\":[{{\"sql\":\"{query}\"}}],\"sources\":[],\
         \"events\":[{arrivals}],\"start\":\"\",\"end\":\"open\",\"settings\":{{}},\"controls\":[]}}"
    )
}

fn open(json: &str) -> (Session, Vec<(u32, u32)>, u32) {
    let mut session = Session::new();
    let opened = session.open(0, json).expect("a workspace");
    let query = &opened.queries[0];
    assert!(query.ok, "{json}: {:?}", query.diagnostics);
    let handles = query.operators.iter().flat_map(|operator| {
        (0..u32::try_from(operator.states.len()).unwrap_or(0)).map(|handle| (operator.id, handle))
    });
    (session, handles.collect(), opened.slots)
}

/// All that can be looked at after so many arrivals: each state's entries, and what they cost.
fn seen(session: &mut Session, handles: &[(u32, u32)], slots: u32) -> Vec<String> {
    let mut seen: Vec<String> = handles
        .iter()
        .map(|&(operator, handle)| {
            let at = StateAt {
                query: 0,
                slots,
                operator,
                handle,
            };
            let page = session.state(0, at, 0, u32::MAX);
            format!("{operator}.{handle} {page:?}")
        })
        .collect();
    seen.push(format!("{:?}", session.bill(0, 0, slots)));
    seen.push(format!("{:?}", session.downstream(0, 0, slots)));
    seen
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Jumps in any order after the whole run, against a session that went straight to the place and no further.
    #[test]
    fn a_jump_shows_what_a_straight_run_shows(
        query in select(&QUERIES[..]),
        settings in select(&SETTINGS[..]),
        events in changes(40),
        jumps in vec(0_u32..80, 1..6),
    ) {
        let json = workspace(query, settings, &events);
        let (mut whole, handles, slots) = open(&json);
        let mut frames = Vec::new();
        whole.advance(0, u32::MAX, &mut frames);
        for jump in jumps {
            let place = jump.min(slots);
            let (mut straight, _, _) = open(&json);
            let mut part = Vec::new();
            straight.advance(0, place, &mut part);
            let (jumped, run) = (seen(&mut whole, &handles, place), seen(&mut straight, &handles, place));
            prop_assert_eq!(jumped, run, "{} {} at {}", settings, query, place);
            // looking back leaves the run as it was
            let (mut behind, mut steps) = (Vec::new(), 0);
            while !straight.advance(0, 1 + place % 3, &mut behind).done && steps < 200 {
                steps += 1;
            }
            part.extend(behind);
            // long lists of bytes say nothing: the first difference does
            let differs = part.iter().zip(&frames).position(|(a, b)| a != b);
            prop_assert_eq!((differs, part.len()), (None, frames.len()), "{} {} from {}", settings, query, place);
        }
    }
}
