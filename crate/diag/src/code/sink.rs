//! INSERT and what a sink takes.

super::codes! {
    AppendSinkGetsUpdates, "append-sink-gets-updates", Error, "changelog",
        "`{sink}` takes only inserts, and the query also updates rows.",
        "结果表 `{sink}` 只接受插入，而查询还会更新已有行。"
        => "Use an upsert sink with a primary key, or a window.",
           "请改用带主键的更新插入结果表，或使用窗口。";
}
