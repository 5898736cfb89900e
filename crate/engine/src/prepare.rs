//! From a script's text to jobs that can run: the front end in one call.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Diagnostics, Lang, Span};
use sg_plan::catalog::Catalog;
use sg_plan::job::{self, JobGraph};
use sg_plan::logical::LogicalNode;
use sg_plan::physical::{self, Consumer, ExplainOptions, PhysicalPlan, node::PhysicalOp};
use sg_plan::{Analyzed, Planned, PlannedKind};
use sg_sql::ast::ExplainDetail;
use sg_value::{Field, Gather as _};

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
    plans: Plans,
    /// Why the result cannot go where rows are only appended.
    pub append_refusal: Option<Diagnostic>,
    /// What runs.
    pub graph: Rc<JobGraph>,
}

impl PreparedJob {
    /// The plan text of EXPLAIN with changelog modes.
    pub fn explain(&self) -> String {
        physical::explain(&self.plans.explained)
    }

    /// The same for the plan that runs, whose sink takes every kind of change.
    pub fn running(&self) -> String {
        physical::explain(&self.plans.running)
    }
}

/// Parses and binds a script; nothing is planned.
pub fn bound(text: &str) -> (Analyzed, Diagnostics) {
    let mut script = sg_sql::parse_script(text);
    let mut diagnostics = std::mem::take(&mut script.diagnostics);
    let analyzed = sg_plan::analyze_script(text, &script, Catalog::default(), &mut diagnostics);
    (analyzed, diagnostics)
}

/// Analyses and plans a script.
pub fn prepare(text: &str) -> Prepared {
    let (analyzed, mut diagnostics) = bound(text);
    let mut statements = Vec::new();
    for planned in &analyzed.statements {
        statements.extend(prepare_statement(planned, &planned.kind, &mut diagnostics));
    }
    Prepared {
        catalog: analyzed.catalog,
        statements,
        diagnostics,
    }
}

/// What a script declares.
pub fn declared(text: &str) -> Catalog {
    bound(text).0.catalog
}

fn prepare_statement(
    planned: &Planned,
    kind: &PlannedKind,
    diagnostics: &mut Diagnostics,
) -> Option<PreparedStatement> {
    match kind {
        PlannedKind::Failed | PlannedKind::Done => None,
        PlannedKind::Show(text) => Some(PreparedStatement::Text {
            span: planned.span,
            schema: true,
            text: text.clone(),
        }),
        PlannedKind::Explain { details, of } => explain_statement(planned, details, of, diagnostics),
        PlannedKind::Query(query) => {
            let columns: Rc<[Field]> = Rc::from(query.columns.as_slice());
            let plans = Plans::new(planned, std::slice::from_ref(&query.logical), diagnostics)?;
            Some(PreparedStatement::Job(prepared_job(
                planned,
                Some(columns),
                plans,
            )))
        }
        PlannedKind::Inserts(roots) => {
            let plans = Plans::new(planned, roots, diagnostics)?;
            Some(PreparedStatement::Job(prepared_job(planned, None, plans)))
        }
    }
}

/// The two plans of a statement: what EXPLAIN shows and what runs.
#[derive(Debug)]
struct Plans {
    explained: PhysicalPlan,
    running: PhysicalPlan,
}

impl Plans {
    fn new(planned: &Planned, roots: &[Rc<LogicalNode>], diagnostics: &mut Diagnostics) -> Option<Self> {
        let optimized: Vec<Rc<LogicalNode>> = roots
            .iter()
            .map(|root| sg_plan::optimize::optimize(root, &planned.settings))
            .gather();
        let settings = physical::settings_for(roots, &planned.settings);
        let explained = physical::lower(&optimized, &settings, Consumer::Explain, diagnostics)?;
        // The same diagnostics come a second time; they were kept above. Only running may refuse more.
        let mut again = Diagnostics::default();
        let running = physical::lower(&optimized, &settings, Consumer::Collect, &mut again);
        let Some(running) = running else {
            diagnostics.append(again);
            return None;
        };
        (!diagnostics.has_errors()).then_some(Self { explained, running })
    }
}

fn explain_statement(
    planned: &Planned,
    details: &[ExplainDetail],
    of: &PlannedKind,
    diagnostics: &mut Diagnostics,
) -> Option<PreparedStatement> {
    let roots = match of {
        PlannedKind::Query(query) => std::slice::from_ref(&query.logical),
        PlannedKind::Inserts(roots) => roots.as_slice(),
        PlannedKind::Failed | PlannedKind::Done | PlannedKind::Show(_) | PlannedKind::Explain { .. } => {
            return None;
        }
    };
    let plans = Plans::new(planned, roots, diagnostics)?;
    let cost = details.contains(&ExplainDetail::EstimatedCost);
    if cost && !physical::costs_are_known(&plans.explained) {
        diagnostics.push(Diagnostic::new(Code::ExplainDetailNotSupported, planned.span));
        return None;
    }
    let options = ExplainOptions {
        changelog_mode: details.contains(&ExplainDetail::ChangelogMode),
        advice: details.contains(&ExplainDetail::PlanAdvice),
        json: details.contains(&ExplainDetail::JsonExecutionPlan),
        cost,
    };
    let text = physical::explain_statement(roots, &plans.explained, &planned.settings, options);
    Some(PreparedStatement::Text {
        span: planned.span,
        schema: false,
        text,
    })
}

fn prepared_job(planned: &Planned, query: Option<Rc<[Field]>>, plans: Plans) -> PreparedJob {
    let mut graph = job::translate(&plans.running, &planned.settings);
    if let Some(columns) = &query {
        name_result(&mut graph, columns);
    }
    PreparedJob {
        span: planned.span,
        query,
        append_refusal: physical::append_refusal(&plans.running),
        plans,
        graph: Rc::new(graph),
    }
}

/// A result has the names that the query gives: where a projection only renames, the plan has none and keeps its own.
fn name_result(graph: &mut JobGraph, columns: &[Field]) {
    for operator in &mut graph.operators {
        if matches!(operator.op, PhysicalOp::Sink(_)) && operator.schema.len() == columns.len() {
            let named = operator.schema.iter().zip(columns).map(|(field, column)| Field {
                name: Rc::clone(&column.name),
                data_type: field.data_type.clone(),
            });
            operator.schema = named.gather();
        }
    }
}

/// The plans of all queries and INSERTs of a script, a blank line between two; `Err` holds its diagnostics as text.
pub fn explain(script: &str) -> Result<String, String> {
    let prepared = prepare(script);
    if prepared.diagnostics.has_errors() {
        let lines = prepared.diagnostics.sorted();
        return Err(lines
            .iter()
            .map(|one| sg_diag::render(one, script, Lang::En))
            .gather::<Vec<_>>()
            .join("\n"));
    }
    let plans = prepared.statements.iter().map(|statement| match statement {
        PreparedStatement::Job(job) => job.explain().trim_end().to_owned(),
        PreparedStatement::Text { text, .. } => text.trim_end().to_owned(),
    });
    Ok(plans.gather::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_has_the_names_of_its_query() {
        let prepared = prepare(
            "CREATE TABLE t (k INT, v INT) WITH ('connector' = 'replay'); \
             SELECT k, v, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS rn FROM t) WHERE rn < 3;",
        );
        let [PreparedStatement::Job(job)] = prepared.statements.as_slice() else {
            panic!("one query");
        };
        let sink = job.graph.operators.last().unwrap();
        let names: Vec<&str> = sink.schema.iter().map(|field| &*field.name).collect();
        assert_eq!(names, ["k", "v", "rn"]);
    }
}
