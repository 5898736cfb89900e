//! Laws of what comes out.

use std::collections::BTreeMap;

use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use sg_engine::case::{Case, run};

use crate::naive::{self, evaluate};
use crate::stream::{Event, Query, case_text, changes, query, rows, text_of};

/// The changes that a run emits, in order, as kind and row.
fn emitted(query: &Query, events: &[Event], parallelism: u32) -> Vec<(String, String)> {
    emitted_by(&case_text(query, events, parallelism))
}

pub(crate) fn emitted_by(text: &str) -> Vec<(String, String)> {
    let case = Case::parse(text).expect("a case");
    let sections = run(&case);
    assert_eq!(sections.error, None, "{text}");
    let trace = sections.trace.expect("a trace");
    let rows = trace.lines().filter_map(|line| line.strip_prefix("    "));
    rows.map(|row| {
        let (kind, cells) = row.split_at(2);
        (kind.to_owned(), cells.to_owned())
    })
    .collect()
}

/// The table that a changelog adds up to; `Err` names a change that takes back what is not there.
pub(crate) fn materialise(changes: &[(String, String)]) -> Result<naive::Result, String> {
    let mut table = BTreeMap::new();
    for (kind, row) in changes {
        let count: &mut i64 = table.entry(row.clone()).or_default();
        if kind.starts_with('+') {
            *count += 1;
        } else if *count > 0 {
            *count -= 1;
        } else {
            return Err(format!("{kind}{row}"));
        }
    }
    table.retain(|_, count| *count != 0);
    Ok(table)
}

fn insertions(rows: Vec<crate::stream::Row>) -> Vec<Event> {
    rows.into_iter()
        .map(|row| Event { row, deleted: false })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Finds: a wrong retraction, a group that is not deleted, a result that is not suppressed or suppressed wrongly.
    #[test]
    fn a_grouping_adds_up_to_the_table_evaluated_from_scratch(query in query(false), events in changes(40)) {
        let changes = emitted(&query, &events, 1);
        let table = materialise(&changes);
        prop_assert!(table.is_ok(), "{}: takes back what is not there: {:?}", query.sql(), table);
        prop_assert_eq!(table.unwrap_or_default(), evaluate(&query, &events), "{}", query.sql());
    }

    /// Finds: a wrong window bound, a row counted though late or dropped though not, a window fired twice.
    #[test]
    fn windows_add_up_to_the_rows_that_were_not_late(query in query(true), rows in rows(40)) {
        let events = insertions(rows);
        let changes = emitted(&query, &events, 1);
        prop_assert!(changes.iter().all(|(kind, _)| kind == "+I"), "{}", query.sql());
        prop_assert_eq!(materialise(&changes).unwrap_or_default(), evaluate(&query, &events), "{}", query.sql());
    }

    /// Finds: a slice that is merged too often or forgotten too early, a timer that is missing, a pane in a wrong window.
    #[test]
    fn slices_panes_and_phases_give_the_same_windows(rows in rows(40), parallelism in 1_u32..4) {
        let events = insertions(rows);
        for (kind, lengths) in [
            ("TUMBLE", "INTERVAL '10' SECOND"),
            ("HOP", "INTERVAL '5' SECOND, INTERVAL '20' SECOND"),
            ("HOP", "INTERVAL '20' SECOND, INTERVAL '20' SECOND"),
            ("CUMULATE", "INTERVAL '5' SECOND, INTERVAL '20' SECOND"),
        ] {
            let calls = "COUNT(*), SUM(v), MIN(v), COUNT(DISTINCT v)";
            let of_function = format!(
                "SELECT k, window_start, window_end, {calls} FROM TABLE({kind}(TABLE s, DESCRIPTOR(ts), {lengths})) \
                 GROUP BY k, window_start, window_end;"
            );
            let of_group = format!(
                "SELECT k, {kind}_START(ts, {lengths}), {kind}_END(ts, {lengths}), {calls} FROM s \
                 GROUP BY k, {kind}(ts, {lengths});"
            );
            let one_phase = format!("SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';\n{of_function}");
            let table = |sql: &str| materialise(&emitted_by(&text_of(sql, &events, ("I", parallelism))));
            let expected = table(&of_function);
            prop_assert_eq!(&table(&one_phase), &expected, "{}", one_phase);
            prop_assert_eq!(&table(&of_group), &expected, "{}", of_group);
        }
    }

    /// Finds: state that is shared between subtasks, a wrong exchange, a gate that waits for the wrong channel.
    #[test]
    fn parallelism_does_not_change_the_table(query in query(false), events in changes(25), parallelism in 2_u32..5) {
        let alone = materialise(&emitted(&query, &events, 1));
        let spread = materialise(&emitted(&query, &events, parallelism));
        prop_assert_eq!(alone, spread, "{}", query.sql());
    }
}
