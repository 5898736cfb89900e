//! What broken SQL is answered: every message in both languages, and what the first fix makes of the text.
#![expect(clippy::unwrap_used, reason = "a test says what is missing and stops")]

mod bad_messages;
mod ddl;
mod lexical;
mod queries;
mod statements;

use sg_diag::{Lang, render};
use sg_sql::parse_script;

/// Everything said about a script.
fn said(sql: &str) -> String {
    let script = parse_script(sql);
    let mut out = String::new();
    for diagnostic in &script.diagnostics {
        out.push_str(&render(diagnostic, sql, Lang::En));
        let chinese = render(diagnostic, sql, Lang::Zh);
        let mut lines = chinese.lines();
        let first = lines.next().unwrap_or("");
        out.push_str(first);
        out.push('\n');
        for line in lines.filter(|line| line.starts_with("  →")) {
            out.push_str(line);
            out.push('\n');
        }
        if let Some(fix) = diagnostic.fixes.first() {
            let fixed = fix.apply(sql).unwrap();
            out.extend(["  fix: ", &fix.title_en, " | ", &fix.title_zh, "\n"]);
            for line in fixed.lines() {
                out.extend(["  = ", line, "\n"]);
            }
        }
    }
    if out.is_empty() {
        "nothing\n".to_owned()
    } else {
        out
    }
}

/// Applies the first fix of the only diagnostic; the result must have none.
fn fixed(sql: &str) -> String {
    let script = parse_script(sql);
    assert_eq!(script.diagnostics.len(), 1, "{sql}");
    let fixed = script
        .diagnostics
        .iter()
        .next()
        .and_then(|it| it.fixes.first()?.apply(sql))
        .unwrap();
    let again = parse_script(&fixed);
    assert!(again.diagnostics.is_empty(), "{fixed}: {:?}", again.diagnostics);
    fixed
}

#[test]
fn fixes_mend_what_they_say() {
    for (broken, mended) in [
        ("SELECT a != b FROM t", "SELECT a <> b FROM t"),
        ("SELECT a == b FROM t", "SELECT a = b FROM t"),
        ("SELECT 'a' 'b'", "SELECT 'a' || 'b'"),
        ("SELECT value FROM t", "SELECT `value` FROM t"),
        ("SELECT a AS user FROM t", "SELECT a AS `user` FROM t"),
        ("SELECT a, FROM t", "SELECT a FROM t"),
        ("SELECT a FROM t LIMIT 2, 5", "SELECT a FROM t LIMIT 5 OFFSET 2"),
        ("SELECT 1 MINUS SELECT 2", "SELECT 1 EXCEPT SELECT 2"),
        (
            "CREATE TABLE t (a INT) WITH (a.b = 'c')",
            "CREATE TABLE t (a INT) WITH ('a.b' = 'c')",
        ),
        ("SET 'a' = c", "SET 'a' = 'c'"),
        (
            "CREATE TABLE t (a INT) WITH (connector = 'x')",
            "CREATE TABLE t (a INT) WITH ('connector' = 'x')",
        ),
        (
            "CREATE TABLE t (a INT) WITH (\"a\" = 'x')",
            "CREATE TABLE t (a INT) WITH ('a' = 'x')",
        ),
        (
            "CREATE TABLE t (a INT, timestamp INT)",
            "CREATE TABLE t (a INT, `timestamp` INT)",
        ),
        (
            "CREATE TABLE t (a INT, PRIMARY KEY (a))",
            "CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED)",
        ),
        (
            "CREATE TABLE t (a INT PRIMARY KEY ENFORCED)",
            "CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED)",
        ),
        (
            "CREATE TABLE t (a TIMESTAMP(3) WITH TIME ZONE)",
            "CREATE TABLE t (a TIMESTAMP(3) WITH LOCAL TIME ZONE)",
        ),
        (
            "CREATE TABLE t (a INT) WITH ('a' = 'b',)",
            "CREATE TABLE t (a INT) WITH ('a' = 'b')",
        ),
        ("SELEC a FROM t", "SELECT a FROM t"),
        ("SELECT 'abc", "SELECT 'abc'"),
    ] {
        assert_eq!(fixed(broken), mended);
    }
}
