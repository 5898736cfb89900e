//! The same queries, evaluated from scratch over rows that lie there: no state, no watermarks, no changelog.

use std::collections::{BTreeMap, BTreeSet};

use crate::stream::{BOUND_MS, Event, Query, Row};

/// A result as a multiset of printed rows.
pub(crate) type Result = BTreeMap<String, i64>;

/// What the query has to give in the end.
pub(crate) fn evaluate(query: &Query, events: &[Event]) -> Result {
    let rows = remaining(query, events);
    let mut groups: BTreeMap<(Option<i64>, Option<&str>), Vec<&Row>> = BTreeMap::new();
    for row in &rows {
        if query.filter.is_some_and(|bound| row.v.is_none_or(|v| v <= bound)) {
            continue;
        }
        let window = query.window_ms.map(|size| row.ts.div_euclid(size) * size);
        let key = (window, if query.keyed { row.k } else { None });
        groups.entry(key).or_default().push(row);
    }
    let mut result = Result::new();
    for ((window, key), rows) in groups {
        let mut cells = Vec::new();
        if let (Some(start), Some(size)) = (window, query.window_ms) {
            cells.extend([time(start), time(start + size)]);
        }
        if query.keyed {
            cells.push(key.unwrap_or("null").to_owned());
        }
        cells.extend(query.aggregates.iter().map(|call| aggregate(call, &rows)));
        *result.entry(format!("[{}]", cells.join(", "))).or_default() += 1;
    }
    result
}

/// Rows that were not deleted, and for a window those that did not come after it was sealed.
fn remaining(query: &Query, events: &[Event]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut watermark = i64::MIN;
    for event in events {
        if event.deleted {
            rows.retain(|row| *row != event.row);
            continue;
        }
        let sealed = query.window_ms.is_some_and(|size| {
            let end = event.row.ts.div_euclid(size) * size + size;
            watermark >= end - 1
        });
        if !sealed {
            rows.push(event.row.clone());
        }
        watermark = watermark.max(event.row.ts - BOUND_MS);
    }
    rows
}

fn aggregate(call: &str, rows: &[&Row]) -> String {
    let values: Vec<i64> = rows.iter().filter_map(|row| row.v).collect();
    let shown = |value: Option<i64>| value.map_or_else(|| "null".to_owned(), |value| value.to_string());
    match call {
        "COUNT(*)" => rows.len().to_string(),
        "COUNT(v)" => values.len().to_string(),
        "COUNT(DISTINCT v)" => values.iter().collect::<BTreeSet<_>>().len().to_string(),
        "SUM(v)" => shown((!values.is_empty()).then(|| values.iter().sum())),
        "MIN(v)" => shown(values.iter().min().copied()),
        "MAX(v)" => shown(values.iter().max().copied()),
        "AVG(v)" => {
            let count = i64::try_from(values.len()).unwrap();
            shown((count > 0).then(|| values.iter().sum::<i64>() / count))
        }
        other => panic!("{other}"),
    }
}

/// As a TIMESTAMP(3) prints: seconds only where there are any.
fn time(ms: i64) -> String {
    let (minutes, seconds, millis) = (
        ms.div_euclid(60_000),
        ms.rem_euclid(60_000) / 1_000,
        ms.rem_euclid(1_000),
    );
    let (day, minutes) = if minutes < 0 {
        ("2023-12-31", minutes + 1_440)
    } else {
        ("2024-01-01", minutes)
    };
    let mut text = format!("{day}T{:02}:{:02}", minutes / 60, minutes % 60);
    if seconds > 0 || millis > 0 {
        text = format!("{text}:{seconds:02}");
    }
    if millis > 0 {
        text = format!("{text}.{millis:03}");
    }
    text
}
