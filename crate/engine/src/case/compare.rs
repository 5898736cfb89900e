//! How an output is compared with a record.
//!
//! The rows under one event are a multiset, because Flink does not fix the order in which keys fire; but in the
//! order given they have to be a valid changelog, unless the record itself breaks that rule (a few cases show Flink
//! doing so). Types, plan and error compare to the letter.

use std::collections::BTreeMap;

use sg_value::Gather as _;

use super::format::Case;
use super::run::Sections;

/// A section that is not as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The section's name.
    pub section: String,
    /// The first line or event that differs, with what was expected and what came.
    pub detail: String,
}

/// All sections of `sections` that are not as `case` records them, each with its first difference.
pub fn compare(case: &Case, sections: &Sections) -> Vec<Difference> {
    let mut differences = Vec::new();
    for name in ["error", "trace", "types", "plan"] {
        let (recorded, now) = (case.section(name), sections.get(name));
        let detail = match (recorded, now) {
            (None, None) => None,
            (Some(_), None) => Some("is missing".to_owned()),
            (None, Some(now)) => Some(format!(
                "was not recorded: {}",
                now.lines().next().unwrap_or_default()
            )),
            (Some(recorded), Some(now)) if name == "trace" => compare_traces(recorded, now),
            (Some(recorded), Some(now)) => compare_lines(recorded, now),
        };
        if let Some(detail) = detail {
            differences.push(Difference {
                section: name.to_owned(),
                detail,
            });
        }
    }
    differences
}

fn compare_lines(recorded: &str, now: &str) -> Option<String> {
    let (mut left, mut right) = (recorded.trim_end().lines(), now.trim_end().lines());
    let mut line = 0;
    loop {
        line += 1;
        match (left.next(), right.next()) {
            (None, None) => return None,
            (expected, came) if expected == came => {}
            (expected, came) => {
                let text = |side: Option<&str>| side.unwrap_or("(nothing)").to_owned();
                return Some(format!(
                    "line {line}\n  expected {}\n  came     {}",
                    text(expected),
                    text(came)
                ));
            }
        }
    }
}

/// The events of a trace with the rows under each.
fn blocks(trace: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in trace.lines() {
        match (line.strip_prefix("    "), blocks.last_mut()) {
            (Some(row), Some((_, rows))) => rows.push(row),
            _ => blocks.push((line, Vec::new())),
        }
    }
    blocks
}

fn compare_traces(recorded: &str, now: &str) -> Option<String> {
    let (left, right) = (blocks(recorded), blocks(now));
    for (at, (event, expected)) in left.iter().enumerate() {
        let Some((came_event, came)) = right.get(at) else {
            return Some(format!("ends before `{event}`"));
        };
        if came_event != event {
            return Some(format!("expected the event `{event}`, came `{came_event}`"));
        }
        let sorted = |rows: &[&str]| {
            let mut rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).gather();
            rows.sort();
            rows
        };
        let (expected_rows, came_rows) = (sorted(expected), sorted(came));
        if expected_rows != came_rows {
            return Some(format!(
                "under `{event}`\n  expected {}\n  came     {}",
                expected.join("  "),
                came.join("  ")
            ));
        }
    }
    if let Some((event, _)) = right.get(left.len()) {
        return Some(format!("goes on with `{event}`"));
    }
    if invalid_change(&left).is_none() {
        return invalid_change(&right).map(|row| format!("takes back what is not there: {row}"));
    }
    None
}

/// The first `-U` or `-D` that takes back a row that is not there, sinks counted apart.
fn invalid_change(blocks: &[(&str, Vec<&str>)]) -> Option<String> {
    let mut present: BTreeMap<String, i64> = BTreeMap::new();
    for row in blocks.iter().flat_map(|(_, rows)| rows) {
        let Some(bracket) = row.find('[') else { continue };
        let (head, cells) = row.split_at(bracket);
        let (sink, kind) = head.rsplit_once(' ').unwrap_or(("", head));
        let count = present.entry(format!("{sink} {cells}")).or_default();
        match kind {
            "+I" | "+U" => *count += 1,
            _ if *count > 0 => *count -= 1,
            _ => return Some((*row).to_owned()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_under_an_event_are_a_multiset() {
        let recorded = "t {}\n    +I[a, 1]\n    +I[b, 1]\nend";
        assert_eq!(
            compare_traces(recorded, "t {}\n    +I[b, 1]\n    +I[a, 1]\nend"),
            None
        );
        assert!(compare_traces(recorded, "t {}\n    +I[b, 1]\nend").is_some());
        assert!(compare_traces(recorded, "t {}\n    +I[b, 1]\n    +I[a, 1]").is_some());
    }

    #[test]
    fn a_row_cannot_be_taken_back_before_it_comes() {
        let recorded = "t {}\n    +I[a, 1]\n    -D[a, 1]\nend";
        let swapped = "t {}\n    -D[a, 1]\n    +I[a, 1]\nend";
        assert!(compare_traces(recorded, swapped).is_some_and(|why| why.contains("not there")));
        assert_eq!(
            compare_traces(swapped, swapped),
            None,
            "the record may break the rule itself"
        );
    }
}
