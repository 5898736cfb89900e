//! Calls of functions, operators and casts: what is wrong with one, and what fails when it runs.

super::codes! {
    /// `SELECT UPERCASE(name) FROM orders`
    UnknownFunction, "unknown-function", Error, "function",
        "There is no function `{function}`.",
        "没有函数 `{function}`。";

    /// `SELECT UPPER(name, 'en') FROM people`
    WrongArgumentCount, "wrong-argument-count", Error, "function",
        "`{function}` does not take {given} arguments; it is written {forms}.",
        "`{function}` 不接受 {given} 个参数，写法为 {forms}。";

    /// `SELECT ABS(born) FROM people`
    WrongArgumentTypes, "wrong-argument-types", Error, "type",
        "`{function}` does not take {types}; it is written {forms}.",
        "`{function}` 不接受 {types}，写法为 {forms}。";

    /// `CASE WHEN a THEN 1 ELSE 'x' END`
    NoCommonType, "no-common-type", Error, "type",
        "The results of `{function}` have no type in common: {types}.",
        "`{function}` 的各个结果没有共同类型：{types}。"
        => "Cast them to one type with CAST.",
           "请用 CAST 转成同一类型。";

    /// `SELECT CAST(born AS INT) FROM people`
    CastNotPossible, "cast-not-possible", Error, "type",
        "{from} cannot be cast to {to}.",
        "{from} 不能转换为 {to}。";

    /// `CAST(ts AS BIGINT)`
    CastOfTimestampToNumber, "cast-of-timestamp-to-number", Error, "type",
        "{from} cannot be cast to {to}.",
        "{from} 不能转换为 {to}。"
        => "UNIX_TIMESTAMP(CAST(ts AS STRING)) gives seconds since 1970.",
           "UNIX_TIMESTAMP(CAST(ts AS STRING)) 给出自 1970 年起的秒数。";

    /// `CAST(ms AS TIMESTAMP(3))`
    CastOfNumberToTimestamp, "cast-of-number-to-timestamp", Error, "type",
        "{from} cannot be cast to {to}.",
        "{from} 不能转换为 {to}。"
        => "TO_TIMESTAMP_LTZ(number, 3) reads milliseconds since 1970, with 0 seconds.",
           "TO_TIMESTAMP_LTZ(number, 3) 读取自 1970 年起的毫秒数，第二个参数为 0 时是秒。";

    /// `WHERE id = '5'`
    NumberComparedWithText, "number-compared-with-text", Error, "type",
        "{left} is not compared with {right}.",
        "{left} 不能与 {right} 比较。"
        => "Cast one of the two.",
           "请转换其中一方的类型。";

    /// `EXTRACT(FORTNIGHT FROM ts)`
    UnknownTimeUnit, "unknown-time-unit", Error, "time-unit",
        "`{function}` knows no unit `{unit}` for {type}.",
        "`{function}` 对 {type} 不支持单位 `{unit}`。";

    /// `a[0]`
    ArrayIndexFromOne, "array-index-from-one", Error, "collection",
        "Elements of an array are counted from 1; there is none with number {index}.",
        "数组元素从 1 开始编号，没有第 {index} 个。";

    /// `CURRENT_WATERMARK(CAST(ts AS TIMESTAMP(3)))`
    WatermarkOfNoTimeAttribute, "watermark-of-no-time-attribute", Error, "time-attribute",
        "`CURRENT_WATERMARK` takes an event-time attribute, not {type}.",
        "`CURRENT_WATERMARK` 的参数应为事件时间属性，而不是 {type}。";

    /// `SELECT SOURCE_WATERMARK()`
    SourceWatermarkOutsideDeclaration, "source-watermark-outside-declaration", Error, "watermark",
        "`SOURCE_WATERMARK()` stands only in a WATERMARK declaration.",
        "`SOURCE_WATERMARK()` 只能出现在 WATERMARK 声明中。";

    /// A call that Flink accepts and then cannot run.
    CallNotRunnable, "call-not-runnable", Error, "function",
        "Flink cannot run `{function}` on {types}.",
        "Flink 无法对 {types} 执行 `{function}`。";

    /// `REGEXP(s, '(?<=a)b')`
    PatternNotSupported, "pattern-not-supported", Unsupported, "pattern",
        "Streamglass does not know this construct of a regular expression: `{pattern}`.",
        "Streamglass 暂不支持此正则表达式写法：`{pattern}`。";

    /// `SUM(name)`
    AggregateArgumentType, "aggregate-argument-type", Error, "aggregation",
        "`{function}` does not take {types}; it is written {forms}.",
        "`{function}` 不接受 {types}，写法为 {forms}。";

    /// `COUNT(DISTINCT a, b)`
    CountOfSeveral, "count-of-several", Error, "aggregation",
        "Flink counts one argument at a time, not {given}.",
        "Flink 的 COUNT 只接受一个参数，不接受 {given} 个。"
        => "Count a text made of them: COUNT(DISTINCT a || b).",
           "可对拼接结果计数：COUNT(DISTINCT a || b)。";

    /// `APPROX_COUNT_DISTINCT(x)`
    AggregateNotInStreams, "aggregate-not-in-streams", Error, "aggregation",
        "Flink has no `{function}` for streams.",
        "Flink 的流模式没有 `{function}`。";

    /// `7 / 0`
    DivisionByZero, "division-by-zero", Error, "fault",
        "The divisor is 0.",
        "除数为 0。"
        => "NULLIF(divisor, 0) makes the result NULL instead.",
           "用 NULLIF(divisor, 0) 可使结果为 NULL。";

    /// `CAST('abc' AS INT)` on a row
    CastFailed, "cast-failed", Error, "fault",
        "`{value}` is no {to}.",
        "`{value}` 不是 {to}。"
        => "TRY_CAST gives NULL instead.",
           "TRY_CAST 会得到 NULL。";

    /// A value that a function cannot take.
    ValueNotTaken, "value-not-taken", Error, "fault",
        "`{function}` cannot take this value: {reason}.",
        "`{function}` 无法处理该值：{reason}。";
}
