//! sqlparser's view of Flink SQL: switches, precedences, and the hooks into our own parsers.
//!
//! A dialect is made for one statement, because the hooks keep types and failures in it. It does not pretend to be one of
//! sqlparser's own dialects, so that syntax which those have stays off.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use sg_diag::{Diagnostic, Span};
use sqlparser::ast::{DataType, Expr};
use sqlparser::dialect::{Dialect, Precedence};
use sqlparser::keywords::{ALL_KEYWORDS, Keyword, RESERVED_FOR_COLUMN_ALIAS, RESERVED_FOR_TABLE_ALIAS};
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use crate::ast::{ExprSyntax, IntervalSyntax, JsonClause, QuerySyntax, TypeSyntax};
use crate::cursor::{Cursor, Failure};
use crate::error::through_sqlparser;
use crate::expr;
use crate::keyword::is_reserved;
use crate::side::SideTable;

/// Words that are operators elsewhere and not in Flink.
const NO_OPERATORS: [Keyword; 7] = [
    Keyword::COLLATE,
    Keyword::XOR,
    Keyword::DIV,
    Keyword::REGEXP,
    Keyword::GLOB,
    Keyword::MATCH,
    Keyword::OPERATOR,
];

/// Flink's dialect for one statement.
#[derive(Debug)]
pub(crate) struct FlinkDialect {
    /// The whole script.
    pub(crate) text: Rc<str>,
    statement: Span,
    last_token: Cell<Span>,
    side: RefCell<SideTable>,
    failures: RefCell<Vec<Diagnostic>>,
    reports: RefCell<Vec<Diagnostic>>,
    type_depth: Cell<usize>,
}

impl FlinkDialect {
    pub(crate) fn new(text: Rc<str>, statement: Span, last_token: Span, side: SideTable) -> Self {
        Self {
            text,
            statement,
            last_token: Cell::new(last_token),
            side: RefCell::new(side),
            failures: RefCell::default(),
            reports: RefCell::default(),
            type_depth: Cell::new(0),
        }
    }

    /// What the hooks and the pre-pass kept aside.
    pub(crate) fn into_side(self) -> SideTable {
        self.side.into_inner()
    }

    /// The statement's last token.
    pub(crate) fn last_token(&self) -> Span {
        self.last_token.get()
    }

    /// The statement.
    pub(crate) fn statement(&self) -> Span {
        self.statement
    }

    /// Moves the end, for a part that is parsed by itself.
    pub(crate) fn end_at(&self, last_token: Span) {
        self.last_token.set(last_token);
    }

    pub(crate) fn keep_type(&self, at: u32, data_type: TypeSyntax) {
        self.side.borrow_mut().types.insert(at, data_type);
    }

    pub(crate) fn keep_interval(&self, at: u32, interval: IntervalSyntax) {
        self.side.borrow_mut().intervals.insert(at, interval);
    }

    pub(crate) fn keep_json(&self, at: u32, clause: JsonClause) {
        self.side.borrow_mut().json.insert(at, clause);
    }

    /// Keeps a query in front of a `MATCH_RECOGNIZE`.
    pub(crate) fn keep_match_input(&self, at: u32, query: QuerySyntax) {
        self.side.borrow_mut().match_inputs.insert(at, query);
    }

    pub(crate) fn keep_within(&self, at: u32, expr: ExprSyntax) {
        self.side.borrow_mut().within.insert(at, expr);
    }

    /// Says something that does not stop the reading.
    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        self.reports.borrow_mut().push(diagnostic);
    }

    pub(crate) fn take_reports(&self) -> Vec<Diagnostic> {
        self.reports.take()
    }

    pub(crate) fn keep_failure(&self, diagnostic: Diagnostic) -> usize {
        let mut failures = self.failures.borrow_mut();
        failures.push(diagnostic);
        failures.len() - 1
    }

    pub(crate) fn take_failure(&self, number: usize) -> Option<Diagnostic> {
        self.failures.borrow().get(number).cloned()
    }

    /// Goes one type deeper; false where that is too deep.
    pub(crate) fn enter_type(&self) -> bool {
        self.type_depth.set(self.type_depth.get() + 1);
        self.type_depth.get() <= crate::limit::NESTING
    }

    pub(crate) fn leave_type(&self) {
        self.type_depth.set(self.type_depth.get().saturating_sub(1));
    }

    fn hook(&self, parser: &mut Parser<'_>, read: expr::Prefix) -> Result<Expr, ParserError> {
        let mut cursor = Cursor {
            parser,
            dialect: self,
        };
        read(&mut cursor).map_err(|failure: Failure| through_sqlparser(self, failure))
    }

    /// True if the word that was just taken can be an alias.
    fn can_be_alias(parser: &Parser<'_>, keyword: Keyword, reserved: &[Keyword]) -> bool {
        let reserved_word = matches!(&parser.get_current_token().token,
            Token::Word(word) if word.quote_style.is_none() && is_reserved(&word.value));
        !reserved_word && !reserved.contains(&keyword)
    }
}

impl Dialect for FlinkDialect {
    fn is_delimited_identifier_start(&self, character: char) -> bool {
        character == '`'
    }

    fn is_identifier_start(&self, character: char) -> bool {
        character.is_alphabetic() || character == '_'
    }

    fn is_identifier_part(&self, character: char) -> bool {
        character.is_alphanumeric() || character == '_' || character == '$'
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_match_recognize(&self) -> bool {
        true
    }

    fn supports_within_after_array_aggregation(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_parens_around_table_factor(&self) -> bool {
        true
    }

    fn supports_named_fn_args_with_rarrow_operator(&self) -> bool {
        true
    }

    fn supports_table_versioning(&self) -> bool {
        true
    }

    fn supports_table_sample_before_alias(&self) -> bool {
        true
    }

    fn allow_extract_custom(&self) -> bool {
        true
    }

    fn supports_select_expr_star(&self) -> bool {
        true
    }

    fn supports_string_literal_column_alias(&self, _explicit: bool) -> bool {
        false
    }

    fn supports_string_literal_table_alias(&self, _explicit: bool) -> bool {
        false
    }

    fn is_reserved_for_identifier(&self, keyword: Keyword) -> bool {
        let position = (keyword as usize).checked_sub(1);
        position
            .and_then(|position| ALL_KEYWORDS.get(position))
            .is_some_and(|word| is_reserved(word))
    }

    fn is_select_item_alias(&self, _explicit: bool, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        Self::can_be_alias(parser, *keyword, RESERVED_FOR_COLUMN_ALIAS)
    }

    fn is_table_factor_alias(&self, _explicit: bool, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        Self::can_be_alias(parser, *keyword, RESERVED_FOR_TABLE_ALIAS)
    }

    /// Calcite's precedences, from `SqlStdOperatorTable`; those of operators that Flink lacks do not matter.
    fn prec_value(&self, precedence: Precedence) -> u8 {
        match precedence {
            Precedence::Period | Precedence::DoubleColon => 100,
            Precedence::MulDivModOp => 60,
            Precedence::AtTz | Precedence::PlusMinus => 40,
            Precedence::Xor
            | Precedence::Ampersand
            | Precedence::Caret
            | Precedence::Pipe
            | Precedence::Colon
            | Precedence::PgOther => 36,
            Precedence::Between | Precedence::Like => 32,
            Precedence::Eq => 30,
            Precedence::Is => 28,
            Precedence::UnaryNot => 26,
            Precedence::And => 24,
            Precedence::Or => 22,
        }
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        match &parser.peek_token_ref().token {
            // A key of JSON_OBJECT, never an operator.
            Token::Colon => Some(Ok(0)),
            _ if expr::at_minus_interval(parser) => Some(Ok(100)),
            Token::Word(word) if word.keyword == Keyword::OVERLAPS => Some(Ok(expr::OVERLAPS)),
            Token::Word(word) if NO_OPERATORS.contains(&word.keyword) => Some(Ok(0)),
            _ => None,
        }
    }

    fn parse_prefix(&self, parser: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let read = expr::prefix(&Cursor {
            parser,
            dialect: self,
        })?;
        Some(self.hook(parser, read))
    }

    fn parse_infix(&self, parser: &mut Parser<'_>, left: &Expr, _: u8) -> Option<Result<Expr, ParserError>> {
        let mut cursor = Cursor {
            parser,
            dialect: self,
        };
        let parsed = expr::infix(&mut cursor, left)?;
        Some(parsed.map_err(|failure| through_sqlparser(self, failure)))
    }

    /// Types are read by our own parsers only; sqlparser asks before each expression and gets a quick no.
    fn parse_data_type(&self, _parser: &mut Parser<'_>) -> Option<Result<DataType, ParserError>> {
        Some(Err(ParserError::ParserError(String::new())))
    }
}
