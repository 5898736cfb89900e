//! Aggregations in batch: a local and a global phase, by hash tables or by sorting.

use std::rc::Rc;

use sg_expr::{
    AggregateCall,
    aggregate::{cell_names, plan_text},
    compile_aggregate,
};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::{
    super::{
        aggregate::local,
        group_window,
        line::{all_names, name_of, names},
        tree::Drawing,
        window::window_text,
    },
    Drawer, Part, distinct, exchange, line,
};
use crate::physical::node::{
    GroupAggregateSpec, GroupWindowAggregateSpec, PhysicalNode, WindowAggregateSpec,
};

impl Drawer {
    /// In two phases, unless equal keys are together already.
    pub(super) fn aggregate(
        spec: &GroupAggregateSpec,
        part: Part,
        input: &[Field],
        output: &[Field],
    ) -> Part {
        let calls = visible(spec);
        if let Some((values, counted)) = distinct::in_two_steps(spec) {
            let fields: Vec<Field> = values
                .keys
                .iter()
                .filter_map(|key| input.get(*key as usize).cloned())
                .gather();
            let part = Self::aggregate(&values, part, input, &fields);
            return Self::aggregate(&counted, part, &fields, output);
        }
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
        let to = together
            .as_ref()
            .map_or_else(|| "single".to_owned(), |keys| format!("hash[{keys}]"));
        let is_together = together.is_some() && part.together == together;
        let merges = calls
            .iter()
            .all(|call| call.function.mergeable && call.user.is_none());
        let tree = if is_together || !merges {
            let below = if is_together {
                part.tree
            } else {
                exchange(&to, part.tree)
            };
            let column = |column: u32| name_of(column, input);
            let items = calls
                .iter()
                .map(|call| format!("{} AS {}", plan_text(call, &column), call.name));
            let text = format!(
                "{kind}Aggregate(isMerge=[false], {groups}select=[{}])",
                list(items.gather())
            );
            line(text, vec![sort(below)])
        } else {
            let partial = local(&[], calls, input)
                .into_iter()
                .map(|item| format!("Partial_{item}"));
            let text = format!(
                "Local{kind}Aggregate({groups}select=[{}])",
                list(partial.gather())
            );
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
    pub(super) fn windows(
        &self,
        spec: &WindowAggregateSpec,
        input: &Rc<PhysicalNode>,
        node: &PhysicalNode,
    ) -> Part {
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

    /// A window of GROUP BY. Flink: `BatchPhysicalWindowAggregateRule`.
    pub(super) fn group_window(&self, spec: &GroupWindowAggregateSpec, input: &Rc<PhysicalNode>) -> Part {
        let part = self.drawn(input);
        let fields = &input.schema;
        let calls = spec
            .calls
            .get(..spec.visible_calls as usize)
            .unwrap_or(&spec.calls);
        let kind = if calls.iter().all(is_fixed) {
            "Hash"
        } else {
            "Sort"
        };
        let keys: Vec<String> = spec
            .keys
            .iter()
            .map(|key| name_of(*key, fields).to_owned())
            .gather();
        let sorted = |by: &str, tree: Rc<Drawing>| {
            if kind == "Hash" {
                return tree;
            }
            let by = keys.iter().map(String::as_str).chain([by]);
            let by: Vec<String> = by.map(|name| format!("{name} ASC")).gather();
            line(format!("Sort(orderBy=[{}])", by.join(", ")), vec![tree])
        };
        let text = |phase: &str, items: Vec<String>| {
            let mut parts = group_window::window_attributes(spec, fields);
            let items: Vec<String> = keys.iter().cloned().chain(items).gather();
            parts.push(format!("select=[{}]", items.join(", ")));
            format!("{phase}{kind}WindowAggregate({})", parts.join(", "))
        };
        let to = if keys.is_empty() {
            "single".to_owned()
        } else {
            format!("hash[{}]", keys.join(", "))
        };
        let tree = if calls
            .iter()
            .all(|call| call.function.mergeable && call.user.is_none())
        {
            let partial = local(&[], calls, fields);
            let partial = partial.iter().map(|item| format!("Partial_{item}"));
            let below = line(
                text("Local", partial.gather()),
                vec![sorted(&spec.time_name, part.tree)],
            );
            let above = sorted("assignedWindow$", exchange(&to, below));
            // a filter is looked up among the columns of the first phase, where it stands no more
            let mut passed = keys.clone();
            passed.push("assignedWindow$".to_owned());
            let mut next = 0;
            for call in calls {
                let cells = cell_names(call, next);
                next += u32::try_from(cells.len()).unwrap_or(0);
                passed.extend(cells);
            }
            let items = finals(calls).into_iter().zip(calls).map(|(item, call)| {
                let filter = call.filter.and_then(|column| passed.get(column as usize));
                match (filter, item.rsplit_once(" AS ")) {
                    (Some(filter), Some((item, name))) => format!("{item} FILTER {filter} AS {name}"),
                    _ => item,
                }
            });
            line(text("", items.gather()), vec![above])
        } else {
            let column = |column: u32| name_of(column, fields);
            let items = calls
                .iter()
                .map(|call| format!("{} AS {}", plan_text(call, &column), call.name));
            let below = sorted(&spec.time_name, exchange(&to, part.tree));
            line(text("", items.gather()), vec![below])
        };
        Part {
            tree,
            columns: Vec::new(),
            together: (!keys.is_empty()).then(|| keys.join(", ")),
            single: false,
        }
    }
}

/// The calls that are in the output.
pub(super) fn visible(spec: &GroupAggregateSpec) -> &[AggregateCall] {
    spec.calls
        .get(..spec.visible_calls as usize)
        .unwrap_or(&spec.calls)
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
