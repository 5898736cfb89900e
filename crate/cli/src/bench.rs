//! Rows per second of typical queries, natively. The figures of a browser come from `npm run bench`.

use std::process::ExitCode;

use sg_engine::bulk::{self, BulkQuery};

use crate::arguments::BenchOptions;
use crate::say;

/// Runs the wanted queries and prints a table.
pub(crate) fn run(options: &BenchOptions) -> ExitCode {
    if let Some(unknown) = options
        .queries
        .iter()
        .find(|name| BulkQuery::from_name(name).is_none())
    {
        let known: Vec<&str> = BulkQuery::all().iter().map(|query| query.name).collect();
        return say(
            &format!("there is no query `{unknown}`; there are {}", known.join(", ")),
            2,
        );
    }
    say(
        &format!(
            "{} rows, {} keys, one thread; traced: one row a push",
            options.rows, options.keys
        ),
        0,
    );
    say(
        &format!(
            "{:<24} {:>12} {:>14} {:>14}",
            "query", "trace", "rows/s", "emitted"
        ),
        0,
    );
    if options.queries.is_empty() {
        let (lines, milliseconds) = front_end();
        say(
            &format!("a script of {lines} lines is parsed and bound in {milliseconds:.2} ms"),
            0,
        );
    }
    for query in BulkQuery::all()
        .iter()
        .filter(|query| wanted(options, query.name))
    {
        for (label, traced) in [("off", false), ("full", true)] {
            let mut run = match bulk::Run::new(query.sql, options.rows, options.keys, traced) {
                Ok(run) => run,
                Err(message) => return say(&message, 1),
            };
            let began = now();
            if let Err(message) = run.all() {
                return say(&message, 1);
            }
            let seconds = began.elapsed().as_secs_f64();
            let rate = f64::from(options.rows) / seconds;
            say(
                &format!(
                    "{:<24} {label:>12} {rate:>14.0} {:>14}",
                    query.name,
                    run.emitted()
                ),
                0,
            );
        }
    }
    ExitCode::SUCCESS
}

/// Parses and binds a script of views, the best of 20 times: its lines, and the milliseconds.
fn front_end() -> (usize, f64) {
    const TABLE: &str =
        "CREATE TABLE t (k STRING, n INT, price DECIMAL(10, 2), ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'replay');
";
    let view = |number: u32| {
        format!(
            "CREATE VIEW v{number} AS
SELECT k, window_start, COUNT(*) AS n, SUM(CASE WHEN price > {number} THEN price ELSE 0 END) AS total
FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '{}' MINUTE))
WHERE k IN ('a', 'b', 'c') AND n BETWEEN 1 AND {number} + 10 AND UPPER(k) LIKE 'A%'
GROUP BY k, window_start, window_end HAVING COUNT(*) > 1;
",
            number + 1
        )
    };
    let statements = std::iter::once(TABLE.to_owned()).chain((0..60).map(view));
    let script: String = statements.collect();
    let best = (0..20).map(|_| {
        let began = now();
        let prepared = sg_engine::prepare::prepare(&script);
        let milliseconds = began.elapsed().as_secs_f64() * 1e3;
        drop(prepared);
        milliseconds
    });
    (script.lines().count(), best.fold(f64::INFINITY, f64::min))
}

fn wanted(options: &BenchOptions, name: &str) -> bool {
    options.queries.is_empty() || options.queries.iter().any(|query| query == name)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a bench is the one thing that measures time"
)]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}
