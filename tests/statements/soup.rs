//! Whatever is typed, the engine answers: no statement panics, and none takes long.
//!
//! Recorded statements are taken apart into words and put together otherwise, so that many of them get as far as the
//! planner. Would find: an index out of range in the binder, a rule of the optimizer that undoes another one.

use proptest::prelude::*;

use super::{read, recorded, refusal};

/// What may stand in place of a word.
const WORDS: &[&str] = &[
    "NULL",
    "*",
    "id",
    "customer",
    "amount",
    "ts",
    "tags",
    "props",
    "addr",
    "pt",
    "1",
    "'x'",
    "1.5",
    "-",
    "=",
    "<",
    "(",
    ")",
    ",",
    "AND",
    "OR",
    "NOT",
    "COUNT(*)",
    "SUM(id)",
    "DISTINCT",
    "FROM orders",
    "WHERE",
    "GROUP BY",
    "ORDER BY",
    "LIMIT 1",
    "UNION ALL",
    "JOIN customers",
    "ON TRUE",
    "OVER ()",
    "CAST(",
    "AS",
    "[1]",
    "['k']",
    ".city",
    "INTERVAL '1' DAY",
    "CASE WHEN",
    "THEN",
    "END",
    "SELECT",
    "IN (",
    "EXISTS (",
    "VALUES",
    "HAVING",
    "ROLLUP (",
    "ARRAY[",
    "MAP[",
    "ROW(",
    "DESCRIPTOR(ts)",
    "TABLE orders",
    "FILTER (WHERE paid)",
    "PROCTIME()",
    "LISTAGG(customer)",
    "orders.",
    "AS x",
    "(SELECT",
    "IS NULL",
    "BETWEEN",
    "LIKE",
    "TUMBLE(",
    "window_end",
    "EXCEPT",
    "INTERSECT",
    "LEFT",
    "CROSS JOIN UNNEST(tags) AS u (v)",
];

fn words(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    for (at, letter) in text.char_indices() {
        if !(letter.is_alphanumeric() || letter == '_') {
            out.extend([text.get(start..at), text.get(at..at + letter.len_utf8())]);
            start = at + letter.len_utf8();
        }
    }
    out.push(text.get(start..));
    out.into_iter()
        .flatten()
        .filter(|word| !word.is_empty())
        .collect()
}

/// A change to a statement: where, what, and with which word.
type Edit = (prop::sample::Index, u8, prop::sample::Index);

/// Two recorded statements and what to do with them.
fn recipe() -> impl Strategy<Value = (prop::sample::Index, prop::sample::Index, Vec<Edit>)> {
    let index = any::<prop::sample::Index>;
    (
        index(),
        index(),
        prop::collection::vec((index(), 0..4_u8, index()), 1..5),
    )
}

/// Words of the second statement with some of the first, or others, among them.
#[expect(clippy::indexing_slicing, reason = "an index lies within its list")]
fn put_together(
    statements: &[&str],
    (first, second, edits): &(prop::sample::Index, prop::sample::Index, Vec<Edit>),
) -> String {
    let other = words(statements[first.index(statements.len())]);
    let mut own = words(statements[second.index(statements.len())]);
    for (at, what, with) in edits {
        let place = at.index(own.len() + 1);
        match what {
            0 if place < own.len() => {
                own.remove(place);
            }
            1 => own.insert(place, WORDS[with.index(WORDS.len())]),
            2 if place < own.len() => own[place] = WORDS[with.index(WORDS.len())],
            _ => own.insert(place, other[with.index(other.len())]),
        }
    }
    format!("{};", own.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn statements_put_together_otherwise_are_answered(recipe in recipe()) {
        let texts = ["meaning.tsv", "parser.tsv", "people.tsv", "kinds.tsv"].map(read);
        let statements: Vec<&str> = texts.iter().flat_map(|text| recorded(text)).map(|(statement, _)| statement).collect();
        let statement = put_together(&statements, &recipe);
        let setup = read("setup.sql");
        drop(refusal(&setup, &statement));
    }
}

/// The same for `SOUP_MINUTES` (10), each statement within two seconds; `cargo test -p sg_tests --test statements -- --ignored`.
#[test]
#[ignore = "takes ten minutes"]
#[expect(clippy::disallowed_methods, reason = "a test of how long something takes")]
fn minutes_of_soup_are_answered() {
    let minutes: u64 = std::env::var("SOUP_MINUTES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10);
    let texts = ["meaning.tsv", "parser.tsv", "people.tsv", "kinds.tsv"].map(read);
    let statements: Vec<&str> = texts
        .iter()
        .flat_map(|text| recorded(text))
        .map(|(statement, _)| statement)
        .collect();
    let setup = read("setup.sql");
    let start = std::time::Instant::now();
    let count = std::cell::Cell::new(0_u64);
    while start.elapsed().as_secs() < minutes * 60 {
        let config = ProptestConfig {
            cases: 1000,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let mut runner = prop::test_runner::TestRunner::new(config);
        let run = runner.run(&recipe(), |recipe| {
            let statement = put_together(&statements, &recipe);
            let took = || {
                let begin = std::time::Instant::now();
                drop(refusal(&setup, &statement));
                begin.elapsed()
            };
            count.set(count.get() + 1);
            // a busy machine stops a thread for seconds: what is slow is slow twice
            let first = took();
            prop_assert!(
                first.as_secs() < 2 || took().as_secs() < 2,
                "took {first:?}: {statement}"
            );
            Ok(())
        });
        if let Err(error) = run {
            panic!("{error}");
        }
    }
    println!("{} statements", count.get());
}

/// What would take longer each time it is doubled is refused.
#[test]
fn wide_and_deep_statements_are_refused_or_planned() {
    let list = |item: &dyn Fn(usize) -> String, count: usize, between: &str| {
        (0..count).map(item).collect::<Vec<_>>().join(between)
    };
    let doubled = list(
        &|at| match at {
            0 => "v0 AS (SELECT id FROM orders)".to_owned(),
            _ => format!(
                "v{at} AS (SELECT a.id FROM v{0} AS a JOIN v{0} AS b ON a.id = b.id)",
                at - 1
            ),
        },
        40,
        ", ",
    );
    let statements = [
        (format!("WITH {doubled} SELECT * FROM v39"), "too-many-tables"),
        (
            format!(
                "SELECT 1 FROM {}",
                list(&|at| format!("plain AS p{at}"), 400, ", ")
            ),
            "too-many-tables",
        ),
        (
            format!("SELECT {} FROM orders", list(&|_| "id".to_owned(), 2000, ", ")),
            "too-many-columns",
        ),
        (
            format!(
                "CREATE TABLE wide ({}) WITH ('connector' = 'replay')",
                list(&|at| format!("c{at} INT"), 2000, ", ")
            ),
            "too-many-columns",
        ),
        (
            format!(
                "SELECT id FROM orders WHERE id IN ({})",
                list(&|at| (at % 10).to_string(), 40_000, ", ")
            ),
            "too-many-values",
        ),
        (
            "SET 'parallelism.default' = '2147483647'; SELECT id FROM orders".to_owned(),
            "too-many-subtasks",
        ),
        (
            "SELECT window_start, COUNT(*) FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '0.001' SECOND, \
             INTERVAL '9000' DAY(4)) GROUP BY window_start, window_end"
                .to_owned(),
            "too-many-windows",
        ),
        (
            "SELECT COUNT(*) FROM orders GROUP BY HOP(ts, INTERVAL '0.001' SECOND, INTERVAL '9000' DAY(4))".to_owned(),
            "too-many-windows",
        ),
        (
            format!("SELECT {}id{} FROM orders", "ABS(".repeat(5000), ")".repeat(5000)),
            "nesting-too-deep",
        ),
        (
            format!("SELECT {}id FROM orders", "id + ".repeat(5000)),
            "too-many-operators",
        ),
        (
            format!(
                "SELECT id FROM orders{}",
                " UNION ALL SELECT id FROM orders".repeat(5000)
            ),
            "too-many-operators",
        ),
    ];
    for (statement, code) in statements {
        let said = super::codes(&read("setup.sql"), &statement);
        assert!(said.contains(&code), "{code} is not among {said:?}");
    }
    // by the square of its length, this would take minutes
    let values = list(&|at| format!("'{at}'"), 20_000, ", ");
    let long = format!("SELECT id FROM orders WHERE customer NOT IN ({values})");
    assert_eq!(super::codes(&read("setup.sql"), &long), [""; 0]);
}
