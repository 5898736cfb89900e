//! Limits that keep the page alive.

super::codes! {
    NestingTooDeep, "nesting-too-deep", Error, "limit",
        "The statement nests too deep here: more than {limit} levels, where a call counts as two and a sub-query as four.",
        "语句在此处嵌套过深：超过 {limit} 层，其中函数调用计两层，子查询计四层。"
        => "Give an inner query a name with WITH or CREATE VIEW.",
           "可用 WITH 或 CREATE VIEW 为内层查询命名。";

    StatementTooLong, "statement-too-long", Error, "limit",
        "The statement is {length} bytes long; {limit} are the limit.",
        "语句长 {length} 字节，上限为 {limit} 字节。";

    ScriptTooLong, "script-too-long", Error, "limit",
        "The script is {length} bytes long; {limit} are the limit.",
        "脚本长 {length} 字节，上限为 {limit} 字节。";

    TooManyTables, "too-many-tables", Error, "limit",
        "With its views the statement reads more than {limit} tables.",
        "语句连同其视图读取的表超过 {limit} 张。"
        => "Write steps between into tables of their own with INSERT INTO.",
           "可用 INSERT INTO 把中间步骤写入单独的表。";

    TooManyColumns, "too-many-columns", Error, "limit",
        "There are {count} columns here; {limit} are the limit.",
        "此处有 {count} 列，上限为 {limit} 列。";

    TooManyOperators, "too-many-operators", Error, "limit",
        "One expression chains {count} operators; {limit} are the limit.",
        "一个表达式中有 {count} 个运算符，上限为 {limit} 个。";

    TooManyValues, "too-many-values", Error, "limit",
        "The list has {count} values; {limit} are the limit.",
        "列表中有 {count} 个值，上限为 {limit} 个。"
        => "Put them into a table and write IN (SELECT …).",
           "可将这些值放入一张表，并改用 IN (SELECT …)。";

    TooManySubtasks, "too-many-subtasks", Error, "limit",
        "The parallelism is larger than {limit}.",
        "并行度超过 {limit}。"
        => "Set 'parallelism.default' to a smaller number.",
           "请将 'parallelism.default' 设为较小的值。";

    TooManyWindows, "too-many-windows", Error, "limit",
        "Each row would be in more than {limit} windows.",
        "每行将属于超过 {limit} 个窗口。"
        => "Take a larger step or a smaller window.",
           "请增大步长或缩小窗口。";
}
