//! THE table of everything that can be said about SQL: code, severity, English, Chinese, way out, concept.
//!
//! One row a code, one file an area, and no message text anywhere else. To add a code, write a row into the file it
//! belongs to:
//!
//! ```text
//! /// `SELECT amout FROM payments`
//! UnknownColumn, "unknown-column", Error, "name",
//!     "There is no column `{column}` in `{table}`.",
//!     "`{table}` 中没有列 `{column}`。";
//! ```
//!
//! and, where there is something to do that is no edit, a second pair of texts after `=>`. `{name}` is an argument
//! ([`crate::Diagnostic::arg`]); all texts of a row name the same arguments, except that a way out may leave some out.

mod call;
mod limit;
mod matching;
mod name;
mod physical;
mod query;
mod replay;
mod run;
mod script;
mod sink;
mod syntax;
mod table;
mod time;
mod types;

use crate::{apart::installed, render::Lang};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// It runs, and probably not as meant.
    Warning,
    /// Flink runs it, Streamglass does not.
    Unsupported,
    /// Flink refuses it too.
    Error,
}

impl Severity {
    /// True if the statement does not run.
    pub const fn is_refusal(self) -> bool {
        matches!(self, Self::Error | Self::Unsupported)
    }

    /// Its name as shown.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Note => lang.pick("note", "说明"),
            Self::Warning => lang.pick("warning", "警告"),
            Self::Unsupported => lang.pick("not supported", "暂不支持"),
            Self::Error => lang.pick("error", "错误"),
        }
    }
}

/// A row of the message table. Rows are constants of this type: `Code::UnknownColumn`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code(&'static Row);

#[derive(PartialEq, Eq)]
struct Row {
    id: &'static str,
    severity: Severity,
    concept: &'static str,
    en: &'static str,
    zh: &'static str,
    /// At most one pair.
    way_out: &'static [(&'static str, &'static str)],
}

impl Code {
    /// Kebab-case name, stable: links and tests use it.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        self.0.severity
    }

    /// The idea behind it, as the glossary and the lessons name it (kebab-case).
    pub const fn concept(self) -> &'static str {
        self.0.concept
    }

    /// The message with its `{arguments}` unfilled.
    pub(crate) fn text(self, lang: Lang) -> &'static str {
        match lang.pick(self.0.en, self.0.zh) {
            "" => installed(self.id(), lang.pick(1, 2)).unwrap_or(self.id()),
            text => text,
        }
    }

    /// The way out with its `{arguments}` unfilled.
    pub(crate) fn way_out_text(self, lang: Lang) -> Option<&'static str> {
        match lang.pick(self.0.way_out.first()?.0, self.0.way_out.first()?.1) {
            "" => installed(self.id(), lang.pick(3, 4)),
            text => Some(text),
        }
    }

    /// Every row of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        AREAS.iter().flat_map(|area| area.iter().copied())
    }

    /// The row of this name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::all().find(|code| code.id() == id)
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

static AREAS: &[&[Code]] = &[
    syntax::ROWS,
    name::ROWS,
    types::ROWS,
    call::ROWS,
    table::ROWS,
    time::ROWS,
    query::ROWS,
    physical::ROWS,
    sink::ROWS,
    replay::ROWS,
    run::ROWS,
    limit::ROWS,
    matching::ROWS,
    script::ROWS,
];

/// Rows of one area, as constants of [`Code`].
macro_rules! codes {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident, $id:literal, $severity:ident, $concept:literal,
        $en:literal, $zh:literal $(=> $way_en:literal, $way_zh:literal)?;
    )*) => {
        #[expect(non_upper_case_globals, reason = "codes read like the variants of an enum")]
        impl crate::code::Code {
            $(
                #[doc = "```text"]
                #[doc = $en]
                #[doc = "```"]
                #[doc = ""]
                $(#[doc = $doc])*
                pub const $name: Self = Self(&crate::code::Row {
                    id: $id,
                    severity: crate::code::Severity::$severity,
                    concept: $concept,
                    en: crate::apart::kept($en),
                    zh: crate::apart::kept($zh),
                    way_out: &[$((crate::apart::kept($way_en), crate::apart::kept($way_zh)))?],
                });
            )*
        }

        pub(super) static ROWS: &[crate::code::Code] = &[$(crate::code::Code::$name),*];
    };
}
use codes;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn arguments(text: &str) -> BTreeSet<&str> {
        text.split('{')
            .skip(1)
            .filter_map(|piece| piece.split_once('}'))
            .map(|(name, _)| name)
            .collect()
    }

    #[test]
    fn both_languages_use_the_same_arguments() {
        for code in Code::all() {
            let row = code.0;
            assert_eq!(arguments(row.en), arguments(row.zh), "{}", row.id);
            for &(en, zh) in row.way_out {
                assert_eq!(arguments(en), arguments(zh), "way out of {}", row.id);
                assert!(
                    arguments(en).is_subset(&arguments(row.en)),
                    "way out of {}",
                    row.id
                );
            }
        }
    }

    #[test]
    fn names_are_kebab_case_and_unique() {
        let mut seen = BTreeSet::new();
        for code in Code::all() {
            assert!(seen.insert(code.id()), "{} twice", code.id());
            for name in [code.id(), code.concept()] {
                assert!(
                    !name.is_empty()
                        && name
                            .chars()
                            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                    "{name}"
                );
            }
            assert_eq!(Code::from_id(code.id()), Some(code));
        }
    }

    #[test]
    fn texts_follow_the_style() {
        for code in Code::all() {
            let row = code.0;
            let (way_en, way_zh) = row.way_out.first().copied().unwrap_or((".", "。"));
            for en in [row.en, way_en] {
                assert!(en.ends_with('.') || en.ends_with('?'), "{}: {en}", row.id);
                let words: Vec<String> = en
                    .split(|c: char| !c.is_alphanumeric())
                    .map(str::to_ascii_lowercase)
                    .collect();
                for word in [
                    "you", "your", "please", "invalid", "unable", "sorry", "oops", "simply",
                ] {
                    assert!(!words.iter().any(|w| w == word), "{}: {word}", row.id);
                }
                assert!(!en.contains('!'), "{}: {en}", row.id);
                assert_eq!(en.matches('`').count() % 2, 0, "{}: {en}", row.id);
            }
            for zh in [row.zh, way_zh] {
                assert!(zh.ends_with('。') || zh.ends_with('？'), "{}: {zh}", row.id);
                for word in ["您", "请您", "！", "哦", "亲"] {
                    assert!(!zh.contains(word), "{}: {word}", row.id);
                }
            }
        }
    }
}
