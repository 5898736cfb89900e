//! Hints behind SELECT: which tables they name, and the state TTL of an aggregation.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic, Span};
use sg_sql::{Hint, HintArgument, ast::Text, byte_span, query as ast};

use super::{Binder, scope::Scope};
use crate::{
    logical::{LookupHints, LookupRetry},
    settings::parse_duration_ms,
};

/// Hints that streaming accepts and ignores.
pub(super) const BATCH_ONLY: [&str; 4] = ["BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP"];

impl Binder<'_> {
    /// The hints behind the word SELECT.
    pub(super) fn select_hints(&self, select: &ast::Select) -> Vec<Hint> {
        let span = byte_span(select.select_token).unwrap_or_default();
        self.side.hints_after(span).to_vec()
    }

    /// Reports unknown hints, and tables that a hint names and FROM has not.
    pub(super) fn check_query_hints(&mut self, select: &ast::Select, scope: &Scope) {
        for hint in self.select_hints(select) {
            match hint.name.name.to_ascii_uppercase().as_str() {
                "STATE_TTL" => self.check_hint_tables(&hint, scope),
                "LOOKUP" => self.check_lookup(&hint, scope),
                "MINI_BATCH" => self.check_mini_batch(&hint),
                "MULTI_JOIN" => {}
                name if BATCH_ONLY.contains(&name) => self.check_hint_tables(&hint, scope),
                _ => self.unknown_hint(&hint.name.name, hint.span),
            }
        }
    }

    fn check_hint_tables(&mut self, hint: &Hint, scope: &Scope) {
        let lifetimes = hint.name.name.eq_ignore_ascii_case("STATE_TTL");
        let mut tables = Vec::new();
        for arg in &hint.args {
            match arg {
                HintArgument::Pair(table, lifetime) if lifetimes => {
                    if let Some(why) = unreadable_duration(&lifetime.value) {
                        return self.wrong_options(hint, &format!("Invalid STATE_TTL hint value: {why}"));
                    }
                    tables.push((&*table.value, table.span));
                }
                HintArgument::Name(table) if !lifetimes => tables.push((&*table.name, table.span)),
                HintArgument::Text(table) if !lifetimes => tables.push((&*table.value, table.span)),
                _ => {}
            }
        }
        if tables.is_empty() && !lifetimes {
            let name = &hint.name.name;
            let written: Vec<String> = hint
                .args
                .iter()
                .filter_map(|arg| match arg {
                    HintArgument::Pair(key, value) => Some(format!("{}={}", key.value, value.value)),
                    _ => None,
                })
                .collect();
            let written = if written.is_empty() {
                String::new()
            } else {
                format!("({})", written.join(", "))
            };
            let reason = format!(
                "Invalid hint: {name}{written}, expecting at least one table or view specified in hint {name}."
            );
            return self.wrong_options(hint, &reason);
        }
        self.check_hinted(hint, &tables, scope);
    }

    fn check_hint_table(&mut self, hint: &Hint, table: &Text, scope: &Scope) {
        self.check_hinted(hint, &[(&table.value, table.span)], scope);
    }

    fn check_hinted(&mut self, hint: &Hint, tables: &[(&str, Span)], scope: &Scope) {
        let names = || {
            scope
                .relations
                .iter()
                .filter_map(|relation| relation.name.as_deref())
        };
        let unknown = |(table, _): &&(&str, Span)| !names().any(|name| name == *table);
        let unknown: Vec<&(&str, Span)> = tables.iter().filter(unknown).collect();
        let Some((table, span)) = unknown.first().copied().filter(|_| !scope.is_broken()) else {
            return;
        };
        let all: Vec<&str> = unknown.iter().map(|(table, _)| *table).collect();
        let flink = format!(
            "ValidationException: The options of following hints cannot match the name of input tables or views: \n\
             `{}` in `{}`",
            all.join(", "),
            hint.name.name
        );
        self.report(
            Diagnostic::new(Code::HintTableUnknown, *span)
                .arg("hint", &hint.name.name)
                .arg("table", table)
                .flink(flink)
                .suggest_similar(table, names()),
        );
    }

    /// Flink: `LookupJoinHintOptions` and the checker of its hint strategy.
    fn check_lookup(&mut self, hint: &Hint, scope: &Scope) {
        let problem = match option(hint, "table") {
            None => Some(
                "Invalid LOOKUP hint: incomplete required option(s): [Key: 'table' , default: null (fallback keys: [])]"
                    .to_owned(),
            ),
            Some(_) => lookup_problem(hint),
        };
        if let Some(problem) = problem {
            self.wrong_options(hint, &problem);
        } else if let Some(table) = option(hint, "table") {
            self.check_hint_table(hint, table, scope);
        }
    }

    /// `MINI_BATCH('size'='100', 'interval'='1s')` is Streamglass's own.
    fn check_mini_batch(&mut self, hint: &Hint) {
        if mini_batch(hint).is_none() {
            self.wrong_options(
                hint,
                "'size' is a number of rows and 'interval' a duration, both above zero",
            );
        }
    }

    fn wrong_options(&mut self, hint: &Hint, reason: &str) {
        self.report(
            Diagnostic::new(Code::HintOptionsInvalid, hint.span)
                .arg("hint", &hint.name.name)
                .arg("reason", reason)
                .flink(format!("AssertionError: {reason}")),
        );
    }

    /// The duration that `STATE_TTL` gives to the input of an aggregation, as written.
    pub(super) fn ttl_hint(&self, select: &ast::Select, scope: &Scope) -> Option<Rc<str>> {
        let hints = self.select_hints(select);
        let hint = hints
            .iter()
            .find(|hint| hint.name.name.eq_ignore_ascii_case("STATE_TTL"))?;
        hint.args.iter().find_map(|arg| match arg {
            HintArgument::Pair(table, ttl) => {
                let named = |name: &str| name == table.value;
                let found = scope
                    .relations
                    .iter()
                    .any(|relation| relation.name.as_deref().is_some_and(named));
                found.then(|| Rc::from(ttl.value.as_str()))
            }
            HintArgument::Name(_) | HintArgument::Text(_) => None,
        })
    }

    pub(super) fn unknown_hint(&mut self, name: &str, span: Span) {
        const KNOWN: [&str; 8] = [
            "OPTIONS",
            "STATE_TTL",
            "LOOKUP",
            "MINI_BATCH",
            "BROADCAST",
            "SHUFFLE_HASH",
            "SHUFFLE_MERGE",
            "NEST_LOOP",
        ];
        let flink = format!("AssertionError: Hint: {name} should be registered in the HintStrategyTable");
        self.report(
            Diagnostic::new(Code::UnknownHint, span)
                .arg("hint", name)
                .flink(flink)
                .suggest_similar_at(
                    Span::new(span.start, span.start + u32::try_from(name.len()).unwrap_or(0)),
                    name,
                    KNOWN,
                ),
        );
    }
}

/// What Flink says of a duration that it cannot read.
fn unreadable_duration(text: &str) -> Option<String> {
    if parse_duration_ms(text).is_some() {
        return None;
    }
    let unit = text
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim();
    Some(if unit.len() == text.trim().len() {
        format!("text does not start with a number, and is not a valid ISO-8601 duration format: {text}")
    } else {
        format!(
            "Time interval unit label '{unit}' does not match any of the recognized units: DAYS: (d | day | days), HOURS: (h \
             | hour | hours), MINUTES: (min | m | minute | minutes), SECONDS: (s | sec | secs | second | seconds), \
             MILLISECONDS: (ms | milli | millis | millisecond | milliseconds), MICROSECONDS: (µs | micro | micros | \
             microsecond | microseconds), NANOSECONDS: (ns | nano | nanos | nanosecond | nanoseconds)"
        )
    })
}

/// The value of an option of a hint.
fn option<'a>(hint: &'a Hint, key: &str) -> Option<&'a Text> {
    hint.args.iter().find_map(|arg| match arg {
        HintArgument::Pair(name, _) if name.value != key => None,
        HintArgument::Pair(_, value) => Some(value),
        HintArgument::Name(_) | HintArgument::Text(_) => None,
    })
}

/// The options of a retry; Flink wants all or none.
const RETRY: [&str; 4] = ["retry-predicate", "retry-strategy", "fixed-delay", "max-attempts"];

fn lookup_problem(hint: &Hint) -> Option<String> {
    let unreadable = |key: &str| {
        let value = option(hint, key)?;
        let readable = match key {
            "async" | "shuffle" => ["true", "false"]
                .iter()
                .any(|word| value.value.eq_ignore_ascii_case(word)),
            "capacity" | "max-attempts" => value.value.parse::<i32>().is_ok(),
            "fixed-delay" | "timeout" => parse_duration_ms(&value.value).is_some(),
            "output-mode" => ["ordered", "allow_unordered"]
                .iter()
                .any(|word| value.value.eq_ignore_ascii_case(word)),
            "retry-strategy" => value.value.eq_ignore_ascii_case("fixed_delay"),
            _ => true,
        };
        (!readable).then(|| {
            format!(
                "Invalid LOOKUP hint options: Could not parse value '{}' for key '{key}'.",
                value.value
            )
        })
    };
    let keys = [
        "async",
        "output-mode",
        "capacity",
        "timeout",
        "retry-strategy",
        "fixed-delay",
        "max-attempts",
        "shuffle",
    ];
    if let Some(problem) = keys.into_iter().find_map(unreadable) {
        return Some(problem);
    }
    let given = RETRY.iter().filter(|key| option(hint, key).is_some()).count();
    (given != 0 && given != RETRY.len())
        .then(|| "Invalid LOOKUP hint: retry options can be both null or all not null".to_owned())
}

/// The number of rows and the milliseconds of a `MINI_BATCH` hint.
fn mini_batch(hint: &Hint) -> Option<(u32, i64)> {
    let size = option(hint, "size")?.value.trim().parse().ok()?;
    let interval_ms = parse_duration_ms(&option(hint, "interval")?.value)?;
    (size > 0 && interval_ms > 0).then_some((size, interval_ms))
}

/// What the hints say about the lookup of a table.
pub(super) fn lookup_hints(hints: &[Hint], table: Option<&str>) -> LookupHints {
    let mut result = LookupHints::default();
    for hint in hints {
        let word = hint.name.name.to_ascii_uppercase();
        let named = option(hint, "table").map(|name| &*name.value);
        if word == "MINI_BATCH" && (named.is_none() || named == table) {
            result.mini_batch = mini_batch(hint);
        }
        if word != "LOOKUP" || named.is_none() || named != table {
            continue;
        }
        let text = |key: &str| option(hint, key).map(|value| &*value.value);
        result.shuffle = text("shuffle").is_some_and(|word| word.eq_ignore_ascii_case("true"));
        let [predicate, strategy, delay, attempts] = RETRY.map(text);
        if let (Some(predicate), Some(strategy), Some(delay), Some(attempts)) =
            (predicate, strategy, delay.and_then(parse_duration_ms), attempts)
        {
            let strategy = sg_value::case::upper(strategy);
            let retry = format!("{predicate}, {strategy}, {delay}ms, {attempts}");
            result.retry = Some(LookupRetry {
                text: Rc::from(retry),
                delay_ms: delay,
                attempts: attempts.trim().parse().unwrap_or(0),
            });
        }
    }
    result
}
