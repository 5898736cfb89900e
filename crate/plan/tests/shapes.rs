//! Recorded cases: plan, result types and the message of a refused statement, compared with Flink's records.

use std::{fs, path::Path};

use sg_diag::Diagnostics;
use sg_plan::{
    Analyzed, PlannedKind, analyze_script,
    catalog::Catalog,
    optimize,
    physical::{Consumer, ExplainOptions, explain, explain::logical_text, explain_statement, lower},
};

/// The parts of a case that are compared here.
struct Case {
    sql: String,
    types: Option<String>,
    plan: Option<String>,
    error: Option<String>,
}

fn read_case(text: &str) -> Case {
    let section = |name: &str| {
        let head = format!("==== {name}\n");
        let start = text.find(&head)? + head.len();
        let rest = &text[start..];
        let end = rest.find("\n==== ").map_or(rest.len(), |at| at + 1);
        Some(rest[..end].to_owned())
    };
    Case {
        sql: section("sql").unwrap_or_default(),
        types: section("types"),
        plan: section("plan"),
        error: section("error"),
    }
}

fn analyzed(sql: &str) -> (Analyzed, Diagnostics) {
    let script = sg_sql::parse_script(sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(sql, &script, Catalog::default(), &mut diags);
    (analyzed, diags)
}

/// What differs from the record; `None` where the case needs something that is not supported.
fn judge(case: &Case) -> Option<Vec<String>> {
    let (analyzed, diags) = analyzed(&case.sql);
    let mut wrong = Vec::new();
    if let Some(error) = &case.error {
        let recorded = error.trim_end();
        let said: Vec<String> = diags
            .iter()
            .filter_map(|diagnostic| diagnostic.flink.clone())
            .collect();
        if said.first().is_none_or(|said| said.trim_end() != recorded) {
            let codes: Vec<&str> = diags.iter().map(|diagnostic| diagnostic.code.id()).collect();
            wrong.push(format!(
                "error\n  recorded: {recorded}\n  said:     {} {codes:?}",
                said.join("\n            ")
            ));
        }
        return Some(wrong);
    }
    if diags
        .iter()
        .any(|diagnostic| diagnostic.severity() == sg_diag::Severity::Unsupported)
    {
        return None;
    }
    for diagnostic in &diags {
        wrong.push(sg_diag::render(diagnostic, &case.sql, sg_diag::Lang::En));
    }
    let mut found = None;
    let mut trees = String::new();
    for planned in &analyzed.statements {
        let explained;
        let (kind, details) = match &planned.kind {
            PlannedKind::Explain { of, details } => (&**of, Some(details)),
            other => (other, None),
        };
        let (roots, columns) = match kind {
            PlannedKind::Query(query) => (vec![query.logical.clone()], Some(&query.columns)),
            PlannedKind::Inserts(sinks) => (sinks.clone(), None),
            _ => continue,
        };
        let optimized: Vec<_> = roots
            .iter()
            .map(|root| optimize(root, &planned.settings))
            .collect();
        for (root, optimized) in roots.iter().zip(&optimized) {
            trees += &format!("{}\n--\n{}\n", logical_text(root), logical_text(optimized));
        }
        let mut diags = Diagnostics::new();
        let plan = lower(&optimized, &planned.settings, Consumer::Explain, &mut diags);
        if diags
            .iter()
            .any(|diagnostic| diagnostic.severity() == sg_diag::Severity::Unsupported)
        {
            return None;
        }
        for diagnostic in &diags {
            wrong.push(sg_diag::render(diagnostic, &case.sql, sg_diag::Lang::En));
        }
        if let Some(plan) = plan {
            explained = match details {
                Some(details) => {
                    let changelog_mode = details.contains(&sg_sql::ast::ExplainDetail::ChangelogMode);
                    explain_statement(
                        &roots,
                        &plan,
                        &planned.settings,
                        ExplainOptions { changelog_mode },
                    )
                }
                None => explain(&plan),
            };
            found = Some(explained);
        }
        if let (Some(columns), Some(types)) = (columns, &case.types) {
            let shown = sg_value::schema_text(columns);
            if shown.trim() != types.trim() {
                wrong.push(format!("types\n{shown}\nrecorded\n{types}"));
            }
        }
    }
    if let Some(plan) = &case.plan {
        let found = found.unwrap_or_default();
        if plan.trim() != found.trim() {
            wrong.push(format!("plan\n{found}\nrecorded\n{plan}\n{trees}"));
        }
    }
    Some(wrong)
}

#[test]
fn logical_shapes_are_as_recorded() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let only = std::env::var("CASE").unwrap_or_default();
    let mut areas: Vec<_> = fs::read_dir(&folder)
        .expect("cases")
        .filter_map(Result::ok)
        .map(|e| e.path())
        .collect();
    areas.sort();
    let (mut passed, mut skipped, mut failed) = (0, 0, 0);
    for area in areas.iter().filter(|path| path.is_dir()) {
        let mut files: Vec<_> = fs::read_dir(area)
            .expect("area")
            .filter_map(Result::ok)
            .map(|e| e.path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|file| file.extension().is_some_and(|e| e == "case"))
        {
            let name = file.strip_prefix(&folder).expect("below").display().to_string();
            if !name.contains(&only) {
                continue;
            }
            let case = read_case(&fs::read_to_string(file).expect("case"));
            let result = std::panic::catch_unwind(|| judge(&case));
            match result {
                Ok(None) => skipped += 1,
                Ok(Some(wrong)) if wrong.is_empty() => passed += 1,
                Ok(Some(wrong)) => {
                    failed += 1;
                    println!("#### {name}\n{}", wrong.join("\n"));
                }
                Err(_) => {
                    failed += 1;
                    println!("#### {name}\npanicked");
                }
            }
        }
    }
    println!("{passed} as recorded, {skipped} not supported, {failed} differ");
}
