//! What a query cannot do: aggregates, grouping, sorting, joins, set operations.

super::codes! {
    NotGrouped, "not-grouped", Error, "group-aggregation",
        "`{expression}` is neither grouped nor aggregated.",
        "`{expression}` 既未分组也未聚合。";

    AggregateNotAllowed, "aggregate-not-allowed", Error, "group-aggregation",
        "{function} cannot stand in {clause}: it is computed from groups, which come later.",
        "{function} 不能出现在 {clause} 中：它由分组计算得出，而分组在其之后。"
        => "Filter groups with HAVING, or wrap the query in another SELECT.",
           "请用 HAVING 过滤分组，或在外面再套一层 SELECT。";

    NestedAggregate, "nested-aggregate", Error, "group-aggregation",
        "An argument of {function} is an aggregate itself.",
        "{function} 的参数本身也是聚合。"
        => "Compute the inner aggregate in a sub-query.",
           "请在子查询中计算内层聚合。";

    OverIsMissing, "over-is-missing", Error, "over-window",
        "{function} needs OVER (…): it numbers or compares rows within a window.",
        "{function} 需要 OVER (…)：它在窗口内为行编号或比较各行。";

    GroupingOutsideGroupBy, "grouping-outside-group-by", Error, "grouping-sets",
        "{function} tells grouping sets apart, and there is no GROUP BY here.",
        "{function} 用于区分分组集，而此处没有 GROUP BY。";

    TooManyGroupingSets, "too-many-grouping-sets", Error, "grouping-sets",
        "This GROUP BY has more than {limit} grouping sets.",
        "该 GROUP BY 的分组集超过 {limit} 个。";

    FilterWithoutAggregate, "filter-without-aggregate", Error, "group-aggregation",
        "FILTER belongs to an aggregate, and {function} is none.",
        "FILTER 只用于聚合，而 {function} 不是聚合。";

    /// `LISTAGG(name) WITHIN GROUP (ORDER BY age)`
    WithinGroup, "within-group", Error, "group-aggregation",
        "{function} takes its values in order of arrival: WITHIN GROUP is not allowed.",
        "{function} 按到达顺序取值，不允许 WITHIN GROUP。";

    /// `LISTAGG(name, separator)`
    ArgumentNotLiteral, "argument-not-literal", Error, "group-aggregation",
        "The second argument of {function} has to be a literal.",
        "{function} 的第二个参数必须是字面量。";

    StarArgument, "star-argument", Error, "function",
        "{function} does not take `*`.",
        "{function} 不接受 `*`。";

    StarWithoutFrom, "star-without-from", Error, "query",
        "`*` stands for all columns of FROM, and there is no FROM.",
        "`*` 表示 FROM 的所有列，而此处没有 FROM。";

    ConditionNotBoolean, "condition-not-boolean", Error, "condition",
        "{clause} takes a condition, and this is a {type}.",
        "{clause} 需要条件，而这里是 {type}。"
        => "Compare it with something: `= …`, `> …`, `IS NOT NULL`.",
           "请与某个值比较：`= …`、`> …`、`IS NOT NULL`。";

    SetColumnCount, "set-column-count", Error, "set-operation",
        "Both sides of {operation} need as many columns: the left has {left}, the right {right}.",
        "{operation} 两侧的列数必须相同：左侧 {left} 列，右侧 {right} 列。";

    SetColumnType, "set-column-type", Error, "set-operation",
        "Column {column} of {operation} is {left} on one side and {right} on the other.",
        "{operation} 的第 {column} 列一侧为 {left}，另一侧为 {right}。"
        => "Cast one of them.",
           "请转换其中之一的类型。";

    ValuesRowLength, "values-row-length", Error, "values",
        "The rows of VALUES have different lengths.",
        "VALUES 各行的长度不同。";

    ValuesTypes, "values-types", Error, "values",
        "Column {column} of VALUES mixes {types}.",
        "VALUES 的第 {column} 列混用了 {types}。"
        => "Cast the odd ones.",
           "请转换不一致的值。";

    ClauseNotInFlink, "clause-not-in-flink", Error, "query",
        "This SELECT has a clause that Flink SQL does not know.",
        "该 SELECT 含有 Flink SQL 没有的子句。";
}
