//! The cache of a table that is looked up, as its options declare it.
//!
//! Flink: `LookupOptions`, `DefaultLookupCache.fromConfig`, `PeriodicCacheReloadTrigger.fromConfig`. A wrong value is refused where
//! the table is looked up, not where it is declared.

use sg_diag::{Code, Diagnostic, LabelText, Span};

use crate::{catalog::Table, physical::timed::LookupCache, settings::parse_duration_ms};

/// The options of a cache, behind `lookup.`.
const MOST_KEYS: &str = "lookup.partial-cache.max-rows";
const IDLE: &str = "lookup.partial-cache.expire-after-access";
const AGE: &str = "lookup.partial-cache.expire-after-write";
const MISSING: &str = "lookup.partial-cache.cache-missing-key";
const STRATEGY: &str = "lookup.full-cache.reload-strategy";
const RELOAD: &str = "lookup.full-cache.periodic-reload.interval";

/// What is remembered of a table that is looked up at `site`; else what is wrong with its options, or a warning that it has no
/// such cache.
pub(super) fn of_table(table: &Table, site: Span) -> Result<Option<LookupCache>, Box<Diagnostic>> {
    let options = Options { table, site };
    let mode = options.read("lookup.cache", |word| among(word, &["NONE", "PARTIAL", "FULL"]))?;
    let forever = LookupCache {
        keys: u64::MAX,
        idle_ms: i64::MAX,
        age_ms: i64::MAX,
        missing: true,
        reload_ms: 0,
    };
    match mode {
        Some(1) => {
            let (keys, idle) = (
                options.read(MOST_KEYS, count)?,
                options.read(IDLE, parse_duration_ms)?,
            );
            let age = options.read(AGE, parse_duration_ms)?;
            if keys.or(idle).or(age).is_none() {
                return Err(options.lacks(MOST_KEYS, &format!(
                    "Missing '{IDLE}', '{AGE}' or '{MOST_KEYS}' in the configuration. The cache will not have evictions under \
                     this configuration and could lead to potential memory issues as the cache size may grow indefinitely."
                )));
            }
            Ok(Some(LookupCache {
                keys: keys.map_or(u64::MAX, i64::cast_unsigned),
                idle_ms: idle.unwrap_or(i64::MAX),
                age_ms: age.unwrap_or(i64::MAX),
                missing: options.read(MISSING, boolean)? != Some(0),
                ..forever
            }))
        }
        // The connector takes the word and does not use it.
        Some(2) if table.connector() == Some("jdbc") => Err(Box::new(
            Diagnostic::new(Code::LookupCacheNotRun, site).arg("table", &table.name),
        )),
        Some(2) => {
            let strategy = options.read(STRATEGY, |word| among(word, &["PERIODIC", "TIMED"]))?;
            if strategy == Some(1) {
                return Err(Box::new(
                    Diagnostic::new(Code::NotSupported, site)
                        .arg("feature", format!("'{STRATEGY}' = 'TIMED'")),
                ));
            }
            match options.read(RELOAD, parse_duration_ms)? {
                Some(reload_ms) if reload_ms > 0 => Ok(Some(LookupCache { reload_ms, ..forever })),
                Some(_) => Err(options.wrong(RELOAD)),
                None => Err(options.lacks(RELOAD, &format!(
                    "Missing '{RELOAD}' in the configuration. This option is required to build Periodic cache reload trigger."
                ))),
            }
        }
        _ => Ok(None),
    }
}

fn count(text: &str) -> Option<i64> {
    text.trim().parse().ok().filter(|count| *count >= 0)
}

fn boolean(text: &str) -> Option<i64> {
    among(text, &["false", "true"])
}

/// The number of a word among these.
fn among(text: &str, words: &[&str]) -> Option<i64> {
    (0..)
        .zip(words)
        .find_map(|(at, word)| text.eq_ignore_ascii_case(word).then_some(at))
}

struct Options<'t> {
    table: &'t Table,
    site: Span,
}

impl Options<'_> {
    /// The value of an option, if it is given.
    fn read(&self, key: &str, parse: fn(&str) -> Option<i64>) -> Result<Option<i64>, Box<Diagnostic>> {
        match self.table.options.get(key) {
            Some(text) => parse(text).map(Some).ok_or_else(|| self.wrong(key)),
            None => Ok(None),
        }
    }

    fn wrong(&self, key: &str) -> Box<Diagnostic> {
        let value = self.table.options.get(key).map_or("", String::as_str);
        let written = self.table.option_spans.get(key).map(|option| option.value);
        Box::new(
            Diagnostic::new(Code::BadOptionValue, written.unwrap_or(self.site))
                .arg("option", key)
                .arg("value", value)
                .label(self.site, LabelText::NeededHere)
                .flink(format!(
                    "IllegalArgumentException: Could not parse value '{value}' for key '{key}'."
                )),
        )
    }

    fn lacks(&self, key: &str, cause: &str) -> Box<Diagnostic> {
        Box::new(
            Diagnostic::new(Code::OptionMissing, self.site)
                .arg("option", key)
                .arg("connector", self.table.connector().unwrap_or_default())
                .flink(format!("IllegalArgumentException: {cause}")),
        )
    }
}
