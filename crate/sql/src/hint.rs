//! The inside of `/*+ … */`.

use sg_diag::{Code, Diagnostic, Span};

use crate::ast::{Ident, Text};
use crate::lexer::{LexKind, Lexeme, StringKind, lex_part};
use crate::side::{Hint, HintArgument};
use crate::string::undouble;

/// The hints of a comment: `NAME`, `NAME(a, b)`, `NAME('k' = 'v', …)`, separated by commas or blanks.
pub(crate) fn parse_hints(text: &str, span: Span) -> Result<Vec<Hint>, Box<Diagnostic>> {
    let inner = Span::new(span.start + 3, span.end.saturating_sub(2).max(span.start + 3));
    let lexemes = lex_part(inner.text(text), inner.start);
    let mut reader = Reader {
        text,
        lexemes: lexemes.into_iter(),
        whole: span,
    };
    let mut hints = Vec::new();
    while let Some(lexeme) = reader.lexemes.next() {
        if lexeme.span.text(text) == "," {
            continue;
        }
        hints.push(reader.hint(lexeme)?);
    }
    Ok(hints)
}

struct Reader<'a> {
    text: &'a str,
    lexemes: std::vec::IntoIter<Lexeme>,
    whole: Span,
}

impl Reader<'_> {
    #[inline(never)]
    fn hint(&mut self, first: Lexeme) -> Result<Hint, Box<Diagnostic>> {
        let name = self.name(first).ok_or_else(|| malformed(first.span))?;
        let mut hint = Hint {
            span: name.span,
            name,
            args: Vec::new(),
        };
        if self.peek() != "(" {
            return Ok(hint);
        }
        self.lexemes.next();
        loop {
            let Some(lexeme) = self.lexemes.next() else {
                return Err(malformed(self.whole));
            };
            match lexeme.span.text(self.text) {
                ")" => {
                    hint.span.end = lexeme.span.end;
                    return Ok(hint);
                }
                "," => {}
                _ => hint.args.push(self.argument(lexeme)?),
            }
        }
    }

    fn argument(&mut self, lexeme: Lexeme) -> Result<HintArgument, Box<Diagnostic>> {
        let key = match lexeme.kind {
            LexKind::String(StringKind::Plain) => self.string(lexeme),
            // a key may go without quotes
            LexKind::Word if self.peek() == "=" => Text {
                value: lexeme.span.text(self.text).to_owned(),
                span: lexeme.span,
            },
            _ => {
                return self
                    .name(lexeme)
                    .map(HintArgument::Name)
                    .ok_or_else(|| malformed(lexeme.span));
            }
        };
        if self.peek() != "=" {
            return Ok(HintArgument::Text(key));
        }
        self.lexemes.next();
        match self.lexemes.next() {
            Some(
                value @ Lexeme {
                    kind: LexKind::String(StringKind::Plain),
                    ..
                },
            ) => Ok(HintArgument::Pair(key, self.string(value))),
            other => Err(malformed(other.map_or(self.whole, |other| other.span))),
        }
    }

    fn name(&self, lexeme: Lexeme) -> Option<Ident> {
        let text = lexeme.span.text(self.text);
        let name = match lexeme.kind {
            LexKind::Word => text.to_owned(),
            LexKind::QuotedName => undouble(text, '`'),
            _ => return None,
        };
        Some(Ident {
            name,
            span: lexeme.span,
        })
    }

    fn string(&self, lexeme: Lexeme) -> Text {
        Text {
            value: undouble(lexeme.span.text(self.text), '\''),
            span: lexeme.span,
        }
    }

    fn peek(&self) -> &str {
        self.lexemes
            .as_slice()
            .first()
            .map_or("", |next| next.span.text(self.text))
    }
}

fn malformed(span: Span) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::HintMalformed, span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_have_pairs_and_names() {
        let text = "/*+ STATE_TTL('o' = '1d', 'c'='2d'), BROADCAST(t) NOPE */";
        let hints = parse_hints(text, Span::new(0, 57)).unwrap();
        let names: Vec<&str> = hints.iter().map(|hint| hint.span.text(text)).collect();
        assert_eq!(names, ["STATE_TTL('o' = '1d', 'c'='2d')", "BROADCAST(t)", "NOPE"]);
        assert_eq!(hints[0].args.len(), 2);
        assert!(
            matches!(&hints[0].args[1], HintArgument::Pair(key, value) if key.value == "c" && value.value == "2d")
        );
    }

    #[test]
    fn a_broken_hint_says_where() {
        for (text, at) in [
            ("/*+ A('k' = 5) */", "5"),
            ("/*+ A('k' */", "/*+ A('k' */"),
            ("/*+ 3 */", "3"),
        ] {
            let span = Span::new(0, u32::try_from(text.len()).unwrap());
            let diagnostic = parse_hints(text, span).unwrap_err();
            assert_eq!(diagnostic.span.text(text), at);
        }
    }
}
