//! From a script's text to jobs that can run: the front end in one call.

use std::rc::Rc;

use sg_diag::{Diagnostics, Span};
use sg_plan::catalog::Catalog;
use sg_plan::job::{self, JobGraph};
use sg_plan::physical::{self, Consumer, PhysicalPlan};
use sg_plan::{Analyzed, Planned};
use sg_value::Field;

/// A script, analysed and planned.
#[derive(Debug, Default)]
pub struct Prepared {
    /// Tables, views and settings after the last statement.
    pub catalog: Catalog,
    /// The statements that give something, in order.
    pub statements: Vec<PreparedStatement>,
    /// Everything that was said.
    pub diagnostics: Diagnostics,
}

/// A statement that gives something.
#[derive(Debug)]
pub enum PreparedStatement {
    /// A query or INSERTs: a job.
    Job(PreparedJob),
    /// EXPLAIN, SHOW, DESCRIBE: a text.
    Text {
        /// Where the statement stands.
        span: Span,
        /// Whether it describes a schema rather than a plan.
        schema: bool,
        /// The text, one row a line.
        text: String,
    },
}

/// A job that can run.
#[derive(Debug)]
pub struct PreparedJob {
    /// Where the statement stands.
    pub span: Span,
    /// Output columns of a query; `None` for INSERTs.
    pub query: Option<Rc<[Field]>>,
    /// The plan text of EXPLAIN with changelog modes.
    pub explain: String,
    /// The same for the plan that runs, whose sink takes every kind of change.
    pub running: String,
    /// What runs.
    pub graph: Rc<JobGraph>,
}

/// Analyses and plans a script.
pub fn prepare(text: &str) -> Prepared {
    let script = sg_sql::parse_script(text);
    let mut diagnostics = script.diagnostics.clone();
    let analyzed: Analyzed = sg_plan::analyze_script(&script, text, Catalog::default(), &mut diagnostics);
    let mut statements = Vec::new();
    for planned in &analyzed.statements {
        statements.extend(prepare_statement(planned, &mut diagnostics));
    }
    Prepared { catalog: analyzed.catalog, statements, diagnostics }
}
