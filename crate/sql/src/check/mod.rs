//! What sqlparser reads and Flink's parser refuses.
//!
//! sqlparser's grammar is the union of many dialects; most of it is switched off, and the rest is found here by walking
//! the tree. What Flink reads and Streamglass does not run is the binder's to say.

mod expr;
mod query;

use sg_diag::{Code, Diagnostic, Span};
use sqlparser::ast::Ident;

use crate::ast::{
    AlterAction, AlterView, Column, ColumnKind, Insert, PositionedElement, QuerySyntax, Statement,
};
use crate::complaint::reserved_word;
use crate::keyword::is_reserved;
use crate::side::SideTable;
use crate::span::byte_span;
use crate::spans::Spans;

/// Everything in a statement that is not Flink SQL.
pub(crate) fn check(statement: &Statement, side: &SideTable, spans: &Spans, text: &str) -> Vec<Diagnostic> {
    let mut check = Check {
        spans,
        text,
        hint_places: Vec::new(),
        found: Vec::new(),
    };
    check.statement(statement);
    check.hints(side);
    check.found
}

struct Check<'a> {
    spans: &'a Spans,
    text: &'a str,
    /// Where a hint may follow: the ends of SELECTs and table names.
    hint_places: Vec<u32>,
    found: Vec<Diagnostic>,
}

impl Check<'_> {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Query(query) => self.query_syntax(query),
            Statement::Insert(insert) => self.insert(insert),
            Statement::StatementSet(set) => {
                for insert in &set.inserts {
                    self.insert(insert);
                }
            }
            Statement::Explain(explain) => self.statement(&explain.statement),
            Statement::CreateView(view) => self.query_syntax(&view.query),
            Statement::CreateTable(table) => {
                for column in &table.columns {
                    self.column(column);
                }
                if let Some(watermark) = &table.watermark {
                    self.expr(&watermark.expr.expr);
                }
                if let Some(query) = &table.as_query {
                    self.query_syntax(query);
                }
            }
            Statement::AlterView(alter) => match &**alter {
                AlterView::Query { query, .. } => self.query_syntax(query),
                AlterView::Rename { .. } => {}
            },
            Statement::AlterTable(alter) => match &alter.action {
                AlterAction::Add(elements) | AlterAction::Modify(elements) => self.elements(elements),
                _ => {}
            },
            Statement::CreateDatabase(_)
            | Statement::Drop(_)
            | Statement::Set(_)
            | Statement::Reset(_)
            | Statement::Use(_)
            | Statement::Describe(_)
            | Statement::Show(_) => {}
        }
    }

    fn insert(&mut self, insert: &Insert) {
        self.hint_places.push(insert.table.span.end);
        self.query_syntax(&insert.query);
    }

    /// Hints that follow anything but SELECT and a table.
    fn hints(&mut self, side: &SideTable) {
        let misplaced = side
            .hints
            .iter()
            .filter(|(place, _)| !self.hint_places.contains(place));
        let found: Vec<Diagnostic> = misplaced
            .flat_map(|(_, hints)| hints)
            .map(|hint| Diagnostic::new(Code::HintMisplaced, hint.span))
            .collect();
        self.found.extend(found);
    }

    fn elements(&mut self, elements: &[PositionedElement]) {
        for element in elements {
            match element {
                PositionedElement::Column(column, _) => self.column(column),
                PositionedElement::Watermark(watermark) => self.expr(&watermark.expr.expr),
                PositionedElement::PrimaryKey(_) | PositionedElement::Distribution(_) => {}
            }
        }
    }

    fn column(&mut self, column: &Column) {
        if let ColumnKind::Computed(expr) = &column.kind {
            self.expr(&expr.expr);
        }
    }

    fn query_syntax(&mut self, syntax: &QuerySyntax) {
        self.query(&syntax.query);
    }

    /// A name that is a reserved word without backquotes.
    fn ident(&mut self, ident: &Ident) {
        if ident.quote_style.is_none() && is_reserved(&ident.value) {
            let span = byte_span(ident.span).unwrap_or_default();
            self.found
                .push(reserved_word(span, self.text, self.spans.statement()));
        }
    }

    /// Syntax of other databases; `construct` is how they write it.
    fn foreign(&mut self, construct: &str, span: Span) {
        self.found
            .push(Diagnostic::new(Code::NotFlinkSyntax, span).arg("construct", construct));
    }

    /// The same, at the first of these words behind the start of a query.
    fn foreign_word(&mut self, construct: &str, words: &[&str], query: Span) {
        let span = self.spans.word_behind(query.start, words).unwrap_or(query);
        self.foreign(construct, span);
    }
}
