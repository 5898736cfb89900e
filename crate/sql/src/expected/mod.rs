//! What Flink's parser says it was expecting, in its words.
//!
//! Flink's parser is made from a grammar that is not ours, so its lists are looked up rather than computed: the table
//! holds refused statements with the list that Flink gave, and the one whose text before the failure is most like ours
//! is taken. `tests/oracle/expected.py` writes the table from what was recorded.

mod context;

use std::sync::{LazyLock, OnceLock};

use sg_diag::{LineIndex, Span};

use self::context::Context;
use crate::keyword::is_keyword;
use crate::lexer::{Broken, LexKind, Lexeme, lex};

/// The table; a build for wasm gets it with [`install`].
#[cfg(not(target_arch = "wasm32"))]
const TABLE: &str = include_str!("table.txt");
#[cfg(target_arch = "wasm32")]
const TABLE: &str = "";

static INSTALLED: OnceLock<&'static str> = OnceLock::new();

/// Makes the table known to a build that has none: the text of [`file`]. To be called before anything is parsed.
pub(crate) fn install(table: &str) {
    INSTALLED.get_or_init(|| Box::leak(Box::from(table)));
}

/// The table as text.
pub(crate) const fn file() -> &'static str {
    TABLE
}

/// Operators behind whose wrong operand Flink's parser goes back to the operator itself.
const GOES_BACK: [&str; 28] = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "<",
    ">",
    "<=",
    ">=",
    "<>",
    "||",
    ".",
    "AND",
    "OR",
    "IN",
    "IS",
    "NOT",
    "LIKE",
    "JOIN",
    "LEFT",
    "RIGHT",
    "FULL",
    "INNER",
    "TIMESTAMP",
    "DATE",
    "TIME",
    "INTERVAL",
];

/// Flink's message for a statement whose token at `found` (a byte offset; the end of the statement for its end) does
/// not fit; `None` where nothing like it was recorded.
pub(crate) fn message(script: &str, statement: Span, found: u32) -> Option<String> {
    let text = statement.text(script);
    let offset = found.saturating_sub(statement.start);
    let lexemes: Vec<Lexeme> = lex(text)
        .into_iter()
        .filter(|lexeme| lexeme.kind != LexKind::Comment)
        .collect();
    let at = lexemes
        .iter()
        .position(|lexeme| lexeme.span.start >= offset)
        .unwrap_or(lexemes.len());
    let failing = gone_back(text, &lexemes, at);
    let before = lexemes.get(..failing)?;
    let mut context = Context::of(text, before, word_at(text, &lexemes, failing, failing < at));
    context.found = word_at(text, &lexemes, failing, true);
    let expected = nearest(&context)?;
    Some(written(text, &lexemes, failing, expected))
}

/// The operator before the token, where the parser has to look further than one token.
#[inline(never)]
fn gone_back(text: &str, lexemes: &[Lexeme], mut at: usize) -> usize {
    while let Some(before) = at.checked_sub(1) {
        let Some(lexeme) = lexemes.get(before) else { break };
        let word = lexeme.span.text(text).to_ascii_uppercase();
        let is_operator =
            matches!(lexeme.kind, LexKind::Word | LexKind::Symbol) && GOES_BACK.contains(&word.as_str());
        // `SELECT *` and `COUNT(*` end there; `IS NOT`, `- -` go back further
        let starts = before
            .checked_sub(1)
            .and_then(|first| lexemes.get(first))
            .is_none_or(|first| {
                let first = first.span.text(text).to_ascii_uppercase();
                matches!(
                    first.as_str(),
                    "(" | "," | "SELECT" | "DISTINCT" | "ALL" | "WHERE" | "ON" | "BY" | "HAVING"
                )
            });
        let starts = starts && !matches!(word.as_str(), "DATE" | "TIME" | "TIMESTAMP" | "INTERVAL");
        let earlier = lexemes.get(..before).unwrap_or_default();
        if word == "," && in_list_of_tables(text, earlier) {
            at = before;
            break;
        }
        if !is_operator || starts || in_declaration(text, earlier) {
            break;
        }
        at = before;
    }
    at
}

/// Whether a comma parts tables of FROM or rows of VALUES here.
fn in_list_of_tables(text: &str, before: &[Lexeme]) -> bool {
    let mut depth = 0_u32;
    for lexeme in before.iter().rev() {
        let word = lexeme.span.text(text).to_ascii_uppercase();
        match word.as_str() {
            ")" | "]" => depth += 1,
            "(" | "[" if depth == 0 => return false,
            "(" | "[" => depth -= 1,
            "FROM" | "VALUES" if depth == 0 => return true,
            "SELECT" | "WHERE" | "BY" | "HAVING" | "ON" if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// Whether no expression stands here: in CREATE, ALTER and the like, except behind AS.
fn in_declaration(text: &str, before: &[Lexeme]) -> bool {
    let word = |lexeme: &Lexeme| lexeme.span.text(text).to_ascii_uppercase();
    let declares = before
        .first()
        .is_some_and(|first| matches!(word(first).as_str(), "CREATE" | "ALTER" | "DROP" | "SHOW"));
    declares && !before.iter().rev().take(6).any(|lexeme| word(lexeme) == "AS")
}

/// Where the text behind an opening bracket that is never closed stops to fit: at a clause's word that no query in the
/// bracket has, else at the end.
#[inline(never)]
pub(crate) fn end_of_unclosed(script: &str, statement: Span, open: u32) -> u32 {
    let text = statement.text(script);
    let lexemes = lex(text);
    let word = |lexeme: &Lexeme| lexeme.span.text(text).to_ascii_uppercase();
    let inside = lexemes
        .iter()
        .skip_while(|lexeme| lexeme.span.start <= open.saturating_sub(statement.start));
    let mut first = true;
    let mut depth = 0_u32;
    for lexeme in inside {
        let word = word(lexeme);
        match word.as_str() {
            "SELECT" | "WITH" | "VALUES" | "TABLE" if first => break,
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "FROM" | "WHERE" | "GROUP" | "HAVING" | "ORDER" | "SELECT" | "LIMIT" if depth == 0 => {
                return statement.start + lexeme.span.start;
            }
            _ => {}
        }
        first = false;
    }
    statement.end
}

/// The operator at which the parser failed, where it went back to one.
fn word_at(text: &str, lexemes: &[Lexeme], at: usize, went_back: bool) -> Option<String> {
    let lexeme = lexemes.get(at).filter(|_| went_back)?;
    Some(lexeme.span.text(text).to_ascii_uppercase())
}

/// The table, read once.
struct Table {
    lists: Vec<Vec<&'static str>>,
    /// What stands before each recorded failure, and the number of its list.
    examples: Vec<(Context, usize)>,
}

static READ: LazyLock<Table> = LazyLock::new(Table::read);

impl Table {
    fn read() -> Self {
        let table = if TABLE.is_empty() {
            INSTALLED.get().copied().unwrap_or_default()
        } else {
            TABLE
        };
        let lines = |kind: &'static str| table.lines().filter_map(move |line| line.strip_prefix(kind));
        let words: Vec<&'static str> = lines("w ").collect();
        let lists: Vec<Vec<&'static str>> = lines("l ").map(|list| list_of(list, &words)).collect();
        let examples = lines("e ").filter_map(|line| {
            let (list, rest) = line.split_once('\t')?;
            let (before, after) = rest.split_once('\t').unwrap_or((rest, ""));
            let number: usize = list.parse().ok()?;
            let lexemes: Vec<Lexeme> = lex(before)
                .into_iter()
                .filter(|lexeme| lexeme.kind != LexKind::Comment)
                .collect();
            // where the parser looked further than one token, it went back to an operator
            let went_back = longest(lists.get(number)?) > 1;
            let first = lex(after)
                .first()
                .map(|lexeme| lexeme.span.text(after).to_ascii_uppercase());
            Some((Context::of(before, &lexemes, first.filter(|_| went_back)), number))
        });
        let examples = examples.collect();
        Self { lists, examples }
    }
}

/// Flink's words, each a line of its list.
fn nearest(context: &Context) -> Option<&'static [&'static str]> {
    let mut best: Option<(u32, usize)> = None;
    for (known, list) in &READ.examples {
        if let Some(score) = context.likeness(known)
            && best.is_none_or(|(known, _)| score > known)
        {
            best = Some((score, *list));
        }
    }
    READ.lists.get(best?.1).map(Vec::as_slice)
}

/// The words of a list of numbers and ranges.
fn list_of(list: &str, words: &[&'static str]) -> Vec<&'static str> {
    let mut expected = Vec::new();
    for range in list.split(' ') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        if let (Ok(first), Ok(last)) = (first.parse::<usize>(), last.parse::<usize>()) {
            expected.extend((first..=last).filter_map(|number| words.get(number).copied()));
        }
    }
    expected
}

/// How many tokens the longest thing has that was expected.
fn longest(expected: &[&str]) -> usize {
    let tokens_of = |item: &&str| item.trim_end_matches("...").split_whitespace().count();
    expected.iter().map(tokens_of).max().unwrap_or(1).max(1)
}

/// The message: what was encountered (as many tokens as the longest thing that was expected), then the list.
fn written(text: &str, lexemes: &[Lexeme], at: usize, expected: &[&str]) -> String {
    let most = longest(expected);
    let heading = if expected.len() == 1 {
        "Was expecting:"
    } else {
        "Was expecting one of:"
    };
    let list: Vec<String> = expected
        .iter()
        .map(|item| {
            if item.ends_with("...") {
                format!("    {item}")
            } else {
                format!("    {item} ")
            }
        })
        .collect();
    let list = format!("{heading}\n{}", list.join("\n"));
    let index = LineIndex::new(text);
    let Some(first) = lexemes.get(at) else {
        let place = index.line_column(u32::try_from(text.len()).unwrap_or(u32::MAX));
        let column = place.column.saturating_sub(1).max(1);
        return format!(
            "SqlParserEOFException: Encountered \"<EOF>\" at line {}, column {column}.\n{list}",
            place.line
        );
    };
    let place = index.line_column(first.span.start);
    let word = first.span.text(text);
    let takes_names = expected.iter().any(|item| item.contains("<IDENTIFIER>"));
    let is_word = first.kind == LexKind::Word;
    if is_word && takes_names && is_keyword(word) && !word.bytes().any(|byte| byte.is_ascii_lowercase()) {
        return format!(
            "SqlParserException: SQL parse failed. Incorrect syntax near the keyword '{word}' at line {}, column \
             {}.\n{list}",
            place.line, place.column
        );
    }
    let mut shown: Vec<String> = Vec::new();
    for lexeme in lexemes.iter().skip(at) {
        if shown.len() >= most {
            break;
        }
        if lexeme.kind == LexKind::Broken(Broken::Operator) {
            // tokens of their own for Flink
            shown.extend(lexeme.span.text(text).chars().map(String::from));
            continue;
        }
        let written = match lexeme.kind {
            // a quote without its end, and a double quote, are tokens of one character
            LexKind::Broken(_) => lexeme.span.text(text).chars().take(1).collect(),
            _ => lexeme.span.text(text).to_owned(),
        };
        let mut escaped = String::new();
        for letter in written.chars() {
            if matches!(letter, '\\' | '"' | '\'') {
                escaped.push('\\');
            }
            escaped.push(letter);
        }
        shown.push(escaped);
    }
    shown.truncate(most);
    if shown.len() < most {
        shown.push("<EOF>".to_owned());
    }
    format!(
        "SqlParserException: SQL parse failed. Encountered \"{}\" at line {}, column {}.\n{list}",
        shown.join(" "),
        place.line,
        place.column
    )
}

#[cfg(test)]
mod tests {
    /// Where the recorded message says that the parser failed is where it fails for us.
    #[test]
    fn recorded_statements_give_their_own_lists() {
        let recorded = include_str!("../../../../tests/statements/parser.tsv");
        let mut missed = Vec::new();
        for line in recorded.lines().filter(|line| !line.starts_with('#')) {
            let Some((sql, message)) = line.split_once('\t') else {
                continue;
            };
            let expected = message.replace("\\n", "\n");
            if !expected.contains("Was expecting") {
                continue;
            }
            let parsed = crate::parse_script(sql);
            let said = parsed
                .diagnostics
                .iter()
                .find_map(|diagnostic| diagnostic.flink.clone());
            if said.as_deref().map(str::trim_end) != Some(expected.trim_end()) {
                missed.push((sql.to_owned(), said.unwrap_or_default()));
            }
        }
        for (sql, said) in &missed {
            println!(
                "{sql}\n    {}",
                said.lines().take(3).collect::<Vec<_>>().join(" | ")
            );
        }
        println!("{} differ", missed.len());
        assert!(missed.len() <= 45, "{} statements differ", missed.len());
    }
}
