//! Operators, plan lines and columns as the page shows them.

use sg_expr::FrameBound;
use sg_plan::job::{JobGraph, OperatorSpec};
use sg_plan::physical::node::{ChangelogMode, Distribution, PhysicalOp};
use sg_plan::physical::timed::TimedJoinSpec;
use sg_value::{Field, Gather as _, RowKind, TypeKind};

use super::TextPart;
use crate::dto;

/// A column; `key` says whether it is part of a key.
pub(crate) fn column_view(field: &Field, key: bool) -> dto::ColumnView {
    dto::ColumnView {
        name: field.name.to_string(),
        data_type: field.data_type.to_string(),
        key,
        rowtime: field.data_type.is_rowtime(),
        numeric: is_numeric(&field.data_type.kind),
    }
}

/// Whether values of the type are numbers.
pub(crate) const fn is_numeric(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::TinyInt
            | TypeKind::SmallInt
            | TypeKind::Int
            | TypeKind::BigInt
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::Decimal { .. }
    )
}

/// How a result with this changelog mode changes; a known key makes updates without before-images an upsert.
pub(crate) const fn sink_mode(mode: ChangelogMode) -> &'static str {
    if mode.is_insert_only() {
        "append-only"
    } else if mode.contains(RowKind::UpdateAfter) && !mode.contains(RowKind::UpdateBefore) {
        "upsert"
    } else {
        "retract"
    }
}

/// All operators of a job, with the text their spans point into.
pub(crate) fn operator_views(graph: &JobGraph, part: &TextPart<'_>) -> Vec<dto::OperatorView> {
    let chains = chains(graph);
    graph
        .operators
        .iter()
        .zip(chains)
        .map(|(operator, task)| operator_view(graph, operator, task, part))
        .gather()
}

/// The number of the task each operator runs in: it goes on with its input's task where the input is forwarded.
fn chains(graph: &JobGraph) -> Vec<u32> {
    let mut tasks: Vec<u32> = Vec::with_capacity(graph.operators.len());
    let mut next = 0;
    for operator in &graph.operators {
        let chained = match operator.inputs.as_slice() {
            [input] if input.distribution == Distribution::Forward => {
                tasks.get(input.from.0 as usize).copied()
            }
            _ => None,
        };
        tasks.push(chained.unwrap_or_else(|| {
            next += 1;
            next - 1
        }));
    }
    tasks
}

fn operator_view(
    graph: &JobGraph,
    operator: &OperatorSpec,
    task: u32,
    part: &TextPart<'_>,
) -> dto::OperatorView {
    let inputs = operator
        .inputs
        .iter()
        .map(|input| {
            let columns = graph
                .operators
                .get(input.from.0 as usize)
                .map_or(&[][..], |from| &from.schema);
            let (distribution, hash) = match &input.distribution {
                Distribution::Forward => ("forward", &[][..]),
                Distribution::Hash(hash) => ("hash", hash.as_slice()),
                Distribution::Single => ("single", &[][..]),
                Distribution::Rebalance => ("rebalance", &[][..]),
            };
            let names = hash.iter().filter_map(|column| columns.get(*column as usize));
            dto::InputView {
                from: input.from.0,
                distribution,
                columns: names.map(|field| field.name.to_string()).gather(),
            }
        })
        .gather();
    let traits = traits(&operator.op);
    dto::OperatorView {
        id: operator.id.0,
        name: operator.name.to_owned(),
        task,
        parallelism: operator.parallelism,
        inputs,
        role: traits.role,
        source: None,
        cleanup: traits.cleanup,
        uses_watermark: traits.windowed,
        key_columns: operator
            .schema
            .iter()
            .take(traits.keys)
            .map(|field| column_view(field, true))
            .gather(),
        windowed: traits.windowed,
        mode: mode_text(operator.changelog_mode),
        args: arguments(&operator.description),
        span: part.holds(operator.span).then(|| part.utf16(operator.span)),
        states: Vec::new(),
        table: table(&operator.op),
    }
}

/// The kinds of a mode without brackets: `I,UA`.
fn mode_text(mode: ChangelogMode) -> String {
    mode.to_string().trim_matches(['[', ']']).to_owned()
}

/// Who frees an operator's state: `watermark`, `ttl` or `never`; `None` for one that keeps none.
pub(crate) fn cleanup(op: &PhysicalOp) -> Option<&'static str> {
    let traits = traits(op);
    (traits.role == "stateful").then_some(traits.cleanup)
}

struct Traits {
    role: &'static str,
    cleanup: &'static str,
    windowed: bool,
    keys: usize,
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
fn traits(op: &PhysicalOp) -> Traits {
    let plain = |role| Traits {
        role,
        cleanup: "none",
        windowed: false,
        keys: 0,
    };
    match op {
        PhysicalOp::WindowTableFunction(spec) if spec.window.kind.is_session() => {
            windowed(spec.partition.len())
        }
        PhysicalOp::Scan(_) | PhysicalOp::Values(_) => plain("source"),
        PhysicalOp::Sink(_) => plain("sink"),
        PhysicalOp::WatermarkAssigner(_)
        | PhysicalOp::Calc(_)
        | PhysicalOp::Exchange(_)
        | PhysicalOp::Expand(_)
        | PhysicalOp::WindowTableFunction(_)
        | PhysicalOp::MiniBatchAssigner(_)
        | PhysicalOp::LocalGroupAggregate(_)
        | PhysicalOp::LocalWindowAggregate(_)
        | PhysicalOp::Correlate(_)
        | PhysicalOp::Union
        | PhysicalOp::DropUpdateBefore => plain("stateless"),
        PhysicalOp::Match(spec) => Traits {
            role: "stateful",
            cleanup: if spec.within_ms.is_some() {
                "watermark"
            } else {
                "never"
            },
            windowed: false,
            keys: spec.partition.len(),
        },
        PhysicalOp::TimedJoin(spec) => match &**spec {
            TimedJoinSpec::Interval(spec) => Traits {
                windowed: false,
                ..windowed(spec.join.keys.left.len())
            },
            TimedJoinSpec::Window(spec) => windowed(spec.join.keys.left.len()),
            TimedJoinSpec::Temporal(spec) => Traits {
                role: "stateful",
                cleanup: if spec.ttl_ms > 0 { "ttl" } else { "never" },
                windowed: false,
                keys: spec.join.keys.left.len(),
            },
            TimedJoinSpec::Lookup(_) => plain("stateless"),
        },
        PhysicalOp::FinalResult(_) => Traits {
            role: "stateful",
            cleanup: "never",
            windowed: false,
            keys: 0,
        },
        PhysicalOp::SinkMaterializer(spec) => Traits {
            role: "stateful",
            cleanup: if spec.ttl_ms > 0 { "ttl" } else { "never" },
            windowed: false,
            keys: 0,
        },
        PhysicalOp::Join(spec) => Traits {
            role: "stateful",
            cleanup: if spec.sides.iter().all(|side| side.ttl_ms > 0) {
                "ttl"
            } else {
                "never"
            },
            windowed: false,
            keys: 0,
        },
        PhysicalOp::MultiJoin(spec) => Traits {
            role: "stateful",
            cleanup: if spec.inputs.iter().all(|input| input.ttl_ms > 0) {
                "ttl"
            } else {
                "never"
            },
            windowed: false,
            keys: 0,
        },
        PhysicalOp::ChangelogNormalize(spec) => Traits {
            role: "stateful",
            cleanup: if spec.ttl_ms > 0 { "ttl" } else { "never" },
            windowed: false,
            keys: spec.keys.len(),
        },
        PhysicalOp::IncrementalGroupAggregate(spec) => Traits {
            role: "stateful",
            cleanup: if spec.partial.ttl_ms > 0 { "ttl" } else { "never" },
            windowed: false,
            keys: spec.partial.keys.len(),
        },
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) => Traits {
            role: "stateful",
            cleanup: if spec.ttl_ms > 0 { "ttl" } else { "never" },
            windowed: false,
            keys: spec.keys.len(),
        },
        PhysicalOp::OverAggregate(spec) => Traits {
            role: "stateful",
            cleanup: match spec.frame.start {
                FrameBound::Preceding(_) if !spec.frame.rows => "watermark",
                _ if spec.ttl_ms > 0 => "ttl",
                _ => "never",
            },
            windowed: false,
            keys: spec.partition.len(),
        },
        PhysicalOp::Rank(spec) | PhysicalOp::SortLimit(spec) | PhysicalOp::Limit(spec) => Traits {
            role: "stateful",
            cleanup: if spec.ttl_ms > 0 { "ttl" } else { "never" },
            windowed: false,
            keys: spec.partition.len(),
        },
        PhysicalOp::TemporalSort(_) => Traits {
            role: "stateful",
            cleanup: "watermark",
            windowed: false,
            keys: 0,
        },
        PhysicalOp::WindowAggregate(spec) => windowed(spec.keys.len()),
        PhysicalOp::WindowRank(spec) => windowed(spec.partition.len()),
        PhysicalOp::WindowDeduplicate(spec) => windowed(spec.partition.len()),
        PhysicalOp::GroupWindowAggregate(spec) => windowed(spec.keys.len()),
        PhysicalOp::GlobalWindowAggregate(spec) => windowed(spec.key_count as usize),
    }
}

const fn windowed(keys: usize) -> Traits {
    Traits {
        role: "stateful",
        cleanup: "watermark",
        windowed: true,
        keys,
    }
}

fn table(op: &PhysicalOp) -> Option<String> {
    match op {
        PhysicalOp::Scan(spec) => Some(spec.table.name.to_string()),
        PhysicalOp::Sink(spec) => spec.table.as_ref().map(|table| table.name.to_string()),
        _ => None,
    }
}

/// The attributes of a plan line: `GroupAggregate(groupBy=[a], select=[…])` gives two.
pub(crate) fn arguments(description: &str) -> Vec<String> {
    let Some((_, inner)) = description.split_once('(') else {
        return Vec::new();
    };
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let mut arguments = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_i32, false, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                arguments.extend(inner.get(start..at).map(|text| text.trim().to_owned()));
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.extend(
        inner
            .get(start..)
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty()),
    );
    arguments
}

/// The plan that runs, from the printed text of it, with EXPLAIN's text beside.
pub(crate) fn plan_view(graph: &JobGraph, running: &str, explain: &str) -> dto::PlanView {
    let mut taken = vec![false; graph.operators.len()];
    let nodes: Vec<dto::PlanNodeView> = running
        .lines()
        .map(|line| plan_line(graph, line, &mut taken))
        .gather();
    dto::PlanView {
        explain: explain.to_owned(),
        two_phase: nodes.iter().any(|node| node.name.starts_with("Global")),
        nodes,
        differs_from_explain: running != explain,
    }
}

/// A printed line, matched to the operator with the same description that no earlier line has taken.
fn plan_line(graph: &JobGraph, line: &str, taken: &mut [bool]) -> dto::PlanNodeView {
    let body = line.trim_start_matches([' ', '+', '-', ':']);
    let depth = (line.chars().count() - body.chars().count()) / 3;
    let name = body.split('(').next().unwrap_or_default();
    let mut args = arguments(body);
    let mode = args
        .iter()
        .find_map(|arg| arg.strip_prefix("changelogMode="))
        .unwrap_or_default();
    let mode = mode.trim_matches(['[', ']']).to_owned();
    args.retain(|arg| !arg.starts_with("changelogMode="));
    let matches = |operator: &&OperatorSpec| {
        !taken.get(operator.id.0 as usize).copied().unwrap_or(true)
            && operator.name == name
            && arguments(&operator.description) == args
    };
    let operator = graph
        .operators
        .iter()
        .rev()
        .find(matches)
        .map(|operator| operator.id.0);
    if let Some(slot) = operator.and_then(|id| taken.get_mut(id as usize)) {
        *slot = true;
    }
    let stateful = operator
        .and_then(|id| graph.operators.get(id as usize))
        .is_some_and(|operator| traits(&operator.op).role == "stateful");
    let kind = match (name, stateful) {
        ("Exchange", _) => "exchange",
        (_, true) => "stateful",
        (_, false) => "stateless",
    };
    dto::PlanNodeView {
        operator,
        name: name.to_owned(),
        mode,
        args,
        kind,
        depth: u32::try_from(depth).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_split_outside_of_brackets_and_quotes() {
        let line = "Calc(select=[a, UPPER(b) AS c, _UTF-16LE',(' AS d], where=[>(a, 1)], changelogMode=[I])";
        let args = arguments(line);
        assert_eq!(args.len(), 3);
        assert_eq!(args[1], "where=[>(a, 1)]");
        assert_eq!(arguments("Union"), Vec::<String>::new());
    }
}
