//! Functions of a script, written in JavaScript: what their declaration lacks, and how a call fails.

super::codes! {
    /// `CREATE FUNCTION f AS 'com.acme.F' LANGUAGE JAVA`
    FunctionLanguage, "function-language", Unsupported, "user-defined-function",
        "Streamglass runs functions in JavaScript, not in {language}.",
        "Streamglass 只运行 JavaScript 函数，不支持 {language}。"
        => "Write the function as an object of JavaScript in quotes, each quote inside doubled, then LANGUAGE JAVASCRIPT.",
           "请用引号写出 JavaScript 对象形式的函数，内部的单引号写两次，再写 LANGUAGE JAVASCRIPT。";

    NoInterpreter, "no-interpreter", Unsupported, "user-defined-function",
        "There is no JavaScript interpreter here to run `{function}`.",
        "此处没有可运行 `{function}` 的 JavaScript 解释器。";

    FunctionExists, "function-exists", Error, "user-defined-function",
        "There is a function `{function}` already.",
        "函数 `{function}` 已存在。"
        => "Drop it first, or write IF NOT EXISTS.",
           "请先删除它，或写上 IF NOT EXISTS。";

    FunctionUnknown, "function-unknown", Error, "user-defined-function",
        "There is no {scope}function `{function}`.",
        "没有{scope}函数 `{function}`。";

    AlterTemporaryFunction, "alter-temporary-function", Error, "user-defined-function",
        "A temporary function is not altered.",
        "临时函数不能修改。"
        => "Drop it and create it anew.",
           "请删除后重新创建。";

    /// `AS '{ eval(a) { return a + ; } }'`
    FunctionSource, "function-source", Error, "user-defined-function",
        "The JavaScript of `{function}` cannot be taken in: {reason}.",
        "无法读取 `{function}` 的 JavaScript：{reason}。";

    /// `AS '{ eval(a) { return a } }'`
    FunctionLacks, "function-lacks", Error, "user-defined-function",
        "`{function}` does not say its {part}.",
        "`{function}` 缺少 {part}。"
        => "A function is an object with `input` (SQL types), `result` and `eval`; a table function has `rows` in place of `result`; an aggregate has `createAccumulator`, `accumulate` and `getValue` in place of `eval`.",
           "函数是一个对象，包含 `input`（SQL 类型）、`result` 和 `eval`；表函数以 `rows` 代替 `result`；聚合函数以 `createAccumulator`、`accumulate` 和 `getValue` 代替 `eval`。";

    FunctionType, "function-type", Error, "user-defined-function",
        "`{type}`, the {part} of `{function}`, is no type that values of JavaScript can have.",
        "`{function}` 的 {part} 为 `{type}`，JavaScript 的值不能是此类型。"
        => "BOOLEAN, numbers, CHAR, VARCHAR, STRING, DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ, and ARRAY, ROW, MAP<STRING, …> of them pass.",
           "可用的类型有 BOOLEAN、数值、CHAR、VARCHAR、STRING、DATE、TIME、TIMESTAMP、TIMESTAMP_LTZ，以及由它们组成的 ARRAY、ROW 和 MAP<STRING, …>。";

    FunctionFailed, "function-failed", Error, "user-defined-function",
        "`{function}` failed: {reason}.",
        "`{function}` 执行失败：{reason}。";

    FunctionTooLong, "function-too-long", Error, "limit",
        "One call of `{function}` took more than {limit} and was stopped.",
        "`{function}` 的一次调用超过 {limit}，已被终止。"
        => "A call may loop and call 10 million times and last 5 seconds.",
           "一次调用最多可循环和调用 1000 万次，持续 5 秒。";

    FunctionTooLarge, "function-too-large", Error, "limit",
        "`{function}` needs more memory than a function may have: {reason}.",
        "`{function}` 所需内存超过函数的上限：{reason}。"
        => "All functions of a script together have 64 MiB, and 256 KiB of stack.",
           "脚本中的所有函数共有 64 MiB 内存和 256 KiB 栈空间。";

    FunctionResult, "function-result", Error, "type",
        "`{function}` gave {given}, which is no {type}.",
        "`{function}` 返回 {given}，不是 {type}。";

    FunctionNumber, "function-number", Error, "type",
        "{value} cannot be passed to `{function}`: numbers of JavaScript are exact to 15 digits.",
        "无法把 {value} 传给 `{function}`：JavaScript 的数值只精确到 15 位。"
        => "Declare the argument as STRING and cast it.",
           "请将该参数声明为 STRING 并转换类型。";

    FunctionNeeds, "function-needs", Error, "user-defined-function",
        "`{function}` needs a method `{method}` here: {why}.",
        "`{function}` 在此处需要方法 `{method}`：{why}。";

    TableFunctionHere, "table-function-here", Error, "user-defined-function",
        "`{function}` is a table function; it stands in FROM.",
        "`{function}` 是表函数，只能写在 FROM 中。"
        => "Write `FROM t, LATERAL TABLE({function}(…))`.",
           "请写作 `FROM t, LATERAL TABLE({function}(…))`。";

    NoTableFunction, "no-table-function", Error, "user-defined-function",
        "`{function}` gives no rows; it cannot stand in FROM.",
        "`{function}` 不返回行，不能写在 FROM 中。";

    TableAggregateInSql, "table-aggregate-in-sql", Error, "user-defined-function",
        "`{function}` is a table aggregate function; SQL cannot call it, only the Table API with `flatAggregate`.",
        "`{function}` 是表聚合函数，SQL 不能调用，只有 Table API 的 `flatAggregate` 可以。";

    NotAnAggregate, "not-an-aggregate", Error, "user-defined-function",
        "`{function}` is no aggregate function; it takes neither {clause}.",
        "`{function}` 不是聚合函数，不能带 {clause}。";
}
