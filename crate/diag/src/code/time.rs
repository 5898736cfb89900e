//! Time attributes, watermarks, windows.

super::codes! {
    NotATimeAttribute, "not-a-time-attribute", Error, "time-attribute",
        "{function} needs a time attribute. `{column}` is a plain {type}: declare a WATERMARK for it.",
        "{function} 需要时间属性。`{column}` 只是普通 {type}，请为它声明 WATERMARK。";

    UnknownRowtimeColumn, "unknown-rowtime-column", Error, "watermark",
        "WATERMARK FOR names `{column}`, which is no column of the table.",
        "WATERMARK FOR 指定的 `{column}` 不是该表的列。";

    WatermarkOnProctime, "watermark-on-proctime", Error, "watermark",
        "`{column}` is a processing-time attribute: it has no watermark.",
        "`{column}` 是处理时间属性，没有水位线。";

    WatermarkColumnType, "watermark-column-type", Error, "watermark",
        "Event time is a TIMESTAMP or TIMESTAMP_LTZ with at most three digits; `{column}` is {type}.",
        "事件时间须为至多三位小数的 TIMESTAMP 或 TIMESTAMP_LTZ，而 `{column}` 是 {type}。"
        => "Declare it as TIMESTAMP(3), or add a computed column that casts it.",
           "请声明为 TIMESTAMP(3)，或添加转换它的计算列。";

    WatermarkExpressionType, "watermark-expression-type", Error, "watermark",
        "A watermark is a TIMESTAMP or TIMESTAMP_LTZ with at most three digits; this is {type}.",
        "水位线须为至多三位小数的 TIMESTAMP 或 TIMESTAMP_LTZ，而这里是 {type}。"
        => "For example `ts - INTERVAL '5' SECOND`.",
           "例如 `ts - INTERVAL '5' SECOND`。";

    WindowArgumentMissing, "window-argument-missing", Error, "window-tvf",
        "{function} lacks {parameter}: {form}.",
        "{function} 缺少 {parameter}：{form}。";

    WindowArgumentUnknown, "window-argument-unknown", Error, "window-tvf",
        "{function} has no such parameter: {form}.",
        "{function} 没有这个参数：{form}。";

    WindowPartition, "window-partition", Error, "window-tvf",
        "{function} takes each row by itself: PARTITION BY is for SESSION.",
        "{function} 逐行处理：PARTITION BY 只用于 SESSION。"
        => "Group by the key instead: GROUP BY key, window_start, window_end.",
           "请改为按键分组：GROUP BY key, window_start, window_end。";

    DescriptorMissing, "descriptor-missing", Error, "window-tvf",
        "The time column is named as DESCRIPTOR(column), not as `{text}`.",
        "时间列应写成 DESCRIPTOR(column)，而不是 `{text}`。";

    DescriptorColumns, "descriptor-columns", Error, "window-tvf",
        "DESCRIPTOR names one column.",
        "DESCRIPTOR 须指定一个列。";

    UnknownDescriptor, "unknown-descriptor", Error, "window-tvf",
        "There is no column `{column}` in the windowed table.",
        "窗口的输入表中没有列 `{column}`。";

    WindowInMonths, "window-in-months", Error, "window-tvf",
        "Windows are as long as days, hours, minutes or seconds say: months and years differ in length.",
        "窗口长度以天、小时、分钟或秒计：月和年的长度并不固定。";

    WindowLengthNotInterval, "window-length-not-interval", Error, "window-tvf",
        "Lengths of a window are interval literals: {function} is written as {form}.",
        "窗口长度须为间隔字面量：{function} 的写法为 {form}。";

    WindowSizeNotPositive, "window-size-not-positive", Error, "window-tvf",
        "The lengths of {function} have to be above zero.",
        "{function} 的各长度必须大于零。";

    WindowOffsetTooLarge, "window-offset-too-large", Error, "window-tvf",
        "The offset of {function} has to be smaller than its size.",
        "{function} 的偏移量必须小于窗口大小。";

    WindowSizeNotMultiple, "window-size-not-multiple", Error, "window-tvf",
        "The size of {function} has to be a multiple of its step.",
        "{function} 的窗口大小必须是步长的整数倍。";

    /// `SELECT TUMBLE(ts, INTERVAL '1' HOUR)`
    GroupWindowOutsideGroupBy, "group-window-outside-group-by", Error, "group-window",
        "{function} is a window to group by: it stands in GROUP BY, its bounds are {function}_START and {function}_END.",
        "{function} 是用于分组的窗口：只能出现在 GROUP BY 中，其边界为 {function}_START 和 {function}_END。";

    /// `TUMBLE_ROWTIME(pt, …)`
    GroupWindowWithoutRowtime, "group-window-without-rowtime", Error, "group-window",
        "{function} asks for event time, and this {window} is over processing time.",
        "{function} 需要事件时间，而该 {window} 基于处理时间。"
        => "Ask for the end of the window: `{window}_END`.",
           "请改用窗口结束时间：`{window}_END`。";

    /// `TUMBLE_PROCTIME(ts, …)` of an event-time window
    GroupWindowProctimeIsNull, "group-window-proctime-is-null", Warning, "group-window",
        "{function} of an event-time window is NULL: a defect of Flink 2.3, which gives it the type of the window's time.",
        "事件时间窗口的 {function} 为 NULL：这是 Flink 2.3 的缺陷，其类型与窗口的时间列相同。";

    /// `SELECT TUMBLE_START(ts, INTERVAL '5' SECOND) … GROUP BY TUMBLE(ts, INTERVAL '10' SECOND)`
    GroupWindowUnmatched, "group-window-unmatched", Error, "group-window",
        "{function} asks for a bound of a window that is not in GROUP BY: {window} with the same arguments is missing there.",
        "{function} 所指的窗口不在 GROUP BY 中：缺少参数相同的 {window}。";

    /// `GROUP BY TUMBLE(…), HOP(…)`
    GroupWindowTwice, "group-window-twice", Error, "group-window",
        "GROUP BY takes one window.",
        "GROUP BY 只能有一个窗口。";

    /// `GROUP BY GROUPING SETS ((TUMBLE(…)), (k, TUMBLE(…)))`
    GroupWindowInSets, "group-window-in-sets", Error, "group-window",
        "{function} in GROUP BY does not go with GROUPING SETS, ROLLUP or CUBE.",
        "GROUP BY 中的 {function} 不能与 GROUPING SETS、ROLLUP 或 CUBE 一起使用。"
        => "Use the window table function: its window_start and window_end may be in every set.",
           "请使用窗口表值函数：可在每个分组集中包含 window_start 和 window_end。";

    GroupWindowArguments, "group-window-arguments", Error, "group-window",
        "{function} in GROUP BY is written as {form}.",
        "GROUP BY 中的 {function} 应写成 {form}。";

    /// `GROUP BY TUMBLE(ts, INTERVAL '1' DAY, TIME '08:00:00')`
    GroupWindowAlignment, "group-window-alignment", Error, "group-window",
        "{function} in GROUP BY has no offset.",
        "GROUP BY 中的 {function} 没有偏移量。"
        => "The window table function has one as its last argument.",
           "窗口表值函数的最后一个参数即偏移量。";

    GroupWindowNotConstant, "group-window-not-constant", Error, "group-window",
        "The lengths of {function} are constants.",
        "{function} 的各长度必须是常量。";

    /// `table.exec.emit.*` that do not fit together.
    EmitStrategy, "emit-strategy", Error, "emit-strategy",
        "The options `table.exec.emit.*` do not fit this window: {reason}.",
        "选项 `table.exec.emit.*` 不适用于该窗口：{reason}。";

    /// `TUMBLE((SELECT … UNION ALL SELECT …), …)`
    FirstSelectOnly, "first-select-only", Warning, "window-tvf",
        "Of this sub-query Flink runs the first SELECT alone; the other rows are lost without a message.",
        "对于该子查询，Flink 只运行第一个 SELECT；其余的行会丢失，且没有任何提示。"
        => "Put the query into a view, and name it: `TABLE v`.",
           "请将该查询建为视图并引用它：`TABLE v`。";

    /// `SELECT * FROM TABLE(CUMULATE_DYNAMIC(…))`
    CumulateDynamicAlone, "cumulate-dynamic-alone", Unsupported, "window-tvf",
        "CUMULATE_DYNAMIC runs only under an aggregation by its PARTITION BY columns, window_start and window_end.",
        "CUMULATE_DYNAMIC 只能用于按其 PARTITION BY 列、window_start 与 window_end 分组的聚合。"
        => "Group by these columns, and test window columns in HAVING.",
           "请按这些列分组，并在 HAVING 中判断窗口列。";

    MisplacedTableArgument, "misplaced-table-argument", Error, "window-tvf",
        "TABLE and DESCRIPTOR are arguments of table functions in FROM.",
        "TABLE 与 DESCRIPTOR 只能作为 FROM 中表函数的参数。";

    TableWordMissing, "table-word-missing", Error, "window-tvf",
        "The first argument of {function} is a table: `TABLE {text}` or a query in parentheses.",
        "{function} 的第一个参数是表：`TABLE {text}` 或括号中的查询。";
}
