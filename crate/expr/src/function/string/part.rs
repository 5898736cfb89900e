//! Parts of a text.

use sg_value::{Gather as _, TypeKind, Value, data_type::MAX_LENGTH};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::String as Strings,
        signature::{Param, Returns, Signature, takes},
    },
    int, length, offset_of, string, text,
};
use crate::{
    bound::Expr,
    number::index_from_long,
    types::{KindExt, varchar},
};

use Param::{Any, Int, Integer, Symbol, Text};

static PART: &[Signature] = &[takes(&[Text, Int, Int], Returns::VarcharOf(0))
    .optional(1)
    .nullable()];
static SIDE: &[Signature] = &[takes(&[Text, Int], Returns::VarcharOf(0)).nullable()];
static TRIM: &[Signature] = &[takes(&[Symbol, Text, Text], Returns::VarcharOf(2))];
static TRIM_SIDE: &[Signature] = &[takes(&[Text, Text], Returns::VarcharOf(0)).optional(1)];
static TRIM_BOTH: &[Signature] = &[takes(&[Text, Text], Returns::Text).optional(1)];
static OVERLAY: &[Signature] = &[takes(&[Text, Text, Int, Int], Returns::From(overlay_kind)).optional(1)];
static SPLIT: &[Signature] = &[takes(&[Text, Text], Returns::TextArray)];
static SPLIT_INDEX: &[Signature] = &[takes(&[Text, Text, Int], Returns::Text).nullable()];
static ELT: &[Signature] = &[takes(&[Integer, Any], Returns::From(elt_kind))
    .variadic()
    .nullable()];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Strings, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    row(
        "SUBSTRING",
        PART,
        substring,
        [
            "The part from a position on, of a length; a negative position counts from the end.",
            "从某位置起、指定长度的子串；负数从末尾数起。",
        ],
    )
    .written(&[
        "SUBSTRING(text FROM start [FOR length])",
        "SUBSTRING(text, start[, length])",
    ]),
    row(
        "SUBSTR",
        PART,
        substring,
        [
            "The part from a position on, of a length; a negative position counts from the end.",
            "从某位置起、指定长度的子串；负数从末尾数起。",
        ],
    ),
    row(
        "LEFT",
        SIDE,
        |values| Ok(string(side(values, false))),
        ["The first characters.", "最左边的若干字符。"],
    ),
    row(
        "RIGHT",
        SIDE,
        |values| Ok(string(side(values, true))),
        ["The last characters.", "最右边的若干字符。"],
    ),
    row(
        "TRIM",
        TRIM,
        trim,
        [
            "Without blanks, or other characters, at the ends.",
            "去掉两端的空格或指定字符。",
        ],
    )
    .written(&["TRIM(text)", "TRIM(BOTH characters FROM text)"]),
    row(
        "LTRIM",
        TRIM_SIDE,
        |values| trim_at(values, true, false),
        [
            "Without blanks, or other characters, at the beginning.",
            "去掉开头的空格或指定字符。",
        ],
    ),
    row(
        "RTRIM",
        TRIM_SIDE,
        |values| trim_at(values, false, true),
        [
            "Without blanks, or other characters, at the end.",
            "去掉结尾的空格或指定字符。",
        ],
    ),
    row(
        "BTRIM",
        TRIM_BOTH,
        |values| trim_at(values, true, true),
        [
            "Without blanks, or other characters, at both ends.",
            "去掉两端的空格或指定字符。",
        ],
    ),
    row(
        "OVERLAY",
        OVERLAY,
        overlay,
        ["The text with a part of it replaced.", "用另一文本替换其中一段。"],
    )
    .written(&["OVERLAY(text PLACING part FROM start [FOR length])"]),
    row(
        "SPLIT",
        SPLIT,
        split,
        ["The pieces between delimiters.", "按分隔符切分。"],
    ),
    row(
        "SPLIT_INDEX",
        SPLIT_INDEX,
        split_index,
        [
            "The piece of a number, counted from 0.",
            "按分隔符切分后的第 n 段，从 0 数起。",
        ],
    ),
    row(
        "ELT",
        ELT,
        elt,
        [
            "The argument of a number, counted from 1.",
            "第 n 个参数，从 1 数起。",
        ],
    )
    .sees_nulls(),
];

fn substring(values: &[Value]) -> Outcome {
    let whole = text(values, 0);
    let start = match int(values, 1) {
        0 => 0,
        start if start > 0 => start - 1,
        start => (length(whole) + start).max(0),
    };
    let Some(start) = index_from_long(start) else {
        return Ok(Value::Null);
    };
    let from = offset_of(whole, start);
    let rest = whole.get(from..).unwrap_or_default();
    if values.len() < 3 {
        return Ok(Value::from(rest));
    }
    let Some(count) = index_from_long(int(values, 2)) else {
        return Ok(Value::Null);
    };
    Ok(Value::from(
        rest.get(..offset_of(rest, count)).unwrap_or_default(),
    ))
}

fn side(values: &[Value], right: bool) -> String {
    let whole = text(values, 0);
    let count = index_from_long(int(values, 1)).unwrap_or(0);
    if right {
        let skip = whole.chars().count().saturating_sub(count);
        whole.chars().skip(skip).gather()
    } else {
        whole.chars().take(count).gather()
    }
}

#[expect(
    clippy::fn_params_excessive_bools,
    reason = "words of the statement, each there or not"
)]
fn trimmed<'t>(whole: &'t str, characters: &str, start: bool, end: bool) -> &'t str {
    let cut = |letter: char| characters.contains(letter);
    let whole = if start {
        whole.trim_start_matches(cut)
    } else {
        whole
    };
    if end { whole.trim_end_matches(cut) } else { whole }
}

fn trim(values: &[Value]) -> Outcome {
    let (start, end) = match text(values, 0).to_ascii_uppercase().as_str() {
        "LEADING" => (true, false),
        "TRAILING" => (false, true),
        _ => (true, true),
    };
    Ok(Value::from(trimmed(text(values, 2), text(values, 1), start, end)))
}

#[expect(
    clippy::fn_params_excessive_bools,
    reason = "words of the statement, each there or not"
)]
fn trim_at(values: &[Value], start: bool, end: bool) -> Outcome {
    let characters = if values.len() > 1 { text(values, 1) } else { " " };
    Ok(Value::from(trimmed(text(values, 0), characters, start, end)))
}

fn overlay_kind(args: &[Expr]) -> TypeKind {
    let of = |at: usize| {
        args.get(at)
            .and_then(|arg| arg.data_type.kind.length())
            .unwrap_or(MAX_LENGTH)
    };
    varchar(of(0).saturating_add(of(1)))
}

fn overlay(values: &[Value]) -> Outcome {
    let (whole, part) = (text(values, 0), text(values, 1));
    let from = int(values, 2);
    let count = if values.len() > 3 {
        int(values, 3)
    } else {
        length(part)
    };
    let whole_length = length(whole);
    if from <= 0 || from > whole_length {
        return Ok(Value::from(whole));
    }
    let end = if count < 0 {
        whole_length
    } else {
        (from - 1 + count).min(whole_length)
    };
    let (Some(start), Some(end)) = (index_from_long(from - 1), index_from_long(end)) else {
        return Ok(Value::Null);
    };
    let head = whole.get(..offset_of(whole, start)).unwrap_or_default();
    let tail = whole.get(offset_of(whole, end)..).unwrap_or_default();
    Ok(string(format!("{head}{part}{tail}")))
}

fn split(values: &[Value]) -> Outcome {
    let (whole, delimiter) = (text(values, 0), text(values, 1));
    let pieces: Vec<Value> = if delimiter.is_empty() {
        whole.chars().map(|letter| string(letter.to_string())).gather()
    } else if whole.is_empty() {
        vec![Value::from("")]
    } else {
        whole.split(delimiter).map(Value::from).gather()
    };
    Ok(Value::Array(pieces.into()))
}

fn split_index(values: &[Value]) -> Outcome {
    let (whole, delimiter) = (text(values, 0), text(values, 1));
    let Some(wanted) = index_from_long(int(values, 2)) else {
        return Ok(Value::Null);
    };
    if delimiter.is_empty() || whole.is_empty() {
        return Ok(Value::Null);
    }
    Ok(whole
        .split(delimiter)
        .nth(wanted)
        .map_or(Value::Null, Value::from))
}

fn elt_kind(args: &[Expr]) -> TypeKind {
    let types: Vec<_> = args.iter().skip(1).map(|arg| arg.data_type.clone()).gather();
    crate::infer::generalized_type(&types).map_or(TypeKind::Null, |common| common.kind)
}

fn elt(values: &[Value]) -> Outcome {
    let Some(Value::Int(number)) = values.first() else {
        return Ok(Value::Null);
    };
    let chosen = index_from_long(*number).filter(|number| *number > 0);
    Ok(chosen
        .and_then(|number| values.get(number))
        .cloned()
        .unwrap_or_default())
}
