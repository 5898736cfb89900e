//! What is said about SQL while it is typed.

use serde::Serialize;
use ts_rs::TS;

/// A text in both languages. `**…**` marks values that stand out, backticks mark code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct Bilingual {
    /// English.
    pub en: String,
    /// Chinese.
    pub zh: String,
}

impl Bilingual {
    /// A text from its two forms.
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self {
            en: en.into(),
            zh: zh.into(),
        }
    }
}

/// A stretch of SQL in UTF-16 units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct Span {
    /// First unit.
    pub from: u32,
    /// Behind the last unit.
    pub to: u32,
}

/// Something said about SQL, events or options.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct Diagnostic {
    /// Stable kebab-case name.
    pub code: String,
    /// How bad it is.
    #[ts(type = "'error' | 'unsupported' | 'warning' | 'hint'")]
    pub severity: &'static str,
    /// The idea behind it (a glossary entry).
    pub concept: String,
    /// Where, in the text that was asked about.
    pub span: Span,
    /// What is wrong.
    pub message: Bilingual,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// The way out, and what Flink itself says, where known.
    pub notes: Vec<Bilingual>,
    /// Edits that mend it, best first.
    pub fixes: Vec<Fix>,
}

/// A second place of a diagnostic.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// Its part in the story.
    pub message: Bilingual,
}

/// An edit that mends a diagnostic.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Fix {
    /// What it does.
    pub title: Bilingual,
    /// The replacements, from first to last, none overlapping.
    pub edits: Vec<FixEdit>,
}

/// A replacement of a range.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct FixEdit {
    /// First unit replaced.
    pub from: u32,
    /// Behind the last unit replaced.
    pub to: u32,
    /// By what.
    pub text: String,
}

/// What is known about a script without running it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Analysis {
    /// Problems, in order of position.
    pub diagnostics: Vec<Diagnostic>,
    /// Token classes, for highlighting without an editor.
    pub tokens: Vec<Token>,
    /// Marks for the gutter and underlines.
    pub lenses: Vec<Lens>,
    /// Literals that control time.
    pub literals: Vec<TimeLiteral>,
}

/// A token and its class.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Token {
    /// First unit.
    pub from: u32,
    /// Behind the last unit.
    pub to: u32,
    /// Its class.
    #[ts(
        type = "'keyword' | 'function' | 'type' | 'identifier' | 'number' | 'string' | 'comment' | 'operator' | 'punctuation'"
    )]
    pub kind: &'static str,
}

/// What a place in the SQL does to state and results.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Lens {
    /// The text that does it.
    pub span: Span,
    /// What it does.
    #[ts(type = "'bounded' | 'unbounded' | 'updates'")]
    pub kind: &'static str,
    /// The sentence.
    pub message: Bilingual,
}

/// A literal that controls time and can be dragged.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct TimeLiteral {
    /// The digits.
    pub span: Span,
    /// Its part.
    #[ts(type = "'window-size' | 'slide' | 'out-of-orderness' | 'interval'")]
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// SECOND, MINUTE, …
    pub unit: String,
}

/// A completion.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Completion {
    /// As listed.
    pub label: String,
    /// What it is.
    #[ts(type = "'keyword' | 'function' | 'table' | 'column' | 'type' | 'snippet'")]
    pub kind: &'static str,
    /// A type or signature.
    pub detail: String,
    /// One line of help.
    pub doc: Option<Bilingual>,
    /// What is inserted.
    pub insert: String,
    /// What it replaces.
    pub span: Span,
}

/// What is known about the word under the pointer.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct Hover {
    /// The word.
    pub span: Span,
    /// A signature or type.
    pub title: String,
    /// One line of help.
    pub text: Bilingual,
}
