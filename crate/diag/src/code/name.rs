//! Names: tables, columns, functions, aliases.

super::codes! {
    UnknownColumn, "unknown-column", Error, "name",
        "There is no column `{column}` in `{table}`.",
        "`{table}` 中没有列 `{column}`。";

    UnknownTable, "unknown-table", Error, "name",
        "There is no table or view `{table}`.",
        "没有名为 `{table}` 的表或视图。";
}
