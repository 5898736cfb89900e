//! Extensions to Flink do what their cases say. Flink has none of them, so the traces are worked out by hand.
//!
//! Finds: a total with rows from behind its end, a step that is missing or comes twice, a session that outlives its end.

use sg_engine::case::{Case, compare, run};

const CASES: &[&str] = &[
    include_str!("extension/cumulate-dynamic.case"),
    include_str!("extension/cumulate-dynamic-proctime.case"),
    include_str!("extension/cumulate-dynamic-retracts.case"),
    include_str!("extension/cumulate-in-group-by.case"),
    include_str!("extension/lookup-mini-batch.case"),
];

#[test]
fn extensions_do_what_their_cases_say() {
    for text in CASES {
        let case = Case::parse(text).expect("a case");
        assert!(
            case.section("plan")
                .unwrap_or_default()
                .contains("extension=[true]"),
            "the plan of `{}` does not say that it is an extension",
            case.title()
        );
        let differences = compare(&case, &run(&case));
        assert!(differences.is_empty(), "{}: {differences:?}", case.title());
    }
}

/// Rows ahead of the watermark, in every order.
#[test]
fn totals_of_steps_do_not_depend_on_the_order_of_arrival() {
    const SQL: &str = "CREATE TABLE taps (k STRING, v INT, ts TIMESTAMP(3), \
        WATERMARK FOR ts AS ts - INTERVAL '1' HOUR) WITH ('connector' = 'replay');\n\
        SELECT k, window_start, window_end, SUM(v), COUNT(*) FROM TABLE(CUMULATE_DYNAMIC(TABLE taps PARTITION BY k, \
        DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '25' SECOND)) GROUP BY k, window_start, window_end;\n";
    const SECONDS: [u32; 6] = [3, 9, 13, 30, 54, 59];
    let results = |order: &[usize]| {
        let mut text = format!("# Totals\n==== sql\n{SQL}==== events\n");
        for (at, place) in order.iter().enumerate() {
            let second = SECONDS[*place];
            let event = format!(
                "@{at} taps {{\"k\": \"a\", \"v\": {}, \"ts\": \"2024-01-01 00:00:{second:02}\"}}\n",
                1 << place
            );
            text.push_str(&event);
        }
        let sections = run(&Case::parse(&text).expect("a case"));
        let trace = sections.get("trace").expect("a trace").to_owned();
        let rows = trace.lines().filter(|line| line.starts_with("    "));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = results(&[0, 1, 2, 3, 4, 5]);
    assert_eq!(
        expected.first().map(String::as_str),
        Some("    +I[a, 2024-01-01T00:00:03, 2024-01-01T00:00:13, 3, 2]")
    );
    for order in [[5, 4, 3, 2, 1, 0], [2, 0, 4, 1, 5, 3], [3, 5, 0, 2, 4, 1]] {
        assert_eq!(results(&order), expected, "in the order {order:?}");
    }
}
