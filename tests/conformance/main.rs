//! Runs every recorded case and compares changelog, types, plan and error with what the real Flink gave.
//!
//! A case in `tests/cases/pending.txt` has to differ: one that passes is to be taken off the list, so that the list
//! only shrinks. `cargo test -p sg_tests --test conformance -- window-tvf` narrows the run down.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use sg_engine::case::{Case, compare, run};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (files, pending) = match (sg_tests::case_files(), sg_tests::pending()) {
        (Ok(files), Ok(pending)) => (files, pending),
        (Err(error), _) | (_, Err(error)) => return unreadable(&error),
    };
    let mut trials: Vec<Trial> = files
        .iter()
        .map(|(name, file)| {
            let (file, reason) = (file.clone(), pending.get(name).cloned());
            Trial::test(name.clone(), move || check(&file, reason.as_deref()))
        })
        .collect();
    for (name, reason) in &pending {
        let (name, known, reason) = (name.clone(), files.contains_key(name), reason.clone());
        trials.push(Trial::test(format!("pending.txt names {name}"), move || {
            if !known {
                return Err(Failed::from(format!("there is no case {name}")));
            }
            if reason.is_empty() {
                Err(Failed::from("a pending case needs a reason"))
            } else {
                Ok(())
            }
        }));
    }
    summary(files.len(), pending.len());
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn check(file: &Path, pending: Option<&str>) -> Result<(), Failed> {
    let differences = differences(file)?;
    match (differences.as_slice(), pending) {
        ([], None) => Ok(()),
        ([], Some(reason)) => Err(Failed::from(format!(
            "passes: take it off pending.txt (there for: {reason})"
        ))),
        (_, Some(_)) => Ok(()),
        (differences, None) => Err(Failed::from(differences.join("\n"))),
    }
}

fn differences(file: &Path) -> Result<Vec<String>, Failed> {
    let text = std::fs::read_to_string(file)?;
    let folder = file.parent().unwrap_or(file);
    let case = Case::parse(&text)?.with_files(|name| {
        [folder, &folder.join("..")]
            .into_iter()
            .find_map(|folder| std::fs::read_to_string(folder.join(name)).ok())
    });
    let differences = compare(&case, &run(&case));
    Ok(differences
        .iter()
        .map(|difference| format!("{} {}", difference.section, difference.detail))
        .collect())
}

#[expect(clippy::print_stdout, reason = "the run shows how many cases are pending")]
fn summary(cases: usize, pending: usize) {
    println!("{cases} recorded cases, {pending} of them pending");
}

#[expect(clippy::print_stderr, reason = "without its files the suite cannot run")]
fn unreadable(error: &std::io::Error) -> ExitCode {
    eprintln!("the recorded cases cannot be read: {error}");
    ExitCode::FAILURE
}
