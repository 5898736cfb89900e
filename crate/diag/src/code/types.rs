//! Types, casts, operators, literals.

super::codes! {
    UnknownType, "unknown-type", Error, "type",
        "There is no type `{type}`.",
        "没有类型 `{type}`。";

    TypeNotSupported, "type-not-supported", Unsupported, "type",
        "Streamglass does not know values of type {type} yet.",
        "Streamglass 暂不支持 {type} 类型的值。";

    TypeParameterOutOfRange, "type-parameter-out-of-range", Error, "type",
        "The {parameter} of {type} lies between {least} and {most}; {given} does not.",
        "{type} 的{parameter}应在 {least} 到 {most} 之间，{given} 不在其中。";

    TypeNeedsFieldNames, "type-needs-field-names", Error, "type",
        "The fields of a ROW type have names: `ROW<name type, …>`.",
        "ROW 类型的字段要有名称：`ROW<name type, …>`。";

    TypeNotInFlink, "type-not-in-flink", Error, "type",
        "Flink has no type {type}.",
        "Flink 没有 {type} 类型。";

    IntervalAsColumnType, "interval-as-column-type", Error, "type",
        "A column cannot have an INTERVAL type.",
        "列不能使用 INTERVAL 类型。";
}
