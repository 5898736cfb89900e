//! From statements to relational trees: the last place that sees the parser's types.
//!
//! Every name becomes a column number and every expression gets a type. A failure becomes a diagnostic and an
//! `Invalid` expression, which silences what would only follow from it, so that one pass finds all problems.

mod aggregate;
mod alter;
mod alter_column;
mod call;
mod catalog;
mod datagen_options;
mod expr;
mod flink;
mod from;
mod group_window;
mod grouping;
mod hint;
mod insert;
mod interval;
mod join;
mod json;
mod limit;
mod literal;
mod matching;
mod model;
mod name;
mod operator;
mod order;
mod over;
mod over_window;
mod partition;
mod pattern_aggregate;
mod pattern_reference;
mod query;
mod scope;
mod select;
mod show;
mod special;
mod subquery;
mod table;
mod table_as;
mod table_like;
mod table_options;
mod table_watermark;
mod trail;
mod types;
mod unnest;
mod unsupported;
mod user_call;
mod user_function;
mod versions;
mod view;
mod window_check;
mod window_signature;
mod window_tvf;

use std::{mem, rc::Rc};

use sg_diag::{Diagnostic, Diagnostics, Span};
use sg_sql::{SideTable, Spans};

use crate::{
    Settings,
    catalog::{Catalog, DatabasePath, ObjectPath},
    logical::Builder,
};

pub(crate) use alter::{Altered, constraint_name};
pub(crate) use catalog::CatalogChange;
pub(crate) use grouping::set_order;
pub(crate) use query::{BoundQuery, Place};
pub(crate) use select::result_names;
pub(crate) use special::field_word;
pub(crate) use table_as::{insert_of, without_target_columns};
pub(crate) use table_options::check_options;
pub(crate) use user_function::FunctionChange;

/// What a connector is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableUse {
    /// FROM
    Source,
    /// INSERT INTO
    Sink,
}

/// Binds the statements of one script, one after the other.
pub(crate) struct Binder<'a> {
    /// The whole script.
    text: &'a str,
    /// The statement that is bound; Flink's messages count lines and columns from its start.
    statement: Span,
    pub(crate) catalog: &'a Catalog,
    /// The database that names begin in.
    home: DatabasePath,
    settings: &'a Settings,
    side: Rc<SideTable>,
    spans: Rc<Spans>,
    diags: Diagnostics,
    /// Said only where something else keeps the statement from being planned; planning says it better.
    deferred: Diagnostics,
    /// Something is broken that was reported elsewhere: nothing of this statement can be planned.
    failed: bool,
    /// Flink's validator runs inside another one, and both put their head in front of a message.
    nested_validation: bool,
    pub(crate) builder: Builder,
    /// The pattern whose conditions and measures are bound.
    pattern: Option<pattern_reference::PatternCx>,
    /// WITH tables that are visible, innermost last.
    with: Vec<query::WithTable>,
    /// The WINDOW clauses of the SELECTs that are being bound, innermost last.
    windows: Vec<sg_sql::query::NamedWindowDefinition>,
    /// Views that are being expanded, outermost first.
    views: Vec<ObjectPath>,
    /// Tables that the statement has read so far.
    tables: usize,
    /// Queries around the one that is being bound, outermost first.
    outer: Vec<subquery::Outer>,
    /// Sub-queries of expressions that no node has yet.
    subqueries: subquery::Waiting,
    /// Full names of what is written, where SHOW CREATE VIEW will ask for them.
    trail: Option<crate::unparse::Trail>,
    /// Where the equations of the condition stand that is being bound.
    conjuncts: Vec<Span>,
}

/// What is the same for all statements of a script.
#[derive(Clone, Copy)]
pub(crate) struct BinderInput<'a> {
    pub(crate) text: &'a str,
    pub(crate) catalog: &'a Catalog,
    pub(crate) settings: &'a Settings,
}

impl<'a> Binder<'a> {
    /// A binder for one statement.
    pub(crate) fn new(
        input: BinderInput<'a>,
        statement: Span,
        side: Rc<SideTable>,
        spans: Rc<Spans>,
    ) -> Self {
        Self {
            text: input.text,
            statement,
            catalog: input.catalog,
            home: input.catalog.current.clone(),
            settings: input.settings,
            side,
            spans,
            diags: Diagnostics::new(),
            deferred: Diagnostics::new(),
            failed: false,
            nested_validation: false,
            builder: Builder::default(),
            pattern: None,
            with: Vec::new(),
            windows: Vec::new(),
            views: Vec::new(),
            tables: 0,
            outer: Vec::new(),
            subqueries: subquery::Waiting::default(),
            trail: None,
            conjuncts: Vec::new(),
        }
    }

    /// Everything that was said, and whether the statement can be planned.
    pub(crate) fn finish(mut self) -> (Diagnostics, bool) {
        self.check_table_count();
        let sound = !self.failed && !self.diags.has_errors();
        if !sound {
            self.diags.append(self.deferred);
        }
        (self.diags, sound)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    /// Runs something whose diagnostics nobody is to see; returns also whether there were errors.
    fn scratch<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let kept = mem::take(&mut self.diags);
        let failed = mem::replace(&mut self.failed, false);
        let result = run(self);
        let scratched = mem::replace(&mut self.diags, kept);
        let sound = !self.failed && !scratched.has_errors();
        self.failed = failed;
        (result, sound)
    }

    /// Runs something and returns its diagnostics apart, to be added later in Flink's order.
    fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (T, Diagnostics) {
        let kept = mem::take(&mut self.diags);
        let result = run(self);
        (result, mem::replace(&mut self.diags, kept))
    }

    /// Calls into the expression crate; Flink's messages that it gives get their position in the statement.
    fn expressions<T>(&mut self, run: impl FnOnce(&mut Diagnostics) -> T) -> T {
        let mut diags = Diagnostics::new();
        let result = run(&mut diags);
        for diagnostic in diags {
            let placed = self.place(diagnostic);
            self.diags.push(placed);
        }
        result
    }
}
