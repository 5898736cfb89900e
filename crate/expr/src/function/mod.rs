//! The registry of scalar functions.

/// One built-in function or operator.
#[derive(Debug)]
pub struct FunctionDef {
    /// Name as Flink prints it in plans: `UPPER`, `+`, `IS NOT NULL`, `CASE`.
    pub name: &'static str,
}
