//! What is wrong with the text itself, before any name is looked up.

super::codes! {
    SyntaxError, "syntax-error", Error, "syntax",
        "`{found}` stands where {expected} is expected.",
        "`{found}` 处应为{expected}。";

    UnexpectedEnd, "unexpected-end", Error, "syntax",
        "The statement ends where {expected} is expected.",
        "语句提前结束，此处还应有{expected}。";

    UnexpectedToken, "unexpected-token", Error, "syntax",
        "`{found}` cannot stand here.",
        "此处不能出现 `{found}`。";

    UnknownStatement, "unknown-statement", Error, "syntax",
        "No statement begins with `{found}`.",
        "没有以 `{found}` 开头的语句。"
        => "Statements begin with SELECT, WITH, VALUES, INSERT, CREATE, ALTER, DROP, EXPLAIN, DESCRIBE, SHOW, USE, SET or RESET.",
           "语句以 SELECT、WITH、VALUES、INSERT、CREATE、ALTER、DROP、EXPLAIN、DESCRIBE、SHOW、USE、SET 或 RESET 开头。";

    UnterminatedString, "unterminated-string", Error, "syntax",
        "The string has no closing quote.",
        "字符串缺少右引号。"
        => "End it with `'`; a quote inside a string is written twice.",
           "请以 `'` 结束；字符串中的引号要写两次。";

    UnterminatedIdentifier, "unterminated-identifier", Error, "syntax",
        "The quoted name has no closing backquote.",
        "带引号的名称缺少右反引号。";

    UnterminatedComment, "unterminated-comment", Error, "syntax",
        "The comment has no closing `*/`.",
        "注释缺少结尾的 `*/`。";

    UnexpectedCharacter, "unexpected-character", Error, "syntax",
        "`{found}` is not part of Flink SQL.",
        "Flink SQL 中没有 `{found}`。";

    DoubleQuoted, "double-quoted", Error, "syntax",
        "Double quotes mean nothing in Flink SQL.",
        "双引号在 Flink SQL 中没有意义。"
        => "Strings stand in `'single quotes'`, names in backquotes.",
           "字符串使用 `'单引号'`，名称使用反引号。";

    OperatorNotInFlink, "operator-not-in-flink", Error, "syntax",
        "Flink SQL has no operator `{operator}`.",
        "Flink SQL 中没有运算符 `{operator}`。";

    StringContinuedOnSameLine, "string-continued-on-same-line", Error, "syntax",
        "Two strings stand next to each other on one line.",
        "同一行上有两个相邻的字符串。"
        => "Join them with `||`, or put the second on its own line.",
           "请用 `||` 连接，或把第二个放到下一行。";

    BadEscape, "bad-escape", Error, "syntax",
        "`{found}` is no escape sequence of this string.",
        "`{found}` 不是该字符串的转义序列。";

    BadBinaryLiteral, "bad-binary-literal", Error, "syntax",
        "A binary literal holds pairs of hexadecimal digits; `{found}` does not.",
        "二进制字面量由成对的十六进制数字组成，`{found}` 不是。";

    UnclosedParenthesis, "unclosed-parenthesis", Error, "syntax",
        "`{opening}` is never closed.",
        "`{opening}` 没有闭合。";

    UnmatchedParenthesis, "unmatched-parenthesis", Error, "syntax",
        "`{closing}` closes nothing.",
        "`{closing}` 没有对应的左括号。";

    ReservedWord, "reserved-word", Error, "syntax",
        "`{word}` is a reserved word and no name.",
        "`{word}` 是保留字，不能直接用作名称。"
        => "In backquotes it can be a name.",
           "加上反引号后即可用作名称。";

    TrailingComma, "trailing-comma", Error, "syntax",
        "After the comma something has to follow, and `{found}` ends the list.",
        "逗号之后还应有内容，而 `{found}` 结束了列表。";

    EmptyStatement, "empty-statement", Note, "syntax",
        "There is nothing between two semicolons.",
        "两个分号之间没有内容。";

    UnquotedOption, "unquoted-option", Error, "option",
        "Options are quoted strings; `{found}` is not.",
        "选项要写成带引号的字符串，`{found}` 不是。"
        => "Put it in single quotes.",
           "请加上单引号。";

    ClauseOrder, "clause-order", Error, "syntax",
        "{clause} stands behind {before}, in Flink it comes first.",
        "{clause} 写在了 {before} 之后，在 Flink 中应在其之前。";

    DuplicateClause, "duplicate-clause", Error, "syntax",
        "{clause} stands here a second time.",
        "此处重复出现 {clause}。";

    LimitComma, "limit-comma", Error, "syntax",
        "`LIMIT a, b` is not Flink SQL.",
        "Flink SQL 中没有 `LIMIT a, b`。"
        => "Write `LIMIT b OFFSET a`.",
           "写作 `LIMIT b OFFSET a`。";

    MinusSetOperator, "minus-set-operator", Error, "set-operation",
        "Flink SQL has no MINUS.",
        "Flink SQL 中没有 MINUS。"
        => "EXCEPT does the same.",
           "EXCEPT 的作用相同。";

    SemiJoinSyntax, "semi-join-syntax", Error, "join",
        "Flink SQL has no {join} JOIN.",
        "Flink SQL 中没有 {join} JOIN。"
        => "Use IN or EXISTS, with NOT for an anti join.",
           "请使用 IN 或 EXISTS；反连接加上 NOT。";

    LateralWithoutTable, "lateral-without-table", Error, "join",
        "A function in FROM stands in TABLE( … ) after LATERAL.",
        "FROM 中 LATERAL 之后的函数要写在 TABLE( … ) 中。"
        => "Write `LATERAL TABLE(f(x))`.",
           "写作 `LATERAL TABLE(f(x))`。";

    NotFlinkSyntax, "not-flink-syntax", Error, "syntax",
        "{construct} is not part of Flink SQL.",
        "Flink SQL 中没有 {construct}。";

    NotSupported, "not-supported", Unsupported, "scope",
        "Streamglass does not run {feature} yet.",
        "Streamglass 暂不支持 {feature}。";

    NothingToDoHere, "nothing-to-do-here", Unsupported, "scope",
        "{feature} needs a Flink cluster; in the browser there is nothing for it to do.",
        "{feature} 需要 Flink 集群，在浏览器中没有意义。"
        => "Remove the statement, or keep it as a comment.",
           "可删除该语句，或改为注释。";

    StatementSetWithoutEnd, "statement-set-without-end", Error, "statement-set",
        "The statement set has no END.",
        "语句集缺少 END。";

    StatementSetEmpty, "statement-set-empty", Error, "statement-set",
        "The statement set holds no INSERT.",
        "语句集中没有 INSERT。";

    StatementSetOnlyInserts, "statement-set-only-inserts", Error, "statement-set",
        "A statement set holds only INSERT statements; `{found}` is none.",
        "语句集中只能有 INSERT 语句，`{found}` 不是。";

    EndWithoutBegin, "end-without-begin", Error, "statement-set",
        "END closes no statement set.",
        "END 没有对应的语句集。";

    ExplainDetailUnknown, "explain-detail-unknown", Error, "execution-plan",
        "EXPLAIN knows no detail `{detail}`.",
        "EXPLAIN 没有 `{detail}` 这一项。";

    HintMalformed, "hint-malformed", Error, "hint",
        "A hint reads `NAME('key' = 'value')` or `NAME(table)`.",
        "提示的写法是 `NAME('key' = 'value')` 或 `NAME(table)`。";

    HintMisplaced, "hint-misplaced", Error, "hint",
        "A hint stands after SELECT or after a table name, not here.",
        "提示写在 SELECT 或表名之后，不能写在此处。";

    IntervalWithoutUnit, "interval-without-unit", Error, "interval",
        "The interval `{value}` has no unit.",
        "时间间隔 `{value}` 缺少单位。"
        => "Write the unit behind the quotes: `INTERVAL '5' MINUTE`.",
           "单位写在引号之后：`INTERVAL '5' MINUTE`。";

    SubsetMalformed, "subset-malformed", Error, "match-recognize",
        "A SUBSET reads `SUBSET name = (symbol, symbol)`.",
        "SUBSET 的写法是 `SUBSET name = (symbol, symbol)`。";

    StatementNotOnStreams, "statement-not-on-streams", Error, "changelog",
        "{statement} does not run on streams.",
        "{statement} 不能在流上运行。"
        => "A stream changes by its events: send the change from the source.",
           "流通过事件变化：请由数据源发送变更。";

    JoinNeedsCondition, "join-needs-condition", Error, "join",
        "A join needs a condition: ON, USING or NATURAL.",
        "连接需要条件：ON、USING 或 NATURAL。"
        => "For every pair of rows write CROSS JOIN.",
           "若要所有行两两组合，请写 CROSS JOIN。";

    /// `SELECT id FRM t`
    MisspeltClause, "misspelt-clause", Error, "syntax",
        "`{word}` is read as an alias here, and `{found}` cannot follow it.",
        "`{word}` 在此处被当作别名，其后不能是 `{found}`。";

    /// `SELECT name city age FROM people`
    MissingComma, "missing-comma", Error, "syntax",
        "`{found}` follows `{before}` without a comma or an operator between them.",
        "`{before}` 与 `{found}` 之间缺少逗号或运算符。";

    NumberTooLarge, "number-too-large", Error, "number",
        "{number} is too large a number here.",
        "此处的数字 {number} 过大。";

    ColumnNeedsType, "column-needs-type", Error, "column",
        "Column `{column}` has no type.",
        "列 `{column}` 没有类型。";

    /// `SELECT * all_of_it FROM t`
    StarWithAlias, "star-with-alias", Error, "syntax",
        "`*` takes no alias.",
        "`*` 不能带别名。";
}
