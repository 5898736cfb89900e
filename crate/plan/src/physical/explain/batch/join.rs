//! Joins in batch: by hash tables, or nested loops with one side everywhere.

use std::rc::Rc;

use sg_value::{Field, TypeKind};

use super::{
    super::{
        join::both_inputs,
        line::{all_names, expression, names},
    },
    Drawer, Part, exchange, line,
};
use crate::{
    logical::JoinKind,
    physical::node::{PhysicalNode, PhysicalOp},
};

impl Drawer {
    pub(super) fn join(&self, node: &Rc<PhysicalNode>) -> Part {
        let (PhysicalOp::Join(spec), [left, right]) = (&node.op, node.inputs.as_slice()) else {
            return self.plain(node);
        };
        let (left_part, right_part) = (self.drawn(left), self.drawn(right));
        let half = matches!(spec.kind, JoinKind::Semi | JoinKind::Anti);
        let builds_left = !half
            && right_part.single <= left_part.single
            && width(&left_part.columns) <= width(&right_part.columns);
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
        let built_single = if builds_left {
            left_part.single && spec.kind == JoinKind::Inner
        } else {
            right_part.single
        };
        if nested && built_single {
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
