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
}
