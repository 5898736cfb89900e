//! Names: tables, columns, functions, aliases.

super::codes! {
    /// `USE shopp`
    UnknownDatabase, "unknown-database", Error, "database",
        "There is no database `{database}`.",
        "没有数据库 `{database}`。";

    UnknownCatalog, "unknown-catalog", Error, "database",
        "There is no catalog `{catalog}`.",
        "没有目录 `{catalog}`。";

    CatalogExists, "catalog-exists", Error, "database",
        "There is a catalog `{catalog}` already.",
        "已有目录 `{catalog}`。";

    CatalogInUse, "catalog-in-use", Error, "database",
        "The catalog `{catalog}` is in use.",
        "目录 `{catalog}` 正在使用。";

    CatalogType, "catalog-type", Error, "database",
        "A catalog needs the option 'type', and the only one here is 'generic_in_memory'.",
        "目录需要选项 'type'，此处只支持 'generic_in_memory'。";

    CatalogWithoutOptions, "catalog-without-options", Error, "database",
        "The catalog that is there from the beginning has no options to show or change.",
        "初始目录没有可显示或修改的选项。";

    ModelExists, "model-exists", Error, "database",
        "There is a model `{model}` already.",
        "已有模型 `{model}`。";

    ModelIncomplete, "model-incomplete", Error, "database",
        "A model has options, and columns that go in and come out, or none.",
        "模型要有选项；输入列与输出列要么都有，要么都没有。";

    UnknownModel, "unknown-model", Error, "database",
        "There is no model `{model}`.",
        "没有模型 `{model}`。";

    NotPartitioned, "not-partitioned", Error, "table",
        "`{table}` has no partitions.",
        "`{table}` 没有分区。";

    /// A catalog, a model or a function of Java
    DeclaredOnly, "declared-only", Warning, "scope",
        "The {what} is kept by its name only: nothing here can use it.",
        "仅保留 {what} 的名称，此处无法使用。";

    DatabaseExists, "database-exists", Error, "database",
        "There is a database `{database}` already.",
        "已有数据库 `{database}`。";

    DatabaseInUse, "database-in-use", Error, "database",
        "`{database}` is the current database; it cannot be dropped.",
        "`{database}` 是当前数据库，不能删除。"
        => "Change to another one with USE.",
           "请先用 USE 切换到其他数据库。";

    DatabaseNotEmpty, "database-not-empty", Error, "database",
        "There are tables in `{database}`.",
        "`{database}` 中还有表。"
        => "CASCADE drops them too.",
           "CASCADE 会一并删除它们。";

    /// `DROP TABLE t` while a temporary `t` hides it
    TemporaryHides, "temporary-hides", Error, "table",
        "A temporary `{table}` hides the other; it has to be dropped first.",
        "临时的 `{table}` 隐藏了另一个，须先删除它。"
        => "DROP TEMPORARY TABLE drops the temporary one.",
           "DROP TEMPORARY TABLE 删除临时表。";

    ShowCreateOfOther, "show-create-of-other", Error, "table",
        "`{name}` is of another kind; {statement} shows it.",
        "`{name}` 属于另一类，请用 {statement} 查看。";

    UnknownColumn, "unknown-column", Error, "name",
        "There is no column `{column}` in `{table}`.",
        "`{table}` 中没有列 `{column}`。";

    UnknownTable, "unknown-table", Error, "name",
        "There is no table or view `{table}`.",
        "没有名为 `{table}` 的表或视图。";

    UnknownColumnAnywhere, "unknown-column-anywhere", Error, "name",
        "There is no column `{column}` here.",
        "此处没有列 `{column}`。";

    AmbiguousColumn, "ambiguous-column", Error, "name",
        "`{column}` can mean more than one column.",
        "`{column}` 可能指多个列。"
        => "Write the table or alias in front: `t.{column}`.",
           "请在前面写上表名或别名：`t.{column}`。";

    UnknownQualifier, "unknown-qualifier", Error, "name",
        "No table or alias `{name}` stands in FROM.",
        "FROM 中没有名为 `{name}` 的表或别名。";

    UnknownField, "unknown-field", Error, "row-type",
        "There is no field `{field}` in {type}.",
        "{type} 中没有字段 `{field}`。";

    DuplicateRelation, "duplicate-relation", Error, "name",
        "Two tables of FROM are called `{name}`.",
        "FROM 中有两个名为 `{name}` 的表。"
        => "Give one of them an alias: `AS x`.",
           "请为其中一个加上别名：`AS x`。";

    ColumnListLength, "column-list-length", Error, "name",
        "`{table}` has {columns} columns, and {given} names are given for them.",
        "`{table}` 有 {columns} 列，却给出了 {given} 个名称。";

    TableExists, "table-exists", Error, "catalog",
        "There is a table or view `{table}` already.",
        "已有名为 `{table}` 的表或视图。"
        => "Use another name, CREATE TABLE IF NOT EXISTS, or DROP it first.",
           "请换一个名称，使用 CREATE TABLE IF NOT EXISTS，或先将其 DROP。";

    ViewIsStale, "view-is-stale", Error, "view",
        "View `{view}` reads a table that is gone or has changed since.",
        "视图 `{view}` 所读的表已被删除或已更改。"
        => "Declare the view again behind the change.",
           "请在更改之后重新声明该视图。";

    UnknownTableFunction, "unknown-table-function", Error, "table-function",
        "There is no table function `{function}`.",
        "没有表函数 `{function}`。";

    UnknownHint, "unknown-hint", Error, "hint",
        "There is no hint `{hint}`.",
        "没有名为 `{hint}` 的提示。";

    HintOnView, "hint-on-view", Error, "hint",
        "`{view}` is a view, and OPTIONS are a table's.",
        "`{view}` 是视图，而 OPTIONS 只用于表。"
        => "Put the hint behind the table in the view's own query.",
           "请把提示写在视图自身查询中的表名之后。";

    HintTableUnknown, "hint-table-unknown", Error, "hint",
        "The hint {hint} names `{table}`, and no table of FROM is called so.",
        "提示 {hint} 指定了 `{table}`，而 FROM 中没有这个表。";

    HintOptionsInvalid, "hint-options-invalid", Error, "hint",
        "The options of {hint} are not right: {reason}.",
        "{hint} 的选项不正确：{reason}。";

    NameTooLong, "name-too-long", Error, "name",
        "`{name}` has too many parts: a name is `catalog.database.object`.",
        "`{name}` 的部分过多：名称的写法是 `catalog.database.object`。";
}
