//! What planning finds out behind the binder: settings, changelog modes, keys, operators that are missing.

super::codes! {
    BadSettingValue, "bad-setting-value", Error, "setting",
        "`{key}` is set to `{value}`; it takes {expected}.",
        "`{key}` 的值为 `{value}`，可取的值为 {expected}。";

    /// `table.exec.mini-batch.enabled` without `table.exec.mini-batch.size`
    MiniBatchSizeMissing, "mini-batch-size-missing", Error, "mini-batch",
        "Mini-batches need `table.exec.mini-batch.size`: the number of rows after which a batch is worked off.",
        "微批需要设置 `table.exec.mini-batch.size`：达到该行数后处理一个批次。"
        => "Add `SET 'table.exec.mini-batch.size' = '1000'`.",
           "请添加 `SET 'table.exec.mini-batch.size' = '1000'`。";

    /// `table.exec.mini-batch.enabled` without `table.exec.mini-batch.allow-latency`
    MiniBatchLatencyMissing, "mini-batch-latency-missing", Error, "mini-batch",
        "Mini-batches need `table.exec.mini-batch.allow-latency`: the time after which a batch is worked off.",
        "微批需要设置 `table.exec.mini-batch.allow-latency`：超过该时间后处理一个批次。"
        => "Add `SET 'table.exec.mini-batch.allow-latency' = '1 s'`.",
           "请添加 `SET 'table.exec.mini-batch.allow-latency' = '1 s'`。";

    /// `SET 'execution.runtime-mode' = 'BATCH'`
    BatchPlan, "batch-plan", Warning, "batch",
        "In batch mode the result comes once, at the end of the input. The plan shows Flink's batch operators; streaming operators compute it.",
        "批处理模式下结果在输入结束时一次给出。计划显示 Flink 的批处理算子，实际由流算子计算。";

    BatchChangelogSource, "batch-changelog-source", Error, "batch",
        "Batch mode reads inserts only, and `{table}` updates or deletes rows.",
        "批处理模式只能读取插入，而 `{table}` 会更新或删除行。";

    OperatorNotSupported, "operator-not-supported", Unsupported, "plan",
        "Flink runs this part as `{operator}`, which Streamglass does not have yet.",
        "Flink 用 `{operator}` 执行这一部分，Streamglass 暂不支持该算子。";

    /// `table.exec.source.cdc-events-duplicate` with a source without PRIMARY KEY
    RepeatingSourceNeedsKey, "repeating-source-needs-key", Error, "changelog",
        "`{table}` may repeat its events (`table.exec.source.cdc-events-duplicate`), so it needs a primary key to know which row is meant.",
        "`{table}` 可能重复发送事件（`table.exec.source.cdc-events-duplicate`），需要主键才能确定所指的行。"
        => "Add `PRIMARY KEY (…) NOT ENFORCED`, or set `table.exec.source.cdc-events-duplicate` to `false`.",
           "请添加 `PRIMARY KEY (…) NOT ENFORCED`，或将 `table.exec.source.cdc-events-duplicate` 设为 `false`。";

    /// An `upsert-kafka` table with a watermark and computed columns.
    TombstonesBelowWatermark, "tombstones-below-watermark", Error, "changelog",
        "This source deletes by key alone, and something is computed between it and its watermark: Flink's planner fails here.",
        "该源表的删除消息只含主键，且源表与水位线之间还有计算列：Flink 的优化器会在此失败。"
        => "Compute the columns in the query instead of the table, or take the event time from a column as it is.",
           "请在查询中而不是在表中计算这些列，或直接以已有列作为事件时间。";

    /// `'changelog-mode' = 'I,UA,D'` without PRIMARY KEY
    UpsertSourceNeedsKey, "upsert-source-needs-key", Error, "changelog",
        "`{table}` sends `+U` without `-U`, so it needs a primary key to know which row is meant.",
        "`{table}` 只发送 `+U` 而没有 `-U`，需要主键才能确定所指的行。"
        => "Add `PRIMARY KEY (…) NOT ENFORCED`, or let the source send `-U` as well.",
           "请添加 `PRIMARY KEY (…) NOT ENFORCED`，或让源表同时发送 `-U`。";

    /// An interval join, a window join … over rows that change
    NodeTakesInserts, "node-takes-inserts", Error, "changelog",
        "`{node}` only takes rows that are added; here rows come as {kinds}.",
        "`{node}` 只接受新增的行，而这里会出现 {kinds}。"
        => "Join before the rows are aggregated, or read the changes of the table as an append-only log.",
           "请在聚合之前进行关联，或将该表的变更作为仅追加日志读取。";

    /// `a.pt BETWEEN b.pt - …` with an event-time column in either input
    ProctimeIntervalJoinWithRowtime, "proctime-interval-join-with-rowtime", Error, "join",
        "An interval join by processing time cannot have event-time columns in its inputs.",
        "按处理时间进行区间关联时，输入中不能有事件时间列。"
        => "Cast the event-time columns to plain timestamps before the join.",
           "请在关联之前把事件时间列转换为普通时间戳。";

    /// `a.ts BETWEEN b.ltz - …`
    RowtimesOfTwoKinds, "rowtimes-of-two-kinds", Error, "join",
        "An interval join needs event times of the same type on both sides.",
        "区间关联要求两侧的事件时间类型相同。";

    /// A window join over windows of processing time
    ProctimeWindowJoin, "proctime-window-join", Error, "join",
        "Windows of processing time cannot be joined.",
        "处理时间窗口不能进行窗口关联。"
        => "Use windows of event time.",
           "请使用事件时间窗口。";

    /// `FOR SYSTEM_TIME AS OF` event time without an equality
    TemporalJoinNeedsEquality, "temporal-join-needs-equality", Error, "join",
        "A temporal join needs an equality on the key of the versioned table.",
        "时态关联需要对版本表的主键做等值比较。"
        => "Compare the primary key of the versioned table in ON.",
           "请在 ON 中比较版本表的主键。";

    /// `FOR SYSTEM_TIME AS OF` event time of a table without a key, or not compared by it
    TemporalJoinNeedsKey, "temporal-join-needs-key", Error, "join",
        "The versioned table needs a primary key, and the condition has to compare all of it.",
        "版本表需要主键，且关联条件必须比较完整的主键。"
        => "Declare `PRIMARY KEY (…) NOT ENFORCED` and compare these columns in ON, or keep the last row per key by ROW_NUMBER().",
           "请声明 `PRIMARY KEY (…) NOT ENFORCED` 并在 ON 中比较这些列，或用 ROW_NUMBER() 保留每个键的最后一行。";

    /// `FOR SYSTEM_TIME AS OF` processing time of something that cannot be looked up
    ProctimeTemporalJoin, "proctime-temporal-join", Error, "join",
        "By processing time only a table can be joined that its connector can look up.",
        "按处理时间只能关联其连接器支持点查的表。"
        => "Join by event time, or name a table instead of a view.",
           "请按事件时间关联，或使用表而不是视图。";

    /// A lookup join without an equality on a column of the table
    LookupNeedsEquality, "lookup-needs-equality", Error, "join",
        "A lookup needs an equality on a column of `{table}`.",
        "点查需要对 `{table}` 的某一列做等值比较。"
        => "Compare a column of the table with a left column or a constant by `=`.",
           "请用 `=` 将该表的某一列与左侧列或常量比较。";

    /// `FOR SYSTEM_TIME AS OF` something that is no time attribute of the left side
    VersionOfNoTimeAttribute, "version-of-no-time-attribute", Error, "join",
        "FOR SYSTEM_TIME AS OF needs a time attribute of the left table.",
        "FOR SYSTEM_TIME AS OF 需要左表的时间属性列。"
        => "Declare a WATERMARK for the column, or add a column `pt AS PROCTIME()` to the left table.",
           "请为该列声明 WATERMARK，或在左表中添加 `pt AS PROCTIME()` 列。";

    /// `RIGHT JOIN … FOR SYSTEM_TIME AS OF …`
    TemporalJoinKind, "temporal-join-kind", Error, "join",
        "A join with FOR SYSTEM_TIME AS OF or UNNEST can be INNER or LEFT, not {kind}.",
        "带 FOR SYSTEM_TIME AS OF 或 UNNEST 的关联只能是 INNER 或 LEFT，不能是 {kind}。"
        => "Swap the sides, or write LEFT JOIN.",
           "请交换两侧，或改用 LEFT JOIN。";

    /// `FOR SYSTEM_TIME AS OF` event time of a table without event time
    VersionsNeedRowtime, "versions-need-rowtime", Error, "join",
        "The versioned table needs an event time: from when on a row is valid.",
        "版本表需要事件时间，用于说明每一行从何时起有效。"
        => "Declare `WATERMARK FOR …` on a timestamp column of the table.",
           "请在该表的时间戳列上声明 `WATERMARK FOR …`。";

    /// `HOP(…, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE)` with an aggregation
    HopSizeNotAMultiple, "hop-size-not-a-multiple", Error, "window",
        "An aggregation over HOP needs a size ({size} ms) that is a multiple of the slide ({slide} ms).",
        "对 HOP 窗口聚合时，窗口长度（{size} 毫秒）必须是滑动步长（{slide} 毫秒）的整数倍。";

    /// `table.exec.emit.early-fire.enabled` with a window table function
    EmitStrategyOfLegacyWindows, "emit-strategy-of-legacy-windows", Error, "window",
        "`table.exec.emit.early-fire` and `late-fire` are for windows in GROUP BY, not for window table functions.",
        "`table.exec.emit.early-fire` 与 `late-fire` 用于 GROUP BY 中的窗口，不用于窗口表值函数。";

    /// `FIRST_VALUE` in a HOP, CUMULATE or SESSION window
    WindowNeedsMerge, "window-needs-merge", Error, "window",
        "{function} does not run in a HOP, CUMULATE or SESSION window: such a window merges its parts, and Flink cannot merge {function}.",
        "{function} 不能用于 HOP、CUMULATE 或 SESSION 窗口：这类窗口需要合并各部分，而 Flink 无法合并 {function}。"
        => "Use a TUMBLE window, or MIN and MAX instead.",
           "请改用 TUMBLE 窗口，或以 MIN、MAX 代替。";

    /// `SUM(DISTINCT x)` over HOP
    DistinctInHop, "distinct-in-hop", Error, "window",
        "{function}(DISTINCT …) does not run in a HOP window: Flink takes the values of a slice back there, and its {function} cannot.",
        "{function}(DISTINCT …) 不能用于 HOP 窗口：Flink 在此需要撤回切片中的值，而其 {function} 做不到。"
        => "Use a TUMBLE or CUMULATE window, or AVG(DISTINCT …) and COUNT(DISTINCT …), which can.",
           "请改用 TUMBLE 或 CUMULATE 窗口，或使用可以撤回的 AVG(DISTINCT …) 与 COUNT(DISTINCT …)。";

    /// `ROW_NUMBER() OVER (… ORDER BY price) … rn = 1`: a defect of Flink 2.3
    TopOneInsertsOnly, "top-one-inserts-only", Warning, "top-n",
        "Flink 2.3 plans this Top-1 as if it only inserted: a better row comes as +U without -U, and whatever counts or sums above it counts both.",
        "Flink 2.3 将此 Top-1 视为只插入：更优的行以 +U 输出而没有 -U，其上的计数与求和会把两行都算入。"
        => "Sort by exactly one column DESC, or keep two rows (`rn <= 2`) and filter above.",
           "请只按一列 DESC 排序，或保留两行（`rn <= 2`）再在外层过滤。";

    /// `ORDER BY MAX(v) DESC … rn = 1` with further columns: a defect of Flink 2.3
    TopOneHidesUpdates, "top-one-hides-updates", Warning, "top-n",
        "Flink 2.3 shows a new version of the first row only if its sort key got better: updates of its other columns stay hidden.",
        "Flink 2.3 仅在排序键变优时才输出首行的新版本：其他列的更新不会显示。"
        => "Keep two rows (`rn <= 2`): then all updates come.",
           "请保留两行（`rn <= 2`），这样会输出所有更新。";

    /// `rn = 2`, or LIMIT with OFFSET, over rows that are taken back: a defect of Flink 2.3
    OffsetKeepsGhosts, "offset-keeps-ghosts", Warning, "top-n",
        "Places that begin above 1 are wrong in Flink 2.3 where rows are taken back: a row that was moved is not found again and stays as a ghost.",
        "当行会被撤回时，Flink 2.3 对起始名次大于 1 的结果有误：移动过的行无法再被找到，会以幽灵行残留。"
        => "Select the row number with a range of several places, or begin at 1.",
           "请选出行号并使用多个名次的范围，或从 1 开始。";

    /// `ORDER BY pt DESC … rn <= 3`: a defect of Flink 2.3
    ProctimeDescendingKeepsFirst, "proctime-descending-keeps-first", Warning, "top-n",
        "A column of processing time has no value in rows: Flink 2.3 compares all of them as equal and keeps the first rows, not the last.",
        "处理时间列在行中没有值：Flink 2.3 认为它们全部相等，因此保留的是最先的行而不是最后的行。"
        => "Sort by event time, or keep one row (`rn = 1`).",
           "请按事件时间排序，或只保留一行（`rn = 1`）。";

    /// `RANK() OVER (… ORDER BY ts)`: a defect of Flink 2.3
    RankCountsRows, "rank-counts-rows", Warning, "over",
        "RANK and DENSE_RANK without a limit count the rows so far in Flink 2.3, those of the same place included.",
        "在 Flink 2.3 中，没有名次上限的 RANK 与 DENSE_RANK 统计的是到目前为止的行数，包括同名次的行。"
        => "Use ROW_NUMBER.",
           "请使用 ROW_NUMBER。";

    /// `SUM(v) OVER (… ORDER BY v)` over rows that are taken back: a defect of Flink 2.3
    OverForgetsTwins, "over-forgets-twins", Warning, "over",
        "When one of several equal rows is taken back, Flink 2.3 leaves the others out of the results, too.",
        "当若干相同的行中有一行被撤回时，Flink 2.3 会在结果中把其余各行也漏掉。"
        => "Select a unique key with the rows, or count ROWS.",
           "请随行选出唯一键，或使用 ROWS。";

    /// A LEFT JOIN with `a.id = b.id AND b.n < a.n` in mini-batches: a defect of Flink 2.3
    MiniBatchJoinLosesPadding, "mini-batch-join-loses-padding", Warning, "mini-batch",
        "In a mini-batch Flink 2.3 takes an update as one step: if only the old row or only the new one meets the condition, the row with NULLs does not come back or is not taken back.",
        "在微批中，Flink 2.3 将一次更新视为一步：若只有旧行或只有新行满足条件，补 NULL 的行不会恢复或不会被撤回。"
        => "Compare in WHERE above the join, or switch mini-batches off.",
           "请在连接之上的 WHERE 中比较，或关闭微批。";

    /// `COUNT(DISTINCT v)` with `table.exec.state.ttl`: a defect of Flink 2.3
    DistinctCountsTwice, "distinct-counts-twice", Warning, "ttl",
        "With a time-to-live a DISTINCT value that comes again does not renew itself in Flink 2.3: once forgotten it is counted again, and the count grows beyond the truth.",
        "设置状态保留时间后，Flink 2.3 中再次出现的 DISTINCT 值不会续期：一旦被遗忘就会再次计数，结果会大于真实值。"
        => "Count per window instead.",
           "请改为按窗口计数。";

    /// `'lookup.cache' = 'FULL'` on a table of the connector `jdbc` that is looked up
    LookupCacheNotRun, "lookup-cache-not-run", Warning, "lookup-join",
        "`{table}` is asked for every row: the JDBC connector has no full cache, only `'lookup.cache' = 'PARTIAL'`.",
        "每一行都会查询 `{table}`：JDBC 连接器没有全量缓存，只支持 `'lookup.cache' = 'PARTIAL'`。";
}
