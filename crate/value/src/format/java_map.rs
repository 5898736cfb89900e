//! The order in which Java's `HashMap` lists its entries.
//!
//! `Row.toString` prints a MAP or MULTISET after Flink has put it into a `HashMap` of Java objects, so the order is that
//! of the keys' Java hashes (case: types/constructors).

use crate::{
    data_type::{DataType, TypeKind},
    decimal::Decimal,
    time::{DAY_MS, civil_from_days},
    value::{MapValue, Value},
};

/// Java's capacity where none is given.
pub const FIRST_CAPACITY: usize = 16;

/// Positions of the entries in the order in which a `HashMap` filled with them lists them.
pub(super) fn hash_map_order(map: &MapValue, key_type: &DataType) -> Vec<usize> {
    let hashes: Vec<i32> = map
        .entries
        .iter()
        .map(|(key, _)| java_hash(key, key_type))
        .collect();
    // MAP_FROM_ARRAYS keeps equal keys; the last one stays.
    let is_last = |at: &usize| {
        let key = map.entries.get(*at).map(|(key, _)| key);
        map.entries
            .iter()
            .skip(at + 1)
            .all(|(later, _)| Some(later) != key)
    };
    bucket_order(&hashes, FIRST_CAPACITY)
        .into_iter()
        .filter(is_last)
        .collect()
}

/// Positions of keys with these hashes in a `HashMap` made with this capacity: by bucket and then by insertion.
pub fn bucket_order(hashes: &[i32], capacity: usize) -> Vec<usize> {
    // A table doubles when it is three quarters full.
    let mut buckets = capacity.max(1).next_power_of_two();
    while hashes.len() * 4 > buckets * 3 {
        buckets *= 2;
    }
    let bucket = |at: &usize| {
        let hash = hashes.get(*at).copied().unwrap_or(0).cast_unsigned();
        (hash ^ (hash >> 16)) as usize & (buckets - 1)
    };
    let mut order: Vec<usize> = (0..hashes.len()).collect();
    order.sort_by_key(bucket);
    order
}

/// `hashCode()` of the Java object that a cell becomes. Rows, arrays and bytes are not told apart.
fn java_hash(value: &Value, data_type: &DataType) -> i32 {
    match (value, &data_type.kind) {
        (Value::Null | Value::Bytes(_) | Value::Row(_) | Value::Array(_) | Value::Map(_), _) => 0,
        (Value::Bool(truth), _) => {
            if *truth {
                1231
            } else {
                1237
            }
        }
        (Value::Int(days), TypeKind::Date) => date_hash(*days),
        (Value::Int(ms), TypeKind::Time(_)) => fold(*ms * 1_000_000),
        (Value::Int(ms), TypeKind::IntervalDayTime(_)) => instant_hash(*ms, 0),
        (Value::Int(months), TypeKind::IntervalYearMonth(_)) => low(*months).rotate_left(8),
        (Value::Int(number), TypeKind::BigInt) => fold(*number),
        (Value::Int(number), _) => low(*number),
        (Value::Double(number), TypeKind::Float) => super::narrow(*number).to_bits().cast_signed(),
        (Value::Double(number), _) => fold(number.to_bits().cast_signed()),
        (Value::Decimal(_) | Value::BigDecimal(_), kind) => decimal_hash(super::decimal(value, kind)),
        (Value::Timestamp { ms, nanos }, TypeKind::TimestampLtz { .. }) => instant_hash(*ms, *nanos),
        (Value::Timestamp { ms, nanos }, _) => {
            let time = ms.rem_euclid(DAY_MS) * 1_000_000 + i64::from(*nanos);
            date_hash(ms.div_euclid(DAY_MS)) ^ fold(time)
        }
        (Value::Str(text), _) => string_hash(text),
    }
}

/// Java's `String.hashCode`.
pub fn string_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

fn date_hash(days: i64) -> i32 {
    let date = civil_from_days(days);
    let year = low(date.year);
    let rest = year
        .wrapping_shl(11)
        .wrapping_add(i32::from(date.month) << 6)
        .wrapping_add(i32::from(date.day));
    (year & !0x7ff) ^ rest
}

fn instant_hash(ms: i64, nanos: u32) -> i32 {
    let nanos = low(ms.rem_euclid(1000) * 1_000_000 + i64::from(nanos));
    fold(ms.div_euclid(1000)).wrapping_add(nanos.wrapping_mul(51))
}

fn decimal_hash(number: Decimal) -> i32 {
    let magnitude = number.unscaled.unsigned_abs();
    let words = if i64::try_from(number.unscaled).is_ok() {
        let magnitude = word(magnitude);
        let hash = (magnitude >> 32)
            .wrapping_mul(31)
            .wrapping_add(magnitude & 0xffff_ffff);
        word_low(hash)
    } else {
        (0..4).rev().fold(0, |hash: i32, at| {
            hash.wrapping_mul(31)
                .wrapping_add(word_low(word(magnitude >> (32 * at))))
        })
    };
    let signed = if number.unscaled < 0 {
        words.wrapping_neg()
    } else {
        words
    };
    signed.wrapping_mul(31).wrapping_add(i32::from(number.scale))
}

/// Java's `Long.hashCode`.
const fn fold(number: i64) -> i32 {
    low(number ^ (number.cast_unsigned() >> 32).cast_signed())
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
const fn low(number: i64) -> i32 {
    number as i32
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is meant")]
const fn word(number: u128) -> u64 {
    number as u64
}

const fn word_low(number: u64) -> i32 {
    low(number.cast_signed())
}
