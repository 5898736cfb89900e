//! Answers: why something has (not) happened, and what state costs.

use serde::Serialize;
use ts_rs::TS;

use super::diagnostic::Bilingual;

/// A card of the Why? panel.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct WhyCard {
    /// Stable id: `window-waits`, `late-dropped`, …
    pub id: String,
    /// Its colour.
    #[ts(type = "'wait' | 'fired' | 'alarm' | 'plain'")]
    pub tone: &'static str,
    /// The fact.
    pub heading: Bilingual,
    /// The explanation.
    pub body: Bilingual,
    /// Watermarks per partition against what is needed.
    pub gauge: Option<WhyGauge>,
    /// What can be tried.
    pub moves: Vec<WhyMove>,
    /// Whether nothing is open any more.
    pub resolved: bool,
}

/// Watermarks per partition against a needed value.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct WhyGauge {
    /// The watermark that would release it.
    #[ts(type = "number")]
    pub need_ms: i64,
    /// One bar per partition.
    pub partitions: Vec<GaugePartition>,
}

/// A partition in a gauge.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct GaugePartition {
    /// The table.
    pub table: String,
    /// The partition.
    pub partition: u32,
    /// Its watermark, if it has one.
    #[ts(type = "number | null")]
    pub watermark_ms: Option<i64>,
    /// Its part.
    #[ts(type = "'passed' | 'holds' | 'idle' | 'outside' | 'behind'")]
    pub status: &'static str,
}

/// Something a person can try, with its effect computed by running it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct WhyMove {
    /// How the page carries it out.
    pub act: MoveAct,
    /// What it does.
    pub label: Bilingual,
    /// What would come of it.
    pub effect: Bilingual,
}

/// How the page carries a move out.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "kebab-case", tag = "kind")]
#[ts(export)]
pub enum MoveAct {
    /// Mark a partition idle from a slot on.
    #[serde(rename_all = "camelCase")]
    Idle {
        /// The table.
        table: String,
        /// The partition.
        partition: u32,
        /// The arrival slot.
        from_slot: u32,
    },
    /// Show a slot.
    Seek {
        /// The arrival slot.
        slot: u32,
    },
    /// Let processing time pass.
    Wait {
        /// Milliseconds.
        #[ts(type = "number")]
        ms: i64,
    },
    /// Set the bound of out-of-orderness.
    OutOfOrderness {
        /// The table.
        table: String,
        /// Milliseconds.
        #[ts(type = "number")]
        ms: i64,
    },
    /// Insert an event.
    #[serde(rename_all = "camelCase")]
    Inject {
        /// The table.
        table: String,
        /// The partition.
        partition: u32,
        /// Event time it must at least have.
        #[ts(type = "number")]
        rowtime_ms: i64,
    },
}

/// The state bill of an operator.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export)]
pub struct StateBill {
    /// The operator.
    pub operator: u32,
    /// Its name.
    pub name: String,
    /// Entries now.
    pub entries: u32,
    /// Bytes now.
    pub bytes: f64,
    /// Most bytes so far.
    pub peak_bytes: f64,
    /// What its state will do.
    #[ts(type = "'bounded' | 'ttl' | 'keys' | 'unbounded' | 'none'")]
    pub verdict: &'static str,
    /// Who frees it.
    #[ts(type = "'none' | 'watermark' | 'ttl' | 'never'")]
    pub cleanup: &'static str,
    /// The product that predicts the bytes: keys × windows × bytes an entry.
    pub factors: Vec<BillFactor>,
    /// The product.
    pub predicted_bytes: f64,
    /// Growth per minute of processing time over the replay so far.
    pub slope_bytes_per_minute: f64,
    /// Bytes after a day at this slope (bounded: the peak).
    pub after_day_bytes: f64,
    /// Bytes after 30 days.
    pub after_month_bytes: f64,
}

/// A factor of a bill.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct BillFactor {
    /// What is counted.
    pub label: Bilingual,
    /// How many.
    pub value: f64,
    /// Whether it grows for ever.
    pub grows: bool,
}
