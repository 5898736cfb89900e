//! Table functions that are called for each row, and set operations until they are rewritten.

use std::rc::Rc;

use sg_expr::{Expr, script::Script};
use sg_value::{DataType, Field, Gather as _, TypeKind};

use super::unique_names;

/// Calls a table function for each row. Output: the input's columns, then the function's.
#[derive(Clone, Debug)]
pub struct CorrelateNode {
    /// Rows for which the function gives nothing are kept, with NULLs.
    pub left: bool,
    /// The function.
    pub function: TableFunction,
    /// Its arguments over the input.
    pub args: Vec<Expr>,
    /// Its own columns, under the names that plans show.
    pub columns: Vec<Field>,
    /// Their names in the query.
    pub names: Vec<Rc<str>>,
    /// What its rows have to satisfy, over its own columns.
    pub condition: Option<Expr>,
    /// How often the arguments read the row: Flink counts it in the names of its variables.
    pub lookups: u32,
}

/// The table functions that plans call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFunction {
    /// UNNEST of an array, a map or a multiset.
    Unnest,
    /// UNNEST … WITH ORDINALITY
    UnnestWithOrdinality,
    /// Each row as often as its first argument says: what INTERSECT ALL and EXCEPT ALL end with.
    ReplicateRows,
    /// A function of the script, which is the first argument.
    Script,
}

impl TableFunction {
    /// The name in plans, and the arguments that they show.
    pub fn shown(self, args: &[Expr]) -> (String, &[Expr]) {
        if self == Self::Script
            && let Some((head, args)) = args.split_first()
            && let Some(script) = Script::of_head(head)
        {
            return (script.name.to_string(), args);
        }
        (self.name().to_owned(), args)
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Unnest => "$UNNEST_ROWS$1",
            Self::UnnestWithOrdinality => "$UNNEST_ROWS_WITH_ORDINALITY$1",
            Self::ReplicateRows => "$REPLICATE_ROWS$1",
            Self::Script => "$script",
        }
    }
}

/// INTERSECT and EXCEPT; optimization rewrites them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetOpNode {
    /// EXCEPT, else INTERSECT.
    pub except: bool,
    /// Copies count.
    pub all: bool,
}

/// The output columns of a call over this input, under the names of the query.
pub fn correlate_schema(input: &[Field], node: &CorrelateNode) -> Vec<Field> {
    joined(input, node, node.names.iter().map(Rc::clone))
}

/// The same under the names that plans show.
pub fn shown_correlate_schema(input: &[Field], node: &CorrelateNode) -> Vec<Field> {
    joined(
        input,
        node,
        node.columns.iter().map(|field| Rc::clone(&field.name)),
    )
}

fn joined(input: &[Field], node: &CorrelateNode, own: impl Iterator<Item = Rc<str>>) -> Vec<Field> {
    let names: Vec<Option<Rc<str>>> = input
        .iter()
        .map(|field| Rc::clone(&field.name))
        .chain(own)
        .map(Some)
        .gather();
    let types = input
        .iter()
        .map(|field| field.data_type.clone())
        .chain(node.columns.iter().map(|field| {
            if node.left {
                field.data_type.with_nullable(true)
            } else {
                field.data_type.clone()
            }
        }));
    unique_names(&names)
        .into_iter()
        .zip(types)
        .map(|(name, data_type)| Field { name, data_type })
        .gather()
}

/// The columns of UNNEST over a value of this type; `None` where it is no collection.
pub fn unnest_columns(of: &DataType, ordinality: bool) -> Option<Vec<Field>> {
    let field = |name: String, data_type: &DataType| Field {
        name: Rc::from(name),
        data_type: data_type.clone(),
    };
    let single = if ordinality && !matches!(of.kind, TypeKind::Map(..)) {
        "EXPR$0"
    } else {
        "f0"
    };
    let mut columns = match &of.kind {
        TypeKind::Array(element) | TypeKind::Multiset(element) => match &element.kind {
            TypeKind::Row(fields) => fields
                .iter()
                .map(|inner| {
                    let nullable = inner.data_type.nullable || element.nullable;
                    field(inner.name.to_string(), &inner.data_type.with_nullable(nullable))
                })
                .gather(),
            _ => vec![field(single.to_owned(), element)],
        },
        TypeKind::Map(key, value) => vec![field("f0".to_owned(), key), field("f1".to_owned(), value)],
        _ => return None,
    };
    if ordinality {
        columns.push(field("ORDINALITY".to_owned(), &DataType::not_null(TypeKind::Int)));
    }
    Some(columns)
}
