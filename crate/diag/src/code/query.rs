//! What a query cannot do: aggregates, grouping, sorting, joins, set operations.

super::codes! {
    NotGrouped, "not-grouped", Error, "group-aggregation",
        "`{expression}` is neither grouped nor aggregated.",
        "`{expression}` 既未分组也未聚合。";
}
