//! Sets of ranges: what Calcite calls a Sarg, the right side of SEARCH.
//!
//! In the tree a Sarg is a literal of the constants' type whose value is a row: `[null as, [[lower, upper, flags]…]]`.

use std::{cmp::Ordering, rc::Rc};

use sg_diag::Span;
use sg_value::{DataType, Gather as _, Value, order::sort_compare};

use crate::{
    bound::{Expr, ExprKind},
    eval::EvalCx,
    function::Outcome,
};

/// A bound of a range: the value, and whether it belongs to the range.
pub type RangeBound = Option<(Value, bool)>;

/// The operand and the bounds of a `SEARCH` in one range; `None` for any other expression.
pub fn search_range(expr: &Expr) -> Option<(&Expr, RangeBound, RangeBound)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let ("SEARCH", [operand, ranges]) = (function.name, args.as_slice()) else {
        return None;
    };
    let sarg = Sarg::from_expr(ranges)?;
    let [range] = sarg.ranges.as_slice() else {
        return None;
    };
    let bound = |value: &Value, closed: bool| (!value.is_null()).then(|| (value.clone(), closed));
    Some((
        operand,
        bound(&range.lower, range.lower_closed),
        bound(&range.upper, range.upper_closed),
    ))
}

/// How many points the ranges of a `SEARCH` are, or, where the flag is set, leave out; 0 stands for one range with two
/// bounds. `None` for any other set.
pub fn sarg_shape(ranges: &Expr) -> Option<(usize, bool)> {
    let sarg = Sarg::from_expr(ranges).filter(|sarg| sarg.null_as == NullAs::Unknown)?;
    let count = sarg.ranges.len();
    if sarg.ranges.iter().all(Range::is_point) {
        return Some((count, false));
    }
    let (first, last) = (sarg.ranges.first()?, sarg.ranges.last()?);
    if count == 1 {
        return (!first.lower.is_null() && !first.upper.is_null()).then_some((0, false));
    }
    let mut pairs = sarg.ranges.iter().zip(sarg.ranges.iter().skip(1));
    let gaps = pairs.all(|(left, right)| {
        !(left.upper_closed || right.lower_closed || left.upper.is_null())
            && sort_compare(&left.upper, &right.lower).is_eq()
    });
    (gaps && first.lower.is_null() && last.upper.is_null()).then_some((count - 1, true))
}

/// A range; NULL bounds are infinite.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    pub(crate) lower: Value,
    pub(crate) upper: Value,
    pub(crate) lower_closed: bool,
    pub(crate) upper_closed: bool,
}

/// What SEARCH says about NULL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NullAs {
    Unknown,
    True,
    False,
}

/// Disjoint ranges in ascending order.
#[derive(Clone, Debug)]
pub(crate) struct Sarg {
    pub(crate) ranges: Vec<Range>,
    pub(crate) null_as: NullAs,
}

impl Range {
    /// Exactly one value.
    pub(crate) fn point(value: &Value) -> Self {
        Self {
            lower: value.clone(),
            upper: value.clone(),
            lower_closed: true,
            upper_closed: true,
        }
    }

    /// All values above, or from, a bound.
    pub(crate) fn above(value: &Value, closed: bool) -> Self {
        Self {
            lower: value.clone(),
            upper: Value::Null,
            lower_closed: closed,
            upper_closed: false,
        }
    }

    /// All values below, or up to, a bound.
    pub(crate) fn below(value: &Value, closed: bool) -> Self {
        Self {
            lower: Value::Null,
            upper: value.clone(),
            lower_closed: false,
            upper_closed: closed,
        }
    }

    /// Whether exactly one value lies in it.
    pub(crate) fn is_point(&self) -> bool {
        self.lower_closed
            && self.upper_closed
            && !self.lower.is_null()
            && sort_compare(&self.lower, &self.upper).is_eq()
    }

    fn contains(&self, value: &Value) -> bool {
        let above = self.lower.is_null()
            || match sort_compare(value, &self.lower) {
                Ordering::Greater => true,
                Ordering::Equal => self.lower_closed,
                Ordering::Less => false,
            };
        above
            && (self.upper.is_null()
                || match sort_compare(value, &self.upper) {
                    Ordering::Less => true,
                    Ordering::Equal => self.upper_closed,
                    Ordering::Greater => false,
                })
    }

    fn is_empty(&self) -> bool {
        !self.lower.is_null()
            && !self.upper.is_null()
            && match sort_compare(&self.lower, &self.upper) {
                Ordering::Less => false,
                Ordering::Equal => !(self.lower_closed && self.upper_closed),
                Ordering::Greater => true,
            }
    }

    fn intersect(&self, other: &Self) -> Self {
        let (lower, lower_closed) = match compare_lower(self, other) {
            Ordering::Less => (&other.lower, other.lower_closed),
            _ => (&self.lower, self.lower_closed),
        };
        let (upper, upper_closed) = match compare_upper(self, other) {
            Ordering::Greater => (&other.upper, other.upper_closed),
            _ => (&self.upper, self.upper_closed),
        };
        Self {
            lower: lower.clone(),
            upper: upper.clone(),
            lower_closed,
            upper_closed,
        }
    }

    /// Whether nothing lies between this range and a later one.
    fn touches(&self, later: &Self) -> bool {
        if self.upper.is_null() || later.lower.is_null() {
            return true;
        }
        match sort_compare(&self.upper, &later.lower) {
            Ordering::Greater => true,
            Ordering::Equal => self.upper_closed || later.lower_closed,
            Ordering::Less => false,
        }
    }
}

fn compare_lower(left: &Range, right: &Range) -> Ordering {
    match (left.lower.is_null(), right.lower.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) => {
            sort_compare(&left.lower, &right.lower).then(right.lower_closed.cmp(&left.lower_closed))
        }
    }
}

fn compare_upper(left: &Range, right: &Range) -> Ordering {
    match (left.upper.is_null(), right.upper.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            sort_compare(&left.upper, &right.upper).then(left.upper_closed.cmp(&right.upper_closed))
        }
    }
}

impl Sarg {
    /// The values for which a comparison with a constant is TRUE; `None` for another operator.
    pub(crate) fn of_comparison(operator: &str, constant: &Value) -> Option<Self> {
        let ranges = match operator {
            "=" => vec![Range::point(constant)],
            "<>" => vec![Range::below(constant, false), Range::above(constant, false)],
            "<" => vec![Range::below(constant, false)],
            "<=" => vec![Range::below(constant, true)],
            ">" => vec![Range::above(constant, false)],
            ">=" => vec![Range::above(constant, true)],
            _ => return None,
        };
        Some(Self {
            ranges,
            null_as: NullAs::Unknown,
        })
    }

    /// Values of any of them.
    pub(crate) fn union(sargs: Vec<Self>) -> Self {
        let null = sargs.iter().any(|sarg| sarg.null_as == NullAs::True);
        let mut ranges: Vec<Range> = sargs.into_iter().flat_map(|sarg| sarg.ranges).gather();
        ranges.sort_by(compare_lower);
        let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if last.touches(&range) => {
                    if compare_upper(last, &range).is_lt() {
                        last.upper = range.upper;
                        last.upper_closed = range.upper_closed;
                    }
                }
                _ => merged.push(range),
            }
        }
        let null_as = if null { NullAs::True } else { NullAs::Unknown };
        Self {
            ranges: merged,
            null_as,
        }
    }

    /// Values of all of them: in pairs, so that no long list meets each short one.
    pub(crate) fn intersection(mut sargs: Vec<Self>) -> Self {
        while sargs.len() > 1 {
            let of_pair = |pair: &[Self]| match pair {
                [left, right] => left.intersect(right),
                _ => pair.first().cloned().unwrap_or_else(Self::nothing),
            };
            sargs = sargs.chunks(2).map(of_pair).gather();
        }
        sargs.pop().unwrap_or_else(Self::nothing)
    }

    const fn nothing() -> Self {
        Self {
            ranges: Vec::new(),
            null_as: NullAs::Unknown,
        }
    }

    /// Values of both. Whichever range ends first meets nothing that comes later in the other set.
    fn intersect(&self, other: &Self) -> Self {
        let mut ranges = Vec::new();
        let (mut lefts, mut rights) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        while let (Some(left), Some(right)) = (lefts.peek(), rights.peek()) {
            let range = left.intersect(right);
            if !range.is_empty() {
                ranges.push(range);
            }
            if compare_upper(left, right).is_lt() {
                lefts.next();
            } else {
                rights.next();
            }
        }
        let null_as = match (self.null_as, other.null_as) {
            (NullAs::True, NullAs::True) => NullAs::True,
            (NullAs::False, _) | (_, NullAs::False) => NullAs::False,
            _ => NullAs::Unknown,
        };
        Self { ranges, null_as }
    }

    /// All other values.
    pub(crate) fn complement(&self) -> Self {
        let mut gaps = vec![Range {
            lower: Value::Null,
            upper: Value::Null,
            lower_closed: false,
            upper_closed: false,
        }];
        for range in &self.ranges {
            let Some(last) = gaps.pop() else { break };
            if !range.lower.is_null() {
                gaps.push(Range {
                    upper: range.lower.clone(),
                    upper_closed: !range.lower_closed,
                    ..last
                });
            }
            if range.upper.is_null() {
                break;
            }
            gaps.push(Range::above(&range.upper, !range.upper_closed));
        }
        gaps.retain(|gap| !gap.is_empty());
        Self {
            ranges: gaps,
            null_as: match self.null_as {
                NullAs::Unknown => NullAs::Unknown,
                NullAs::True => NullAs::False,
                NullAs::False => NullAs::True,
            },
        }
    }

    /// No value at all.
    pub(crate) fn is_none(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Every value.
    pub(crate) fn is_all(&self) -> bool {
        matches!(self.ranges.as_slice(), [only] if only.lower.is_null() && only.upper.is_null())
    }

    /// Whether the value is a member; `None` is unknown.
    pub(crate) fn contains(&self, value: &Value) -> Option<bool> {
        if value.is_null() {
            return match self.null_as {
                NullAs::Unknown => None,
                NullAs::True => Some(true),
                NullAs::False => Some(false),
            };
        }
        // The last range that starts at or below the value.
        let after = self
            .ranges
            .partition_point(|range| range.lower.is_null() || sort_compare(&range.lower, value).is_le());
        Some(
            after
                .checked_sub(1)
                .and_then(|at| self.ranges.get(at))
                .is_some_and(|range| range.contains(value)),
        )
    }

    /// The same set over another type. A bound that does not fit that type becomes infinite.
    pub(crate) fn map(mut self, convert: &dyn Fn(&Value, &EvalCx) -> Outcome) -> Self {
        let cx = EvalCx::default();
        for range in &mut self.ranges {
            for bound in [&mut range.lower, &mut range.upper] {
                if !bound.is_null() {
                    *bound = convert(bound, &cx).unwrap_or_default();
                }
            }
        }
        self
    }

    /// As a literal of the constants' type.
    pub(crate) fn into_expr(self, data_type: &DataType, span: Span) -> Expr {
        let ranges: Vec<Value> = self
            .ranges
            .into_iter()
            .map(|range| {
                let flags = i64::from(range.lower_closed) + 2 * i64::from(range.upper_closed);
                Value::Row(Rc::from([range.lower, range.upper, Value::Int(flags)]))
            })
            .gather();
        let null_as = match self.null_as {
            NullAs::Unknown => 0,
            NullAs::True => 1,
            NullAs::False => 2,
        };
        let value = Value::Row(Rc::from([Value::Int(null_as), Value::Array(ranges.into())]));
        Expr::literal(value, data_type.with_nullable(false), span)
    }

    /// Back from the literal.
    pub(crate) fn from_expr(expr: &Expr) -> Option<Self> {
        let ExprKind::Literal(Value::Row(parts)) = &expr.kind else {
            return None;
        };
        let [Value::Int(null_as), Value::Array(ranges)] = parts.as_ref() else {
            return None;
        };
        let ranges: Option<Vec<Range>> = ranges
            .iter()
            .map(|range| {
                let Value::Row(parts) = range else { return None };
                let [lower, upper, Value::Int(flags)] = parts.as_ref() else {
                    return None;
                };
                Some(Range {
                    lower: lower.clone(),
                    upper: upper.clone(),
                    lower_closed: flags & 1 != 0,
                    upper_closed: flags & 2 != 0,
                })
            })
            .gather();
        let null_as = match null_as {
            1 => NullAs::True,
            2 => NullAs::False,
            _ => NullAs::Unknown,
        };
        Some(Self {
            ranges: ranges?,
            null_as,
        })
    }

    /// Calcite's text: `Sarg[1, 2]`, `Sarg[[1..5]]`, `Sarg[(3..+∞); NULL AS TRUE]`.
    pub(crate) fn text(&self, literal: impl Fn(&Value) -> String) -> String {
        let ranges: Vec<String> = self
            .ranges
            .iter()
            .map(|range| {
                if range.is_point() {
                    return literal(&range.lower);
                }
                let lower = if range.lower.is_null() {
                    "-∞".to_owned()
                } else {
                    literal(&range.lower)
                };
                let upper = if range.upper.is_null() {
                    "+∞".to_owned()
                } else {
                    literal(&range.upper)
                };
                let open = if range.lower_closed { '[' } else { '(' };
                let close = if range.upper_closed { ']' } else { ')' };
                format!("{open}{lower}..{upper}{close}")
            })
            .gather();
        let null_as = match self.null_as {
            NullAs::Unknown => "",
            NullAs::True => "; NULL AS TRUE",
            NullAs::False => "; NULL AS FALSE",
        };
        format!("Sarg[{}{null_as}]", ranges.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(sarg: &Sarg) -> String {
        sarg.text(|value| format!("{}", value.as_int().unwrap()))
    }

    fn of(operator: &str, constant: i64) -> Sarg {
        Sarg::of_comparison(operator, &Value::Int(constant)).unwrap()
    }

    #[test]
    fn unions_and_intersections_print_as_calcite_prints_them() {
        assert_eq!(
            text(&Sarg::union(vec![of("=", 1), of("=", 3), of("=", 2)])),
            "Sarg[1, 2, 3]"
        );
        assert_eq!(text(&of(">=", 1).intersect(&of("<=", 5))), "Sarg[[1..5]]");
        assert_eq!(
            text(&Sarg::intersection(vec![of("<>", 1), of("<>", 2)])),
            "Sarg[(-∞..1), (1..2), (2..+∞)]"
        );
        assert_eq!(text(&Sarg::union(vec![of("<", 1), of("=", 1)])), "Sarg[(-∞..1]]");
        assert!(of("<", 1).intersect(&of(">", 1)).is_none());
        let others = (0..5).map(|value| of("<>", value)).chain([of("<=", 3)]);
        assert_eq!(
            text(&Sarg::intersection(others.collect())),
            "Sarg[(-∞..0), (0..1), (1..2), (2..3)]"
        );
        assert!(Sarg::union(vec![of("<=", 1), of(">", 1)]).is_all());
    }

    #[test]
    fn membership_agrees_with_the_comparison() {
        let sarg = of("<>", 1).intersect(&of("<", 7));
        for value in -1..9 {
            assert_eq!(
                sarg.contains(&Value::Int(value)),
                Some(value != 1 && value < 7),
                "{value}"
            );
        }
        assert_eq!(sarg.contains(&Value::Null), None);
        let back = Sarg::from_expr(&sarg.clone().into_expr(&DataType::INT, Span::default())).unwrap();
        assert_eq!(text(&back), text(&sarg));
    }
}
