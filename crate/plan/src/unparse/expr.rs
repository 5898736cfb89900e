//! Expressions.

use sg_diag::Span;
use sg_sql::{Reserved, byte_span, query as ast, reserved};
use sg_value::Gather as _;

use super::{Unparser, quoted};
use crate::bind::field_word;

/// How tightly an operator binds; an operand that binds less needs parentheses.
mod level {
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const IS: u8 = 4;
    pub(super) const COMPARE: u8 = 5;
    pub(super) const BETWEEN: u8 = 6;
    pub(super) const ADD: u8 = 7;
    pub(super) const MULTIPLY: u8 = 8;
    pub(super) const SIGN: u8 = 9;
    pub(super) const ATOM: u8 = 10;
}

impl Unparser<'_> {
    /// An expression as Flink prints it.
    pub(crate) fn expr(&self, expr: &ast::Expr) -> String {
        self.with_level(expr).0
    }

    pub(super) fn written(&self, span: Span) -> String {
        span.text(self.text).to_owned()
    }

    /// An operand, in parentheses where it binds less tightly than `least`.
    fn operand(&self, expr: &ast::Expr, least: u8) -> String {
        let (text, level) = self.with_level(expr);
        if level < least { format!("({text})") } else { text }
    }

    fn list(&self, exprs: &[ast::Expr]) -> String {
        exprs
            .iter()
            .map(|expr| self.expr(expr))
            .gather::<Vec<_>>()
            .join(", ")
    }

    fn with_level(&self, expr: &ast::Expr) -> (String, u8) {
        use ast::Expr as E;
        let atom = |text: String| (text, level::ATOM);
        match expr {
            E::Identifier(ident) => atom(self.name(std::slice::from_ref(ident))),
            E::CompoundIdentifier(idents) => atom(self.name(idents)),
            E::Nested(inner) => self.with_level(inner),
            E::Value(value) => atom(self.value(&value.value, self.spans.expr(expr))),
            E::BinaryOp { left, op, right } => self.binary(left, *op, right),
            E::Function(function) => atom(self.function(function, self.spans.expr(expr))),
            E::Floor { expr: of, field } => atom(self.rounding("FLOOR", of, field)),
            E::Interval(_) => atom(self.interval(self.spans.expr(expr))),
            _ => self.with_level_of_rarer(expr),
        }
    }

    #[inline(never)]
    fn with_level_of_rarer(&self, expr: &ast::Expr) -> (String, u8) {
        use ast::Expr as E;
        let atom = |text: String| (text, level::ATOM);
        match expr {
            E::UnaryOp { op, expr: of } => match op {
                ast::UnaryOperator::Not => (format!("NOT {}", self.operand(of, level::NOT)), level::NOT),
                ast::UnaryOperator::Minus => (format!("- {}", self.operand(of, level::SIGN)), level::SIGN),
                ast::UnaryOperator::Plus => atom(self.written(self.spans.expr(expr))),
            },
            E::IsNull(of) => self.is(of, "IS NULL"),
            E::IsNotNull(of) => self.is(of, "IS NOT NULL"),
            E::IsTrue(of) => self.is(of, "IS TRUE"),
            E::IsNotTrue(of) => self.is(of, "IS NOT TRUE"),
            E::IsFalse(of) => self.is(of, "IS FALSE"),
            E::IsNotFalse(of) => self.is(of, "IS NOT FALSE"),
            E::IsUnknown(of) => self.is(of, "IS UNKNOWN"),
            E::IsNotUnknown(of) => self.is(of, "IS NOT UNKNOWN"),
            E::IsDistinctFrom(left, right) => self.infix(left, "IS DISTINCT FROM", right, level::COMPARE),
            E::IsNotDistinctFrom(left, right) => {
                self.infix(left, "IS NOT DISTINCT FROM", right, level::COMPARE)
            }
            E::Between { .. } | E::In { .. } | E::Like { .. } | E::SimilarTo { .. } => self.range(expr),
            E::Case { .. } => atom(self.case(expr)),
            E::Exists { subquery, negated } => {
                let text = format!("EXISTS ({})", self.query(subquery));
                if *negated {
                    (format!("NOT {text}"), level::NOT)
                } else {
                    atom(text)
                }
            }
            E::Subquery(query) => atom(format!("({})", self.query(query))),
            E::Tuple(items) => atom(format!("ROW({})", self.list(items))),
            E::Array(array) => atom(format!("ARRAY[{}]", self.list(array))),
            E::CompoundFieldAccess { root, access_chain } => atom(self.access(root, access_chain)),
            E::Extract { field, expr: of, .. } => {
                atom(format!("EXTRACT({} FROM {})", field_word(field), self.expr(of)))
            }
            E::Ceil { expr: of, field } => atom(self.rounding("CEIL", of, field)),
            E::Substring {
                expr: of,
                substring_from,
                substring_for,
                ..
            } => {
                let parts = std::iter::once(of).chain(substring_from).chain(substring_for);
                let parts: Vec<String> = parts.map(|part| self.expr(part)).gather();
                atom(format!("SUBSTRING({})", parts.join(", ")))
            }
            E::Position { expr: of, r#in } => {
                atom(format!("POSITION({} IN {})", self.expr(of), self.expr(r#in)))
            }
            E::Trim { .. } => atom(self.trim(expr)),
            _ => atom(self.written(self.spans.expr(expr))),
        }
    }

    fn name(&self, idents: &[ast::Ident]) -> String {
        let start = idents
            .first()
            .and_then(|ident| byte_span(ident.span))
            .map(|span| span.start);
        match start.and_then(|start| self.trail.columns.get(&start)) {
            Some(full) => full.clone(),
            None => idents
                .iter()
                .map(|ident| quoted(&ident.value))
                .gather::<Vec<_>>()
                .join("."),
        }
    }

    fn value(&self, value: &ast::Value, span: Span) -> String {
        match value {
            ast::Value::Boolean(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
            ast::Value::Null => "NULL".to_owned(),
            _ => self.written(span),
        }
    }

    fn is(&self, of: &ast::Expr, words: &str) -> (String, u8) {
        (format!("{} {words}", self.operand(of, level::IS)), level::IS)
    }

    fn infix(&self, left: &ast::Expr, sign: &str, right: &ast::Expr, level: u8) -> (String, u8) {
        let (left, right) = (self.operand(left, level), self.operand(right, level + 1));
        (format!("{left} {sign} {right}"), level)
    }

    fn binary(&self, left: &ast::Expr, op: ast::BinaryOperator, right: &ast::Expr) -> (String, u8) {
        use ast::BinaryOperator as B;
        let level = match op {
            B::Or => level::OR,
            B::And => level::AND,
            B::Plus | B::Minus | B::StringConcat => level::ADD,
            B::Multiply | B::Divide | B::Modulo => level::MULTIPLY,
            _ => level::COMPARE,
        };
        // AND and OR are chains: a group on the right keeps its parentheses only where it binds less
        if matches!(op, B::And | B::Or) {
            let (left, right) = (self.operand(left, level), self.operand(right, level + 1));
            return (format!("{left} {} {right}", op.sign()), level);
        }
        self.infix(left, op.sign(), right, level)
    }

    fn range(&self, expr: &ast::Expr) -> (String, u8) {
        use ast::Expr as E;
        let not = |negated: bool| if negated { "NOT " } else { "" };
        let text = match expr {
            E::Between {
                expr: of,
                negated,
                low,
                high,
            } => format!(
                "{} {}BETWEEN ASYMMETRIC {} AND {}",
                self.operand(of, level::BETWEEN),
                not(*negated),
                self.operand(low, level::ADD),
                self.operand(high, level::ADD)
            ),
            E::In {
                expr: of,
                target,
                negated,
                ..
            } => {
                let list = match target {
                    ast::InTarget::List(list) => self.list(list),
                    ast::InTarget::Subquery(query) => self.query(query),
                };
                format!(
                    "{} {}IN ({list})",
                    self.operand(of, level::BETWEEN),
                    not(*negated)
                )
            }
            E::Like {
                negated,
                expr: of,
                pattern,
                escape_char,
                ..
            } => {
                let mut text = format!(
                    "{} {}LIKE {}",
                    self.operand(of, level::BETWEEN),
                    not(*negated),
                    self.operand(pattern, level::ADD)
                );
                if let Some(escape) = escape_char {
                    put!(text, " ESCAPE {}", self.expr(escape));
                }
                text
            }
            E::SimilarTo {
                negated,
                expr: of,
                pattern,
                ..
            } => format!(
                "{} {}SIMILAR TO {}",
                self.operand(of, level::BETWEEN),
                not(*negated),
                self.operand(pattern, level::ADD)
            ),
            _ => self.written(self.spans.expr(expr)),
        };
        (text, level::BETWEEN)
    }

    /// `CASE x WHEN 1` is printed with its comparison.
    fn case(&self, expr: &ast::Expr) -> String {
        let ast::Expr::Case {
            operand,
            conditions,
            else_result,
            ..
        } = expr
        else {
            return String::new();
        };
        let mut text = String::from("CASE");
        for branch in conditions {
            let condition = match operand {
                Some(operand) => {
                    format!("{} = {}", self.expr(operand), self.expr(&branch.condition))
                }
                None => self.expr(&branch.condition),
            };
            put!(text, " WHEN {condition} THEN {}", self.expr(&branch.result));
        }
        let otherwise = else_result
            .as_ref()
            .map_or_else(|| "NULL".to_owned(), |result| self.expr(result));
        put!(text, " ELSE {otherwise} END");
        text
    }

    fn rounding(&self, name: &str, of: &ast::Expr, field: &ast::CeilFloorKind) -> String {
        match field {
            ast::CeilFloorKind::DateTimeField(unit) => {
                format!("{name}({} TO {})", self.expr(of), field_word(unit))
            }
            ast::CeilFloorKind::Whole | ast::CeilFloorKind::Scale(_) => format!("{name}({})", self.expr(of)),
        }
    }

    /// Units are singular: `INTERVAL '10' MINUTES` prints as `INTERVAL '10' MINUTE`.
    fn interval(&self, span: Span) -> String {
        let written: Vec<&str> = span.text(self.text).split_whitespace().gather();
        let words: Vec<String> = written
            .iter()
            .map(|word| {
                let upper = sg_value::case::upper(word);
                let unit = [
                    "YEAR", "MONTH", "WEEK", "QUARTER", "DAY", "HOUR", "MINUTE", "SECOND", "INTERVAL", "TO",
                ];
                match unit
                    .iter()
                    .find(|unit| upper == **unit || upper == format!("{unit}S"))
                {
                    Some(unit) => (*unit).to_owned(),
                    None => (*word).to_owned(),
                }
            })
            .gather();
        words.join(" ")
    }

    fn trim(&self, expr: &ast::Expr) -> String {
        let ast::Expr::Trim {
            trim_where,
            trim_what,
            expr: of,
            ..
        } = expr
        else {
            return String::new();
        };
        let side = match trim_where {
            Some(ast::TrimWhereField::Leading) => "LEADING",
            Some(ast::TrimWhereField::Trailing) => "TRAILING",
            Some(ast::TrimWhereField::Both) | None => "BOTH",
        };
        let what = trim_what
            .as_ref()
            .map_or_else(|| "' '".to_owned(), |what| self.expr(what));
        format!("TRIM({side} {what} FROM {})", self.expr(of))
    }

    fn access(&self, root: &ast::Expr, chain: &[ast::AccessExpr]) -> String {
        let mut text = self.operand(root, level::ATOM);
        for access in chain {
            match access {
                ast::AccessExpr::Dot(field) => match field {
                    ast::Expr::Identifier(name) => put!(text, ".{}", quoted(&name.value)),
                    other => put!(text, ".{}", self.expr(other)),
                },
                ast::AccessExpr::Subscript(index) => put!(text, "[{}]", self.expr(index)),
            }
        }
        text
    }

    fn function(&self, function: &ast::Function, span: Span) -> String {
        if let Some(kind) = Reserved::of(function) {
            return self.reserved(kind, function, span);
        }
        let name = match function.name.0.as_slice() {
            [name] => sg_value::case::upper(&name.value),
            _ => function.name.to_string(),
        };
        let mut text = match &function.args {
            ast::FunctionArguments::List(list) => {
                let distinct = match list.duplicate_treatment {
                    Some(ast::DuplicateTreatment::Distinct) => "DISTINCT ",
                    _ => "",
                };
                let args: Vec<String> = list.args.iter().map(|arg| self.argument(arg)).gather();
                format!("{name}({distinct}{})", args.join(", "))
            }
            ast::FunctionArguments::None => name,
            ast::FunctionArguments::Subquery(query) => format!("{name}({})", self.query(query)),
        };
        if let Some(filter) = &function.filter {
            put!(text, " FILTER (WHERE {})", self.expr(filter));
        }
        match &function.over {
            Some(ast::WindowType::WindowSpec(window)) => {
                put!(text, " OVER ({})", self.window(window));
            }
            Some(ast::WindowType::NamedWindow(name)) => {
                put!(text, " OVER {}", quoted(&name.value));
            }
            None => {}
        }
        text
    }

    pub(super) fn argument(&self, arg: &ast::FunctionArg) -> String {
        let value = |arg: &ast::FunctionArgExpr| match arg {
            ast::FunctionArgExpr::Expr(expr) => self.expr(expr),
            _ => "*".to_owned(),
        };
        match arg {
            ast::FunctionArg::Unnamed(arg) => value(arg),
            ast::FunctionArg::Named { name, arg, .. } => format!("{} => {}", quoted(&name.value), value(arg)),
        }
    }

    pub(super) fn window(&self, window: &ast::WindowSpec) -> String {
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("PARTITION BY {}", self.list(&window.partition_by)));
        }
        if !window.order_by.is_empty() {
            let keys: Vec<String> = window.order_by.iter().map(|key| self.sort_key(key)).gather();
            parts.push(format!("ORDER BY {}", keys.join(", ")));
        }
        if let Some(frame) = &window.window_frame {
            let end = frame.end_bound.as_ref();
            let units = match frame.units {
                ast::WindowFrameUnits::Rows => "ROWS",
                ast::WindowFrameUnits::Range => "RANGE",
            };
            let start = self.bound(&frame.start_bound);
            parts.push(match end {
                Some(end) => format!("{units} BETWEEN {start} AND {}", self.bound(end)),
                None => format!("{units} {start}"),
            });
        }
        parts.join(" ")
    }

    fn bound(&self, bound: &ast::WindowFrameBound) -> String {
        let word = |expr: &Option<Box<ast::Expr>>| {
            expr.as_ref()
                .map_or_else(|| "UNBOUNDED".to_owned(), |expr| self.expr(expr))
        };
        match bound {
            ast::WindowFrameBound::CurrentRow => "CURRENT ROW".to_owned(),
            ast::WindowFrameBound::Preceding(expr) => format!("{} PRECEDING", word(expr)),
            ast::WindowFrameBound::Following(expr) => format!("{} FOLLOWING", word(expr)),
        }
    }

    pub(super) fn sort_key(&self, key: &ast::OrderByExpr) -> String {
        let mut text = self.expr(&key.expr);
        if matches!(key.options.sort, Some(ast::OrderBySort::Desc)) {
            text.push_str(" DESC");
        }
        match key.options.nulls_first {
            Some(true) => text.push_str(" NULLS FIRST"),
            Some(false) => text.push_str(" NULLS LAST"),
            None => {}
        }
        text
    }

    fn reserved(&self, kind: Reserved, function: &ast::Function, span: Span) -> String {
        let args = reserved::args(function);
        let texts: Vec<String> = args.iter().map(|arg| self.expr(arg)).gather();
        match (kind, args.as_slice()) {
            (Reserved::Cast | Reserved::TryCast, [operand, target]) => {
                let name = if kind == Reserved::Cast {
                    "CAST"
                } else {
                    "TRY_CAST"
                };
                format!(
                    "{name}({} AS {})",
                    self.expr(operand),
                    self.type_text(self.spans.expr(target))
                )
            }
            (Reserved::Descriptor, _) => {
                let names: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        ast::Expr::Identifier(name) => quoted(&name.value),
                        other => self.expr(other),
                    })
                    .gather();
                format!("DESCRIPTOR({})", names.join(", "))
            }
            (Reserved::Map, _) => format!("MAP[{}]", texts.join(", ")),
            (Reserved::Multiset, _) => format!("MULTISET[{}]", texts.join(", ")),
            (Reserved::Table, [name, ..]) => self.table_argument(name),
            _ => self.written(span),
        }
    }

    /// A type of CAST: synonyms print as Calcite calls them.
    fn type_text(&self, span: Span) -> String {
        let written = span
            .text(self.text)
            .split_whitespace()
            .gather::<Vec<_>>()
            .join(" ");
        match sg_value::case::upper(&written).as_str() {
            "INT" => "INTEGER".to_owned(),
            "DEC" => "DECIMAL".to_owned(),
            upper => upper.to_owned(),
        }
    }
}
