//! Metadata columns: what a connector knows about a message beside its value.
//!
//! Kafka's keys: `topic`, `partition`, `offset`, `timestamp`, `timestamp-type`, `headers`, `leader-epoch`. An event can
//! give a value of its own under the column's name; else topic, partition and time of the replay are taken, and offsets
//! count per partition.

use std::rc::Rc;

use sg_plan::catalog::{ColumnKind, Table};
use sg_value::{Field, Gather as _, MapValue, TypeKind, Value, json};

/// Where a message stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) partition: u32,
    pub(crate) offset: i64,
    pub(crate) at_ms: i64,
}

/// Metadata columns of a table, in the order in which its rows have them behind the physical ones.
pub(crate) fn metadata_columns(table: &Table) -> Vec<(Field, Rc<str>)> {
    let columns = table.columns.iter().filter_map(|column| match &column.kind {
        ColumnKind::Metadata { key, .. } => Some((column.field.clone(), Rc::clone(key))),
        _ => None,
    });
    columns.gather()
}

/// The values of a message's metadata columns.
pub(crate) fn metadata(
    table: &Table,
    columns: &[(Field, Rc<str>)],
    given: Option<&serde_json::Map<String, serde_json::Value>>,
    place: Place,
) -> Vec<Value> {
    columns
        .iter()
        .map(|(field, key)| {
            let own = given.and_then(|given| given.get(&*field.name));
            match own {
                Some(value) => {
                    let object = [(field.name.to_string(), value.clone())].into_iter().collect();
                    let cells =
                        json::row_from_json(&serde_json::Value::Object(object), std::slice::from_ref(field));
                    cells
                        .ok()
                        .and_then(|cells| cells.into_iter().next())
                        .unwrap_or_default()
                }
                None => known(table, key, &field.data_type.kind, place),
            }
        })
        .gather()
}

fn known(table: &Table, key: &str, kind: &TypeKind, place: Place) -> Value {
    let number = |number: i64| match kind {
        TypeKind::Char(_) | TypeKind::Varchar(_) => Value::from(number.to_string().as_str()),
        _ => Value::Int(number),
    };
    match key {
        "partition" => number(i64::from(place.partition)),
        "offset" => number(place.offset),
        "leader-epoch" => number(0),
        "timestamp" | "op_ts" | "source.timestamp" | "ingestion-timestamp" => match kind {
            TypeKind::BigInt => Value::Int(place.at_ms),
            _ => Value::timestamp_ms(place.at_ms),
        },
        "timestamp-type" => Value::from("CreateTime"),
        "headers" => Value::Map(Rc::new(MapValue::default())),
        "topic" => table
            .options
            .get("topic")
            .map_or(Value::Null, |topic| Value::from(topic.as_str())),
        "table_name" => table
            .options
            .get("table-name")
            .map_or_else(|| Value::from(&*table.name), |name| Value::from(name.as_str())),
        "database_name" => table.options.get("database-name").map_or_else(
            || Value::from(&*table.place.database),
            |name| Value::from(name.as_str()),
        ),
        _ => Value::Null,
    }
}
