//! The plan that Flink's batch planner makes, as EXPLAIN prints it.
//!
//! What runs is the streaming plan, whose last rows are the result; this draws it with the operators of batch: local and
//! global phases, hash joins, sorts. Flink: `BatchPhysicalHashAggRule` and its neighbours, without statistics.
//! Differs from Flink: GROUP BY windows, COUNT(DISTINCT) and joins of time are drawn as streaming has them.
//! Cases: batch/*.

use std::rc::Rc;

use sg_expr::{
    AggregateCall, Expr, FrameBound, PlanStyle,
    aggregate::{cell_names, plan_text},
    compile_aggregate,
};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{
    aggregate::local,
    join::both_inputs,
    line::{all_names, description, expression, name_of, names},
    rank::{order, over_call_text},
    tree::{Drawing, Drawn, draw},
    window::window_text,
};
use crate::{
    logical::{JoinKind, RankRange, SortColumn},
    physical::{
        expression::substitute,
        node::{
            CalcSpec, GroupAggregateSpec, OverAggregateSpec, PhysicalNode, PhysicalOp, RankSpec,
            WindowAggregateSpec, WindowSource,
        },
    },
};

/// Whether the plan was made in batch mode.
pub(super) fn is_batch(root: &PhysicalNode) -> bool {
    matches!(root.op, PhysicalOp::FinalResult(_))
        || (matches!(root.op, PhysicalOp::Sink(_)) && root.inputs.iter().any(|input| is_batch(input)))
}

/// The plan below a root.
pub(super) fn text(root: &Rc<PhysicalNode>, style: PlanStyle) -> String {
    let tree = Drawer { style }.drawn(root).tree;
    draw(&tree, &mut |node: &Rc<Drawing>| Drawn::Inner(node.text.clone()))
}

/// A part of the plan.
struct Part {
    tree: Rc<Drawing>,
    /// Output columns in the order that batch has.
    columns: Vec<Field>,
    /// Columns by which equal rows are together.
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
            (PhysicalOp::OverAggregate(spec), Some(input)) => self.over(spec, input, node),
            (PhysicalOp::Rank(spec), Some(_)) => {
                let select = all_names(&node.schema);
                let text = format!("Calc(select=[{select}], where=[{}])", places(spec));
                self.numbered(spec, node).over(text)
            }
            (PhysicalOp::Join(_), Some(_)) => self.join(node),
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
        if let PhysicalOp::Rank(ranking) = &input.op {
            let mut text = description(node, self.style);
            let condition = format!("where=[{}]", places(ranking));
            super::line::add_attribute(&mut text, &condition);
            return Part {
                columns: node.schema.to_vec(),
                ..self.numbered(ranking, input).over(text)
            };
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

    /// In two phases, unless equal keys are together already.
    fn aggregate(spec: &GroupAggregateSpec, part: Part, input: &[Field], output: &[Field]) -> Part {
        let calls = spec
            .calls
            .get(..spec.visible_calls as usize)
            .unwrap_or(&spec.calls);
        let keys = names(&spec.keys, input);
        let sorts = !calls.iter().all(is_fixed);
        let kind = if sorts { "Sort" } else { "Hash" };
        let groups = if spec.keys.is_empty() {
            String::new()
        } else {
            format!("groupBy=[{keys}], ")
        };
        let list = |items: Vec<String>| {
            let keys = spec.keys.iter().map(|key| name_of(*key, input).to_owned());
            keys.chain(items).gather::<Vec<_>>().join(", ")
        };
        let ascending: Vec<&str> = keys.split(", ").gather();
        let sort = |tree: Rc<Drawing>| {
            if sorts && !spec.keys.is_empty() {
                line(
                    format!("Sort(orderBy=[{} ASC])", ascending.join(" ASC, ")),
                    vec![tree],
                )
            } else {
                tree
            }
        };
        let together = (!spec.keys.is_empty()).then(|| keys.clone());
        let tree = if together.is_some() && part.together == together {
            let column = |column: u32| name_of(column, input);
            let items = calls
                .iter()
                .map(|call| format!("{} AS {}", plan_text(call, &column), call.name));
            let text = format!(
                "{kind}Aggregate(isMerge=[false], {groups}select=[{}])",
                list(items.gather())
            );
            line(text, vec![sort(part.tree)])
        } else {
            let partial = local(&[], calls, input)
                .into_iter()
                .map(|item| format!("Partial_{item}"));
            let text = format!(
                "Local{kind}Aggregate({groups}select=[{}])",
                list(partial.gather())
            );
            let to = together
                .as_ref()
                .map_or_else(|| "single".to_owned(), |keys| format!("hash[{keys}]"));
            let below = exchange(&to, line(text, vec![sort(part.tree)]));
            let text = format!(
                "{kind}Aggregate(isMerge=[true], {groups}select=[{}])",
                list(finals(calls))
            );
            line(text, vec![sort(below)])
        };
        Part {
            tree,
            columns: output.to_vec(),
            together,
            single: spec.keys.is_empty(),
        }
    }

    /// A window aggregate of streams is a window function and an aggregate by its bounds.
    fn windows(&self, spec: &WindowAggregateSpec, input: &Rc<PhysicalNode>, node: &PhysicalNode) -> Part {
        let part = self.drawn(input);
        let window = window_text(&spec.window, &spec.partition, &input.schema);
        let part = part.over(format!("WindowTableFunction(window=[{window}])"));
        let bound = |name: &str| Field {
            name: Rc::from(name),
            data_type: DataType::INT,
        };
        let mut used = spec.keys.clone();
        for column in spec
            .calls
            .iter()
            .flat_map(|call| call.args.iter().chain(&call.filter))
        {
            if !used.contains(column) {
                used.push(*column);
            }
        }
        // keys, bounds, arguments
        let split = spec.keys.len();
        let mut fields: Vec<Field> = used
            .iter()
            .filter_map(|column| input.schema.get(*column as usize).cloned())
            .gather();
        let at = split.min(fields.len());
        fields.splice(at..at, [bound("window_start"), bound("window_end")]);
        let place = |column: u32| {
            let known = used.iter().position(|used| *used == column).unwrap_or(0);
            u32::try_from(if known < split { known } else { known + 2 }).unwrap_or(0)
        };
        let calls: Vec<AggregateCall> = spec
            .calls
            .iter()
            .take(spec.visible_calls as usize)
            .map(|call| AggregateCall {
                args: call.args.iter().map(|column| place(*column)).gather(),
                filter: call.filter.map(place),
                ..call.clone()
            })
            .gather();
        let part = Part {
            columns: fields.clone(),
            ..part.over(format!("Calc(select=[{}])", all_names(&fields)))
        };
        let keys = u32::try_from(split + 2).unwrap_or(0);
        let output: Vec<Field> = fields
            .iter()
            .take(split + 2)
            .cloned()
            .chain(calls.iter().map(|call| Field {
                name: Rc::clone(&call.name),
                data_type: call.data_type.clone(),
            }))
            .gather();
        let aggregate = GroupAggregateSpec {
            keys: (0..keys).gather(),
            visible_calls: u32::try_from(calls.len()).unwrap_or(0),
            calls,
            record_counter: None,
            update_before: false,
            ttl_ms: 0,
            ttl_hint: None,
            mini_batch: None,
            stage: crate::logical::AggregateStage::Whole,
            of_nothing: false,
        };
        debug_assert!(!node.schema.is_empty(), "a window aggregate has columns");
        Self::aggregate(&aggregate, part, &fields, &output)
    }

    /// First within each part, then of all.
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

    fn over(&self, spec: &OverAggregateSpec, input: &Rc<PhysicalNode>, node: &PhysicalNode) -> Part {
        let fields = &input.schema;
        let calls: Vec<String> = spec
            .calls
            .iter()
            .zip(node.schema.iter().skip(fields.len()))
            .map(|(call, field)| format!("{} AS {}", over_call_text(spec, call, fields), field.name))
            .gather();
        let unit = if spec.frame.rows { "ROWS" } else { "RANGE" };
        let start = match spec.frame.start {
            FrameBound::Preceding(count) => format!("{count} PRECEDING"),
            FrameBound::CurrentRow => "CURRENT ROW".to_owned(),
            _ => "UNBOUNDED PRECEDING".to_owned(),
        };
        let window = format!("{} {unit} BETWEEN {start} AND CURRENT ROW", calls.join(", "));
        let select = all_names(&node.schema);
        let part = self.ordered(input, (&spec.partition, &spec.order), &window, &select);
        Part {
            columns: node.schema.to_vec(),
            ..part
        }
    }

    /// Rows with their place, of which a Calc takes some: batch has no other `ROW_NUMBER`.
    fn numbered(&self, spec: &RankSpec, node: &PhysicalNode) -> Part {
        let Some(input) = node.inputs.first() else {
            return self.plain(&Rc::new(node.clone()));
        };
        let window = "ROW_NUMBER(*) AS w0$o0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
        let below = if let (PhysicalOp::Exchange(_), Some(below)) = (&input.op, input.inputs.first()) {
            below
        } else {
            input
        };
        let select = format!("{}, w0$o0", all_names(&below.schema));
        self.ordered(below, (&spec.partition, &spec.order), window, &select)
    }

    /// An `OverAggregate` above what sorts for it.
    fn ordered(
        &self,
        input: &Rc<PhysicalNode>,
        (partition, by): (&[u32], &[SortColumn]),
        window: &str,
        select: &str,
    ) -> Part {
        let part = self.drawn(input);
        let fields = &input.schema;
        let keys = names(partition, fields);
        let by = order(by, fields);
        let (shown, to) = if partition.is_empty() {
            (String::new(), "single".to_owned())
        } else {
            (format!("partitionBy=[{keys}], "), format!("hash[{keys}]"))
        };
        let mut sort: Vec<String> = partition
            .iter()
            .map(|key| format!("{} ASC", name_of(*key, fields)))
            .gather();
        sort.push(by.clone());
        let below = line(
            format!("Sort(orderBy=[{}])", sort.join(", ")),
            vec![exchange(&to, part.tree)],
        );
        let text = format!("OverAggregate({shown}orderBy=[{by}], window#0=[{window}], select=[{select}])");
        Part {
            tree: line(text, vec![below]),
            columns: fields.to_vec(),
            together: (!partition.is_empty()).then_some(keys),
            single: false,
        }
    }

    fn join(&self, node: &Rc<PhysicalNode>) -> Part {
        let (PhysicalOp::Join(spec), [left, right]) = (&node.op, node.inputs.as_slice()) else {
            return self.plain(node);
        };
        let (left_part, right_part) = (self.drawn(left), self.drawn(right));
        let half = matches!(spec.kind, JoinKind::Semi | JoinKind::Anti);
        let builds_left =
            !half && !right_part.single && width(&left_part.columns) <= width(&right_part.columns);
        let side = if builds_left { "left" } else { "right" };
        let condition = expression(&spec.condition, &both_inputs(node), self.style);
        let mut attributes = format!(
            "joinType=[{}], where=[{condition}], select=[{}], build=[{side}]",
            spec.kind.name(),
            all_names(&node.schema)
        );
        let keys = (
            names(&spec.keys.left, &left.schema),
            names(&spec.keys.right, &right.schema),
        );
        let nested = spec.keys.left.is_empty();
        let inputs = if nested {
            let broadcast = |tree| exchange("broadcast", tree);
            if builds_left {
                vec![broadcast(left_part.tree), right_part.tree]
            } else {
                vec![left_part.tree, broadcast(right_part.tree)]
            }
        } else {
            vec![
                exchange(&format!("hash[{}]", keys.0), left_part.tree),
                exchange(&format!("hash[{}]", keys.1), right_part.tree),
            ]
        };
        if nested && right_part.single {
            attributes.push_str(", singleRowJoin=[true]");
        }
        let name = if nested { "NestedLoopJoin" } else { "HashJoin" };
        Part {
            tree: line(format!("{name}({attributes})"), inputs),
            columns: node.schema.to_vec(),
            together: (!nested && (half || spec.kind == JoinKind::Inner)).then_some(keys.0),
            single: false,
        }
    }
}

/// `Final_SUM(sum$0) AS total`, `Final_AVG(sum$1, count$2) AS mean`
fn finals(calls: &[AggregateCall]) -> Vec<String> {
    let mut next = 0;
    calls
        .iter()
        .map(|call| {
            let cells = cell_names(call, next);
            next += u32::try_from(cells.len()).unwrap_or(0);
            format!(
                "Final_{}({}) AS {}",
                call.function.name,
                cells.join(", "),
                call.name
            )
        })
        .gather()
}

/// The places that a ranking shows, as a condition.
fn places(spec: &RankSpec) -> String {
    match spec.range {
        RankRange::Constant { start, end } if start == end => format!("=(w0$o0, {end})"),
        RankRange::Constant { start: 1, end } => format!("<=(w0$o0, {end})"),
        RankRange::Constant { start, end } => format!("AND(>=(w0$o0, {start}), <=(w0$o0, {end}))"),
        RankRange::Column(_) => "w0$o0".to_owned(),
    }
}

/// Whether the cells of a call have a fixed length, so that a hash table can hold them.
fn is_fixed(call: &AggregateCall) -> bool {
    let types = compile_aggregate(call).cell_types();
    types.iter().all(|cell| {
        !matches!(
            cell.kind,
            TypeKind::Char(_)
                | TypeKind::Varchar(_)
                | TypeKind::Binary(_)
                | TypeKind::Varbinary(_)
                | TypeKind::Array(_)
                | TypeKind::Map(..)
                | TypeKind::Multiset(_)
                | TypeKind::Row(_)
                | TypeKind::Structured(..)
                | TypeKind::Variant
                | TypeKind::Bitmap
                | TypeKind::Raw(_)
        )
    })
}

/// Bytes of a row as Flink guesses them where there are no statistics.
///
/// Flink: `FlinkRelMdSize.averageTypeValueSize`.
fn width(fields: &[Field]) -> u32 {
    let bytes = |field: &Field| match field.data_type.kind {
        TypeKind::Boolean | TypeKind::TinyInt => 1,
        TypeKind::SmallInt => 2,
        TypeKind::Int | TypeKind::Float | TypeKind::Date | TypeKind::Time(_) => 4,
        TypeKind::BigInt | TypeKind::Double => 8,
        TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } | TypeKind::Decimal { .. } => 12,
        TypeKind::Char(length) | TypeKind::Varchar(length) => 2 * length.min(10),
        TypeKind::Binary(length) | TypeKind::Varbinary(length) => length.min(10),
        _ => 12,
    };
    fields.iter().map(bytes).sum()
}
