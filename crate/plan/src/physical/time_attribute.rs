//! Where a time attribute stays one and where it becomes a plain timestamp.
//!
//! Flink: `RelTimeIndicatorConverter`. A plain reference keeps the attribute, a call takes its value: a rowtime
//! argument is wrapped in a CAST to the plain type, a proctime argument in `PROCTIME_MATERIALIZE`, which is what
//! plans show (`CURRENT_WATERMARK(CAST(ts AS TIMESTAMP(3)))`). Grouping and aggregating take values, too, except that
//! a window aggregation keeps its `window_time`. A processing-time attribute has no value inside rows: it is
//! materialised where rows leave the plan.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind};
use sg_value::{DataType, Field, Gather as _};

use super::{
    expression::call,
    timed::{Timed, timed},
    window_property::window_properties,
};
use crate::logical::{
    AggregateNode, FilterNode, GroupWindowNode, JoinNode, LogicalNode, LogicalOp, MatchNode, ProjectNode,
    ReferenceKind, condition_fields, correlate_schema, join_schema,
};

/// The tree with every use of a time attribute as a value made explicit; schemas carry the attributes that are left.
pub(super) fn materialize(root: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    if matches!(root.op, LogicalOp::Sink(_)) {
        let inputs = root
            .inputs
            .iter()
            .map(|input| materialize_proctimes(&convert(input)))
            .gather();
        return rebuild(root, root.op.clone(), inputs, root.schema.to_vec());
    }
    materialize_proctimes(&convert(root))
}

/// The columns of a tree with the time attributes that are left.
pub(crate) fn kept(root: &Rc<LogicalNode>) -> Rc<[Field]> {
    Rc::clone(&convert(root).schema)
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
fn convert(node: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    let inputs: Vec<Rc<LogicalNode>> = node.inputs.iter().map(convert).gather();
    let input = inputs
        .first()
        .map(|input| Rc::clone(&input.schema))
        .unwrap_or_default();
    let (op, fields) = match &node.op {
        LogicalOp::Scan(scan) => {
            let fields = if scan.source_watermark {
                node.schema.to_vec()
            } else {
                node.schema.iter().map(plain).gather()
            };
            (node.op.clone(), fields)
        }
        LogicalOp::Watermark(watermark) => {
            let mut fields = input.to_vec();
            let rowtime = watermark.rowtime as usize;
            if let (Some(field), Some(declared)) = (fields.get_mut(rowtime), node.schema.get(rowtime)) {
                *field = declared.clone();
            }
            (node.op.clone(), fields)
        }
        LogicalOp::Project(project) => {
            let expressions: Vec<Expr> = project
                .expressions
                .iter()
                .map(|expr| value_of_calls(expr, &input))
                .gather();
            let fields = names(node)
                .zip(&expressions)
                .map(|(name, expr)| field(name, &expr.data_type))
                .gather();
            (LogicalOp::Project(ProjectNode { expressions }), fields)
        }
        LogicalOp::Filter(filter) => {
            let condition = value_of_calls(&filter.condition, &input);
            (LogicalOp::Filter(FilterNode { condition }), input.to_vec())
        }
        LogicalOp::Expand(expand) => {
            let mut expand = expand.clone();
            for expr in expand.projections.iter_mut().flatten() {
                *expr = value_of_calls(expr, &input);
            }
            let first = expand.projections.first().map(Vec::as_slice).unwrap_or_default();
            let fields = node
                .schema
                .iter()
                .zip(first)
                .map(|(own, expr)| kept_attribute(own, expr))
                .gather();
            (LogicalOp::Expand(expand), fields)
        }
        LogicalOp::Aggregate(aggregate) => return convert_aggregate(node, aggregate, &inputs),
        LogicalOp::GroupWindow(window) => return convert_group_window(node, window, &inputs),
        LogicalOp::WindowTvf(_) => {
            let added = node.schema.iter().skip(input.len());
            (node.op.clone(), input.iter().chain(added).cloned().gather())
        }
        LogicalOp::Correlate(correlate) => {
            let mut changed = correlate.clone();
            for arg in &mut changed.args {
                *arg = value_of_calls(arg, &input);
            }
            let fields = correlate_schema(&input, &changed);
            (LogicalOp::Correlate(changed), fields)
        }
        LogicalOp::Join(join) => return convert_join(node, join, &inputs),
        LogicalOp::Union(_) | LogicalOp::SetOp(_) => {
            let fields = names(node)
                .zip(input.iter())
                .map(|(name, other)| field(name, &other.data_type))
                .gather();
            (node.op.clone(), fields)
        }
        LogicalOp::Sort(_) => (node.op.clone(), input.to_vec()),
        LogicalOp::Over(_) | LogicalOp::Rank(_) => {
            let own = node.schema.iter().skip(input.len()).map(plain);
            (node.op.clone(), input.iter().cloned().chain(own).gather())
        }
        LogicalOp::Match(matched) => convert_match(node, matched, &input),
        LogicalOp::Snapshot(_) => (node.op.clone(), input.to_vec()),
        LogicalOp::Values(_) | LogicalOp::Sink(_) => (node.op.clone(), node.schema.to_vec()),
    };
    rebuild(node, op, inputs, fields)
}

/// Arguments and group keys are values; `window_time` of a window aggregation is not taken as one.
fn convert_aggregate(
    node: &Rc<LogicalNode>,
    aggregate: &AggregateNode,
    inputs: &[Rc<LogicalNode>],
) -> Rc<LogicalNode> {
    let Some(input) = inputs.first() else {
        return Rc::clone(node);
    };
    let mut taken: Vec<u32> = aggregate
        .calls
        .iter()
        .flat_map(|call| call.args.iter().copied())
        .gather();
    let window = window_properties(input).filter(|window| window.is_grouped_by(aggregate));
    taken.extend(
        aggregate
            .keys
            .iter()
            .filter(|key| window.as_ref().is_none_or(|window| !window.times.contains(key))),
    );
    let input = materialize_columns(input, |at, data_type| {
        is_attribute(data_type) && taken.contains(&at)
    });
    let mut aggregate = aggregate.clone();
    for call in &mut aggregate.calls {
        for (arg, arg_type) in call.args.iter().zip(&mut call.arg_types) {
            if let Some(column) = input.schema.get(*arg as usize) {
                *arg_type = column.data_type.clone();
            }
        }
        call.data_type = call.data_type.without_time_attribute();
    }
    let keys = aggregate
        .keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize));
    let mut types: Vec<DataType> = keys.map(|column| column.data_type.clone()).gather();
    types.extend(aggregate.calls.iter().map(|call| call.data_type.clone()));
    let fields = names(node)
        .zip(&types)
        .map(|(name, data_type)| field(name, data_type))
        .gather();
    rebuild(node, LogicalOp::Aggregate(aggregate), vec![input], fields)
}

/// A join that is not about time takes the values of all time attributes of its inputs.
fn convert_join(node: &Rc<LogicalNode>, join: &JoinNode, inputs: &[Rc<LogicalNode>]) -> Rc<LogicalNode> {
    let [left, right] = inputs else {
        return Rc::clone(node);
    };
    let kept = timed(join, left, right);
    if !matches!(kept, Timed::Regular) {
        let columns = condition_fields(&left.schema, &right.schema);
        let timed = JoinNode {
            condition: with_types_of(&join.condition, &columns),
            ..join.clone()
        };
        let fields = join_schema(join.kind, &left.schema, &right.schema);
        let joined = rebuild(node, LogicalOp::Join(timed), inputs.to_vec(), fields);
        if matches!(kept, Timed::Temporal(..)) {
            // The time of a version is a value from here on.
            let width = u32::try_from(left.schema.len()).unwrap_or(u32::MAX);
            return materialize_columns(&joined, |at, data_type| at >= width && is_attribute(data_type));
        }
        return joined;
    }
    let left = materialize_columns(left, |_, data_type| is_attribute(data_type));
    let right = materialize_columns(right, |_, data_type| is_attribute(data_type));
    let columns = condition_fields(&left.schema, &right.schema);
    // a time that is cast to the type of an attribute stays one: the inputs have none left
    let condition = if casts_to_rowtime(&join.condition) {
        with_types_of(&join.condition, &columns)
    } else {
        value_of_calls(&join.condition, &columns)
    };
    let join = JoinNode {
        condition,
        ..join.clone()
    };
    let fields = join_schema(join.kind, &left.schema, &right.schema);
    rebuild(node, LogicalOp::Join(join), vec![left, right], fields)
}

/// What is read of rows is values; only the time of the match itself is an attribute.
fn convert_match(node: &LogicalNode, matched: &MatchNode, input: &[Field]) -> (LogicalOp, Vec<Field>) {
    let mut matched = matched.clone();
    let types: Vec<Field> = matched
        .references
        .iter()
        .map(|reference| Field {
            name: Rc::from(""),
            data_type: match reference.kind {
                ReferenceKind::Rowtime(_) | ReferenceKind::Proctime => reference.data_type.clone(),
                ReferenceKind::Field { .. } | ReferenceKind::Aggregate { .. } => {
                    reference.data_type.without_time_attribute()
                }
            },
        })
        .gather();
    for expr in matched
        .measures
        .iter_mut()
        .chain(matched.define.iter_mut().map(|(_, expr)| expr))
    {
        *expr = value_of_calls(expr, &types);
    }
    let partition = matched
        .partition
        .iter()
        .filter_map(|column| input.get(*column as usize))
        .map(plain);
    let measures = names(node)
        .skip(matched.partition.len())
        .zip(&matched.measures)
        .map(|(name, expr)| field(name, &expr.data_type));
    let fields = partition.chain(measures).gather();
    (LogicalOp::Match(Rc::new(matched)), fields)
}

fn casts_to_rowtime(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { function, args } => {
            function.name == "CAST" && expr.data_type.is_rowtime() || args.iter().any(casts_to_rowtime)
        }
        _ => false,
    }
}

/// The expression with columns of the types that the inputs have.
fn with_types_of(expr: &Expr, input: &[Field]) -> Expr {
    match &expr.kind {
        ExprKind::Column(index) => match input.get(*index as usize) {
            Some(column) => Expr::column(*index, column.data_type.clone(), expr.span),
            None => expr.clone(),
        },
        ExprKind::Call { function, args } => Expr {
            kind: ExprKind::Call {
                function,
                args: args.iter().map(|arg| with_types_of(arg, input)).gather(),
            },
            ..expr.clone()
        },
        ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
    }
}

/// Arguments and keys are values; the window's time and its columns are not.
fn convert_group_window(
    node: &Rc<LogicalNode>,
    window: &GroupWindowNode,
    inputs: &[Rc<LogicalNode>],
) -> Rc<LogicalNode> {
    let Some(input) = inputs.first() else {
        return Rc::clone(node);
    };
    let args = window.calls.iter().flat_map(|call| call.args.iter().copied());
    let taken: Vec<u32> = args.chain(window.keys.iter().copied()).gather();
    let input = materialize_columns(input, |at, data_type| {
        is_attribute(data_type) && taken.contains(&at)
    });
    let mut window = window.clone();
    for call in &mut window.calls {
        for (arg, arg_type) in call.args.iter().zip(&mut call.arg_types) {
            if let Some(column) = input.schema.get(*arg as usize) {
                *arg_type = column.data_type.clone();
            }
        }
        call.data_type = call.data_type.without_time_attribute();
    }
    let keys = window
        .keys
        .iter()
        .filter_map(|key| input.schema.get(*key as usize));
    let mut types: Vec<DataType> = keys.map(|column| column.data_type.clone()).gather();
    types.extend(window.calls.iter().map(|call| call.data_type.clone()));
    let own = node.schema.iter().skip(types.len());
    types.extend(own.map(|column| column.data_type.clone()));
    let fields = names(node)
        .zip(&types)
        .map(|(name, data_type)| field(name, data_type))
        .gather();
    rebuild(node, LogicalOp::GroupWindow(window), vec![input], fields)
}

/// An expression in which calls take the values of time attributes. A bare column stays what it is.
fn value_of_calls(expr: &Expr, input: &[Field]) -> Expr {
    match &expr.kind {
        ExprKind::Column(index) => match input.get(*index as usize) {
            Some(column) => Expr::column(*index, column.data_type.clone(), expr.span),
            None => expr.clone(),
        },
        // a time in the type of an attribute
        ExprKind::Call { function, args } if function.name == "CAST" && is_attribute(&expr.data_type) => {
            Expr {
                kind: ExprKind::Call {
                    function,
                    args: args.iter().map(|arg| value_of_calls(arg, input)).gather(),
                },
                ..expr.clone()
            }
        }
        ExprKind::Call { function, args } => {
            let args = args.iter().map(|arg| value(value_of_calls(arg, input))).gather();
            let data_type = if matches!(function.name, "PROCTIME" | "Reinterpret") {
                expr.data_type.clone()
            } else {
                expr.data_type.without_time_attribute()
            };
            once(Expr {
                kind: ExprKind::Call { function, args },
                data_type,
                span: expr.span,
            })
        }
        ExprKind::Literal(_) | ExprKind::Invalid => expr.clone(),
    }
}

/// A user's own cast of an attribute to its plain type and the one that takes its value are the same.
fn once(expr: Expr) -> Expr {
    let ExprKind::Call { function, args } = &expr.kind else {
        return expr;
    };
    match args.as_slice() {
        [arg] if function.name == "CAST" && arg.data_type == expr.data_type => match &arg.kind {
            ExprKind::Call {
                function: inner,
                args,
            } if inner.name == "CAST" => {
                // a constant's own cast is its type
                let of_constant = args.iter().any(|arg| arg.as_literal().is_some());
                if of_constant { expr } else { arg.clone() }
            }
            _ => expr,
        },
        _ => expr,
    }
}

/// The value of an expression that may be a time attribute.
fn value(expr: Expr) -> Expr {
    let (plain, span) = (expr.data_type.without_time_attribute(), expr.span);
    if expr.data_type.is_rowtime() {
        call("CAST", vec![expr], plain, span)
    } else if expr.data_type.is_proctime() {
        call("PROCTIME_MATERIALIZE", vec![expr], plain, span)
    } else {
        expr
    }
}

fn materialize_proctimes(node: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    materialize_columns(node, |_, data_type| data_type.is_proctime())
}

/// The node with a projection above it that takes the values of the chosen columns; the node itself if none is.
fn materialize_columns(node: &Rc<LogicalNode>, chosen: impl Fn(u32, &DataType) -> bool) -> Rc<LogicalNode> {
    let columns = || (0_u32..).zip(node.schema.iter());
    if !columns().any(|(at, column)| chosen(at, &column.data_type)) {
        return Rc::clone(node);
    }
    let expressions: Vec<Expr> = columns()
        .map(|(at, column)| {
            let expr = Expr::column(at, column.data_type.clone(), node.span);
            if chosen(at, &column.data_type) {
                value(expr)
            } else {
                expr
            }
        })
        .gather();
    let fields = names(node)
        .zip(&expressions)
        .map(|(name, expr)| field(name, &expr.data_type))
        .gather();
    rebuild(
        node,
        LogicalOp::Project(ProjectNode { expressions }),
        vec![Rc::clone(node)],
        fields,
    )
}

const fn is_attribute(data_type: &DataType) -> bool {
    data_type.is_rowtime() || data_type.is_proctime()
}

fn plain(column: &Field) -> Field {
    field(&column.name, &column.data_type.without_time_attribute())
}

fn kept_attribute(own: &Field, expr: &Expr) -> Field {
    if is_attribute(&expr.data_type) {
        field(&own.name, &expr.data_type)
    } else {
        plain(own)
    }
}

fn field(name: &Rc<str>, data_type: &DataType) -> Field {
    Field {
        name: Rc::clone(name),
        data_type: data_type.clone(),
    }
}

fn names(node: &LogicalNode) -> impl Iterator<Item = &Rc<str>> {
    node.schema.iter().map(|column| &column.name)
}

fn rebuild(
    node: &LogicalNode,
    op: LogicalOp,
    inputs: Vec<Rc<LogicalNode>>,
    fields: Vec<Field>,
) -> Rc<LogicalNode> {
    Rc::new(LogicalNode {
        id: node.id,
        op,
        inputs,
        schema: Rc::from(fields),
        span: node.span,
    })
}
