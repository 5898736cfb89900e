//! Events of a replay, and what a workspace holds.

super::codes! {
    /// `'path'` of a table of files
    FileMissing, "file-missing", Error, "connector",
        "There is no file `{path}`.",
        "没有文件 `{path}`。"
        => "Add the file to the workspace.",
           "请将该文件加入工作区。";

    /// A line that is no message of the table's format
    FileUnreadable, "file-unreadable", Error, "connector",
        "Line {line} of `{path}` cannot be read: {reason}.",
        "`{path}` 的第 {line} 行无法读取：{reason}。";

    /// `'fields.id.kind' = 'sequenz'`
    GeneratorKindUnknown, "generator-kind-unknown", Error, "connector",
        "Option '{option}' does not take '{kind}'.",
        "选项 '{option}' 不接受 '{kind}'。";

    SequenceWithoutBound, "sequence-without-bound", Error, "connector",
        "A sequence needs '{option}'.",
        "序列需要 '{option}'。";

    SequenceType, "sequence-type", Error, "connector",
        "Option '{option}' does not make values of {type}.",
        "选项 '{option}' 不能生成 {type} 类型的值。";

    FakerExpressionMissing, "faker-expression-missing", Error, "connector",
        "The column has no expression: '{option}' is missing.",
        "该列没有表达式：缺少 '{option}'。";

    FakerExpressionUnknown, "faker-expression-unknown", Unsupported, "connector",
        "Streamglass does not make `{expression}`.",
        "Streamglass 不能生成 `{expression}`。";

    EventFieldUnknown, "event-field-unknown", Error, "event",
        "`{source}` has no column `{field}`.",
        "`{source}` 中没有列 `{field}`。";

    EventTableUnknown, "event-table-unknown", Error, "event",
        "Event {event} is for `{source}`, and no such table is declared.",
        "第 {event} 条事件属于 `{source}`，但没有声明该表。"
        => "Declare the table, or give the event the name of one.",
           "请声明该表，或改用已声明的表名。";

    EventPartitionUnknown, "event-partition-unknown", Error, "event",
        "Event {event} comes from partition {partition} of `{source}`, which has {partitions}.",
        "第 {event} 条事件来自 `{source}` 的分区 {partition}，但该表只有 {partitions} 个分区。"
        => "Partitions count from 0. Raise `'partitions'` in the table's WITH options, or change the event.",
           "分区从 0 开始编号。请增大该表 WITH 选项中的 `'partitions'`，或修改事件。";

    EventRowKindUnknown, "event-row-kind-unknown", Error, "row-kind",
        "Event {event} has the row kind `{kind}`.",
        "第 {event} 条事件的行类型为 `{kind}`。"
        => "Row kinds are +I, -U, +U and -D.",
           "行类型只有 +I、-U、+U 和 -D。";

    EventWatermarkUnreadable, "event-watermark-unreadable", Error, "watermark",
        "The watermark `{text}` of event {event} is no timestamp.",
        "第 {event} 条事件的水位线 `{text}` 不是时间戳。"
        => "Write it in UTC as `2024-01-01 00:01:00`.",
           "请写成 UTC 时间，如 `2024-01-01 00:01:00`。";

    EventEmpty, "event-empty", Error, "event",
        "Event {event} of `{source}` says nothing.",
        "`{source}` 的第 {event} 条事件没有内容。"
        => "Give it a `row`, a `watermark` or a `control`.",
           "请为其提供 `row`、`watermark` 或 `control`。";

    EventValueUnreadable, "event-value-unreadable", Error, "event",
        "Column `{field}` of an event of `{source}` cannot be read: {reason}.",
        "`{source}` 的事件中，列 `{field}` 无法读取：{reason}。"
        => "The value has to fit the column's type.",
           "值必须符合该列的类型。";

    ReplayStartUnreadable, "replay-start-unreadable", Error, "replay",
        "The start of the replay, `{text}`, is no timestamp.",
        "回放的起点 `{text}` 不是时间戳。"
        => "Write it in UTC as `2024-01-01 00:00:00`.",
           "请写成 UTC 时间，如 `2024-01-01 00:00:00`。";

    WorkspaceUnreadable, "workspace-unreadable", Error, "replay",
        "The workspace cannot be read: {reason}.",
        "工作区无法读取：{reason}。";

    OneQueryPerLane, "one-query-per-lane", Warning, "query",
        "This is the second statement that runs; a lane shows the first.",
        "这是第二条会运行的语句；每个泳道只显示第一条。"
        => "Put it into the other lane, or put several INSERTs into one STATEMENT SET.",
           "请放到另一个泳道，或将多个 INSERT 放进一个 STATEMENT SET。";

    NoQuery, "no-query", Note, "query",
        "There is nothing to run yet.",
        "还没有可以运行的语句。"
        => "Write a SELECT or an INSERT INTO.",
           "请写一条 SELECT 或 INSERT INTO。";

    ExplainDetailNotSupported, "explain-detail-not-supported", Unsupported, "query",
        "The plan has a node or a condition whose cost Streamglass does not know.",
        "该计划含有 Streamglass 不知道代价的节点或条件。"
        => "Write `EXPLAIN CHANGELOG_MODE …`.",
           "请写 `EXPLAIN CHANGELOG_MODE …`。";
}
