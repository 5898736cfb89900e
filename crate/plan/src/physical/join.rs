//! The exec node `Join`: equal keys, what is left of the condition, and how much is known about each input.

use sg_expr::{Expr, ExprKind};
use sg_value::Gather as _;

use crate::logical::{JoinHints, JoinKind, is_always};

/// A join without a window and without time: both inputs are kept. Output: the columns of both, or of the left one.
#[derive(Clone, Debug)]
pub struct JoinSpec {
    /// INNER, LEFT …
    pub kind: JoinKind,
    /// The whole condition over the columns of both inputs, for the plan text.
    pub condition: Expr,
    /// Columns that have to be equal.
    pub keys: EquiKeys,
    /// What else has to hold, over the columns of both inputs.
    pub residual: Option<Expr>,
    /// What is known about the left and the right input.
    pub sides: [JoinSide; 2],
    /// Rows per bundle, in mini-batches.
    pub mini_batch: Option<i64>,
    /// Hints, for the plan text.
    pub hints: JoinHints,
}

/// Pairs of columns that have to be equal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EquiKeys {
    /// Columns of the left input.
    pub left: Vec<u32>,
    /// Columns of the right input, in its own numbers.
    pub right: Vec<u32>,
    /// Whether the pair is compared by `=`, which NULL never equals; false for `IS NOT DISTINCT FROM`.
    pub filter_nulls: Vec<bool>,
}

/// One input of a join.
#[derive(Clone, Debug, Default)]
pub struct JoinSide {
    /// How rows of the side are told apart.
    pub unique: UniqueKey,
    /// Time-to-live of its state in milliseconds, 0 never; a `STATE_TTL` hint is already in it.
    pub ttl_ms: i64,
}

/// Which rows of a join's input can be there at once under one join key; decides the layout of its state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UniqueKey {
    /// Several equal ones.
    #[default]
    None,
    /// One per value of these columns.
    Columns(Vec<u32>),
    /// One.
    InJoinKey,
}

impl UniqueKey {
    /// The word in plans.
    pub const fn text(&self) -> &'static str {
        match self {
            Self::None => "NoUniqueKey",
            Self::Columns(_) => "HasUniqueKey",
            Self::InJoinKey => "JoinKeyContainsUniqueKey",
        }
    }

    /// What these unique keys of an input mean under a join key.
    ///
    /// Flink: `JoinUtil.analyzeJoinInput`.
    pub(super) fn of(unique_keys: &[Vec<u32>], join_key: &[u32]) -> Self {
        let contained = |key: &&Vec<u32>| key.iter().all(|column| join_key.contains(column));
        if unique_keys.iter().any(|key| contained(&key)) {
            return Self::InJoinKey;
        }
        let smallest = unique_keys.iter().min_by_key(|key| key.len());
        smallest.map_or(Self::None, |key| Self::Columns(key.clone()))
    }
}

impl EquiKeys {
    /// The equalities of a condition over the columns of two inputs, and what else it asks for.
    ///
    /// Calcite: `RelOptUtil.splitJoinCondition`.
    pub fn split(condition: &Expr, left_width: u32) -> (Self, Vec<Expr>) {
        let mut keys = Self::default();
        let mut rest = Vec::new();
        for part in conjuncts(condition) {
            match equality(part) {
                Some((one, other, filters_nulls)) => {
                    let (left, right) = if one < other { (one, other) } else { (other, one) };
                    if left < left_width && right >= left_width {
                        keys.left.push(left);
                        keys.right.push(right - left_width);
                        keys.filter_nulls.push(filters_nulls);
                    } else {
                        rest.push(part.clone());
                    }
                }
                None if is_always(part) => {}
                None => rest.push(part.clone()),
            }
        }
        (keys, rest)
    }

    /// The key columns of an input: 0 for the left one.
    pub fn of(&self, input: usize) -> &[u32] {
        if input == 0 { &self.left } else { &self.right }
    }
}

/// The conditions that an AND joins.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    match &condition.kind {
        ExprKind::Call { function, args } if function.name == "AND" => {
            args.iter().flat_map(conjuncts).gather()
        }
        _ => vec![condition],
    }
}

/// `a = b`, `a IS NOT DISTINCT FROM b` and `a = b OR (a IS NULL AND b IS NULL)` of two columns; the last is whether
/// NULLs are left out.
fn equality(expr: &Expr) -> Option<(u32, u32, bool)> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    match (function.name, args.as_slice()) {
        ("=", [left, right]) => Some((left.as_column()?, right.as_column()?, true)),
        ("IS NOT DISTINCT FROM", [left, right]) => Some((left.as_column()?, right.as_column()?, false)),
        ("OR", [one, other]) => {
            let spelled = |equal: &Expr, nulls: &Expr| {
                let (left, right, filters) = equality(without_is_true(equal))?;
                let mut both = null_tests(nulls)?;
                both.sort_unstable();
                let mut wanted = [left, right];
                wanted.sort_unstable();
                (filters && both == wanted).then_some((left, right, false))
            };
            spelled(one, other).or_else(|| spelled(other, one))
        }
        _ => None,
    }
}

/// `a = b` of `(a = b) IS TRUE`.
fn without_is_true(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == "IS TRUE" => args.first().unwrap_or(expr),
        _ => expr,
    }
}

/// The two columns of `a IS NULL AND b IS NULL`.
fn null_tests(expr: &Expr) -> Option<[u32; 2]> {
    let ExprKind::Call { function, args } = &expr.kind else {
        return None;
    };
    let [one, other] = args.as_slice() else {
        return None;
    };
    let column = |test: &Expr| match &test.kind {
        ExprKind::Call { function, args } if function.name == "IS NULL" => args.first()?.as_column(),
        _ => None,
    };
    (function.name == "AND").then_some([column(one)?, column(other)?])
}
