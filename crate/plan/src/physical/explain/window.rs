//! The texts of windows: `TUMBLE(time_col=[ts], size=[10 s])`.

use sg_value::Field;

use super::line::names;
use crate::physical::node::{WindowKind, WindowSource, WindowSpec};

/// A window over an input with these columns.
pub(super) fn window_text(window: &WindowSpec, partition: &[u32], columns: &[Field]) -> String {
    let name = |column: u32| names(&[column], columns);
    let source = match window.source {
        WindowSource::TimeColumn(column) => format!("time_col=[{}]", name(column)),
        WindowSource::SliceEnd(column) => format!("slice_end=[{}]", name(column)),
        WindowSource::Attached {
            start: Some(start),
            end,
        } => {
            format!("win_start=[{}], win_end=[{}]", name(start), name(end))
        }
        WindowSource::Attached { start: None, end } => format!("win_end=[{}]", name(end)),
    };
    let (word, sizes, offset_ms) = match window.kind {
        WindowKind::Tumble { size_ms, offset_ms } => {
            ("TUMBLE", format!("size=[{}]", duration(size_ms)), offset_ms)
        }
        WindowKind::Hop {
            slide_ms,
            size_ms,
            offset_ms,
        } => (
            "HOP",
            format!("size=[{}], slide=[{}]", duration(size_ms), duration(slide_ms)),
            offset_ms,
        ),
        WindowKind::Cumulate {
            step_ms,
            max_size_ms,
            offset_ms,
        } => (
            "CUMULATE",
            format!(
                "max_size=[{}], step=[{}]",
                duration(max_size_ms),
                duration(step_ms)
            ),
            offset_ms,
        ),
        WindowKind::Session { gap_ms } => ("SESSION", format!("gap=[{}]", duration(gap_ms)), 0),
        WindowKind::Dynamic { step_ms, gap_ms } => (
            "CUMULATE_DYNAMIC",
            format!("step=[{}], gap=[{}]", duration(step_ms), duration(gap_ms)),
            0,
        ),
    };
    let mut parts = vec![source, sizes];
    if offset_ms != 0 {
        parts.push(format!("offset=[{}]", duration(offset_ms)));
    }
    if !partition.is_empty() {
        parts.push(format!("partition keys=[{}]", names(partition, columns)));
    }
    format!("{word}({})", parts.join(", "))
}

/// A length in the largest unit that divides it: `10 s`, `1 d`.
fn duration(ms: i64) -> String {
    const UNITS: [(i64, &str); 4] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")];
    match UNITS.iter().find(|(unit_ms, _)| ms != 0 && ms % unit_ms == 0) {
        Some((unit_ms, word)) => format!("{} {word}", ms / unit_ms),
        None => format!("{ms} ms"),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn lengths_take_the_largest_unit_that_divides_them() {
        for (ms, text) in [
            (10_000, "10 s"),
            (90_000, "90 s"),
            (3_600_000, "1 h"),
            (604_800_000, "7 d"),
            (1_500, "1500 ms"),
            (-1_200_000, "-20 min"),
            (0, "0 ms"),
        ] {
            assert_eq!(duration(ms), text);
        }
    }
}
