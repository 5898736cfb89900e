//! What is known about a script without running it.

use sg_diag::{Diagnostics, Span};
use sg_plan::job::{JobGraph, OperatorSpec};
use sg_plan::physical::node::{
    GlobalWindowAggregateSpec, GroupWindowAggregateSpec, PhysicalOp, WindowAggregateSpec,
};
use sg_sql::TokenClass;
use sg_value::{Gather as _, RowKind, float::f64_from_text};

use crate::dto;
use crate::prepare::{PreparedStatement, bound, prepare};
use crate::view::{TextPart, diagnostic_view};

/// Diagnostics, colours, marks and literals of a whole script.
pub fn analyze(script: &str) -> dto::Analysis {
    let part = TextPart::new(script, 0);
    let prepared = prepare(script);
    let lenses = prepared.statements.iter().flat_map(|statement| match statement {
        PreparedStatement::Job(job) => lenses(&job.graph, &part),
        PreparedStatement::Text { .. } => Vec::new(),
    });
    let lenses = lenses.gather();
    analysis(&part, script, prepared.diagnostics, lenses)
}

/// The same without what planning adds: no marks, and of the diagnostics those of parsing and binding.
pub fn check(script: &str) -> dto::Analysis {
    let part = TextPart::new(script, 0);
    analysis(&part, script, bound(script).1, Vec::new())
}

#[inline(never)]
fn analysis(
    part: &TextPart<'_>,
    script: &str,
    diagnostics: Diagnostics,
    lenses: Vec<dto::Lens>,
) -> dto::Analysis {
    let tokens = sg_sql::highlight(script);
    dto::Analysis {
        lenses,
        literals: literals(script, &tokens, part),
        tokens: tokens
            .iter()
            .map(|(span, class)| {
                let span = part.utf16(*span);
                dto::Token {
                    from: span.from,
                    to: span.to,
                    kind: token_kind(*class),
                }
            })
            .gather(),
        diagnostics: diagnostics
            .sorted()
            .iter()
            .map(|one| diagnostic_view(one, part))
            .gather(),
    }
}

const fn token_kind(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword => "keyword",
        TokenClass::Type => "type",
        TokenClass::Function => "function",
        TokenClass::Name | TokenClass::QuotedName | TokenClass::Broken => "identifier",
        TokenClass::Number => "number",
        TokenClass::String => "string",
        TokenClass::Comment | TokenClass::Hint => "comment",
        TokenClass::Operator => "operator",
        TokenClass::Punctuation => "punctuation",
    }
}

/// One mark per operator that keeps state.
fn lenses(graph: &JobGraph, part: &TextPart<'_>) -> Vec<dto::Lens> {
    graph
        .operators
        .iter()
        .filter_map(|operator| lens(operator, part))
        .gather()
}

#[inline(never)]
fn lens(operator: &OperatorSpec, part: &TextPart<'_>) -> Option<dto::Lens> {
    let mut span = operator.span;
    let (kind, message) = match &operator.op {
        PhysicalOp::GroupAggregate(spec) | PhysicalOp::GlobalGroupAggregate(spec) if spec.ttl_ms == 0 => (
            "unbounded",
            dto::Bilingual::new(
                "This grouping never closes: one state entry per group, for ever.",
                "该分组永不封闭：每个分组一个状态条目，永久保留。",
            ),
        ),
        PhysicalOp::Join(spec) if spec.sides.iter().any(|side| side.ttl_ms == 0) => (
            "unbounded",
            dto::Bilingual::new(
                "This join keeps its inputs for ever: any row can still find a match.",
                "该连接永久保留输入：任何一行之后仍可能匹配。",
            ),
        ),
        PhysicalOp::WindowAggregate(WindowAggregateSpec { window, .. })
        | PhysicalOp::GroupWindowAggregate(GroupWindowAggregateSpec { window, .. })
        | PhysicalOp::GlobalWindowAggregate(GlobalWindowAggregateSpec { window, .. }) => {
            span = window.span;
            (
                "bounded",
                dto::Bilingual::new(
                    "The window bounds the state: when the watermark passes its end it fires and is freed.",
                    "窗口使状态有界：水位线越过窗口末端时触发并释放。",
                ),
            )
        }
        _ if operator.changelog_mode.contains(RowKind::UpdateAfter) && !operator.inputs.is_empty() => (
            "updates",
            dto::Bilingual::new(
                "Rows that were emitted are updated later.",
                "已输出的行之后还会更新。",
            ),
        ),
        _ => return None,
    };
    (!span.is_empty()).then(|| dto::Lens {
        span: part.utf16(span),
        kind,
        message,
    })
}

/// `INTERVAL '20' SECOND` and what it controls.
fn literals(script: &str, tokens: &[(Span, TokenClass)], part: &TextPart<'_>) -> Vec<dto::TimeLiteral> {
    let mut found = Vec::new();
    let mut what = "interval";
    let words: Vec<(Span, &str)> = tokens
        .iter()
        .filter(|(_, class)| !matches!(class, TokenClass::Comment | TokenClass::Hint))
        .map(|(span, _)| (*span, span.text(script)))
        .gather();
    for (at, (_, word)) in words.iter().enumerate() {
        match word.to_ascii_uppercase().as_str() {
            "WATERMARK" => what = "out-of-orderness",
            "TUMBLE" | "CUMULATE" | "SESSION" => what = "window-size",
            "HOP" => what = "slide",
            "INTERVAL" => {
                let (Some((span, digits)), Some((_, unit))) = (words.get(at + 1), words.get(at + 2)) else {
                    continue;
                };
                let inner = digits.trim_matches('\'');
                if let Some(value) = f64_from_text(inner) {
                    let inside = Span::new(span.start + 1, span.end.saturating_sub(1));
                    let literal = dto::TimeLiteral {
                        span: part.utf16(inside),
                        what,
                        value,
                        unit: unit.to_ascii_uppercase(),
                    };
                    found.push(literal);
                }
                what = if what == "slide" {
                    "window-size"
                } else {
                    "interval"
                };
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_says_what_binding_finds_and_nothing_of_plans() {
        let table = "CREATE TABLE t (k INT, v INT) WITH ('connector' = 'replay');";
        let grouped = format!("{table} SELECT k, SUM(v) FROM t GROUP BY k; SELECT v FROM t ORDER BY v;");
        let (quick, whole) = (check(&grouped), analyze(&grouped));
        assert_eq!((quick.lenses.len(), whole.lenses.len()), (0, 1));
        assert_eq!((quick.diagnostics.len(), whole.diagnostics.len()), (0, 1));
        assert_eq!(quick.tokens.len(), whole.tokens.len());
        let unknown = format!("{table} SELECT nope FROM t;");
        let codes = |analysis: dto::Analysis| {
            analysis
                .diagnostics
                .into_iter()
                .map(|one| one.code)
                .collect::<Vec<_>>()
        };
        assert_eq!(codes(check(&unknown)), ["unknown-column"]);
        assert_eq!(codes(analyze(&unknown)), ["unknown-column"]);
    }
}
