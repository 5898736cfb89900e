//! Harnesses that need the whole engine: the recorded cases and which of them are pending.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the recorded cases.
pub fn cases_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}

/// All case files by name (`area/name`), in order.
pub fn case_files() -> std::io::Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    for area in std::fs::read_dir(cases_folder())? {
        let area = area?.path();
        if !area.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&area)? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "case") {
                files.insert(case_name(&file), file);
            }
        }
    }
    Ok(files)
}

/// `area/name` of a case's path.
fn case_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let area = file
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy();
    format!("{area}/{stem}")
}

/// Cases that do not pass yet with the reason, from `pending.txt`: `area/name  reason`.
pub fn pending() -> std::io::Result<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(cases_folder().join("pending.txt"))?;
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries = lines.map(|line| {
        let (name, reason) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        (name.to_owned(), reason.trim().to_owned())
    });
    Ok(entries.collect())
}
