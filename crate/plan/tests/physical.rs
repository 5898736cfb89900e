//! What lowering and translation decide beyond the recorded plans: the plan that runs, pushed watermarks, hidden
//! counters, shared sub-plans, parallelism.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test says what is missing and stops"
)]

use std::rc::Rc;

use sg_diag::Diagnostics;
use sg_plan::{
    PlannedKind, Settings, analyze_script,
    catalog::Catalog,
    job::{JobGraph, translate},
    optimize,
    physical::{
        Consumer, ExplainOptions, PhysicalPlan, explain, explain_statement, lower,
        node::{Distribution, PhysicalOp},
        settings_for,
    },
};
use sg_sql::parse_script;

const TABLES: &str = "
CREATE TABLE bid (auction BIGINT, price BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'replay');
CREATE TABLE spread (auction BIGINT, price BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)
  WITH ('connector' = 'replay', 'partitions' = '3');
CREATE TABLE epoch (id INT, ms BIGINT, ts AS TO_TIMESTAMP_LTZ(ms, 3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
  WITH ('connector' = 'kafka', 'format' = 'json', 'scan.watermark.idle-timeout' = '1 min');
CREATE TABLE cdc (id BIGINT, v STRING, n INT, PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'replay', 'changelog-mode' = 'I,UB,UA,D');
CREATE TABLE ups (id BIGINT, v STRING, n INT, PRIMARY KEY (id) NOT ENFORCED)
  WITH ('connector' = 'replay', 'changelog-mode' = 'I,UA,D');
CREATE TABLE s1 (auction BIGINT, c BIGINT) WITH ('connector' = 'print');
CREATE TABLE s2 (auction BIGINT, c BIGINT) WITH ('connector' = 'print');
CREATE TABLE keyed (id BIGINT, n INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc');
CREATE VIEW v AS SELECT auction, COUNT(*) AS c FROM bid GROUP BY auction;
";

struct Planned {
    plan: Option<PhysicalPlan>,
    settings: Settings,
    /// Text of EXPLAIN.
    explained: String,
    codes: Vec<&'static str>,
}

fn plan(sql: &str, consumer: Consumer) -> Planned {
    let text = format!("{TABLES}{sql}");
    let script = parse_script(&text);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(&text, &script, Catalog::default(), &mut diags);
    assert!(
        diags.is_empty(),
        "{:?}",
        diags
            .iter()
            .map(|d| d.message(sg_diag::Lang::En))
            .collect::<Vec<_>>()
    );
    let last = analyzed.statements.last().expect("a statement");
    let roots = match &last.kind {
        PlannedKind::Query(query) => vec![Rc::clone(&query.logical)],
        PlannedKind::Inserts(sinks) => sinks.clone(),
        other => panic!("nothing to plan: {other:?}"),
    };
    let optimized: Vec<_> = roots.iter().map(|root| optimize(root, &last.settings)).collect();
    let mut diags = Diagnostics::new();
    let settings = settings_for(&roots, &last.settings);
    let plan = lower(&optimized, &settings, consumer, &mut diags);
    let explained = plan.as_ref().map_or_else(String::new, |plan| {
        explain_statement(&roots, plan, &last.settings, ExplainOptions::default())
    });
    let codes = diags.iter().map(|diagnostic| diagnostic.code.id()).collect();
    Planned {
        plan,
        settings: last.settings.clone(),
        explained,
        codes,
    }
}

/// The lines of a plan, without indentation and the path of tables.
fn lines(sql: &str, consumer: Consumer) -> Vec<String> {
    let planned = plan(sql, consumer);
    let text = planned
        .plan
        .map_or_else(|| format!("{:?}", planned.codes), |plan| explain(&plan));
    let shorten = |line: &str| {
        let line = line.trim_start_matches([' ', ':', '+', '-']);
        line.replace("default_catalog, default_database, ", "")
            .replace("default_catalog.default_database.", "")
    };
    text.lines().map(shorten).collect()
}

fn job(sql: &str) -> JobGraph {
    let planned = plan(sql, Consumer::Collect);
    translate(&planned.plan.expect("a plan"), &planned.settings)
}

#[test]
fn running_a_query_asks_for_before_images_that_explain_leaves_out() {
    let query = "SELECT auction, COUNT(*) AS c FROM bid GROUP BY auction";
    let explained = lines(query, Consumer::Explain);
    assert_eq!(
        explained.first().map(String::as_str),
        Some("GroupAggregate(groupBy=[auction], select=[auction, COUNT(*) AS c], changelogMode=[I,UA])")
    );
    let running = lines(query, Consumer::Collect);
    assert_eq!(
        running.iter().take(2).map(String::as_str).collect::<Vec<_>>(),
        [
            "Sink(table=[*anonymous_collect$1*], fields=[auction, c], changelogMode=[NONE])",
            "GroupAggregate(groupBy=[auction], select=[auction, COUNT(*) AS c], changelogMode=[I,UB,UA])",
        ]
    );
}

#[test]
fn filter_on_the_key_keeps_the_drop_and_filter_on_a_value_does_not() {
    assert_eq!(
        lines("SELECT id, n FROM cdc WHERE id > 3", Consumer::Explain),
        [
            "Calc(select=[id, n], where=[>(id, 3)], changelogMode=[I,UA,D])",
            "DropUpdateBefore(changelogMode=[I,UA,D])",
            "TableSourceScan(table=[[cdc]], fields=[id, v, n], changelogMode=[I,UB,UA,D])",
        ]
    );
    assert_eq!(
        lines("SELECT id, n FROM cdc WHERE n > 3", Consumer::Explain),
        [
            "Calc(select=[id, n], where=[>(n, 3)], changelogMode=[I,UB,UA,D])",
            "TableSourceScan(table=[[cdc]], fields=[id, v, n], changelogMode=[I,UB,UA,D])",
        ]
    );
}

#[test]
fn upsert_source_flows_into_an_upsert_sink_and_is_normalized_elsewhere() {
    assert_eq!(
        lines("INSERT INTO keyed SELECT id, n FROM ups", Consumer::Explain)
            .first()
            .map(String::as_str),
        Some("Sink(table=[keyed], fields=[id, n], changelogMode=[NONE])")
    );
    let lines = lines("SELECT n, COUNT(*) FROM ups GROUP BY n", Consumer::Explain);
    assert!(
        lines.iter().any(|line| line.starts_with("ChangelogNormalize")),
        "{lines:?}"
    );
}

#[test]
fn table_with_partitions_makes_its_watermarks_itself() {
    assert_eq!(
        lines("SELECT auction, ts FROM spread", Consumer::Explain),
        [
            "Calc(select=[auction, ts], changelogMode=[I])",
            "TableSourceScan(table=[[spread, watermark=[-(ts, 5000:INTERVAL SECOND)], \
             watermarkEmitStrategy=[on-periodic]]], fields=[auction, price, ts], changelogMode=[I])",
        ]
    );
}

#[test]
fn computed_event_time_is_reinterpreted_above_the_source() {
    assert_eq!(
        lines("SELECT id, ts FROM epoch", Consumer::Explain),
        [
            "Calc(select=[id, Reinterpret(TO_TIMESTAMP_LTZ(ms, 3)) AS ts], changelogMode=[I])",
            "TableSourceScan(table=[[epoch, watermark=[-(TO_TIMESTAMP_LTZ(ms, 3), 1000:INTERVAL SECOND)], \
             idletimeout=[60000], watermarkEmitStrategy=[on-periodic]]], fields=[id, ms], changelogMode=[I])",
        ]
    );
}

#[test]
fn retracting_input_adds_a_hidden_count_and_reuses_a_written_one() {
    for (calls, counter, visible) in [
        ("SUM(n)", 1, 1),
        ("SUM(n), COUNT(*)", 1, 2),
        ("COUNT(*), MAX(n)", 0, 2),
    ] {
        let graph = job(&format!("SELECT v, {calls} FROM cdc GROUP BY v"));
        let spec = graph.operators.iter().find_map(|operator| match &operator.op {
            PhysicalOp::GroupAggregate(spec) => Some(spec),
            _ => None,
        });
        let spec = spec.expect("an aggregate");
        assert_eq!(
            (spec.record_counter, spec.visible_calls),
            (Some(counter), visible),
            "{calls}"
        );
        assert!(spec.calls.iter().all(|call| call.retract), "{calls}");
        assert!(spec.update_before);
    }
}

#[test]
fn largest_of_a_growing_value_takes_nothing_back() {
    let text = lines(
        "SELECT MAX(c) FROM (SELECT auction, price, COUNT(*) AS c FROM bid GROUP BY auction, price)",
        Consumer::Explain,
    );
    assert!(
        text.first()
            .is_some_and(|line| line.starts_with("GroupAggregate(select=[MAX(c) AS EXPR$0]")),
        "{text:?}"
    );
}

#[test]
fn hopping_window_counts_its_rows_in_secret() {
    let graph = job(
        "SELECT window_start, window_end, SUM(price) FROM TABLE(HOP(TABLE bid, DESCRIPTOR(ts), INTERVAL '5' SECOND, \
         INTERVAL '10' SECOND)) GROUP BY window_start, window_end",
    );
    let global = graph.operators.iter().find_map(|operator| match &operator.op {
        PhysicalOp::GlobalWindowAggregate(spec) => Some(spec),
        _ => None,
    });
    let global = global.expect("a global phase");
    assert_eq!(
        (global.record_counter, global.visible_calls, global.calls.len()),
        (Some(1), 1, 2)
    );
}

#[test]
fn filter_on_the_window_attaches_it() {
    let text = lines(
        "SELECT window_start, COUNT(*) AS n FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(ts), INTERVAL '10' SECOND)) \
         WHERE window_start > TIMESTAMP '2024-01-01 00:00:00' GROUP BY window_start, window_end",
        Consumer::Explain,
    );
    assert!(
        text.iter()
            .any(|line| line.contains("win_start=[window_start], win_end=[window_end]")),
        "{text:#?}"
    );
    assert!(
        text.iter().any(|line| line.contains("win_end=[$window_end]")),
        "{text:#?}"
    );
    assert!(
        text.iter().any(|line| line.starts_with("WindowTableFunction(")),
        "{text:#?}"
    );
}

#[test]
fn inserts_that_share_a_view_run_it_once() {
    let sql = "EXECUTE STATEMENT SET BEGIN
INSERT INTO s1 SELECT auction, c FROM v;
INSERT INTO s2 SELECT auction, c FROM v WHERE c > 3;
END;";
    let graph = job(sql);
    let count = |name: &str| {
        graph
            .operators
            .iter()
            .filter(|operator| operator.name == name)
            .count()
    };
    assert_eq!(
        (count("TableSourceScan"), count("GroupAggregate"), count("Sink")),
        (1, 1, 2)
    );
    for operator in &graph.operators {
        assert!(
            operator.inputs.iter().all(|input| input.from < operator.id),
            "{}",
            operator.name
        );
    }
    let text = plan(sql, Consumer::Explain).explained;
    let execution = text
        .split("== Optimized Execution Plan ==\n")
        .nth(1)
        .unwrap_or_default();
    assert_eq!(
        execution
            .replace("default_catalog, default_database, ", "")
            .replace("default_catalog.default_database.", ""),
        "GroupAggregate(groupBy=[auction], select=[auction, COUNT(*) AS c])(reuse_id=[1])
+- Exchange(distribution=[hash[auction]])
   +- Calc(select=[auction])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 5000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[bid]], fields=[auction, price, ts])

Sink(table=[s1], fields=[auction, c])
+- Reused(reference_id=[1])

Sink(table=[s2], fields=[auction, c])
+- Calc(select=[auction, c], where=[(c > 3)])
   +- Reused(reference_id=[1])
"
    );
}

#[test]
fn union_with_itself_reads_once() {
    let graph = job("SELECT auction FROM bid UNION ALL SELECT price FROM bid");
    let scans = graph
        .operators
        .iter()
        .filter(|operator| matches!(operator.op, PhysicalOp::Scan(_)))
        .count();
    assert_eq!(scans, 1);
}

#[test]
fn parallelism_follows_partitions_and_exchanges() {
    let graph = job("SET 'parallelism.default' = '4';
SELECT auction, COUNT(*) FROM spread GROUP BY auction;");
    let of = |name: &str| {
        graph
            .operators
            .iter()
            .find(|operator| operator.name == name)
            .map(|o| o.parallelism)
    };
    assert_eq!(of("TableSourceScan"), Some(3));
    assert_eq!(of("GroupAggregate"), Some(4));
    assert_eq!(of("Sink"), Some(1));
    assert_eq!(graph.max_parallelism, 128);
    let aggregate = graph
        .operators
        .iter()
        .find(|operator| operator.name == "GroupAggregate")
        .expect("an aggregate");
    assert_eq!(
        aggregate.inputs.first().map(|input| &input.distribution),
        Some(&Distribution::Hash(vec![0]))
    );
    let global = job("SET 'parallelism.default' = '4'; SELECT COUNT(*) FROM spread;");
    let aggregate = global
        .operators
        .iter()
        .find(|operator| operator.name == "GroupAggregate")
        .expect("an aggregate");
    assert_eq!(aggregate.parallelism, 1);
}

#[test]
fn what_streamglass_does_not_run_has_a_name() {
    let bundles = plan(
        "SET 'table.exec.mini-batch.enabled' = 'true'; SELECT COUNT(*) FROM bid;",
        Consumer::Collect,
    );
    assert_eq!(bundles.codes, ["mini-batch-latency-missing"]);
}

#[test]
fn an_outer_join_without_before_images_is_named() {
    let counted = |kind: &str| {
        let sql =
            format!("INSERT INTO keyed SELECT c.id, u.n FROM cdc AS c {kind} JOIN ups AS u ON c.id = u.id");
        plan(&sql, Consumer::Collect).codes
    };
    assert_eq!(counted("LEFT"), ["join-counts-drift"]);
    assert_eq!(counted("INNER"), [""; 0]);
}

#[test]
fn known_defects_are_named() {
    let said = |sql: &str| plan(sql, Consumer::Collect).codes;
    let ranked = |order: &str, end: &str| {
        said(&format!(
            "SELECT auction, price FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY {order}) AS rn FROM bid) \
             WHERE rn {end}"
        ))
    };
    assert_eq!(ranked("price", "= 1"), ["top-one-inserts-only"]);
    assert_eq!(ranked("price DESC", "= 1"), [""; 0]);
    assert_eq!(ranked("price", "<= 2"), [""; 0]);
    let counted = "SELECT auction, price, MAX(auction) AS m, COUNT(*) AS s FROM bid GROUP BY auction, price";
    let best = format!(
        "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY m DESC) AS rn FROM ({counted})) WHERE rn = 1"
    );
    assert_eq!(said(&best), ["top-one-hides-updates"]);
    assert_eq!(
        said("SELECT auction, COUNT(*) AS n FROM bid GROUP BY auction ORDER BY n LIMIT 2 OFFSET 1"),
        ["offset-keeps-ghosts"]
    );
    assert_eq!(
        said("SELECT auction, RANK() OVER (PARTITION BY auction ORDER BY ts) AS r FROM bid"),
        ["rank-counts-rows"]
    );
    let running = "SELECT g, SUM(g) OVER (ORDER BY g) AS s FROM";
    assert_eq!(
        said(&format!(
            "{running} (SELECT MAX(price) AS g FROM bid GROUP BY auction)"
        )),
        ["over-forgets-twins"]
    );
    assert_eq!(said(&format!("{running} (SELECT price AS g FROM bid)")), [""; 0]);
    assert_eq!(
        said(
            "SET 'table.exec.state.ttl' = '1 h'; SELECT auction, COUNT(DISTINCT price) FROM bid GROUP BY auction"
        ),
        ["distinct-counts-twice"]
    );
    let bundles = "SET 'table.exec.mini-batch.enabled' = 'true'; SET 'table.exec.mini-batch.allow-latency' = '1 s'; \
                   SET 'table.exec.mini-batch.size' = '10';";
    let joined = |on: &str| {
        said(&format!(
            "{bundles} SELECT a.id, b.n FROM cdc AS a LEFT JOIN cdc AS b ON {on}"
        ))
    };
    assert_eq!(
        joined("a.id = b.id AND a.n < b.n"),
        ["mini-batch-join-loses-padding"]
    );
    assert_eq!(joined("a.id = b.id"), [""; 0]);
}

#[test]
fn a_cache_of_lookups_needs_an_end_and_jdbc_has_no_full_one() {
    let sql = |cache: &str| {
        format!(
            "CREATE TABLE dim (k BIGINT, n STRING, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'jdbc', 'lookup.cache' = '{cache}'); \
             CREATE TABLE o (k BIGINT, pt AS PROCTIME()) WITH ('connector' = 'replay'); \
             SELECT n FROM o JOIN dim FOR SYSTEM_TIME AS OF o.pt ON o.k = dim.k"
        )
    };
    let codes = |cache: &str| plan(&sql(cache), Consumer::Collect).codes;
    assert_eq!(codes("FULL"), ["lookup-cache-not-run"]);
    assert_eq!(codes("NONE"), [""; 0]);
    assert_eq!(codes("some"), ["bad-option-value"]);
    assert_eq!(codes("PARTIAL"), ["option-missing"]);
    let partial =
        |option: &str, value: &str| codes(&format!("partial', 'lookup.partial-cache.{option}' = '{value}"));
    assert_eq!(partial("max-rows", "100"), [""; 0]);
    assert_eq!(partial("max-rows", "many"), ["bad-option-value"]);
    assert_eq!(partial("expire-after-write", "soon"), ["bad-option-value"]);
}
