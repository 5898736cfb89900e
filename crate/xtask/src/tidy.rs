//! Checks of the text of the repository that no compiler makes.

use anyhow::{Result, bail};
use std::fs;
use std::path::Path;

/// A source file longer than this is cut by concept.
const MOST_LINES: usize = 600;

/// Folders that are built, installed or written by tools.
const NOT_OURS: [&str; 9] = [
    ".git",
    "target",
    "node_modules",
    "dist",
    "test-results",
    "playwright-report",
    "web/src/engine/pkg",
    "web/src/engine/generated",
    "__pycache__",
];

/// Extensions of files that people write as code.
const CODE: [&str; 8] = ["rs", "ts", "mjs", "js", "css", "html", "py", "sh"];

/// Extensions of other text that is read for words.
const TEXT: [&str; 7] = ["md", "toml", "json", "case", "txt", "sql", "java"];

/// Text that must not stand in a file, where, and why.
struct Refusal {
    /// Split in two, so that this file does not refuse itself.
    text: (&'static str, &'static str),
    /// Folders or files in which the text is refused; empty for everywhere.
    within: &'static [&'static str],
    /// Folders or files in which it is allowed all the same.
    except: &'static [&'static str],
    reason: &'static str,
}

const UNFINISHED: &str = "do it, or write an issue";
const MACHINE: &str = "a path of one machine or of no checkout";

const REFUSALS: [Refusal; 10] = [
    everywhere("TO", "DO", UNFINISHED),
    everywhere("FIX", "ME", UNFINISHED),
    everywhere("XX", "X:", UNFINISHED),
    everywhere("todo", "!(", UNFINISHED),
    everywhere("unimplemented", "!(", UNFINISHED),
    everywhere("/wo", "rk/", MACHINE),
    everywhere("../sha", "red", MACHINE),
    everywhere("/ho", "me/", MACHINE),
    everywhere("sub", "agent", "the repository speaks of the product only"),
    Refusal {
        text: ("sql", "parser::"),
        within: &["crate"],
        except: &[],
        reason: "Flink's syntax has a parser and a tree of its own, which are a tenth of its size",
    },
];

const fn everywhere(start: &'static str, end: &'static str, reason: &'static str) -> Refusal {
    Refusal {
        text: (start, end),
        within: &[],
        except: &[],
        reason,
    }
}

impl Refusal {
    fn applies_to(&self, name: &str) -> bool {
        let below = |folders: &[&str]| folders.iter().any(|folder| Path::new(name).starts_with(folder));
        (self.within.is_empty() || below(self.within)) && !below(self.except)
    }
}

/// Reads every text file and fails with all findings.
pub(crate) fn check(root: &Path) -> Result<()> {
    let mut checked = Checked {
        files: 0,
        findings: Vec::new(),
    };
    visit(root, root, &mut checked)?;
    for finding in &checked.findings {
        println!("{finding}");
    }
    if !checked.findings.is_empty() {
        bail!("tidy: {} findings", checked.findings.len());
    }
    println!("tidy: {} files", checked.files);
    Ok(())
}

struct Checked {
    files: u32,
    findings: Vec<String>,
}

fn visit(folder: &Path, root: &Path, checked: &mut Checked) -> Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = path.strip_prefix(root)?.to_string_lossy().into_owned();
        let last = entry.file_name();
        if NOT_OURS
            .iter()
            .any(|ours| name == *ours || last.to_string_lossy() == *ours)
        {
            continue;
        }
        if path.is_dir() {
            visit(&path, root, checked)?;
        } else if is_text(&path, &name) {
            checked.files += 1;
            read(&path, &name, checked)?;
        }
    }
    Ok(())
}

fn is_text(path: &Path, name: &str) -> bool {
    if name.ends_with("package-lock.json") {
        return false;
    }
    let extension = path.extension().and_then(|extension| extension.to_str());
    name == ".ci/run" || extension.is_some_and(|known| CODE.contains(&known) || TEXT.contains(&known))
}

fn read(path: &Path, name: &str, checked: &mut Checked) -> Result<()> {
    let Ok(text) = String::from_utf8(fs::read(path)?) else {
        checked.findings.push(format!("{name}: not UTF-8"));
        return Ok(());
    };
    let extension = path
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    let lines = text.lines().count();
    if CODE.contains(&extension) && !name.starts_with("tests/") && lines > MOST_LINES {
        checked.findings.push(format!(
            "{name}: {lines} lines, the limit is {MOST_LINES}: split it by concept"
        ));
    }
    for refusal in REFUSALS.iter().filter(|refusal| refusal.applies_to(name)) {
        let refused = [refusal.text.0, refusal.text.1].concat();
        for (number, _) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains(&refused))
        {
            checked
                .findings
                .push(format!("{name}:{}: `{refused}`: {}", number + 1, refusal.reason));
        }
    }
    Ok(())
}
