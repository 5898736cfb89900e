//! Flink's messages for refused statements, compared with the records to the letter.
//!
//! Every case of `tests/cases` with an error section whose error comes before the job runs: the first diagnostic of
//! severity error has Flink's message. A case that differs has to stand in `tests/cases/pending.txt`.
//! `MESSAGE_CASES=text` looks only at cases whose path contains the text, and `MESSAGE_DIFF=1` prints what differs.
#![expect(clippy::expect_used, reason = "a test says what is missing and stops")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use sg_diag::{Diagnostics, Severity};
use sg_plan::{
    PlannedKind, analyze_script,
    catalog::Catalog,
    optimize,
    physical::{self, Consumer},
};

fn case_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn case_files() -> Vec<PathBuf> {
    let folders = fs::read_dir(case_root()).expect("tests/cases").flatten();
    let mut files: Vec<PathBuf> = folders
        .filter(|folder| folder.path().is_dir())
        .flat_map(|folder| {
            fs::read_dir(folder.path())
                .expect("an area")
                .flatten()
                .collect::<Vec<_>>()
        })
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "case"))
        .collect();
    files.sort();
    files
}

fn section(text: &str, name: &str) -> Option<String> {
    let head = format!("==== {name}\n");
    let body = text.get(text.find(&head)? + head.len()..)?;
    let end = body.find("\n==== ").map_or(body.len(), |at| at + 1);
    body.get(..end).map(|body| body.trim_end().to_owned())
}

/// What is said about a script whose queries are planned as if they were to run.
fn said(sql: &str) -> Diagnostics {
    let script = sg_sql::parse_script(sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(sql, &script, Catalog::default(), &mut diags);
    for planned in &analyzed.statements {
        let roots = match &planned.kind {
            PlannedKind::Query(query) => vec![std::rc::Rc::clone(&query.logical)],
            PlannedKind::Inserts(sinks) => sinks.clone(),
            _ => continue,
        };
        let optimized: Vec<_> = roots
            .iter()
            .map(|root| optimize(root, &planned.settings))
            .collect();
        let settings = physical::settings_for(&roots, &planned.settings);
        let _ = physical::lower(&optimized, &settings, Consumer::Collect, &mut diags);
    }
    diags
}

#[test]
fn messages_are_flinks() {
    let wanted = std::env::var("MESSAGE_CASES").unwrap_or_default();
    let verbose = std::env::var("MESSAGE_DIFF").is_ok();
    let pending = fs::read_to_string(case_root().join("pending.txt")).unwrap_or_default();
    let pending: Vec<&str> = pending
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let (mut agreeing, mut unexpected) = (0, Vec::new());
    for path in case_files() {
        let name = path
            .strip_prefix(case_root())
            .unwrap_or(&path)
            .with_extension("")
            .display()
            .to_string();
        let text = fs::read_to_string(&path).expect("a case");
        let (Some(sql), Some(recorded)) = (section(&text, "sql"), section(&text, "error")) else {
            continue;
        };
        if !name.contains(&wanted) || recorded.contains("JobExecutionException") {
            continue;
        }
        let diags = said(&sql);
        let first = diags
            .iter()
            .find(|diagnostic| diagnostic.severity() == Severity::Error);
        let message = first
            .and_then(|diagnostic| diagnostic.flink.clone())
            .unwrap_or_default();
        if message.trim_end() == recorded {
            agreeing += 1;
            continue;
        }
        if verbose {
            let codes: Vec<&str> = diags.iter().map(|diagnostic| diagnostic.code.id()).collect();
            println!("#### {name}\n  recorded: {recorded}\n  here:     {message}\n  {codes:?}");
        }
        if !pending.contains(&name.as_str()) && !pending.contains(&format!("{name}.case").as_str()) {
            unexpected.push(name);
        }
    }
    println!("{agreeing} messages agree, {} differ", unexpected.len());
    if !pending.is_empty() {
        assert!(unexpected.is_empty(), "not pending and different: {unexpected:?}");
    }
}

#[test]
fn group_id_of_equal_grouping_sets_is_refused_by_name() {
    let table = "CREATE TABLE t (a INT, b INT) WITH ('connector' = 'replay');";
    let codes = |sets: &str| {
        let sql = format!("{table} SELECT a, GROUP_ID() FROM t GROUP BY GROUPING SETS ({sets});");
        let said = said(&sql);
        said.iter().map(|one| one.code.id()).collect::<Vec<_>>()
    };
    assert_eq!(codes("(a), (b), (a)"), ["not-supported"]);
    assert!(codes("(a), (b)").is_empty());
}
