//! Whatever is typed, the parser answers: it never panics, and what it says points into the text.
//!
//! Would find: a slice in the middle of a character, a token that two readers both expect, a loop that does not advance.

use proptest::prelude::*;
use sg_diag::{Lang, render};
use sg_sql::{highlight, parse_script};

/// Pieces of statements, so that a random row of them gets far into the parser.
const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT",
    "HAVING",
    "JOIN",
    "LEFT",
    "ON",
    "AS",
    "WITH",
    "UNION ALL",
    "VALUES",
    "TABLE",
    "TABLE(",
    "TUMBLE(",
    "DESCRIPTOR(ts)",
    "INTERVAL '1' MINUTE",
    "INTERVAL",
    "CASE",
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "CAST(",
    "TRY_CAST(",
    "AS INT)",
    "OVER (",
    "PARTITION BY",
    "ROWS BETWEEN",
    "CREATE",
    "TEMPORARY",
    "CREATE TABLE t (",
    "a INT",
    "b AS",
    "c STRING METADATA FROM 'k' VIRTUAL",
    "WATERMARK FOR",
    "PRIMARY KEY (a)",
    "NOT ENFORCED",
    "NOT",
    "NULL",
    "WITH (",
    "'k' = 'v'",
    "LIKE",
    "INCLUDING ALL",
    "CREATE VIEW v AS",
    "DROP",
    "IF EXISTS",
    "INSERT INTO t",
    "ON CONFLICT DO NOTHING",
    "EXECUTE STATEMENT SET BEGIN",
    "BEGIN STATEMENT SET",
    "EXPLAIN",
    "SET",
    "RESET",
    "SHOW TABLES",
    "DESCRIBE",
    "USE",
    "ALTER TABLE t",
    "ADD",
    "MODIFY",
    "ROW<",
    "ARRAY<",
    "MAP<",
    ">",
    "MULTISET",
    "MATCH_RECOGNIZE (",
    "MEASURES",
    "FINAL",
    "PATTERN (",
    "DEFINE",
    "WITHIN",
    "SUBSET",
    "AFTER MATCH SKIP TO",
    "JSON_VALUE(",
    "JSON_OBJECT(KEY",
    "VALUE",
    "ON EMPTY",
    "DEFAULT",
    "BETWEEN",
    "SYMMETRIC",
    "AND",
    "OR",
    "IN",
    "EXISTS",
    "IS",
    "DISTINCT",
    "OVERLAPS",
    "DAY",
    "TO SECOND",
    "EXTRACT(",
    "TIMESTAMP",
    "DATE '2024-01-01'",
    "U&'\\00e9'",
    "UESCAPE '!'",
    "E'\\n'",
    "X'0a'",
    "'it''s'",
    "'open",
    "`a b`",
    "`open",
    "a",
    "t",
    "t.a",
    "x",
    "1",
    "1.5",
    "1e3",
    "水",
    "😀",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ".",
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "<>",
    "<",
    "<=",
    "||",
    "=>",
    ":",
    "?",
    "|",
    "^",
    "$",
    "!=",
    "::",
    "\"q\"",
    "--c",
    "// c",
    "/* c */",
    "/*+ OPTIONS('a'='b') */",
    "/*+ X",
    "\n",
    "\t",
    "#",
    "@",
    "\\",
    "\u{0}",
    "\u{1}",
];

fn answers(script: &str) {
    let parsed = parse_script(script);
    for diagnostic in &parsed.diagnostics {
        let whole = script.get(diagnostic.span.start as usize..diagnostic.span.end as usize);
        assert!(whole.is_some(), "{diagnostic:?} in {script:?}");
        assert!(diagnostic.missing_args().is_empty(), "{diagnostic:?}");
        for fix in &diagnostic.fixes {
            assert!(fix.apply(script).is_some(), "{fix:?} in {script:?}");
        }
        render(diagnostic, script, Lang::Zh);
    }
    let mut end = 0;
    for statement in &parsed.statements {
        assert!(statement.span.start >= end && !statement.span.is_empty());
        end = statement.span.end;
        let refused = parsed
            .diagnostics
            .iter()
            .any(|it| it.severity().is_refusal() && statement.span.contains(it.span));
        assert!(
            statement.statement.is_ok() || refused,
            "nothing said about {:?}",
            statement.span.text(script)
        );
    }
    let mut end = 0;
    for (span, _) in highlight(script) {
        assert!(span.start >= end && script.get(span.start as usize..span.end as usize).is_some());
        end = span.end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_of_pieces_are_answered(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        answers(&pieces.join(" "));
    }

    #[test]
    fn pieces_without_blanks_are_answered(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        answers(&pieces.concat());
    }

    #[test]
    fn any_text_is_answered(text in "\\PC{0,60}") {
        answers(&text);
    }
}
