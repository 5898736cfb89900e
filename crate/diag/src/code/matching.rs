//! `MATCH_RECOGNIZE`.

super::codes! {
    /// `PATTERN (F F)`
    PatternVariableTwice, "pattern-variable-twice", Error, "match-recognize",
        "`{variable}` stands in the pattern more than once.",
        "变量 `{variable}` 在模式中出现了多次。"
        => "Write it once, with a number of rows in braces behind it.",
           "请只写一次，并在其后的花括号中写明行数。";

    /// A measure or condition of a variable that the pattern lacks
    PatternVariableUnknown, "pattern-variable-unknown", Error, "match-recognize",
        "The pattern has no variable `{variable}`.",
        "模式中没有变量 `{variable}`。";

    /// `PATTERN (A B+)`
    PatternEndsGreedy, "pattern-ends-greedy", Error, "match-recognize",
        "A pattern cannot end with a greedy quantifier: it would wait for ever for one more row.",
        "模式不能以贪婪量词结尾：它会一直等待下一行。"
        => "End with a single variable, or write a reluctant quantifier: `+?`.",
           "请以单个变量结尾，或使用勉强量词：`+?`。";

    /// `PATTERN (A+ B? C)`
    PatternOptionalAfterGreedy, "pattern-optional-after-greedy", Error, "match-recognize",
        "A variable that may be missing cannot follow a greedy quantifier.",
        "贪婪量词之后不能是可省略的变量。";

    /// `PATTERN (A B?? C)`
    PatternReluctantOptional, "pattern-reluctant-optional", Error, "match-recognize",
        "`??` is not supported.",
        "不支持 `??`。"
        => "Write `?`.",
           "请写成 `?`。";

    /// `PATTERN (A B{0} C)`
    PatternBadQuantifier, "pattern-bad-quantifier", Error, "match-recognize",
        "This quantifier asks for no row at all.",
        "该量词要求零行。";

    /// `|`, groups, `PERMUTE`, `{- -}`
    PatternForm, "pattern-form", Error, "match-recognize",
        "Flink has no {form} in patterns.",
        "Flink 的模式不支持{form}。";

    /// No ORDER BY, or not by a time attribute
    MatchNeedsTimeOrder, "match-needs-time-order", Error, "match-recognize",
        "Rows of a pattern have to be ordered by a time attribute first, ascending.",
        "模式中的行必须首先按时间属性升序排列。"
        => "Write `ORDER BY` with the column that has a WATERMARK.",
           "请在 `ORDER BY` 中使用声明了 WATERMARK 的列。";

    /// `PATTERN (A* B?)`
    PatternMatchesNothing, "pattern-matches-nothing", Error, "match-recognize",
        "Every part of this pattern may be left out, so that it would match no row at all.",
        "该模式的每个部分都可省略，因此会匹配零行。"
        => "Let at least one variable be required.",
           "请至少让一个变量为必需。";

    /// `ALL ROWS PER MATCH`
    MatchAllRows, "match-all-rows", Error, "match-recognize",
        "Flink has only ONE ROW PER MATCH.",
        "Flink 只支持 ONE ROW PER MATCH。";

    /// `PREV(A.x)`
    MatchPhysicalOffset, "match-physical-offset", Error, "match-recognize",
        "Flink has no PREV and NEXT: it sees only rows that a variable has taken.",
        "Flink 不支持 PREV 和 NEXT：它只能看到变量已匹配的行。"
        => "Write `LAST(variable.column, 1)`.",
           "请写成 `LAST(变量.列, 1)`。";

    /// `LAST(A.x + B.y)`
    MatchSeveralVariables, "match-several-variables", Error, "match-recognize",
        "One call can only read the rows of one variable.",
        "一次调用只能读取一个变量的行。";

    /// `LAST(SUM(A.x))`
    MatchNestedNavigation, "match-nested-navigation", Error, "match-recognize",
        "Inside of FIRST and LAST stands a column, not another of them or an aggregate.",
        "FIRST 和 LAST 的参数是列，不能再嵌套它们或聚合函数。";

    /// A column twice in the output
    MatchColumnsAmbiguous, "match-columns-ambiguous", Error, "match-recognize",
        "The columns of a match need different names, and at least one measure.",
        "匹配结果的列名必须各不相同，并且至少要有一个 MEASURES 列。";

    /// `WITHIN INTERVAL '1' MONTH`
    MatchWithin, "match-within", Error, "match-recognize",
        "WITHIN takes a constant interval of days to milliseconds.",
        "WITHIN 只接受从天到毫秒的常量时间间隔。";

    /// `COUNT(DISTINCT A.x)`
    MatchDistinct, "match-distinct", Error, "match-recognize",
        "Aggregates over the rows of a match take no DISTINCT.",
        "对匹配行的聚合不支持 DISTINCT。";

    /// `DEFINE A AS A.price`
    MatchConditionNotBoolean, "match-condition-not-boolean", Error, "match-recognize",
        "DEFINE needs a condition; this is of type {type}.",
        "DEFINE 需要条件表达式；这里的类型是 {type}。";

    /// A function that Flink does not run inside of patterns
    MatchFunction, "match-function", Error, "match-recognize",
        "Flink does not run `{function}` in a pattern.",
        "Flink 不支持在模式中使用 `{function}`。";

    /// `AFTER MATCH SKIP TO FIRST A` where the match begins with A
    MatchSkipsToItself, "match-skips-to-itself", Error, "match-recognize",
        "The search would go on at the first row of the match, and find it again for ever.",
        "搜索会回到匹配的第一行，从而无限重复同一个匹配。"
        => "Skip to a later variable, or PAST LAST ROW.",
           "请跳到之后的变量，或使用 PAST LAST ROW。";

    /// `AFTER MATCH SKIP TO FIRST B` where the match has no B
    MatchSkipsToNothing, "match-skips-to-nothing", Error, "match-recognize",
        "The match has no row of `{variable}`, to which the search should go on.",
        "匹配中没有变量 `{variable}` 的行，无法跳转。";
}
