//! What stands in FROM.

use super::{
    AfterMatchSkip, Expr, FunctionArg, Ident, MatchRecognizePattern, Measure, ObjectName, OrderByExpr, Query,
    RowsPerMatch, SymbolDefinition,
};

/// A table with what is joined to it, from the left.
#[derive(Clone, Debug, PartialEq)]
pub struct TableWithJoins {
    /// The first table.
    pub relation: TableFactor,
    /// What is joined to it.
    pub joins: Vec<Join>,
}

/// One join.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// The table on the right.
    pub relation: TableFactor,
    /// The kind and the condition.
    pub join_operator: JoinOperator,
}

/// Kinds of joins. SEMI and ANTI are refused.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinOperator {
    /// JOIN
    Join(JoinConstraint),
    /// INNER JOIN
    Inner(JoinConstraint),
    /// LEFT JOIN
    Left(JoinConstraint),
    /// LEFT OUTER JOIN
    LeftOuter(JoinConstraint),
    /// RIGHT JOIN
    Right(JoinConstraint),
    /// RIGHT OUTER JOIN
    RightOuter(JoinConstraint),
    /// FULL [OUTER] JOIN
    FullOuter(JoinConstraint),
    /// CROSS JOIN
    CrossJoin(JoinConstraint),
    /// [LEFT|RIGHT] SEMI JOIN
    Semi(JoinConstraint),
    /// [LEFT|RIGHT] ANTI JOIN
    Anti(JoinConstraint),
}

/// What rows have to fulfil to be joined.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinConstraint {
    /// `ON …`
    On(Expr),
    /// `USING (a, b)`
    Using(Vec<ObjectName>),
    /// NATURAL
    Natural,
    /// Nothing.
    None,
}

/// `AS t (a, b)`
#[derive(Clone, Debug, PartialEq)]
pub struct TableAlias {
    /// AS was written.
    pub explicit: bool,
    /// The name of the table.
    pub name: Ident,
    /// Names for its columns.
    pub columns: Vec<TableAliasColumnDef>,
}

/// A column of an alias.
#[derive(Clone, Debug, PartialEq)]
pub struct TableAliasColumnDef {
    /// Its name.
    pub name: Ident,
}

/// One thing in FROM.
#[derive(Clone, Debug, PartialEq)]
pub enum TableFactor {
    /// `t`, `f(x)`, `UNNEST(x)`
    Table {
        /// Its name.
        name: ObjectName,
        /// Its alias.
        alias: Option<TableAlias>,
        /// Arguments, if it is a function.
        args: Option<Vec<FunctionArg>>,
        /// The time of `FOR SYSTEM_TIME AS OF`.
        version: Option<Expr>,
        /// `WITH ORDINALITY`
        with_ordinality: bool,
    },
    /// `(query)`
    Derived {
        /// LATERAL
        lateral: bool,
        /// The query.
        subquery: Box<Query>,
        /// Its alias.
        alias: Option<TableAlias>,
    },
    /// `TABLE(f(x))`
    TableFunction {
        /// The call.
        expr: Expr,
        /// Its alias.
        alias: Option<TableAlias>,
    },
    /// `LATERAL f(x)`; of `LATERAL TABLE(f(x))`, TABLE is the name.
    Function {
        /// LATERAL
        lateral: bool,
        /// The name.
        name: ObjectName,
        /// Its arguments.
        args: Vec<FunctionArg>,
        /// `WITH ORDINALITY`
        with_ordinality: bool,
        /// Its alias.
        alias: Option<TableAlias>,
    },
    /// `(t JOIN u ON …)`
    NestedJoin {
        /// The join.
        table_with_joins: Box<TableWithJoins>,
        /// Its alias.
        alias: Option<TableAlias>,
    },
    /// `t MATCH_RECOGNIZE (…)`
    MatchRecognize {
        /// What is matched.
        table: Box<Self>,
        /// `PARTITION BY …`
        partition_by: Vec<Expr>,
        /// `ORDER BY …`
        order_by: Vec<OrderByExpr>,
        /// `MEASURES …`
        measures: Vec<Measure>,
        /// `ONE ROW PER MATCH`
        rows_per_match: Option<RowsPerMatch>,
        /// `AFTER MATCH SKIP …`
        after_match_skip: Option<AfterMatchSkip>,
        /// `PATTERN (…)`
        pattern: MatchRecognizePattern,
        /// `DEFINE …`
        symbols: Vec<SymbolDefinition>,
        /// Its alias.
        alias: Option<TableAlias>,
    },
}
