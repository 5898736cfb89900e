//! The plan that Flink's batch planner makes, as EXPLAIN prints it.
//!
//! What runs is the streaming plan, whose last rows are the result; this draws it with the operators of batch: local and
//! global phases, hash joins, sorts. Flink: `BatchPhysicalHashAggRule` and its neighbours, without statistics.
//! Differs from Flink: joins of time are drawn as streaming has them, and COUNT(DISTINCT) of a key, or of
//! more than 31 columns beside each other, in one step.
//! Cases: batch/*.

mod aggregate;
mod distinct;
mod join;
mod over;

use std::rc::Rc;

use sg_expr::{Expr, PlanStyle};
use sg_value::{Field, Gather as _};

use super::{
    line::{all_names, description, name_of},
    rank::order,
    tree::{Drawing, Drawn, draw},
};
use crate::{
    logical::{RankRange, SortColumn},
    physical::{
        expression::substitute,
        node::{CalcSpec, PhysicalNode, PhysicalOp, RankSpec, WindowSource},
    },
};

/// Whether the plan was made in batch mode.
pub(super) fn is_batch(root: &PhysicalNode) -> bool {
    matches!(root.op, PhysicalOp::FinalResult(_))
        || (matches!(root.op, PhysicalOp::Sink(_)) && root.inputs.iter().any(|input| is_batch(input)))
}

/// The plan below a root.
pub(super) fn text(root: &Rc<PhysicalNode>, style: PlanStyle) -> String {
    let tree = Drawer { style }.drawn(&distinct::expanded(root)).tree;
    draw(&tree, &mut |node: &Rc<Drawing>| Drawn::Inner(node.text.clone()))
}

/// A part of the plan.
struct Part {
    tree: Rc<Drawing>,
    /// Output columns in the order that batch has.
    columns: Vec<Field>,
    /// Columns by which equal rows are together; none of them where all rows are.
    together: Option<String>,
    /// Whether it is one row.
    single: bool,
}

impl Part {
    fn over(&self, text: String) -> Self {
        Self {
            tree: line(text, vec![Rc::clone(&self.tree)]),
            columns: self.columns.clone(),
            together: self.together.clone(),
            single: self.single,
        }
    }
}

fn line(text: String, inputs: Vec<Rc<Drawing>>) -> Rc<Drawing> {
    Rc::new(Drawing { text, inputs })
}

fn exchange(to: &str, input: Rc<Drawing>) -> Rc<Drawing> {
    line(format!("Exchange(distribution=[{to}])"), vec![input])
}

struct Drawer {
    style: PlanStyle,
}

impl Drawer {
    fn drawn(&self, node: &Rc<PhysicalNode>) -> Part {
        let input = node.inputs.first();
        match (&node.op, input) {
            (PhysicalOp::Exchange(_), Some(input)) => self.drawn(input),
            (PhysicalOp::FinalResult(keys), Some(input)) => self.sorted(keys, input),
            (PhysicalOp::Calc(spec), Some(input)) => self.calc(node, spec, input),
            (PhysicalOp::GroupAggregate(spec), Some(input)) => {
                let part = self.drawn(input);
                Self::aggregate(spec, part, &input.schema, &node.schema)
            }
            (PhysicalOp::WindowAggregate(spec), Some(input))
                if matches!(spec.window.source, WindowSource::TimeColumn(_))
                    && !spec.window.kind.is_session() =>
            {
                self.windows(spec, input, node)
            }
            (PhysicalOp::SortLimit(spec) | PhysicalOp::Limit(spec), Some(input)) => {
                Self::limited(spec, &self.drawn(input), &input.schema)
            }
            (PhysicalOp::GroupWindowAggregate(spec), Some(input)) => Part {
                columns: node.schema.to_vec(),
                ..self.group_window(spec, input)
            },
            (PhysicalOp::OverAggregate(spec), Some(input)) => match spec.places {
                Some(places) => self.ranked((spec, places), input, node),
                None => self.over(spec, input, node),
            },
            (PhysicalOp::Join(_), Some(_)) => self.join(node),
            (PhysicalOp::Values(_), _) => {
                // the type is said by the names
                let text = description(node, PlanStyle::Execution);
                let text = text.strip_suffix(')').unwrap_or(&text);
                let names = all_names(&node.schema);
                Part {
                    tree: line(format!("{text}, values=[{names}])"), Vec::new()),
                    ..self.plain(node)
                }
            }
            _ => self.plain(node),
        }
    }

    /// A node that batch has too.
    fn plain(&self, node: &Rc<PhysicalNode>) -> Part {
        let inputs = node.inputs.iter().map(|input| self.drawn(input).tree);
        Part {
            tree: line(description(node, self.style), inputs.gather()),
            columns: node.schema.to_vec(),
            together: None,
            single: false,
        }
    }

    fn sorted(&self, keys: &[SortColumn], input: &Rc<PhysicalNode>) -> Part {
        let part = self.drawn(input);
        if keys.is_empty() || matches!(input.op, PhysicalOp::SortLimit(_)) {
            return part;
        }
        let below = Part {
            tree: exchange("single", Rc::clone(&part.tree)),
            ..part
        };
        below.over(format!("Sort(orderBy=[{}])", order(keys, &input.schema)))
    }

    /// Consecutive ones are one; one that changes nothing is none.
    fn calc(&self, node: &Rc<PhysicalNode>, spec: &CalcSpec, input: &Rc<PhysicalNode>) -> Part {
        if let (PhysicalOp::Calc(below), Some(base)) = (&input.op, input.inputs.first()) {
            let inline = |expr| substitute(expr, &below.projection);
            let own = spec.condition.as_ref().map(inline);
            let merged = CalcSpec {
                projection: spec.projection.iter().map(inline).gather(),
                condition: crate::physical::expression::conjunction(
                    below.condition.iter().cloned().chain(own),
                ),
            };
            let merged = PhysicalNode {
                op: PhysicalOp::Calc(merged),
                inputs: vec![Rc::clone(base)],
                ..PhysicalNode::clone(node)
            };
            return self.drawn(&Rc::new(merged));
        }
        let part = self.drawn(input);
        let columns = spec.projection.iter().map(Expr::as_column);
        let same = spec.condition.is_none()
            && spec.projection.len() == part.columns.len()
            && columns.zip(&part.columns).all(|(column, field)| {
                column.is_some_and(|column| name_of(column, &input.schema) == &*field.name)
            });
        if same {
            return part;
        }
        Part {
            columns: node.schema.to_vec(),
            single: part.single,
            ..part.over(description(node, self.style))
        }
    }

    /// First within each part, then of all.
    #[inline(never)]
    fn limited(spec: &RankSpec, part: &Part, input: &[Field]) -> Part {
        let RankRange::Constant { start, end } = spec.range else {
            return part.over("Limit".to_owned());
        };
        let (name, by) = if spec.order.is_empty() {
            ("Limit", String::new())
        } else {
            ("SortLimit", format!("orderBy=[{}], ", order(&spec.order, input)))
        };
        let all = end == i64::MAX;
        let fetch = if all {
            "unlimited".to_owned()
        } else {
            (end - start + 1).to_string()
        };
        let below = if all {
            Rc::clone(&part.tree)
        } else {
            let text = format!("{name}({by}offset=[0], fetch=[{end}], global=[false])");
            line(text, vec![Rc::clone(&part.tree)])
        };
        Part {
            tree: exchange("single", below),
            columns: part.columns.clone(),
            together: None,
            single: part.single,
        }
        .over(format!(
            "{name}({by}offset=[{}], fetch=[{fetch}], global=[true])",
            start - 1
        ))
    }
}
