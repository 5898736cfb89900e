//! `f(x) OVER (PARTITION BY … ORDER BY …)` as an expression.
//!
//! Between binding and the rule that makes a node of it a windowed call is an expression like any other, so that
//! projections can be merged around it. Its operands are arguments: those of the function, then the PARTITION BY and
//! the ORDER BY expressions; a constant in front says which are which, and the frame.

use std::{fmt::Write, rc::Rc};

use sg_diag::Span;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use crate::{
    aggregate::{AggregateDef, over_function},
    bound::{Expr, ExprKind},
    function::built_in,
    script::{Script, UserAggregate},
};

/// A windowed call, taken apart.
#[derive(Clone, Debug)]
pub struct OverCall {
    /// What is computed.
    pub function: &'static AggregateDef,
    /// What it calls, if that is a function of the script.
    pub user: Option<Rc<UserAggregate>>,
    /// DISTINCT in front of the arguments.
    pub distinct: bool,
    /// Arguments of the function.
    pub args: Vec<Expr>,
    /// PARTITION BY.
    pub partition: Vec<Expr>,
    /// ORDER BY.
    pub order: Vec<(Expr, SortDirection)>,
    /// The frame.
    pub frame: OverFrame,
}

/// How a sort key sorts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortDirection {
    /// DESC
    pub descending: bool,
    /// Where NULLs come.
    pub nulls_first: bool,
}

/// Rows of the partition that a call sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OverFrame {
    /// ROWS, else RANGE.
    pub rows: bool,
    /// Where it begins.
    pub start: FrameBound,
    /// Where it ends.
    pub end: FrameBound,
}

/// A bound of a frame; numbers are rows, or milliseconds of a RANGE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameBound {
    /// UNBOUNDED PRECEDING
    UnboundedPreceding,
    /// n PRECEDING
    Preceding(i64),
    /// CURRENT ROW
    CurrentRow,
    /// n FOLLOWING
    Following(i64),
    /// UNBOUNDED FOLLOWING
    UnboundedFollowing,
}

impl SortDirection {
    /// ASC, or DESC, with NULLs where Flink puts them by itself: NULL is the smallest value.
    pub const fn of(descending: bool) -> Self {
        Self {
            descending,
            nulls_first: !descending,
        }
    }
}

impl FrameBound {
    const fn encoded(self) -> [i64; 2] {
        match self {
            Self::UnboundedPreceding => [0, 0],
            Self::Preceding(count) => [1, count],
            Self::CurrentRow => [2, 0],
            Self::Following(count) => [3, count],
            Self::UnboundedFollowing => [4, 0],
        }
    }

    const fn decoded(kind: i64, count: i64) -> Self {
        match kind {
            0 => Self::UnboundedPreceding,
            1 => Self::Preceding(count),
            2 => Self::CurrentRow,
            3 => Self::Following(count),
            _ => Self::UnboundedFollowing,
        }
    }

    fn text(self) -> String {
        match self {
            Self::UnboundedPreceding => "UNBOUNDED PRECEDING".to_owned(),
            Self::Preceding(count) => format!("{count} PRECEDING"),
            Self::CurrentRow => "CURRENT ROW".to_owned(),
            Self::Following(count) => format!("{count} FOLLOWING"),
            Self::UnboundedFollowing => "UNBOUNDED FOLLOWING".to_owned(),
        }
    }
}

impl OverFrame {
    /// RANGE from the beginning to the current row and its peers: what ORDER BY without a frame means.
    pub const DEFAULT: Self = Self {
        rows: false,
        start: FrameBound::UnboundedPreceding,
        end: FrameBound::CurrentRow,
    };

    /// The whole partition: what no ORDER BY means.
    pub const ALL: Self = Self {
        end: FrameBound::UnboundedFollowing,
        ..Self::DEFAULT
    };

    /// Whether a bound counts rows or time. Such a frame counts as possibly empty, as in Calcite's
    /// `SqlWindow.isAlwaysNonEmpty`, and the number is a constant of the projection. Case: over/bounded-frame-of-not-null.
    pub const fn has_offset(self) -> bool {
        matches!(self.start, FrameBound::Preceding(_) | FrameBound::Following(_))
            || matches!(self.end, FrameBound::Preceding(_) | FrameBound::Following(_))
    }

    /// `RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW`
    pub fn text(self) -> String {
        let unit = if self.rows { "ROWS" } else { "RANGE" };
        format!("{unit} BETWEEN {} AND {}", self.start.text(), self.end.text())
    }
}

impl OverCall {
    /// The call as an expression.
    pub fn into_expr(self, data_type: DataType, span: Span) -> Expr {
        let counts = [self.args.len(), self.partition.len(), self.order.len()];
        let name = match &self.user {
            Some(user) => user.script.to_value(),
            None => Value::from(self.function.name),
        };
        let mut head = vec![name, Value::Bool(self.distinct)];
        head.extend(counts.map(|count| Value::Int(i64::try_from(count).unwrap_or(i64::MAX))));
        head.push(Value::Bool(self.frame.rows));
        let bounds = [self.frame.start.encoded(), self.frame.end.encoded()];
        head.extend(bounds.into_iter().flatten().map(Value::Int));
        head.extend(
            self.order
                .iter()
                .flat_map(|(_, direction)| [direction.descending, direction.nulls_first].map(Value::Bool)),
        );
        let head = Expr::literal(
            Value::Row(Rc::from(head)),
            DataType::not_null(TypeKind::Raw(Rc::from("$over"))),
            span,
        );
        let order = self.order.into_iter().map(|(expr, _)| expr);
        let args = [head]
            .into_iter()
            .chain(self.args)
            .chain(self.partition)
            .chain(order)
            .chain(self.user.as_deref().map(UserAggregate::to_expr))
            .gather();
        Expr {
            kind: ExprKind::Call {
                function: built_in("OVER"),
                args,
            },
            data_type,
            span,
        }
    }

    /// The call that an expression is, if it is one.
    pub fn of(expr: &Expr) -> Option<Self> {
        let ExprKind::Call { function, args } = &expr.kind else {
            return None;
        };
        if function.name != "OVER" {
            return None;
        }
        let (head, operands) = args.split_first()?;
        let ExprKind::Literal(Value::Row(head)) = &head.kind else {
            return None;
        };
        let number = |at: usize| head.get(at).and_then(Value::as_int);
        let flag = |at: usize| head.get(at).and_then(Value::as_bool);
        let count = |at: usize| number(at).and_then(|count| usize::try_from(count).ok());
        let (args, rest) = operands.split_at_checked(count(2)?)?;
        let (partition, order) = rest.split_at_checked(count(3)?)?;
        let (order, last) = order.split_at_checked(count(4)?)?;
        let directions = (0..order.len()).map(|at| {
            Some(SortDirection {
                descending: flag(10 + 2 * at)?,
                nulls_first: flag(11 + 2 * at)?,
            })
        });
        let user =
            Script::of_value(head.first()?).and_then(|script| UserAggregate::of(script, last.first()?));
        let function = match &user {
            Some(user) => user.row(),
            None => over_function(head.first()?.as_str()?)?,
        };
        Some(Self {
            function,
            user: user.map(Rc::new),
            distinct: flag(1)?,
            args: args.to_vec(),
            partition: partition.to_vec(),
            order: order
                .iter()
                .cloned()
                .zip(directions)
                .map(|(expr, direction)| Some((expr, direction?)))
                .gather::<Option<_>>()?,
            frame: OverFrame {
                rows: flag(5)?,
                start: FrameBound::decoded(number(6)?, number(7)?),
                end: FrameBound::decoded(number(8)?, number(9)?),
            },
        })
    }

    /// Whether a windowed call stands somewhere in the expression.
    pub fn is_in(expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { function, args } => function.name == "OVER" || args.iter().any(Self::is_in),
            ExprKind::Column(_) | ExprKind::Literal(_) | ExprKind::Invalid => false,
        }
    }

    /// The text in an AST, of texts of the operands.
    pub(crate) fn text(&self, text: &dyn Fn(&Expr) -> String) -> String {
        let list = |exprs: &[Expr]| exprs.iter().map(text).gather::<Vec<_>>().join(", ");
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        let name = self
            .user
            .as_ref()
            .map_or(self.function.name, |user| &user.script.name);
        let mut out = format!("{name}({distinct}{}) OVER (", list(&self.args));
        let mut parts = Vec::new();
        if !self.partition.is_empty() {
            parts.push(format!("PARTITION BY {}", list(&self.partition)));
        }
        if !self.order.is_empty() {
            let keys: Vec<String> = self
                .order
                .iter()
                .map(|(expr, direction)| {
                    let word = if direction.descending { " DESC" } else { "" };
                    let nulls = if direction.nulls_first { "FIRST" } else { "LAST" };
                    format!("{}{word} NULLS {nulls}", text(expr))
                })
                .gather();
            parts.push(format!("ORDER BY {}", keys.join(", ")));
        }
        let framed = !self.function.name.contains("RANK") && self.function.name != "ROW_NUMBER";
        if framed && self.frame != OverFrame::DEFAULT {
            parts.push(self.frame.text());
        }
        // Writing to a String cannot fail.
        let _ignored = write!(out, "{})", parts.join(" "));
        out
    }
}
