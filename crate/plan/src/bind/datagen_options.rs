//! The options of `datagen`, which depend on the types of the columns.
//!
//! Flink: `DataGenTableSourceFactory`, `RandomGeneratorVisitor`, `SequenceGeneratorVisitor`. Cases:
//! errors/bad-option-value, errors/datagen-*.

use sg_value::{DataType, TypeKind, float::fixed, number::parse_double};

use crate::catalog::{ColumnKind, Table};

/// What an option of a column takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldTakes {
    Anything,
    Number,
}

/// Something about the columns' options that Flink refuses, in its words, and the option that is to blame.
pub(super) struct FieldProblem {
    pub(super) key: String,
    pub(super) flink: String,
}

/// The options that the columns take.
pub(super) fn field_options(table: &Table) -> Vec<(String, FieldTakes)> {
    let mut options = Vec::new();
    for (key, data_type) in columns(table) {
        options.push((format!("{key}.kind"), FieldTakes::Anything));
        if is_sequence(table, &key) {
            if has_sequence(&data_type.kind) {
                options.extend(["start", "end"].map(|name| (format!("{key}.{name}"), FieldTakes::Number)));
            }
        } else {
            random_options(&key, data_type, &mut options);
        }
    }
    options
}

/// The first thing that is wrong before any option is looked at by itself.
pub(super) fn field_problem(table: &Table) -> Option<FieldProblem> {
    for (key, data_type) in columns(table) {
        let kind = format!("{key}.kind");
        if let Some(given) = table.options.get(&kind)
            && !matches!(given.as_str(), "random" | "sequence")
        {
            return Some(FieldProblem {
                key: kind,
                flink: format!("ValidationException: Unsupported generator kind: {given}"),
            });
        }
        if is_sequence(table, &key) && has_sequence(&data_type.kind) {
            for name in ["start", "end"] {
                let bound = format!("{key}.{name}");
                if !table.options.contains_key(&bound) {
                    return Some(FieldProblem {
                        flink: format!(
                            "ValidationException: Could not find required property '{bound}' for sequence generator."
                        ),
                        key: kind,
                    });
                }
            }
        }
        if let TypeKind::Decimal { .. } = data_type.kind {
            let bound = |name: &str| parse_double(table.options.get(&format!("{key}.{name}"))?).ok();
            if let (Some(low), Some(high)) = (bound("min"), bound("max"))
                && low >= high
            {
                return Some(FieldProblem {
                    flink: format!(
                        "IllegalStateException: min bound must be less than max [{}, {}]",
                        fixed(low, 6),
                        fixed(high, 6)
                    ),
                    key: format!("{key}.min"),
                });
            }
        }
        if let TypeKind::Varchar(limit) | TypeKind::Varbinary(limit) = data_type.kind
            && let Some(length) = table.options.get(&format!("{key}.length"))
            && length.trim().parse::<u32>().is_ok_and(|length| length > limit)
        {
            let name = key.trim_start_matches("fields.");
            return Some(FieldProblem {
                flink: format!(
                    "ValidationException: Custom length '{length}' for variable-length type (VARCHAR/STRING/VARBINARY/BYTES) \
                     field '{name}' should be shorter than '{limit}' defined in the schema."
                ),
                key: format!("{key}.length"),
            });
        }
    }
    None
}

/// `fields.<column>` and the column's type.
fn columns(table: &Table) -> impl Iterator<Item = (String, &DataType)> {
    let physical = table
        .columns
        .iter()
        .filter(|column| matches!(column.kind, ColumnKind::Physical));
    physical.map(|column| (format!("fields.{}", column.field.name), &column.field.data_type))
}

fn is_sequence(table: &Table, key: &str) -> bool {
    table
        .options
        .get(&format!("{key}.kind"))
        .is_some_and(|kind| kind == "sequence")
}

const fn is_number(kind: &TypeKind) -> bool {
    matches!(
        kind,
        TypeKind::TinyInt
            | TypeKind::SmallInt
            | TypeKind::Int
            | TypeKind::BigInt
            | TypeKind::Float
            | TypeKind::Double
            | TypeKind::Decimal { .. }
    )
}

const fn has_sequence(kind: &TypeKind) -> bool {
    is_number(kind) || matches!(kind, TypeKind::Char(_) | TypeKind::Varchar(_))
}

fn random_options(key: &str, data_type: &DataType, options: &mut Vec<(String, FieldTakes)>) {
    let mut add = |names: &[&str], takes: FieldTakes| {
        options.extend(names.iter().map(|name| (format!("{key}.{name}"), takes)));
    };
    let is_bytes = matches!(data_type.kind, TypeKind::Binary(_) | TypeKind::Varbinary(_));
    if !is_bytes && !matches!(data_type.kind, TypeKind::Date | TypeKind::Time(_)) {
        add(&["null-rate"], FieldTakes::Anything);
    }
    match &data_type.kind {
        kind if is_number(kind) => {
            let whole = !matches!(
                kind,
                TypeKind::Float | TypeKind::Double | TypeKind::Decimal { .. }
            );
            let takes = if whole {
                FieldTakes::Number
            } else {
                FieldTakes::Anything
            };
            add(&["min", "max"], takes);
        }
        TypeKind::IntervalYearMonth(_) | TypeKind::IntervalDayTime(_) => {
            add(&["min", "max"], FieldTakes::Number);
        }
        TypeKind::Varchar(_) | TypeKind::Varbinary(_) => {
            add(&["length"], FieldTakes::Number);
            add(&["var-len"], FieldTakes::Anything);
        }
        TypeKind::Timestamp { .. } | TypeKind::TimestampLtz { .. } => {
            add(&["max-past"], FieldTakes::Anything);
        }
        TypeKind::Array(of) | TypeKind::Multiset(of) => {
            add(&["length"], FieldTakes::Number);
            random_options(&format!("{key}.element"), of, options);
        }
        TypeKind::Map(from, to) => {
            add(&["length"], FieldTakes::Number);
            random_options(&format!("{key}.key"), from, options);
            random_options(&format!("{key}.value"), to, options);
        }
        TypeKind::Row(fields) => {
            for field in fields.iter() {
                random_options(&format!("{key}.{}", field.name), &field.data_type, options);
            }
        }
        _ => {}
    }
}
