//! `SET 'key' = 'value'`: the options that planning and running read, with Flink's defaults.

use std::rc::Rc;

use indexmap::IndexMap;

/// Options that change plans or results.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Settings {
    /// `table.local-time-zone`; `UTC` unless set.
    pub zone: Rc<str>,
    /// `table.exec.state.ttl` in milliseconds; 0 keeps state for ever.
    pub state_ttl_ms: i64,
    /// `table.exec.source.idle-timeout` in milliseconds; 0 never.
    pub idle_timeout_ms: i64,
    /// `pipeline.auto-watermark-interval` in milliseconds; 0 after every row, which is the default here.
    pub watermark_interval_ms: i64,
    /// `table.optimizer.agg-phase-strategy`
    pub aggregate_phases: AggregatePhases,
    /// `table.exec.mini-batch.enabled`
    pub mini_batch: bool,
    /// Whether the planner sees that bundles are of use and places the marks that end them.
    pub mini_batch_marks: bool,
    /// `table.exec.mini-batch.allow-latency` in milliseconds.
    pub mini_batch_latency_ms: i64,
    /// `table.exec.mini-batch.size`; −1 unset.
    pub mini_batch_rows: i64,
    /// `table.optimizer.distinct-agg.split.enabled`
    pub split_distinct: bool,
    /// `table.optimizer.incremental-agg-enabled`
    pub incremental: bool,
    /// `table.exec.deduplicate.insert-update-after-sensitive-enabled`
    pub insert_after_sensitive: bool,
    /// `table.exec.emit.early-fire.enabled`
    pub early_fire: bool,
    /// `table.exec.emit.early-fire.delay` in milliseconds; `None` unset.
    pub early_fire_delay_ms: Option<i64>,
    /// `table.exec.emit.late-fire.enabled`
    pub late_fire: bool,
    /// `table.exec.emit.late-fire.delay` in milliseconds; `None` unset.
    pub late_fire_delay_ms: Option<i64>,
    /// `table.exec.emit.allow-lateness` in milliseconds; `None` unset.
    pub allow_lateness_ms: Option<i64>,
    /// `table.exec.sink.not-null-enforcer` = DROP
    pub drop_nulls_at_sinks: bool,
    /// `table.exec.sink.type-length-enforcer`
    pub sink_lengths: SinkLengths,
    /// `table.exec.sink.upsert-materialize`
    pub upsert_materialize: UpsertMaterialize,
    /// `table.exec.sink.require-on-conflict`
    pub require_on_conflict: bool,
    /// `table.optimizer.reuse-sub-plan-enabled`
    pub reuse_sub_plans: bool,
    /// `table.optimizer.reuse-sink-enabled`
    pub reuse_sinks: bool,
    /// `table.optimizer.multi-join.enabled`
    pub multi_join: bool,
    /// `execution.runtime-mode` = BATCH
    pub batch: bool,
    /// `table.exec.source.cdc-events-duplicate`
    pub duplicate_cdc_events: bool,
    /// `parallelism.default`
    pub parallelism: u32,
    /// `pipeline.max-parallelism`: number of key groups.
    pub max_parallelism: u32,
}

/// One or two phases of an aggregation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AggregatePhases {
    /// The planner chooses.
    #[default]
    Auto,
    /// Never local and global.
    OnePhase,
    /// Local and global where possible.
    TwoPhase,
}

/// When the history of each primary key is kept in front of an upsert sink.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpsertMaterialize {
    /// Where the query's upsert key is not the sink's primary key.
    #[default]
    Auto,
    /// Never.
    None,
    /// Wherever the sink has a primary key and takes no before images.
    Force,
}

/// What a sink does with text that is longer than its column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SinkLengths {
    /// Nothing.
    #[default]
    Ignore,
    /// Cuts and pads.
    TrimPad,
    /// The job fails.
    Error,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            zone: Rc::from("UTC"),
            state_ttl_ms: 0,
            idle_timeout_ms: 0,
            watermark_interval_ms: 0,
            aggregate_phases: AggregatePhases::Auto,
            mini_batch: false,
            mini_batch_marks: false,
            mini_batch_latency_ms: 0,
            mini_batch_rows: -1,
            split_distinct: false,
            incremental: true,
            insert_after_sensitive: true,
            early_fire: false,
            early_fire_delay_ms: None,
            late_fire: false,
            late_fire_delay_ms: None,
            allow_lateness_ms: None,
            drop_nulls_at_sinks: false,
            sink_lengths: SinkLengths::Ignore,
            upsert_materialize: UpsertMaterialize::Auto,
            require_on_conflict: true,
            reuse_sub_plans: true,
            reuse_sinks: true,
            multi_join: false,
            batch: false,
            duplicate_cdc_events: false,
            parallelism: 1,
            max_parallelism: 128,
        }
    }
}

/// What an option takes, for messages and completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `10 s`, `1 min`, `PT10S`, or a number of milliseconds.
    Duration,
    /// A whole number.
    Integer,
    /// `true` or `false`.
    Boolean,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A time zone id.
    Zone,
}

/// An option that is read.
#[derive(Clone, Copy, Debug)]
pub struct SettingDef {
    /// Its key.
    pub key: &'static str,
    /// What it takes.
    pub kind: OptionKind,
    /// Flink's default.
    pub default: &'static str,
    apply: fn(&mut Settings, &SettingValue),
}

/// A value that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SettingValue {
    /// Milliseconds or a number.
    Number(i64),
    Bool(bool),
    /// In capitals, or a zone as written.
    Word(String),
}

impl SettingValue {
    fn number(&self) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Bool(_) | Self::Word(_) => 0,
        }
    }

    fn count(&self) -> u32 {
        u32::try_from(self.number().max(1)).unwrap_or(1)
    }

    fn truth(&self) -> bool {
        *self == Self::Bool(true)
    }

    fn word(&self) -> &str {
        match self {
            Self::Word(word) => word,
            Self::Number(_) | Self::Bool(_) => "",
        }
    }
}

const fn row(
    key: &'static str,
    kind: OptionKind,
    default: &'static str,
    apply: fn(&mut Settings, &SettingValue),
) -> SettingDef {
    SettingDef {
        key,
        kind,
        default,
        apply,
    }
}

use OptionKind::{Boolean, Duration, Integer, Word, Zone};

/// Every option that is read. Others are accepted and have no effect, as in Flink.
pub static SETTINGS: &[SettingDef] = &[
    row("table.local-time-zone", Zone, "UTC", |to, value| {
        to.zone = Rc::from(value.word());
    }),
    row("table.exec.state.ttl", Duration, "0 ms", |to, value| {
        to.state_ttl_ms = value.number();
    }),
    row("table.exec.source.idle-timeout", Duration, "0 ms", |to, value| {
        to.idle_timeout_ms = value.number();
    }),
    row(
        "pipeline.auto-watermark-interval",
        Duration,
        "200 ms",
        |to, value| {
            to.watermark_interval_ms = value.number();
        },
    ),
    row(
        "table.optimizer.agg-phase-strategy",
        Word(&["AUTO", "ONE_PHASE", "TWO_PHASE"]),
        "AUTO",
        |to, value| {
            to.aggregate_phases = match value.word() {
                "ONE_PHASE" => AggregatePhases::OnePhase,
                "TWO_PHASE" => AggregatePhases::TwoPhase,
                _ => AggregatePhases::Auto,
            };
        },
    ),
    row("table.exec.mini-batch.enabled", Boolean, "false", |to, value| {
        to.mini_batch = value.truth();
    }),
    row(
        "table.exec.mini-batch.allow-latency",
        Duration,
        "0 ms",
        |to, value| {
            to.mini_batch_latency_ms = value.number();
        },
    ),
    row("table.exec.mini-batch.size", Integer, "-1", |to, value| {
        to.mini_batch_rows = value.number();
    }),
    row(
        "table.optimizer.distinct-agg.split.enabled",
        Boolean,
        "false",
        |to, value| {
            to.split_distinct = value.truth();
        },
    ),
    row(
        "table.optimizer.incremental-agg-enabled",
        Boolean,
        "true",
        |to, value| to.incremental = value.truth(),
    ),
    row(
        "table.exec.deduplicate.insert-update-after-sensitive-enabled",
        Boolean,
        "true",
        |to, value| to.insert_after_sensitive = value.truth(),
    ),
    row(
        "table.exec.emit.early-fire.enabled",
        Boolean,
        "false",
        |to, value| to.early_fire = value.truth(),
    ),
    row(
        "table.exec.emit.late-fire.enabled",
        Boolean,
        "false",
        |to, value| to.late_fire = value.truth(),
    ),
    row("table.exec.emit.early-fire.delay", Duration, "", |to, value| {
        to.early_fire_delay_ms = Some(value.number());
    }),
    row("table.exec.emit.late-fire.delay", Duration, "", |to, value| {
        to.late_fire_delay_ms = Some(value.number());
    }),
    row("table.exec.emit.allow-lateness", Duration, "", |to, value| {
        to.allow_lateness_ms = Some(value.number());
    }),
    row(
        "table.exec.sink.not-null-enforcer",
        Word(&["ERROR", "DROP"]),
        "ERROR",
        |to, value| {
            to.drop_nulls_at_sinks = value.word() == "DROP";
        },
    ),
    row(
        "table.exec.sink.type-length-enforcer",
        Word(&["IGNORE", "TRIM_PAD", "ERROR"]),
        "IGNORE",
        |to, value| {
            to.sink_lengths = match value.word() {
                "TRIM_PAD" => SinkLengths::TrimPad,
                "ERROR" => SinkLengths::Error,
                _ => SinkLengths::Ignore,
            };
        },
    ),
    row(
        "table.exec.sink.upsert-materialize",
        Word(&["AUTO", "NONE", "FORCE"]),
        "AUTO",
        |to, value| {
            to.upsert_materialize = match value.word() {
                "NONE" => UpsertMaterialize::None,
                "FORCE" => UpsertMaterialize::Force,
                _ => UpsertMaterialize::Auto,
            };
        },
    ),
    row(
        "table.optimizer.reuse-sub-plan-enabled",
        Boolean,
        "true",
        |to, value| {
            to.reuse_sub_plans = value.truth();
        },
    ),
    row(
        "table.optimizer.reuse-sink-enabled",
        Boolean,
        "true",
        |to, value| to.reuse_sinks = value.truth(),
    ),
    row(
        "table.optimizer.multi-join.enabled",
        Boolean,
        "false",
        |to, value| to.multi_join = value.truth(),
    ),
    row(
        "execution.runtime-mode",
        Word(&["STREAMING", "BATCH"]),
        "STREAMING",
        |to, value| {
            to.batch = value.word() == "BATCH";
        },
    ),
    row(
        "table.exec.sink.require-on-conflict",
        Boolean,
        "true",
        |to, value| {
            to.require_on_conflict = value.truth();
        },
    ),
    row(
        "table.exec.source.cdc-events-duplicate",
        Boolean,
        "false",
        |to, value| {
            to.duplicate_cdc_events = value.truth();
        },
    ),
    row("parallelism.default", Integer, "1", |to, value| {
        to.parallelism = value.count();
    }),
    row(
        "table.exec.resource.default-parallelism",
        Integer,
        "-1",
        |to, value| {
            if value.number() > 0 {
                to.parallelism = value.count();
            }
        },
    ),
    row("pipeline.max-parallelism", Integer, "128", |to, value| {
        to.max_parallelism = value.count();
    }),
];

impl Settings {
    /// Reads what `SET` has given; a value that cannot be read counts as not given ([`check`] reports it).
    pub fn read(given: &IndexMap<String, String>) -> Self {
        let mut settings = Self::default();
        for (key, value) in given {
            if let Some(def) = SETTINGS.iter().find(|def| def.key == key)
                && let Some(value) = parse(def.kind, value)
            {
                (def.apply)(&mut settings, &value);
            }
        }
        settings
    }
}

/// Whether the value fits the option; `Err` with the option's row where it does not. Unknown keys fit.
pub fn check(key: &str, value: &str) -> Result<(), &'static SettingDef> {
    match SETTINGS.iter().find(|def| def.key == key) {
        Some(def) if parse(def.kind, value).is_none() => Err(def),
        _ => Ok(()),
    }
}

fn parse(kind: OptionKind, text: &str) -> Option<SettingValue> {
    let text = text.trim();
    match kind {
        Duration => parse_duration_ms(text).map(SettingValue::Number),
        Integer => text.parse().ok().map(SettingValue::Number),
        Boolean if text.eq_ignore_ascii_case("true") => Some(SettingValue::Bool(true)),
        Boolean if text.eq_ignore_ascii_case("false") => Some(SettingValue::Bool(false)),
        Boolean => None,
        Word(words) => {
            let upper = text.to_ascii_uppercase();
            words
                .contains(&upper.as_str())
                .then_some(SettingValue::Word(upper))
        }
        Zone if text == "default" => Some(SettingValue::Word("UTC".to_owned())),
        Zone => sg_value::time::Zone::parse(text).map(|_| SettingValue::Word(text.to_owned())),
    }
}

/// Milliseconds of Flink's duration texts: `10`, `10 s`, `1min`, `2 days`, `PT1H30M`.
pub fn parse_duration_ms(text: &str) -> Option<i64> {
    const UNITS: [(&[&str], i64); 7] = [
        (&["", "ms", "milli", "millis", "millisecond", "milliseconds"], 1),
        (&["s", "sec", "secs", "second", "seconds"], 1_000),
        (&["m", "min", "minute", "minutes"], 60_000),
        (&["h", "hour", "hours"], 3_600_000),
        (&["d", "day", "days"], 86_400_000),
        (&["µs", "micro", "micros", "microsecond", "microseconds"], 0),
        (&["ns", "nano", "nanos", "nanosecond", "nanoseconds"], 0),
    ];
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let Some((number, unit)) = text
        .split_at_checked(digits)
        .filter(|(number, _)| !number.is_empty())
    else {
        return parse_iso_duration_ms(text);
    };
    let number: i64 = number.parse().ok()?;
    let unit = sg_value::case::lower(unit.trim());
    let (_, factor) = UNITS.iter().find(|(names, _)| names.contains(&unit.as_str()))?;
    match factor {
        0 if unit.starts_with('n') => Some(number / 1_000_000),
        0 => Some(number / 1_000),
        factor => number.checked_mul(*factor),
    }
}

/// `P1DT2H3M4S`
#[inline(never)]
fn parse_iso_duration_ms(text: &str) -> Option<i64> {
    let upper = text.to_ascii_uppercase();
    let mut rest = upper.strip_prefix('P')?;
    let mut total = 0_i64;
    let mut in_time = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('T') {
            in_time = true;
            rest = after;
            continue;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, after) = rest.split_at_checked(digits)?;
        let factor = match (after.as_bytes().first()?, in_time) {
            (b'D', false) => 86_400_000,
            (b'H', true) => 3_600_000,
            (b'M', true) => 60_000,
            (b'S', true) => 1_000,
            _ => return None,
        };
        total = total.checked_add(number.parse::<i64>().ok()?.checked_mul(factor)?)?;
        rest = after.get(1..)?;
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_as_flink_reads_them() {
        for (text, ms) in [
            ("10", 10),
            ("10 s", 10_000),
            ("1min", 60_000),
            ("2 days", 172_800_000),
            ("PT1M30S", 90_000),
        ] {
            assert_eq!(parse_duration_ms(text), Some(ms), "{text}");
        }
        assert_eq!(parse_duration_ms("soon"), None);
        assert_eq!(parse_duration_ms("10 fortnights"), None);
    }

    #[test]
    fn a_value_that_cannot_be_read_is_named() {
        assert_eq!(
            check("table.exec.state.ttl", "long").map_err(|def| def.key),
            Err("table.exec.state.ttl")
        );
        assert!(check("some.other.key", "anything").is_ok());
    }
}
