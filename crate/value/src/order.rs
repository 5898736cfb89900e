//! Order and equality of values.
//!
//! Two notions: `Value`'s own `Eq`, `Ord` and `Hash` are those of keys (NULL equals NULL, bit patterns of doubles),
//! and `sql_compare`/`sql_equal` are those of predicates (Java's on doubles, NULL is unknown).

use std::cmp::Ordering;

use crate::value::Value;

/// `left = right`, `None` where one is NULL. Both have the same type (decimals: the same scale).
pub fn sql_equal(_left: &Value, _right: &Value) -> Option<bool> {
    todo!()
}

/// `left <=> right`, `None` where one is NULL. NaN is above all numbers.
pub fn sql_compare(_left: &Value, _right: &Value) -> Option<Ordering> {
    todo!()
}

/// Order of a sort key: NULL first (lowest); values of one type.
pub fn sort_compare(_left: &Value, _right: &Value) -> Ordering {
    todo!()
}
