//! Flink's words: which are reserved, which mean something, and what a word is for highlighting.

/// Words that cannot be a name without backquotes; sorted. Source: Flink 2.3, which refuses `SELECT 1 AS word` for each of
/// them and for no other token of its parser.
#[rustfmt::skip]
pub(crate) const RESERVED: &[&str] = &[
    "ABS", "ALL", "ALLOCATE", "ALLOW", "ALTER", "AND", "ANY", "ARE", "ARRAY", "ARRAY_CONCAT_AGG",
    "ARRAY_MAX_CARDINALITY", "AS", "ASENSITIVE", "ASYMMETRIC", "AT", "ATOMIC", "AUTHORIZATION", "AVG",
    "BEGIN", "BEGIN_FRAME", "BEGIN_PARTITION", "BETWEEN", "BIGINT", "BINARY", "BIT", "BITMAP", "BLOB",
    "BOOLEAN", "BOTH", "BUCKETS", "BY", "BYTES", "CALL", "CALLED", "CARDINALITY", "CASCADED", "CASE", "CAST",
    "CATALOGS", "CEIL", "CEILING", "CHAR", "CHARACTER", "CHARACTER_LENGTH", "CHAR_LENGTH", "CHECK",
    "CLASSIFIER", "CLOB", "CLOSE", "COALESCE", "COLLATE", "COLLECT", "COLUMN", "COMMENT", "COMMIT",
    "CONDITION", "CONNECT", "CONNECTIONS", "CONSTRAINT", "CONTAINS", "CONTAINS_SUBSTR", "CONTINUOUS",
    "CONVERT", "CORR", "CORRESPONDING", "COUNT", "COVAR_POP", "COVAR_SAMP", "CREATE", "CROSS", "CUBE",
    "CUME_DIST", "CURRENT", "CURRENT_CATALOG", "CURRENT_DATE", "CURRENT_DEFAULT_TRANSFORM_GROUP",
    "CURRENT_PATH", "CURRENT_ROLE", "CURRENT_ROW", "CURRENT_SCHEMA", "CURRENT_TIME", "CURRENT_TIMESTAMP",
    "CURRENT_TRANSFORM_GROUP_FOR_TYPE", "CURRENT_USER", "CURSOR", "CYCLE", "DATABASES", "DATE", "DATETIME",
    "DATETIME_TRUNC", "DATE_TRUNC", "DAY", "DEALLOCATE", "DEC", "DECIMAL", "DECLARE", "DEFAULT", "DEFINE",
    "DELETE", "DENSE_RANK", "DEREF", "DESCRIBE", "DETERMINISTIC", "DISALLOW", "DISCONNECT", "DISTINCT",
    "DISTRIBUTED", "DISTRIBUTION", "DOT", "DOUBLE", "DROP", "DYNAMIC", "EACH", "ELEMENT", "ELSE", "EMPTY",
    "END", "END_FRAME", "END_PARTITION", "EQUALS", "ESCAPE", "EVERY", "EXCEPT", "EXEC", "EXECUTE", "EXISTS",
    "EXP", "EXPLAIN", "EXTEND", "EXTENDED", "EXTERNAL", "EXTRACT", "FALSE", "FETCH", "FILTER", "FIRST_VALUE",
    "FLOAT", "FLOOR", "FOR", "FOREIGN", "FRAME_ROW", "FREE", "FRESHNESS", "FRIDAY", "FROM", "FULL",
    "FUNCTION", "FUNCTIONS", "FUSION", "GET", "GLOBAL", "GRANT", "GROUP", "GROUPING", "GROUPS",
    "GROUP_CONCAT", "HASH", "HAVING", "HOLD", "HOUR", "IDENTITY", "ILIKE", "IMPORT", "IN", "INCLUDE",
    "INDICATOR", "INITIAL", "INNER", "INOUT", "INSENSITIVE", "INSERT", "INT", "INTEGER", "INTERSECT",
    "INTERSECTION", "INTERVAL", "INTO", "IS", "JOIN", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_EXISTS",
    "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_QUERY", "JSON_SCOPE", "JSON_VALUE", "LAG", "LANGUAGE", "LARGE",
    "LAST_VALUE", "LATERAL", "LEAD", "LEADING", "LEFT", "LIKE", "LIKE_REGEX", "LIMIT", "LN", "LOCAL",
    "LOCALTIME", "LOCALTIMESTAMP", "LOWER", "MATCH", "MATCHES", "MATCH_NUMBER", "MATCH_RECOGNIZE",
    "MATERIALIZED", "MAX", "MEASURES", "MEMBER", "MERGE", "METHOD", "MIN", "MINUS", "MINUTE", "MOD", "MODELS",
    "MODIFIES", "MODIFY", "MODULE", "MODULES", "MONDAY", "MONTH", "MULTISET", "NATIONAL", "NATURAL", "NCHAR",
    "NCLOB", "NEW", "NEXT", "NO", "NONE", "NORMALIZE", "NOT", "NTH_VALUE", "NTILE", "NULL", "NULLIF",
    "NUMERIC", "OCCURRENCES_REGEX", "OCTET_LENGTH", "OF", "OFFSET", "OLD", "OMIT", "ON", "ONE", "ONLY",
    "OPEN", "OR", "ORDER", "ORDINAL", "OUT", "OUTER", "OVER", "OVERLAPS", "OVERLAY", "PARAMETER", "PARTITION",
    "PATTERN", "PER", "PERCENT", "PERCENTILE_CONT", "PERCENTILE_DISC", "PERCENT_RANK", "PERIOD", "PERMUTE",
    "PIVOT", "PORTION", "POSITION", "POSITION_REGEX", "POWER", "PRECEDES", "PRECISION", "PREPARE", "PREV",
    "PRIMARY", "PROCEDURE", "PROCEDURES", "QUALIFY", "QUARTERS", "RANGE", "RANK", "RAW", "READS", "REAL",
    "RECURSIVE", "REF", "REFERENCES", "REFERENCING", "REFRESH", "REFRESH_MODE", "REGR_AVGX", "REGR_AVGY",
    "REGR_COUNT", "REGR_INTERCEPT", "REGR_R2", "REGR_SLOPE", "REGR_SXX", "REGR_SXY", "REGR_SYY", "RELEASE",
    "RENAME", "RESET", "RESULT", "RESUME", "RETURN", "RETURNS", "REVOKE", "RIGHT", "RLIKE", "ROLLBACK",
    "ROLLUP", "ROW", "ROWS", "ROW_NUMBER", "RUNNING", "SAFE_CAST", "SAFE_OFFSET", "SAFE_ORDINAL", "SATURDAY",
    "SAVEPOINT", "SCALA", "SCOPE", "SCROLL", "SEARCH", "SECOND", "SEEK", "SELECT", "SENSITIVE", "SEPARATOR",
    "SESSION_USER", "SET", "SHOW", "SIMILAR", "SKIP", "SMALLINT", "SOME", "SPECIFIC", "SPECIFICTYPE", "SQL",
    "SQLEXCEPTION", "SQLSTATE", "SQLWARNING", "SQRT", "START", "STATEMENT", "STATIC", "STDDEV_POP",
    "STDDEV_SAMP", "STREAM", "STRING", "STRING_AGG", "STRUCTURED", "SUBMULTISET", "SUBSET", "SUBSTRING",
    "SUBSTRING_REGEX", "SUCCEEDS", "SUM", "SUNDAY", "SUSPEND", "SYMMETRIC", "SYSTEM", "SYSTEM_TIME",
    "SYSTEM_USER", "TABLE", "TABLES", "TABLESAMPLE", "THEN", "THURSDAY", "TIME", "TIMESTAMP",
    "TIMESTAMP_DIFF", "TIMESTAMP_LTZ", "TIMESTAMP_TRUNC", "TIMEZONE_HOUR", "TIMEZONE_MINUTE", "TIME_DIFF",
    "TIME_TRUNC", "TINYINT", "TO", "TRAILING", "TRANSLATE", "TRANSLATE_REGEX", "TRANSLATION", "TREAT",
    "TRIGGER", "TRIM", "TRIM_ARRAY", "TRUE", "TRUNCATE", "TRY_CAST", "TUESDAY", "UESCAPE", "UNION", "UNIQUE",
    "UNKNOWN", "UNNEST", "UNPIVOT", "UPDATE", "UPPER", "UPSERT", "USE", "USER", "USING", "VALUE", "VALUES",
    "VALUE_OF", "VARBINARY", "VARCHAR", "VARIANT", "VARYING", "VAR_POP", "VAR_SAMP", "VERSIONING", "VIEWS",
    "WATERMARK", "WATERMARKS", "WEDNESDAY", "WEEKS", "WHEN", "WHENEVER", "WHERE", "WIDTH_BUCKET", "WINDOW",
    "WITH", "WITHIN", "WITHOUT", "YEAR",
];

/// Words that mean something in some place and are free to be names elsewhere; sorted.
#[rustfmt::skip]
const CONTEXTUAL: &[&str] = &[
    "ABSENT", "ADD", "AFTER", "ANALYZE", "ANTI", "ARRAY_AGG", "ASC", "BEFORE", "CASCADE", "CATALOG",
    "CHANGELOG_MODE", "COLUMNS", "COMPILE", "CONDITIONAL", "CONFLICT", "CONSTRAINTS", "CUMULATE", "DATABASE",
    "DAYS", "DEDUPLICATE", "DESC", "DESCRIPTOR", "DO", "ENFORCED", "ERROR", "ESTIMATED_COST", "EXCLUDING",
    "FINAL", "FIRST", "FOLLOWING", "GENERATED", "HOP", "HOURS", "IF", "IGNORE", "INCLUDING", "JAR", "JARS",
    "JOB", "JOBS", "JSON", "JSON_EXECUTION_PLAN", "KEY", "LAST", "LOAD", "MAP", "METADATA", "MINUTES",
    "MODEL", "MONTHS", "NOTHING", "NULLS", "OPTIONS", "ORDINALITY", "OVERWRITE", "OVERWRITING", "PARTITIONED",
    "PARTITIONS", "PAST", "PLAN", "PLAN_ADVICE", "PRECEDING", "QUARTER", "REMOVE", "REPLACE", "RESPECT",
    "RESTRICT", "RETURNING", "SCALAR", "SECONDS", "SEMI", "SESSION", "SETS", "STOP", "TEMPORARY", "TIES",
    "TUMBLE", "UNBOUNDED", "UNCONDITIONAL", "UNLOAD", "VIEW", "VIRTUAL", "WEEK", "WRAPPER", "YEARS", "ZONE",
];

/// Words that name a type; sorted.
const TYPES: &[&str] = &[
    "ARRAY",
    "BIGINT",
    "BINARY",
    "BITMAP",
    "BOOLEAN",
    "BYTES",
    "CHAR",
    "CHARACTER",
    "DATE",
    "DEC",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "INT",
    "INTEGER",
    "MAP",
    "MULTISET",
    "NUMERIC",
    "RAW",
    "ROW",
    "SMALLINT",
    "STRING",
    "STRUCTURED",
    "TIME",
    "TIMESTAMP",
    "TIMESTAMP_LTZ",
    "TINYINT",
    "VARBINARY",
    "VARCHAR",
    "VARIANT",
];

/// Reserved words that begin or join clauses; no name is meant by them. Sorted.
const CLAUSES: &[&str] = &[
    "ALL",
    "AND",
    "AS",
    "BETWEEN",
    "BY",
    "CREATE",
    "CROSS",
    "DISTINCT",
    "ELSE",
    "END",
    "EXCEPT",
    "FETCH",
    "FOR",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IN",
    "INNER",
    "INSERT",
    "INTERSECT",
    "INTO",
    "IS",
    "JOIN",
    "LATERAL",
    "LEFT",
    "LIKE",
    "LIMIT",
    "MINUS",
    "NATURAL",
    "NOT",
    "OF",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "QUALIFY",
    "RIGHT",
    "SELECT",
    "SET",
    "TABLE",
    "THEN",
    "TO",
    "UNION",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
];

/// No word of the lists is longer.
const LONGEST: usize = 40;

/// This is asked several times for each word of a script: the copy in capitals is on the stack.
fn listed(list: &[&str], word: &str) -> bool {
    let mut buffer = [0; LONGEST];
    let Some(capitals) = buffer.get_mut(..word.len()) else {
        return false;
    };
    capitals.copy_from_slice(word.as_bytes());
    capitals.make_ascii_uppercase();
    list.binary_search_by(|known| known.as_bytes().cmp(capitals))
        .is_ok()
}

/// True if the word, in any case, cannot be a name without backquotes.
pub fn is_reserved(word: &str) -> bool {
    listed(RESERVED, word)
}

/// True if the word, in any case, means something in some place of Flink SQL.
pub fn is_keyword(word: &str) -> bool {
    listed(RESERVED, word) || listed(CONTEXTUAL, word)
}

/// True if the word, in any case, begins or joins clauses.
pub(crate) fn is_clause(word: &str) -> bool {
    listed(CLAUSES, word)
}

/// True if the word, in any case, names a type.
pub(crate) fn is_type_name(word: &str) -> bool {
    listed(TYPES, word)
}

/// Every word that means something, in capitals; reserved ones first.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    RESERVED
        .iter()
        .chain(CONTEXTUAL.iter().filter(|word| !listed(RESERVED, word)))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [RESERVED, CONTEXTUAL, TYPES, CLAUSES] {
            assert!(list.is_sorted());
            assert!(list.iter().all(|word| word.len() <= LONGEST));
        }
    }

    #[test]
    fn case_does_not_matter() {
        assert!(is_reserved("Timestamp"));
        assert!(!is_reserved("status"));
        assert!(is_keyword("metadata"));
        assert!(keywords().all(|word| word == word.to_ascii_uppercase()));
    }
}
