//! A filter on a row number is a ranking that keeps the best rows only.
//!
//! Flink: `FlinkLogicalRankRule`, then `ConstantRankNumberColumnRemoveRule`, `RedundantRankNumberColumnRemoveRule` and
//! `CalcRankTransposeRule`. Cases: topn/*, dedup/*.

use std::rc::Rc;

use sg_expr::{Expr, ExprKind, search_range};
use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::rewrite::{
    all_columns, columns_of, conjunction, conjuncts, names, positions, renumber, substitute, with_inputs,
};
use crate::logical::{
    Builder, LogicalNode, LogicalOp, OverNode, RankNode, RankRange, SortColumn, is_identity, unique_keys,
};

/// Functions that rank.
const RANKING: [&str; 3] = ["ROW_NUMBER", "RANK", "DENSE_RANK"];

/// The tree with every filter on a row number recognised that is one. Lists below come first: their keys decide which
/// columns a list above passes.
pub(super) fn recognize(node: &Rc<LogicalNode>, builder: &mut Builder) -> Rc<LogicalNode> {
    let node = over_inputs(node, &mut |input| {
        if is_filter_on_windows(input) && matches!(node.op, LogicalOp::Project(_)) {
            over_inputs(input, &mut |windows| below_windows(windows, builder))
        } else if matches!(node.op, LogicalOp::Filter(_)) && matches!(input.op, LogicalOp::Over(_)) {
            below_windows(input, builder)
        } else {
            recognize(input, builder)
        }
    });
    let found = match &node.op {
        LogicalOp::Project(project) => node
            .inputs
            .first()
            .and_then(|filtered| ranking(filtered, Some((&node, &project.expressions)), builder)),
        LogicalOp::Filter(_) => ranking(&node, None, builder),
        _ => None,
    };
    if let Some(found) = found {
        return found;
    }
    over_inputs(&node, &mut |input| {
        let alone = is_filter_on_windows(input).then(|| ranking(input, None, builder));
        alone.flatten().unwrap_or_else(|| Rc::clone(input))
    })
}

fn is_filter_on_windows(node: &LogicalNode) -> bool {
    let below = node.inputs.first();
    matches!(node.op, LogicalOp::Filter(_))
        && below.is_some_and(|below| matches!(below.op, LogicalOp::Over(_)))
}

fn below_windows(windows: &Rc<LogicalNode>, builder: &mut Builder) -> Rc<LogicalNode> {
    over_inputs(windows, &mut |input| recognize(input, builder))
}

/// The node over what becomes of its inputs.
fn over_inputs(
    node: &Rc<LogicalNode>,
    change: &mut dyn FnMut(&Rc<LogicalNode>) -> Rc<LogicalNode>,
) -> Rc<LogicalNode> {
    let inputs: Vec<Rc<LogicalNode>> = node.inputs.iter().map(change).gather();
    let same = inputs
        .iter()
        .zip(&node.inputs)
        .all(|(new, old)| Rc::ptr_eq(new, old));
    if same {
        Rc::clone(node)
    } else {
        with_inputs(node, inputs)
    }
}

/// The ranking that a filter on windowed calls is, with what is left of the projection above and the filter.
fn ranking(
    filtered: &Rc<LogicalNode>,
    above: Option<(&Rc<LogicalNode>, &Vec<Expr>)>,
    builder: &mut Builder,
) -> Option<Rc<LogicalNode>> {
    let LogicalOp::Filter(filter) = &filtered.op else {
        return None;
    };
    let windows = filtered.inputs.first()?;
    let LogicalOp::Over(over) = &windows.op else {
        return None;
    };
    let (function, partition, order) = ranking_call(over)?;
    if builder.batch && function != "RANK" {
        // Batch ranks by RANK only; of the others the filter stays above the windowed call.
        return None;
    }
    let input = windows.inputs.first()?;
    let place = u32::try_from(input.schema.len()).ok()?;
    let (range, rest) = rank_range(&filter.condition, place)?;
    let reads_place = |expr: &Expr| columns_of([expr]).contains(&place);
    let ends = matches!(range, RankRange::Constant { end, .. } if end < i64::MAX);
    if rest.iter().any(reads_place) || (builder.batch && !ends) {
        return None;
    }
    let all = all_columns(windows);
    let expressions = above.map_or_else(|| all.clone(), |(_, expressions)| expressions.clone());
    let shown_names = above.map_or_else(|| names(windows), |(node, _)| names(node));
    let puts_out_rank = expressions.iter().any(reads_place);
    // the place has the name that it has where it is shown as it is, in batch mode only below a filter
    let named = !builder.batch || !rest.is_empty();
    let shown = expressions
        .iter()
        .zip(&shown_names)
        .rfind(|(expr, _)| named && expr.as_column() == Some(place))
        .map(|(_, name)| Rc::clone(name));
    let name = match shown {
        Some(name) => name,
        None => Rc::clone(&windows.schema.get(place as usize)?.name),
    };
    let mut parts = Parts {
        function,
        partition,
        order,
        range,
        puts_out_rank,
        name,
        expressions,
        names: shown_names,
        condition: conjunction(&rest),
    };
    parts.replace_constant_place(place);
    Some(parts.build(input, filtered, builder))
}

/// A ranking and what stands above it.
struct Parts {
    function: &'static str,
    partition: Vec<u32>,
    order: Vec<SortColumn>,
    range: RankRange,
    puts_out_rank: bool,
    name: Rc<str>,
    expressions: Vec<Expr>,
    names: Vec<Rc<str>>,
    condition: Option<Expr>,
}

impl Parts {
    /// Where there is one place only, its number is a constant.
    fn replace_constant_place(&mut self, place: u32) {
        let RankRange::Constant { start, end } = self.range else {
            return;
        };
        if !self.puts_out_rank || start != end {
            return;
        }
        let number = |span| Expr::literal(Value::Int(start), DataType::not_null(TypeKind::BigInt), span);
        for expr in &mut self.expressions {
            let columns: Vec<Expr> = (0..=place)
                .map(|column| {
                    if column == place {
                        number(expr.span)
                    } else {
                        column_of(expr, column)
                    }
                })
                .gather();
            *expr = substitute(expr, &columns);
        }
        self.puts_out_rank = false;
    }

    /// The ranking over the columns that it needs, with the rest above.
    fn build(
        self,
        input: &Rc<LogicalNode>,
        filtered: &LogicalNode,
        builder: &mut Builder,
    ) -> Rc<LogicalNode> {
        let width = input.schema.len();
        let place = u32::try_from(width).unwrap_or(u32::MAX);
        let identity = (0_u32..)
            .zip(&self.expressions)
            .all(|(at, expr)| expr.as_column() == Some(at))
            && self.expressions.len() == width + usize::from(self.puts_out_rank);
        let mut kept: Vec<u32> = (0..place).gather();
        if !identity || self.condition.is_some() {
            let mut read = columns_of(self.expressions.iter().chain(&self.condition));
            read.retain(|column| *column != place);
            read.extend(&self.partition);
            read.extend(self.order.iter().map(|key| key.column));
            read.extend(unique_keys(input).into_iter().flatten());
            if let RankRange::Column(column) = self.range {
                read.push(column);
            }
            read.sort_unstable();
            read.dedup();
            kept = read;
        }
        let mut positions = positions(&kept, width);
        let at = |column: u32| {
            positions
                .get(column as usize)
                .copied()
                .flatten()
                .unwrap_or(u32::MAX)
        };
        let rank = RankNode {
            function: self.function,
            partition: self.partition.iter().map(|column| at(*column)).gather(),
            order: self
                .order
                .iter()
                .map(|key| SortColumn {
                    column: at(key.column),
                    ..*key
                })
                .gather(),
            range: match self.range {
                RankRange::Column(column) => RankRange::Column(at(column)),
                constant @ RankRange::Constant { .. } => constant,
            },
            puts_out_rank: self.puts_out_rank,
        };
        let narrow = narrowed(input, &kept, builder);
        let mut schema = narrow.schema.to_vec();
        if self.puts_out_rank {
            positions.push(u32::try_from(schema.len()).ok());
            schema.push(Field {
                name: self.name,
                data_type: DataType::not_null(TypeKind::BigInt),
            });
        }
        let mut node = builder.node(LogicalOp::Rank(rank), vec![narrow], schema, filtered.span);
        if let Some(condition) = &self.condition {
            node = builder.filter(node, renumber(condition, &positions), filtered.span);
        }
        let expressions: Vec<Expr> = self
            .expressions
            .iter()
            .map(|expr| renumber(expr, &positions))
            .gather();
        if is_identity(&expressions, &node) {
            return node;
        }
        builder.project_always(node, expressions, &self.names, filtered.span)
    }
}

fn narrowed(input: &Rc<LogicalNode>, kept: &[u32], builder: &mut Builder) -> Rc<LogicalNode> {
    if kept.len() == input.schema.len() {
        return Rc::clone(input);
    }
    let all = all_columns(input);
    let all_names = names(input);
    let expressions = kept
        .iter()
        .filter_map(|column| all.get(*column as usize).cloned())
        .gather();
    let kept_names: Vec<Rc<str>> = kept
        .iter()
        .filter_map(|column| all_names.get(*column as usize).cloned())
        .gather();
    builder.project_always(Rc::clone(input), expressions, &kept_names, input.span)
}

/// A reference to a column with the type that the expression reads it with.
fn column_of(expr: &Expr, column: u32) -> Expr {
    fn find(expr: &Expr, column: u32) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Column(own) if *own == column => Some(expr.clone()),
            ExprKind::Call { args, .. } => args.iter().find_map(|arg| find(arg, column)),
            _ => None,
        }
    }
    find(expr, column).unwrap_or_else(|| Expr::column(column, DataType::nullable(TypeKind::Null), expr.span))
}

/// The function, PARTITION BY and ORDER BY of windowed calls that are one ranking.
fn ranking_call(over: &OverNode) -> Option<(&'static str, Vec<u32>, Vec<SortColumn>)> {
    let [group] = over.groups.as_slice() else {
        return None;
    };
    let [call] = group.calls.as_slice() else {
        return None;
    };
    RANKING
        .contains(&call.function.name)
        .then(|| (call.function.name, group.partition.clone(), group.order.clone()))
}

/// A bound of the place.
#[derive(Clone, Copy)]
enum Bound {
    Lower(i64),
    Upper(i64),
    Both(i64, i64),
    Column(u32),
}

/// The places that a condition leaves, and its other parts; `None` where the place is not bounded so that a ranking
/// could be made of it. Without an upper bound the range ends at `i64::MAX`.
#[inline(never)]
fn rank_range(condition: &Expr, place: u32) -> Option<(RankRange, Vec<Expr>)> {
    let mut bounds = Vec::new();
    let mut rest = Vec::new();
    for part in conjuncts(condition) {
        match bound_of(&part, place) {
            Ok(bound) => bounds.push(bound?),
            Err(()) => rest.push(part),
        }
    }
    let range = match bounds.as_slice() {
        [Bound::Lower(start), Bound::Upper(end)]
        | [Bound::Upper(end), Bound::Lower(start)]
        | [Bound::Both(start, end)] => RankRange::Constant {
            start: *start,
            end: *end,
        },
        [Bound::Upper(end)] => RankRange::Constant { start: 1, end: *end },
        [Bound::Lower(start)] => RankRange::Constant {
            start: *start,
            end: i64::MAX,
        },
        [Bound::Column(column)] => RankRange::Column(*column),
        _ => return None,
    };
    Some((range, rest))
}

/// The bound that a comparison with the place is: `Err` where it is none, `Ok(None)` where it is one of no use.
fn bound_of(part: &Expr, place: u32) -> Result<Option<Bound>, ()> {
    if let Some((operand, lower, upper)) = search_range(part) {
        if operand.as_column() != Some(place) {
            return Err(());
        }
        let number = |bound: &Option<(Value, bool)>, by: i64| {
            bound
                .as_ref()
                .and_then(|(value, closed)| Some(value.as_int()? + if *closed { 0 } else { by }))
        };
        return Ok(match (number(&lower, 1), number(&upper, -1)) {
            (Some(lower), Some(upper)) => Some(Bound::Both(lower, upper)),
            (Some(lower), None) => Some(Bound::Lower(lower)),
            (None, Some(upper)) => Some(Bound::Upper(upper)),
            (None, None) => None,
        });
    }
    let ExprKind::Call { function, args } = &part.kind else {
        return Err(());
    };
    let [left, right] = args.as_slice() else {
        return Err(());
    };
    let reads_place = |expr: &Expr| columns_of([expr]).contains(&place);
    let is_place = |expr: &Expr| without_cast(expr).as_column() == Some(place);
    let (other, operator) = if is_place(left) && !reads_place(right) {
        (right, function.name)
    } else if is_place(right) && !reads_place(left) {
        let turned = match function.name {
            ">" => "<",
            ">=" => "<=",
            "<" => ">",
            "<=" => ">=",
            other => other,
        };
        (left, turned)
    } else {
        return Err(());
    };
    if !matches!(operator, "<" | "<=" | ">" | ">=" | "=") {
        return Err(());
    }
    let other = without_cast(other);
    if let Some(column) = other.as_column() {
        return Ok(match operator {
            "<" | "<=" | "=" => Some(Bound::Column(column)),
            _ => None,
        });
    }
    let Some(number) = sg_expr::fold(other.clone()).as_literal().and_then(Value::as_int) else {
        return Ok(None);
    };
    Ok(Some(match operator {
        "<" => Bound::Upper(number - 1),
        "<=" => Bound::Upper(number),
        ">" => Bound::Lower(number + 1),
        ">=" => Bound::Lower(number),
        _ => Bound::Both(number, number),
    }))
}

/// An operand without the cast to the other side's type.
fn without_cast(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == "CAST" => match args.as_slice() {
            [arg] if is_integer(&arg.data_type.kind) => without_cast(arg),
            _ => expr,
        },
        _ => expr,
    }
}

const fn is_integer(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt
    )
}
