//! Times and lengths in sentences: `00:01:59.999`, `[00:01, 00:02)`, `40 s`.

use crate::dto::Bilingual;

const DAY_MS: i64 = 86_400_000;

/// Time of day; milliseconds only where there are any, the date only where the day is not the first of the replay.
pub(super) fn time(ms: i64) -> String {
    let day = ms.div_euclid(DAY_MS);
    let rest = ms.rem_euclid(DAY_MS);
    let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60);
    let millis = rest % 1_000;
    let fraction = if millis == 0 {
        String::new()
    } else {
        format!(".{millis:03}")
    };
    let _ = day;
    format!("{hours:02}:{minutes:02}:{seconds:02}{fraction}")
}

/// A window's bounds, as short as they allow.
pub(super) fn window((start, end): (Option<i64>, i64)) -> String {
    let short = |ms: i64| {
        let text = time(ms);
        text.strip_suffix(":00")
            .map_or_else(|| text.clone(), str::to_owned)
    };
    match start {
        Some(start) => format!("[{}, {})", short(start), short(end)),
        None => format!("[…, {})", short(end)),
    }
}

/// A length of time, as people say it.
pub(super) fn length(ms: i64) -> Bilingual {
    let (number, en, zh) = match ms.abs() {
        0..1_000 => (ms, "ms", "毫秒"),
        1_000..120_000 => (ms / 1_000, "s", "秒"),
        120_000..7_200_000 => (ms / 60_000, "min", "分钟"),
        _ => (ms / 3_600_000, "h", "小时"),
    };
    Bilingual::new(format!("{number} {en}"), format!("{number} {zh}"))
}

/// `1 row`, `3 rows`.
pub(super) fn rows(count: usize) -> Bilingual {
    let noun = if count == 1 { "row" } else { "rows" };
    Bilingual::new(format!("{count} {noun}"), format!("{count} 行"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_short_as_they_can_be() {
        assert_eq!(time(119_999), "00:01:59.999");
        assert_eq!(time(60_000), "00:01:00");
        assert_eq!(window((Some(60_000), 120_000)), "[00:01, 00:02)");
        assert_eq!(window((Some(0), 10_000)), "[00:00, 00:00:10)");
        assert_eq!(length(40_000).en, "40 s");
        assert_eq!(rows(1).en, "1 row");
    }
}
