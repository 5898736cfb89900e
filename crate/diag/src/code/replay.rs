//! Events of a replay.

super::codes! {
    EventFieldUnknown, "event-field-unknown", Error, "event",
        "`{source}` has no column `{field}`.",
        "`{source}` 中没有列 `{field}`。";
}
