//! Every example of `tests/functions.tsv`, recorded on Flink: value, type and refusal of scalar expressions.
//!
//! An example is bound as `SELECT example`, folded, compiled and evaluated once. Values compare as CAST AS STRING prints
//! them. What does not agree yet stands in `tests/functions-pending.tsv` with the reason; one that agrees has to leave it.
//! Aggregates and queries need a running job and are not looked at here.
#![expect(clippy::indexing_slicing, reason = "a test says what is missing and stops")]

use std::collections::BTreeMap;

use sg_diag::Diagnostics;
use sg_expr::{EvalCx, Expr, ExprKind, compile, fold, shown_type};
use sg_plan::{PlannedKind, analyze_script, catalog::Catalog, logical::LogicalOp};
use sg_sql::parse_script;
use sg_value::{DataType, TypeKind, Value, format::cast_text, time::Zone};

const RECORDED: &str = include_str!("../../../tests/functions.tsv");
const PENDING: &str = include_str!("../../../tests/functions-pending.tsv");

struct Example<'t> {
    text: &'t str,
    result: String,
    note: &'t str,
}

/// What an example gives: a type and a text, or a refusal.
enum Outcome {
    Value {
        data_type: DataType,
        text: Option<String>,
    },
    Refused(String),
}

fn examples() -> impl Iterator<Item = Example<'static>> {
    RECORDED.lines().skip(1).filter_map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, _, _, text, result, rest @ ..] = columns.as_slice() else {
            return None;
        };
        let scalar = !text.starts_with("SELECT ");
        scalar.then(|| Example {
            text,
            result: unescaped(result),
            note: rest.first().copied().unwrap_or(""),
        })
    })
}

fn unescaped(text: &str) -> String {
    text.replace("\\t", "\t")
        .replace("\\u0000", "\0")
        .replace("\\\\", "\\")
}

fn outcome(example: &str) -> Outcome {
    let sql = format!("SELECT {example}");
    let script = parse_script(&sql);
    let mut diags = script.diagnostics.clone();
    let analyzed = analyze_script(&sql, &script, Catalog::default(), &mut diags);
    let refusal = |diags: &Diagnostics| {
        let first = diags.iter().find(|diagnostic| diagnostic.severity().is_refusal());
        first.map(|diagnostic| {
            diagnostic
                .flink
                .clone()
                .unwrap_or_else(|| diagnostic.message(sg_diag::Lang::En))
        })
    };
    if let Some(message) = refusal(&diags) {
        return Outcome::Refused(message);
    }
    let Some(PlannedKind::Query(query)) = analyzed.statements.first().map(|statement| &statement.kind) else {
        return Outcome::Refused("no query".to_owned());
    };
    let expr = match &query.logical.op {
        LogicalOp::Project(project) => project.expressions[0].clone(),
        LogicalOp::Values(values) => Expr::literal(
            values.rows[0][0].clone(),
            query.columns[0].data_type.clone(),
            query.logical.span,
        ),
        other => return Outcome::Refused(format!("{other:?}")),
    };
    let cx = EvalCx {
        processing_time_ms: 1_710_508_455_678,
        ..EvalCx::default()
    };
    let data_type = expr.data_type.clone();
    let plain = compile(&expr).eval(&[], &cx);
    let folded = compile(&fold(expr)).eval(&[], &cx);
    match (plain, folded) {
        (Ok(plain), Ok(folded)) => {
            if plain != folded && !is_cut(&plain, &folded) {
                return Outcome::Refused(format!("folding turns {plain:?} into {folded:?}"));
            }
            Outcome::Value {
                text: shown(&folded, &data_type),
                data_type,
            }
        }
        (Err(error), _) | (_, Err(error)) => {
            let diagnostic = error.diagnostic;
            Outcome::Refused(
                diagnostic
                    .flink
                    .clone()
                    .unwrap_or_else(|| diagnostic.message(sg_diag::Lang::En)),
            )
        }
    }
}

/// Folding cuts a text to the length of its type.
fn is_cut(plain: &Value, folded: &Value) -> bool {
    matches!((plain.as_str(), folded.as_str()), (Some(plain), Some(folded)) if plain.starts_with(folded))
}

fn shown(value: &Value, data_type: &DataType) -> Option<String> {
    match value {
        // The client prints bytes in hexadecimal digits.
        Value::Bytes(bytes) if data_type.kind != TypeKind::Bitmap => {
            let digits = bytes
                .iter()
                .fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"));
            Some(format!("x'{digits}'"))
        }
        other => cast_text(other, data_type, &Zone::UTC),
    }
}

/// `None` where the example agrees, else what is different.
fn difference(example: &Example<'_>) -> Option<String> {
    let expected_type = example
        .note
        .strip_prefix("type: ")
        .map(|note| note.split(';').next().unwrap_or(note));
    let found = outcome(example.text);
    if let Some(error) = example.result.strip_prefix("ERROR ") {
        return match found {
            Outcome::Refused(_) => None,
            Outcome::Value { text: None, .. } if error.starts_with("EnforcerException") => None,
            Outcome::Value { text, .. } => Some(format!("gives {text:?} instead of {error}")),
        };
    }
    match found {
        Outcome::Refused(message) => Some(format!("is refused: {message}")),
        Outcome::Value { text, data_type } => {
            let text = text.unwrap_or_else(|| "<NULL>".to_owned());
            if text != example.result {
                return Some(format!("gives {text}, not {}", example.result));
            }
            let type_text = shown_type(&data_type).to_string();
            match expected_type {
                Some(expected) if expected != type_text => {
                    Some(format!("has type {type_text}, not {expected}"))
                }
                _ => None,
            }
        }
    }
}

#[test]
fn scalar_functions_give_what_flink_gives() {
    let pending: BTreeMap<&str, &str> = PENDING
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap_or((line, "")))
        .collect();
    let (mut passed, mut waiting) = (0, 0);
    let mut wrong = Vec::new();
    for example in examples() {
        match (difference(&example), pending.contains_key(example.text)) {
            (None, false) => passed += 1,
            (Some(_), true) => waiting += 1,
            (None, true) => wrong.push(format!("{}\tagrees and is no longer pending", example.text)),
            (Some(difference), false) => wrong.push(format!("{}\t{difference}", example.text)),
        }
    }
    println!("{passed} examples agree, {waiting} are pending");
    assert!(
        wrong.is_empty(),
        "{} examples differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Keeps the harness honest: an expression that is only a column has no value here.
#[test]
fn examples_have_no_columns() {
    assert!(examples().count() > 700);
    assert!(matches!(
        Expr::null(sg_diag::Span::default()).kind,
        ExprKind::Literal(_)
    ));
}
