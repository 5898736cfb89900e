//! What stops a running job.

super::codes! {
    /// A row whose event time is NULL reaches the watermark or a window.
    RowtimeIsNull, "rowtime-is-null", Error, "event-time",
        "A row arrived whose event time is NULL. Flink fails the job.",
        "有一行数据的事件时间为 NULL，Flink 会使作业失败。"
        => "Give the column a value before the watermark sees it, or filter such rows out at the source.",
           "请在计算水位线之前为该列赋值，或在源端过滤掉这样的行。";

    /// `table.exec.sink.not-null-enforcer` = `ERROR`
    NullIntoNotNull, "null-into-not-null", Error, "sink",
        "Column `{column}` of `{sink}` is NOT NULL, and a row has NULL there. Flink fails the job.",
        "结果表 `{sink}` 的列 `{column}` 为 NOT NULL，而有一行的该列为 NULL，Flink 会使作业失败。"
        => "With 'table.exec.sink.not-null-enforcer' = 'DROP' such rows are left out in silence.",
           "若设置 'table.exec.sink.not-null-enforcer' = 'DROP'，这样的行会被静默丢弃。";

    /// `table.exec.sink.type-length-enforcer` = `ERROR`
    TooLongForColumn, "too-long-for-column", Error, "sink",
        "Column `{column}` of `{sink}` is {type}, and a row has a value of length {length} there. The enforcer fails the job.",
        "结果表 `{sink}` 的列 `{column}` 类型为 {type}，而有一行的值长度为 {length}，长度检查会使作业失败。"
        => "With 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD' values are cut and padded.",
           "若设置 'table.exec.sink.type-length-enforcer' = 'TRIM_PAD'，值会被截断或补齐。";

    /// ON CONFLICT DO ERROR
    SinkKeyConflict, "sink-key-conflict", Error, "sink",
        "Two rows have the same key of the sink: {key}. Flink fails the job.",
        "两行数据的结果表主键相同：{key}，Flink 会使作业失败。"
        => "ON CONFLICT DO NOTHING keeps the first one, ON CONFLICT DO DEDUPLICATE the last one.",
           "ON CONFLICT DO NOTHING 保留先到的一行，ON CONFLICT DO DEDUPLICATE 保留后到的一行。";

    /// `WHERE x > (SELECT y FROM b)` where `b` has two rows
    SecondSingleValue, "second-single-value", Error, "sub-query",
        "The sub-query stands for one value and has found a second row. Flink fails the job.",
        "该子查询应只返回一个值，却出现了第二行，Flink 会使作业失败。"
        => "Aggregate in it (`MAX`, `LAST_VALUE`), or join the table.",
           "请在子查询中聚合（`MAX`、`LAST_VALUE`），或改用连接。";

    /// `LAG(v) OVER (… ORDER BY v)`, and a row that comes before others
    OverCannotCompare, "over-cannot-compare", Error, "over",
        "This row changes results behind it, and Flink 2.3 cannot compare the lists in their state: the job fails.",
        "此行会改变其后的结果，而 Flink 2.3 无法比较状态中的列表：作业失败。"
        => "Order by time, or aggregate without lists.",
           "请按时间排序，或使用不含列表的聚合。";

    UnnestNullRow, "unnest-null-row", Error, "unnest",
        "UNNEST WITH ORDINALITY has met a NULL in place of a row. Flink 2.3 makes a row of the wrong width of it and fails the job.",
        "UNNEST WITH ORDINALITY 遇到一个代替行的 NULL。Flink 2.3 会由此产生列数错误的行，并使作业失败。"
        => "Keep NULL out of the array, or leave WITH ORDINALITY away.",
           "请避免数组中出现 NULL，或不使用 WITH ORDINALITY。";

    StateLimit, "state-limit", Error, "limit",
        "The state has more than {limit} entries. The run stops here, so that the page stays alive.",
        "状态条目超过 {limit} 个，运行在此停止，以免页面失去响应。"
        => "A window, a TTL ('table.exec.state.ttl') or fewer keys keep state bounded.",
           "使用窗口、TTL（'table.exec.state.ttl'）或更少的键可以限制状态大小。";

    StepLimit, "step-limit", Error, "limit",
        "One arrival made more than {limit} changes. The run stops here, so that the page stays alive.",
        "一次到达产生的变更超过 {limit} 条，运行在此停止，以免页面失去响应。";

    RunLimit, "run-limit", Error, "limit",
        "The run made more than {limit} changes. It stops here, so that the page stays alive.",
        "本次运行产生的变更超过 {limit} 条，在此停止，以免页面失去响应。";

    /// The plan can be shown, but not run.
    OperatorDoesNotRun, "operator-does-not-run", Unsupported, "operator",
        "{operator} is planned, but Streamglass does not run it yet.",
        "{operator} 可以生成计划，但 Streamglass 暂不支持运行。";
}
