//! CREATE TABLE, its columns, constraints and options; connectors.

super::codes! {
    /// `'connector' = 'filesystem'` without `'path'`
    OptionMissing, "option-missing", Error, "connector",
        "The connector `{connector}` needs the option `{option}`.",
        "连接器 `{connector}` 需要选项 `{option}`。";

    /// `'format' = 'xyz'`
    UnknownFormat, "unknown-format", Error, "connector",
        "There is no format `{format}`.",
        "没有格式 `{format}`。"
        => "Formats are csv, json, debezium-json, canal-json, maxwell-json and ogg-json.",
           "可用的格式有 csv、json、debezium-json、canal-json、maxwell-json 和 ogg-json。";

    DuplicateColumn, "duplicate-column", Error, "name",
        "The table has two columns `{column}`.",
        "表中有两个列 `{column}`。";

    NullableKey, "nullable-key", Error, "primary-key",
        "The query may give NULL for `{column}`, so it cannot be part of the primary key.",
        "查询可能为 `{column}` 返回 NULL，因此它不能是主键的一部分。"
        => "Declare the column with its type and NOT NULL, or make it NOT NULL in the query with COALESCE.",
           "请声明该列的类型并加上 NOT NULL，或在查询中用 COALESCE 使其非空。";

    PrimaryKeyEnforced, "primary-key-enforced", Error, "primary-key",
        "A primary key is declared NOT ENFORCED: Flink does not own the data and cannot enforce it.",
        "主键必须声明为 NOT ENFORCED：Flink 不拥有数据，无法强制约束。";

    UniqueNotSupported, "unique-not-supported", Error, "primary-key",
        "Flink has no UNIQUE constraint.",
        "Flink 不支持 UNIQUE 约束。"
        => "Declare a PRIMARY KEY … NOT ENFORCED.",
           "请声明 PRIMARY KEY … NOT ENFORCED。";

    /// `ALTER TABLE orders DROP amount`, which a computed column reads
    AlterColumnInUse, "alter-column-in-use", Error, "table",
        "`{name}` is needed by a computed column, the watermark, the primary key or the partitions.",
        "`{name}` 正被计算列、水位线、主键或分区使用。";

    AlterColumnUnknown, "alter-column-unknown", Error, "name",
        "The table has no column `{name}`.",
        "该表没有列 `{name}`。";

    AlterColumnExists, "alter-column-exists", Error, "name",
        "The table has a column `{name}` already.",
        "该表已有列 `{name}`。";

    AlterNothingToDrop, "alter-nothing-to-drop", Error, "table",
        "The table has no {name}.",
        "该表没有 {name}。";

    AlterAlreadyThere, "alter-already-there", Error, "table",
        "The table has a {name} already.",
        "该表已有 {name}。"
        => "MODIFY changes it, DROP takes it away.",
           "MODIFY 可修改，DROP 可删除。";

    AlterTableOfView, "alter-table-of-view", Error, "view",
        "`{view}` is a view: ALTER VIEW changes its query.",
        "`{view}` 是视图：请用 ALTER VIEW 修改其查询。";

    AlterResetConnector, "alter-reset-connector", Error, "connector",
        "RESET takes any option but 'connector': without it the table cannot be read.",
        "RESET 可用于除 'connector' 以外的任何选项：没有它表就无法读取。";

    AlterResetEmpty, "alter-reset-empty", Error, "option",
        "RESET names no option.",
        "RESET 没有指定选项。";

    /// `DISTRIBUTED BY (region)`
    UnknownDistributionColumn, "unknown-distribution-column", Error, "table",
        "The distribution names `{column}`, which is no column of the table.",
        "分布指定的 `{column}` 不是该表的列。";

    DatagenOption, "datagen-option", Error, "connector",
        "Option '{option}' does not fit the column, or one is missing beside it.",
        "选项 '{option}' 与该列不符，或缺少与之配套的选项。"
        => "A sequence takes 'kind' = 'sequence', 'start' and 'end'; random values take 'min' and 'max', texts 'length'.",
           "序列需要 'kind' = 'sequence'、'start' 和 'end'；随机值使用 'min' 和 'max'，文本使用 'length'。";

    /// `offset BIGINT METADATA` of a datagen table
    MetadataNotRead, "metadata-not-read", Error, "connector",
        "The connector '{connector}' has no metadata to read.",
        "连接器 '{connector}' 没有可读取的元数据。";

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

    UnknownPrimaryKeyColumn, "unknown-primary-key-column", Error, "primary-key",
        "The primary key names `{column}`, which is no column of the table.",
        "主键指定的 `{column}` 不是该表的列。";

    PrimaryKeyNotPhysical, "primary-key-not-physical", Error, "primary-key",
        "`{column}` is computed or metadata: a primary key is made of columns that the connector stores.",
        "`{column}` 是计算列或元数据列：主键只能由连接器存储的列组成。";

    UnknownPartitionColumn, "unknown-partition-column", Error, "table",
        "PARTITIONED BY names `{column}`, which is no column of the table.",
        "PARTITIONED BY 指定的 `{column}` 不是该表的列。";

    OptionClash, "option-clash", Error, "like",
        "Option `{option}` is set here and in the table that is taken as a model.",
        "选项 `{option}` 在此处与被仿照的表中都有设置。"
        => "Write `OVERWRITING OPTIONS` or `EXCLUDING OPTIONS` behind LIKE.",
           "请在 LIKE 之后写 `OVERWRITING OPTIONS` 或 `EXCLUDING OPTIONS`。";

    ConnectorMissing, "connector-missing", Error, "connector",
        "Table `{table}` has no option `connector`: nothing says where its rows come from.",
        "表 `{table}` 没有 `connector` 选项：不知道其数据来自何处。"
        => "Add WITH ('connector' = 'replay') to its declaration.",
           "请在其声明中加上 WITH ('connector' = 'replay')。";

    UnknownConnector, "unknown-connector", Error, "connector",
        "There is no connector `{connector}`.",
        "没有连接器 `{connector}`。";

    ConnectorOnlySink, "connector-only-sink", Error, "connector",
        "`{connector}` can be written to, not read.",
        "`{connector}` 只能写入，不能读取。";

    ConnectorOnlySource, "connector-only-source", Error, "connector",
        "`{connector}` can be read, not written to.",
        "`{connector}` 只能读取，不能写入。";

    UnknownOption, "unknown-option", Error, "connector",
        "`{connector}` has no option `{option}`.",
        "`{connector}` 没有选项 `{option}`。";

    BadOptionValue, "bad-option-value", Error, "connector",
        "`{value}` does not fit option `{option}`.",
        "`{value}` 不适用于选项 `{option}`。";

    /// `CREATE TEMPORARY TABLE t AS SELECT …`
    TemporaryTableAs, "temporary-table-as", Error, "table",
        "A temporary table is not made from a query.",
        "临时表不能由查询创建。"
        => "Leave TEMPORARY out, or create a temporary view.",
           "请去掉 TEMPORARY，或创建临时视图。";

    /// `LIKE orders (INCLUDING OPTIONS EXCLUDING OPTIONS)`
    LikeOptionRefused, "like-option-refused", Error, "table",
        "`{option}` does not go here.",
        "此处不能使用 `{option}`。"
        => "Each part is named once; GENERATED, METADATA, OPTIONS and WATERMARKS can be overwritten.",
           "每个部分只能写一次；可以 OVERWRITING 的有 GENERATED、METADATA、OPTIONS 和 WATERMARKS。";

    /// `DISTRIBUTED BY (a) INTO 0 BUCKETS`
    NoBuckets, "no-buckets", Error, "table",
        "A table has at least one bucket.",
        "表至少要有一个分桶。";

    /// `CREATE TABLE t LIKE a_view`
    LikeOfView, "like-of-view", Error, "view",
        "`{view}` is a view; LIKE takes a table.",
        "`{view}` 是视图，LIKE 只能用于表。";
}
