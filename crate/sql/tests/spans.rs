//! The span of an expression is its whole text.
#![expect(clippy::panic, reason = "a test says what is missing and stops")]

use sg_sql::ast::Statement;
use sg_sql::query::{Expr, SelectItem, SetExpr, TableFactor};
use sg_sql::{ParsedStatement, parse_script};

const EXPRESSIONS: &[&str] = &[
    "a",
    "t.a",
    "`a b`.c",
    "r.x[1].y",
    "(a)",
    "((a + b) * c)",
    "(a, b)",
    "-a",
    "NOT a",
    "a + b * c",
    "a IS NULL",
    "a IS NOT TRUE",
    "a IS NOT DISTINCT FROM b",
    "a IS NOT JSON OBJECT",
    "a IN (1, 2)",
    "a NOT IN (SELECT b FROM t)",
    "a BETWEEN 1 AND 2",
    "a BETWEEN SYMMETRIC 2 AND (1)",
    "a NOT BETWEEN SYMMETRIC 2 AND 1",
    "a LIKE 'x' ESCAPE '!'",
    "a SIMILAR TO 'x'",
    "a = ANY (SELECT b FROM t)",
    "a > ALL (SELECT b FROM t)",
    "EXISTS (SELECT 1 FROM t LIMIT 1)",
    "NOT EXISTS (SELECT 1 FROM t)",
    "(SELECT MAX(b) FROM t WHERE b < (1))",
    "CAST(a AS ROW<x INT NOT NULL, y ARRAY<STRING>>)",
    "TRY_CAST('a' AS DECIMAL(10, 2))",
    "CASE WHEN a THEN b ELSE c END",
    "CASE a WHEN 1, 2 THEN b END",
    "DATE '2024-01-01'",
    "TIMESTAMP '2024-01-01 00:00:00'",
    "TIMESTAMP WITH LOCAL TIME ZONE '2024-01-01 00:00:00'",
    "INTERVAL '1' DAY",
    "INTERVAL -'1 2:3' DAY(3) TO MINUTE",
    "INTERVAL '1.5' SECOND(2, 3)",
    "INTERVAL (a + 1) DAY",
    "(a - b) DAY TO SECOND",
    "(a - b) SECOND(3)",
    "UPPER(a)",
    "f()",
    "cat.db.f(a, (b))",
    "COUNT(*)",
    "COUNT(DISTINCT a) FILTER (WHERE b > 1)",
    "SUM(a) OVER (PARTITION BY b ORDER BY c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
    "LAG(a) IGNORE NULLS OVER w",
    "CURRENT_TIMESTAMP",
    "EXTRACT(YEAR FROM a)",
    "FLOOR(a TO HOUR)",
    "CEIL(a)",
    "POSITION('x' IN a)",
    "TRIM(BOTH 'x' FROM a)",
    "SUBSTRING(a FROM 2 FOR 3)",
    "OVERLAY(a PLACING b FROM 1)",
    "ARRAY[1, 2]",
    "MAP['a', 1]",
    "ROW(1, 'a')",
    "JSON_VALUE(a, '$.b' RETURNING INT NULL ON EMPTY DEFAULT 1 ON ERROR)",
    "JSON_QUERY(a, '$' WITH CONDITIONAL ARRAY WRAPPER NULL ON EMPTY EMPTY ARRAY ON ERROR)",
    "JSON_OBJECT(KEY 'a' VALUE b, 'c' : d ABSENT ON NULL)",
    "JSON_OBJECTAGG(a VALUE b NULL ON NULL) FILTER (WHERE c)",
    "JSON_ARRAY(a, b NULL ON NULL)",
    "(a, b) OVERLAPS (c, INTERVAL '1' DAY)",
    "U&'\\00e9'",
    "X'0aff'",
    "UNKNOWN",
    "1.5e3",
    "'a'\n'b'",
    "a || 'b'",
    "a % 2",
    "TIMESTAMPDIFF(DAY, a, b)",
    "{fn UPPER('a')}",
];

fn one(sql: &str) -> ParsedStatement {
    let mut script = parse_script(sql);
    assert!(script.diagnostics.is_empty(), "{sql}: {:?}", script.diagnostics);
    assert_eq!(script.statements.len(), 1, "{sql}");
    script.statements.remove(0)
}

fn first_item(statement: &ParsedStatement) -> Expr {
    let Ok(Statement::Query(query)) = &statement.statement else {
        panic!("not a query")
    };
    let SetExpr::Select(select) = &*query.query.body else {
        panic!("not a SELECT")
    };
    match select.projection.first() {
        Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) => expr.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn expressions_are_as_long_as_their_text() {
    for expression in EXPRESSIONS {
        for (before, behind) in [
            ("SELECT ", ""),
            ("SELECT ", " AS x, b FROM t WHERE a"),
            ("SELECT\n  ", " FROM (SELECT 1)"),
        ] {
            let sql = format!("{before}{expression}{behind}");
            let statement = one(&sql);
            let span = statement.spans.expr(&first_item(&statement));
            assert_eq!(span.text(&sql), *expression, "in {sql}");
        }
    }
}

#[test]
fn queries_end_where_their_last_clause_ends() {
    let sql =
        "INSERT INTO s (SELECT a FROM (SELECT b FROM t LIMIT 1) AS u ORDER BY a) ON CONFLICT DO NOTHING";
    let statement = one(sql);
    let Ok(Statement::Insert(insert)) = &statement.statement else {
        panic!()
    };
    assert_eq!(
        insert.query.span.text(sql),
        "(SELECT a FROM (SELECT b FROM t LIMIT 1) AS u ORDER BY a)"
    );
    let SetExpr::Query(inner) = &*insert.query.query.body else {
        panic!()
    };
    assert_eq!(
        statement.spans.query(inner).text(sql),
        "SELECT a FROM (SELECT b FROM t LIMIT 1) AS u ORDER BY a"
    );
    let SetExpr::Select(select) = &*inner.body else {
        panic!()
    };
    assert_eq!(
        statement.spans.select(select).text(sql),
        "SELECT a FROM (SELECT b FROM t LIMIT 1) AS u"
    );
    let factor = &select.from[0].relation;
    assert_eq!(
        statement.spans.table_factor(factor).text(sql),
        "(SELECT b FROM t LIMIT 1) AS u"
    );
    let TableFactor::Derived { subquery, .. } = factor else {
        panic!()
    };
    assert_eq!(
        statement.spans.query(subquery).text(sql),
        "SELECT b FROM t LIMIT 1"
    );
}

#[test]
fn sides_of_a_set_operation_have_spans() {
    let sql = "WITH c AS (SELECT 1) SELECT a FROM t UNION ALL (VALUES (1), (2)) LIMIT 3";
    let statement = one(sql);
    let Ok(Statement::Query(query)) = &statement.statement else {
        panic!()
    };
    assert_eq!(statement.spans.query(&query.query).text(sql), sql);
    let SetExpr::SetOperation { left, right, .. } = &*query.query.body else {
        panic!()
    };
    assert_eq!(statement.spans.set_expr(left).text(sql), "SELECT a FROM t");
    assert_eq!(statement.spans.set_expr(right).text(sql), "(VALUES (1), (2))");
}

#[test]
fn window_functions_and_their_arguments_have_spans() {
    let sql = "SELECT * FROM TABLE(TUMBLE(DATA => TABLE a.t PARTITION BY (k, l), TIMECOL => DESCRIPTOR(ts), SIZE => \
               INTERVAL '1' MINUTE)) AS w (x, y) JOIN LATERAL TABLE(f(x)) AS u(a) ON TRUE";
    let statement = one(sql);
    let Ok(Statement::Query(query)) = &statement.statement else {
        panic!()
    };
    let SetExpr::Select(select) = &*query.query.body else {
        panic!()
    };
    let from = &select.from[0];
    let window = statement.spans.table_factor(&from.relation).text(sql);
    assert!(
        window.starts_with("TABLE(TUMBLE(") && window.ends_with(")) AS w (x, y)"),
        "{window}"
    );
    assert_eq!(
        statement.spans.table_factor(&from.joins[0].relation).text(sql),
        "LATERAL TABLE(f(x)) AS u(a)"
    );
}
