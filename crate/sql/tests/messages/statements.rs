//! Which statement it is, and those that do not run here.

use insta::assert_snapshot;

use crate::said;

#[test]
fn first_words() {
    assert_snapshot!(said("SELEC a FROM t"), @"
    1:1 error[unknown-statement] No statement begins with `SELEC`.
      SELEC a FROM t
      ^^^^^
      → Did you mean `SELECT`?
    1:1 错误[unknown-statement] 没有以 `SELEC` 开头的语句。
      → 是否想写 `SELECT`？
      fix: Write `SELECT` | 改为 `SELECT`
      = SELECT a FROM t
    ");
    assert_snapshot!(said("FOO"), @"
    1:1 error[unknown-statement] No statement begins with `FOO`.
      FOO
      ^^^
      → Statements begin with SELECT, WITH, VALUES, INSERT, CREATE, ALTER, DROP, EXPLAIN, DESCRIBE, SHOW, USE, SET or RESET.
    1:1 错误[unknown-statement] 没有以 `FOO` 开头的语句。
      → 语句以 SELECT、WITH、VALUES、INSERT、CREATE、ALTER、DROP、EXPLAIN、DESCRIBE、SHOW、USE、SET 或 RESET 开头。
    ");
    assert_snapshot!(said("END"), @"
    1:1 error[end-without-begin] END closes no statement set.
      END
      ^^^
    1:1 错误[end-without-begin] END 没有对应的语句集。
    ");
}

#[test]
fn only_the_broken_statement_is_lost() {
    assert_snapshot!(said("SELECT 1; SELECT FROM; SELECT 2"), @"
    1:18 error[syntax-error] `FROM` stands where an expression is expected.
      SELECT 1; SELECT FROM; SELECT 2
                       ^^^^
    1:18 错误[syntax-error] `FROM` 处应为表达式。
    ");
}

#[test]
fn empty_statements() {
    assert_snapshot!(said("SELECT 1;;"), @"
    1:10 note[empty-statement] There is nothing between two semicolons.
      SELECT 1;;
               ^
    1:10 说明[empty-statement] 两个分号之间没有内容。
    ");
}

#[test]
fn catalogs_and_models_have_no_other_clauses() {
    let taken = |sql: &str| said(sql) == "nothing\n";
    assert!(taken(
        "CREATE CATALOG IF NOT EXISTS c COMMENT 'it' WITH ('type' = 'x')"
    ));
    assert!(taken("ALTER CATALOG c COMMENT 'it'"));
    assert!(taken("DROP MODEL IF EXISTS m"));
    for sql in [
        "CREATE CATALOG c SET ('type' = 'x')",
        "DROP CATALOG IF NOT EXISTS c",
        "DROP CATALOG c WITH ('type' = 'x')",
        "DROP MODEL m COMMENT 'it'",
        "ALTER DATABASE d",
        "ALTER DATABASE d WITH ('a' = 'b')",
        "CREATE MODEL m INPUT (a INT",
    ] {
        assert!(!taken(sql), "{sql}");
    }
}

#[test]
fn of_a_cluster() {
    assert_snapshot!(said("ADD JAR 'x.jar'"), @"
    1:1 not supported[nothing-to-do-here] ADD JAR needs a Flink cluster; in the browser there is nothing for it to do.
      ADD JAR 'x.jar'
      ^^^^^^^
      → Remove the statement, or keep it as a comment.
    1:1 暂不支持[nothing-to-do-here] ADD JAR 需要 Flink 集群，在浏览器中没有意义。
      → 可删除该语句，或改为注释。
    ");
    assert_snapshot!(said("STOP JOB 'x' WITH SAVEPOINT"), @"
    1:1 not supported[nothing-to-do-here] STOP JOB needs a Flink cluster; in the browser there is nothing for it to do.
      STOP JOB 'x' WITH SAVEPOINT
      ^^^^^^^^
      → Remove the statement, or keep it as a comment.
    1:1 暂不支持[nothing-to-do-here] STOP JOB 需要 Flink 集群，在浏览器中没有意义。
      → 可删除该语句，或改为注释。
    ");
}

#[test]
fn not_yet() {
    assert_snapshot!(said("CREATE MATERIALIZED TABLE t AS SELECT 1"), @"
    1:1 not supported[not-supported] Streamglass does not run CREATE MATERIALIZED TABLE yet.
      CREATE MATERIALIZED TABLE t AS SELECT 1
      ^^^^^^^^^^^^^^^^^^^
    1:1 暂不支持[not-supported] Streamglass 暂不支持 CREATE MATERIALIZED TABLE。
    ");
}

#[test]
fn not_on_streams() {
    assert_snapshot!(said("UPDATE t SET a = 1"), @"
    1:1 error[statement-not-on-streams] UPDATE does not run on streams.
      UPDATE t SET a = 1
      ^^^^^^
      → A stream changes by its events: send the change from the source.
    1:1 错误[statement-not-on-streams] UPDATE 不能在流上运行。
      → 流通过事件变化：请由数据源发送变更。
    ");
    assert_snapshot!(said("DELETE FROM t WHERE a = 1"), @"
    1:1 error[statement-not-on-streams] DELETE does not run on streams.
      DELETE FROM t WHERE a = 1
      ^^^^^^
      → A stream changes by its events: send the change from the source.
    1:1 错误[statement-not-on-streams] DELETE 不能在流上运行。
      → 流通过事件变化：请由数据源发送变更。
    ");
}

#[test]
fn settings() {
    assert_snapshot!(said("SET a.b = 'c' d"), @"
    1:5 error[unquoted-option] Options are quoted strings; `a.b` is not.
      SET a.b = 'c' d
          ^^^
      → Put it in single quotes.
    1:5 错误[unquoted-option] 选项要写成带引号的字符串，`a.b` 不是。
      → 请加上单引号。
      fix: Write `'a.b'` | 改为 `'a.b'`
      = SET 'a.b' = 'c' d
    ");
    assert_snapshot!(said("SET 'a' 'b'"), @"
    1:9 error[syntax-error] `'b'` stands where `=` is expected.
      SET 'a' 'b'
              ^^^
    1:9 错误[syntax-error] `'b'` 处应为 `=`。
    ");
    assert_snapshot!(said("RESET a b"), @"
    1:7 error[unquoted-option] Options are quoted strings; `a` is not.
      RESET a b
            ^
      → Put it in single quotes.
    1:7 错误[unquoted-option] 选项要写成带引号的字符串，`a` 不是。
      → 请加上单引号。
      fix: Write `'a'` | 改为 `'a'`
      = RESET 'a' b
    ");
}

#[test]
fn statement_sets() {
    assert_snapshot!(said("EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT 1"), @"
    1:9 error[statement-set-without-end] The statement set has no END.
      EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT 1
              ^^^^^^^^^^^^^^^^^^^
    1:9 错误[statement-set-without-end] 语句集缺少 END。
      fix: Add `; END` | 添加 `; END`
      = EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT 1; END
    ");
    assert_snapshot!(said("EXECUTE STATEMENT SET BEGIN END"), @"
    1:9 error[statement-set-empty] The statement set holds no INSERT.
      EXECUTE STATEMENT SET BEGIN END
              ^^^^^^^^^^^^^^^^^^^^^^^
    1:9 错误[statement-set-empty] 语句集中没有 INSERT。
    ");
    assert_snapshot!(said("EXECUTE STATEMENT SET BEGIN SELECT 1; INSERT INTO s SELECT FROM t; INSERT INTO s SELECT 1; END"), @"
    1:29 error[statement-set-only-inserts] A statement set holds only INSERT statements; `SELECT` is none.
      EXECUTE STATEMENT SET BEGIN SELECT 1; INSERT INTO s SELECT FROM t; INSERT INTO s SELECT 1; END
                                  ^^^^^^
    1:29 错误[statement-set-only-inserts] 语句集中只能有 INSERT 语句，`SELECT` 不是。
    1:60 error[syntax-error] `FROM` stands where an expression is expected.
      EXECUTE STATEMENT SET BEGIN SELECT 1; INSERT INTO s SELECT FROM t; INSERT INTO s SELECT 1; END
                                                                 ^^^^
    1:60 错误[syntax-error] `FROM` 处应为表达式。
    ");
}

#[test]
fn inserts() {
    assert_snapshot!(said("INSERT INTO s"), @"
    1:13 error[unexpected-end] The statement ends where a query is expected.
      INSERT INTO s
                  ^
    1:13 错误[unexpected-end] 语句提前结束，此处还应有查询。
    ");
    assert_snapshot!(said("INSERT s SELECT 1"), @"
    1:8 error[syntax-error] `s` stands where `INTO` is expected.
      INSERT s SELECT 1
             ^
    1:8 错误[syntax-error] `s` 处应为 `INTO`。
    ");
    assert_snapshot!(said("INSERT INTO s (a, b,) SELECT 1"), @"
    1:20 error[trailing-comma] After the comma something has to follow, and `)` ends the list.
      INSERT INTO s (a, b,) SELECT 1
                         ^
    1:20 错误[trailing-comma] 逗号之后还应有内容，而 `)` 结束了列表。
      fix: Remove `,` | 删除 `,`
      = INSERT INTO s (a, b) SELECT 1
    ");
    assert_snapshot!(said("INSERT INTO s SELECT 1 ON CONFLICT DO UPDATE"), @"
    1:39 error[syntax-error] `UPDATE` stands where `ERROR`, `NOTHING` or `DEDUPLICATE` is expected.
      INSERT INTO s SELECT 1 ON CONFLICT DO UPDATE
                                            ^^^^^^
    1:39 错误[syntax-error] `UPDATE` 处应为 `ERROR`、`NOTHING` 或 `DEDUPLICATE`。
    ");
    assert_snapshot!(said("INSERT INTO s PARTITION (a) SELECT 1"), @"
    1:27 error[syntax-error] `)` stands where `=` is expected.
      INSERT INTO s PARTITION (a) SELECT 1
                                ^
    1:27 错误[syntax-error] `)` 处应为 `=`。
    ");
}

#[test]
fn explain() {
    assert_snapshot!(said("EXPLAIN CHANGELOG_MOD SELECT 1"), @"
    1:9 error[explain-detail-unknown] EXPLAIN knows no detail `CHANGELOG_MOD`.
      EXPLAIN CHANGELOG_MOD SELECT 1
              ^^^^^^^^^^^^^
      → Did you mean `CHANGELOG_MODE`?
    1:9 错误[explain-detail-unknown] EXPLAIN 没有 `CHANGELOG_MOD` 这一项。
      → 是否想写 `CHANGELOG_MODE`？
      fix: Write `CHANGELOG_MODE` | 改为 `CHANGELOG_MODE`
      = EXPLAIN CHANGELOG_MODE SELECT 1
    ");
    assert_snapshot!(said("EXPLAIN DROP TABLE t"), @"
    1:9 error[syntax-error] `DROP` stands where a query or an INSERT is expected.
      EXPLAIN DROP TABLE t
              ^^^^
    1:9 错误[syntax-error] `DROP` 处应为查询或 INSERT。
    ");
}

#[test]
fn show_and_use() {
    assert_snapshot!(said("SHOW TABELS"), @"
    1:6 error[syntax-error] `TABELS` stands where `TABLES`, `VIEWS`, `DATABASES`, `CATALOGS`, `FUNCTIONS`, `MODULES`, `COLUMNS`, `PARTITIONS` or `CREATE` is expected.
      SHOW TABELS
           ^^^^^^
      → Did you mean `TABLES`?
    1:6 错误[syntax-error] `TABELS` 处应为 `TABLES`、`VIEWS`、`DATABASES`、`CATALOGS`、`FUNCTIONS`、`MODULES`、`COLUMNS`、`PARTITIONS` 或 `CREATE`。
      → 是否想写 `TABLES`？
      fix: Write `TABLES` | 改为 `TABLES`
      = SHOW TABLES
    ");
    assert_snapshot!(said("SHOW TABLES NOT 'a'"), @"
    1:17 error[syntax-error] `'a'` stands where `LIKE` is expected.
      SHOW TABLES NOT 'a'
                      ^^^
    1:17 错误[syntax-error] `'a'` 处应为 `LIKE`。
    ");
    assert_snapshot!(said("USE"), @"
    1:1 error[unexpected-end] The statement ends where a name is expected.
      USE
      ^^^
    1:1 错误[unexpected-end] 语句提前结束，此处还应有名称。
    ");
    assert_snapshot!(said("DESCRIBE a.b.c.d"), @"
    1:10 error[name-too-long] `a.b.c.d` has too many parts: a name is `catalog.database.object`.
      DESCRIBE a.b.c.d
               ^^^^^^^
    1:10 错误[name-too-long] `a.b.c.d` 的部分过多：名称的写法是 `catalog.database.object`。
    ");
}
