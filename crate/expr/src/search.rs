//! Comparisons of one operand with constants, joined into a `SEARCH` of the ranges in which it lies.
//!
//! Flink: Calcite's `RexSimplify.SargCollector`. Cases: optimisation/negated-lists, select/not-of-several-comparisons.

use sg_diag::Span;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use crate::{
    bound::{Expr, ExprKind},
    cast::constant_value,
    fold::{same, truth},
    function::{built_in, value_cast::caster},
    infer::common_type,
    resolve::call,
    sarg::{NullAs, Sarg},
    simplify::{Unknown, call_of, is_comparison},
};

/// How terms are joined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gather {
    /// AND
    All,
    /// OR
    Any,
}

/// Comparisons of one operand with constants.
struct Gathered {
    operand: Expr,
    constants: DataType,
    /// Of each term, with the type of its constants.
    sargs: Vec<(Sarg, DataType)>,
    /// What stays where there is only one.
    single: Expr,
    /// Whether all are the same.
    alike: bool,
}

/// Joins comparisons of the same operand with constants into one SEARCH, where there are at least two.
pub(crate) fn gather(terms: Vec<Expr>, how: Gather, unknown: Unknown) -> Vec<Expr> {
    let mut gathered: Vec<Gathered> = Vec::new();
    // Places of the result: a term, or a number of `gathered`.
    let mut places: Vec<Result<Expr, usize>> = Vec::new();
    for term in terms {
        let Some((operand, constants, sarg)) = comparison_with_constant(&term, how) else {
            places.push(Ok(term));
            continue;
        };
        if let Some(known) = gathered.iter_mut().find(|known| same(&known.operand, &operand)) {
            match common_type(&[known.constants.clone(), constants.clone()]) {
                Some(common) => {
                    known.constants = common;
                    known.sargs.push((sarg, constants));
                    known.alike &= same(&known.single, &term);
                }
                None => places.push(Ok(term)),
            }
        } else {
            places.push(Err(gathered.len()));
            gathered.push(Gathered {
                operand,
                sargs: vec![(sarg, constants.clone())],
                constants,
                single: term,
                alike: true,
            });
        }
    }
    places
        .into_iter()
        .filter_map(|place| match place {
            Ok(term) => Some(term),
            Err(at) => gathered.get_mut(at).map(|one| search(one, how, unknown)),
        })
        .gather()
}

/// A set over another type of constants.
fn in_type(sarg: Sarg, from: &DataType, to: &DataType) -> Sarg {
    if from.kind == to.kind || from.kind == TypeKind::Null {
        sarg
    } else {
        sarg.map(&caster(from, to))
    }
}

fn search(gathered: &mut Gathered, how: Gather, unknown: Unknown) -> Expr {
    let span = gathered.single.span;
    if gathered.alike {
        return gathered.single.clone();
    }
    let sargs: Vec<Sarg> = std::mem::take(&mut gathered.sargs)
        .into_iter()
        .map(|(sarg, from)| in_type(sarg, &from, &gathered.constants))
        .gather();
    let sarg = match how {
        Gather::All => Sarg::intersection(sargs),
        Gather::Any => Sarg::union(sargs),
    };
    within(gathered, sarg, unknown, span)
}

/// The test whether an operand lies in a set: a comparison where one is enough, else a SEARCH.
fn within(gathered: &Gathered, sarg: Sarg, unknown: Unknown, span: Span) -> Expr {
    if sarg.is_none() && !gathered.operand.data_type.nullable {
        return truth(false, span);
    }
    if sarg.is_all() && !gathered.operand.data_type.nullable {
        return truth(true, span);
    }
    let nullable = gathered.operand.data_type.nullable && sarg.null_as == NullAs::Unknown;
    if let ([only], NullAs::Unknown) = (sarg.ranges.as_slice(), sarg.null_as)
        && only.is_point()
    {
        return compared(gathered, "=", &only.lower, span);
    }
    if sarg.null_as == NullAs::Unknown {
        if sarg.is_none() || sarg.is_all() {
            return of_null(gathered, sarg.is_all(), unknown, span);
        }
        if let [below, above] = sarg.ranges.as_slice()
            && below.lower.is_null()
            && above.upper.is_null()
            && below.upper == above.lower
            && !below.upper_closed
            && !above.lower_closed
        {
            return compared(gathered, "<>", &above.lower, span);
        }
        // one range that is open on one side is a comparison
        if let [only] = sarg.ranges.as_slice() {
            let above = |closed| if closed { ">=" } else { ">" };
            let below = |closed| if closed { "<=" } else { "<" };
            match (only.lower.is_null(), only.upper.is_null()) {
                (false, true) => return compared(gathered, above(only.lower_closed), &only.lower, span),
                (true, false) => return compared(gathered, below(only.upper_closed), &only.upper, span),
                _ => {}
            }
        }
    }
    let ranges = sarg.into_expr(&gathered.constants, span);
    call(
        built_in("SEARCH"),
        vec![gathered.operand.clone(), ranges],
        DataType {
            kind: TypeKind::Boolean,
            nullable,
        },
        span,
    )
}

/// All values or none, but for NULL, of which nothing is known.
fn of_null(gathered: &Gathered, is_all: bool, unknown: Unknown, span: Span) -> Expr {
    let boolean = |nullable| DataType {
        kind: TypeKind::Boolean,
        nullable,
    };
    let (outer, test) = if is_all {
        ("OR", "IS NOT NULL")
    } else {
        ("AND", "IS NULL")
    };
    let test = call(
        built_in(test),
        vec![gathered.operand.clone()],
        boolean(false),
        span,
    );
    if unknown == Unknown::IsFalse {
        return if outer == "OR" { test } else { truth(false, span) };
    }
    let null = Expr::literal(Value::Null, boolean(true), span);
    let args = if outer == "OR" {
        vec![test, null]
    } else {
        vec![null, test]
    };
    call(built_in(outer), args, boolean(true), span)
}

/// What is left where only one comparison is: the one that was written, if it was one.
fn compared(gathered: &Gathered, operator: &'static str, value: &Value, span: Span) -> Expr {
    if let Some([_, constant]) = call_of(&gathered.single, operator)
        && constant_of(constant).as_ref() == Some(value)
    {
        return gathered.single.clone();
    }
    let constant = Expr::literal(value.clone(), gathered.constants.with_nullable(false), span);
    let data_type = DataType {
        kind: TypeKind::Boolean,
        nullable: gathered.operand.data_type.nullable,
    };
    call(
        built_in(operator),
        vec![gathered.operand.clone(), constant],
        data_type,
        span,
    )
}

/// Takes a comparison with a constant apart; in an OR, IS NULL too.
pub(crate) fn comparison_with_constant(term: &Expr, how: Gather) -> Option<(Expr, DataType, Sarg)> {
    let ExprKind::Call { function, args } = &term.kind else {
        return None;
    };
    match args.as_slice() {
        [left, right] if is_comparison(function.name) => {
            let (operand, constant, operator) = match (constant_of(left), constant_of(right)) {
                (None, Some(_)) => (left, right, function.name),
                (Some(_), None) => (right, left, turned(function.name)),
                _ => return None,
            };
            let value = constant_of(constant)?;
            if !is_reference(operand) {
                return None;
            }
            let sarg = Sarg::of_comparison(operator, &value)?;
            Some((operand.clone(), constant.data_type.with_nullable(false), sarg))
        }
        [operand, ranges] if function.name == "SEARCH" => Some((
            operand.clone(),
            ranges.data_type.clone(),
            Sarg::from_expr(ranges)?,
        )),
        [operand] if how == Gather::Any && function.name == "IS NULL" && operand.as_column().is_some() => {
            let sarg = Sarg {
                ranges: Vec::new(),
                null_as: NullAs::True,
            };
            Some((operand.clone(), DataType::nullable(TypeKind::Null), sarg))
        }
        _ => None,
    }
}

/// A column, a field of one, or a cast of one: what Calcite collects comparisons of (`RexUtil.isReferenceOrAccess`).
fn is_reference(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Column(_) => true,
        ExprKind::Call { function, args } => {
            matches!(function.name, "." | "CAST") && args.first().is_some_and(is_reference)
        }
        _ => false,
    }
}

fn constant_of(expr: &Expr) -> Option<Value> {
    constant_value(expr).filter(|value| !value.is_null())
}

fn turned(operator: &'static str) -> &'static str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        other => other,
    }
}

/// What lies in none of the ranges. Cases: optimisation/negated-lists, select/not-of-several-comparisons.
pub(crate) fn outside(operand: &Expr, args: &[Expr], span: Span) -> Option<Expr> {
    let [value, ranges] = args else {
        return None;
    };
    let sarg = Sarg::from_expr(ranges)?.complement();
    let gathered = Gathered {
        operand: value.clone(),
        constants: ranges.data_type.clone(),
        sargs: Vec::new(),
        single: operand.clone(),
        alike: false,
    };
    Some(within(&gathered, sarg, Unknown::Kept, span))
}
