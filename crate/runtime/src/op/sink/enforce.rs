//! Lengths of CHAR, VARCHAR, BINARY and VARBINARY in front of a sink.

use sg_value::{Gather as _, TypeKind, Value};

/// A value that its column's length changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    /// Its length before, in characters or bytes.
    pub(super) length: usize,
    /// The value cut or padded.
    pub(super) value: Value,
}

/// How a value has to change to fit a type; `None` where it fits.
#[cfg_attr(sg_hot, optimize(size))]
pub(super) fn fit(value: &Value, kind: &TypeKind) -> Option<Fit> {
    let (wanted, fixed) = match kind {
        TypeKind::Char(wanted) | TypeKind::Binary(wanted) => (*wanted as usize, true),
        TypeKind::Varchar(wanted) | TypeKind::Varbinary(wanted) => (*wanted as usize, false),
        _ => return None,
    };
    let length = match value {
        Value::Str(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        _ => return None,
    };
    if length <= wanted && (length == wanted || !fixed) {
        return None;
    }
    let value = match value {
        Value::Str(text) => {
            let padding = std::iter::repeat(' ');
            Value::Str(text.chars().chain(padding).take(wanted).gather::<String>().into())
        }
        Value::Bytes(bytes) => {
            let mut fitted = bytes.to_vec();
            fitted.resize(wanted, 0);
            Value::Bytes(fitted.into())
        }
        other => other.clone(),
    };
    Some(Fit { length, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_and_short_fixed_ones_padded() {
        let cut = |text: &str, kind| fit(&text.into(), &kind).map(|fit| (fit.length, fit.value));
        assert_eq!(cut("abcd", TypeKind::Varchar(3)), Some((4, "abc".into())));
        assert_eq!(cut("ab", TypeKind::Varchar(3)), None);
        assert_eq!(cut("ab", TypeKind::Char(3)), Some((2, "ab ".into())));
        assert_eq!(cut("abc", TypeKind::Char(3)), None);
    }
}
