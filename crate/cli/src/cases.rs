//! Replaying, checking and explaining files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sg_engine::case::{Case, Sections, compare, run};

use crate::say;

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn read_case(path: &Path) -> Result<Case, String> {
    let case = Case::parse(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(case.with_files(|file| read_beside(path, file)))
}

/// A file that a case names: beside it, or in the folder above.
fn read_beside(case: &Path, file: &str) -> Option<String> {
    let folder = case.parent().unwrap_or_else(|| Path::new("."));
    let above = folder.join("..");
    [folder, &above]
        .into_iter()
        .find_map(|folder| std::fs::read_to_string(folder.join(file)).ok())
}

/// Prints sections in the format of a case; exit code 1 where one is an error.
pub(crate) fn replay(sections: &[String], files: &[PathBuf]) -> ExitCode {
    let mut failed = false;
    for file in files {
        let case = match read_case(file) {
            Ok(case) => case,
            Err(message) => return say(&message, 2),
        };
        if files.len() > 1 {
            say(&format!("# {}", file.display()), 0);
        }
        let result = run(&case);
        failed |= result.error.is_some();
        say(&printed(sections, &result), 0);
        for diagnostic in &result.diagnostics {
            say(sg_engine::case::rendered(&case, diagnostic).trim_end(), 1);
        }
    }
    ExitCode::from(u8::from(failed))
}

fn printed(wanted: &[String], result: &Sections) -> String {
    let error = ["error".to_owned()];
    let names = if result.error.is_some() {
        &error[..]
    } else {
        wanted
    };
    let mut text = String::new();
    for name in names {
        if let Some(body) = result.get(name) {
            let section = format!("==== {name}\n{}\n", body.trim_end());
            text.push_str(&section);
        }
    }
    text.trim_end().to_owned()
}

/// Compares cases with their records; ends with `N passed, M failed`.
pub(crate) fn check(paths: &[PathBuf]) -> ExitCode {
    let mut files = Vec::new();
    for path in paths {
        if let Err(message) = collect(path, &mut files) {
            return say(&message, 2);
        }
    }
    let (mut passed, mut failed) = (0_u32, 0_u32);
    for file in &files {
        let differences = match read_case(file) {
            Ok(case) => compare(&case, &run(&case)),
            Err(message) => return say(&message, 2),
        };
        if differences.is_empty() {
            passed += 1;
            continue;
        }
        failed += 1;
        say(&format!("differs  {}", file.display()), 0);
        for difference in differences {
            say(
                &format!(
                    "  {} {}",
                    difference.section,
                    difference.detail.replace('\n', "\n  ")
                ),
                0,
            );
        }
    }
    say(&format!("{passed} passed, {failed} failed"), 0);
    ExitCode::from(u8::from(failed > 0))
}

/// Adds a file, or all cases below a folder in order of name.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let unreadable = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for entry in entries {
        if entry.is_dir() || entry.extension().is_some_and(|extension| extension == "case") {
            collect(&entry, files)?;
        }
    }
    Ok(())
}

/// Prints plans; a file without sections is SQL.
pub(crate) fn explain(file: &Path) -> ExitCode {
    let text = match read(file) {
        Ok(text) => text,
        Err(message) => return say(&message, 2),
    };
    let sql = match Case::parse(&text) {
        Ok(case) if !case.sql.is_empty() => case.sql,
        _ => text,
    };
    match sg_engine::explain(&sql) {
        Ok(plan) => say(plan.trim_end(), 0),
        Err(message) => say(message.trim_end(), 1),
    }
}
