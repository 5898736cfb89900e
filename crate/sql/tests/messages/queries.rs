//! SELECT and everything in it.

use insta::assert_snapshot;

use crate::said;

#[test]
fn commas() {
    assert_snapshot!(said("SELECT a, FROM t"), @"
    1:9 error[trailing-comma] After the comma something has to follow, and `FROM` ends the list.
      SELECT a, FROM t
              ^
    1:9 错误[trailing-comma] 逗号之后还应有内容，而 `FROM` 结束了列表。
      fix: Remove `,` | 删除 `,`
      = SELECT a FROM t
    ");
    assert_snapshot!(said("SELECT a b c FROM t"), @"
    1:12 error[missing-comma] `c` follows `b` without a comma or an operator between them.
      SELECT a b c FROM t
                 ^
    1:12 错误[missing-comma] `b` 与 `c` 之间缺少逗号或运算符。
    ");
    assert_snapshot!(said("SELECT COUNT(a,) FROM t"), @"
    1:15 error[trailing-comma] After the comma something has to follow, and `)` ends the list.
      SELECT COUNT(a,) FROM t
                    ^
    1:15 错误[trailing-comma] 逗号之后还应有内容，而 `)` 结束了列表。
      fix: Remove `,` | 删除 `,`
      = SELECT COUNT(a) FROM t
    ");
}

#[test]
fn reserved_words() {
    assert_snapshot!(said("SELECT value FROM t"), @"
    1:8 error[reserved-word] `value` is a reserved word and no name.
      SELECT value FROM t
             ^^^^^
      → In backquotes it can be a name.
    1:8 错误[reserved-word] `value` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = SELECT `value` FROM t
    ");
    assert_snapshot!(said("SELECT a AS user FROM t"), @"
    1:13 error[reserved-word] `user` is a reserved word and no name.
      SELECT a AS user FROM t
                  ^^^^
      → In backquotes it can be a name.
    1:13 错误[reserved-word] `user` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = SELECT a AS `user` FROM t
    ");
    assert_snapshot!(said("SELECT t.date FROM t"), @"
    1:10 error[reserved-word] `date` is a reserved word and no name.
      SELECT t.date FROM t
               ^^^^
      → In backquotes it can be a name.
    1:10 错误[reserved-word] `date` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = SELECT t.`date` FROM t
    ");
    assert_snapshot!(said("SELECT a FROM order"), @"
    1:15 error[reserved-word] `order` is a reserved word and no name.
      SELECT a FROM order
                    ^^^^^
      → In backquotes it can be a name.
    1:15 错误[reserved-word] `order` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = SELECT a FROM `order`
    ");
    assert_snapshot!(said("SELECT a timestamp FROM t"), @"
    1:10 error[reserved-word] `timestamp` is a reserved word and no name.
      SELECT a timestamp FROM t
               ^^^^^^^^^
      → In backquotes it can be a name.
    1:10 错误[reserved-word] `timestamp` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = SELECT a `timestamp` FROM t
    ");
}

#[test]
#[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
fn missing_pieces() {
    assert_snapshot!(said("SELECT a FROM t WHERE"), @"
    1:17 error[unexpected-end] The statement ends where an expression is expected.
      SELECT a FROM t WHERE
                      ^^^^^
    1:17 错误[unexpected-end] 语句提前结束，此处还应有表达式。
    ");
    assert_snapshot!(said("SELECT a FROM"), @"
    1:10 error[unexpected-end] The statement ends where a name is expected.
      SELECT a FROM
               ^^^^
    1:10 错误[unexpected-end] 语句提前结束，此处还应有名称。
    ");
    assert_snapshot!(said("SELECT FROM t"), @"
    1:8 error[syntax-error] `FROM` stands where an expression is expected.
      SELECT FROM t
             ^^^^
    1:8 错误[syntax-error] `FROM` 处应为表达式。
    ");
    assert_snapshot!(said("SELECT a FROM t GROUP a"), @"
    1:23 error[syntax-error] `a` stands where `BY` is expected.
      SELECT a FROM t GROUP a
                            ^
    1:23 错误[syntax-error] `a` 处应为 `BY`。
      fix: Add `BY` | 添加 `BY`
      = SELECT a FROM t GROUP BY a
    ");
    assert_snapshot!(said("SELECT a FROM t ORDER BY"), @"
    1:23 error[unexpected-end] The statement ends where an expression is expected.
      SELECT a FROM t ORDER BY
                            ^^
    1:23 错误[unexpected-end] 语句提前结束，此处还应有表达式。
    ");
    assert_snapshot!(said("SELECT id FRM t"), @"
    1:11 error[misspelt-clause] `FRM` is read as an alias here, and `t` cannot follow it.
      SELECT id FRM t
                ^^^
      → Did you mean `FROM`?
    1:11 错误[misspelt-clause] `FRM` 在此处被当作别名，其后不能是 `t`。
      → 是否想写 `FROM`？
      fix: Write `FROM` | 改为 `FROM`
      = SELECT id FROM t
    ");
    assert_snapshot!(said("SELECT CASE WHEN a THEN 1 FROM t"), @"
    1:27 error[syntax-error] `FROM` stands where `WHEN`, `ELSE` or `END` is expected.
      SELECT CASE WHEN a THEN 1 FROM t
                                ^^^^
    1:27 错误[syntax-error] `FROM` 处应为 `WHEN`、`ELSE` 或 `END`。
    ");
    assert_snapshot!(said("SELECT CAST(a INT) FROM t"), @"
    1:15 error[syntax-error] `INT` stands where `AS` is expected.
      SELECT CAST(a INT) FROM t
                    ^^^
    1:15 错误[syntax-error] `INT` 处应为 `AS`。
    ");
    assert_snapshot!(said("SELECT CAST(a AS) FROM t"), @"
    1:17 error[syntax-error] `)` stands where a type is expected.
      SELECT CAST(a AS) FROM t
                      ^
    1:17 错误[syntax-error] `)` 处应为类型。
    ");
    assert_snapshot!(said("SELECT a FROM t WHERE a IN ()"), @"
    1:29 error[syntax-error] `)` stands where an expression is expected.
      SELECT a FROM t WHERE a IN ()
                                  ^
    1:29 错误[syntax-error] `)` 处应为表达式。
    ");
    assert_snapshot!(said("SELECT a BETWEEN 1 FROM t"), @"
    1:20 error[syntax-error] `FROM` stands where `AND` is expected.
      SELECT a BETWEEN 1 FROM t
                         ^^^^
    1:20 错误[syntax-error] `FROM` 处应为 `AND`。
    ");
    assert_snapshot!(said("SELECT a NOT 1 FROM t"), @"
    1:10 error[unexpected-token] `NOT` cannot stand here.
      SELECT a NOT 1 FROM t
               ^^^
    1:10 错误[unexpected-token] 此处不能出现 `NOT`。
    ");
    assert_snapshot!(said("SELECT COUNT(* FROM t"), @"
    1:13 error[unclosed-parenthesis] `(` is never closed.
      SELECT COUNT(* FROM t
                  ^
    1:13 错误[unclosed-parenthesis] `(` 没有闭合。
      fix: Add `)` | 添加 `)`
      = SELECT COUNT(*) FROM t
    ");
    assert_snapshot!(said("SELECT EXTRACT(YEAR a) FROM t"), @"
    1:21 error[syntax-error] `a` stands where `FROM` is expected.
      SELECT EXTRACT(YEAR a) FROM t
                          ^
    1:21 错误[syntax-error] `a` 处应为 `FROM`。
    ");
}

#[test]
fn joins() {
    assert_snapshot!(said("SELECT * FROM a JOIN b"), @"
    1:17 error[join-needs-condition] A join needs a condition: ON, USING or NATURAL.
      SELECT * FROM a JOIN b
                      ^^^^^^
      → For every pair of rows write CROSS JOIN.
    1:17 错误[join-needs-condition] 连接需要条件：ON、USING 或 NATURAL。
      → 若要所有行两两组合，请写 CROSS JOIN。
    ");
    assert_snapshot!(said("SELECT * FROM a LEFT SEMI JOIN b ON a.x = b.x"), @"
    1:27 error[semi-join-syntax] Flink SQL has no SEMI JOIN.
      SELECT * FROM a LEFT SEMI JOIN b ON a.x = b.x
                                ^^^^
      → Use IN or EXISTS, with NOT for an anti join.
    1:27 错误[semi-join-syntax] Flink SQL 中没有 SEMI JOIN。
      → 请使用 IN 或 EXISTS；反连接加上 NOT。
    ");
    assert_snapshot!(said("SELECT * FROM a, LATERAL f(x)"), @"
    1:26 error[lateral-without-table] A function in FROM stands in TABLE( … ) after LATERAL.
      SELECT * FROM a, LATERAL f(x)
                               ^
      → Write `LATERAL TABLE(f(x))`.
    1:26 错误[lateral-without-table] FROM 中 LATERAL 之后的函数要写在 TABLE( … ) 中。
      → 写作 `LATERAL TABLE(f(x))`。
    ");
    assert_snapshot!(said("SELECT * FROM a CROSS b"), @"
    1:23 error[syntax-error] `b` stands where `JOIN` is expected.
      SELECT * FROM a CROSS b
                            ^
    1:23 错误[syntax-error] `b` 处应为 `JOIN`。
    ");
    assert_snapshot!(said("SELECT * FROM a JOIN b ON"), @"
    1:24 error[unexpected-end] The statement ends where an expression is expected.
      SELECT * FROM a JOIN b ON
                             ^^
    1:24 错误[unexpected-end] 语句提前结束，此处还应有表达式。
    ");
}

#[test]
fn limits() {
    assert_snapshot!(said("SELECT a FROM t LIMIT 2, 5"), @"
    1:23 error[limit-comma] `LIMIT a, b` is not Flink SQL.
      SELECT a FROM t LIMIT 2, 5
                            ^^^^
      → Write `LIMIT b OFFSET a`.
    1:23 错误[limit-comma] Flink SQL 中没有 `LIMIT a, b`。
      → 写作 `LIMIT b OFFSET a`。
      fix: Write `5 OFFSET 2` | 改为 `5 OFFSET 2`
      = SELECT a FROM t LIMIT 5 OFFSET 2
    ");
    assert_snapshot!(said("SELECT a FROM t LIMIT"), @"
    1:17 error[unexpected-end] The statement ends where an expression is expected.
      SELECT a FROM t LIMIT
                      ^^^^^
    1:17 错误[unexpected-end] 语句提前结束，此处还应有表达式。
    ");
    assert_snapshot!(said("SELECT 1 MINUS SELECT 2"), @"
    1:10 error[minus-set-operator] Flink SQL has no MINUS.
      SELECT 1 MINUS SELECT 2
               ^^^^^
      → EXCEPT does the same.
    1:10 错误[minus-set-operator] Flink SQL 中没有 MINUS。
      → EXCEPT 的作用相同。
      fix: Write `EXCEPT` | 改为 `EXCEPT`
      = SELECT 1 EXCEPT SELECT 2
    ");
}

#[test]
fn other_databases() {
    assert_snapshot!(said("SELECT DISTINCT ON (a) a FROM t"), @"
    1:17 error[not-flink-syntax] DISTINCT ON is not part of Flink SQL.
      SELECT DISTINCT ON (a) a FROM t
                      ^^
    1:17 错误[not-flink-syntax] Flink SQL 中没有 DISTINCT ON。
    ");
    assert_snapshot!(said("SELECT TOP 5 a FROM t"), @"
    1:8 error[not-flink-syntax] TOP is not part of Flink SQL.
      SELECT TOP 5 a FROM t
             ^^^
    1:8 错误[not-flink-syntax] Flink SQL 中没有 TOP。
    ");
    assert_snapshot!(said("SELECT a FROM t GROUP BY ALL"), @"
    1:17 error[not-flink-syntax] GROUP BY ALL is not part of Flink SQL.
      SELECT a FROM t GROUP BY ALL
                      ^^^^^
    1:17 错误[not-flink-syntax] Flink SQL 中没有 GROUP BY ALL。
    ");
    assert_snapshot!(said("SELECT * EXCEPT (a) FROM t"), @"
    1:10 error[not-flink-syntax] * EXCEPT ( … ) is not part of Flink SQL.
      SELECT * EXCEPT (a) FROM t
               ^^^^^^
    1:10 错误[not-flink-syntax] Flink SQL 中没有 * EXCEPT ( … )。
    ");
    assert_snapshot!(said("SELECT a FROM t ORDER BY ALL"), @"
    1:26 error[syntax-error] `ALL` stands where an expression is expected.
      SELECT a FROM t ORDER BY ALL
                               ^^^
    1:26 错误[syntax-error] `ALL` 处应为表达式。
    ");
    assert_snapshot!(said("SELECT a[1:2] FROM t"), @"
    1:10 error[not-flink-syntax] A slice `[a:b]` is not part of Flink SQL.
      SELECT a[1:2] FROM t
               ^
    1:10 错误[not-flink-syntax] Flink SQL 中没有 A slice `[a:b]`。
    ");
    assert_snapshot!(said("SELECT a AT TIME ZONE 'UTC' FROM t"), @"
    1:8 error[not-flink-syntax] AT TIME ZONE is not part of Flink SQL.
      SELECT a AT TIME ZONE 'UTC' FROM t
             ^^^^^^^^^^^^^^^^^^^^
    1:8 错误[not-flink-syntax] Flink SQL 中没有 AT TIME ZONE。
    ");
    assert_snapshot!(said("SELECT a FROM t FOR UPDATE"), @"
    1:17 error[not-flink-syntax] FOR UPDATE, SHARE, XML or JSON is not part of Flink SQL.
      SELECT a FROM t FOR UPDATE
                      ^^^
    1:17 错误[not-flink-syntax] Flink SQL 中没有 FOR UPDATE, SHARE, XML or JSON。
    ");
    assert_snapshot!(said("SELECT LISTAGG(a LIMIT 1) FROM t"), @"
    1:8 error[not-flink-syntax] LIMIT inside the parentheses is not part of Flink SQL.
      SELECT LISTAGG(a LIMIT 1) FROM t
             ^^^^^^^
    1:8 错误[not-flink-syntax] Flink SQL 中没有 LIMIT inside the parentheses。
    ");
}

#[test]
fn intervals() {
    assert_snapshot!(said("SELECT a + INTERVAL '5' FROM t"), @"
    1:21 error[interval-without-unit] The interval `'5'` has no unit.
      SELECT a + INTERVAL '5' FROM t
                          ^^^
      → Write the unit behind the quotes: `INTERVAL '5' MINUTE`.
    1:21 错误[interval-without-unit] 时间间隔 `'5'` 缺少单位。
      → 单位写在引号之后：`INTERVAL '5' MINUTE`。
    ");
    assert_snapshot!(said("SELECT a + INTERVAL '5' FORTNIGHT FROM t"), @"
    1:21 error[interval-without-unit] The interval `'5'` has no unit.
      SELECT a + INTERVAL '5' FORTNIGHT FROM t
                          ^^^
      → Write the unit behind the quotes: `INTERVAL '5' MINUTE`.
    1:21 错误[interval-without-unit] 时间间隔 `'5'` 缺少单位。
      → 单位写在引号之后：`INTERVAL '5' MINUTE`。
    ");
}

#[test]
fn windows() {
    assert_snapshot!(said("SELECT * FROM TABLE(TUMBLE(TABLE t DESCRIPTOR(ts), INTERVAL '1' MINUTE))"), @"
    1:36 error[syntax-error] `DESCRIPTOR` stands where `)` is expected.
      SELECT * FROM TABLE(TUMBLE(TABLE t DESCRIPTOR(ts), INTERVAL '1' MINUTE))
                                         ^^^^^^^^^^
    1:36 错误[syntax-error] `DESCRIPTOR` 处应为 `)`。
    ");
    assert_snapshot!(said("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"), @"
    1:20 error[unclosed-parenthesis] `(` is never closed.
      SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
                         ^
    1:20 错误[unclosed-parenthesis] `(` 没有闭合。
      fix: Add `)` | 添加 `)`
      = SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
    ");
    assert_snapshot!(said("SELECT * FROM TABLE(TUMBLE(TABLE, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"), @"
    1:28 error[syntax-error] `TABLE` stands where an expression is expected.
      SELECT * FROM TABLE(TUMBLE(TABLE, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
                                 ^^^^^
    1:28 错误[syntax-error] `TABLE` 处应为表达式。
    ");
    assert_snapshot!(said("SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(), INTERVAL '1' MINUTE))"), @"
    1:48 error[syntax-error] `)` stands where a name is expected.
      SELECT * FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(), INTERVAL '1' MINUTE))
                                                     ^
    1:48 错误[syntax-error] `)` 处应为名称。
    ");
    assert_snapshot!(said("SELECT * FROM TABLE t"), @"
    1:21 error[syntax-error] `t` stands where `(` is expected.
      SELECT * FROM TABLE t
                          ^
    1:21 错误[syntax-error] `t` 处应为 `(`。
    ");
    assert_snapshot!(said("SELECT SUM(a) OVER (ORDER BY b ROWS 1) FROM t"), @"
    1:38 error[syntax-error] `)` stands where `PRECEDING` or `FOLLOWING` is expected.
      SELECT SUM(a) OVER (ORDER BY b ROWS 1) FROM t
                                           ^
    1:38 错误[syntax-error] `)` 处应为 `PRECEDING` 或 `FOLLOWING`。
    ");
}

#[test]
fn hints() {
    assert_snapshot!(said("SELECT /*+ STATE_TTL('a' = 1) */ a FROM t"), @"
    1:28 error[hint-malformed] A hint reads `NAME('key' = 'value')` or `NAME(table)`.
      SELECT /*+ STATE_TTL('a' = 1) */ a FROM t
                                 ^
    1:28 错误[hint-malformed] 提示的写法是 `NAME('key' = 'value')` 或 `NAME(table)`。
    ");
    assert_snapshot!(said("SELECT a /*+ OPTIONS('a' = 'b') */ + 1 FROM t"), @"
    1:14 error[hint-misplaced] A hint stands after SELECT or after a table name, not here.
      SELECT a /*+ OPTIONS('a' = 'b') */ + 1 FROM t
                   ^^^^^^^^^^^^^^^^^^
    1:14 错误[hint-misplaced] 提示写在 SELECT 或表名之后，不能写在此处。
    ");
    assert_snapshot!(said("SELECT a FROM t WHERE /*+ X */ a"), @"
    1:23 error[hint-misplaced] A hint stands after SELECT or after a table name, not here.
      SELECT a FROM t WHERE /*+ X */ a
                            ^^^^^^^^
    1:23 错误[hint-misplaced] 提示写在 SELECT 或表名之后，不能写在此处。
    ");
}

#[test]
fn match_recognize() {
    assert_snapshot!(said("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.x AS y PATTERN (A B DEFINE A AS TRUE) AS m"), @"
    1:33 error[unclosed-parenthesis] `(` is never closed.
      SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts MEASURES A.x AS y PATTERN (A B DEFINE A AS TRUE) AS m
                                      ^
    1:33 错误[unclosed-parenthesis] `(` 没有闭合。
    ");
    assert_snapshot!(said("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A) SUBSET U (A) DEFINE A AS TRUE)"), @"
    1:67 error[subset-malformed] A SUBSET reads `SUBSET name = (symbol, symbol)`.
      SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A) SUBSET U (A) DEFINE A AS TRUE)
                                                                        ^
    1:67 错误[subset-malformed] SUBSET 的写法是 `SUBSET name = (symbol, symbol)`。
    ");
    assert_snapshot!(said("SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A) WITHIN DEFINE A AS TRUE)"), @"
    1:65 error[syntax-error] `DEFINE` stands where an expression is expected.
      SELECT * FROM t MATCH_RECOGNIZE (ORDER BY ts PATTERN (A) WITHIN DEFINE A AS TRUE)
                                                                      ^^^^^^
    1:65 错误[syntax-error] `DEFINE` 处应为表达式。
    ");
}

#[test]
fn too_deep() {
    assert_snapshot!(said("SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))"), @"
    1:55 error[nesting-too-deep] The statement nests too deep here: more than 48 levels, where a call counts as two and a sub-query as four.
      SELECT ((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))
                                                            ^
      → Give an inner query a name with WITH or CREATE VIEW.
    1:55 错误[nesting-too-deep] 语句在此处嵌套过深：超过 48 层，其中函数调用计两层，子查询计四层。
      → 可用 WITH 或 CREATE VIEW 为内层查询命名。
    ");
}

#[test]
fn a_misspelt_clause_is_read_as_an_alias() {
    assert_snapshot!(said("SELECT a FROM t WERE a > 1"), @"
    1:17 error[misspelt-clause] `WERE` is read as an alias here, and `a` cannot follow it.
      SELECT a FROM t WERE a > 1
                      ^^^^
      → Did you mean `WHERE`?
    1:17 错误[misspelt-clause] `WERE` 在此处被当作别名，其后不能是 `a`。
      → 是否想写 `WHERE`？
      fix: Write `WHERE` | 改为 `WHERE`
      = SELECT a FROM t WHERE a > 1
    ");
}
