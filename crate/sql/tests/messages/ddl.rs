//! CREATE, ALTER, DROP.

use insta::assert_snapshot;

use crate::said;

#[test]
fn reserved_words() {
    assert_snapshot!(said("CREATE TABLE t (id INT, timestamp TIMESTAMP(3))"), @"
    1:25 error[reserved-word] `timestamp` is a reserved word and no name.
      CREATE TABLE t (id INT, timestamp TIMESTAMP(3))
                              ^^^^^^^^^
      → In backquotes it can be a name.
    1:25 错误[reserved-word] `timestamp` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = CREATE TABLE t (id INT, `timestamp` TIMESTAMP(3))
    ");
    assert_snapshot!(said("CREATE TABLE user (id INT)"), @"
    1:14 error[reserved-word] `user` is a reserved word and no name.
      CREATE TABLE user (id INT)
                   ^^^^
      → In backquotes it can be a name.
    1:14 错误[reserved-word] `user` 是保留字，不能直接用作名称。
      → 加上反引号后即可用作名称。
      fix: Put it in backquotes | 加上反引号
      = CREATE TABLE `user` (id INT)
    ");
}

#[test]
fn columns() {
    assert_snapshot!(said("CREATE TABLE t (id INT name STRING)"), @"
    1:24 error[syntax-error] `name` stands where `,` or `)` is expected.
      CREATE TABLE t (id INT name STRING)
                             ^^^^
    1:24 错误[syntax-error] `name` 处应为 `,` 或 `)`。
      fix: Add `,` | 添加 `,`
      = CREATE TABLE t (id INT, name STRING)
    ");
    assert_snapshot!(said("CREATE TABLE t (id)"), @"
    1:17 error[column-needs-type] Column `id` has no type.
      CREATE TABLE t (id)
                      ^^
    1:17 错误[column-needs-type] 列 `id` 没有类型。
    ");
    assert_snapshot!(said("CREATE TABLE t (id INT,)"), @"
    1:23 error[trailing-comma] After the comma something has to follow, and `)` ends the list.
      CREATE TABLE t (id INT,)
                            ^
    1:23 错误[trailing-comma] 逗号之后还应有内容，而 `)` 结束了列表。
      fix: Remove `,` | 删除 `,`
      = CREATE TABLE t (id INT)
    ");
    assert_snapshot!(said("CREATE TABLE t (id INT DEFAULT 1)"), @"
    1:24 error[column-default] Columns have no DEFAULT in Flink.
      CREATE TABLE t (id INT DEFAULT 1)
                             ^^^^^^^
      → Leave the column out of an INSERT and it is NULL; for a value of its own use a computed column.
    1:24 错误[column-default] Flink 的列没有 DEFAULT。
      → INSERT 中省略的列为 NULL；若需固定值，请使用计算列。
    ");
    assert_snapshot!(said("CREATE TABLE t (id INT METADATA FROM k)"), @"
    1:38 error[syntax-error] `k` stands where a quoted string is expected.
      CREATE TABLE t (id INT METADATA FROM k)
                                           ^
    1:38 错误[syntax-error] `k` 处应为带引号的字符串。
    ");
    assert_snapshot!(said("CREATE TABLE t (id INT"), @"
    1:16 error[unclosed-parenthesis] `(` is never closed.
      CREATE TABLE t (id INT
                     ^
    1:16 错误[unclosed-parenthesis] `(` 没有闭合。
      fix: Add `)` | 添加 `)`
      = CREATE TABLE t (id INT)
    ");
    assert_snapshot!(said("CREATE TABLE t id INT"), @"
    1:16 error[unexpected-token] `id` cannot stand here.
      CREATE TABLE t id INT
                     ^^
    1:16 错误[unexpected-token] 此处不能出现 `id`。
    ");
}

#[test]
fn types() {
    assert_snapshot!(said("CREATE TABLE t (a REAL)"), @"
    1:19 error[type-not-in-flink] Flink has no type REAL.
      CREATE TABLE t (a REAL)
                        ^^^^
    1:19 错误[type-not-in-flink] Flink 没有 REAL 类型。
    ");
    assert_snapshot!(said("CREATE TABLE t (a TIMESTAMP(3) WITH TIME ZONE)"), @"
    1:32 error[type-not-in-flink] Flink has no type TIMESTAMP WITH TIME ZONE.
      CREATE TABLE t (a TIMESTAMP(3) WITH TIME ZONE)
                                     ^^^^^^^^^^^^^^
    1:32 错误[type-not-in-flink] Flink 没有 TIMESTAMP WITH TIME ZONE 类型。
      fix: Write `WITH LOCAL TIME ZONE` | 改为 `WITH LOCAL TIME ZONE`
      = CREATE TABLE t (a TIMESTAMP(3) WITH LOCAL TIME ZONE)
    ");
    assert_snapshot!(said("CREATE TABLE t (a ROW<INT, STRING>)"), @"
    1:23 error[type-needs-field-names] The fields of a ROW type have names: `ROW<name type, …>`.
      CREATE TABLE t (a ROW<INT, STRING>)
                            ^^^
    1:23 错误[type-needs-field-names] ROW 类型的字段要有名称：`ROW<name type, …>`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a ARRAY<INT)"), @"
    1:28 error[syntax-error] `)` stands where `>` is expected.
      CREATE TABLE t (a ARRAY<INT)
                                 ^
    1:28 错误[syntax-error] `)` 处应为 `>`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a DECIMAL(x))"), @"
    1:27 error[syntax-error] `x` stands where a whole number is expected.
      CREATE TABLE t (a DECIMAL(x))
                                ^
    1:27 错误[syntax-error] `x` 处应为整数。
    ");
    assert_snapshot!(said("CREATE TABLE t (a MAP<INT>)"), @"
    1:26 error[syntax-error] `>` stands where `,` is expected.
      CREATE TABLE t (a MAP<INT>)
                               ^
    1:26 错误[syntax-error] `>` 处应为 `,`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a DECIMAL(99999999999))"), @"
    1:27 error[number-too-large] 99999999999 is too large a number here.
      CREATE TABLE t (a DECIMAL(99999999999))
                                ^^^^^^^^^^^
    1:27 错误[number-too-large] 此处的数字 99999999999 过大。
    ");
}

#[test]
fn keys_and_watermarks() {
    assert_snapshot!(said("CREATE TABLE t (a INT, PRIMARY KEY (a))"), @"
    1:24 error[primary-key-enforced] A primary key is declared NOT ENFORCED: Flink does not own the data and cannot enforce it.
      CREATE TABLE t (a INT, PRIMARY KEY (a))
                             ^^^^^^^^^^^^^^^
    1:24 错误[primary-key-enforced] 主键必须声明为 NOT ENFORCED：Flink 不拥有数据，无法强制约束。
      fix: Add `NOT ENFORCED` | 添加 `NOT ENFORCED`
      = CREATE TABLE t (a INT, PRIMARY KEY (a) NOT ENFORCED)
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT UNIQUE)"), @"
    1:23 error[unique-not-supported] Flink has no UNIQUE constraint.
      CREATE TABLE t (a INT UNIQUE)
                            ^^^^^^
      → Declare a PRIMARY KEY … NOT ENFORCED.
    1:23 错误[unique-not-supported] Flink 不支持 UNIQUE 约束。
      → 请声明 PRIMARY KEY … NOT ENFORCED。
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, PRIMARY KEY (a) NOT ENFORCED)"), @"
    1:49 error[second-primary-key] The table has a primary key already.
      CREATE TABLE t (a INT PRIMARY KEY NOT ENFORCED, PRIMARY KEY (a) NOT ENFORCED)
                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      1:23 first here
    1:49 错误[second-primary-key] 该表已有主键。
    ");
    assert_snapshot!(said("CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR a AS a, WATERMARK FOR a AS a)"), @"
    1:55 error[second-watermark] The table declares a watermark already; it can have one.
      CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR a AS a, WATERMARK FOR a AS a)
                                                            ^^^^^^^^^^^^^^^^^^^^
      1:33 first here
    1:55 错误[second-watermark] 该表已声明水位线，只能有一个。
    ");
    assert_snapshot!(said("CREATE TABLE t (a TIMESTAMP(3), WATERMARK a AS a)"), @"
    1:43 error[syntax-error] `a` stands where `FOR` is expected.
      CREATE TABLE t (a TIMESTAMP(3), WATERMARK a AS a)
                                                ^
    1:43 错误[syntax-error] `a` 处应为 `FOR`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR a AS a - INTERVAL '5')"), @"
    1:65 error[interval-without-unit] The interval `'5'` has no unit.
      CREATE TABLE t (a TIMESTAMP(3), WATERMARK FOR a AS a - INTERVAL '5')
                                                                      ^^^
      → Write the unit behind the quotes: `INTERVAL '5' MINUTE`.
    1:65 错误[interval-without-unit] 时间间隔 `'5'` 缺少单位。
      → 单位写在引号之后：`INTERVAL '5' MINUTE`。
    ");
}

#[test]
fn options() {
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH (connector = 'x')"), @"
    1:30 error[unquoted-option] Options are quoted strings; `connector` is not.
      CREATE TABLE t (a INT) WITH (connector = 'x')
                                   ^^^^^^^^^
      → Put it in single quotes.
    1:30 错误[unquoted-option] 选项要写成带引号的字符串，`connector` 不是。
      → 请加上单引号。
      fix: Write `'connector'` | 改为 `'connector'`
      = CREATE TABLE t (a INT) WITH ('connector' = 'x')
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH ('connector' 'x')"), @"
    1:42 error[syntax-error] `'x'` stands where `=` is expected.
      CREATE TABLE t (a INT) WITH ('connector' 'x')
                                               ^^^
    1:42 错误[syntax-error] `'x'` 处应为 `=`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH ('a' = 5)"), @"
    1:36 error[unquoted-option] Options are quoted strings; `5` is not.
      CREATE TABLE t (a INT) WITH ('a' = 5)
                                         ^
      → Put it in single quotes.
    1:36 错误[unquoted-option] 选项要写成带引号的字符串，`5` 不是。
      → 请加上单引号。
      fix: Write `'5'` | 改为 `'5'`
      = CREATE TABLE t (a INT) WITH ('a' = '5')
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH ('a' = 'b',)"), @"
    1:39 error[trailing-comma] After the comma something has to follow, and `)` ends the list.
      CREATE TABLE t (a INT) WITH ('a' = 'b',)
                                            ^
    1:39 错误[trailing-comma] 逗号之后还应有内容，而 `)` 结束了列表。
      fix: Remove `,` | 删除 `,`
      = CREATE TABLE t (a INT) WITH ('a' = 'b')
    ");
}

#[test]
fn clauses() {
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH ('a' = 'b') COMMENT 'c'"), @"
    1:41 error[clause-order] COMMENT stands behind WITH, in Flink it comes first.
      CREATE TABLE t (a INT) WITH ('a' = 'b') COMMENT 'c'
                                              ^^^^^^^
    1:41 错误[clause-order] COMMENT 写在了 WITH 之后，在 Flink 中应在其之前。
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) WITH ('a' = 'b') WITH ('a' = 'b')"), @"
    1:41 error[duplicate-clause] WITH stands here a second time.
      CREATE TABLE t (a INT) WITH ('a' = 'b') WITH ('a' = 'b')
                                              ^^^^
    1:41 错误[duplicate-clause] 此处重复出现 WITH。
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) LIKE u (INCLUDING EVERYTHING)"), @"
    1:42 error[syntax-error] `EVERYTHING` stands where `ALL`, `CONSTRAINTS`, `DISTRIBUTION`, `GENERATED`, `METADATA`, `OPTIONS`, `PARTITIONS` or `WATERMARKS` is expected.
      CREATE TABLE t (a INT) LIKE u (INCLUDING EVERYTHING)
                                               ^^^^^^^^^^
    1:42 错误[syntax-error] `EVERYTHING` 处应为 `ALL`、`CONSTRAINTS`、`DISTRIBUTION`、`GENERATED`、`METADATA`、`OPTIONS`、`PARTITIONS` 或 `WATERMARKS`。
    ");
    assert_snapshot!(said("CREATE TABLE t (a INT) PARTITIONED (a)"), @"
    1:36 error[syntax-error] `(` stands where `BY` is expected.
      CREATE TABLE t (a INT) PARTITIONED (a)
                                         ^
    1:36 错误[syntax-error] `(` 处应为 `BY`。
    ");
}

#[test]
fn views() {
    assert_snapshot!(said("CREATE VIEW v (a, b SELECT 1"), @"
    1:15 error[unclosed-parenthesis] `(` is never closed.
      CREATE VIEW v (a, b SELECT 1
                    ^
    1:15 错误[unclosed-parenthesis] `(` 没有闭合。
    ");
    assert_snapshot!(said("CREATE VIEW v SELECT 1"), @"
    1:15 error[syntax-error] `SELECT` stands where `AS` is expected.
      CREATE VIEW v SELECT 1
                    ^^^^^^
    1:15 错误[syntax-error] `SELECT` 处应为 `AS`。
    ");
    assert_snapshot!(said("CREATE VIEW v AS"), @"
    1:15 error[unexpected-end] The statement ends where a query is expected.
      CREATE VIEW v AS
                    ^^
    1:15 错误[unexpected-end] 语句提前结束，此处还应有查询。
    ");
    assert_snapshot!(said("CREATE SOMETHING x"), @"
    1:8 error[syntax-error] `SOMETHING` stands where `TABLE`, `VIEW`, `DATABASE` or `FUNCTION` is expected.
      CREATE SOMETHING x
             ^^^^^^^^^
    1:8 错误[syntax-error] `SOMETHING` 处应为 `TABLE`、`VIEW`、`DATABASE` 或 `FUNCTION`。
    ");
}

#[test]
fn alter_and_drop() {
    assert_snapshot!(said("ALTER TABLE t FOO"), @"
    1:15 error[syntax-error] `FOO` stands where `ADD`, `MODIFY`, `DROP`, `RENAME`, `SET` or `RESET` is expected.
      ALTER TABLE t FOO
                    ^^^
    1:15 错误[syntax-error] `FOO` 处应为 `ADD`、`MODIFY`、`DROP`、`RENAME`、`SET` 或 `RESET`。
    ");
    assert_snapshot!(said("ALTER TABLE t DROP PARTITION (a)"), @"
    1:32 error[syntax-error] `)` stands where `=` is expected.
      ALTER TABLE t DROP PARTITION (a)
                                     ^
    1:32 错误[syntax-error] `)` 处应为 `=`。
    ");
    assert_snapshot!(said("ALTER VIEW v SET ('a' = 'b')"), @"
    1:14 error[syntax-error] `SET` stands where `RENAME TO` or `AS` is expected.
      ALTER VIEW v SET ('a' = 'b')
                   ^^^
    1:14 错误[syntax-error] `SET` 处应为 `RENAME TO` 或 `AS`。
    ");
    assert_snapshot!(said("DROP t"), @"
    1:6 error[syntax-error] `t` stands where `TABLE`, `VIEW`, `DATABASE` or `FUNCTION` is expected.
      DROP t
           ^
    1:6 错误[syntax-error] `t` 处应为 `TABLE`、`VIEW`、`DATABASE` 或 `FUNCTION`。
    ");
    assert_snapshot!(said("DROP TABLE t CASCADE"), @"
    1:14 error[unexpected-token] `CASCADE` cannot stand here.
      DROP TABLE t CASCADE
                   ^^^^^^^
    1:14 错误[unexpected-token] 此处不能出现 `CASCADE`。
    ");
}
