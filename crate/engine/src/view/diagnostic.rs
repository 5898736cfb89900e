//! Diagnostics with UTF-16 offsets, and which text of the workspace they point into.

use sg_diag::{Diagnostic, Lang, LineIndex, Severity, Span};
use sg_value::Gather as _;

use crate::dto;

/// A part of the text that was analysed as one: the shared script, or a query behind it.
#[derive(Debug)]
pub(crate) struct TextPart<'a> {
    /// The part's own text.
    text: &'a str,
    /// Where its lines begin: made once, because every token asks.
    index: LineIndex<'a>,
    /// Where it begins in the whole, in bytes.
    offset: u32,
}

impl<'a> TextPart<'a> {
    /// A part of `text` at a byte offset of the whole.
    pub(crate) fn new(text: &'a str, offset: u32) -> Self {
        Self {
            text,
            index: LineIndex::new(text),
            offset,
        }
    }

    /// Whether the span begins in this part.
    pub(crate) fn holds(&self, span: Span) -> bool {
        let end = self
            .offset
            .saturating_add(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        (self.offset..=end).contains(&span.start)
    }

    /// The text of a span; empty where it lies outside.
    pub(crate) fn text_of(&self, span: Span) -> &'a str {
        let local = |at: u32| at.saturating_sub(self.offset) as usize;
        self.text
            .get(local(span.start)..local(span.end))
            .unwrap_or_default()
    }

    /// The span in UTF-16 units of this part's own text; what lies outside is cut off.
    pub(crate) fn utf16(&self, span: Span) -> dto::Span {
        let local = |at: u32| {
            let at = at.saturating_sub(self.offset);
            self.index
                .utf16_from_utf8(at.min(u32::try_from(self.text.len()).unwrap_or(u32::MAX)))
        };
        dto::Span {
            from: local(span.start),
            to: local(span.end),
        }
    }
}

/// A text in both languages.
pub(crate) fn bilingual(text: impl Fn(Lang) -> String) -> dto::Bilingual {
    dto::Bilingual::new(text(Lang::En), text(Lang::Zh))
}

/// A diagnostic as the page shows it, with offsets into `part`.
pub(crate) fn diagnostic_view(diagnostic: &Diagnostic, part: &TextPart<'_>) -> dto::Diagnostic {
    let mut notes = Vec::new();
    if let (Some(en), Some(zh)) = (diagnostic.way_out(Lang::En), diagnostic.way_out(Lang::Zh)) {
        notes.push(dto::Bilingual::new(en, zh));
    }
    if let Some(flink) = &diagnostic.flink {
        notes.push(dto::Bilingual::new(
            format!("Flink says: {flink}"),
            format!("Flink 的报错：{flink}"),
        ));
    }
    dto::Diagnostic {
        code: diagnostic.code.id().to_owned(),
        severity: match diagnostic.severity() {
            Severity::Error => "error",
            Severity::Unsupported => "unsupported",
            Severity::Warning => "warning",
            Severity::Note => "hint",
        },
        concept: diagnostic.code.concept().to_owned(),
        span: part.utf16(diagnostic.span),
        message: bilingual(|lang| diagnostic.message(lang)),
        labels: diagnostic
            .labels
            .iter()
            .filter(|label| part.holds(label.span))
            .map(|label| {
                let (en, zh) = label.text.texts();
                dto::Label {
                    span: part.utf16(label.span),
                    message: dto::Bilingual::new(en, zh),
                }
            })
            .gather(),
        notes,
        fixes: diagnostic
            .fixes
            .iter()
            .filter(|fix| fix.edits.iter().all(|edit| part.holds(edit.span)))
            .map(|fix| dto::Fix {
                title: dto::Bilingual::new(&fix.title_en, &fix.title_zh),
                edits: fix
                    .edits
                    .iter()
                    .map(|edit| {
                        let span = part.utf16(edit.span);
                        dto::FixEdit {
                            from: span.from,
                            to: span.to,
                            text: edit.text.clone(),
                        }
                    })
                    .gather(),
            })
            .gather(),
    }
}
