//! Every recorded case parses, unless Flink's own parser refuses it; then it is refused here too.
#![expect(
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test says what is missing and stops"
)]

use std::fs;
use std::path::{Path, PathBuf};

use sg_diag::{Lang, render};
use sg_sql::parse_script;

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut files = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "case") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The text of a section, if the case has it.
fn section<'a>(case: &'a str, name: &str) -> Option<&'a str> {
    let begin = case.find(&format!("==== {name}\n"))?;
    let rest = &case[begin..];
    let rest = &rest[rest.find('\n')? + 1..];
    Some(rest.find("\n==== ").map_or(rest, |end| &rest[..=end]))
}

/// True if Flink refuses the script before it looks at any name.
fn refused_by_parser(case: &str) -> bool {
    const PARSER: [&str; 3] = [
        "SqlParserException",
        "SqlValidateException",
        "TableException: UPDATE statement",
    ];
    section(case, "error").is_some_and(|error| PARSER.iter().any(|start| error.starts_with(start)))
}

#[test]
fn cases_parse_as_flink_parses_them() {
    let files = cases();
    assert!(files.len() > 400, "{} cases found", files.len());
    let mut failures = Vec::new();
    for file in &files {
        let case = fs::read_to_string(file).unwrap();
        let sql = section(&case, "sql").unwrap();
        let script = parse_script(sql);
        let name = file
            .strip_prefix(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases"))
            .unwrap();
        let said: Vec<String> = script
            .diagnostics
            .iter()
            .map(|it| render(it, sql, Lang::En))
            .collect();
        if refused_by_parser(&case) {
            let recorded = section(&case, "error")
                .and_then(|error| error.lines().next())
                .unwrap();
            let flink = script
                .diagnostics
                .iter()
                .next()
                .and_then(|first| first.flink.as_deref())
                .and_then(|flink| flink.lines().next());
            if flink != Some(recorded) {
                failures.push(format!(
                    "{}: Flink says\n  {recorded}\nnot\n  {flink:?}",
                    name.display()
                ));
            }
            if !script.diagnostics.has_errors() {
                failures.push(format!("{}: Flink's parser refuses it", name.display()));
            }
        } else if !said.is_empty()
            || script
                .statements
                .iter()
                .any(|statement| statement.statement.is_err())
        {
            failures.push(format!("{}:\n{}", name.display(), said.join("\n")));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} fail\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}
