//! Calls that stand for syntax which only Flink has.
//!
//! Such a call is an [`Expr::Function`] whose name is a single identifier with a quote character that nobody can type,
//! so that a function or column which somebody calls `$cast` is never taken for it. The identifier's span is that of the
//! whole construct. [`Reserved::of`] recognises one; [`args`] gives its arguments.

use sg_diag::Span;

use crate::query::{
    Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments, Ident, ObjectName,
};

/// The quote character of reserved names.
const MARK: char = '\u{1}';

/// Flink syntax as a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserved {
    /// `TABLE name [PARTITION BY k, …] [ORDER BY …]` as an argument: `(name [, $partition(…)] [, $order(…)])`;
    /// the name is an identifier or compound identifier, or a sub-query in its place.
    Table,
    /// `PARTITION BY a, b` of a table argument: `(a, b)`.
    PartitionBy,
    /// `ORDER BY a` of a table argument: `(a)`.
    OrderBy,
    /// `DESCRIPTOR(a, b)`: `(a, b)`.
    Descriptor,
    /// `CAST(x AS t)`: `(x, $type)`.
    Cast,
    /// `TRY_CAST(x AS t)`: `(x, $type)`.
    TryCast,
    /// A type as an argument; it has none itself, [`crate::SideTable::type_at`] gives the type at its span.
    Type,
    /// `MAP[k, v, …]`: `(k, v, …)`, an even number or not.
    Map,
    /// `MULTISET[a, b, …]`: `(a, b, …)`.
    Multiset,
    /// `a [NOT] BETWEEN SYMMETRIC low AND high`: `(a, low, high)`; NOT stands around it as a unary operator.
    BetweenSymmetric,
    /// `(a - b) DAY [TO SECOND]`: `(a, b)`; [`crate::SideTable::interval_at`] gives the units at its span.
    MinusToInterval,
    /// `TIMESTAMP WITH LOCAL TIME ZONE '…'`: `('…')`.
    TimestampLtzLiteral,
    /// `JSON_VALUE(x, path …)`: `(x, path [, clause…])`.
    JsonValue,
    /// `JSON_QUERY(x, path …)`: `(x, path [, clause…])`.
    JsonQuery,
    /// `JSON_EXISTS(x, path …)`: `(x, path [, clause…])`.
    JsonExists,
    /// `JSON_OBJECT(KEY k VALUE v, … [NULL|ABSENT ON NULL])`: `(k, v, … [, clause])`.
    JsonObject,
    /// `JSON_ARRAY(v, … [NULL|ABSENT ON NULL])`: `(v, … [, clause])`.
    JsonArray,
    /// `JSON_OBJECTAGG(KEY k VALUE v [NULL|ABSENT ON NULL])`: `(k, v [, clause])`.
    JsonObjectAgg,
    /// `JSON_ARRAYAGG(v [NULL|ABSENT ON NULL])`: `(v [, clause])`.
    JsonArrayAgg,
    /// A clause of a JSON function, such as `NULL ON EMPTY`: see [`crate::SideTable::json_clause_at`]; its argument
    /// is the expression of `DEFAULT`, if there is one.
    JsonClause,
    /// `CASE x WHEN a, b THEN`: a list of values in the place of one: `(a, b)`.
    WhenList,
    /// `(a, b) OVERLAPS (c, d)`: `(a, b, c, d)`.
    Overlaps,
}

/// Names in the order of the variants.
const NAMES: [(Reserved, &str); 22] = [
    (Reserved::Table, "$table"),
    (Reserved::PartitionBy, "$partition"),
    (Reserved::OrderBy, "$order"),
    (Reserved::Descriptor, "$descriptor"),
    (Reserved::Cast, "$cast"),
    (Reserved::TryCast, "$try_cast"),
    (Reserved::Type, "$type"),
    (Reserved::Map, "$map"),
    (Reserved::Multiset, "$multiset"),
    (Reserved::BetweenSymmetric, "$between_symmetric"),
    (Reserved::MinusToInterval, "$minus_to_interval"),
    (Reserved::TimestampLtzLiteral, "$timestamp_ltz"),
    (Reserved::JsonValue, "$json_value"),
    (Reserved::JsonQuery, "$json_query"),
    (Reserved::JsonExists, "$json_exists"),
    (Reserved::JsonObject, "$json_object"),
    (Reserved::JsonArray, "$json_array"),
    (Reserved::JsonObjectAgg, "$json_objectagg"),
    (Reserved::JsonArrayAgg, "$json_arrayagg"),
    (Reserved::JsonClause, "$json_clause"),
    (Reserved::WhenList, "$when_list"),
    (Reserved::Overlaps, "$overlaps"),
];

impl Reserved {
    /// Which construct a call stands for, or `None` for a call that somebody wrote.
    pub fn of(function: &Function) -> Option<Self> {
        let [name] = function.name.0.as_slice() else {
            return None;
        };
        if name.quote_style != Some(MARK) {
            return None;
        }
        NAMES
            .iter()
            .find(|(_, known)| *known == name.value)
            .map(|&(reserved, _)| reserved)
    }

    /// Which construct an expression stands for, and its arguments.
    pub fn of_expr(expr: &Expr) -> Option<(Self, Vec<&Expr>)> {
        match expr {
            Expr::Function(function) => Some((Self::of(function)?, args(function))),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(reserved, _)| *reserved == self)
            .map_or("$", |&(_, name)| name)
    }

    /// The call; `span` is the whole construct.
    pub(crate) fn call(self, span: Span, args: Vec<Expr>) -> Expr {
        let name = Ident {
            value: self.name().to_owned(),
            quote_style: Some(MARK),
            span,
        };
        let args = args
            .into_iter()
            .map(|arg| FunctionArg::Unnamed(FunctionArgExpr::Expr(arg)))
            .collect();
        Expr::Function(Box::new(Function {
            name: ObjectName(vec![name]),
            uses_odbc_syntax: false,
            args: FunctionArguments::List(FunctionArgumentList {
                duplicate_treatment: None,
                args,
                clauses: Vec::new(),
            }),
            filter: None,
            null_treatment: None,
            over: None,
            within_group: Vec::new(),
        }))
    }
}

/// The positional arguments of a call; named ones, `*` and a sub-query in their place are left out.
pub fn args(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else {
        return Vec::new();
    };
    list.args
        .iter()
        .filter_map(|arg| match arg {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        })
        .collect()
}
