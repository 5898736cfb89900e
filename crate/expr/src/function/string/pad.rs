//! Texts made longer.

use sg_diag::Code;
use sg_value::{Gather as _, Value};

use super::{
    super::{
        Eval, FunctionDef, Outcome, Resolve,
        definition::Family::String as Strings,
        failure,
        signature::{Param, Returns, Signature, takes},
    },
    int, string, text,
};
use crate::number::index_from_long;

use Param::{Int, Text};

static PAD: &[Signature] = &[takes(&[Text, Int, Text], Returns::Text)];
static REPEAT: &[Signature] = &[takes(&[Text, Int], Returns::Text)];

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
        "LPAD",
        PAD,
        |values| pad(values, true),
        [
            "Filled up on the left to a length, or cut to it.",
            "在左侧填充到指定长度，或截断到该长度。",
        ],
    ),
    row(
        "RPAD",
        PAD,
        |values| pad(values, false),
        [
            "Filled up on the right to a length, or cut to it.",
            "在右侧填充到指定长度，或截断到该长度。",
        ],
    ),
    row(
        "REPEAT",
        REPEAT,
        repeat,
        ["The text so many times.", "重复若干次。"],
    ),
];

/// Longer texts than this are no replay's business.
const MOST_CHARACTERS: usize = 16 << 20;

fn too_long(function: &'static str) -> Outcome {
    Err(Box::new(
        failure(Code::ValueNotTaken).arg("function", function).arg(
            "reason",
            format!("the text would be longer than {MOST_CHARACTERS} characters"),
        ),
    ))
}

fn pad(values: &[Value], left: bool) -> Outcome {
    let (whole, filling) = (text(values, 0), text(values, 2));
    let Some(wanted) = index_from_long(int(values, 1)) else {
        return Ok(Value::Null);
    };
    if filling.is_empty() {
        return Ok(Value::Null);
    }
    if wanted > MOST_CHARACTERS {
        return too_long(if left { "LPAD" } else { "RPAD" });
    }
    let length = whole.chars().count();
    let kept: String = whole.chars().take(wanted).gather();
    let fill: String = filling
        .chars()
        .cycle()
        .take(wanted.saturating_sub(length))
        .gather();
    Ok(string(if left {
        format!("{fill}{kept}")
    } else {
        format!("{kept}{fill}")
    }))
}

fn repeat(values: &[Value]) -> Outcome {
    let count = index_from_long(int(values, 1)).unwrap_or(0);
    let whole = text(values, 0);
    if whole.len().saturating_mul(count) > MOST_CHARACTERS {
        return too_long("REPEAT");
    }
    Ok(string(whole.repeat(count)))
}
