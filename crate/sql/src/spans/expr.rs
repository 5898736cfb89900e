//! Spans of expressions.

use sg_diag::Span;

use super::tokens::Tokens;
use super::{name_span, query_span};
use crate::query::{AccessExpr, Expr, Function, FunctionArguments, InTarget, UnaryOperator, WindowType};
use crate::reserved::{self, Reserved};
use crate::span::byte_span;

/// The span of an expression, or `None` where nothing says where it is.
#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
pub(super) fn span(tokens: &Tokens, expr: &Expr) -> Option<Span> {
    let of = |expr: &Expr| span(tokens, expr);
    match expr {
        Expr::Identifier(ident) => byte_span(ident.span),
        Expr::CompoundIdentifier(parts) => parts
            .iter()
            .filter_map(|part| byte_span(part.span))
            .reduce(Span::join),
        Expr::CompoundFieldAccess { root, access_chain } => access(tokens, of(root)?, access_chain),
        Expr::Value(value) => byte_span(value.span),
        Expr::TypedString(literal) => {
            let value = byte_span(literal.value.span)?;
            let word = Span::new(tokens.span(tokens.before(value.start)?).start, value.end);
            Some(if literal.uses_odbc_syntax {
                tokens.around(word)
            } else {
                word
            })
        }
        Expr::Interval(interval) => Some(interval_span(tokens, of(&interval.value)?)),
        Expr::Nested(inner) => Some(tokens.around(of(inner)?)),
        Expr::Tuple(items) => Some(tokens.around(of(items.first()?)?)),
        Expr::BinaryOp { left, right, .. } => Some(of(left)?.join(of(right)?)),
        Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
            Some(of(left)?.join(of(right)?))
        }
        Expr::UnaryOp {
            op: UnaryOperator::Not,
            expr,
        } => {
            // Before BETWEEN SYMMETRIC, NOT stands inside the operand.
            let operand = of(expr)?;
            Some(
                tokens
                    .word_before(operand.start, &["NOT"])
                    .unwrap_or(operand)
                    .join(operand),
            )
        }
        Expr::UnaryOp { expr, .. } => {
            let operand = of(expr)?;
            Some(tokens.span(tokens.before(operand.start)?).join(operand))
        }
        Expr::IsNull(operand)
        | Expr::IsNotNull(operand)
        | Expr::IsTrue(operand)
        | Expr::IsNotTrue(operand)
        | Expr::IsFalse(operand)
        | Expr::IsNotFalse(operand)
        | Expr::IsUnknown(operand)
        | Expr::IsNotUnknown(operand) => {
            let is = tokens.with_any_of(of(operand)?, &["IS", "NOT"]);
            Some(tokens.with_words(is, &[""]).unwrap_or(is))
        }
        Expr::IsJson { expr, .. } => {
            const WORDS: [&str; 11] = [
                "IS", "NOT", "JSON", "VALUE", "SCALAR", "ARRAY", "OBJECT", "WITH", "WITHOUT", "UNIQUE",
                "KEYS",
            ];
            Some(tokens.with_any_of(of(expr)?, &WORDS))
        }
        Expr::In { expr, target, .. } => Some(of(expr)?.join(in_target(tokens, target)?)),
        Expr::Between { expr, high, .. } => Some(of(expr)?.join(of(high)?)),
        Expr::Like {
            expr,
            pattern,
            escape_char,
            ..
        }
        | Expr::ILike {
            expr,
            pattern,
            escape_char,
            ..
        }
        | Expr::SimilarTo {
            expr,
            pattern,
            escape_char,
            ..
        } => {
            let end = escape_char.as_ref().unwrap_or(pattern);
            Some(of(expr)?.join(of(end)?))
        }
        Expr::RLike { expr, pattern, .. } => Some(of(expr)?.join(of(pattern)?)),
        Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => {
            let left = of(left)?;
            let right = match &**right {
                Expr::Subquery(_) => of(right)?,
                right => tokens.around(of(right)?),
            };
            Some(left.join(right))
        }
        _ => call_like(tokens, expr),
    }
}

/// Expressions that look like calls, and the rest.
fn call_like(tokens: &Tokens, expr: &Expr) -> Option<Span> {
    let of = |expr: &Expr| span(tokens, expr);
    match expr {
        Expr::Function(call) => function(tokens, call),
        Expr::Extract { expr, .. }
        | Expr::Ceil { expr, .. }
        | Expr::Floor { expr, .. }
        | Expr::Position { expr, .. }
        | Expr::Substring { expr, .. }
        | Expr::Trim { expr, .. }
        | Expr::Overlay { expr, .. } => Some(tokens.call_around(of(expr)?)),
        Expr::Case {
            case_token,
            end_token,
            ..
        } => Some(byte_span(*case_token)?.join(byte_span(*end_token)?)),
        Expr::Exists { subquery, negated } => {
            let exists = tokens.call_around(query_span(tokens, subquery)?);
            let not = if *negated {
                tokens.word_before(exists.start, &["NOT"])
            } else {
                None
            };
            Some(not.unwrap_or(exists).join(exists))
        }
        Expr::Subquery(subquery) => Some(tokens.around(query_span(tokens, subquery)?)),
        Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
            grouping(tokens, of(sets.iter().flatten().next()?)?)
        }
        Expr::Array(array) => {
            let brackets = tokens.around(of(array.first()?)?);
            let word = tokens.word_before(brackets.start, &["ARRAY"]);
            Some(word.unwrap_or(brackets).join(brackets))
        }
        Expr::MemberOf { value, array } => Some(of(value)?.join(tokens.around(of(array)?))),
        _ => None,
    }
}

fn access(tokens: &Tokens, root: Span, chain: &[AccessExpr]) -> Option<Span> {
    let last = match chain.last()? {
        AccessExpr::Dot(field) => span(tokens, field)?,
        AccessExpr::Subscript(index) => tokens.around(span(tokens, index)?),
    };
    Some(root.join(last))
}

/// From INTERVAL before the value to the last unit behind it.
fn interval_span(tokens: &Tokens, value: Span) -> Span {
    let start = tokens.before(value.start).map_or(value, |at| tokens.span(at));
    let mut end = value;
    end = tokens.call_after(tokens.with_words(end, &[""]).unwrap_or(end));
    if let Some(to) = tokens.with_words(end, &["TO", ""]) {
        end = tokens.call_after(to);
    }
    start.join(end)
}

fn in_target(tokens: &Tokens, target: &InTarget) -> Option<Span> {
    match target {
        InTarget::List(items) => Some(tokens.around(span(tokens, items.first()?)?)),
        InTarget::Subquery(subquery) => Some(tokens.around(query_span(tokens, subquery)?)),
    }
}

/// `GROUPING SETS (…)`, `CUBE (…)`, `ROLLUP (…)` around one of their keys.
fn grouping(tokens: &Tokens, key: Span) -> Option<Span> {
    let mut inner = key;
    loop {
        let brackets = tokens.around(inner);
        if brackets == inner {
            return Some(inner);
        }
        if let Some(word) = tokens.word_before(brackets.start, &["SETS", "CUBE", "ROLLUP"]) {
            let first = tokens.word_before(word.start, &["GROUPING"]).unwrap_or(word);
            return Some(first.join(brackets));
        }
        inner = brackets;
    }
}

fn function(tokens: &Tokens, call: &Function) -> Option<Span> {
    let name = name_span(&call.name)?;
    if let Some(reserved) = Reserved::of(call) {
        return Some(reserved_call(tokens, reserved, call, name));
    }
    let mut whole = match &call.args {
        FunctionArguments::None => name,
        _ => tokens.call_after(name),
    };
    if call.uses_odbc_syntax {
        whole = tokens.around(whole);
    }
    if !call.within_group.is_empty() {
        whole = tokens.call_after(tokens.with_words(whole, &["WITHIN", "GROUP"]).unwrap_or(whole));
    }
    if call.filter.is_some() {
        whole = tokens.call_after(tokens.with_words(whole, &["FILTER"]).unwrap_or(whole));
    }
    if call.null_treatment.is_some() {
        whole = tokens.with_any_of(whole, &["IGNORE", "RESPECT", "NULLS"]);
    }
    Some(match &call.over {
        Some(WindowType::WindowSpec(_)) => {
            tokens.call_after(tokens.with_words(whole, &["OVER"]).unwrap_or(whole))
        }
        Some(WindowType::NamedWindow(window)) => whole.join(byte_span(window.span)?),
        None => whole,
    })
}

/// A reserved call spans its construct; an operand that stood before the hook was called comes on top.
fn reserved_call(tokens: &Tokens, reserved: Reserved, call: &Function, name: Span) -> Span {
    let mut whole = name;
    if reserved == Reserved::BetweenSymmetric
        && let Some(left) = reserved::args(call).first().and_then(|left| span(tokens, left))
    {
        whole = whole.join(left);
    }
    if call.filter.is_some() {
        whole = tokens.call_after(tokens.with_words(whole, &["FILTER"]).unwrap_or(whole));
    }
    whole
}
