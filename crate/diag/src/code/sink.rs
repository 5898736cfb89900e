//! INSERT and what a sink takes.

super::codes! {
    /// `INSERT INTO t PARTITION (a = 'x')`
    NotAPartitionColumn, "not-a-partition-column", Error, "sink",
        "The table is not partitioned by `{column}`.",
        "该表没有按 `{column}` 分区。";

    PartitionedSink, "partitioned-sink", Error, "sink",
        "`{table}` is partitioned, and its connector does not write partitions.",
        "`{table}` 是分区表，而其连接器不支持写入分区。";

    OverwriteNotSupported, "overwrite-not-supported", Error, "sink",
        "Only tables of files can be overwritten; INSERT INTO adds rows.",
        "只有文件表可以覆盖写入；INSERT INTO 用于追加行。";

    SinkRefusesChanges, "sink-refuses-changes", Error, "changelog",
        "`{sink}` does not take {kinds}, which `{node}` emits.",
        "结果表 `{sink}` 不接受 `{node}` 产生的 {kinds}。"
        => "Two ways out: a sink that takes them (an upsert connector with a PRIMARY KEY), or a query that only inserts (a window instead of a bare GROUP BY).",
           "两种办法：换用可接受这些变更的结果表（带 PRIMARY KEY 的 upsert 连接器），或让查询只插入（用窗口代替直接的 GROUP BY）。";

    /// The query's upsert key is not the sink's primary key.
    SinkKeyDiffers, "sink-key-differs", Error, "upsert-key",
        "The rows of this query are told apart by {upsert_key}, the sink `{sink}` by its primary key {primary_key}: several rows can meet in one key.",
        "该查询以 {upsert_key} 区分各行，而结果表 `{sink}` 以主键 {primary_key} 区分：多行可能落在同一主键上。"
        => "Say what happens then: ON CONFLICT DO DEDUPLICATE (the latest wins, keeps the history in state), DO ERROR or DO NOTHING (the first stays).",
           "请说明此时如何处理：ON CONFLICT DO DEDUPLICATE（保留最新，需在状态中保存历史）、DO ERROR 或 DO NOTHING（保留最先）。";

    OnConflictNeedsUpsertSink, "on-conflict-needs-upsert-sink", Error, "upsert-key",
        "ON CONFLICT is for sinks that upsert, and `{sink}` takes {kinds}.",
        "ON CONFLICT 只用于更新插入的结果表，而 `{sink}` 接受 {kinds}。";

    OnConflictNeedsWatermarks, "on-conflict-needs-watermarks", Error, "watermark",
        "ON CONFLICT DO {strategy} decides when a watermark passes, and these sources declare none: {tables}.",
        "ON CONFLICT DO {strategy} 在水位线经过时判定，而这些源表没有声明水位线：{tables}。";

    /// A sink column list with two event-time columns.
    TwoRowtimesIntoSink, "two-rowtimes-into-sink", Error, "time-attribute",
        "{columns} are both event-time attributes, and a row written to `{sink}` can carry one.",
        "{columns} 都是事件时间属性，而写入 `{sink}` 的行只能携带一个。"
        => "Cast all but one: `CAST(column AS TIMESTAMP(3))`.",
           "请将其余列转换为普通类型：`CAST(column AS TIMESTAMP(3))`。";

    InsertIntoView, "insert-into-view", Error, "sink",
        "`{view}` is a view: rows go into tables.",
        "`{view}` 是视图，数据只能写入表。";

    UnknownTargetColumn, "unknown-target-column", Error, "sink",
        "`{table}` has no column `{column}` that can be written.",
        "`{table}` 没有可写入的列 `{column}`。";

    TargetColumnTwice, "target-column-twice", Error, "sink",
        "`{column}` is named twice in the column list.",
        "列清单中两次出现 `{column}`。";

    MissingNotNullColumn, "missing-not-null-column", Error, "sink",
        "`{column}` is NOT NULL and not in the column list.",
        "`{column}` 为 NOT NULL，却不在列清单中。";

    SinkColumnCount, "sink-column-count", Error, "sink",
        "The query has {given} columns, `{sink}` takes {columns}.",
        "查询有 {given} 列，而 `{sink}` 需要 {columns} 列。";

    SinkColumnType, "sink-column-type", Error, "sink",
        "`{column}` of `{sink}` is {type}; the query gives {given}, which is not converted by itself.",
        "`{sink}` 的 `{column}` 是 {type}，而查询给出 {given}，不会自动转换。"
        => "Cast it in the query.",
           "请在查询中转换类型。";
}
