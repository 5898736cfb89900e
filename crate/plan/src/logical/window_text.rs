//! A window table function's call and columns in Calcite's words.

use sg_expr::{Charset, calcite_type};
use sg_value::{DataType, Gather as _, TimeKind, TypeKind};

use super::{LogicalNode, WindowTvfNode};
use crate::physical::node::{WindowKind, WindowSource};

/// `TUMBLE(TABLE(#0), DESCRIPTOR(_UTF-16LE'ts'), 60000:INTERVAL MINUTE)`; intervals have the words they are written
/// with.
pub fn invocation_text(node: &LogicalNode, tvf: &WindowTvfNode) -> String {
    let input = node.inputs.first().map_or(&[][..], |input| &input.schema);
    let time = match tvf.window.source {
        WindowSource::TimeColumn(column) => input.get(column as usize).map_or("", |field| &*field.name),
        WindowSource::Attached { .. } | WindowSource::SliceEnd(_) => "",
    };
    let (name, lengths, required) = match tvf.window.kind {
        WindowKind::Tumble { size_ms, offset_ms } => ("TUMBLE", vec![size_ms, offset_ms], 1),
        WindowKind::Hop {
            slide_ms,
            size_ms,
            offset_ms,
        } => ("HOP", vec![slide_ms, size_ms, offset_ms], 2),
        WindowKind::Cumulate {
            step_ms,
            max_size_ms,
            offset_ms,
        } => ("CUMULATE", vec![step_ms, max_size_ms, offset_ms], 2),
        WindowKind::Session { gap_ms } => ("SESSION", vec![gap_ms], 1),
        WindowKind::Dynamic { step_ms, gap_ms } => ("CUMULATE_DYNAMIC", vec![step_ms, gap_ms], 2),
    };
    let lengths: Vec<String> = lengths
        .iter()
        .enumerate()
        .filter(|(at, length)| *at < required || **length != 0)
        .map(|(at, length)| {
            let units = tvf.units.get(at).map_or("SECOND", |units| units);
            format!(", {length}:INTERVAL {units}")
        })
        .gather();
    let partition = if tvf.partition.is_empty() {
        String::new()
    } else {
        let keys: Vec<String> = tvf.partition.iter().map(|key| format!("${key}")).gather();
        format!(" PARTITION BY({})", keys.join(", "))
    };
    format!(
        "{name}(TABLE(#0){partition}, DESCRIPTOR(_UTF-16LE'{time}'){})",
        lengths.concat()
    )
}

/// `RecordType(INTEGER id, TIMESTAMP(3) *ROWTIME* ts)`
pub fn record_text<'n>(columns: impl IntoIterator<Item = (&'n str, DataType)>) -> String {
    let columns: Vec<String> = columns
        .into_iter()
        .map(|(name, data_type)| {
            let attribute = match data_type.kind {
                TypeKind::Timestamp { time, .. } | TypeKind::TimestampLtz { time, .. } => match time {
                    TimeKind::Regular => "",
                    TimeKind::Rowtime => " *ROWTIME*",
                    TimeKind::Proctime => " *PROCTIME*",
                },
                _ => "",
            };
            let plain = data_type.without_time_attribute();
            format!("{}{attribute} {name}", calcite_type(&plain, Charset::Hidden))
        })
        .gather();
    format!("RecordType({})", columns.join(", "))
}
