//! Quotes, comments, characters, numbers.

use insta::assert_snapshot;

use crate::said;

#[test]
fn strings_need_their_end() {
    assert_snapshot!(said("SELECT 'abc FROM t;\nSELECT 1;"), @"
    1:8 error[unterminated-string] The string has no closing quote.
      SELECT 'abc FROM t;
             ^^^^^^^^^^^
      → End it with `'`; a quote inside a string is written twice.
    1:8 错误[unterminated-string] 字符串缺少右引号。
      → 请以 `'` 结束；字符串中的引号要写两次。
      fix: Add `'` | 添加 `'`
      = SELECT 'abc FROM t';
      = SELECT 1;
    ");
}

#[test]
fn double_quotes_mean_nothing() {
    assert_snapshot!(said(r#"SELECT "id" FROM t"#), @r#"
    1:8 error[double-quoted] Double quotes mean nothing in Flink SQL.
      SELECT "id" FROM t
             ^^^^
      → Strings stand in `'single quotes'`, names in backquotes.
    1:8 错误[double-quoted] 双引号在 Flink SQL 中没有意义。
      → 字符串使用 `'单引号'`，名称使用反引号。
      fix: Write `'id'` | 改为 `'id'`
      = SELECT 'id' FROM t
    "#);
}

#[test]
fn quoted_names_and_comments_need_their_end() {
    assert_snapshot!(said("SELECT `id FROM t"), @"
    1:8 error[unterminated-identifier] The quoted name has no closing backquote.
      SELECT `id FROM t
             ^^^^^^^^^^
    1:8 错误[unterminated-identifier] 带引号的名称缺少右反引号。
    ");
    assert_snapshot!(said("SELECT 1 /* two"), @"
    1:10 error[unterminated-comment] The comment has no closing `*/`.
      SELECT 1 /* two
               ^^
    1:10 错误[unterminated-comment] 注释缺少结尾的 `*/`。
    ");
}

#[test]
fn operators_of_other_databases() {
    assert_snapshot!(said("SELECT a != b FROM t"), @"
    1:10 error[operator-not-in-flink] Flink SQL has no operator `!=`.
      SELECT a != b FROM t
               ^^
    1:10 错误[operator-not-in-flink] Flink SQL 中没有运算符 `!=`。
      fix: Write `<>` | 改为 `<>`
      = SELECT a <> b FROM t
    ");
    assert_snapshot!(said("SELECT a::INT FROM t"), @"
    1:9 error[operator-not-in-flink] Flink SQL has no operator `::`.
      SELECT a::INT FROM t
              ^^
    1:9 错误[operator-not-in-flink] Flink SQL 中没有运算符 `::`。
    ");
    assert_snapshot!(said("SELECT a && b FROM t"), @"
    1:10 error[operator-not-in-flink] Flink SQL has no operator `&&`.
      SELECT a && b FROM t
               ^^
    1:10 错误[operator-not-in-flink] Flink SQL 中没有运算符 `&&`。
      fix: Write `AND` | 改为 `AND`
      = SELECT a AND b FROM t
    ");
    assert_snapshot!(said("SELECT a | b FROM t"), @"
    1:10 error[operator-not-in-flink] Flink SQL has no operator `|`.
      SELECT a | b FROM t
               ^
    1:10 错误[operator-not-in-flink] Flink SQL 中没有运算符 `|`。
    ");
}

#[test]
fn characters_that_mean_nothing() {
    assert_snapshot!(said("SELECT @a FROM t"), @"
    1:8 error[unexpected-character] `@` is not part of Flink SQL.
      SELECT @a FROM t
             ^
    1:8 错误[unexpected-character] Flink SQL 中没有 `@`。
    ");
    assert_snapshot!(said("SELECT a # b"), @"
    1:10 error[unexpected-character] `#` is not part of Flink SQL.
      SELECT a # b
               ^
    1:10 错误[unexpected-character] Flink SQL 中没有 `#`。
    ");
    assert_snapshot!(said("SELECT a FROM t WHERE b = ?"), @"
    1:27 error[unexpected-character] `?` is not part of Flink SQL.
      SELECT a FROM t WHERE b = ?
                                ^
    1:27 错误[unexpected-character] Flink SQL 中没有 `?`。
    ");
}

#[test]
fn strings_beside_each_other() {
    assert_snapshot!(said("SELECT 'a' 'b'"), @"
    1:12 error[string-continued-on-same-line] Two strings stand next to each other on one line.
      SELECT 'a' 'b'
                 ^^^
      1:8 first here
      → Join them with `||`, or put the second on its own line.
    1:12 错误[string-continued-on-same-line] 同一行上有两个相邻的字符串。
      → 请用 `||` 连接，或把第二个放到下一行。
      fix: Add `||` | 添加 `||`
      = SELECT 'a' || 'b'
    ");
}

#[test]
fn escapes() {
    assert_snapshot!(said(r"SELECT U&'\00zz'"), @r"
    1:10 error[bad-escape] `\00zz` is no escape sequence of this string.
      SELECT U&'\00zz'
               ^^^^^^^
    1:10 错误[bad-escape] `\00zz` 不是该字符串的转义序列。
    ");
    assert_snapshot!(said(r"SELECT E'\u12'"), @r"
    1:9 error[bad-escape] `\u12` is no escape sequence of this string.
      SELECT E'\u12'
              ^^^^^^
    1:9 错误[bad-escape] `\u12` 不是该字符串的转义序列。
    ");
    assert_snapshot!(said("SELECT X'0af'"), @"
    1:8 error[bad-binary-literal] A binary literal holds pairs of hexadecimal digits; `0af` does not.
      SELECT X'0af'
             ^^^^^^
    1:8 错误[bad-binary-literal] 二进制字面量由成对的十六进制数字组成，`0af` 不是。
    ");
}

#[test]
fn parentheses() {
    assert_snapshot!(said("SELECT (a FROM t"), @"
    1:8 error[unclosed-parenthesis] `(` is never closed.
      SELECT (a FROM t
             ^
    1:8 错误[unclosed-parenthesis] `(` 没有闭合。
      fix: Add `)` | 添加 `)`
      = SELECT (a) FROM t
    ");
    assert_snapshot!(said("SELECT a) FROM t"), @"
    1:9 error[unmatched-parenthesis] `)` closes nothing.
      SELECT a) FROM t
              ^
    1:9 错误[unmatched-parenthesis] `)` 没有对应的左括号。
      fix: Remove `)` | 删除 `)`
      = SELECT a FROM t
    ");
    assert_snapshot!(said("SELECT a[1 FROM t"), @"
    1:9 error[unclosed-parenthesis] `[` is never closed.
      SELECT a[1 FROM t
              ^
    1:9 错误[unclosed-parenthesis] `[` 没有闭合。
      fix: Add `]` | 添加 `]`
      = SELECT a[1] FROM t
    ");
}
