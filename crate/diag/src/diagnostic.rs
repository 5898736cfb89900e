//! One thing said about a piece of SQL, and the list that collects them.

use crate::code::{Code, Severity};
use crate::fix::Fix;
use crate::similar::closest;
use crate::span::Span;

/// What a diagnostic's text has in place of `{name}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// Put in as it is.
    Text(String),
    /// Words that differ by language: English, Chinese.
    Words(String, String),
    /// Put in as a list, each item in backticks, joined as the language joins.
    List(Vec<String>),
}

/// Something said about SQL: what is wrong, where, why, and what would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Row of the message table.
    pub code: Code,
    /// The smallest text that has to change.
    pub span: Span,
    /// Named arguments of the message.
    pub args: Vec<(&'static str, Arg)>,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// Edits that would remove it, best first.
    pub fixes: Vec<Fix>,
    /// What was probably meant, shown as "did you mean".
    pub suggestion: Option<String>,
    /// Flink's own message for the same mistake, where known.
    pub flink: Option<String>,
}

/// A second place in the text with its part in the story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: LabelText,
}

/// What a label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelText {
    /// The thing is declared here.
    DeclaredHere,
    /// The first of two that clash.
    FirstHere,
    /// The opening quote, parenthesis or keyword.
    OpenedHere,
    /// Another candidate of an ambiguous name.
    AlsoHere,
    /// The part that makes the query update rows.
    UpdatesHere,
    /// The place that asks for the requirement.
    NeededHere,
    /// The place in a function's text.
    FailsHere,
}

impl LabelText {
    /// English and Chinese.
    pub const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::DeclaredHere => ("declared here", "在此声明"),
            Self::FirstHere => ("first here", "首次出现在此"),
            Self::OpenedHere => ("opened here", "从此处开始"),
            Self::AlsoHere => ("also here", "此处也有"),
            Self::UpdatesHere => ("rows are updated here", "此处会更新已有行"),
            Self::NeededHere => ("needed here", "此处需要"),
            Self::FailsHere => ("fails here", "在此处失败"),
        }
    }
}

impl Diagnostic {
    /// A diagnostic without arguments yet.
    pub fn new(code: Code, span: Span) -> Self {
        Self {
            code,
            span,
            args: Vec::new(),
            labels: Vec::new(),
            fixes: Vec::new(),
            suggestion: None,
            flink: None,
        }
    }

    /// Sets a named argument of the message.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "texts and numbers are given where they are made"
    )]
    pub fn arg(mut self, name: &'static str, value: impl ToString) -> Self {
        self.args.push((name, Arg::Text(value.to_string())));
        self
    }

    /// Sets a named argument that is written in words, in English and in Chinese.
    #[must_use]
    pub fn arg_words(mut self, name: &'static str, en: impl Into<String>, zh: impl Into<String>) -> Self {
        self.args.push((name, Arg::Words(en.into(), zh.into())));
        self
    }

    /// Sets a named argument that is a list of names.
    #[must_use]
    pub fn arg_list<I>(mut self, name: &'static str, values: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        self.args
            .push((name, Arg::List(values.into_iter().map(Into::into).collect())));
        self
    }

    /// Points at a second place.
    #[must_use]
    pub fn label(mut self, span: Span, text: LabelText) -> Self {
        self.labels.push(Label { span, text });
        self
    }

    /// Adds an edit that would help.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Notes what Flink says.
    #[must_use]
    pub fn flink(mut self, message: impl Into<String>) -> Self {
        self.flink = Some(message.into());
        self
    }

    /// Adds "did you mean" and a fix at this diagnostic's span, when a candidate is close to what was written.
    #[must_use]
    pub fn suggest_similar<'c, I>(self, written: &str, candidates: I) -> Self
    where
        I: IntoIterator<Item = &'c str>,
    {
        let span = self.span;
        self.suggest_similar_at(span, written, candidates)
    }

    /// The same, where the text to replace is not the whole span.
    #[must_use]
    pub fn suggest_similar_at<'c, I>(mut self, span: Span, written: &str, candidates: I) -> Self
    where
        I: IntoIterator<Item = &'c str>,
    {
        if let Some(meant) = closest(written, candidates) {
            self.suggestion = Some(meant.to_owned());
            self.fixes.push(Fix::replace(span, meant));
        }
        self
    }

    /// How bad it is, from the message table.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Diagnostics in the order in which they were found. Nothing is dropped or merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// An empty list.
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn append(&mut self, other: Self) {
        self.list.extend(other.list);
    }

    /// True if nothing was said.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// True if one of them keeps the statement from running (an error, or something not supported).
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// How many of them keep the statement from running.
    pub fn errors(&self) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity().is_refusal())
            .count()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// All of them, in the order of the text.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|diagnostic| diagnostic.span);
        self.list
    }

    /// All of them, in the order found.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, more: I) {
        self.list.extend(more);
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
