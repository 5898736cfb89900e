//! Limits that keep the page alive.

super::codes! {
    NestingTooDeep, "nesting-too-deep", Error, "limit",
        "The statement nests {depth} levels deep; {limit} are the limit.",
        "语句嵌套了 {depth} 层，上限为 {limit} 层。";

    StatementTooLong, "statement-too-long", Error, "limit",
        "The statement is {length} bytes long; {limit} are the limit.",
        "语句长 {length} 字节，上限为 {limit} 字节。";

    ScriptTooLong, "script-too-long", Error, "limit",
        "The script is {length} bytes long; {limit} are the limit.",
        "脚本长 {length} 字节，上限为 {limit} 字节。";

    TooManyOperators, "too-many-operators", Error, "limit",
        "One expression chains {count} operators; {limit} are the limit.",
        "一个表达式中有 {count} 个运算符，上限为 {limit} 个。";
}
