//! What planning finds out behind the binder: settings, changelog modes, keys, operators that are missing.

super::codes! {
    BadSettingValue, "bad-setting-value", Error, "setting",
        "`{key}` is set to `{value}`; it takes {expected}.",
        "`{key}` 的值为 `{value}`，可取的值为 {expected}。";

    /// `SET 'execution.runtime-mode' = 'BATCH'`
    MiniBatchNotSupported, "mini-batch-not-supported", Unsupported, "mini-batch",
        "Streamglass does not run mini-batches yet: with them fewer and other changes come out.",
        "Streamglass 暂不支持微批：启用后输出的变更会更少且不同。"
        => "Remove `SET 'table.exec.mini-batch.enabled' = 'true'` to see every change.",
           "删除 `SET 'table.exec.mini-batch.enabled' = 'true'` 即可看到每一条变更。";

    BatchModeNotSupported, "batch-mode-not-supported", Unsupported, "batch",
        "Batch mode is not supported: queries run in streaming mode only.",
        "不支持批处理模式：查询只以流模式运行。";

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

    /// `HOP(…, INTERVAL '4' MINUTE, INTERVAL '10' MINUTE)` with an aggregation
    HopSizeNotAMultiple, "hop-size-not-a-multiple", Error, "window",
        "An aggregation over HOP needs a size ({size} ms) that is a multiple of the slide ({slide} ms).",
        "对 HOP 窗口聚合时，窗口长度（{size} 毫秒）必须是滑动步长（{slide} 毫秒）的整数倍。";

    /// `table.exec.emit.early-fire.enabled` with a window table function
    EmitStrategyOfLegacyWindows, "emit-strategy-of-legacy-windows", Error, "window",
        "`table.exec.emit.early-fire` and `late-fire` are for windows in GROUP BY, not for window table functions.",
        "`table.exec.emit.early-fire` 与 `late-fire` 用于 GROUP BY 中的窗口，不用于窗口表值函数。";
}
