//! An aggregation by a group window becomes a node of its own: the window is no key any more, and its bounds are columns.
//!
//! Flink: `StreamLogicalWindowAggregateRule`, `WindowPropertiesRule`, `WindowPropertiesHavingRule`. The columns of its
//! input are named anew: after the columns that they are, else by their position.
//! Cases: group-window/*.

use std::rc::Rc;

use indexmap::IndexSet;
use sg_diag::{Diagnostics, Span};
use sg_expr::{Expr, ExprKind, aggregate::AggregateContext, planned_function, resolve_aggregate};
use sg_value::{DataType, Field, Gather as _, TimeKind, TypeKind};

use super::{
    Kinds, Rule, RuleContext,
    join_expressions::alias,
    project_merge::MergeProjects,
    project_watermark::assigner_over,
    rewrite::{is_volatile, reads, substitute},
};
use crate::{
    Settings,
    logical::{AggregateNode, FilterNode, GroupWindowNode, LogicalNode, LogicalOp, ProjectNode, name_calls},
    physical::node::{WindowKind, WindowProperty, WindowSource, WindowSpec},
};

pub(super) struct GroupWindow;

/// The window among the keys of an aggregation.
struct Found {
    /// Its position among the keys.
    key: u32,
    /// Its column in the aggregation's input.
    column: u32,
    kind: WindowKind,
    time: Expr,
    span: Span,
}

impl Rule for GroupWindow {
    fn name(&self) -> &'static str {
        "group-window"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let LogicalOp::Project(project) = &node.op else {
            return None;
        };
        let below = node.inputs.first()?;
        let (filter, grouped) = match &below.op {
            LogicalOp::Filter(filter) => (Some(filter), below.inputs.first()?),
            _ => (None, below),
        };
        let LogicalOp::Aggregate(aggregate) = &grouped.op else {
            return None;
        };
        let (expressions, base) = projection(grouped.inputs.first()?)?;
        let found = find(aggregate, &expressions)?;
        windowed(
            node,
            (project, filter),
            (grouped, aggregate),
            (expressions, base, found),
            cx,
        )
    }
}

/// Two projections above a group window are one before the window gets its node, so that bounds which nobody reads are none:
/// `RelBuilder` makes no projection of a projection. Case: group-window/bounds-that-nobody-reads.
pub(super) struct MergeAboveGroupWindow;

impl Rule for MergeAboveGroupWindow {
    fn name(&self) -> &'static str {
        "merge-above-group-window"
    }

    fn needs(&self) -> Kinds {
        Kinds::AGGREGATE
    }

    fn apply(&self, node: &Rc<LogicalNode>, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
        let mut below = node.inputs.first()?;
        if !matches!(
            (&node.op, &below.op),
            (LogicalOp::Project(_), LogicalOp::Project(_))
        ) {
            return None;
        }
        while matches!(below.op, LogicalOp::Project(_) | LogicalOp::Filter(_)) {
            below = below.inputs.first()?;
        }
        let LogicalOp::Aggregate(aggregate) = &below.op else {
            return None;
        };
        let (expressions, _) = projection(below.inputs.first()?)?;
        find(aggregate, &expressions)?;
        MergeProjects.apply(node, cx)
    }
}

#[inline(never)]
fn windowed(
    node: &Rc<LogicalNode>,
    (project, filter): (&ProjectNode, Option<&FilterNode>),
    (grouped, aggregate): (&LogicalNode, &AggregateNode),
    (expressions, base, found): (Vec<Expr>, Rc<LogicalNode>, Found),
    cx: &mut RuleContext<'_>,
) -> Option<Rc<LogicalNode>> {
    let below = node.inputs.first()?;
    let bounds = project
        .expressions
        .iter()
        .chain(filter.map(|filter| &filter.condition))
        .any(|expr| asks_for_bound(expr, found.key));

    let Shared {
        expressions,
        aggregate,
        found,
        repeats_time,
    } = shared_time(expressions, aggregate.clone(), found);
    let aggregate = &aggregate;
    let names = names(&expressions, &base, &found);
    let mut projected = expressions;
    *projected.get_mut(found.column as usize)? = found.time.clone();
    let span = grouped.span;
    let input = match picked(&projected, &base, cx).filter(|_| repeats_time) {
        Some(input) => input,
        None => cx.builder.project_always(base, projected, &names, span),
    };
    let window = window_node(aggregate, &input, &found, (bounds, cx.settings))?;
    let fields = fields(&window, &input, &found)?;
    let above = columns_above(aggregate, &grouped.schema, &found, &fields);
    let op = LogicalOp::GroupWindow(window.clone());
    let mut result = cx.builder.node(op, vec![input], fields.clone(), span);
    let above = Above {
        key: found.key,
        columns: &above,
        window: &window,
        fields: &fields,
    };
    if let Some(filter) = filter {
        let condition = above.expression(&filter.condition);
        result = cx.builder.filter(result, condition, below.span);
    }
    let expressions = project
        .expressions
        .iter()
        .map(|expr| above.expression(expr))
        .gather();
    let names: Vec<Rc<str>> = node.schema.iter().map(|field| Rc::clone(&field.name)).gather();
    Some(cx.builder.project_always(result, expressions, &names, node.span))
}

/// What the window's node is made of.
struct Shared {
    expressions: Vec<Expr>,
    aggregate: AggregateNode,
    found: Found,
    /// Whether a call reads the window's time.
    repeats_time: bool,
}

/// A call that reads the window's time reads the column of the window, whose value is then taken once for both.
/// Case: group-window/value-of-the-windows-time.
fn shared_time(mut expressions: Vec<Expr>, mut aggregate: AggregateNode, mut found: Found) -> Shared {
    let time = found.time.as_column();
    let other = (0_u32..).zip(&expressions).find(|(at, expr)| {
        time.is_some() && *at != found.column && expr.as_column() == time && !aggregate.keys.contains(at)
    });
    let other = other.map(|(at, _)| at);
    if let Some(other) = other {
        let (kept, left_out) = (found.column.min(other), found.column.max(other));
        let moved = |column: u32| match column {
            column if column == left_out || column == kept => kept,
            column => column - u32::from(column > left_out),
        };
        expressions.remove(left_out as usize);
        let columns = aggregate
            .calls
            .iter_mut()
            .flat_map(|call| call.args.iter_mut().chain(&mut call.filter));
        for column in columns.chain(&mut aggregate.keys).chain([&mut found.column]) {
            *column = moved(*column);
        }
    }
    Shared {
        expressions,
        aggregate,
        found,
        repeats_time: other.is_some(),
    }
}

/// The columns picked below a watermark assigner: a projection above it that repeats the time is no use to the window.
fn picked(expressions: &[Expr], base: &LogicalNode, cx: &mut RuleContext<'_>) -> Option<Rc<LogicalNode>> {
    let columns: Vec<u32> = expressions.iter().map(Expr::as_column).gather::<Option<_>>()?;
    let (input, _) = assigner_over(&columns, base, cx).filter(|_| columns.len() < base.schema.len())?;
    (input.schema.len() == columns.len()).then_some(input)
}

/// All projections from here on as one, and what is below them.
fn projection(node: &Rc<LogicalNode>) -> Option<(Vec<Expr>, Rc<LogicalNode>)> {
    let LogicalOp::Project(project) = &node.op else {
        return None;
    };
    let mut expressions = project.expressions.clone();
    let mut base = Rc::clone(node.inputs.first()?);
    while let LogicalOp::Project(lower) = &base.op {
        let counts = reads(&expressions, lower.expressions.len());
        let twice = |(expr, count): (&Expr, usize)| count > 1 && is_volatile(expr);
        if lower.expressions.iter().zip(counts).any(twice) {
            break;
        }
        expressions = expressions
            .iter()
            .map(|expr| substitute(expr, &lower.expressions))
            .gather();
        let input = Rc::clone(base.inputs.first()?);
        base = input;
    }
    Some((expressions, base))
}

fn find(aggregate: &AggregateNode, expressions: &[Expr]) -> Option<Found> {
    (0_u32..).zip(&aggregate.keys).find_map(|(key, column)| {
        let expr = expressions.get(*column as usize)?;
        let ExprKind::Call { function, args } = &expr.kind else {
            return None;
        };
        let (time, lengths) = args.split_first()?;
        let lengths: Vec<i64> = lengths
            .iter()
            .filter_map(|length| length.as_literal()?.as_int())
            .gather();
        let kind = match (function.name, lengths.as_slice()) {
            ("$TUMBLE", [size_ms]) => WindowKind::Tumble {
                size_ms: *size_ms,
                offset_ms: 0,
            },
            ("$HOP", [slide_ms, size_ms]) => WindowKind::Hop {
                slide_ms: *slide_ms,
                size_ms: *size_ms,
                offset_ms: 0,
            },
            ("$SESSION", [gap_ms]) => WindowKind::Session { gap_ms: *gap_ms },
            ("$CUMULATE", [step_ms, max_size_ms, offset @ ..]) => WindowKind::Cumulate {
                step_ms: *step_ms,
                max_size_ms: *max_size_ms,
                offset_ms: offset.first().copied().unwrap_or(0),
            },
            _ => return None,
        };
        Some(Found {
            key,
            column: *column,
            kind,
            time: time.clone(),
            span: expr.span,
        })
    })
}

/// The bound that a call asks for, if it is about this key.
fn bound_of(expr: &Expr, key: u32) -> Option<&'static str> {
    match &expr.kind {
        ExprKind::Call { function, args } => match args.as_slice() {
            [arg] if arg.as_column() == Some(key) => {
                let suffixes = ["_START", "_END", "_ROWTIME", "_PROCTIME"];
                let windows = ["TUMBLE", "HOP", "SESSION", "CUMULATE"];
                let is_bound = windows.iter().any(|window| {
                    let rest = function.name.strip_prefix(window);
                    rest.is_some_and(|rest| suffixes.contains(&rest))
                });
                is_bound.then_some(function.name)
            }
            _ => None,
        },
        _ => None,
    }
}

fn asks_for_bound(expr: &Expr, key: u32) -> bool {
    match &expr.kind {
        ExprKind::Call { args, .. } => {
            bound_of(expr, key).is_some() || args.iter().any(|arg| asks_for_bound(arg, key))
        }
        _ => false,
    }
}

/// Names of the input's columns. Calcite: `RelBuilder.project` without names.
fn names(expressions: &[Expr], base: &Rc<LogicalNode>, found: &Found) -> Vec<Rc<str>> {
    let mut used: IndexSet<Rc<str>> = IndexSet::new();
    let mut names = Vec::with_capacity(expressions.len());
    for (at, expr) in expressions.iter().enumerate() {
        let is_time = at == found.column as usize;
        let expr = if is_time { &found.time } else { expr };
        let own = match expr.as_column() {
            Some(column) if !is_bound_column(base, column) => base
                .schema
                .get(column as usize)
                .map(|field| Rc::clone(&field.name)),
            // Flink computes a function of the window's time below, behind all columns.
            None if is_time && is_proctime(expr) => Some(Rc::from(format!("$f{}", base.schema.len()))),
            // CAST(id AS STRING) is called id
            None => alias(expr, base),
            _ => None,
        };
        let name = free_name(own, at, &used);
        used.insert(Rc::clone(&name));
        names.push(name);
    }
    names
}

fn is_proctime(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { function, .. } if function.name == "PROCTIME")
}

/// Whether a column is a bound of a group window below: such a column was a call when Flink names columns.
fn is_bound_column(node: &Rc<LogicalNode>, column: u32) -> bool {
    match &node.op {
        LogicalOp::Filter(_) => node
            .inputs
            .first()
            .is_some_and(|input| is_bound_column(input, column)),
        LogicalOp::GroupWindow(window) => column as usize >= window.keys.len() + window.calls.len(),
        _ => false,
    }
}

fn free_name(own: Option<Rc<str>>, at: usize, used: &IndexSet<Rc<str>>) -> Rc<str> {
    let mut number = at;
    match own {
        Some(name) if !used.contains(&name) => name,
        Some(name) => {
            let numbered = (0_usize..).map(|number| Rc::from(format!("{name}{number}")));
            let mut free = numbered.filter(|name: &Rc<str>| !used.contains(name));
            free.next().unwrap_or(name)
        }
        None => loop {
            let name: Rc<str> = Rc::from(format!("$f{number}"));
            if !used.contains(&name) {
                break name;
            }
            number += 1;
        },
    }
}

fn window_node(
    aggregate: &AggregateNode,
    input: &LogicalNode,
    found: &Found,
    (bounds, settings): (bool, &Settings),
) -> Option<GroupWindowNode> {
    let rowtime = found.time.data_type.is_rowtime();
    let keys: Vec<u32> = aggregate
        .keys
        .iter()
        .copied()
        .filter(|column| *column != found.column)
        .gather();
    let mut calls = aggregate.calls.clone();
    for (at, call) in calls.iter_mut().enumerate() {
        if *call.name == *format!("$f{}", aggregate.keys.len() + at) {
            call.name = Rc::from("");
        }
        // Without another key Flink takes the aggregation for one of everything, whose results can be NULL.
        let context = AggregateContext {
            distinct: call.distinct,
            filtered: call.filter.is_some(),
            grouped: !keys.is_empty(),
        };
        let mut diags = Diagnostics::new();
        let name = call.function.name;
        if let Some((_, data_type)) = resolve_aggregate(name, &call.arg_types, context, call.span, &mut diags)
        {
            call.data_type = data_type;
        }
    }
    let key_names: Vec<Rc<str>> = keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize))
        .map(|field| Rc::clone(&field.name))
        .gather();
    name_calls(&mut calls, &key_names);
    let mut properties = Vec::new();
    if bounds {
        properties.extend([WindowProperty::Start, WindowProperty::End]);
        if rowtime {
            properties.push(WindowProperty::Rowtime);
        }
        // batch has no such column beside one of event time
        if !settings.batch || !rowtime {
            properties.push(WindowProperty::Proctime);
        }
    }
    let zone = match found.time.data_type.kind {
        TypeKind::TimestampLtz { .. } => Rc::clone(&settings.zone),
        _ => Rc::from("UTC"),
    };
    Some(GroupWindowNode {
        window: WindowSpec {
            kind: found.kind,
            source: WindowSource::TimeColumn(found.column),
            rowtime,
            zone,
            span: found.span,
        },
        time_name: Rc::clone(&input.schema.get(found.column as usize)?.name),
        keys,
        calls,
        properties,
    })
}

/// `[keys…, calls…, w$start, w$end, w$rowtime, w$proctime]`
fn fields(window: &GroupWindowNode, input: &LogicalNode, found: &Found) -> Option<Vec<Field>> {
    let mut fields: Vec<Field> = window
        .keys
        .iter()
        .map(|key| input.schema.get(*key as usize).cloned())
        .gather::<Option<_>>()?;
    fields.extend(window.calls.iter().map(|call| Field {
        name: Rc::clone(&call.name),
        data_type: call.data_type.clone(),
    }));
    let bound = DataType::not_null(TypeKind::Timestamp {
        precision: 3,
        time: TimeKind::Regular,
    });
    for property in &window.properties {
        let (name, data_type) = match property {
            WindowProperty::Start => ("w$start", bound.clone()),
            WindowProperty::End => ("w$end", bound.clone()),
            WindowProperty::Rowtime => ("w$rowtime", found.time.data_type.with_nullable(true)),
            WindowProperty::Proctime => (
                "w$proctime",
                DataType::not_null(TypeKind::TimestampLtz {
                    precision: 3,
                    time: TimeKind::Proctime,
                }),
            ),
        };
        fields.push(Field {
            name: Rc::from(name),
            data_type,
        });
    }
    Some(fields)
}

/// By column of the aggregation: the same over the window's node, of the type that it had.
fn columns_above(aggregate: &AggregateNode, before: &[Field], found: &Found, fields: &[Field]) -> Vec<Expr> {
    let key_count = aggregate.keys.len();
    before
        .iter()
        .enumerate()
        .map(|(at, own)| {
            let key = found.key as usize;
            let to = if at > key || at >= key_count {
                at.saturating_sub(1)
            } else {
                at
            };
            let (Ok(column), Some(field)) = (u32::try_from(to), fields.get(to)) else {
                return Expr::invalid(Span::default());
            };
            let column = Expr::column(column, field.data_type.clone(), Span::default());
            if at < key_count || field.data_type == own.data_type {
                return column;
            }
            planned_function("CAST").map_or(column.clone(), |function| Expr {
                kind: ExprKind::Call {
                    function,
                    args: vec![column],
                },
                data_type: own.data_type.clone(),
                span: Span::default(),
            })
        })
        .gather()
}

/// What stands for the aggregation above the window's node.
struct Above<'a> {
    /// The window's position among the keys.
    key: u32,
    /// By column of the aggregation: the same over the window's node.
    columns: &'a [Expr],
    window: &'a GroupWindowNode,
    fields: &'a [Field],
}

impl Above<'_> {
    /// An expression over the aggregation, over the window's node instead.
    fn expression(&self, expr: &Expr) -> Expr {
        if let Some(column) = bound_of(expr, self.key).and_then(|name| self.bound(name, expr)) {
            return column;
        }
        match &expr.kind {
            ExprKind::Column(column) => match self.columns.get(*column as usize) {
                Some(above) => Expr {
                    span: expr.span,
                    ..above.clone()
                },
                None => expr.clone(),
            },
            ExprKind::Call { function, args } => {
                let args = args.iter().map(|arg| self.expression(arg)).gather();
                Expr {
                    kind: ExprKind::Call { function, args },
                    ..expr.clone()
                }
            }
            ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
        }
    }

    fn bound(&self, name: &str, call: &Expr) -> Option<Expr> {
        let span = call.span;
        let property = match name.rsplit_once('_')?.1 {
            "START" => WindowProperty::Start,
            "END" => WindowProperty::End,
            "ROWTIME" => WindowProperty::Rowtime,
            _ => WindowProperty::Proctime,
        };
        let at = self
            .window
            .properties
            .iter()
            .position(|other| *other == property)?;
        let column = self.window.keys.len() + self.window.calls.len() + at;
        let data_type = self.fields.get(column)?.data_type.clone();
        let found = Expr::column(u32::try_from(column).ok()?, data_type, span);
        Some(if property == WindowProperty::Proctime {
            Expr {
                kind: ExprKind::Call {
                    function: planned_function("CAST")?,
                    args: vec![found],
                },
                data_type: call.data_type.clone(),
                span,
            }
        } else {
            found
        })
    }
}
