//! The `BITMAP_` functions. A BITMAP is the bytes of [`sg_value::bitmap`]. Case: types/bitmap-functions.

use sg_diag::Code;
use sg_value::{
    DataType, Gather as _, TypeKind, Value,
    bitmap::{decode, encode},
    format::cast_text,
    time::Zone,
};

use super::{
    Eval, FunctionDef, Outcome, Resolve,
    definition::Family::Collection,
    failure,
    signature::{Param, Returns, Signature, takes},
};

const BITMAP: Returns = Returns::From(|_| TypeKind::Bitmap);
static BUILD: &[Signature] = &[takes(&[Param::IntArray], BITMAP)];
static BYTES: &[Signature] = &[takes(&[Param::Bytes], BITMAP)];
static TWO: &[Signature] = &[takes(&[Param::Bitmap, Param::Bitmap], BITMAP)];
static TO_BYTES: &[Signature] = &[takes(&[Param::Bitmap], Returns::Bytes)];
static TO_TEXT: &[Signature] = &[takes(&[Param::Bitmap], Returns::Text)];
static TO_NUMBER: &[Signature] = &[takes(&[Param::Bitmap], Returns::BigInt)];
static TO_ARRAY: &[Signature] = &[takes(
    &[Param::Bitmap],
    Returns::From(|_| TypeKind::Array(DataType::INT.into())),
)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Collection, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "BITMAP_BUILD",
        BUILD,
        build,
        ["The set of the integers of an array.", "由整数数组构成的位图。"],
    ),
    row(
        "BITMAP_FROM_BYTES",
        BYTES,
        from_bytes,
        [
            "The set that these bytes of RoaringBitmap's portable form are.",
            "由 RoaringBitmap 可移植格式的字节得到位图。",
        ],
    ),
    row(
        "BITMAP_TO_BYTES",
        TO_BYTES,
        |values| Ok(values.first().cloned().unwrap_or_default()),
        [
            "The set as bytes of RoaringBitmap's portable form.",
            "把位图写成 RoaringBitmap 可移植格式的字节。",
        ],
    ),
    row(
        "BITMAP_TO_STRING",
        TO_TEXT,
        to_text,
        ["The set as text: {1,2,3}.", "位图的文本形式：{1,2,3}。"],
    ),
    row(
        "BITMAP_TO_ARRAY",
        TO_ARRAY,
        to_array,
        [
            "The integers of the set, sorted as unsigned ones.",
            "位图中的整数，按无符号数排序。",
        ],
    ),
    row(
        "BITMAP_CARDINALITY",
        TO_NUMBER,
        |values| Ok(cardinality(&numbers(values, 0))),
        ["How many integers the set has.", "位图中整数的个数。"],
    ),
    row(
        "BITMAP_AND",
        TWO,
        |values| Ok(combined(values, Keep::Both)),
        ["What is in both sets.", "两个位图的交集。"],
    ),
    row(
        "BITMAP_OR",
        TWO,
        |values| Ok(combined(values, Keep::Any)),
        ["What is in one of the sets.", "两个位图的并集。"],
    ),
    row(
        "BITMAP_XOR",
        TWO,
        |values| Ok(combined(values, Keep::One)),
        [
            "What is in exactly one of the sets.",
            "只属于其中一个位图的整数。",
        ],
    ),
    row(
        "BITMAP_ANDNOT",
        TWO,
        |values| Ok(combined(values, Keep::First)),
        [
            "What is in the first set and not in the second.",
            "属于第一个位图而不属于第二个位图的整数。",
        ],
    ),
];

/// Which numbers of two sets stay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Those in both.
    Both,
    /// Those in any.
    Any,
    /// Those in exactly one.
    One,
    /// Those in the first alone.
    First,
}

/// Two sorted sets as one.
pub(crate) fn combine(left: &[u32], right: &[u32], keep: Keep) -> Vec<u32> {
    let mut out = Vec::new();
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    loop {
        let (number, kept) = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) if a == b => {
                let number = **a;
                left.next();
                right.next();
                (number, matches!(keep, Keep::Both | Keep::Any))
            }
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                let number = **a;
                left.next();
                (number, keep != Keep::Both)
            }
            (_, Some(b)) => {
                let number = **b;
                right.next();
                (number, matches!(keep, Keep::Any | Keep::One))
            }
            _ => return out,
        };
        if kept {
            out.push(number);
        }
    }
}

/// The numbers of a BITMAP; none where it is something else.
pub(crate) fn numbers_of(value: &Value) -> Vec<u32> {
    match value {
        Value::Bytes(bytes) => decode(bytes).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// A BITMAP of these numbers.
pub(crate) fn bitmap(numbers: Vec<u32>) -> Value {
    Value::Bytes(encode(numbers).into())
}

/// How many numbers there are, a BIGINT.
pub(crate) fn cardinality(numbers: &[u32]) -> Value {
    Value::Int(crate::number::long_from_len(numbers.len()))
}

/// A number of a set as an INT and back.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an INT has 32 bits, and a set reads them as unsigned"
)]
pub(crate) const fn number_of(int: i64) -> u32 {
    int as u32
}

fn numbers(values: &[Value], at: usize) -> Vec<u32> {
    values.get(at).map(numbers_of).unwrap_or_default()
}

fn combined(values: &[Value], keep: Keep) -> Value {
    bitmap(combine(&numbers(values, 0), &numbers(values, 1), keep))
}

fn build(values: &[Value]) -> Outcome {
    let Some(Value::Array(elements)) = values.first() else {
        return Ok(Value::Null);
    };
    let ints = elements.iter().filter_map(Value::as_int);
    Ok(bitmap(ints.map(number_of).gather()))
}

fn from_bytes(values: &[Value]) -> Outcome {
    let Some(Value::Bytes(bytes)) = values.first() else {
        return Ok(Value::Null);
    };
    decode(bytes).map(bitmap).map_err(|why| {
        let cause = why.map_or_else(String::new, |why| format!("\nIOException: {why}"));
        Box::new(
            failure(Code::ValueNotTaken)
                .arg("function", "BITMAP_FROM_BYTES")
                .arg("reason", "the bytes are no bitmap")
                .flink(format!(
                    "TableRuntimeException: Failed to deserialize bitmap from bytes.{cause}"
                )),
        )
    })
}

fn to_text(values: &[Value]) -> Outcome {
    let text = values
        .first()
        .and_then(|value| cast_text(value, &DataType::nullable(TypeKind::Bitmap), &Zone::UTC));
    Ok(text.map_or(Value::Null, |text| Value::Str(text.into())))
}

fn to_array(values: &[Value]) -> Outcome {
    let ints = numbers(values, 0)
        .into_iter()
        .map(|number| Value::Int(i64::from(number.cast_signed())));
    Ok(Value::Array(ints.gather()))
}
