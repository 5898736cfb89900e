//! CREATE TABLE, its columns, constraints and options; connectors.

super::codes! {
    DuplicateColumn, "duplicate-column", Error, "name",
        "The table has two columns `{column}`.",
        "表中有两个列 `{column}`。";

    PrimaryKeyEnforced, "primary-key-enforced", Error, "primary-key",
        "A primary key is declared NOT ENFORCED: Flink does not own the data and cannot enforce it.",
        "主键必须声明为 NOT ENFORCED：Flink 不拥有数据，无法强制约束。";

    UniqueNotSupported, "unique-not-supported", Error, "primary-key",
        "Flink has no UNIQUE constraint.",
        "Flink 不支持 UNIQUE 约束。"
        => "Declare a PRIMARY KEY … NOT ENFORCED.",
           "请声明 PRIMARY KEY … NOT ENFORCED。";

    SecondPrimaryKey, "second-primary-key", Error, "primary-key",
        "The table has a primary key already.",
        "该表已有主键。";

    SecondWatermark, "second-watermark", Error, "watermark",
        "The table declares a watermark already; it can have one.",
        "该表已声明水位线，只能有一个。";

    ColumnDefault, "column-default", Error, "column",
        "Columns have no DEFAULT in Flink.",
        "Flink 的列没有 DEFAULT。"
        => "Leave the column out of an INSERT and it is NULL; for a value of its own use a computed column.",
           "INSERT 中省略的列为 NULL；若需固定值，请使用计算列。";
}
