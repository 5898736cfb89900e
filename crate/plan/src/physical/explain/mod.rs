//! Flink's plan texts, to the letter.
//!
//! Nothing here decides anything: what is printed stands in the nodes.

mod advice;
mod aggregate;
mod ast;
mod batch;
mod correlate;
mod correlated;
mod cost;
mod group_window;
mod join;
mod json;
mod line;
mod logical;
mod matching;
mod multi_join;
mod rank;
mod timed;
mod tree;
mod window;
mod written;

use std::rc::Rc;

use sg_expr::PlanStyle;
use sg_value::Gather as _;

use super::{
    PhysicalPlan,
    node::{PhysicalNode, PhysicalOp},
    reuse::Reuse,
};
use crate::{logical::LogicalNode, settings::Settings};
pub(crate) use ast::record_type;
pub(crate) use group_window::window_name;
pub(crate) use line::description;
pub(crate) use logical::{ast_text, flink_logical_below, flink_logical_text};

/// What EXPLAIN is asked for beside the three plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "details of the statement, each asked for or not"
)]
pub struct ExplainOptions {
    /// `CHANGELOG_MODE`
    pub changelog_mode: bool,
    /// `PLAN_ADVICE`
    pub advice: bool,
    /// `JSON_EXECUTION_PLAN`
    pub json: bool,
    /// `ESTIMATED_COST`, of nodes whose cost is known
    pub cost: bool,
}

/// Whether `ESTIMATED_COST` can be printed of a plan.
pub fn costs_are_known(plan: &PhysicalPlan) -> bool {
    cost::is_known(plan) && !plan.roots.iter().any(|root| batch::is_batch(&root.node))
}

/// The optimized physical plan as `EXPLAIN CHANGELOG_MODE` prints it, without a newline at the end. Trees of several
/// statements are separated by an empty line.
pub fn explain(plan: &PhysicalPlan) -> String {
    let options = ExplainOptions {
        changelog_mode: true,
        ..ExplainOptions::default()
    };
    physical_text(plan, &Settings::default(), options)
}

/// The plan before exec nodes are chosen, as messages show it.
pub(super) fn logical_plan(root: &Rc<PhysicalNode>) -> String {
    tree::draw(root, &mut |node: &Rc<PhysicalNode>| {
        let text = match &node.op {
            PhysicalOp::GroupWindowAggregate(spec) => {
                let attributes = group_window::logical_attributes(spec).join(", ");
                format!("WindowAggregate({attributes})")
            }
            _ => description(node, PlanStyle::Physical),
        };
        tree::Drawn::Inner(format!("FlinkLogical{text}"))
    })
}

fn physical_text(plan: &PhysicalPlan, settings: &Settings, options: ExplainOptions) -> String {
    let trees: Vec<String> = plan
        .roots
        .iter()
        .map(|root| {
            if batch::is_batch(&root.node) {
                return batch::text(&root.node, PlanStyle::Batch);
            }
            tree::draw(&root.node, &mut |node: &Rc<PhysicalNode>| {
                // with costs Flink leaves the type of VALUES out
                let style = match &node.op {
                    PhysicalOp::Values(_) if options.cost => PlanStyle::Execution,
                    _ => PlanStyle::Physical,
                };
                let mut text = description(node, style);
                if options.advice && advice::concerns(node, settings) {
                    text = text.replacen('(', "(advice=[1], ", 1);
                }
                if options.changelog_mode {
                    line::add_attribute(&mut text, &format!("changelogMode={}", node.changelog_mode));
                }
                if let Some(hint) = line::trailing_hint(node) {
                    line::add_attribute(&mut text, &hint);
                }
                if options.cost {
                    text.extend(cost::text(node));
                }
                tree::Drawn::Inner(text)
            })
        })
        .gather();
    trees.join("\n\n")
}

/// The optimized execution plan: infix expressions, no changelog modes, equal sub-plans printed once.
fn execution_text(plan: &PhysicalPlan, settings: &Settings) -> String {
    let roots: Vec<Rc<PhysicalNode>> = plan.roots.iter().map(|root| Rc::clone(&root.node)).gather();
    let reuse = Reuse::find(&roots, settings.reuse_sub_plans);
    let several = roots.len() > 1;
    let mut texts = Vec::new();
    if several {
        for (shared, id) in reuse.shared() {
            texts.push(execution_tree(shared, &reuse, Some(id)));
        }
    }
    let mut printed = if several { reuse.all_ids() } else { Vec::new() };
    for root in &roots {
        if batch::is_batch(root) {
            texts.push(batch::text(root, PlanStyle::Execution));
            continue;
        }
        texts.push(tree::draw(root, &mut |node: &Rc<PhysicalNode>| {
            let text = execution_line(node);
            match reuse.id(node) {
                Some(id) if printed.contains(&id) => {
                    tree::Drawn::Leaf(format!("Reused(reference_id=[{id}])"))
                }
                Some(id) => {
                    printed.push(id);
                    tree::Drawn::Inner(format!("{text}(reuse_id=[{id}])"))
                }
                None => tree::Drawn::Inner(text),
            }
        }));
    }
    texts.join("\n\n")
}

/// A shared tree on its own, with references to the shared trees inside it.
fn execution_tree(root: &Rc<PhysicalNode>, reuse: &Reuse, own: Option<u32>) -> String {
    tree::draw(root, &mut |node: &Rc<PhysicalNode>| match reuse.id(node) {
        Some(id) if Some(id) == own => {
            tree::Drawn::Inner(format!("{}(reuse_id=[{id}])", execution_line(node)))
        }
        Some(id) => tree::Drawn::Leaf(format!("Reused(reference_id=[{id}])")),
        None => tree::Drawn::Inner(execution_line(node)),
    })
}

fn execution_line(node: &PhysicalNode) -> String {
    let mut text = description(node, PlanStyle::Execution);
    if let Some(hint) = line::trailing_hint(node) {
        line::add_attribute(&mut text, &hint);
    }
    text
}

/// The text of an EXPLAIN statement: the plan as written, the physical plan, the execution plan.
///
/// `written` are the trees before optimization.
pub fn explain_statement(
    written: &[Rc<LogicalNode>],
    plan: &PhysicalPlan,
    settings: &Settings,
    options: ExplainOptions,
) -> String {
    let (heading, advice) = if options.advice {
        (" With Advice", format!("\n\n{}", advice::text(plan, settings)))
    } else {
        ("", String::new())
    };
    let ast: Vec<String> = written.iter().map(ast::text).gather();
    let used = written.iter().map(|root| super::lower::lookups(root)).sum();
    let plan = &correlate::renumbered(plan, used);
    format!(
        "== Abstract Syntax Tree ==\n{}\n\n== Optimized Physical Plan{heading} ==\n{}{advice}\n\n\
        == Optimized Execution Plan ==\n{}\n{}",
        ast.join("\n\n"),
        physical_text(plan, settings, options),
        execution_text(plan, settings),
        if options.json {
            format!(
                "\n== Physical Execution Plan ==\n{}\n",
                json::text(plan, settings)
            )
        } else {
            String::new()
        },
    )
}

/// A tree before or after optimization as EXPLAIN prints it, without a newline at the end.
pub fn logical_text(root: &Rc<LogicalNode>) -> String {
    ast::text(root)
}
