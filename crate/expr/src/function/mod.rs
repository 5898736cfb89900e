//! The registry of scalar functions.

/// One built-in function or operator.
#[derive(Debug)]
pub struct FunctionDef {
    /// Name as Flink prints it in plans: `UPPER`, `+`, `IS NOT NULL`, `CASE`.
    pub name: &'static str,
    /// Other names in SQL.
    pub aliases: &'static [&'static str],
    /// Where it stands in lists.
    pub family: Family,
    /// How it is called, one line a form: `SUBSTRING(string, from[, length]) → STRING`.
    pub forms: &'static [&'static str],
    /// What it does.
    pub doc: Doc,
    /// On what its result depends beside its arguments.
    pub volatility: Volatility,
}

/// A one-line description.
#[derive(Clone, Copy, Debug)]
pub struct Doc {
    /// English.
    pub en: &'static str,
    /// Chinese.
    pub zh: &'static str,
}

/// A group of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Family {
    Comparison,
    Logic,
    Arithmetic,
    String,
    Conditional,
    Time,
    Cast,
    Json,
    Collection,
    Hash,
}

/// On what a result depends beside the arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatility {
    /// Nothing: constant arguments give a constant.
    Immutable,
    /// The session time zone: not folded into the plan.
    Session,
    /// The clock, the watermark, or chance: another value for each row.
    PerRow,
}

/// All functions and operators, by family.
pub fn functions() -> impl Iterator<Item = &'static FunctionDef> {
    std::iter::empty()
}
