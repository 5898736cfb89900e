//! Text forms of values.
//!
//! Two renderings: the one of Java's `Row.toString` (traces, the print sink) and the one of CAST(x AS STRING) (the SQL
//! client). They differ in booleans, times, intervals, rows, bytes and in NULL inside of collections.

mod float;
mod java_digits;
mod java_map;

use std::fmt::{self, Write};

pub use float::{double_text, float_text, write_double, write_float};
pub use java_map::{FIRST_CAPACITY, bucket_order, string_hash};

use crate::{
    data_type::{DataType, TypeKind},
    decimal::Decimal,
    row::RowKind,
    time::{self, Zone},
    value::Value,
};

/// Appends a cell as `Row.toString` prints it: `2024-01-01T09:00`, `1.0E10`, `+I[1, a]`, `[-61, -87]`, `null`.
pub fn write_cell(out: &mut dyn Write, value: &Value, data_type: &DataType) -> fmt::Result {
    match (value, &data_type.kind) {
        (Value::Null, _) => out.write_str("null"),
        (Value::Bool(truth), _) => write!(out, "{truth}"),
        (Value::Int(days), TypeKind::Date) => time::write_iso_date(out, *days),
        (Value::Int(ms), TypeKind::Time(_)) => time::write_iso_time(out, *ms, 0),
        (Value::Int(months), TypeKind::IntervalYearMonth(_)) => time::write_iso_period(out, *months),
        (Value::Int(ms), TypeKind::IntervalDayTime(_)) => time::write_iso_duration(out, *ms),
        (Value::Timestamp { ms, nanos }, TypeKind::TimestampLtz { .. }) => {
            time::write_iso_instant(out, *ms, *nanos)
        }
        (Value::Timestamp { ms, nanos }, _) => time::write_iso_timestamp(out, *ms, *nanos),
        (Value::Decimal(_) | Value::BigDecimal(_), kind) => write_java_decimal(out, decimal(value, kind)),
        (Value::Bytes(bytes), TypeKind::Bitmap) => write_bitmap(out, bytes),
        (Value::Bytes(bytes), _) => write_list(out, bytes.iter(), |out, byte| {
            write!(out, "{}", byte.cast_signed())
        }),
        (Value::Row(values), TypeKind::Row(fields) | TypeKind::Structured(_, fields)) => {
            out.write_str("+I")?;
            let cells = values.iter().zip(fields.iter());
            write_list(out, cells, |out, (value, field)| {
                write_cell(out, value, &field.data_type)
            })
        }
        (Value::Array(values), TypeKind::Array(element)) => {
            write_list(out, values.iter(), |out, value| write_cell(out, value, element))
        }
        (Value::Map(map), kind) => {
            let Some((key_type, value_type)) = kind.map_types() else {
                return Ok(());
            };
            let order = java_map::hash_map_order(map, key_type);
            let entries = order.into_iter().filter_map(|at| map.entries.get(at));
            write_entries(out, entries, |out, (key, value)| {
                write_cell(out, key, key_type)?;
                out.write_char('=')?;
                write_cell(out, value, value_type)
            })
        }
        _ => write_plain(out, value, &data_type.kind),
    }
}

/// A cell as `Row.toString` prints it.
pub fn cell_text(value: &Value, data_type: &DataType) -> String {
    let mut text = String::new();
    finish(write_cell(&mut text, value, data_type));
    text
}

/// Appends a change as Flink prints it: `+I[a, 1]`.
pub fn write_row(out: &mut dyn Write, kind: RowKind, row: &[Value], types: &[DataType]) -> fmt::Result {
    out.write_str(kind.short())?;
    write_list(out, row.iter().zip(types), |out, (value, data_type)| {
        write_cell(out, value, data_type)
    })
}

/// A change as Flink prints it: `+I[a, 1]`.
pub fn row_text(kind: RowKind, row: &[Value], types: &[DataType]) -> String {
    let mut text = String::new();
    finish(write_row(&mut text, kind, row, types));
    text
}

/// Appends the text of CAST(value AS STRING), `NULL` for a NULL (as inside of collections).
///
/// `TIMESTAMP_LTZ` shows the wall clock of `zone`. CHAR is not padded, bytes are read as UTF-8.
pub fn write_cast(out: &mut dyn Write, value: &Value, data_type: &DataType, zone: &Zone) -> fmt::Result {
    match (value, &data_type.kind) {
        (Value::Null, _) => out.write_str("NULL"),
        (Value::Bool(truth), _) => out.write_str(if *truth { "TRUE" } else { "FALSE" }),
        (Value::Int(days), TypeKind::Date) => time::write_date(out, *days),
        (Value::Int(ms), TypeKind::Time(precision)) => time::write_time(out, *ms, *precision),
        (Value::Int(months), TypeKind::IntervalYearMonth(_)) => time::write_interval_year_month(out, *months),
        (Value::Int(ms), TypeKind::IntervalDayTime(_)) => time::write_interval_day_time(out, *ms),
        (Value::Timestamp { ms, nanos }, TypeKind::TimestampLtz { precision, .. }) => {
            time::write_timestamp(out, zone.wall_from_instant(*ms), *nanos, *precision)
        }
        (Value::Timestamp { ms, nanos }, TypeKind::Timestamp { precision, .. }) => {
            time::write_timestamp(out, *ms, *nanos, *precision)
        }
        (Value::Bytes(bytes), TypeKind::Bitmap) => write_bitmap(out, bytes),
        (Value::Bytes(bytes), _) => out.write_str(&String::from_utf8_lossy(bytes)),
        (Value::Row(values), kind @ (TypeKind::Row(fields) | TypeKind::Structured(_, fields))) => {
            out.write_char('(')?;
            let cells = values.iter().zip(fields.iter());
            write_items(out, cells, |out, (value, field)| {
                if matches!(kind, TypeKind::Structured(..)) {
                    out.write_str(&field.name)?;
                    out.write_char('=')?;
                }
                write_cast(out, value, &field.data_type, zone)
            })?;
            out.write_char(')')
        }
        (Value::Array(values), TypeKind::Array(element)) => write_list(out, values.iter(), |out, value| {
            write_cast(out, value, element, zone)
        }),
        (Value::Map(map), kind) => {
            let Some((key_type, value_type)) = kind.map_types() else {
                return Ok(());
            };
            write_entries(out, map.entries.iter(), |out, (key, value)| {
                write_cast(out, key, key_type, zone)?;
                out.write_char('=')?;
                write_cast(out, value, value_type, zone)
            })
        }
        _ => write_plain(out, value, &data_type.kind),
    }
}

/// The text of CAST(value AS STRING): `2024-01-01 09:00:00.000`, `TRUE`, `(1, a)`; `None` for NULL.
pub fn cast_text(value: &Value, data_type: &DataType, zone: &Zone) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let mut text = String::new();
    finish(write_cast(&mut text, value, data_type, zone));
    Some(text)
}

/// The values that look alike in both renderings.
fn write_plain(out: &mut dyn Write, value: &Value, kind: &TypeKind) -> fmt::Result {
    match (value, kind) {
        (Value::Int(number), _) => {
            if *number < 0 {
                out.write_char('-')?;
            }
            time::write_digits(out, number.unsigned_abs(), 1)
        }
        (Value::Double(number), TypeKind::Float) => write_float(out, narrow(*number)),
        (Value::Double(number), _) => write_double(out, *number),
        (Value::Decimal(_) | Value::BigDecimal(_), kind) => write!(out, "{}", decimal(value, kind)),
        (Value::Str(text), _) => out.write_str(text),
        (Value::Timestamp { ms, nanos }, _) => time::write_iso_timestamp(out, *ms, *nanos),
        // A value that is not of the type: shown with what is known.
        (Value::Row(values) | Value::Array(values), _) => write!(out, "{values:?}"),
        (Value::Null | Value::Bool(_) | Value::Bytes(_) | Value::Map(_), _) => write!(out, "{value:?}"),
    }
}

/// Java's `BigDecimal.toString`: with an exponent where the value is small against its scale, `0E-14`, `1.0E-7`.
fn write_java_decimal(out: &mut dyn Write, number: Decimal) -> fmt::Result {
    let magnitude = number.unscaled.unsigned_abs();
    let digits = magnitude.checked_ilog10().map_or(1, |log| log + 1);
    let exponent = i64::from(digits) - 1 - i64::from(number.scale);
    if exponent >= -6 {
        return write!(out, "{number}");
    }
    if number.unscaled < 0 {
        out.write_char('-')?;
    }
    let text = magnitude.to_string();
    let (first, rest) = text.split_at_checked(1).unwrap_or((&text, ""));
    let point = if rest.is_empty() { "" } else { "." };
    write!(out, "{first}{point}{rest}E{exponent}")
}

fn decimal(value: &Value, kind: &TypeKind) -> Decimal {
    let scale = if let TypeKind::Decimal { scale, .. } = kind {
        *scale
    } else {
        0
    };
    Decimal::new(value.unscaled().unwrap_or(0), scale)
}

/// `{1,2,4294967295}`
fn write_bitmap(out: &mut dyn Write, bytes: &[u8]) -> fmt::Result {
    out.write_char('{')?;
    for (at, number) in crate::bitmap::decode(bytes)
        .unwrap_or_default()
        .iter()
        .enumerate()
    {
        if at > 0 {
            out.write_char(',')?;
        }
        write!(out, "{number}")?;
    }
    out.write_char('}')
}

/// A FLOAT is kept as a double; this loses nothing.
#[expect(
    clippy::cast_possible_truncation,
    reason = "FLOAT values are rounded when they are made"
)]
const fn narrow(number: f64) -> f32 {
    number as f32
}

fn write_list<T>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
    write: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    out.write_char('[')?;
    write_items(out, items, write)?;
    out.write_char(']')
}

fn write_entries<T>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
    write: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    out.write_char('{')?;
    write_items(out, items, write)?;
    out.write_char('}')
}

fn write_items<T>(
    out: &mut dyn Write,
    items: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut dyn Write, T) -> fmt::Result,
) -> fmt::Result {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    Ok(())
}

/// Writing into a `String` cannot fail.
fn finish(result: fmt::Result) {
    debug_assert!(result.is_ok(), "a string takes any text");
}

#[cfg(test)]
mod tests;
