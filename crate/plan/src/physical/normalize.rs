//! What moves below a `ChangelogNormalize`: conditions, unused columns, watermarks.
//!
//! Flink: `PushCalcPastChangelogNormalizeRule`, `WatermarkAssignerChangelogNormalizeTransposeRule`,
//! `FlinkMarkChangelogNormalizeProgram`. Conditions on the key go below it, so that fewer rows are remembered; other
//! conditions go into it, as a row that fails one has to be taken back. A source that a query normalizes more than once
//! is left alone, so that it can be shared.

use std::rc::Rc;

use sg_expr::Expr;
use sg_value::Gather as _;

use super::{
    expression::{columns_of, conjunction, substitute},
    node::{CalcSpec, ChangelogNormalizeSpec, PhysicalNode, PhysicalOp, WatermarkAssignerSpec},
};

/// The tree of a query with everything moved that can be.
pub(super) fn push_down(root: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let mut sources = Vec::new();
    normalized_sources(root, &mut sources);
    rewrite(root, &sources)
}

/// The tables that are normalized, once for each time that a Calc stands directly above: Flink counts only those.
/// Cases: cdc/shared-source-keeps-its-filters-above, cdc/shared-source-with-watermark, cdc/key-filter-of-one-of-two-readers.
fn normalized_sources(node: &PhysicalNode, sources: &mut Vec<Rc<str>>) {
    for input in &node.inputs {
        if let (PhysicalOp::ChangelogNormalize(_), Some(name)) = (&input.op, source_of(input))
            && matches!(node.op, PhysicalOp::Calc(_))
        {
            sources.push(name);
        }
        normalized_sources(input, sources);
    }
}

fn source_of(node: &PhysicalNode) -> Option<Rc<str>> {
    match &node.op {
        PhysicalOp::Scan(scan) => Some(Rc::clone(&scan.table.name)),
        _ => source_of(node.inputs.first()?),
    }
}

fn rewrite(node: &Rc<PhysicalNode>, sources: &[Rc<str>]) -> Rc<PhysicalNode> {
    let inputs = node.inputs.iter().map(|input| rewrite(input, sources)).gather();
    let node = Rc::new(node.with_inputs(inputs));
    let Some(input) = node.inputs.first() else {
        return node;
    };
    match (&node.op, &input.op) {
        (PhysicalOp::Calc(calc), PhysicalOp::ChangelogNormalize(_)) if !is_shared(input, sources) => {
            calc_below(&node, calc, input)
        }
        (PhysicalOp::WatermarkAssigner(_), PhysicalOp::ChangelogNormalize(_)) => {
            let assigned = over_inputs_of(input, |below| over(&node, below));
            with_schema(&assigned, &node)
        }
        (PhysicalOp::WatermarkAssigner(watermark), PhysicalOp::Calc(calc)) => match input.inputs.first() {
            Some(below) if matches!(below.op, PhysicalOp::ChangelogNormalize(_)) => {
                watermark_below(&node, watermark, (input, calc), below)
            }
            _ => node,
        },
        _ => node,
    }
}

fn is_shared(normalize: &PhysicalNode, sources: &[Rc<str>]) -> bool {
    let name = source_of(normalize);
    sources
        .iter()
        .filter(|source| name.as_ref() == Some(*source))
        .count()
        > 1
}

/// A node over another input, whose columns it passes on.
fn over(node: &PhysicalNode, input: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    Rc::new(node.with_inputs(vec![Rc::clone(input)]))
}

/// The node with something put between it and its inputs.
#[inline(never)]
fn over_inputs_of(
    node: &PhysicalNode,
    put: impl Fn(&Rc<PhysicalNode>) -> Rc<PhysicalNode>,
) -> Rc<PhysicalNode> {
    Rc::new(node.with_inputs(node.inputs.iter().map(put).gather()))
}

fn with_schema(node: &PhysicalNode, of: &PhysicalNode) -> Rc<PhysicalNode> {
    Rc::new(PhysicalNode {
        schema: Rc::clone(&of.schema),
        ..node.clone()
    })
}

/// A Calc above: its conditions and columns go where they belong, what it computes stays.
#[inline(never)]
fn calc_below(node: &Rc<PhysicalNode>, calc: &CalcSpec, normalize: &Rc<PhysicalNode>) -> Rc<PhysicalNode> {
    let (PhysicalOp::ChangelogNormalize(spec), Some(input)) = (&normalize.op, normalize.inputs.first())
    else {
        return Rc::clone(node);
    };
    let (by_key, others): (Vec<Expr>, Vec<Expr>) =
        calc.condition.iter().flat_map(conjuncts).partition(|condition| {
            columns_of(condition)
                .iter()
                .all(|column| spec.keys.contains(column))
        });
    let reads: Vec<Vec<u32>> = calc
        .projection
        .iter()
        .chain(&calc.condition)
        .map(columns_of)
        .gather();
    let width = u32::try_from(normalize.schema.len()).unwrap_or(u32::MAX);
    let kept: Vec<u32> = (0..width)
        .filter(|column| spec.keys.contains(column) || reads.iter().any(|read| read.contains(column)))
        .gather();
    let condition = conjunction(by_key);
    let mut keys = spec.keys.clone();
    let narrow = if condition.is_none() && kept.len() == normalize.schema.len() {
        Rc::clone(input)
    } else {
        keys.sort_unstable();
        columns_only(&kept, condition, input, node)
    };
    let new_place = |column: u32| place_in(&kept, column);
    let renumbered = |expr: &Expr| expr.map_columns(&mut |column| new_place(column));
    let conditions = spec.condition.iter().cloned().chain(others);
    let spec = ChangelogNormalizeSpec {
        keys: keys.iter().map(|key| new_place(*key)).gather(),
        condition: conjunction(conditions.gather::<Vec<_>>())
            .as_ref()
            .map(renumbered),
        ..spec.clone()
    };
    let normalize = Rc::new(PhysicalNode {
        op: PhysicalOp::ChangelogNormalize(spec),
        schema: Rc::clone(&narrow.schema),
        ..normalize.with_inputs(vec![narrow])
    });
    let projection: Vec<Expr> = calc.projection.iter().map(renumbered).gather();
    let same = projection.len() == kept.len()
        && (0_u32..)
            .zip(&projection)
            .all(|(at, expr)| expr.as_column() == Some(at));
    if same {
        return normalize;
    }
    let calc = CalcSpec {
        projection,
        condition: None,
    };
    Rc::new(PhysicalNode {
        op: PhysicalOp::Calc(calc),
        ..node.with_inputs(vec![normalize])
    })
}

fn conjuncts(condition: &Expr) -> Vec<Expr> {
    match &condition.kind {
        sg_expr::ExprKind::Call { function, args } if function.name == "AND" => args.clone(),
        _ => vec![condition.clone()],
    }
}

fn place_in(columns: &[u32], column: u32) -> u32 {
    (0_u32..)
        .zip(columns)
        .find(|(_, kept)| **kept == column)
        .map_or(u32::MAX, |(at, _)| at)
}

/// A Calc that passes columns on.
fn columns_only(
    columns: &[u32],
    condition: Option<Expr>,
    input: &Rc<PhysicalNode>,
    of: &PhysicalNode,
) -> Rc<PhysicalNode> {
    let fields: Vec<_> = columns
        .iter()
        .filter_map(|column| input.schema.get(*column as usize))
        .cloned()
        .gather();
    let projection = columns
        .iter()
        .zip(&fields)
        .map(|(column, field)| Expr::column(*column, field.data_type.clone(), of.span))
        .gather();
    let calc = CalcSpec {
        projection,
        condition,
    };
    Rc::new(PhysicalNode {
        logical: of.logical,
        ..PhysicalNode::bare(
            PhysicalOp::Calc(calc),
            vec![Rc::clone(input)],
            Rc::from(fields),
            of.span,
        )
    })
}

/// A watermark above a Calc above a normalized source.
///
/// The Calc goes below as well if it passes the key on; one that computes something gets the key, and what it had not
/// is dropped above again; one that only picks columns stays above.
#[inline(never)]
fn watermark_below(
    node: &Rc<PhysicalNode>,
    watermark: &WatermarkAssignerSpec,
    (calc_node, calc): (&Rc<PhysicalNode>, &CalcSpec),
    normalize: &Rc<PhysicalNode>,
) -> Rc<PhysicalNode> {
    let (PhysicalOp::ChangelogNormalize(spec), Some(input)) = (&normalize.op, normalize.inputs.first())
    else {
        return Rc::clone(node);
    };
    let place = |key: &u32| {
        (0_u32..)
            .zip(&calc.projection)
            .find(|(_, expr)| expr.as_column() == Some(*key))
            .map(|(at, _)| at)
    };
    let passed: Vec<Option<u32>> = spec.keys.iter().map(place).gather();
    let picks = calc.projection.iter().all(|expr| expr.as_column().is_some());
    if picks && passed.contains(&None) {
        return watermark_below_pick(node, watermark, (calc_node, calc), normalize);
    }
    let mut below = calc.clone();
    let mut fields = calc_node.schema.to_vec();
    let mut keys = Vec::with_capacity(passed.len());
    for (key, at) in spec.keys.iter().zip(passed) {
        keys.push(at.unwrap_or(u32::try_from(fields.len()).unwrap_or(u32::MAX)));
        if at.is_none()
            && let Some(field) = input.schema.get(*key as usize)
        {
            below
                .projection
                .push(Expr::column(*key, field.data_type.clone(), node.span));
            fields.push(field.clone());
        }
    }
    let computed = Rc::new(PhysicalNode {
        op: PhysicalOp::Calc(below),
        schema: Rc::from(fields.as_slice()),
        ..calc_node.with_inputs(vec![Rc::clone(input)])
    });
    for (field, own) in fields.iter_mut().zip(node.schema.iter()) {
        *field = own.clone();
    }
    let schema = Rc::from(fields);
    let assigned = Rc::new(PhysicalNode {
        schema: Rc::clone(&schema),
        ..node.with_inputs(vec![computed])
    });
    let normalized = Rc::new(PhysicalNode {
        op: PhysicalOp::ChangelogNormalize(ChangelogNormalizeSpec { keys, ..spec.clone() }),
        schema,
        ..normalize.with_inputs(vec![assigned])
    });
    if normalized.schema.len() == node.schema.len() {
        return normalized;
    }
    let own: Vec<u32> = (0..u32::try_from(node.schema.len()).unwrap_or(u32::MAX)).gather();
    columns_only(&own, None, &normalized, node)
}

/// The same below a Calc that only picks columns and drops the key: it stays where it is.
#[inline(never)]
fn watermark_below_pick(
    node: &Rc<PhysicalNode>,
    watermark: &WatermarkAssignerSpec,
    (calc_node, calc): (&Rc<PhysicalNode>, &CalcSpec),
    normalize: &Rc<PhysicalNode>,
) -> Rc<PhysicalNode> {
    let Some(rowtime) = calc
        .projection
        .get(watermark.rowtime as usize)
        .and_then(Expr::as_column)
    else {
        return Rc::clone(node);
    };
    let mut fields = normalize.schema.to_vec();
    if let (Some(field), Some(own)) = (
        fields.get_mut(rowtime as usize),
        node.schema.get(watermark.rowtime as usize),
    ) {
        field.data_type = own.data_type.clone();
    }
    let schema = Rc::from(fields);
    let below = WatermarkAssignerSpec {
        rowtime,
        expression: substitute(&watermark.expression, &calc.projection),
        ..watermark.clone()
    };
    let assigned = Rc::new(PhysicalNode {
        op: PhysicalOp::WatermarkAssigner(below),
        schema: Rc::clone(&schema),
        ..node.with_inputs(normalize.inputs.clone())
    });
    let normalized = Rc::new(PhysicalNode {
        schema,
        ..normalize.with_inputs(vec![assigned])
    });
    Rc::new(PhysicalNode {
        schema: Rc::clone(&node.schema),
        ..calc_node.with_inputs(vec![normalized])
    })
}
