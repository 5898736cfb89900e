//! Changes of the text that would remove a problem.

use crate::span::Span;

/// One replacement of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// A named set of edits that belong together. Edits do not overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in English, as a command without a period.
    pub title_en: String,
    /// The same in Chinese.
    pub title_zh: String,
    /// What changes.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// A fix with its own titles.
    pub fn new(title_en: impl Into<String>, title_zh: impl Into<String>) -> Self {
        Self {
            title_en: title_en.into(),
            title_zh: title_zh.into(),
            edits: Vec::new(),
        }
    }

    /// Replaces one piece of text by another, and says so.
    pub fn replace(span: Span, text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(format!("Write `{text}`"), format!("改为 `{text}`")).edit(span, text)
    }

    /// Inserts a text, and says so.
    pub fn insert(offset: u32, text: impl Into<String>) -> Self {
        let text = text.into();
        let shown = text.trim().to_owned();
        Self::new(format!("Add `{shown}`"), format!("添加 `{shown}`")).edit(Span::at(offset), text)
    }

    /// Takes a piece of text away; `shown` is what the title calls it.
    pub fn remove(span: Span, shown: &str) -> Self {
        Self::new(format!("Remove `{shown}`"), format!("删除 `{shown}`")).edit(span, "")
    }

    /// Adds an edit.
    #[must_use]
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Self {
        self.edits.push(Edit {
            span,
            text: text.into(),
        });
        self
    }

    /// The script with all edits done, or `None` where an edit does not fit the script.
    pub fn apply(&self, script: &str) -> Option<String> {
        let mut edits: Vec<&Edit> = self.edits.iter().collect();
        edits.sort_by_key(|edit| edit.span);
        let mut changed = String::with_capacity(script.len());
        let mut done = 0;
        for edit in edits {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            changed.push_str(script.get(done..start)?);
            changed.push_str(&edit.text);
            done = end;
        }
        changed.push_str(script.get(done..)?);
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_done_in_the_order_of_the_text() {
        let fix = Fix::new("x", "x")
            .edit(Span::new(4, 5), "d")
            .edit(Span::new(0, 1), "aa")
            .edit(Span::at(2), "c");
        assert_eq!(fix.apply("b xx").as_deref(), None, "a span behind the end");
        assert_eq!(fix.apply("b xxe!").as_deref(), Some("aa cxxd!"));
    }
}
