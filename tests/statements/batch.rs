//! Batch mode: one result at the end, without retractions, whatever came late.
//!
//! What Flink does is in `tests/cases/batch`; these are the promises that hold for any query.

use sg_engine::case::{Case, run};

fn trace(query: &str) -> String {
    let text = format!(
        "# batch\n==== sql\nSET 'execution.runtime-mode' = 'batch';\n\
        CREATE TABLE orders (id INT, customer STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) \
        WITH ('connector' = 'replay');\n\
        CREATE TABLE changes (id INT, PRIMARY KEY (id) NOT ENFORCED) \
        WITH ('connector' = 'replay', 'changelog-mode' = 'I,UA,D');\n{query};\n\
        ==== events\n\
        orders {{\"id\": 1, \"customer\": \"ann\", \"amount\": 30, \"ts\": \"2024-01-01 00:00:01\"}}\n\
        orders {{\"id\": 2, \"customer\": \"bob\", \"amount\": 10, \"ts\": \"2024-01-01 00:02:00\"}}\n\
        orders {{\"id\": 3, \"customer\": \"ann\", \"amount\": 20, \"ts\": \"2024-01-01 00:00:02\"}}\n"
    );
    let case = Case::parse(&text).expect("a case");
    let sections = run(&case);
    sections.trace.or(sections.error).unwrap_or_default()
}

/// What is printed behind `end`.
fn result(query: &str) -> Vec<String> {
    let trace = trace(query);
    let (before, end) = trace.split_once("end\n").unwrap_or((&trace, ""));
    assert!(
        !before.contains('[') || before.lines().all(|line| !line.starts_with(' ')),
        "{trace}"
    );
    end.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn an_aggregate_comes_once() {
    assert_eq!(
        result("SELECT customer, SUM(amount) FROM orders GROUP BY customer"),
        ["+I[bob, 10]", "+I[ann, 50]"]
    );
}

#[test]
fn order_by_needs_no_limit_and_no_time() {
    assert_eq!(
        result("SELECT id, amount FROM orders ORDER BY amount DESC"),
        ["+I[1, 30]", "+I[3, 20]", "+I[2, 10]"]
    );
}

#[test]
fn nothing_is_late() {
    assert_eq!(
        result(
            "SELECT window_start, SUM(amount) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) \
             GROUP BY window_start, window_end ORDER BY window_start"
        ),
        ["+I[2024-01-01T00:00, 50]", "+I[2024-01-01T00:02, 10]"]
    );
}

#[test]
fn a_top_n_has_its_order() {
    assert_eq!(
        result("SELECT id, amount FROM orders ORDER BY amount LIMIT 2"),
        ["+I[2, 10]", "+I[3, 20]"]
    );
}

#[test]
fn changelog_sources_are_refused() {
    assert!(
        trace("SELECT * FROM changes").contains("in batch mode is currently only possible for INSERT-only")
    );
}
