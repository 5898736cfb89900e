//! Texts of diagnostics in English and Chinese.

use crate::diagnostic::{Arg, Diagnostic};
use crate::span::LineIndex;

/// A language that messages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lang {
    /// English.
    En,
    /// Chinese, simplified.
    Zh,
}

impl Lang {
    /// The one of the two that belongs to this language.
    pub fn pick<T>(self, en: T, zh: T) -> T {
        match self {
            Self::En => en,
            Self::Zh => zh,
        }
    }
}

impl Diagnostic {
    /// What is wrong, in one sentence that stands alone.
    pub fn message(&self, lang: Lang) -> String {
        fill(self.code.text(lang), &self.args, lang)
    }

    /// Arguments that the texts name and nobody has set; a test's question, as they show as `…`.
    pub fn missing_args(&self) -> Vec<&'static str> {
        let names = self
            .code
            .text(Lang::En)
            .split('{')
            .skip(1)
            .filter_map(|piece| piece.split_once('}'));
        names
            .map(|(name, _)| name)
            .filter(|name| !self.args.iter().any(|(set, _)| set == name))
            .collect()
    }

    /// What to do about it, if known: "did you mean" where something similar exists, else the table's way out.
    pub fn way_out(&self, lang: Lang) -> Option<String> {
        match &self.suggestion {
            Some(meant) => Some(lang.pick(
                format!("Did you mean `{meant}`?"),
                format!("是否想写 `{meant}`？"),
            )),
            None => self
                .code
                .way_out_text(lang)
                .map(|text| fill(text, &self.args, lang)),
        }
    }
}

/// A diagnostic as text for a terminal: position, severity, message, the line, labels and the way out.
pub fn render(diagnostic: &Diagnostic, script: &str, lang: Lang) -> String {
    let index = LineIndex::new(script);
    let place = index.line_column(diagnostic.span.start);
    let severity = diagnostic.severity().name(lang);
    let mut text = format!(
        "{}:{} {severity}[{}] {}\n",
        place.line,
        place.column,
        diagnostic.code.id(),
        diagnostic.message(lang)
    );
    underline(&mut text, &index, script, diagnostic);
    for label in &diagnostic.labels {
        let at = index.line_column(label.span.start);
        let (en, zh) = label.text.texts();
        push_line(
            &mut text,
            &format!("  {}:{} {}", at.line, at.column, lang.pick(en, zh)),
        );
    }
    if let Some(way_out) = diagnostic.way_out(lang) {
        push_line(&mut text, &format!("  → {way_out}"));
    }
    text
}

/// The source line with carets under the span (up to the end of the line).
fn underline(out: &mut String, index: &LineIndex<'_>, script: &str, diagnostic: &Diagnostic) {
    let place = index.line_column(diagnostic.span.start);
    let Some(line) = script.lines().nth(place.line as usize - 1) else {
        return;
    };
    let before: String = line.chars().take(place.column as usize - 1).collect();
    let marked = diagnostic
        .span
        .text(script)
        .lines()
        .next()
        .unwrap_or("")
        .chars()
        .count()
        .max(1);
    let blank: String = before
        .chars()
        .map(|c| if c.is_ascii() { ' ' } else { '　' })
        .collect();
    push_line(out, &format!("  {line}"));
    push_line(out, &format!("  {blank}{}", "^".repeat(marked)));
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

/// Puts arguments into a template. A name without an argument becomes `…`, which the table's tests forbid.
fn fill(template: &str, args: &[(&'static str, Arg)], lang: Lang) -> String {
    let mut text = String::with_capacity(template.len() + 32);
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        push_piece(&mut text, before, lang);
        let Some((name, after)) = behind.split_once('}') else {
            rest = behind;
            break;
        };
        match args.iter().find(|(known, _)| *known == name) {
            Some((_, Arg::Text(value))) => push_piece(&mut text, value, lang),
            Some((_, Arg::Words(en, zh))) => push_piece(&mut text, lang.pick(en, zh), lang),
            Some((_, Arg::List(values))) => push_piece(&mut text, &list(values, lang), lang),
            None => text.push('…'),
        }
        rest = after;
    }
    push_piece(&mut text, rest, lang);
    text
}

/// Adds a piece; in Chinese, a space keeps Latin letters, digits and code apart from Chinese characters.
fn push_piece(text: &mut String, piece: &str, lang: Lang) {
    let (last, first) = (text.chars().next_back(), piece.chars().next());
    let apart = match (last, first) {
        (Some(last), Some(first)) => {
            (is_chinese(last) && is_latin(first)) || (is_latin(last) && is_chinese(first))
        }
        _ => false,
    };
    if apart && lang == Lang::Zh {
        text.push(' ');
    }
    text.push_str(piece);
}

fn is_chinese(character: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&character)
}

fn is_latin(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '`'
}

fn list(values: &[String], lang: Lang) -> String {
    let coded: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    coded.join(lang.pick(", ", "、"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Code, Diagnostic, Span};

    #[test]
    fn a_message_stands_alone_in_both_languages() {
        let script = "SELECT amout\nFROM payments";
        let diagnostic = Diagnostic::new(Code::UnknownColumn, Span::new(7, 12))
            .arg("column", "amout")
            .arg("table", "payments")
            .suggest_similar("amout", ["id", "amount"]);
        insta::assert_snapshot!(render(&diagnostic, script, Lang::En), @r"
        1:8 error[unknown-column] There is no column `amout` in `payments`.
          SELECT amout
                 ^^^^^
          → Did you mean `amount`?
        ");
        insta::assert_snapshot!(render(&diagnostic, script, Lang::Zh), @r"
        1:8 错误[unknown-column] `payments` 中没有列 `amout`。
          SELECT amout
                 ^^^^^
          → 是否想写 `amount`？
        ");
        let fixed = diagnostic.fixes.first().and_then(|fix| fix.apply(script));
        assert_eq!(fixed.as_deref(), Some("SELECT amount\nFROM payments"));
    }

    #[test]
    fn lists_are_joined_as_the_language_joins() {
        let args = [("names", Arg::List(vec!["a".to_owned(), "b".to_owned()]))];
        assert_eq!(fill("One of {names}.", &args, Lang::En), "One of `a`, `b`.");
        assert_eq!(fill("{names}之一。{x}", &args, Lang::Zh), "`a`、`b` 之一。…");
    }
}
