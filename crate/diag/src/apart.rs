//! Texts that a page loads beside the engine's module, and not as a part of it: they are only needed when something is
//! said.
//!
//! A native build has its texts in the table ([`crate::Code`]). A build for wasm leaves them out; [`texts_file`] writes
//! them into a file, natively, and [`install_texts`] takes that file in.

use std::sync::OnceLock;

use crate::{Code, Lang};

/// A line a code, columns parted by tabs: name, English, Chinese, way out in English and in Chinese (empty if none). In
/// the order of names: help for all functions asks for each of them.
static INSTALLED: OnceLock<Vec<&'static str>> = OnceLock::new();

/// A text of a table, left out of a build for wasm.
pub const fn kept(text: &'static str) -> &'static str {
    if cfg!(target_arch = "wasm32") { "" } else { text }
}

/// Makes the texts known that [`texts_file`] wrote. Only the first call counts.
pub fn install_texts(file: &str) {
    INSTALLED.get_or_init(|| {
        let file: &'static str = Box::leak(Box::from(file));
        let mut lines: Vec<&'static str> = file.lines().collect();
        lines.sort_by_key(name);
        lines
    });
}

/// All texts of the table, for [`install_texts`].
pub fn texts_file() -> String {
    let mut file = String::new();
    for code in Code::all() {
        let texts = [Lang::En, Lang::Zh].map(|lang| code.text(lang));
        let ways_out = [Lang::En, Lang::Zh].map(|lang| code.way_out_text(lang).unwrap_or_default());
        file.push_str(code.id());
        for text in texts.into_iter().chain(ways_out) {
            debug_assert!(!text.contains(['\t', '\n']), "{text}");
            file.push('\t');
            file.push_str(text);
        }
        file.push('\n');
    }
    file
}

/// A column of the line of a code or a function, from 1; `None` where there is no file, no line or nothing in it.
pub fn installed(id: &str, column: usize) -> Option<&'static str> {
    let lines = INSTALLED.get()?;
    let line = lines.get(lines.partition_point(|line| name(line) < id))?;
    let text = line.split('\t').nth(column).filter(|_| name(line) == id);
    text.filter(|text| !text.is_empty())
}

/// The first column.
fn name<'a>(line: &&'a str) -> &'a str {
    line.split('\t').next().unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_what_the_table_says() {
        install_texts(&texts_file());
        for code in Code::all() {
            for (at, lang) in (0..).zip([Lang::En, Lang::Zh]) {
                assert_eq!(installed(code.id(), 1 + at), Some(code.text(lang)));
                assert_eq!(installed(code.id(), 3 + at), code.way_out_text(lang));
            }
        }
        assert_eq!(installed("unknown", 1), None);
    }
}
