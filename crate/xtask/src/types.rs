//! Exports the TypeScript types of what the engine passes to the page.
//!
//! The types are derived from the Rust structs by `ts-rs` inside tests named `export_bindings_*`, so that
//! nothing of it reaches the shipped module. They are kept in git: the page can be checked without cargo.

use crate::process;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What to do with the exported files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Bring the folder up to date.
    Write,
    /// Fail if the folder is not up to date.
    Compare,
}

/// Name → text of the `.ts` files of one folder, by path below it.
type Files = BTreeMap<PathBuf, String>;

/// Runs the export and writes or compares `web/src/engine/generated`.
pub(crate) fn export(root: &Path, outcome: Outcome) -> Result<()> {
    let exported = process::target_folder(root).join("types");
    process::remove_folder(&exported)?;
    let mut command = process::cargo();
    command
        .current_dir(root)
        .args([
            "test",
            "--quiet",
            "--package",
            "sg_engine",
            "--lib",
            "export_bindings",
        ])
        .env("TS_RS_EXPORT_DIR", &exported)
        .env("TS_RS_LARGE_INT", "number")
        .stdout(std::process::Stdio::null());
    process::run(&mut command)?;

    let fresh = read(&exported)?;
    let folder = root.join("web/src/engine/generated");
    let kept = read(&folder)?;
    let stale = differences(&fresh, &kept);
    if outcome == Outcome::Compare && !stale.is_empty() {
        bail!(
            "stale types in web/src/engine/generated ({}); run `cargo xtask types`",
            stale.join(", ")
        );
    }
    if !stale.is_empty() {
        process::remove_folder(&folder)?;
        for (name, text) in &fresh {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, text)?;
        }
    }
    println!("types: {} files, {} changed", fresh.len(), stale.len());
    Ok(())
}

fn differences(fresh: &Files, kept: &Files) -> Vec<String> {
    let names = fresh
        .keys()
        .chain(kept.keys().filter(|name| !fresh.contains_key(*name)));
    names
        .filter(|name| fresh.get(*name) != kept.get(*name))
        .map(|name| name.display().to_string())
        .collect()
}

fn read(folder: &Path) -> Result<Files> {
    let mut files = Files::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(current) = open.pop() {
        if !current.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&current)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ts") {
                files.insert(
                    path.strip_prefix(folder)?.to_path_buf(),
                    fs::read_to_string(&path)?,
                );
            }
        }
    }
    Ok(files)
}
