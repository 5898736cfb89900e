//! Time attributes, watermarks, windows.

super::codes! {
    NotATimeAttribute, "not-a-time-attribute", Error, "time-attribute",
        "{function} needs a time attribute. `{column}` is a plain {type}: declare a WATERMARK for it.",
        "{function} 需要时间属性。`{column}` 只是普通 {type}，请为它声明 WATERMARK。";
}
