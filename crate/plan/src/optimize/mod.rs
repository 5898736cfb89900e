//! From the tree as written to the shape that Flink's rule sets give it.
//!
//! Flink's planner is cost-based in places; here its decisions for known shapes are rules in a fixed order. Each
//! rule is one file, says "unchanged" explicitly, and every change is reported to an observer, which is all that a
//! view of "why this plan" needs.

mod aggregate_constant;
mod aggregate_input;
mod aggregate_join;
mod aggregate_nothing;
mod aggregate_permutation;
mod aggregate_unique;
mod calc;
mod constant_column;
mod equal_aggregate;
mod expression;
mod filter_aggregate;
mod filter_constant;
mod filter_correlate;
mod filter_join;
mod filter_merge;
mod filter_project;
mod filter_rename;
mod filter_union;
mod group_window;
mod grouping_sets;
mod join_condition;
mod join_derived;
mod join_empty;
mod join_expressions;
mod join_parts;
mod join_unneeded;
mod json_argument;
mod kinds;
mod over_columns;
mod over_project;
mod over_split;
mod project_aggregate;
mod project_join;
mod project_merge;
mod project_remove;
mod project_union;
mod project_watermark;
mod project_window;
mod rank;
mod reduce_aggregates;
mod rewrite;
mod set_operation;
mod sort;
mod source_watermark;
mod subquery;
mod union_distinct;
mod union_grouped;
mod union_types;

pub use kinds::Kinds;
pub(crate) use over_split::place;

use std::rc::Rc;

use sg_value::Gather as _;

use crate::{
    Settings,
    logical::{Builder, LogicalNode},
};

/// A rewrite of one node. Its inputs have been rewritten by the same rules before.
pub trait Rule {
    /// Kebab-case name, stable: views and tests use it.
    fn name(&self) -> &'static str;
    /// Only a tree with a node of these kinds is this rule's business.
    fn needs(&self) -> Kinds {
        Kinds::ANY
    }
    /// The node that takes the place of this one, or `None` where the rule does not apply.
    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>>;
}

/// What a rule can use.
#[derive(Debug)]
pub struct RuleContext<'s> {
    /// Makes nodes.
    pub builder: Builder,
    /// The session's options.
    pub settings: &'s Settings,
}

/// A change that a rule made.
#[derive(Clone, Debug)]
pub struct RuleStep {
    /// The rule.
    pub rule: &'static str,
    /// The sub-tree before.
    pub before: Rc<LogicalNode>,
    /// The sub-tree after.
    pub after: Rc<LogicalNode>,
}

/// How often rules go over a tree before a bug is assumed.
const MAX_PASSES: usize = 200;

/// Groups of rules in order; a group runs until none of its rules applies.
fn phases() -> Vec<Vec<Box<dyn Rule>>> {
    vec![
        vec![Box::new(subquery::RemoveSubQueries)],
        vec![Box::new(group_window::MergeAboveGroupWindow)],
        vec![Box::new(group_window::GroupWindow)],
        vec![
            Box::new(filter_merge::MergeFilters),
            Box::new(filter_correlate::FilterIntoCorrelate),
        ],
        vec![
            Box::new(source_watermark::SourceWatermark),
            Box::new(union_types::UnionTypes),
            Box::new(union_distinct::UnionDistinct),
            Box::new(sort::LimitZero),
        ],
        // before the calls have nodes of their own, those that nobody reads are gone
        vec![Box::new(over_project::MergeAroundWindows)],
        vec![
            Box::new(over_project::MergeAroundWindows),
            Box::new(over_split::SplitWindows),
        ],
        vec![Box::new(over_columns::ColumnsBelowCalls)],
        vec![
            Box::new(expression::SimplifyExpressions),
            Box::new(join_condition::SimplifyJoinCondition),
            Box::new(join_expressions::JoinExpressions),
            Box::new(filter_constant::ConstantFilter),
            Box::new(aggregate_nothing::AggregateOfNothing),
            Box::new(constant_column::ConstantColumn),
        ],
        filters(),
        vec![Box::new(join_derived::DerivedConditions)],
        filters(),
        vec![Box::new(over_project::RepeatedProject)],
        vec![
            Box::new(expression::SimplifyExpressions),
            Box::new(join_condition::SimplifyJoinCondition),
            Box::new(filter_constant::ConstantFilter),
            Box::new(join_empty::JoinOfNothing),
            Box::new(filter_project::FilterBelowProject),
            Box::new(constant_column::ConstantColumn),
        ],
        vec![Box::new(over_project::ConstantAboveWindows)],
        vec![Box::new(over_project::ColumnsBelowWindowFilter)],
        vec![Box::new(project_union::ProjectBelowSetOperation)],
        vec![Box::new(set_operation::RewriteSetOperation)],
        vec![
            Box::new(aggregate_permutation::AggregateOverPermutation(true)),
            Box::new(grouping_sets::ExpandGroupingSets),
        ],
        vec![
            Box::new(project_remove::RemoveProject),
            Box::new(project_merge::MergeProjects),
            Box::new(aggregate_input::AggregateInput),
        ],
        vec![
            Box::new(project_remove::RemoveProject),
            Box::new(project_merge::MergeProjects),
            Box::new(filter_rename::NamesAboveFilter),
            Box::new(join_unneeded::UnneededJoin),
            Box::new(project_join::ColumnsBelowJoin),
            Box::new(project_join::ColumnsBelowSemiJoin),
            Box::new(aggregate_constant::ConstantKeys),
            Box::new(project_union::ProjectBelowUnion),
            Box::new(project_aggregate::UnusedAggregates),
            Box::new(project_window::ColumnsBelowWindow),
            Box::new(filter_constant::ConstantFilter),
            Box::new(project_watermark::ColumnsBelowWatermark),
            Box::new(aggregate_unique::UniqueGroups),
            Box::new(union_grouped::DistinctBelowUnion),
            Box::new(sort::LimitBelowProject),
        ],
        aggregates_below_joins(),
        vec![Box::new(reduce_aggregates::ReduceAggregates)],
        vec![Box::new(aggregate_unique::UniqueGroups)],
        vec![Box::new(json_argument::JsonArguments)],
        vec![Box::new(expression::SimplifyExpressions)],
        last(),
    ]
}

/// What is left to do where everything is in its place.
fn last() -> Vec<Box<dyn Rule>> {
    vec![
        Box::new(calc::CalcOrder),
        Box::new(project_merge::MergeProjects),
        Box::new(project_remove::RemoveProject),
        Box::new(aggregate_permutation::AggregateOverPermutation(false)),
        Box::new(project_aggregate::UnusedAggregates),
    ]
}

/// Aggregations over cross joins, and what they leave.
fn aggregates_below_joins() -> Vec<Box<dyn Rule>> {
    vec![
        Box::new(aggregate_join::AggregateBelowJoin),
        Box::new(aggregate_join::ConditionOfTotals),
        Box::new(project_merge::MergeProjects),
        Box::new(project_remove::RemoveProject),
    ]
}

/// Rules that bring conditions to where they are tested first.
fn filters() -> Vec<Box<dyn Rule>> {
    vec![
        Box::new(filter_merge::MergeFilters),
        Box::new(filter_project::FilterBelowProject),
        Box::new(filter_union::FilterBelowUnion),
        Box::new(filter_aggregate::FilterBelowAggregate),
        Box::new(filter_correlate::FilterIntoCorrelate),
        Box::new(filter_join::FilterIntoJoin),
        Box::new(filter_join::JoinConditionPush),
        Box::new(join_condition::SimplifyJoinCondition),
        Box::new(join_expressions::JoinExpressions),
    ]
}

/// The tree in the shape that lowering expects: below each node that is no projection or filter at most one
/// projection above at most one filter.
pub fn optimize(root: &Rc<LogicalNode>, settings: &Settings) -> Rc<LogicalNode> {
    optimize_observed(root, settings, &mut |_| {})
}

/// The same, with every change reported.
pub fn optimize_observed(
    root: &Rc<LogicalNode>,
    settings: &Settings,
    observe: &mut dyn FnMut(RuleStep),
) -> Rc<LogicalNode> {
    sg_expr::fold_in(&settings.zone);
    let mut cx = RuleContext {
        builder: Builder::above(root),
        settings,
    };
    let mut node = Rc::clone(root);
    for rules in phases() {
        node = run(node, &rules, &mut cx, observe);
    }
    cx.builder.batch = settings.batch;
    let ranked = if Kinds::OVER.meets(Kinds::of(&node)) {
        rank::recognize(&node, &mut cx.builder)
    } else {
        Rc::clone(&node)
    };
    if !Rc::ptr_eq(&ranked, &node) {
        observe(RuleStep {
            rule: "rank",
            before: node,
            after: Rc::clone(&ranked),
        });
    }
    let rules: Vec<Box<dyn Rule>> = vec![
        Box::new(project_merge::MergeProjects),
        Box::new(project_remove::RemoveProject),
        Box::new(over_project::NothingOfRank),
    ];
    node = run(ranked, &rules, &mut cx, observe);
    equal_aggregate::share_hints(&node)
}

/// Passes of a group of rules until none of them applies.
fn run(
    mut node: Rc<LogicalNode>,
    rules: &[Box<dyn Rule>],
    cx: &mut RuleContext<'_>,
    observe: &mut dyn FnMut(RuleStep),
) -> Rc<LogicalNode> {
    for _ in 0..MAX_PASSES {
        let kinds = Kinds::of(&node);
        let needed: Vec<&dyn Rule> = rules
            .iter()
            .map(|rule| &**rule)
            .filter(|rule| rule.needs().meets(kinds))
            .gather();
        match pass(&node, &needed, cx, observe) {
            Some(changed) => node = changed,
            None => break,
        }
    }
    node
}

/// One pass from the leaves to the root; `None` where nothing changed.
fn pass(
    node: &Rc<LogicalNode>,
    rules: &[&dyn Rule],
    cx: &mut RuleContext<'_>,
    observe: &mut dyn FnMut(RuleStep),
) -> Option<Rc<LogicalNode>> {
    let inputs: Vec<Option<Rc<LogicalNode>>> = node
        .inputs
        .iter()
        .map(|input| pass(input, rules, cx, observe))
        .gather();
    let below_changed = inputs.iter().any(Option::is_some);
    let mut current = if below_changed {
        let inputs = inputs
            .into_iter()
            .zip(&node.inputs)
            .map(|(new, old)| new.unwrap_or_else(|| Rc::clone(old)))
            .gather();
        rewrite::with_inputs(node, inputs)
    } else {
        Rc::clone(node)
    };
    let mut changed = below_changed;
    for rule in rules {
        if let Some(after) = rule.apply(&current, cx) {
            debug_assert!(
                rewrite::same_types(&current.schema, &after.schema),
                "{} changes the columns of\n{}into\n{}",
                rule.name(),
                crate::physical::explain::logical_text(&current),
                crate::physical::explain::logical_text(&after),
            );
            observe(RuleStep {
                rule: rule.name(),
                before: Rc::clone(&current),
                after: Rc::clone(&after),
            });
            current = after;
            changed = true;
        }
    }
    changed.then_some(current)
}
