//! Deep, long and broken input ends in a diagnostic, on a stack as small as wasm's.
#![expect(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test says what is missing and stops"
)]

use std::thread;

use sg_diag::Diagnostics;
use sg_sql::parse_script;

/// Parses on a thread with a stack of 1 MB, which is what a wasm module has.
fn diagnostics(sql: String) -> Diagnostics {
    let small = thread::Builder::new().stack_size(1 << 20);
    small
        .spawn(move || parse_script(&sql).diagnostics)
        .unwrap()
        .join()
        .unwrap()
}

fn codes(sql: String) -> Vec<&'static str> {
    diagnostics(sql)
        .iter()
        .map(|diagnostic| diagnostic.code.id())
        .collect()
}

#[test]
fn nesting_has_a_limit_that_is_named() {
    let deep = |n: usize| format!("SELECT {}1{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(codes(deep(30)), [] as [&str; 0]);
    assert_eq!(codes(deep(10_000)), ["nesting-too-deep"]);
    assert_eq!(
        codes(format!("SELECT {}", "(".repeat(10_000))),
        ["nesting-too-deep"]
    );
    assert_eq!(
        codes(format!(
            "SELECT * FROM {}t{}",
            "(".repeat(10_000),
            ")".repeat(10_000)
        )),
        ["nesting-too-deep"]
    );
}

#[test]
fn everything_that_nests_is_bounded() {
    let n = 10_000;
    for sql in [
        format!("SELECT {}1", "- ".repeat(n)),
        format!("SELECT {}a", "NOT ".repeat(n)),
        format!("SELECT {}", "CASE ".repeat(n)),
        format!("SELECT {}1{}", "CASE WHEN a THEN ".repeat(n), " END".repeat(n)),
        format!("SELECT {}1", "INTERVAL ".repeat(n)),
        format!("CREATE TABLE t (a {}INT{})", "ARRAY<".repeat(n), ">".repeat(n)),
        format!("CREATE TABLE t (a {}INT{})", "ROW<x ".repeat(n), ">".repeat(n)),
        format!("SELECT {}1", "1 + ".repeat(n)),
        format!("SELECT {}1", "a AND ".repeat(n)),
        format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(n)),
        format!("SELECT {}1{}", "(1 + ".repeat(30), ")".repeat(30)).repeat(1) + &" * 2".repeat(n),
        format!("SELECT * FROM t{}", " JOIN t ON TRUE".repeat(n)),
        format!("SELECT a{}", ".b".repeat(n)),
        format!("SELECT a{}", "[1]".repeat(n)),
        format!("SELECT {}1{}", "f(".repeat(n), ")".repeat(n)),
        format!("SELECT {}", "{".repeat(n)),
        "EXPLAIN ".repeat(n),
        "EXECUTE ".repeat(n),
        format!(
            "SELECT * FROM t MATCH_RECOGNIZE (PATTERN ({}) DEFINE a AS b)",
            "a | ".repeat(n)
        ),
        format!("WITH {}", "a AS (WITH ".repeat(n)),
        "SELECT a FROM t WHERE a IN (SELECT ".repeat(n),
        format!("SELECT a{}", " IS NULL".repeat(n)),
        format!("SELECT a{}", " BETWEEN 1 AND 2".repeat(n)),
        format!("SELECT a FROM t{}", ", t".repeat(n)),
    ] {
        drop(diagnostics(sql));
    }
}

#[test]
fn the_deepest_statements_that_are_read_fit_the_stack() {
    for n in [6, 8, 10, 12, 16, 24, 40, 48] {
        deepest(n);
    }
}

fn deepest(n: usize) {
    let nots = "NOT ".repeat(30);
    for sql in [
        format!("SELECT {}1{}", format!("({nots}").repeat(n), ")".repeat(n)),
        format!(
            "SELECT {}1{}",
            "(SELECT a FROM t WHERE a IN ".repeat(n),
            ")".repeat(n)
        ),
        format!("SELECT {}1{}", "(CASE WHEN a THEN ".repeat(n), " END)".repeat(n)),
        format!("SELECT {}1{}", "CAST(".repeat(n), " AS INT)".repeat(n)),
        format!("SELECT {}1{}", "JSON_ARRAY(".repeat(n), ")".repeat(n)),
        format!("SELECT {}1{}", "ARRAY[".repeat(n), "]".repeat(n)),
        format!("SELECT {}1{}", "f(a => ".repeat(n), ")".repeat(n)),
        format!("SELECT * FROM {}t{}", "(SELECT * FROM ".repeat(n), ")".repeat(n)),
        format!("SELECT * FROM {}t{}", "(t JOIN ".repeat(n), " ON TRUE)".repeat(n)),
        format!(
            "SELECT * FROM {}t{}",
            "TABLE(f(".repeat(n / 2),
            "))".repeat(n / 2)
        ),
        format!("SELECT {}1{}", "1 + (".repeat(n), ")".repeat(n)),
        format!("SELECT {}a", "a AND ".repeat(390)),
        format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(390)),
    ] {
        drop(diagnostics(sql));
    }
}

#[test]
fn what_people_nest_is_within_the_limits() {
    let parens = format!("SELECT {}a{} FROM t", "(".repeat(20), ")".repeat(20));
    let cases = format!(
        "SELECT {}1{} FROM t",
        "CASE WHEN a THEN 1 ELSE ".repeat(12),
        " END".repeat(12)
    );
    let chain = format!("SELECT a{} FROM t", " + a".repeat(200));
    let calls = format!("SELECT {}a{} FROM t", "UPPER(".repeat(20), ")".repeat(20));
    let queries = format!(
        "SELECT a FROM {}t{}",
        "(SELECT a FROM ".repeat(12),
        ")".repeat(12)
    );
    let casts = format!("SELECT {}a{} FROM t", "CAST(".repeat(15), " AS INT)".repeat(15));
    let unions = format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(100));
    let list = format!("SELECT a FROM t WHERE a IN (1{})", ", 1".repeat(5_000));
    let options = format!(
        "CREATE TABLE t (a ROW<x {}INT{}>)",
        "ARRAY<".repeat(15),
        ">".repeat(15)
    );
    for sql in [parens, cases, chain, calls, queries, casts, unions, list, options] {
        assert_eq!(codes(sql.clone()), [] as [&str; 0], "{}", &sql[..40]);
    }
}

#[test]
fn lengths_have_limits_that_are_named() {
    assert_eq!(codes(" ".repeat(2 << 20)), ["script-too-long"]);
    let long = format!("SELECT 1; SELECT '{}'; SELECT 2", "x".repeat(300_000));
    assert_eq!(codes(long.clone()), ["statement-too-long"]);
    let script = parse_script(&long);
    assert_eq!(
        script
            .statements
            .iter()
            .filter(|statement| statement.statement.is_ok())
            .count(),
        2
    );
}
