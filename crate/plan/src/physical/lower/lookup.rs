//! Joins with a table that is looked up when a row comes.
//!
//! Flink: `CommonLookupJoinRule`, `CommonPhysicalLookupJoin`. What is asked for are the columns that the condition
//! compares with left columns or that the table's own filter compares with constants.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_expr::{Expr, ExprKind};
use sg_value::{Field, Gather as _};

use super::{Lowering, lookup_cache, make};
use crate::{
    logical::{JoinNode, LogicalNode, LogicalOp, join_schema},
    physical::{
        expression::{columns_of, conjunction},
        join::{EquiKeys, conjuncts},
        node::{PhysicalNode, PhysicalOp},
        program::Program,
        timed::{LookupCalc, LookupJoinSpec, LookupKey, TimedJoinSpec},
    },
};

impl Lowering<'_> {
    pub(super) fn lookup_join(
        &mut self,
        node: &LogicalNode,
        join: &JoinNode,
        (left, right): (&Rc<LogicalNode>, &Rc<LogicalNode>),
    ) -> Option<Rc<PhysicalNode>> {
        let right = &unmarked(right);
        let (program, below) = Program::of_chain(right);
        let LogicalOp::Scan(scan) = &below.op else {
            self.diags.push(
                Diagnostic::new(Code::ProctimeTemporalJoin, node.span)
                    .flink("TableException: Processing-time temporal join is not supported yet."),
            );
            return None;
        };
        let left = self.lower(left)?;
        let width = u32::try_from(left.schema.len()).ok()?;
        let identity = program.is_identity(below.schema.len());
        let delivered = |column: u32| {
            let expr = program.projection.get(column as usize)?;
            expr.as_column()
        };
        let (equi, rest) = EquiKeys::split(&join.condition, width);
        let mut keys: Vec<(u32, LookupKey)> = program
            .condition
            .iter()
            .flat_map(conjuncts)
            .filter_map(constant_key)
            .gather();
        let mut rest = rest;
        for (at, (of_left, of_right)) in equi.left.iter().zip(&equi.right).enumerate() {
            match delivered(*of_right) {
                Some(column) if equi.filter_nulls.get(at) == Some(&true) => {
                    // The last equality of a column asks; the ones before become conditions.
                    if let Some((_, LookupKey::Column(before))) = keys.iter().find(|(key, _)| *key == column)
                    {
                        rest.extend(equality(join, width, (*before, *of_right)));
                        keys.retain(|(key, _)| *key != column);
                    }
                    keys.push((column, LookupKey::Column(*of_left)));
                }
                _ => rest.extend(equality(join, width, (*of_left, *of_right))),
            }
        }
        if keys.is_empty() {
            let name = scan.table.full_name();
            self.diags.push(
                Diagnostic::new(Code::LookupNeedsEquality, node.span)
                    .arg("table", &scan.table.name)
                    .flink(format!(
                        "TableException: Temporal table join requires an equality condition on fields of table [{name}]."
                    )),
            );
            return None;
        }
        let cache = match lookup_cache::of_table(&scan.table, node.span) {
            Ok(cache) => cache,
            Err(problem) => {
                self.diags.push(*problem);
                None
            }
        };
        let (before, rest): (Vec<Expr>, Vec<Expr>) = rest
            .into_iter()
            .partition(|part| columns_of(part).iter().all(|column| *column < width));
        let calc = (!identity).then(|| LookupCalc {
            projection: program.projection.clone(),
            condition: program.condition.clone(),
            fields: program.fields.clone(),
        });
        let fields = join_schema(join.kind, &left.schema, &right.schema);
        let spec = LookupJoinSpec {
            kind: join.kind,
            table: Rc::clone(&scan.table),
            delivered: scan.columns.clone(),
            keys,
            calc,
            before: conjunction(before),
            condition: conjunction(rest),
            upsert_key: None,
            hints: join.hints.lookup.clone(),
            cache,
        };
        let op = PhysicalOp::TimedJoin(Box::new(TimedJoinSpec::Lookup(spec)));
        Some(make(node, op, vec![left], fields))
    }
}

/// The tree without the mark of what is looked up.
fn unmarked(node: &Rc<LogicalNode>) -> Rc<LogicalNode> {
    match (&node.op, node.inputs.first()) {
        (LogicalOp::Snapshot(_), Some(input)) => Rc::clone(input),
        (LogicalOp::Project(_) | LogicalOp::Filter(_), Some(input)) => Rc::new(LogicalNode {
            inputs: vec![unmarked(input)],
            ..(**node).clone()
        }),
        _ => Rc::clone(node),
    }
}

/// `column = constant`
fn constant_key(condition: &Expr) -> Option<(u32, LookupKey)> {
    let ExprKind::Call { function, args } = &condition.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let found = |column: &Expr, constant: &Expr| {
        let value = constant.as_literal()?;
        (!value.is_null()).then(|| Some((column.as_column()?, LookupKey::Constant(constant.clone()))))?
    };
    if function.name != "=" {
        return None;
    }
    found(one, other).or_else(|| found(other, one))
}

/// The part of the condition that compares these columns.
fn equality(join: &JoinNode, width: u32, (left, right): (u32, u32)) -> Option<Expr> {
    conjuncts(&join.condition)
        .into_iter()
        .find(|part| {
            let (keys, _) = EquiKeys::split(part, width);
            keys.left == [left] && keys.right == [right]
        })
        .cloned()
}

/// The columns that a lookup gives, named as they are there.
pub(in crate::physical) fn delivered_fields(spec: &LookupJoinSpec) -> Vec<Field> {
    spec.delivered
        .iter()
        .filter_map(|column| spec.table.columns.get(*column as usize))
        .map(|column| column.field.clone())
        .gather()
}
