//! From the lexemes of one statement to its tokens.
//!
//! Strings are decoded here, hints are cut out and kept in the [`SideTable`], and everything that is no token of Flink
//! SQL becomes a diagnostic: the first one, as what follows it is guesswork.

use sg_diag::{Code, Diagnostic, Fix, LineIndex, Span};

use crate::complaint::{encountered, invalid};
use crate::hint::parse_hints;
use crate::lexer::{Broken, LexKind, Lexeme, StringKind};
use crate::side::SideTable;
use crate::string::{decode_c_escapes, decode_unicode, undouble};
use crate::token::{Token, TokenWithSpan};

/// The tokens of a statement, and what was cut out of them.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    pub(crate) tokens: Vec<TokenWithSpan>,
    pub(crate) side: SideTable,
}

/// Makes tokens of a statement's lexemes. The diagnostic is boxed because it is large and rare.
pub(crate) fn prepare(text: &str, statement: Span, lexemes: &[Lexeme]) -> Result<Prepared, Box<Diagnostic>> {
    let lexemes = lexemes
        .iter()
        .filter(|lexeme| lexeme.kind != LexKind::Comment)
        .copied()
        .collect();
    let mut prepass = Prepass {
        text,
        statement,
        lexemes,
        at: 0,
        out: Prepared::default(),
        depth: 0,
        pattern: None,
    };
    while let Some(lexeme) = prepass.lexemes.get(prepass.at).copied() {
        prepass.at += 1;
        prepass.take(lexeme)?;
    }
    Ok(prepass.out)
}

struct Prepass<'a> {
    text: &'a str,
    statement: Span,
    lexemes: Vec<Lexeme>,
    at: usize,
    out: Prepared,
    /// Open parentheses.
    depth: u32,
    /// The depth inside `PATTERN (`, where `?`, `|`, `^` and `$` mean something.
    pattern: Option<u32>,
}

impl Prepass<'_> {
    fn take(&mut self, lexeme: Lexeme) -> Result<(), Box<Diagnostic>> {
        let text = lexeme.span.text(self.text);
        match lexeme.kind {
            LexKind::Comment => {}
            LexKind::Word if text.eq_ignore_ascii_case("ASYMMETRIC") && self.follows("BETWEEN") => {}
            LexKind::Word => self.push(Token::word(text, None), lexeme.span),
            LexKind::QuotedName => self.push(Token::word(&undouble(text, '`'), Some('`')), lexeme.span),
            LexKind::Number => self.push(Token::Number(text.to_owned()), lexeme.span),
            LexKind::String(kind) => self.string(kind, lexeme.span)?,
            LexKind::Hint => self.hint(lexeme.span)?,
            LexKind::Symbol => self.symbol(text, lexeme.span)?,
            LexKind::Broken(broken) => return Err(Box::new(self.broken(broken, lexeme.span, text))),
        }
        Ok(())
    }

    fn push(&mut self, token: Token, span: Span) {
        self.out.tokens.push(TokenWithSpan { token, span });
    }

    /// True if the last token is this word.
    fn follows(&self, word: &str) -> bool {
        matches!(self.out.tokens.last().map(|it| &it.token),
            Some(Token::Word(last)) if last.quote_style.is_none() && last.value.eq_ignore_ascii_case(word))
    }

    fn symbol(&mut self, text: &str, span: Span) -> Result<(), Box<Diagnostic>> {
        let Some(token) = symbol_token(text) else {
            return Err(Box::new(self.broken(Broken::Character, span, text)));
        };
        match token {
            Token::LParen => {
                if self.pattern.is_none() && self.follows("PATTERN") {
                    self.pattern = Some(self.depth);
                }
                self.depth += 1;
            }
            Token::RParen => {
                self.depth = self.depth.saturating_sub(1);
                self.pattern = self.pattern.filter(|&depth| depth < self.depth);
            }
            Token::Pipe | Token::Caret | Token::Placeholder(_) if self.pattern.is_none() => {
                let broken = if text == "|" {
                    Broken::Operator
                } else {
                    Broken::Character
                };
                return Err(Box::new(self.broken(broken, span, text)));
            }
            _ => {}
        }
        self.push(token, span);
        Ok(())
    }

    /// What is no token, with Flink's message where it is known.
    #[inline(never)]
    fn broken(&self, broken: Broken, span: Span, text: &str) -> Diagnostic {
        let diagnostic = broken_lexeme(broken, span, text);
        match broken {
            Broken::String | Broken::DoubleQuoted => {
                let quote = Span::new(span.start, span.start + 1);
                diagnostic.flink(encountered(self.text, self.statement, quote))
            }
            Broken::Name => self.lexical_error(diagnostic, span.start, u32::MAX),
            Broken::Character if matches!(text, "?" | "^") => diagnostic,
            Broken::Character => self.lexical_error(diagnostic, span.start, 0),
            // `!` begins `!=` only
            Broken::Operator if text.starts_with('!') && text != "!=" => {
                self.lexical_error(diagnostic, span.start, 1)
            }
            Broken::Operator if text.starts_with(['&', '~']) => self.lexical_error(diagnostic, span.start, 0),
            _ => diagnostic,
        }
    }

    /// What Flink's lexer says of the character that is `read` bytes behind `start`, where a token began.
    fn lexical_error(&self, diagnostic: Diagnostic, start: u32, read: u32) -> Diagnostic {
        let rest = Span::new(start, self.statement.end.max(start)).text(self.text);
        let read = rest.len().min(read as usize);
        let (before, behind) = rest.split_at_checked(read).unwrap_or((rest, ""));
        // JavaCC reads one character further before it reports; where there is none it forgets what it has
        let (before, behind) = match behind.len() {
            1..=4 if behind.encode_utf16().count() == 1 => ("", ""),
            _ => (before, behind),
        };
        let read = if behind.is_empty() { rest.len() } else { read };
        let at = start.saturating_sub(self.statement.start) + u32::try_from(read).unwrap_or(0);
        let place = LineIndex::new(self.statement.text(self.text)).line_column(at);
        let mut units = [0; 2];
        let found = behind.chars().next().map_or_else(
            || "<EOF>".to_owned(),
            |found| {
                let unit = found.encode_utf16(&mut units).first().copied().unwrap_or(0);
                if found.is_ascii() {
                    format!("\"{found}\" ({unit}),")
                } else {
                    format!("\"\\u{unit:04x}\" ({unit}),")
                }
            },
        );
        diagnostic.flink(format!(
            "SqlParserException: SQL parse failed. Lexical error at line {}, column {}.  Encountered: {found} after : \"{before}\"",
            place.line, place.column
        ))
    }

    #[inline(never)]
    fn hint(&mut self, span: Span) -> Result<(), Box<Diagnostic>> {
        let hints = parse_hints(self.text, span)?;
        let placed = match self.out.tokens.last() {
            Some(TokenWithSpan {
                token: Token::Word(word),
                ..
            }) => {
                word.quote_style.is_some()
                    || word.value.eq_ignore_ascii_case("SELECT")
                    || !crate::keyword::is_reserved(&word.value)
            }
            _ => false,
        };
        let end = self
            .out
            .tokens
            .last()
            .and_then(|last| crate::span::byte_span(last.span))
            .map(|last| last.end);
        match end {
            Some(end) if placed => {
                self.out.side.hints.extend(end, hints);
                Ok(())
            }
            _ => Err(Box::new(Diagnostic::new(Code::HintMisplaced, span))),
        }
    }

    fn string(&mut self, kind: StringKind, span: Span) -> Result<(), Box<Diagnostic>> {
        let text = span.text(self.text);
        let quote = text.find('\'').unwrap_or(0);
        let inner = undouble(text.get(quote..).unwrap_or(""), '\'');
        let at = Span::new(span.start + u32::try_from(quote).unwrap_or(0), span.end);
        match kind {
            StringKind::Plain | StringKind::Prefixed => {
                self.plain_string(inner, span);
                Ok(())
            }
            StringKind::Escaped => {
                let decoded = decode_c_escapes(&inner).map_err(|found| bad_escape(at, &found))?;
                self.push(Token::SingleQuotedString(decoded), span);
                Ok(())
            }
            StringKind::Unicode => {
                let (escape, end) = self.take_uescape().unwrap_or(('\\', span.end));
                let decoded = decode_unicode(&inner, escape).map_err(|found| bad_escape(at, &found))?;
                self.push(Token::SingleQuotedString(decoded), Span::new(span.start, end));
                Ok(())
            }
            StringKind::Binary => {
                if !inner.len().is_multiple_of(2) || !inner.chars().all(|c| c.is_ascii_hexdigit()) {
                    let diagnostic = Diagnostic::new(Code::BadBinaryLiteral, span).arg("found", &inner);
                    return Err(Box::new(if inner.chars().all(|c| c.is_ascii_hexdigit()) {
                        diagnostic.flink(invalid(
                            self.text,
                            self.statement,
                            span,
                            "Binary literal string must contain an even number of hexits",
                        ))
                    } else {
                        diagnostic
                    }));
                }
                self.push(Token::HexStringLiteral(inner), span);
                Ok(())
            }
        }
    }

    /// A plain string; one on a line of its own continues the one before it. On the same line it cannot stand, which
    /// the parser finds out.
    fn plain_string(&mut self, inner: String, span: Span) {
        let Some(TokenWithSpan {
            token: Token::SingleQuotedString(before),
            span: last,
        }) = self.out.tokens.last_mut()
        else {
            self.push(Token::SingleQuotedString(inner), span);
            return;
        };
        let before_span = crate::span::byte_span(*last).unwrap_or_default();
        if !Span::new(before_span.end, span.start)
            .text(self.text)
            .contains('\n')
        {
            self.push(Token::SingleQuotedString(inner), span);
            return;
        }
        before.push_str(&inner);
        *last = before_span.join(span);
    }

    /// `UESCAPE 'c'`: the escape character, and where it ends.
    fn take_uescape(&mut self) -> Option<(char, u32)> {
        let word = self.lexemes.get(self.at)?;
        let escape = self.lexemes.get(self.at + 1)?;
        if !word.span.text(self.text).eq_ignore_ascii_case("UESCAPE") {
            return None;
        }
        let content = undouble(escape.span.text(self.text), '\'');
        let mut characters = content.chars();
        let (character, None) = (characters.next()?, characters.next()) else {
            return None;
        };
        let end = escape.span.end;
        self.at += 2;
        Some((character, end))
    }
}

fn symbol_token(text: &str) -> Option<Token> {
    Some(match text {
        "," => Token::Comma,
        ";" => Token::SemiColon,
        "." => Token::Period,
        "(" => Token::LParen,
        ")" => Token::RParen,
        "[" => Token::LBracket,
        "]" => Token::RBracket,
        "{" => Token::LBrace,
        "}" => Token::RBrace,
        "+" => Token::Plus,
        "-" => Token::Minus,
        "*" => Token::Mul,
        "/" => Token::Div,
        "%" => Token::Mod,
        "=" => Token::Eq,
        "<>" => Token::Neq,
        "<" => Token::Lt,
        "<=" => Token::LtEq,
        ">" => Token::Gt,
        ">=" => Token::GtEq,
        "||" => Token::StringConcat,
        "=>" => Token::RArrow,
        ":" => Token::Colon,
        "|" => Token::Pipe,
        "^" => Token::Caret,
        "?" => Token::Placeholder('?'),
        "$" => Token::Placeholder('$'),
        _ => return None,
    })
}

fn bad_escape(span: Span, found: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::BadEscape, span).arg("found", found))
}

#[inline(never)]
fn broken_lexeme(broken: Broken, span: Span, text: &str) -> Diagnostic {
    match broken {
        Broken::String => {
            let end = span.end
                - u32::try_from(text.len() - text.trim_end().trim_end_matches(';').len()).unwrap_or(0);
            Diagnostic::new(Code::UnterminatedString, Span::new(span.start, end)).fix(Fix::insert(end, "'"))
        }
        Broken::Name => Diagnostic::new(Code::UnterminatedIdentifier, span),
        Broken::Comment => Diagnostic::new(Code::UnterminatedComment, Span::new(span.start, span.start + 2)),
        Broken::DoubleQuoted => {
            let inner = undouble(text, '"');
            let name = inner.replace('`', "``");
            let string = inner.replace('\'', "''");
            Diagnostic::new(Code::DoubleQuoted, span)
                .fix(Fix::replace(span, format!("'{string}'")))
                .fix(
                    Fix::new("Make it a name in backquotes", "改为带反引号的名称")
                        .edit(span, format!("`{name}`")),
                )
        }
        Broken::Operator => {
            let diagnostic = Diagnostic::new(Code::OperatorNotInFlink, span).arg("operator", text);
            match text {
                "!=" => diagnostic
                    .fix(Fix::replace(span, "<>"))
                    .flink("SqlParserException: SQL parse failed. Bang equal '!=' is not allowed under the current SQL conformance level"),
                "==" => diagnostic.fix(Fix::replace(span, "=")),
                "&&" => diagnostic.fix(Fix::replace(span, "AND")),
                "::" => diagnostic,
                _ => diagnostic,
            }
        }
        Broken::Character => Diagnostic::new(Code::UnexpectedCharacter, span).arg("found", text),
    }
}
