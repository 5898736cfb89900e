//! A script is cut into statements, and each is parsed by itself.

use sg_diag::{Code, Diagnostic, Diagnostics, Fix, Span};

use crate::ast::Statement;
use crate::cursor::Cursor;
use crate::expected;
use crate::keyword::is_clause;
use crate::lexer::{LexKind, Lexeme, lex};
use crate::limit::{self, check_shape};
use crate::prepass::{Prepared, prepare};
use crate::side::SideTable;
use crate::spans::Spans;
use crate::split::{span_of, split};
use crate::statement::statement;

/// A parsed script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Its statements in order, broken ones too.
    pub statements: Vec<ParsedStatement>,
    /// Everything that is to be said about them.
    pub diagnostics: Diagnostics,
}

/// One statement of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedStatement {
    /// Where it stands, without the semicolon and the comments around it.
    pub span: Span,
    /// The statement, or `Err` where a diagnostic says why there is none.
    pub statement: Result<Statement, ()>,
    /// Hints and other things that the tree cannot carry.
    pub side: SideTable,
    /// Whole spans of nodes.
    pub spans: Spans,
}

/// Cuts a script into statements and parses each.
pub fn parse_script(text: &str) -> Script {
    let mut script = parse(text);
    let mended: Vec<Diagnostic> = std::mem::take(&mut script.diagnostics)
        .into_iter()
        .map(|diagnostic| close_parenthesis(diagnostic, text, &script.statements))
        .collect();
    script.diagnostics.extend(mended);
    script
}

fn parse(text: &str) -> Script {
    let mut script = Script::default();
    if text.len() > limit::SCRIPT_BYTES {
        let diagnostic = Diagnostic::new(Code::ScriptTooLong, Span::at(0)).arg("length", text.len());
        script
            .diagnostics
            .push(diagnostic.arg("limit", limit::SCRIPT_BYTES));
        return script;
    }
    let lexemes = lex(text);
    for piece in split(text, &lexemes, &mut script.diagnostics) {
        let lexemes = lexemes.get(piece).unwrap_or(&[]);
        script
            .statements
            .push(parse_piece(text, lexemes, &mut script.diagnostics));
    }
    script
}

fn parse_piece(text: &str, lexemes: &[Lexeme], diagnostics: &mut Diagnostics) -> ParsedStatement {
    let span = span_of(lexemes);
    let mut parsed = ParsedStatement {
        span,
        statement: Err(()),
        side: SideTable::default(),
        spans: Spans::default(),
    };
    let prepared = match prepared(text, span, lexemes) {
        Ok(prepared) => prepared,
        Err(diagnostic) => {
            diagnostics.push(in_flinks_words(*diagnostic, text, span));
            return parsed;
        }
    };
    parsed.spans = Spans::new(&prepared.tokens);
    let last = lexemes
        .iter()
        .rev()
        .find(|lexeme| lexeme.kind != LexKind::Comment);
    let last = last.map_or(span, |lexeme| lexeme.span);
    let mut cursor = Cursor::new(text, (span, last), &prepared.tokens, prepared.side);
    let outcome = statement(&mut cursor);
    diagnostics.extend(cursor.take_reports());
    let mut found = Vec::new();
    match outcome {
        Ok(statement) => {
            found = cursor.take_complaints();
            found.extend(misplaced_hints(&cursor));
            parsed.side = cursor.side;
            parsed.statement = Ok(statement);
        }
        Err(failure) => found.push(*failure.0),
    }
    diagnostics.extend(found.into_iter().map(|it| in_flinks_words(it, text, span)));
    parsed
}

/// Hints that follow anything but SELECT and a table.
#[inline(never)]
fn misplaced_hints(cursor: &Cursor<'_>) -> Vec<Diagnostic> {
    let places = cursor.side.hints.iter();
    places
        .filter(|(place, _)| !cursor.hint_places.contains(place))
        .flat_map(|(_, hints)| hints)
        .map(|hint| Diagnostic::new(Code::HintMisplaced, hint.span))
        .collect()
}

/// A failure with the whole message of Flink's parser: what it encountered, and the list of what it was expecting.
#[inline(never)]
fn in_flinks_words(mut diagnostic: Diagnostic, text: &str, statement: Span) -> Diagnostic {
    let found = match diagnostic.code {
        Code::TrailingComma | Code::MisspeltClause | Code::IntervalWithoutUnit => diagnostic.span.end,
        Code::UnexpectedEnd => statement.end,
        Code::UnclosedParenthesis => expected::end_of_unclosed(text, statement, diagnostic.span.start),
        Code::NothingToDoHere
        | Code::NotSupported
        | Code::StatementNotOnStreams
        | Code::UnknownStatement
        | Code::StatementTooLong
        | Code::NestingTooDeep => return diagnostic,
        _ => diagnostic.span.start,
    };
    let is_plain = |flink: &String| {
        flink.starts_with("SqlParserException: SQL parse failed. Encountered")
            && !flink.contains("\nWas expecting")
    };
    if diagnostic.flink.as_ref().is_none_or(is_plain)
        && let Some(message) = expected::message(text, statement, found)
    {
        diagnostic.flink = Some(message);
    }
    diagnostic
}

/// Makes tokens and checks their shape.
#[inline(never)]
fn prepared(text: &str, span: Span, lexemes: &[Lexeme]) -> Result<Prepared, Box<Diagnostic>> {
    let length = span.len() as usize;
    if length > limit::STATEMENT_BYTES {
        let start = Span::new(span.start, span.start + 1);
        let diagnostic = Diagnostic::new(Code::StatementTooLong, start).arg("length", length);
        return Err(Box::new(diagnostic.arg("limit", limit::STATEMENT_BYTES)));
    }
    let prepared = prepare(text, span, lexemes)?;
    check_shape(&prepared.tokens)?;
    Ok(prepared)
}

/// Finds where a parenthesis that is never closed can be closed so that the statement reads: before a clause, before a
/// comma, or at the end. Without such a place there is no fix.
fn close_parenthesis(diagnostic: Diagnostic, text: &str, statements: &[ParsedStatement]) -> Diagnostic {
    const MOST_PLACES: usize = 16;
    let statement = statements
        .iter()
        .map(|it| it.span)
        .find(|span| span.contains(diagnostic.span));
    let Some(statement) = statement.filter(|_| diagnostic.code == Code::UnclosedParenthesis) else {
        return diagnostic;
    };
    let script = statement.text(text);
    let Some(opening) = diagnostic.span.start.checked_sub(statement.start) else {
        return diagnostic;
    };
    let closing = match diagnostic.span.text(text) {
        "[" => "]",
        "{" => "}",
        _ => ")",
    };
    let lexemes = lex(script);
    let behind = lexemes
        .iter()
        .zip(lexemes.iter().skip(1))
        .filter(|(before, _)| before.span.start >= opening);
    let clauses = behind.filter(|(_, next)| {
        let word = next.span.text(script);
        word == "," || (next.kind == LexKind::Word && is_clause(word))
    });
    let ends = clauses
        .map(|(before, _)| before.span.end)
        .take(MOST_PLACES)
        .chain([statement.len()]);
    for end in ends {
        let fix = Fix::insert(end, closing);
        if fix
            .apply(script)
            .is_some_and(|mended| !parse(&mended).diagnostics.has_errors())
        {
            return diagnostic.fix(Fix::insert(statement.start + end, closing));
        }
    }
    diagnostic
}
