//! Statements that the real Flink takes or refuses: the engine does the same, with the same message.
//!
//! `*.tsv` are recorded by `tests/oracle`; `pending.tsv` names the statements that differ, with the reason. One that
//! agrees is to be taken off that list. `STATEMENTS_PENDING=1` prints what the list would be.

#![expect(clippy::expect_used, reason = "a test says what is missing and stops")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sg_engine::case::{Case, run};

mod batch;
mod soup;

/// The message for a statement behind the setup; `None` where it is taken.
fn refusal(setup: &str, statement: &str) -> Option<String> {
    let text = format!("# statement\n==== sql\n{setup}\n{statement}\n");
    let case = Case::parse(&text).ok()?;
    run(&case).error.map(|error| error.trim_end().to_owned())
}

/// Ids of what is said about a statement behind the setup.
fn codes(setup: &str, statement: &str) -> Vec<&'static str> {
    let prepared = sg_engine::prepare::prepare(&format!("{setup}\n{statement};\n"));
    prepared.diagnostics.iter().map(|said| said.code.id()).collect()
}

fn read(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("statements")
        .join(name);
    fs::read_to_string(&file).unwrap_or_default()
}

/// Statement and what was recorded.
fn recorded(text: &str) -> impl Iterator<Item = (&str, String)> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (statement, said) = line.split_once('\t')?;
        Some((statement, said.replace("\\n", "\n").replace("\\t", "\t")))
    })
}

#[test]
fn what_is_not_there_is_named() {
    let model = "CREATE MODEL m INPUT (a STRING) OUTPUT (b STRING) WITH ('provider' = 'openai');";
    let known = "CREATE CATALOG c WITH ('type' = 'generic_in_memory');\n";
    assert_eq!(codes("", model.trim_end_matches(';')), ["declared-only"]);
    assert_eq!(
        codes(model, model.trim_end_matches(';')),
        ["declared-only", "model-exists"]
    );
    for (statement, code) in [
        ("ALTER CATALOG c SET ('a' = 'b')", "catalog-type"),
        ("USE CATALOG d", "unknown-catalog"),
        ("SELECT * FROM d.a.t", "unknown-catalog"),
        ("INSERT INTO d.a.t SELECT 1", "unknown-catalog"),
        ("DROP DATABASE c.d", "unknown-database"),
        ("DROP TABLE c.`default`.t", "unknown-table"),
        ("ALTER MODEL m RENAME TO n", "unknown-model"),
        ("CREATE MODEL m", "model-incomplete"),
    ] {
        assert_eq!(codes(known, statement), [code], "{statement}");
    }
    assert_eq!(codes("", "SHOW MODELS FROM nope"), ["unknown-database"]);
}

/// `executeSql` refuses SET and RESET themselves, so that it is not recorded what they do: only which of them are read.
#[test]
fn rows_of_two_unlike_tables_of_one_name_are_refused() {
    let setup = |connector: &str| {
        format!(
            "CREATE DATABASE d;\nCREATE TABLE t (a INT) WITH ('connector' = 'replay');\n\
             CREATE TABLE d.t (b STRING) WITH ('connector' = '{connector}');"
        )
    };
    let both = "SELECT CAST(a AS STRING) FROM t UNION ALL SELECT b FROM d.t;";
    assert_eq!(refusal(&setup("replay"), both), None, "nothing arrives");
    let said = refusal(&setup("datagen"), both);
    assert!(said.is_some_and(|said| said.contains("default_catalog.d.t beside")));
    // a table that is asked is a table of the job, too
    let setup = "CREATE DATABASE d;\n\
                 CREATE TABLE t (a INT, p AS PROCTIME()) WITH ('connector' = 'datagen', 'number-of-rows' = '1');\n\
                 CREATE TABLE d.t (a INT, b STRING, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'jdbc', \
                 'url' = 'jdbc:x', 'table-name' = 't');";
    let said = refusal(
        setup,
        "SELECT l.a, r.b FROM t AS l JOIN d.t FOR SYSTEM_TIME AS OF l.p AS r ON l.a = r.a;",
    );
    assert!(said.is_some_and(|said| said.contains(" beside default_catalog.")));
}

#[test]
fn keys_of_settings_need_no_quotes() {
    for statement in ["SET a.b = 'c'", "SET a.b=c", "SET x-y.z = a:b/c", "RESET a.b"] {
        assert_eq!(codes("", statement), [""; 0], "{statement}");
    }
    for statement in [
        "SET a.b = c d",
        "SET a.b",
        "SET a.b =",
        "SET 'a.b' = c",
        "RESET a b",
    ] {
        assert_ne!(codes("", statement), [""; 0], "{statement}");
    }
    let set = sg_engine::prepare::declared("SET table.exec.state.ttl = 1h; SET 'a' = 'b'; SET c = 'd e';");
    let settings: Vec<String> = set
        .settings
        .iter()
        .map(|(key, value)| format!("{key}: {value}"))
        .collect();
    assert_eq!(settings, ["table.exec.state.ttl: 1h", "a: b", "c: d e"]);
}

#[test]
fn statements_are_taken_and_refused_as_by_flink() {
    let tables = read("setup.sql");
    let pending_text = read("pending.tsv");
    let pending: BTreeMap<&str, String> = recorded(&pending_text).collect();
    let print = std::env::var("STATEMENTS_PENDING").is_ok();
    let (mut all, mut agree) = (0, 0);
    let mut wrong = Vec::new();
    for file in [
        "meaning.tsv",
        "parser.tsv",
        "people.tsv",
        "kinds.tsv",
        "names.tsv",
        "types.tsv",
        "catalogs.tsv",
        "catalog-names.tsv",
        "current-catalog.tsv",
        "shop.tsv",
    ] {
        let setup = match file {
            "catalogs.tsv" | "catalog-names.tsv" | "current-catalog.tsv" | "shop.tsv" => {
                &read(&file.replace(".tsv", ".sql"))
            }
            _ => &tables,
        };
        let text = read(file);
        for (statement, said) in recorded(&text) {
            all += 1;
            let own = refusal(setup, &statement.replace("\\n", "\n"));
            let same = match (&own, said.as_str()) {
                (None, "ok") => true,
                (Some(own), said) => own.trim_end() == said.trim_end(),
                _ => false,
            };
            agree += usize::from(same);
            if print && !same {
                let verdict = match (&own, said.as_str()) {
                    (Some(own), "ok") => format!("refused: {}", own.lines().next().unwrap_or_default()),
                    (None, _) => "taken".to_owned(),
                    _ => "other message".to_owned(),
                };
                println!("{statement}\t{verdict}");
            }
            match (same, pending.contains_key(statement)) {
                (true, true) => wrong.push(format!("agrees, take it off pending.tsv: {statement}")),
                (false, false) => wrong.push(format!(
                    "{statement}\n  recorded {said}\n  here     {}",
                    own.unwrap_or_else(|| "ok".to_owned())
                )),
                _ => {}
            }
        }
    }
    println!("{agree} of {all} statements agree");
    assert!(print || wrong.is_empty(), "{}", wrong.join("\n"));
}
