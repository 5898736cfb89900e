//! `EXPLAIN JSON_EXECUTION_PLAN`: the operators of the job as Flink's stream graph lists them.
//!
//! Flink: `StreamGraph.getStreamingPlanAsJSON`. Exec nodes and transformations are numbered from 1, as in a session that has
//! explained nothing before. An exchange and a union have numbers and are no operators: what they lead to names their inputs.
//! Cases: statements/explain-json-*.

use std::rc::Rc;

use sg_expr::PlanStyle;
use sg_value::Gather as _;

use super::line::description;
use crate::{
    physical::{
        PhysicalPlan,
        node::{Distribution, PhysicalNode, PhysicalOp},
        reuse::Reuse,
    },
    settings::Settings,
};

/// Operators whose rows come together, and how they are shipped.
type Inputs = Vec<(u32, &'static str)>;

/// The text of the plan.
pub(super) fn text(plan: &PhysicalPlan, settings: &Settings) -> String {
    let roots: Vec<Rc<PhysicalNode>> = plan.roots.iter().map(|root| Rc::clone(&root.node)).gather();
    let mut list = List {
        reuse: Reuse::find(&roots, settings.reuse_sub_plans),
        known: Vec::new(),
        nodes: Vec::new(),
        exec_nodes: 0,
        transformations: 0,
    };
    for root in &roots {
        list.visit(root);
    }
    format!("{{\n  \"nodes\" : [ {} ]\n}}", list.nodes.join(", "))
}

struct List {
    reuse: Reuse,
    /// Shared trees that are listed.
    known: Vec<(u32, Inputs)>,
    nodes: Vec<String>,
    exec_nodes: u32,
    transformations: u32,
}

impl List {
    fn visit(&mut self, node: &Rc<PhysicalNode>) -> Inputs {
        let shared = self.reuse.id(node);
        if let Some((_, outputs)) = self.known.iter().find(|(id, _)| Some(*id) == shared) {
            return outputs.clone();
        }
        let mut inputs = Inputs::new();
        for input in &node.inputs {
            inputs.extend(self.visit(input));
        }
        self.exec_nodes += 1;
        let outputs = match &node.op {
            PhysicalOp::Exchange(distribution) => {
                self.transformations += 1;
                let ship = match distribution {
                    Distribution::Hash(_) => "HASH",
                    Distribution::Single => "GLOBAL",
                    Distribution::Rebalance => "REBALANCE",
                    Distribution::Forward => "FORWARD",
                };
                inputs.into_iter().map(|(id, _)| (id, ship)).gather()
            }
            PhysicalOp::Union => {
                self.transformations += 1;
                inputs
            }
            op => {
                let contents = description(node, PlanStyle::Execution);
                let (kind, name) = match op {
                    PhysicalOp::Scan(scan) => ("Data Source", format!("Source: {}", scan.table.name)),
                    PhysicalOp::Values(_) => ("Data Source", "Source: Values".to_owned()),
                    PhysicalOp::Sink(sink) => {
                        let table = sink.table.as_ref();
                        if let Some((not_null, table)) = sink.not_null.as_ref().zip(table) {
                            let columns = not_null.columns.iter();
                            let names = columns.filter_map(|at| table.columns.get(*at as usize));
                            let names: Vec<&str> = names.map(|column| &*column.field.name).gather();
                            let enforcer = format!(
                                "ConstraintEnforcer[NotNullEnforcer(fields=[{}])]",
                                names.join(", ")
                            );
                            inputs = self.add("Operator", "ConstraintEnforcer", &enforcer, &inputs);
                        }
                        let name = table.map_or("*query*", |table| &*table.name);
                        ("Data Sink", format!("Sink: {name}"))
                    }
                    op => ("Operator", op.name().to_owned()),
                };
                self.add(kind, &name, &contents, &inputs)
            }
        };
        if let Some(shared) = shared {
            self.known.push((shared, outputs.clone()));
        }
        outputs
    }

    fn add(&mut self, kind: &str, name: &str, contents: &str, inputs: &[(u32, &str)]) -> Inputs {
        self.transformations += 1;
        let (id, number) = (self.transformations, self.exec_nodes);
        let contents = contents.replace('\\', "\\\\").replace('"', "\\\"");
        let from: Vec<String> = inputs
            .iter()
            .map(|(from, ship)| {
                format!(
                    "{{\n      \"id\" : {from},\n      \"ship_strategy\" : \"{ship}\",\n      \"side\" : \"second\"\n    }}"
                )
            })
            .gather();
        let from = if from.is_empty() {
            String::new()
        } else {
            format!(",\n    \"predecessors\" : [ {} ]", from.join(", "))
        };
        self.nodes.push(format!(
            "{{\n    \"id\" : {id},\n    \"type\" : \"{name}[{number}]\",\n    \"pact\" : \"{kind}\",\n    \
             \"contents\" : \"[{number}]:{contents}\",\n    \"parallelism\" : 1{from}\n  }}"
        ));
        vec![(id, "FORWARD")]
    }
}
