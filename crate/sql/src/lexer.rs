//! Cuts a script into lexemes: Flink's lexical rules with byte spans, and no failure.
//!
//! Spans have to be bytes, highlighting needs comments and broken
//! pieces too, and Flink differs in quotes, comments and operators. What cannot be a token of Flink SQL becomes a lexeme
//! that says why.
//!
//! A string without its end is closed at the end of a line, and so that the statements behind it stay whole, the line
//! that is blamed is the first whose string runs over a statement's end.

use sg_diag::Span;

/// A piece of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    /// What it is.
    pub(crate) kind: LexKind,
    /// Where it stands.
    pub(crate) span: Span,
}

/// Kinds of lexemes. White space is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LexKind {
    /// A word without quotes.
    Word,
    /// A name in backquotes.
    QuotedName,
    /// A number.
    Number,
    /// A string.
    String(StringKind),
    /// `-- …`, `// …`, `/* … */`.
    Comment,
    /// `/*+ … */`.
    Hint,
    /// Punctuation or an operator; its text says which.
    Symbol,
    /// Not part of Flink SQL.
    Broken(Broken),
}

/// What stands before a string's quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringKind {
    /// Nothing.
    Plain,
    /// `N` or `_charset`: means nothing.
    Prefixed,
    /// `U&`: `\00e9` is a character.
    Unicode,
    /// `E`: C-style escapes.
    Escaped,
    /// `X`: hexadecimal digits.
    Binary,
}

/// Why a lexeme is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// A string without its end.
    String,
    /// A backquoted name without its end.
    Name,
    /// A comment without its end.
    Comment,
    /// `"…"`
    DoubleQuoted,
    /// An operator of other databases.
    Operator,
    /// Any other character.
    Character,
}

/// How often a script is read again behind a string without its end; each time costs the rest of the script.
const MOST_BLAMES: usize = 16;

/// Operators of more than one character. Those that Flink does not have are marked.
const LONG_SYMBOLS: [(&str, bool); 16] = [
    ("<=>", false),
    ("->>", false),
    ("=>", true),
    ("<>", true),
    ("<=", true),
    (">=", true),
    ("||", true),
    ("!=", false),
    ("::", false),
    ("==", false),
    ("->", false),
    ("<<", false),
    (":=", false),
    ("&&", false),
    ("~*", false),
    ("!~", false),
];

/// What stands second in one of them.
const SECOND_CHARACTERS: &str = "=>|:<&*~";

/// All lexemes of a script in order.
pub(crate) fn lex(text: &str) -> Vec<Lexeme> {
    lex_part(text, 0)
}

/// The lexemes of a part of a script that begins at byte `base` of it.
pub(crate) fn lex_part(text: &str, base: u32) -> Vec<Lexeme> {
    let mut scanner = Scanner {
        text,
        at: 0,
        base,
        lexemes: Vec::new(),
    };
    scanner.run();
    scanner.lexemes
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    base: u32,
    lexemes: Vec<Lexeme>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        let mut trusted = 0;
        let mut blames = 0;
        while let Some(character) = self.peek() {
            if character.is_whitespace() {
                self.at += character.len_utf8();
                continue;
            }
            let start = self.at;
            let kind = self.scan(character);
            self.push(kind, start);
            if matches!(kind, LexKind::Broken(Broken::String)) && blames < MOST_BLAMES {
                blames += 1;
                self.blame_string(trusted);
                trusted = self.lexemes.len();
            }
        }
    }

    fn scan(&mut self, first: char) -> LexKind {
        if let Some(kind) = self.string_prefix(first) {
            return self.string(kind);
        }
        match first {
            '\'' => self.string(StringKind::Plain),
            '`' => self.quoted('`', LexKind::QuotedName, Broken::Name),
            '"' => {
                self.quoted('"', LexKind::Word, Broken::DoubleQuoted);
                LexKind::Broken(Broken::DoubleQuoted)
            }
            c if is_word_start(c) || (c == '$' && self.nth(1).is_some_and(is_word_part)) => {
                self.take_while(is_word_part, LexKind::Word)
            }
            c if c.is_ascii_digit() => self.number(),
            '.' if self.nth(1).is_some_and(|c| c.is_ascii_digit()) => self.number(),
            '-' if self.starts_with("--") => self.line_comment(),
            '/' if self.starts_with("//") => self.line_comment(),
            '/' if self.starts_with("/*") => self.block_comment(),
            _ => self.symbol(first),
        }
    }

    /// The kind of a string that begins here with a prefix, and steps over the prefix.
    fn string_prefix(&mut self, first: char) -> Option<StringKind> {
        let (kind, prefix) = match first {
            'N' | 'n' => (StringKind::Prefixed, 1),
            'E' | 'e' => (StringKind::Escaped, 1),
            'X' | 'x' => (StringKind::Binary, 1),
            'U' | 'u' if self.nth(1) == Some('&') => (StringKind::Unicode, 2),
            '_' => {
                let rest = self.text.get(self.at..)?;
                let word = rest.find(|c| !is_word_part(c)).filter(|&length| length > 1)?;
                (StringKind::Prefixed, word)
            }
            _ => return None,
        };
        let quote = self.text.get(self.at + prefix..)?.starts_with('\'');
        quote.then(|| {
            self.at += prefix;
            kind
        })
    }

    /// A string from its opening quote on.
    fn string(&mut self, kind: StringKind) -> LexKind {
        self.quoted('\'', LexKind::String(kind), Broken::String)
    }

    /// Text between two quotes, which stand twice for themselves.
    fn quoted(&mut self, quote: char, whole: LexKind, broken: Broken) -> LexKind {
        self.at += quote.len_utf8();
        loop {
            let Some(end) = self.text.get(self.at..).and_then(|rest| rest.find(quote)) else {
                self.close_at_line_end();
                return LexKind::Broken(broken);
            };
            self.at += end + quote.len_utf8();
            if self.peek() == Some(quote) {
                self.at += quote.len_utf8();
            } else {
                return whole;
            }
        }
    }

    fn close_at_line_end(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or("");
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Where a string has no end, an earlier one that runs over `;` and the line's end has lost its own. It is cut at
    /// the end of its line, and reading starts again there.
    fn blame_string(&mut self, trusted: usize) {
        let culprit = self.lexemes.iter().enumerate().skip(trusted).find(|(_, lexeme)| {
            let content = self.text_of(lexeme.span);
            matches!(lexeme.kind, LexKind::String(_))
                && content
                    .split_inclusive('\n')
                    .rev()
                    .skip(1)
                    .any(|line| line.trim_end().ends_with(';'))
        });
        if let Some((position, lexeme)) = culprit {
            let start = (lexeme.span.start - self.base) as usize;
            self.lexemes.truncate(position);
            self.at = start;
            self.close_at_line_end();
            self.push(LexKind::Broken(Broken::String), start);
        }
    }

    fn number(&mut self) -> LexKind {
        let digits = |scanner: &mut Self| {
            while scanner.peek().is_some_and(|c| c.is_ascii_digit()) {
                scanner.at += 1;
            }
        };
        digits(self);
        if self.peek() == Some('.') {
            self.at += 1;
            digits(self);
        }
        let sign = usize::from(matches!(self.nth(1), Some('+' | '-')));
        if matches!(self.peek(), Some('e' | 'E')) && self.nth(1 + sign).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1 + sign;
            digits(self);
        }
        LexKind::Number
    }

    fn line_comment(&mut self) -> LexKind {
        self.close_at_line_end();
        LexKind::Comment
    }

    fn block_comment(&mut self) -> LexKind {
        let hint = self.starts_with("/*+");
        if let Some(end) = self.text.get(self.at + 2..).and_then(|rest| rest.find("*/")) {
            self.at += end + 4;
            if hint { LexKind::Hint } else { LexKind::Comment }
        } else {
            self.at = self.text.len();
            LexKind::Broken(Broken::Comment)
        }
    }

    fn symbol(&mut self, first: char) -> LexKind {
        let may_be_long = SECOND_CHARACTERS.contains(self.nth(1).unwrap_or(' '));
        for (symbol, known) in LONG_SYMBOLS {
            if may_be_long && self.starts_with(symbol) {
                self.at += symbol.len();
                return if known {
                    LexKind::Symbol
                } else {
                    LexKind::Broken(Broken::Operator)
                };
            }
        }
        self.at += first.len_utf8();
        match first {
            ',' | ';' | '.' | '(' | ')' | '[' | ']' | '{' | '}' | '+' | '-' | '*' | '/' | '%' | '=' | '<'
            | '>' | ':' | '?' | '|' | '^' | '$' => LexKind::Symbol,
            '&' | '~' | '!' => LexKind::Broken(Broken::Operator),
            _ => LexKind::Broken(Broken::Character),
        }
    }

    fn take_while(&mut self, belongs: fn(char) -> bool, kind: LexKind) -> LexKind {
        let rest = self.text.get(self.at..).unwrap_or("");
        self.at += rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        kind
    }

    fn push(&mut self, kind: LexKind, start: usize) {
        let at = |offset: usize| {
            self.base
                .saturating_add(u32::try_from(offset).unwrap_or(u32::MAX))
        };
        self.lexemes.push(Lexeme {
            kind,
            span: Span::new(at(start), at(self.at)),
        });
    }

    fn text_of(&self, span: Span) -> &str {
        Span::new(
            span.start.saturating_sub(self.base),
            span.end.saturating_sub(self.base),
        )
        .text(self.text)
    }

    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn nth(&self, position: usize) -> Option<char> {
        self.text.get(self.at..)?.chars().nth(position)
    }

    fn starts_with(&self, symbol: &str) -> bool {
        self.text
            .get(self.at..)
            .is_some_and(|rest| rest.starts_with(symbol))
    }
}

/// Letters of names beyond ASCII: the token `LETTER` of Calcite's grammar, of which 가 and ｱ are none and ٣ is one (recorded).
const LETTERS: [(char, char); 9] = [
    ('\u{c0}', '\u{d6}'),
    ('\u{d8}', '\u{f6}'),
    ('\u{f8}', '\u{1fff}'),
    ('\u{3040}', '\u{318f}'),
    ('\u{3300}', '\u{337f}'),
    ('\u{3400}', '\u{3d2d}'),
    ('\u{4e00}', '\u{9fff}'),
    ('\u{f900}', '\u{faff}'),
    ('_', '_'),
];

fn is_word_start(character: char) -> bool {
    character.is_ascii_alphabetic()
        || LETTERS
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&character))
}

fn is_word_part(character: char) -> bool {
    character.is_ascii_digit() || character == '$' || is_word_start(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(LexKind, &str)> {
        lex(text)
            .into_iter()
            .map(|lexeme| (lexeme.kind, lexeme.span.text(text)))
            .collect()
    }

    fn texts(text: &str) -> Vec<&str> {
        lex(text)
            .into_iter()
            .map(|lexeme| lexeme.span.text(text))
            .collect()
    }

    #[test]
    fn numbers_end_where_flink_ends_them() {
        assert_eq!(
            texts("1 1. .5 1.50 1e3 1.5E-2 0x1F 1.e"),
            ["1", "1.", ".5", "1.50", "1e3", "1.5E-2", "0", "x1F", "1.", "e"]
        );
        assert_eq!(texts("a[1].x"), ["a", "[", "1", "]", ".", "x"]);
        assert_eq!(texts("t.a-1"), ["t", ".", "a", "-", "1"]);
    }

    #[test]
    fn strings_know_their_prefix() {
        use LexKind::String;
        assert_eq!(
            kinds(r"'it''s' U&'\00e9' e'\n' X'0aff' N'x' _UTF8'x'"),
            [
                (String(StringKind::Plain), "'it''s'"),
                (String(StringKind::Unicode), r"U&'\00e9'"),
                (String(StringKind::Escaped), r"e'\n'"),
                (String(StringKind::Binary), "X'0aff'"),
                (String(StringKind::Prefixed), "N'x'"),
                (String(StringKind::Prefixed), "_UTF8'x'"),
            ]
        );
        assert_eq!(
            kinds("DATE'x'"),
            [(LexKind::Word, "DATE"), (String(StringKind::Plain), "'x'")]
        );
    }

    #[test]
    fn comments_and_hints() {
        use LexKind::{Comment, Hint, Word};
        assert_eq!(
            kinds("a -- b\n// c\n/* d ; */ /*+ E(f) */ g"),
            [
                (Word, "a"),
                (Comment, "-- b"),
                (Comment, "// c"),
                (Comment, "/* d ; */"),
                (Hint, "/*+ E(f) */"),
                (Word, "g"),
            ]
        );
        assert_eq!(
            kinds("a /* b"),
            [(Word, "a"), (LexKind::Broken(Broken::Comment), "/* b")]
        );
    }

    #[test]
    fn a_string_without_end_leaves_the_next_statement_whole() {
        let text = "SELECT 'abc;\nSELECT 'd' FROM t;";
        let lexemes = kinds(text);
        assert_eq!(lexemes[1], (LexKind::Broken(Broken::String), "'abc;"));
        assert_eq!(lexemes[3], (LexKind::String(StringKind::Plain), "'d'"));
        assert_eq!(lexemes.last(), Some(&(LexKind::Symbol, ";")));
    }

    #[test]
    fn other_databases_operators_are_no_tokens() {
        let long = LONG_SYMBOLS
            .iter()
            .filter(|(_, known)| !known)
            .map(|(symbol, _)| *symbol);
        for operator in long.chain(["&", "!"]) {
            assert_eq!(kinds(operator), [(LexKind::Broken(Broken::Operator), operator)]);
        }
        assert_eq!(kinds("\"x\""), [(LexKind::Broken(Broken::DoubleQuoted), "\"x\"")]);
        assert_eq!(kinds("#")[0].0, LexKind::Broken(Broken::Character));
        assert_eq!(
            texts("MAP<INT,ARRAY<INT>>"),
            ["MAP", "<", "INT", ",", "ARRAY", "<", "INT", ">", ">"]
        );
    }
}
