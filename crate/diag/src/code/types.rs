//! Types, casts, operators, literals.

super::codes! {
    UnknownType, "unknown-type", Error, "type",
        "There is no type `{type}`.",
        "没有类型 `{type}`。";

    TypeNotSupported, "type-not-supported", Unsupported, "type",
        "Streamglass does not know values of type {type} yet.",
        "Streamglass 暂不支持 {type} 类型的值。";

    TypeNeedsFieldNames, "type-needs-field-names", Error, "type",
        "The fields of a ROW type have names: `ROW<name type, …>`.",
        "ROW 类型的字段要有名称：`ROW<name type, …>`。";

    TypeNotInFlink, "type-not-in-flink", Error, "type",
        "Flink has no type {type}.",
        "Flink 没有 {type} 类型。";

    BareNull, "bare-null", Error, "null",
        "NULL alone has no type here.",
        "单独的 NULL 在此处没有类型。"
        => "Give it one: `CAST(NULL AS STRING)`.",
           "请指定类型：`CAST(NULL AS STRING)`。";

    NumberOutOfRange, "number-out-of-range", Error, "literal",
        "The number {number} does not fit BIGINT.",
        "数字 {number} 超出 BIGINT 的范围。"
        => "Write it as text and cast it: `CAST('…' AS DECIMAL(38, 0))`.",
           "请写成文本再转换：`CAST('…' AS DECIMAL(38, 0))`。";

    BadLiteral, "bad-literal", Error, "literal",
        "'{text}' is no {type}.",
        "'{text}' 不是 {type}。";

    IntervalTooLarge, "interval-too-large", Error, "interval",
        "{value} has more than the {digits} digits of {field} in this interval.",
        "{value} 超出该间隔中 {field} 的 {digits} 位数字。"
        => "Say how many digits there are: `{field}(3)`.",
           "请写明位数：`{field}(3)`。";

    /// `DECIMAL(5, 6)`
    DecimalDigits, "decimal-digits", Error, "type",
        "A DECIMAL has at least one digit, and no more of them behind the point than in all.",
        "DECIMAL 至少要有一位数字，小数位数不能超过总位数。";
}
