//! Messages that could be better: true, but not yet a help.

use insta::assert_snapshot;

use crate::said;

#[test]
fn a_missing_comma_between_columns_becomes_an_alias() {
    assert_snapshot!(said("SELECT a b FROM t"), @"nothing");
}

#[test]
fn a_quote_too_many_swallows_the_next_statement() {
    assert_snapshot!(said("SELECT 'a'' FROM t; SELECT 'b'"), @"
    1:30 error[unterminated-string] The string has no closing quote.
      SELECT 'a'' FROM t; SELECT 'b'
                                   ^
      → End it with `'`; a quote inside a string is written twice.
    1:30 错误[unterminated-string] 字符串缺少右引号。
      → 请以 `'` 结束；字符串中的引号要写两次。
      fix: Add `'` | 添加 `'`
      = SELECT 'a'' FROM t; SELECT 'b''
    ");
}
