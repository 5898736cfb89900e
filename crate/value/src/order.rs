//! Order and equality of values.
//!
//! Two notions. `Value`'s own `Eq`, `Ord` and `Hash` are those of keys and of state: NULL equals NULL, and doubles are
//! compared by their bits, as Flink does with the bytes of a key (0.0 and -0.0 are two groups, NaN is one).
//! `sql_equal` and `sql_compare` are those of predicates: NULL is unknown, 0.0 equals -0.0.
//!
//! Values of one column only are compared with each other; across variants the order is by variant, without meaning.

use std::{
    cmp::Ordering,
    hash::{Hash, Hasher},
};

use crate::{
    hash::TableHasher,
    value::{MapValue, Value},
};

/// `left = right`; `None` where one of them is NULL. Both have the same type (decimals: the same scale).
///
/// Inside rows, arrays and maps NULL equals NULL.
pub fn sql_equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => None,
        #[expect(clippy::float_cmp, reason = "SQL's = on doubles is Java's ==")]
        (Value::Double(left), Value::Double(right)) => Some(left == right),
        _ => Some(left == right),
    }
}

/// Order of `left` and `right`; `None` where one of them is NULL. NaN is above all numbers, 0.0 equals -0.0.
pub fn sql_compare(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => None,
        _ => Some(sort_compare(left, right)),
    }
}

/// Order of a sort key, ascending: NULL is lowest, NaN above all numbers, 0.0 equals -0.0.
pub fn sort_compare(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Double(left), Value::Double(right)) => compare_doubles(*left, *right),
        (Value::Row(left), Value::Row(right)) | (Value::Array(left), Value::Array(right)) => {
            compare_slices(left, right, sort_compare)
        }
        _ => left.cmp(right),
    }
}

fn compare_doubles(left: f64, right: f64) -> Ordering {
    left.partial_cmp(&right)
        .unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
}

fn compare_slices(left: &[Value], right: &[Value], compare: fn(&Value, &Value) -> Ordering) -> Ordering {
    for (left, right) in left.iter().zip(right) {
        let order = compare(left, right);
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len())
}

/// The bits by which doubles are equal as keys: every NaN is the same.
const fn key_bits(number: f64) -> u64 {
    if number.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        number.to_bits()
    }
}

/// Which variant a value has; decimals count as one.
const fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(_) => 1,
        Value::Int(_) => 2,
        Value::Double(_) => 3,
        Value::Decimal(_) | Value::BigDecimal(_) => 4,
        Value::Timestamp { .. } => 5,
        Value::Str(_) => 6,
        Value::Bytes(_) => 7,
        Value::Row(_) => 8,
        Value::Array(_) => 9,
        Value::Map(_) => 10,
    }
}

impl PartialEq for Value {
    #[cfg_attr(sg_hot, optimize(speed))]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(left), Self::Bool(right)) => left == right,
            (Self::Int(left), Self::Int(right)) | (Self::Decimal(left), Self::Decimal(right)) => {
                left == right
            }
            (Self::Double(left), Self::Double(right)) => key_bits(*left) == key_bits(*right),
            (Self::BigDecimal(left), Self::BigDecimal(right)) => left == right,
            (Self::Decimal(small), Self::BigDecimal(big)) | (Self::BigDecimal(big), Self::Decimal(small)) => {
                i128::from(*small) == **big
            }
            (
                Self::Timestamp {
                    ms: left,
                    nanos: left_nanos,
                },
                Self::Timestamp {
                    ms: right,
                    nanos: right_nanos,
                },
            ) => left == right && left_nanos == right_nanos,
            (Self::Str(left), Self::Str(right)) => left == right,
            (Self::Bytes(left), Self::Bytes(right)) => left == right,
            (Self::Row(left), Self::Row(right)) | (Self::Array(left), Self::Array(right)) => left == right,
            (Self::Map(left), Self::Map(right)) => left == right,
            _ => false,
        }
    }
}

impl Eq for Value {}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Bool(left), Self::Bool(right)) => left.cmp(right),
            (Self::Int(left), Self::Int(right)) | (Self::Decimal(left), Self::Decimal(right)) => {
                left.cmp(right)
            }
            (Self::Double(left), Self::Double(right)) => compare_doubles(*left, *right)
                .then_with(|| right.is_sign_negative().cmp(&left.is_sign_negative())),
            (Self::Decimal(_) | Self::BigDecimal(_), Self::Decimal(_) | Self::BigDecimal(_)) => {
                self.unscaled().cmp(&other.unscaled())
            }
            (
                Self::Timestamp {
                    ms: left,
                    nanos: left_nanos,
                },
                Self::Timestamp {
                    ms: right,
                    nanos: right_nanos,
                },
            ) => left.cmp(right).then(left_nanos.cmp(right_nanos)),
            (Self::Str(left), Self::Str(right)) => left.cmp(right),
            (Self::Bytes(left), Self::Bytes(right)) => left.cmp(right),
            (Self::Row(left), Self::Row(right)) | (Self::Array(left), Self::Array(right)) => {
                compare_slices(left, right, Self::cmp)
            }
            (Self::Map(left), Self::Map(right)) => left.cmp(right),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Value {
    #[cfg_attr(sg_hot, optimize(speed))]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            // Any number that columns rarely hold.
            Self::Null => state.write_u64(0x9e37_79b9_7f4a_7c15),
            Self::Bool(truth) => state.write_u8(1 + u8::from(*truth)),
            Self::Int(number) | Self::Decimal(number) => state.write_i64(*number),
            Self::Double(number) => state.write_u64(key_bits(*number)),
            // A big form of a small number must hash like the small one.
            Self::BigDecimal(big) => match i64::try_from(**big) {
                Ok(small) => state.write_i64(small),
                Err(_) => state.write(&big.to_le_bytes()),
            },
            Self::Timestamp { ms, nanos } => {
                state.write_i64(*ms);
                state.write_u32(*nanos);
            }
            Self::Str(text) => state.write(text.as_bytes()),
            Self::Bytes(bytes) => state.write(bytes),
            Self::Row(values) | Self::Array(values) => {
                state.write_usize(values.len());
                values.iter().for_each(|value| value.hash(state));
            }
            Self::Map(map) => map.hash(state),
        }
    }
}

impl PartialEq for MapValue {
    /// The same keys with the same values, in any order.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn eq(&self, other: &Self) -> bool {
        self.entries.len() == other.entries.len()
            && self
                .entries
                .iter()
                .all(|(key, value)| other.get(key) == Some(value))
    }
}

impl Eq for MapValue {}

impl Ord for MapValue {
    /// By number of entries, then by keys and values as if sorted by key.
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let sorted = |map: &Self| {
            let mut order: Vec<usize> = (0..map.entries.len()).collect();
            order.sort_by(|left, right| map.entries.get(*left).cmp(&map.entries.get(*right)));
            order
        };
        self.entries.len().cmp(&other.entries.len()).then_with(|| {
            sorted(self)
                .into_iter()
                .map(|at| self.entries.get(at))
                .cmp(sorted(other).into_iter().map(|at| other.entries.get(at)))
        })
    }
}

impl PartialOrd for MapValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for MapValue {
    /// Independent of the order of the entries.
    #[cfg_attr(sg_hot, optimize(speed))]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let sum = self.entries.iter().fold(0_u64, |sum, (key, value)| {
            let mut entry = TableHasher::default();
            key.hash(&mut entry);
            value.hash(&mut entry);
            sum.wrapping_add(entry.finish())
        });
        state.write_u64(sum);
    }
}

impl MapValue {
    /// The value of a key; `None` if the map has no such key.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.entries
            .iter()
            .find(|(own, _)| own == key)
            .map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proptest::prelude::*;

    use super::*;
    use crate::hash::table_hash;

    #[test]
    fn null_is_unknown_in_predicates_and_equal_as_a_key() {
        assert_eq!(sql_equal(&Value::Null, &Value::Null), None);
        assert_eq!(sql_compare(&Value::Int(1), &Value::Null), None);
        assert_eq!(Value::Null, Value::Null);
        assert_eq!(sort_compare(&Value::Null, &Value::Int(i64::MIN)), Ordering::Less);
    }

    #[test]
    fn doubles_as_keys_and_in_predicates() {
        let (zero, minus, nan) = (Value::Double(0.0), Value::Double(-0.0), Value::Double(f64::NAN));
        assert_eq!(sql_equal(&zero, &minus), Some(true));
        assert_eq!(sql_equal(&nan, &nan), Some(false));
        assert_ne!(zero, minus);
        assert_eq!(nan, Value::Double(-f64::NAN));
        assert_eq!(minus.cmp(&zero), Ordering::Less);
        assert_eq!(sql_compare(&zero, &minus), Some(Ordering::Equal));
        assert_eq!(
            sql_compare(&nan, &Value::Double(f64::INFINITY)),
            Some(Ordering::Greater)
        );
    }

    #[test]
    fn maps_are_equal_in_any_order_and_hash_alike() {
        let map = |entries: &[(&str, i64)]| {
            Value::Map(Rc::new(MapValue {
                entries: entries
                    .iter()
                    .map(|(key, value)| (Value::from(*key), Value::Int(*value)))
                    .collect(),
            }))
        };
        let (left, right) = (map(&[("a", 1), ("b", 2)]), map(&[("b", 2), ("a", 1)]));
        assert_eq!(left, right);
        assert_eq!(left.cmp(&right), Ordering::Equal);
        assert_eq!(table_hash(std::slice::from_ref(&left)), table_hash(&[right]));
        assert_ne!(left, map(&[("a", 1), ("b", 3)]));
        assert_eq!(left.cmp(&map(&[("a", 1), ("b", 3)])), Ordering::Less);
    }

    #[test]
    fn text_is_ordered_by_its_bytes() {
        let mut texts = [
            Value::from("b"),
            Value::from("é"),
            Value::from("a "),
            Value::from("a"),
            Value::from("B"),
        ];
        texts.sort_by(sort_compare);
        let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
        assert_eq!(texts, ["B", "a", "a ", "b", "é"]);
    }

    /// Values of all kinds, few enough that equal ones meet.
    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            (-2_i64..2).prop_map(Value::Int),
            prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), Just(-f64::NAN), Just(1.5)]
                .prop_map(Value::Double),
            (-2_i64..2).prop_map(Value::Decimal),
            (-2_i128..2).prop_map(|unscaled| Value::BigDecimal(Rc::new(unscaled))),
            (0_i64..2, 0_u32..2).prop_map(|(ms, nanos)| Value::Timestamp { ms, nanos }),
            "[ab]{0,2}".prop_map(|text| Value::from(text.as_str())),
        ];
        leaf.prop_recursive(2, 8, 3, |inner| {
            let many = proptest::collection::vec(inner.clone(), 0..3);
            let entries = proptest::collection::vec((inner.clone(), inner), 0..3);
            prop_oneof![
                many.clone().prop_map(|values| Value::Row(values.into())),
                many.prop_map(|values| Value::Array(values.into())),
                entries.prop_map(|entries| {
                    let mut map = MapValue::default();
                    for (key, value) in entries {
                        if map.get(&key).is_none() {
                            map.entries.push((key, value));
                        }
                    }
                    Value::Map(Rc::new(map))
                }),
            ]
        })
    }

    proptest! {
        // Finds: keys that are equal and hash apart, an order that sorting cannot rely on.
        #[test]
        fn equality_order_and_hash_agree(a in any_value(), b in any_value(), c in any_value()) {
            prop_assert_eq!(a == b, a.cmp(&b) == Ordering::Equal);
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(sort_compare(&a, &b), sort_compare(&b, &a).reverse());
            if a == b {
                prop_assert_eq!(table_hash(std::slice::from_ref(&a)), table_hash(std::slice::from_ref(&b)));
            }
            if a <= b && b <= c {
                prop_assert!(a <= c);
            }
        }
    }
}
