//! What a query cannot do: aggregates, grouping, sorting, joins, set operations.

super::codes! {
    NotGrouped, "not-grouped", Error, "group-aggregation",
        "`{expression}` is neither grouped nor aggregated.",
        "`{expression}` 既未分组也未聚合。";

    AggregateNotAllowed, "aggregate-not-allowed", Error, "group-aggregation",
        "{function} cannot stand in {clause}: it is computed from groups, which come later.",
        "{function} 不能出现在 {clause} 中：它由分组计算得出，而分组在其之后。"
        => "Filter groups with HAVING, or wrap the query in another SELECT.",
           "请用 HAVING 过滤分组，或在外面再套一层 SELECT。";

    NestedAggregate, "nested-aggregate", Error, "group-aggregation",
        "An argument of {function} is an aggregate itself.",
        "{function} 的参数本身也是聚合。"
        => "Compute the inner aggregate in a sub-query.",
           "请在子查询中计算内层聚合。";

    InQueryInOn, "in-query-in-on", Error, "regular-join",
        "This sub-query cannot stand in ON: Flink's planner fails on it.",
        "该子查询不能出现在 ON 中：Flink 的规划器会失败。"
        => "Filter with it in WHERE, or in a sub-query that is joined.",
           "请改在 WHERE 中过滤，或在被连接的子查询中过滤。";

    /// `a JOIN b ON a.k = b.k AND EXISTS (SELECT 1 FROM c WHERE c.k = a.k)`: a defect of Flink 2.3
    OnReadsRight, "on-reads-right", Warning, "regular-join",
        "Of the columns around a sub-query in ON, Flink 2.3 takes those of the right table that stand at the same place: a defect.",
        "对 ON 子查询引用的外层列，Flink 2.3 会取右表中相同位置的列：这是缺陷。"
        => "Filter with it in WHERE, or in a sub-query that is joined.",
           "请改在 WHERE 中过滤，或在被连接的子查询中过滤。";

    OverIsMissing, "over-is-missing", Error, "over-window",
        "{function} needs OVER (…): it numbers or compares rows within a window.",
        "{function} 需要 OVER (…)：它在窗口内为行编号或比较各行。";

    GroupingOutsideGroupBy, "grouping-outside-group-by", Error, "grouping-sets",
        "{function} tells grouping sets apart, and there is no GROUP BY here.",
        "{function} 用于区分分组集，而此处没有 GROUP BY。";

    TooManyGroupingSets, "too-many-grouping-sets", Error, "grouping-sets",
        "This GROUP BY has more than {limit} grouping sets.",
        "该 GROUP BY 的分组集超过 {limit} 个。";

    FilterWithoutAggregate, "filter-without-aggregate", Error, "group-aggregation",
        "FILTER belongs to an aggregate, and {function} is none.",
        "FILTER 只用于聚合，而 {function} 不是聚合。";

    FilterBeforeOver, "filter-before-over", Error, "over-window",
        "FILTER cannot stand between {function} and OVER.",
        "{function} 与 OVER 之间不能使用 FILTER。"
        => "Write {function}(CASE WHEN … THEN … END) OVER (…).",
           "请写成 {function}(CASE WHEN … THEN … END) OVER (…)。";

    /// `LAG(price, 1, 0)`
    DefaultOfAnotherType, "default-of-another-type", Error, "over-window",
        "The default of {function} is {type}, and its value is {wanted}.",
        "{function} 的默认值是 {type}，而取值是 {wanted}。"
        => "Write CAST(… AS {wanted}).",
           "请写成 CAST(… AS {wanted})。";

    /// `LISTAGG(name) WITHIN GROUP (ORDER BY age)`
    WithinGroup, "within-group", Error, "group-aggregation",
        "{function} takes its values in order of arrival: WITHIN GROUP is not allowed.",
        "{function} 按到达顺序取值，不允许 WITHIN GROUP。";

    /// `LISTAGG(name, separator)`
    ArgumentNotLiteral, "argument-not-literal", Error, "group-aggregation",
        "The second argument of {function} has to be a literal.",
        "{function} 的第二个参数必须是字面量。";

    StarArgument, "star-argument", Error, "function",
        "{function} does not take `*`.",
        "{function} 不接受 `*`。";

    StarWithoutFrom, "star-without-from", Error, "query",
        "`*` stands for all columns of FROM, and there is no FROM.",
        "`*` 表示 FROM 的所有列，而此处没有 FROM。";

    ConditionNotBoolean, "condition-not-boolean", Error, "condition",
        "{clause} takes a condition, and this is a {type}.",
        "{clause} 需要条件，而这里是 {type}。"
        => "Compare it with something: `= …`, `> …`, `IS NOT NULL`.",
           "请与某个值比较：`= …`、`> …`、`IS NOT NULL`。";

    SetColumnCount, "set-column-count", Error, "set-operation",
        "Both sides of {operation} need as many columns: the left has {left}, the right {right}.",
        "{operation} 两侧的列数必须相同：左侧 {left} 列，右侧 {right} 列。";

    SetColumnType, "set-column-type", Error, "set-operation",
        "Column {column} of {operation} is {left} on one side and {right} on the other.",
        "{operation} 的第 {column} 列一侧为 {left}，另一侧为 {right}。"
        => "Cast one of them.",
           "请转换其中之一的类型。";

    ValuesRowLength, "values-row-length", Error, "values",
        "The rows of VALUES have different lengths.",
        "VALUES 各行的长度不同。";

    ValuesTypes, "values-types", Error, "values",
        "Column {column} of VALUES mixes {types}.",
        "VALUES 的第 {column} 列混用了 {types}。"
        => "Cast the odd ones.",
           "请转换不一致的值。";

    /// Flink counts a match twice where the sink does not ask for before images
    JoinCountsDrift, "join-counts-drift", Warning, "regular-join",
        "The sink needs no before images, so an update reaches this join alone. Flink 2.3 then counts its match twice: after the delete the row without a match does not come back.",
        "结果表不需要更新前的行，因此更新单独到达该连接。Flink 2.3 会把同一匹配计数两次：删除之后，未匹配的行不会恢复。"
        => "A sink that takes before images gives the right result.",
           "使用接收更新前行的结果表可得到正确结果。";

    /// `WHERE x IN (SELECT a, b FROM t)`
    SubqueryColumns, "subquery-columns", Error, "sub-query",
        "The sub-query has {columns} columns, {wanted} can stand here.",
        "该子查询有 {columns} 列，此处只能为 {wanted} 列。";

    /// `UNNEST(5)`
    UnnestArgument, "unnest-argument", Error, "unnest",
        "UNNEST takes an ARRAY, a MAP or a MULTISET; this is {type}.",
        "UNNEST 只接受 ARRAY、MAP 或 MULTISET；此处为 {type}。";

    /// LATERAL with LIMIT over another table, a sub-query under OR with another condition than `=` …
    CorrelationLeft, "correlation-left", Error, "sub-query",
        "The sub-query reads columns of the query around it in a way that cannot become a join.",
        "该子查询引用外层查询的列，但无法改写为连接。"
        => "Compare them by `=` at the top of its WHERE, or write the join yourself.",
           "请在其 WHERE 顶层用 `=` 比较，或自行改写为连接。";

    UnknownWindow, "unknown-window", Error, "over-window",
        "There is no window `{window}` in the WINDOW clause.",
        "WINDOW 子句中没有窗口 `{window}`。"
        => "Declare it: `WINDOW {window} AS (PARTITION BY … ORDER BY …)`.",
           "请声明它：`WINDOW {window} AS (PARTITION BY … ORDER BY …)`。";

    /// `ROWS BETWEEN CURRENT ROW AND 1 PRECEDING`, `ROWS 1.5 PRECEDING`
    FrameNotAllowed, "frame-not-allowed", Error, "over-window",
        "`{frame}` is no frame here: a frame ends behind its beginning, ROWS counts whole rows, RANGE measures the one column of ORDER BY.",
        "`{frame}` 在此不是窗口帧：帧的终点在起点之后，ROWS 按整行计数，RANGE 沿 ORDER BY 的唯一一列度量。";

    TakesNoFrame, "takes-no-frame", Error, "over-window",
        "{function} takes no frame.",
        "{function} 不接受窗口帧。";

    /// `WINDOW w AS (ORDER BY a), v AS (w ORDER BY b)`
    WindowReference, "window-reference", Error, "over-window",
        "Window `{window}` is named once, and another made of it adds only an ORDER BY that it lacks.",
        "窗口 `{window}` 只能命名一次；由它构成的窗口只能补充它没有的 ORDER BY。";

    /// `OVER (w ROWS 1 PRECEDING)`: a defect of Flink 2.3
    FrameIsLost, "frame-is-lost", Warning, "over-window",
        "The bounds of this frame are lost beside the name of a window: a defect of Flink 2.3.",
        "此窗口帧的边界在窗口名旁会丢失：这是 Flink 2.3 的缺陷。"
        => "Write the whole window.",
           "请写出完整的窗口。";

    RowCountNotConstant, "row-count-not-constant", Error, "limit",
        "{clause} takes a number.",
        "{clause} 需要一个数字。";

    OverDescending, "over-descending", Error, "over-window",
        "A running window on a stream goes forward only: ORDER BY cannot be DESC.",
        "流上的滚动窗口只能向前：ORDER BY 不能为 DESC。"
        => "Order ascending, or filter on ROW_NUMBER() to get a Top-N.",
           "请改为升序，或过滤 ROW_NUMBER() 以得到 Top-N。";

    OverOneTimeColumn, "over-one-time-column", Error, "over-window",
        "A window needs exactly one column in ORDER BY, a time attribute such as `{column}`.",
        "窗口的 ORDER BY 必须恰好有一列，即 `{column}` 这样的时间属性。"
        => "Order by the event time: `ORDER BY {column}`.",
           "请按事件时间排序：`ORDER BY {column}`。";

    OverFollowing, "over-following", Error, "over-window",
        "A frame has to end at CURRENT ROW: what follows has not arrived yet.",
        "窗口帧必须止于 CURRENT ROW：之后的行尚未到达。";

    OverSeveralWindows, "over-several-windows", Error, "over-window",
        "All OVER windows of one SELECT have to be the same: partition, order and frame.",
        "同一 SELECT 中的所有 OVER 窗口必须相同：分区、排序与窗口帧。"
        => "Compute them in nested SELECTs, one window each.",
           "请用嵌套的 SELECT 分别计算，每层一个窗口。";

    OverFunctionNotInStreams, "over-function-not-in-streams", Error, "over-window",
        "{function} is not available on a stream: it would have to wait for rows to come.",
        "流中不支持 {function}：它需要等待尚未到达的行。";

    OverNeedsOrder, "over-needs-order", Error, "over-window",
        "{function} needs ORDER BY in its window.",
        "{function} 的窗口需要 ORDER BY。";

    OverBoundedNeedsTime, "over-bounded-needs-time", Error, "over-window",
        "A frame with a bound needs a time attribute in ORDER BY; `{column}` is none.",
        "有界窗口帧的 ORDER BY 需要时间属性，而 `{column}` 不是。";

    NotInBatchWindow, "not-in-batch-window", Error, "group-window",
        "A window of GROUP BY takes no {reason} in batch mode.",
        "批模式下，GROUP BY 的窗口不支持 {reason}。"
        => "Use a window function: FROM TABLE(TUMBLE(TABLE …)).",
           "请使用窗口表函数：FROM TABLE(TUMBLE(TABLE …))。";

    OverDistinctInBatch, "over-distinct-in-batch", Error, "over-window",
        "{function} of DISTINCT values is not available over a window in batch mode.",
        "批模式下，窗口上的 {function} 不支持 DISTINCT。"
        => "Take the duplicates out in a sub-query.",
           "请在子查询中去重。";

    OverRangeOfTimeInBatch, "over-range-of-time-in-batch", Error, "over-window",
        "In batch mode a RANGE with a bound needs a number in ORDER BY; `{column}` is none, and Flink fails when it runs.",
        "批模式下，有界 RANGE 的 ORDER BY 需要数值列；`{column}` 不是，Flink 在运行时会失败。"
        => "Order by the milliseconds as a number, or count ROWS.",
           "请按毫秒数值排序，或使用 ROWS。";

    OverTakesInserts, "over-takes-inserts", Error, "over-window",
        "A window ordered by time cannot take rows back: its input sends {kinds}.",
        "按时间排序的窗口无法撤回行：其输入会发送 {kinds}。";

    RankFunctionNotInStreams, "rank-function-not-in-streams", Error, "top-n",
        "{function}() makes no Top-N on a stream; ROW_NUMBER() does.",
        "流上的 Top-N 不支持 {function}()，请使用 ROW_NUMBER()。";

    /// Top-N or de-duplication per window of processing time.
    WindowRankInProcessingTime, "window-rank-in-processing-time", Error, "top-n",
        "A Top-N per window needs windows of event time.",
        "按窗口的 Top-N 需要事件时间窗口。";

    RankNeedsEnd, "rank-needs-end", Error, "top-n",
        "The places `{column}` have to be bounded from above: without it every row would be kept for ever.",
        "名次 `{column}` 必须有上界：否则每一行都要永远保留。"
        => "Add a condition such as `{column} <= 10`.",
           "请添加条件，例如 `{column} <= 10`。";

    RankEndBelowOne, "rank-end-below-one", Error, "top-n",
        "The last place is {end}, and places begin at 1.",
        "最后名次为 {end}，而名次从 1 开始。";

    SortNeedsTime, "sort-needs-time", Error, "order-by",
        "A stream can be sorted only by time, ascending: nobody knows when the smallest value has come.",
        "流只能按时间升序排序：无法得知最小值何时到达。"
        => "Put a time attribute first in ORDER BY, or add LIMIT to get a Top-N.",
           "请让 ORDER BY 以时间属性开头，或添加 LIMIT 以得到 Top-N。";

    LimitIsMissing, "limit-is-missing", Error, "limit",
        "OFFSET needs LIMIT on a stream.",
        "流上的 OFFSET 需要配合 LIMIT。";

    /// `SELECT id FROM t ORDER BY 5`
    OrdinalOutOfRange, "ordinal-out-of-range", Error, "order-by",
        "There is no column of that number.",
        "没有该序号的列。";

    /// `LIKE 'a%' ESCAPE 'ab'`
    EscapeNotOneCharacter, "escape-not-one-character", Error, "call",
        "ESCAPE takes one character.",
        "ESCAPE 只能是一个字符。";

    /// `SELECT id FROM t QUALIFY id > 1`
    QualifyNeedsWindow, "qualify-needs-window", Error, "over",
        "QUALIFY needs a function with OVER in its condition.",
        "QUALIFY 的条件中要有带 OVER 的函数。"
        => "Write a condition on columns into WHERE.",
           "对列的条件请写在 WHERE 中。";

    /// `EXPLAIN CREATE TABLE t (a INT)`
    NothingToExplain, "nothing-to-explain", Error, "execution-plan",
        "EXPLAIN takes a query, an INSERT, or CREATE TABLE … AS.",
        "EXPLAIN 只能用于查询、INSERT 或 CREATE TABLE … AS。";
}
