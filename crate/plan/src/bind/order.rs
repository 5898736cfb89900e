//! ORDER BY, LIMIT, OFFSET, FETCH.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::Expr;
use sg_sql::query as ast;
use sg_value::Gather as _;

use super::{Binder, BoundQuery, Place, over_window::direction};
use crate::logical::{LogicalNode, SortColumn, SortNode};

/// Sort keys of a query, and what of them is not selected.
#[derive(Debug, Default)]
pub(super) struct OrderKeys {
    /// Keys over the select list and the expressions behind it.
    pub(super) keys: Vec<SortColumn>,
    /// Expressions that are sorted by and not selected, over the input of the select list.
    pub(super) hidden: Vec<Expr>,
}

impl Binder<'_> {
    /// The keys of ORDER BY as far as they count: inside another query only together with LIMIT or OFFSET.
    pub(super) fn counting_order(query: &ast::Query, place: Place) -> &[ast::OrderByExpr] {
        let limited = query.limit.is_some() || query.offset.is_some() || query.fetch.is_some();
        if place == Place::Nested && !limited {
            return &[];
        }
        &query.order_by
    }

    /// The select item that a sort key names: by its place, or by its name.
    pub(super) fn sort_item(key: &ast::Expr, names: &[Rc<str>]) -> Option<u32> {
        let place = match key {
            ast::Expr::Value(value) => match &value.value {
                ast::Value::Number(number) => number.parse::<usize>().ok()?.checked_sub(1)?,
                _ => return None,
            },
            ast::Expr::Identifier(name) => names.iter().position(|known| **known == *name.value)?,
            _ => return None,
        };
        (place < names.len()).then(|| u32::try_from(place).ok()).flatten()
    }

    /// `ORDER BY 5` where there are fewer columns: reported.
    pub(super) fn out_of_range(&mut self, key: &ast::Expr) -> bool {
        let place = match key {
            ast::Expr::Value(value) => match &value.value {
                ast::Value::Number(number) => number.parse::<usize>().is_ok(),
                _ => false,
            },
            _ => false,
        };
        if place {
            let span = self.span(key);
            let flink = self.validation(span, "Ordinal out of range");
            self.report(Diagnostic::new(Code::OrdinalOutOfRange, span).flink(flink));
        }
        place
    }

    /// Sorts and limits what a query selects; hidden sort keys go away again.
    pub(super) fn sorted(
        &mut self,
        bound: BoundQuery,
        order: OrderKeys,
        query: &ast::Query,
        span: Span,
    ) -> BoundQuery {
        let (offset, fetch) = self.bind_limit(query);
        if order.keys.is_empty() && offset.is_none() && fetch.is_none() {
            return bound;
        }
        let names = bound.names;
        let visible = names.len();
        let sort = SortNode {
            order: order.keys,
            offset,
            fetch,
        };
        let mut node = self.builder.sort(bound.node, sort, span);
        if node.schema.len() > visible {
            node = self.without_hidden(node, visible, &names, span);
        }
        BoundQuery { node, names }
    }

    fn without_hidden(
        &mut self,
        node: Rc<LogicalNode>,
        visible: usize,
        names: &[Rc<str>],
        span: Span,
    ) -> Rc<LogicalNode> {
        let columns = (0_u32..)
            .zip(node.schema.iter())
            .take(visible)
            .map(|(at, field)| Expr::column(at, field.data_type.clone(), span))
            .gather();
        let names = super::result_names(names);
        self.builder.project_always(node, columns, &names, span)
    }

    /// OFFSET and LIMIT.
    fn bind_limit(&mut self, query: &ast::Query) -> (Option<i64>, Option<i64>) {
        let limit = query.limit.as_ref();
        let mut fetch = limit.and_then(|limit| self.row_count(limit, "LIMIT"));
        let skip = query.offset.as_ref();
        let offset = skip.and_then(|skip| self.row_count(skip, "OFFSET"));
        if let Some(quantity) = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref()) {
            fetch = self.row_count(quantity, "FETCH");
        } else if query.fetch.is_some() {
            fetch = Some(1);
        }
        (offset.filter(|offset| *offset != 0), fetch)
    }

    fn row_count(&mut self, count: &ast::Expr, clause: &str) -> Option<i64> {
        let number = match count {
            ast::Expr::Value(value) => match &value.value {
                ast::Value::Number(number) => number.parse::<i64>().ok(),
                _ => None,
            },
            _ => None,
        };
        if number.is_none() {
            let span = self.span(count);
            let written = span.text(self.text);
            let token = if written.starts_with('\'') {
                written.replace('\'', "\\'")
            } else {
                written.chars().take(1).gather()
            };
            let place = self.position(Span::new(span.start, span.start + 1));
            let flink = format!(
                "SqlParserException: SQL parse failed. Encountered \"{token}\" {}.\nWas expecting one of:\n    \"ALL\" ...\n    \
                 \"DECIMAL\" ...\n    <UNSIGNED_INTEGER_LITERAL> ...\n    <APPROX_NUMERIC_LITERAL> ...\n    \
                 <DECIMAL_NUMERIC_LITERAL> ...\n    \"?\" ...",
                place.replacen("At", "at", 1)
            );
            let diagnostic = Diagnostic::new(Code::RowCountNotConstant, span).arg("clause", clause);
            self.report(if clause == "LIMIT" {
                diagnostic.flink(flink)
            } else {
                diagnostic
            });
            self.failed = true;
        }
        number
    }

    /// Sort keys of a query that is no SELECT: only its columns can be named.
    pub(super) fn order_of_columns(&mut self, keys: &[ast::OrderByExpr], bound: &BoundQuery) -> OrderKeys {
        let mut order = OrderKeys::default();
        for key in keys {
            let span = self.span(&key.expr);
            match Self::sort_item(&key.expr, &bound.names) {
                Some(column) => order.keys.push(SortColumn {
                    column,
                    direction: direction(key.options),
                }),
                None if self.out_of_range(&key.expr) => {}
                None => self.text_not_supported(span),
            }
        }
        order
    }
}
