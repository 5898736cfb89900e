//! Where two queries over the same stream say different things about the same key.

use std::rc::Rc;

use sg_plan::job::JobGraph;
use sg_plan::physical::node::PhysicalOp;
use sg_value::{Field, Gather as _, RowKind, Value, format, ordered_map::OrderedMap};

use crate::arrivals::Timed;
use crate::dto::{Bilingual, WhyCard};
use crate::lane::Lane;
use crate::view::is_numeric;

/// The first key for which the two results disagree.
pub(super) fn cards(
    lanes: &mut [Option<Lane>],
    slots: &[(Vec<Timed>, Timed)],
    query: usize,
    taken: u32,
) -> Option<WhyCard> {
    let [Some(left), Some(right)] = lanes else {
        return None;
    };
    if query > 1 {
        return None;
    }
    let (a, b) = (
        Table::after(left, slots, taken)?,
        Table::after(right, slots, taken)?,
    );
    let shared: Vec<(usize, usize)> = a
        .columns
        .iter()
        .enumerate()
        .filter_map(|(at, name)| Some((at, b.columns.iter().position(|other| other == name)?)))
        .gather();
    let is_key = |at: &usize| !a.numeric.get(*at).copied().unwrap_or(true);
    let keys: Vec<(usize, usize)> = shared.iter().copied().filter(|(at, _)| is_key(at)).gather();
    let values: Vec<(usize, usize)> = shared.iter().copied().filter(|(at, _)| !is_key(at)).gather();
    if keys.is_empty() || values.is_empty() {
        return None;
    }
    let rows: Vec<&Vec<Value>> = b.rows.iter().map(|(row, _)| row).gather();
    let mut by_key = Rows::default();
    for (at, row) in (0..).zip(&rows) {
        by_key.insert(keys.iter().map(|(_, of_b)| text(row, *of_b)).gather(), at);
    }
    for (row, _) in &a.rows {
        let key: Vec<Value> = keys.iter().map(|(at, _)| text(row, *at)).gather();
        let other = by_key
            .get(&key)
            .and_then(|at| rows.get(usize::try_from(*at).ok()?));
        let Some(other) = other else { continue };
        if let Some((at, other_at)) = values
            .iter()
            .find(|(at, other_at)| cell(row, *at) != cell(other, *other_at))
        {
            let column = a.columns.get(*at).map_or("", String::as_str);
            let key: Vec<&str> = keys.iter().map(|(at, _)| cell(row, *at)).gather();
            return Some(card(&key, column, cell(row, *at), cell(other, *other_at)));
        }
    }
    None
}

/// Rows of texts, each with a number.
type Rows = OrderedMap<Vec<Value>, i64>;

fn cell(row: &[Value], at: usize) -> &str {
    row.get(at).and_then(Value::as_str).unwrap_or_default()
}

fn text(row: &[Value], at: usize) -> Value {
    row.get(at).cloned().unwrap_or_else(|| Value::from(""))
}

fn card(key: &[&str], column: &str, a: &str, b: &str) -> WhyCard {
    let key = key.join(" ");
    WhyCard {
        id: "queries-differ".to_owned(),
        tone: "plain",
        heading: Bilingual::new(
            format!("A and B disagree on {key}"),
            format!("A 与 B 对 {key} 的结果不同"),
        ),
        body: Bilingual::new(
            format!(
                "`{column}` is **{a}** in A and **{b}** in B. A sealed row no longer changes; an open group still does."
            ),
            format!(
                "`{column}` 在 A 中为 **{a}**，在 B 中为 **{b}**。已封闭的行不再变化，未封闭的分组仍会更新。"
            ),
        ),
        gauge: None,
        moves: Vec::new(),
        resolved: false,
    }
}

/// A result, materialised: texts of its rows with how often each is there.
struct Table {
    columns: Vec<String>,
    numeric: Vec<bool>,
    rows: Rows,
}

impl Table {
    fn after(lane: &mut Lane, slots: &[(Vec<Timed>, Timed)], taken: u32) -> Option<Self> {
        let graph = Rc::clone(&lane.graph);
        let schema = result_schema(&graph)?;
        let mut table = Self {
            columns: schema.iter().map(|field| field.name.to_string()).gather(),
            numeric: schema
                .iter()
                .map(|field| is_numeric(&field.data_type.kind))
                .gather(),
            rows: Rows::default(),
        };
        lane.at(0, slots, |probe| {
            for (before, timed) in slots.iter().take(taken as usize) {
                probe.push_with(before, timed);
                for output in probe.job.outputs() {
                    let cells = output.row.iter().zip(schema.iter());
                    let row: Vec<Value> = cells
                        .map(|(value, field)| format::cell_text(value, &field.data_type).as_str().into())
                        .gather();
                    table.take(output.kind, &row);
                }
            }
        });
        Some(table)
    }

    fn take(&mut self, kind: RowKind, row: &[Value]) {
        let count = self.rows.entry(row.to_vec());
        *count += if kind.retracts() { -1 } else { 1 };
        if *count <= 0 {
            self.rows.remove(row);
        }
    }
}

/// Columns of the one query result of a job.
fn result_schema(graph: &JobGraph) -> Option<Rc<[Field]>> {
    let mut sinks = graph
        .operators
        .iter()
        .filter(|operator| matches!(operator.op, PhysicalOp::Sink(_)));
    let sink = sinks.next()?;
    sinks.next().is_none().then(|| Rc::clone(&sink.schema))
}
