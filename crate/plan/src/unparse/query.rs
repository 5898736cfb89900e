//! Queries.

use sg_diag::Span;
use sg_sql::{byte_span, query as ast};
use sg_value::Gather as _;

use super::{Unparser, quoted};

impl Unparser<'_> {
    /// A query as Flink prints it.
    pub(crate) fn query(&self, query: &ast::Query) -> String {
        let mut text = String::new();
        if let Some(with) = &query.with {
            let tables: Vec<String> = with
                .cte_tables
                .iter()
                .map(|table| {
                    let columns = column_list(&table.alias);
                    format!(
                        "{}{columns} AS ({})",
                        quoted(&table.alias.name.value),
                        self.query(&table.query)
                    )
                })
                .gather();
            put!(text, "WITH {} ", tables.join(", "));
        }
        text.push_str(&self.body(&query.body));
        if !query.order_by.is_empty() {
            let names = Self::output_names(&query.body);
            let keys: Vec<String> = query
                .order_by
                .iter()
                .map(|key| self.order_key(key, &names))
                .gather();
            put!(text, "\nORDER BY {}", keys.join(", "));
        }
        if let Some(offset) = &query.offset {
            put!(text, "\nOFFSET {} ROWS", self.expr(offset));
        }
        if let Some(limit) = &query.limit {
            put!(text, "\nFETCH NEXT {} ROWS ONLY", self.expr(limit));
        }
        if let Some(quantity) = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref()) {
            put!(text, "\nFETCH NEXT {} ROWS ONLY", self.expr(quantity));
        }
        text
    }

    /// A name of the select list stays as it is in ORDER BY.
    fn order_key(&self, key: &ast::OrderByExpr, names: &[String]) -> String {
        if let ast::Expr::Identifier(name) = &key.expr
            && names.contains(&name.value)
        {
            let full = self.sort_key(key);
            let rest = full
                .split_once(' ')
                .map_or(String::new(), |(_, rest)| format!(" {rest}"));
            return format!("{}{rest}", quoted(&name.value));
        }
        self.sort_key(key)
    }

    fn output_names(body: &ast::SetExpr) -> Vec<String> {
        let ast::SetExpr::Select(select) = body else {
            return Vec::new();
        };
        select
            .projection
            .iter()
            .filter_map(|item| match item {
                ast::SelectItem::ExprWithAlias { alias, .. } => Some(alias.value.clone()),
                ast::SelectItem::UnnamedExpr(ast::Expr::Identifier(name)) => Some(name.value.clone()),
                ast::SelectItem::UnnamedExpr(ast::Expr::CompoundIdentifier(parts)) => {
                    parts.last().map(|name| name.value.clone())
                }
                _ => None,
            })
            .gather()
    }

    fn body(&self, body: &ast::SetExpr) -> String {
        match body {
            ast::SetExpr::Select(select) => self.select(select),
            ast::SetExpr::Query(query) => self.query(query),
            ast::SetExpr::SetOperation {
                op,
                set_quantifier,
                left,
                right,
            } => {
                let all = if matches!(set_quantifier, ast::SetQuantifier::All) {
                    " ALL"
                } else {
                    ""
                };
                let op = match op {
                    ast::SetOperator::Union => "UNION",
                    ast::SetOperator::Except | ast::SetOperator::Minus => "EXCEPT",
                    ast::SetOperator::Intersect => "INTERSECT",
                };
                format!("{}\n{op}{all}\n{}", self.body(left), self.body(right))
            }
            ast::SetExpr::Values(values) => self.values(values),
            ast::SetExpr::Table(name) => format!("TABLE {}", self.table_name(name)),
        }
    }

    fn values(&self, values: &ast::Values) -> String {
        let rows: Vec<String> = values
            .rows
            .iter()
            .map(|row| {
                let cells: Vec<String> = row.content.iter().map(|cell| self.expr(cell)).gather();
                format!("ROW({})", cells.join(", "))
            })
            .gather();
        format!("VALUES {}", rows.join(",\n"))
    }

    fn select(&self, select: &ast::Select) -> String {
        let distinct = if select.distinct { "DISTINCT " } else { "" };
        let items: Vec<String> = select.projection.iter().map(|item| self.item(item)).gather();
        let mut text = format!("SELECT {distinct}{}", items.join(", "));
        if let Some((first, rest)) = select.from.split_first() {
            put!(text, "\nFROM {}", self.relation(first));
            for item in rest {
                put!(text, ",\n{}", self.relation(item));
            }
        }
        if let Some(condition) = &select.selection {
            put!(text, "\nWHERE {}", self.expr(condition));
        }
        if !select.group_by.is_empty() {
            let keys: Vec<String> = select.group_by.iter().map(|key| self.expr(key)).gather();
            put!(text, "\nGROUP BY {}", keys.join(", "));
        }
        if let Some(condition) = &select.having {
            put!(text, "\nHAVING {}", self.expr(condition));
        }
        if !select.named_window.is_empty() {
            let windows: Vec<String> = select
                .named_window
                .iter()
                .map(|window| match &window.1 {
                    ast::NamedWindowExpr::WindowSpec(spec) => {
                        format!("{} AS ({})", quoted(&window.0.value), self.window(spec))
                    }
                    ast::NamedWindowExpr::NamedWindow(name) => {
                        format!("{} AS {}", quoted(&window.0.value), quoted(&name.value))
                    }
                })
                .gather();
            put!(text, "\nWINDOW {}", windows.join(", "));
        }
        if let Some(condition) = &select.qualify {
            put!(text, "\nQUALIFY {}", self.expr(condition));
        }
        text
    }

    fn item(&self, item: &ast::SelectItem) -> String {
        let columns = |star: Span| {
            let columns = byte_span(star).and_then(|span| self.trail.stars.get(&span.start));
            columns.map_or_else(|| "*".to_owned(), |columns| columns.join(", "))
        };
        match item {
            ast::SelectItem::UnnamedExpr(expr) => self.expr(expr),
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                format!("{} AS {}", self.expr(expr), quoted(&alias.value))
            }
            ast::SelectItem::Wildcard(star) | ast::SelectItem::QualifiedWildcard(_, star) => columns(*star),
        }
    }

    fn relation(&self, item: &ast::TableWithJoins) -> String {
        let mut text = self.factor(&item.relation);
        for join in &item.joins {
            text.push_str(&self.join(join));
        }
        text
    }

    fn join(&self, join: &ast::Join) -> String {
        use ast::JoinOperator as J;
        let (words, constraint) = match &join.join_operator {
            J::Join(by) | J::Inner(by) => ("INNER JOIN", Some(by)),
            J::Left(by) | J::LeftOuter(by) => ("LEFT JOIN", Some(by)),
            J::Right(by) | J::RightOuter(by) => ("RIGHT JOIN", Some(by)),
            J::FullOuter(by) => ("FULL JOIN", Some(by)),
            _ => ("CROSS JOIN", None),
        };
        let natural = matches!(constraint, Some(ast::JoinConstraint::Natural));
        let condition = match constraint {
            Some(ast::JoinConstraint::On(condition)) => format!(" ON {}", self.expr(condition)),
            Some(ast::JoinConstraint::Using(columns)) => {
                let columns: Vec<String> = columns
                    .iter()
                    .map(|column| {
                        column
                            .0
                            .last()
                            .map_or_else(String::new, |part| format!("`{part}`").replace("``", "`"))
                    })
                    .gather();
                format!(" USING ({})", columns.join(", "))
            }
            _ => String::new(),
        };
        let natural = if natural { "NATURAL " } else { "" };
        format!("\n{natural}{words} {}{condition}", self.factor(&join.relation))
    }

    fn factor(&self, factor: &ast::TableFactor) -> String {
        match factor {
            ast::TableFactor::Table {
                name,
                alias,
                args: None,
                ..
            } => {
                let own = name.0.last().map(|part| part.value.as_str());
                format!("{}{}", self.table_name(name), alias_text(alias.as_ref(), own))
            }
            ast::TableFactor::Table {
                name,
                alias,
                args: Some(args),
                ..
            } => {
                let args: Vec<String> = args.iter().map(|arg| self.argument(arg)).gather();
                let call = format!(
                    "TABLE({}({}))",
                    sg_value::case::upper(&name.to_string()),
                    args.join(", ")
                );
                format!("{call}{}", alias_text(alias.as_ref(), Some("EXPR$0")))
            }
            ast::TableFactor::TableFunction { expr, alias } => {
                format!(
                    "TABLE({}){}",
                    self.expr(expr),
                    alias_text(alias.as_ref(), Some("EXPR$0"))
                )
            }
            ast::TableFactor::Function {
                name, args, alias, ..
            } => {
                let calls: Vec<String> = args.iter().map(|arg| self.argument(arg)).gather();
                let name = sg_value::case::upper(&name.to_string());
                let call = if name == "TABLE" {
                    calls.join(", ")
                } else {
                    format!("{name}({})", calls.join(", "))
                };
                format!("TABLE({call}){}", alias_text(alias.as_ref(), Some("EXPR$0")))
            }
            ast::TableFactor::Derived { subquery, alias, .. } => {
                format!("({}){}", self.query(subquery), alias_text(alias.as_ref(), None))
            }
            ast::TableFactor::NestedJoin {
                table_with_joins,
                alias,
            } => {
                format!(
                    "({}){}",
                    self.relation(table_with_joins),
                    alias_text(alias.as_ref(), None)
                )
            }
            ast::TableFactor::MatchRecognize { .. } => self.written(self.spans.table_factor(factor)),
        }
    }

    fn table_name(&self, name: &ast::ObjectName) -> String {
        let start = name.0.first().and_then(|part| byte_span(part.span));
        match start.and_then(|span| self.trail.tables.get(&span.start)) {
            Some(full) => full.clone(),
            None => name.to_string(),
        }
    }

    /// `TABLE t` as an argument prints as a query of all its columns.
    pub(super) fn table_argument(&self, name: &ast::Expr) -> String {
        let parts = match name {
            ast::Expr::Identifier(ident) => std::slice::from_ref(ident),
            ast::Expr::CompoundIdentifier(idents) => idents.as_slice(),
            other => return self.expr(other),
        };
        let start = parts
            .first()
            .and_then(|ident| byte_span(ident.span))
            .map(|span| span.start);
        let full = start.and_then(|start| self.trail.tables.get(&start));
        let columns = start.and_then(|start| self.trail.stars.get(&start));
        let own = parts.last().map_or("", |ident| ident.value.as_str());
        match (full, columns) {
            (Some(full), Some(columns)) => {
                format!("(SELECT {}\nFROM {full} AS {})", columns.join(", "), quoted(own))
            }
            (Some(full), None) => format!("TABLE {full}"),
            _ => format!("TABLE {}", quoted(own)),
        }
    }
}

fn column_list(alias: &ast::TableAlias) -> String {
    if alias.columns.is_empty() {
        return String::new();
    }
    let columns: Vec<String> = alias
        .columns
        .iter()
        .map(|column| quoted(&column.name.value))
        .gather();
    format!(" ({})", columns.join(", "))
}

fn alias_text(alias: Option<&ast::TableAlias>, own: Option<&str>) -> String {
    match (alias, own) {
        (Some(alias), _) => format!(" AS {}{}", quoted(&alias.name.value), column_list(alias)),
        (None, Some(own)) => format!(" AS {}", quoted(own)),
        (None, None) => String::new(),
    }
}
