//! Makes nodes as Calcite's `RelBuilder` does: names, identities and types follow its rules.

use std::rc::Rc;

use indexmap::IndexSet;
use sg_diag::Span;
use sg_expr::{AggregateCall, Expr, ExprKind};
use sg_value::{DataType, Field, Gather as _};

use super::{
    AggregateNode, CorrelateNode, FilterNode, JoinNode, LogicalNode, LogicalOp, NodeId, OverNode,
    ProjectNode, ScanNode, SortNode, UnionNode, ValuesNode, WatermarkNode, correlate_schema, join_schema,
};

/// Hands out node ids.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    next: u32,
    /// Whether the query runs in batch mode.
    pub batch: bool,
}

impl Builder {
    /// A builder whose ids are above all of this tree.
    pub fn above(root: &LogicalNode) -> Self {
        fn largest(node: &LogicalNode) -> u32 {
            node.inputs
                .iter()
                .map(|input| largest(input))
                .max()
                .unwrap_or(0)
                .max(node.id.0)
        }
        Self {
            next: largest(root) + 1,
            batch: false,
        }
    }

    /// A node with a fresh id.
    pub fn node(
        &mut self,
        op: LogicalOp,
        inputs: Vec<Rc<LogicalNode>>,
        schema: Vec<Field>,
        span: Span,
    ) -> Rc<LogicalNode> {
        let id = NodeId(self.next);
        self.next += 1;
        Rc::new(LogicalNode {
            id,
            op,
            inputs,
            schema: Rc::from(schema),
            span,
        })
    }

    /// A scan of all columns that the connector delivers.
    pub fn scan(&mut self, scan: ScanNode, span: Span) -> Rc<LogicalNode> {
        let table = Rc::clone(&scan.table);
        let schema = scan
            .columns
            .iter()
            .filter_map(|&at| table.columns.get(at as usize))
            .map(|column| Field {
                name: Rc::clone(&column.field.name),
                data_type: column.field.data_type.without_time_attribute(),
            })
            .gather();
        self.node(LogicalOp::Scan(scan), Vec::new(), schema, span)
    }

    /// Literal rows.
    pub fn values(&mut self, values: ValuesNode, schema: Vec<Field>, span: Span) -> Rc<LogicalNode> {
        self.node(LogicalOp::Values(values), Vec::new(), schema, span)
    }

    /// A watermark assigner; its rowtime column becomes a time attribute.
    pub fn watermark(&mut self, input: Rc<LogicalNode>, node: WatermarkNode, span: Span) -> Rc<LogicalNode> {
        let mut schema = input.schema.to_vec();
        if let Some(field) = schema.get_mut(node.rowtime as usize) {
            field.data_type = rowtime(&field.data_type);
        }
        self.node(LogicalOp::Watermark(node), vec![input], schema, span)
    }

    /// `projectNamed(…, force = false)`: an identity gives no node; if the input is a projection or values, the
    /// names go there, else they are lost. Clashing names get a number, missing ones are `$f` and their position.
    pub fn project(
        &mut self,
        input: Rc<LogicalNode>,
        expressions: Vec<Expr>,
        names: &[Option<Rc<str>>],
        span: Span,
    ) -> Rc<LogicalNode> {
        let names = unique_names(names);
        if is_identity(&expressions, &input) {
            return renamed(input, &names);
        }
        self.project_always(input, expressions, &names, span)
    }

    /// A projection even where it is an identity.
    pub fn project_always(
        &mut self,
        input: Rc<LogicalNode>,
        expressions: Vec<Expr>,
        names: &[Rc<str>],
        span: Span,
    ) -> Rc<LogicalNode> {
        let schema = expressions
            .iter()
            .zip(names)
            .map(|(expr, name)| Field {
                name: Rc::clone(name),
                data_type: expr.data_type.clone(),
            })
            .gather();
        self.node(
            LogicalOp::Project(ProjectNode { expressions }),
            vec![input],
            schema,
            span,
        )
    }

    /// A filter.
    pub fn filter(&mut self, input: Rc<LogicalNode>, condition: Expr, span: Span) -> Rc<LogicalNode> {
        let schema = input.schema.to_vec();
        self.node(
            LogicalOp::Filter(FilterNode { condition }),
            vec![input],
            schema,
            span,
        )
    }

    /// An aggregation. With several grouping sets, keys that are missing from one become nullable.
    pub fn aggregate(&mut self, input: Rc<LogicalNode>, node: AggregateNode, span: Span) -> Rc<LogicalNode> {
        let schema = aggregate_schema(&input.schema, &node);
        self.node(LogicalOp::Aggregate(node), vec![input], schema, span)
    }

    /// A join; see [`JoinNode`] for what its condition is over.
    pub fn join(
        &mut self,
        (left, right): (Rc<LogicalNode>, Rc<LogicalNode>),
        node: JoinNode,
        span: Span,
    ) -> Rc<LogicalNode> {
        let schema = join_schema(node.kind, &left.schema, &right.schema);
        self.node(LogicalOp::Join(node), vec![left, right], schema, span)
    }

    /// ORDER BY, LIMIT, OFFSET.
    pub fn sort(&mut self, input: Rc<LogicalNode>, node: SortNode, span: Span) -> Rc<LogicalNode> {
        let schema = input.schema.to_vec();
        self.node(LogicalOp::Sort(node), vec![input], schema, span)
    }

    /// Windowed calls.
    pub fn over(&mut self, input: Rc<LogicalNode>, node: OverNode, span: Span) -> Rc<LogicalNode> {
        let schema = over_schema(&input.schema, &node);
        self.node(LogicalOp::Over(node), vec![input], schema, span)
    }

    /// A table function that is called for each row.
    pub fn correlate(&mut self, input: Rc<LogicalNode>, node: CorrelateNode, span: Span) -> Rc<LogicalNode> {
        let schema = correlate_schema(&input.schema, &node);
        self.node(LogicalOp::Correlate(Box::new(node)), vec![input], schema, span)
    }

    /// A union; names come from the first input, types are those that hold all inputs.
    pub fn union(
        &mut self,
        inputs: Vec<Rc<LogicalNode>>,
        schema: Vec<Field>,
        node: UnionNode,
        span: Span,
    ) -> Rc<LogicalNode> {
        self.node(LogicalOp::Union(node), inputs, schema, span)
    }
}

/// The output columns of an aggregation over this input.
pub fn aggregate_schema(input: &[Field], node: &AggregateNode) -> Vec<Field> {
    let in_all_sets = |at: u32| node.sets.iter().all(|set| set.contains(&at));
    let keys = (0_u32..).zip(&node.keys).filter_map(|(at, &key)| {
        let field = input.get(key as usize)?;
        let mut data_type = field.data_type.clone();
        if !in_all_sets(at) {
            data_type.nullable = true;
        }
        Some(Field {
            name: Rc::clone(&field.name),
            data_type,
        })
    });
    let calls = node.calls.iter().map(|call| Field {
        name: Rc::clone(&call.name),
        data_type: call.data_type.clone(),
    });
    keys.chain(calls).gather()
}

/// The output columns of windowed calls over this input.
pub fn over_schema(input: &[Field], node: &OverNode) -> Vec<Field> {
    let calls = node.groups.iter().flat_map(|group| &group.calls);
    let calls = calls.map(|call| Field {
        name: Rc::clone(&call.name),
        data_type: call.data_type.clone(),
    });
    input.iter().cloned().chain(calls).gather()
}

/// The type as an event-time attribute, which has three digits whatever the column has. Cases: wm/rowtime-of-*.
pub fn rowtime(data_type: &DataType) -> DataType {
    use sg_value::{TimeKind, TypeKind};
    let mut attribute = data_type.clone();
    if let TypeKind::Timestamp { time, precision } | TypeKind::TimestampLtz { time, precision } =
        &mut attribute.kind
    {
        (*time, *precision) = (TimeKind::Rowtime, 3);
    }
    attribute
}

/// Whether the expressions are just the input's columns in order.
pub fn is_identity(expressions: &[Expr], input: &LogicalNode) -> bool {
    expressions.len() == input.schema.len()
        && (0_u32..)
            .zip(expressions)
            .all(|(at, expr)| expr.as_column() == Some(at))
}

/// The same projection or values under other names; anything else is left alone.
fn renamed(node: Rc<LogicalNode>, names: &[Rc<str>]) -> Rc<LogicalNode> {
    match &node.op {
        LogicalOp::Project(_) | LogicalOp::Values(_) => {
            let schema = node
                .schema
                .iter()
                .zip(names)
                .map(|(field, name)| Field {
                    name: Rc::clone(name),
                    data_type: field.data_type.clone(),
                })
                .gather();
            Rc::new(LogicalNode {
                schema,
                ..(*node).clone()
            })
        }
        _ => node,
    }
}

/// Names made different as Calcite's `SqlValidatorUtil.uniquify` does: `id, id0`; missing ones become `$f1`.
pub fn unique_names(names: &[Option<Rc<str>>]) -> Vec<Rc<str>> {
    let mut used: IndexSet<Rc<str>> = IndexSet::new();
    names
        .iter()
        .enumerate()
        .map(|(at, name)| {
            let base = name.clone().unwrap_or_else(|| Rc::from(format!("$f{at}")));
            let unique = unique_name(base, &used);
            used.insert(Rc::clone(&unique));
            unique
        })
        .gather()
}

/// The name, or with the first number that makes it differ from those in use.
pub fn unique_name(base: Rc<str>, used: &IndexSet<Rc<str>>) -> Rc<str> {
    if !used.contains(&base) {
        return base;
    }
    let mut number = 0_usize;
    loop {
        let candidate: Rc<str> = Rc::from(format!("{base}{number}"));
        if !used.contains(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Names of aggregate calls without an alias: `$f` and the output position; a clash gets `_0`, `_1` ….
pub fn name_calls(calls: &mut [AggregateCall], key_names: &[Rc<str>]) {
    let mut used: IndexSet<Rc<str>> = key_names.iter().map(Rc::clone).collect();
    for (at, call) in calls.iter_mut().enumerate() {
        let base: Rc<str> = if call.name.is_empty() {
            Rc::from(format!("$f{}", key_names.len() + at))
        } else {
            Rc::clone(&call.name)
        };
        let mut unique = Rc::clone(&base);
        let mut number = 0_usize;
        while used.contains(&unique) {
            unique = Rc::from(format!("{base}_{number}"));
            number += 1;
        }
        used.insert(Rc::clone(&unique));
        call.name = unique;
    }
}

/// Whether two expressions compute the same, whatever SQL text they come from.
pub fn same_expression(left: &Expr, right: &Expr) -> bool {
    if left.data_type != right.data_type {
        return false;
    }
    match (&left.kind, &right.kind) {
        (ExprKind::Column(left), ExprKind::Column(right)) => left == right,
        (ExprKind::Literal(left), ExprKind::Literal(right)) => left == right,
        (
            ExprKind::Call {
                function: left,
                args: left_args,
            },
            ExprKind::Call {
                function: right,
                args,
            },
        ) => {
            std::ptr::eq(*left, *right)
                && left_args.len() == args.len()
                && left_args
                    .iter()
                    .zip(args)
                    .all(|(left, right)| same_expression(left, right))
        }
        _ => false,
    }
}
