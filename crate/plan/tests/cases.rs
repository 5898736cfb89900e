//! Plans and result types of the recorded cases, compared to the letter.
//!
//! Every case of `tests/cases` with a plan section goes from its SQL to the plan text. A case that differs has to
//! stand in `tests/cases/pending.txt`. `PLAN_CASES=text` looks only at cases whose path contains the text, and
//! `PLAN_DIFF=1` prints what differs.

#![expect(clippy::expect_used, reason = "a test says what is missing and stops")]

use std::{
    fs,
    path::{Path, PathBuf},
    rc::Rc,
};

use sg_diag::{Diagnostics, Lang, Severity};
use sg_plan::{
    Planned, PlannedKind, Settings, analyze_script,
    catalog::Catalog,
    logical::LogicalNode,
    optimize,
    physical::{self, Consumer, ExplainOptions, PhysicalPlan},
};
use sg_sql::{ast::ExplainDetail, parse_script};

/// What was recorded, and what comes out.
struct Compared {
    name: String,
    /// Section names with both texts where they differ.
    differences: Vec<(&'static str, String, String)>,
}

fn case_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn case_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(case_root())
        .expect("tests/cases")
        .flatten()
        .filter(|area| area.path().is_dir())
        .flat_map(|area| {
            fs::read_dir(area.path())
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
    let start = text.find(&format!("==== {name}\n"))? + name.len() + 6;
    let body = text.get(start..)?;
    let end = if body.starts_with("==== ") {
        0
    } else {
        body.find("\n==== ").map_or(body.len(), |at| at + 1)
    };
    body.get(..end).map(|body| body.trim_end().to_owned())
}

/// The plan and types that a script's last query or INSERTs have, or what was said instead.
fn planned(sql: &str) -> Result<(String, Option<String>), String> {
    let script = parse_script(sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(sql, &script, Catalog::default(), &mut diags);
    let last = analyzed.statements.iter().rev().find(|statement| {
        matches!(
            statement.kind,
            PlannedKind::Query(_)
                | PlannedKind::Inserts(_)
                | PlannedKind::Explain { .. }
                | PlannedKind::Failed
        )
    });
    let told = |diags: &Diagnostics| {
        let messages: Vec<String> = diags
            .iter()
            .map(|diagnostic| diagnostic.message(Lang::En))
            .collect();
        messages.join(" | ")
    };
    let Some(Planned { settings, kind, .. }) = last else {
        return Err(told(&diags));
    };
    let result = match kind {
        PlannedKind::Query(query) => {
            let plan = lower(std::slice::from_ref(&query.logical), settings, &mut diags);
            plan.map(|plan| (physical::explain(&plan), Some(physical::types(&query.columns))))
        }
        PlannedKind::Inserts(sinks) => {
            lower(sinks, settings, &mut diags).map(|plan| (physical::explain(&plan), None))
        }
        PlannedKind::Explain { details, of } => {
            let roots = match &**of {
                PlannedKind::Query(query) => vec![Rc::clone(&query.logical)],
                PlannedKind::Inserts(sinks) => sinks.clone(),
                _ => Vec::new(),
            };
            let options = ExplainOptions {
                changelog_mode: details.contains(&ExplainDetail::ChangelogMode),
                advice: details.contains(&ExplainDetail::PlanAdvice),
                json: details.contains(&ExplainDetail::JsonExecutionPlan),
                cost: details.contains(&ExplainDetail::EstimatedCost),
            };
            lower(&roots, settings, &mut diags).map(|plan| {
                (
                    physical::explain_statement(&roots, &plan, settings, options),
                    None,
                )
            })
        }
        _ => None,
    };
    let refused = diags
        .iter()
        .any(|diagnostic| diagnostic.severity() == Severity::Error);
    result.filter(|_| !refused).ok_or_else(|| told(&diags))
}

fn lower(roots: &[Rc<LogicalNode>], settings: &Settings, diags: &mut Diagnostics) -> Option<PhysicalPlan> {
    let optimized: Vec<Rc<LogicalNode>> = roots.iter().map(|root| optimize(root, settings)).collect();
    let settings = physical::settings_for(roots, settings);
    physical::lower(&optimized, &settings, Consumer::Explain, diags)
}

/// The message of a statement that planning refuses; `None` where it is accepted, or refused before.
fn refusal(sql: &str) -> Option<String> {
    let script = parse_script(sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(sql, &script, Catalog::default(), &mut diags);
    let before = diags.len();
    for statement in &analyzed.statements {
        let roots = match &statement.kind {
            PlannedKind::Query(query) => std::slice::from_ref(&query.logical),
            PlannedKind::Inserts(sinks) => sinks.as_slice(),
            _ => continue,
        };
        lower(roots, &statement.settings, &mut diags);
    }
    let mut new = diags.into_vec().into_iter().skip(before);
    new.find(|diagnostic| diagnostic.severity() == Severity::Error)
        .map(|diagnostic| diagnostic.flink.unwrap_or_default())
}

fn compare(path: &Path) -> Option<Compared> {
    let text = fs::read_to_string(path).expect("a case");
    let sql = section(&text, "sql")?;
    if let Some(error) = section(&text, "error") {
        let name = path
            .strip_prefix(case_root())
            .unwrap_or(path)
            .with_extension("")
            .display()
            .to_string();
        let own = std::panic::catch_unwind(|| refusal(&sql)).ok()??;
        let differences = if own.trim_end() == error.trim_end() {
            Vec::new()
        } else {
            vec![("error", error, own)]
        };
        return Some(Compared { name, differences });
    }
    let plan = section(&text, "plan")?;
    let name = path
        .strip_prefix(case_root())
        .unwrap_or(path)
        .with_extension("")
        .display()
        .to_string();
    let mut differences = Vec::new();
    // A panic is a bug, shown as this case's difference like any other.
    let planned = std::panic::catch_unwind(|| planned(&sql)).unwrap_or_else(|_| Err("(panic)".to_owned()));
    let (own_plan, own_types) = match planned {
        Ok((own_plan, own_types)) => (own_plan.trim_end().to_owned(), own_types),
        Err(message) => (format!("refused: {message}"), None),
    };
    if own_plan != plan {
        differences.push(("plan", plan, own_plan));
    }
    if let (Some(types), Some(own_types)) = (section(&text, "types"), own_types)
        // what SHOW and DESCRIBE print stands before
        && !types.ends_with(own_types.trim_end())
    {
        differences.push(("types", types, own_types));
    }
    Some(Compared { name, differences })
}

fn pending() -> Vec<String> {
    let text = fs::read_to_string(case_root().join("pending.txt")).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names
        .map(|name| name.trim_end_matches(".case").to_owned())
        .collect()
}

/// The first line in which two texts differ.
fn first_difference<'a>(recorded: &'a str, own: &'a str) -> (&'a str, &'a str) {
    let mut lines = recorded.lines().zip(own.lines().chain(std::iter::repeat("")));
    lines
        .find(|(left, right)| left != right)
        .unwrap_or(("(nothing more)", own.lines().last().unwrap_or_default()))
}

#[test]
fn plans_and_types_are_flinks() {
    let wanted = std::env::var("PLAN_CASES").unwrap_or_default();
    let verbose = std::env::var("PLAN_DIFF").is_ok();
    let compared: Vec<Compared> = case_files()
        .iter()
        .filter(|path| path.display().to_string().contains(&wanted))
        .filter_map(|path| compare(path))
        .collect();
    let agreeing = compared.iter().filter(|case| case.differences.is_empty()).count();
    let pending = pending();
    let mut unexpected = Vec::new();
    for case in compared.iter().filter(|case| !case.differences.is_empty()) {
        for (part, recorded, own) in &case.differences {
            let (left, right) = first_difference(recorded, own);
            println!("{} {part}\n  recorded {left}\n  here     {right}", case.name);
            if verbose {
                println!("--- recorded\n{recorded}\n--- here\n{own}\n");
            }
        }
        if !pending.contains(&case.name) {
            unexpected.push(case.name.as_str());
        }
    }
    println!("{agreeing} of {} plans agree", compared.len());
    if !pending.is_empty() {
        assert!(unexpected.is_empty(), "not pending and different: {unexpected:?}");
    }
}
