//! The text that Flink's plans show for an expression.

mod literal;

use sg_value::{Gather as _, TypeKind, Value};

use crate::{
    bound::{Expr, ExprKind},
    cast::keeps_text,
    over::OverCall,
    sarg::Sarg,
    script::as_user_call,
    types::{Charset, KindExt, calcite_type},
};
use literal::{TypeSuffix, literal_text};

/// Which of Flink's plans the text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanStyle {
    /// Abstract syntax tree: `CAST($0):BIGINT`, `<>($0, _UTF-16LE'x')`.
    Ast,
    /// Optimized physical plan: `>(ts, 2024-01-01 10:00:00:TIMESTAMP(3))`.
    Physical,
    /// Optimized execution plan: `(ts > 2024-01-01 10:00:00)`.
    Execution,
    /// Optimized physical plan in batch mode: `>(ts, 2024-01-01 10:00:00)`.
    Batch,
}

impl PlanStyle {
    /// Whether constants come without their types, and casts without NOT NULL.
    const fn is_short(self) -> bool {
        matches!(self, Self::Execution | Self::Batch)
    }
}

/// The plan text of an expression; `columns` names the input's columns (`ts`, or `$0` in an AST).
pub fn display<'a>(expr: &Expr, columns: &dyn Fn(u32) -> &'a str, style: PlanStyle) -> String {
    Printer { columns, style }.text(expr)
}

/// The plan text of a constant of a type, as in the tuples of Values: `_UTF-16LE'a'`, `1.50`, without its type.
pub fn display_value(value: &sg_value::Value, data_type: &sg_value::DataType) -> String {
    literal_text(value, data_type, TypeSuffix::Never)
}

struct Printer<'p, 'a> {
    columns: &'p dyn Fn(u32) -> &'a str,
    style: PlanStyle,
}

/// Operators that an execution plan writes between their operands.
const INFIX: [&str; 12] = ["*", "/", "+", "-", "<", "<=", ">", ">=", "=", "<>", "AND", "OR"];

/// Operators that leave the type of a constant away in an AST where the other side has the same.
const SIMPLE: [&str; 10] = ["*", "/", "+", "-", "<", "<=", ">", ">=", "=", "<>"];

impl Printer<'_, '_> {
    fn text(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Column(column) => (self.columns)(*column).to_owned(),
            ExprKind::Literal(_) if expr.as_symbol().is_some() => {
                self.symbol(expr.as_symbol().unwrap_or_default())
            }
            ExprKind::Literal(value) => literal_text(value, &expr.data_type, self.suffix()),
            ExprKind::Call { function, args } => match as_user_call(expr) {
                Some((name, args)) => format!("{name}({})", self.texts(args).join(", ")),
                None => self.call(expr, function.name, args),
            },
            ExprKind::Invalid => "?".to_owned(),
        }
    }

    const fn suffix(&self) -> TypeSuffix {
        match self.style {
            PlanStyle::Ast | PlanStyle::Physical => TypeSuffix::AsNeeded,
            PlanStyle::Execution | PlanStyle::Batch => TypeSuffix::Execution,
        }
    }

    fn symbol(&self, word: &str) -> String {
        if self.style.is_short() {
            word.to_owned()
        } else {
            format!("FLAG({word})")
        }
    }

    fn call(&self, expr: &Expr, name: &str, args: &[Expr]) -> String {
        match (name, args) {
            ("OVER", _) => match OverCall::of(expr) {
                Some(over) => over.text(&|operand| self.text(operand)),
                None => "?".to_owned(),
            },
            ("CAST" | "TRY_CAST", [operand]) => self.cast(expr, name, operand),
            ("JSON_OBJECT" | "JSON_ARRAY", _) => self.json(name, args),
            // what Flink's planner makes of it
            ("SQRT", [operand]) => {
                let half = if self.style.is_short() {
                    "0.5"
                } else {
                    "0.5:DECIMAL(2, 1)"
                };
                format!("POWER({}, {half})", self.text(operand))
            }
            ("JSON_VALUE" | "JSON_QUERY" | "JSON_EXISTS", [json, path, clauses @ ..]) => {
                let mut texts = vec![self.text(json), self.text(path)];
                texts.extend(self.json_clauses(name, clauses));
                format!("{name}({})", texts.join(", "))
            }
            ("IF" | "IFNULL" | "GREATEST" | "LEAST" | "COALESCE" | "<" | "<=" | ">" | ">=", _)
                if self.style != PlanStyle::Ast && args.iter().any(|arg| bare(name, arg).is_some()) =>
            {
                let shown = |arg| match bare(name, arg) {
                    Some(bare) => {
                        let typed = matches!(bare.data_type.kind, TypeKind::Decimal { .. });
                        self.operand(bare, !typed && bare.as_literal().is_some())
                    }
                    None => self.text(arg),
                };
                let texts: Vec<String> = args.iter().map(shown).gather();
                if self.style == PlanStyle::Execution && INFIX.contains(&name) {
                    return format!("({})", texts.join(&format!(" {name} ")));
                }
                format!("{name}({})", texts.join(", "))
            }
            (".", [row, field]) => format!("{}.{}", self.text(row), field.as_symbol().unwrap_or_default()),
            ("SEARCH", [operand, ranges]) => format!("SEARCH({}, {})", self.text(operand), self.sarg(ranges)),
            (_, [operand]) if self.style == PlanStyle::Execution && name.starts_with("IS ") => {
                format!("{} {name}", self.text(operand))
            }
            (_, [_, _, ..]) if self.style == PlanStyle::Execution && INFIX.contains(&name) => {
                format!("({})", self.texts(args).join(&format!(" {name} ")))
            }
            (_, [left, right]) if self.style == PlanStyle::Ast && SIMPLE.contains(&name) => {
                let same = left.data_type.kind == right.data_type.kind;
                let texts = [
                    self.operand(left, same && right.as_literal().is_none()),
                    self.operand(right, same && left.as_literal().is_none()),
                ];
                format!("{name}({})", texts.join(", "))
            }
            _ => format!("{name}({})", self.texts(args).join(", ")),
        }
    }

    /// What follows a path: each clause in the words of Calcite's symbols, those of `JSON_QUERY` written or not.
    fn json_clauses(&self, name: &str, clauses: &[Expr]) -> Vec<String> {
        let words = || clauses.iter().filter_map(Expr::as_symbol);
        if name == "JSON_QUERY" {
            let wrapper = words().find(|word| word.ends_with(" ARRAY") && word.starts_with("WITH"));
            let behavior = |end: &str| {
                let word = words().find_map(|word| word.strip_suffix(end)).unwrap_or("NULL");
                self.symbol(&format!(
                    "SqlJsonQueryEmptyOrErrorBehavior[{}]",
                    word.replace(' ', "_")
                ))
            };
            let wrapper = wrapper.unwrap_or("WITHOUT_ARRAY").replace(' ', "_");
            return vec![
                self.symbol(&wrapper),
                behavior(" ON EMPTY"),
                behavior(" ON ERROR"),
            ];
        }
        let mut texts = Vec::new();
        let mut clauses = clauses.iter();
        while let Some(clause) = clauses.next() {
            let word = clause.as_symbol().unwrap_or_default();
            if word == "RETURNING" {
                clauses.next();
                continue;
            }
            let (what, when) = word.split_at(word.rfind(" ON ").unwrap_or(word.len()));
            texts.push(self.symbol(what));
            if what == "DEFAULT" {
                texts.extend(clauses.next().map(|value| self.text(value)));
            }
            if name != "JSON_EXISTS" {
                texts.push(self.symbol(when.trim_start()));
            }
        }
        texts
    }

    /// The clause about NULLs comes first, written or not.
    fn json(&self, name: &str, args: &[Expr]) -> String {
        let written = args.iter().find_map(Expr::as_symbol);
        let keeps = written.map_or(name == "JSON_OBJECT", |clause| clause == "NULL ON NULL");
        let clause = self.symbol(if keeps { "NULL_ON_NULL" } else { "ABSENT_ON_NULL" });
        let members = args.iter().filter(|arg| arg.as_symbol().is_none());
        let texts: Vec<String> = std::iter::once(clause)
            .chain(members.map(|arg| self.text(arg)))
            .gather();
        format!("{name}({})", texts.join(", "))
    }

    /// The arguments; RETURNING and its type do not show.
    fn texts(&self, args: &[Expr]) -> Vec<String> {
        let returning = args.iter().position(|arg| arg.as_symbol() == Some("RETURNING"));
        let hidden = returning.map_or(0..0, |at| at..at + 2);
        args.iter()
            .enumerate()
            .filter(|(at, _)| !hidden.contains(at))
            .map(|(_, arg)| self.text(arg))
            .gather()
    }

    fn operand(&self, expr: &Expr, bare: bool) -> String {
        match (expr.as_literal(), bare) {
            (Some(value), true) => literal_text(value, &expr.data_type, TypeSuffix::Never),
            _ => self.text(expr),
        }
    }

    fn cast(&self, expr: &Expr, name: &str, operand: &Expr) -> String {
        // An exact constant in another type stays a constant.
        if let Some(value) = operand.as_literal().filter(|value| !value.is_null())
            && keeps_text(&operand.data_type.kind, &expr.data_type.kind)
            && name == "CAST"
        {
            let number = literal_text(value, &operand.data_type, TypeSuffix::Never);
            let to = calcite_type(&expr.data_type, Charset::Shown);
            let constant = match self.style {
                PlanStyle::Execution | PlanStyle::Batch => number,
                _ => format!("{number}:{to}"),
            };
            return if expr.data_type.nullable && self.style != PlanStyle::Ast {
                format!("CAST({constant} AS {to})")
            } else {
                constant
            };
        }
        let operand = self.text(operand);
        // a time attribute: the processing time of a window in the type of its time
        let shown = || match &expr.data_type {
            time if time.is_rowtime() || time.is_proctime() => time.with_nullable(true).to_string(),
            other if matches!(self.style, PlanStyle::Execution | PlanStyle::Batch) => {
                calcite_type(other, Charset::Hidden)
            }
            other => calcite_type(other, Charset::Shown),
        };
        let not_null = if expr.data_type.nullable || expr.data_type.kind == TypeKind::Null {
            ""
        } else {
            " NOT NULL"
        };
        match self.style {
            PlanStyle::Ast => format!("{name}({operand}):{}{not_null}", shown()),
            PlanStyle::Physical => {
                format!("{name}({operand} AS {}{not_null})", shown())
            }
            PlanStyle::Execution | PlanStyle::Batch => format!("{name}({operand} AS {})", shown()),
        }
    }

    fn sarg(&self, ranges: &Expr) -> String {
        let Some(sarg) = Sarg::from_expr(ranges) else {
            return "?".to_owned();
        };
        let element = match self.style {
            PlanStyle::Execution | PlanStyle::Batch => TypeSuffix::Never,
            _ => TypeSuffix::AsNeeded,
        };
        let text = sarg.text(|value| {
            let text = literal_text(value, &ranges.data_type, element);
            sarg_literal(&text, &ranges.data_type.kind)
        });
        // The set itself carries its type, unless it is INTEGER or DATE.
        let bare = matches!(
            ranges.data_type.kind,
            TypeKind::Int | TypeKind::Date | TypeKind::Boolean
        ) || ranges.data_type.kind.fraction_digits() == Some(0);
        if bare || self.style.is_short() {
            text
        } else {
            format!("{text}:{}", calcite_type(&ranges.data_type, Charset::Shown))
        }
    }
}

/// What an argument is without the cast that nobody wrote, where Flink's plan has none: the function brings its arguments to
/// one type itself.
fn bare<'e>(name: &str, arg: &'e Expr) -> Option<&'e Expr> {
    use TypeKind as K;
    let to = &arg.data_type.kind;
    let text = matches!(to, K::Char(_) | K::Varchar(_));
    let compares = name.starts_with(['<', '>']);
    if !compares && text && matches!(arg.as_literal(), Some(Value::Str(_))) {
        return Some(arg);
    }
    let ExprKind::Call { function, args } = &arg.kind else {
        return None;
    };
    let ("CAST", [inner]) = (function.name, args.as_slice()) else {
        return None;
    };
    let hidden = match name {
        "COALESCE" | "IFNULL" => text,
        _ if compares => {
            matches!(to, K::TimestampLtz { .. }) && matches!(inner.data_type.kind, K::Timestamp { .. })
        }
        _ => true,
    };
    (hidden && inner.span == arg.span).then_some(inner)
}

/// Within a Sarg a BIGINT is written as Java does, and a DECIMAL as short as it can be.
fn sarg_literal(text: &str, kind: &TypeKind) -> String {
    let (number, suffix) = text.split_once(':').unwrap_or((text, ""));
    let colon = if suffix.is_empty() { "" } else { ":" };
    match kind {
        TypeKind::BigInt => format!("{number}L{colon}{suffix}"),
        TypeKind::Decimal { .. } if number.contains('.') => {
            let short = number.trim_end_matches('0').trim_end_matches('.');
            format!("{short}{colon}{suffix}")
        }
        _ => text.to_owned(),
    }
}
