//! Joining, letters, searching, replacing.

use sg_value::{DataType, Gather as _, TypeKind, Value, data_type::MAX_LENGTH, float::f64_from_text};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        arithmetic::not_runnable,
        definition::Family::String as Strings,
        signature::{Nullable, Param, Returns, Signature, takes},
    },
    int, length,
    letters::{digit, is_digit, is_letter},
    offset_of, string, text,
};
use crate::{
    bound::Expr,
    number::{index_from_long, long_from_len},
    resolve::Request,
    types::{KindExt, varchar},
};

use Param::{Bytes, Int, Text};

static TO_INT: &[Signature] = &[takes(&[Text], Returns::Int)];
static SAME: &[Signature] = &[takes(&[Text], Returns::Same(0))];
static TEXTS: &[Signature] = &[takes(&[Text], Returns::Text).variadic()];
static JOINED: &[Signature] = &[takes(&[Text, Text], Returns::Text)
    .variadic()
    .optional(1)
    .nullable()];
static TWO_TO_INT: &[Signature] = &[takes(&[Text, Text], Returns::Int)];
static LOCATE: &[Signature] = &[takes(&[Text, Text, Int], Returns::Int).optional(1)];
static REPLACE: &[Signature] = &[takes(&[Text, Text, Text], Returns::Text)];
static REVERSE: &[Signature] = &[takes(&[Text], Returns::Text).nullable()];
static STARTS: &[Signature] = &[
    takes(&[Text, Text], Returns::Bool),
    takes(&[Bytes, Bytes], Returns::Bool),
];
static NAME: &[Signature] = &[takes(&[], Returns::Text).nulls(Nullable::Never)];
static KIND_OF_TEXT: &[Signature] = &[takes(&[Text], Returns::Bool).nulls(Nullable::Never)];

const fn row(
    name: &'static str,
    of: &'static [Signature],
    eval: fn(&[Value]) -> Outcome,
    doc: [&'static str; 2],
) -> FunctionDef {
    FunctionDef::new(name, Strings, Resolve::Table(of), Eval::Values(eval), doc)
}

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "||",
        Strings,
        Resolve::Rules(resolve_join),
        Eval::Values(join),
        ["Two texts one behind the other.", "连接两个文本。"],
    )
    .written(&["a || b"]),
    row(
        "CONCAT",
        TEXTS,
        join,
        [
            "All texts one behind the other; NULL where one is.",
            "连接所有文本；有 NULL 时为 NULL。",
        ],
    ),
    row(
        "CONCAT_WS",
        JOINED,
        join_with,
        [
            "Texts joined by the first one; NULLs are left out.",
            "用第一个参数连接其余文本，忽略 NULL。",
        ],
    )
    .sees_nulls(),
    row(
        "CHAR_LENGTH",
        TO_INT,
        |values| Ok(Value::Int(length(text(values, 0)))),
        ["How many characters a text has.", "文本的字符数。"],
    )
    .alias(&["CHARACTER_LENGTH"]),
    row(
        "UPPER",
        SAME,
        |values| Ok(string(sg_value::case::upper(text(values, 0)))),
        ["The text in capital letters.", "转为大写。"],
    ),
    row(
        "LOWER",
        SAME,
        |values| Ok(string(sg_value::case::lower(text(values, 0)))),
        ["The text in small letters.", "转为小写。"],
    ),
    row(
        "INITCAP",
        SAME,
        init_cap,
        ["Each word with a capital letter.", "每个单词首字母大写。"],
    ),
    row(
        "POSITION",
        TWO_TO_INT,
        |values| Ok(Value::Int(find(text(values, 1), text(values, 0), 1))),
        [
            "Where the first text stands in the second, 0 if nowhere.",
            "第一个文本在第二个中的位置，没有时为 0。",
        ],
    )
    .written(&["POSITION(part IN text)"]),
    row(
        "LOCATE",
        LOCATE,
        |values| {
            let from = if values.len() > 2 { int(values, 2) } else { 1 };
            Ok(Value::Int(find(text(values, 1), text(values, 0), from)))
        },
        [
            "Where the first text stands in the second, 0 if nowhere.",
            "第一个文本在第二个中的位置，没有时为 0。",
        ],
    ),
    row(
        "INSTR",
        TWO_TO_INT,
        |values| Ok(Value::Int(find(text(values, 0), text(values, 1), 1))),
        [
            "Where the second text stands in the first, 0 if nowhere.",
            "第二个文本在第一个中的位置，没有时为 0。",
        ],
    ),
    row(
        "REPLACE",
        REPLACE,
        |values| Ok(string(replace(text(values, 0), text(values, 1), text(values, 2)))),
        [
            "Every occurrence of the second text replaced by the third.",
            "把第二个文本的每次出现替换为第三个。",
        ],
    ),
    row(
        "TRANSLATE",
        REPLACE,
        translate,
        [
            "Characters of the second text replaced by those of the third in the same place.",
            "按位置把第二个文本中的字符换成第三个文本中的字符。",
        ],
    ),
    row(
        "REVERSE",
        REVERSE,
        |values| Ok(string(text(values, 0).chars().rev().gather())),
        ["The characters in reverse order.", "字符倒序。"],
    ),
    row(
        "STARTSWITH",
        STARTS,
        |values| affix(values, <[u8]>::starts_with),
        [
            "TRUE where the first begins with the second.",
            "第一个以第二个开头时为 TRUE。",
        ],
    ),
    row(
        "ENDSWITH",
        STARTS,
        |values| affix(values, <[u8]>::ends_with),
        [
            "TRUE where the first ends with the second.",
            "第一个以第二个结尾时为 TRUE。",
        ],
    ),
    row(
        "IS_ALPHA",
        KIND_OF_TEXT,
        |values| is_made_of(values, is_letter),
        ["TRUE for letters only.", "全部为字母时为 TRUE。"],
    )
    .sees_nulls(),
    row(
        "IS_DIGIT",
        KIND_OF_TEXT,
        |values| is_made_of(values, is_digit),
        ["TRUE for digits only.", "全部为数字时为 TRUE。"],
    )
    .sees_nulls(),
    row(
        "CURRENT_DATABASE",
        NAME,
        |_| Ok(Value::from("default_database")),
        ["The name of the current database.", "当前数据库的名称。"],
    ),
    row(
        "IS_DECIMAL",
        KIND_OF_TEXT,
        is_decimal,
        ["TRUE for a number.", "是数值时为 TRUE。"],
    )
    .sees_nulls(),
];

/// CHARs make a CHAR, everything else a VARCHAR of the summed lengths.
fn resolve_join(mut request: Request<'_>) -> Expr {
    let (left, right) = (request.plain(0).kind, request.plain(1).kind);
    if left.is_binary() && right.is_binary() && request.args.len() == 2 {
        return not_runnable(request);
    }
    let texts = |kind: &TypeKind| kind.is_character() || *kind == TypeKind::Null;
    if request.args.len() != 2 || !texts(&left) || !texts(&right) {
        return request.wrong_types(&[
            "'<STRING> || <STRING>'".to_owned(),
            "'<EQUIVALENT_TYPE> || <EQUIVALENT_TYPE>'".to_owned(),
        ]);
    }
    let length = left
        .length()
        .unwrap_or(MAX_LENGTH)
        .saturating_add(right.length().unwrap_or(MAX_LENGTH));
    let kind = match (&left, &right) {
        (TypeKind::Char(_), TypeKind::Char(_)) => TypeKind::Char(length.min(MAX_LENGTH)),
        _ => varchar(length),
    };
    let data_type = DataType {
        kind,
        nullable: request.any_nullable(),
    };
    let args = std::mem::take(&mut request.args);
    request.call(args, data_type)
}

fn join(values: &[Value]) -> Outcome {
    if let [Value::Str(left), Value::Str(right)] = values {
        let mut joined = String::with_capacity(left.len() + right.len());
        joined.push_str(left);
        joined.push_str(right);
        return Ok(string(joined));
    }
    Ok(string(values.iter().filter_map(Value::as_str).gather()))
}

fn join_with(values: &[Value]) -> Outcome {
    let Some((Value::Str(separator), texts)) = values.split_first() else {
        return Ok(Value::Null);
    };
    let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).gather();
    Ok(string(texts.join(separator)))
}

/// Words are of letters and digits of ASCII; what else there is stays and ends a word. Case: types/text-results.
fn init_cap(values: &[Value]) -> Outcome {
    let mut capital = true;
    let mut out = String::new();
    for letter in text(values, 0).chars() {
        out.push(if capital {
            letter.to_ascii_uppercase()
        } else {
            letter.to_ascii_lowercase()
        });
        capital = !letter.is_ascii_alphanumeric();
    }
    Ok(string(out))
}

/// The place of a part, counted from 1, looked for from a place on; 0 if nowhere.
fn find(text: &str, part: &str, from: i64) -> i64 {
    let Some(skipped) = from.checked_sub(1).and_then(index_from_long) else {
        return 0;
    };
    let start = offset_of(text, skipped);
    let rest = text.get(start..).unwrap_or_default();
    match rest.find(part) {
        Some(offset) => long_from_len(text.get(..start + offset).unwrap_or_default().chars().count()) + 1,
        None => 0,
    }
}

fn replace(text: &str, from: &str, to: &str) -> String {
    if from.is_empty() {
        text.to_owned()
    } else {
        text.replace(from, to)
    }
}

fn translate(values: &[Value]) -> Outcome {
    let from: Vec<char> = text(values, 1).chars().gather();
    let to: Vec<char> = text(values, 2).chars().gather();
    let translated =
        text(values, 0)
            .chars()
            .filter_map(|letter| match from.iter().position(|known| *known == letter) {
                Some(at) => to.get(at).copied(),
                None => Some(letter),
            });
    Ok(string(translated.gather()))
}

fn affix(values: &[Value], test: fn(&[u8], &[u8]) -> bool) -> Outcome {
    let bytes = |value: &Value| -> Option<Vec<u8>> {
        match value {
            Value::Str(text) => Some(text.as_bytes().to_vec()),
            Value::Bytes(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    };
    Ok(
        match (values.first().and_then(bytes), values.get(1).and_then(bytes)) {
            (Some(whole), Some(part)) => Value::Bool(test(&whole, &part)),
            _ => Value::Null,
        },
    )
}

fn is_made_of(values: &[Value], test: fn(char) -> bool) -> Outcome {
    let found = values.first().and_then(Value::as_str);
    Ok(Value::Bool(
        found.is_some_and(|text| !text.is_empty() && text.chars().all(test)),
    ))
}

fn is_decimal(values: &[Value]) -> Outcome {
    let found = values.first().and_then(Value::as_str);
    // digits of other scripts count, too
    let found = found.map(|text| -> String { text.chars().map(|c| digit(c).unwrap_or(c)).collect() });
    Ok(Value::Bool(found.is_some_and(|text| {
        text.chars().any(|c| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c))
            && f64_from_text(&text).is_some()
    })))
}
