//! A table function that is called for each row: UNNEST, and the rows of INTERSECT ALL and EXCEPT ALL.
//!
//! Flink: `StreamExecCorrelate`, `UnnestRowsFunction`, `ReplicateRows`. Input: all row kinds; output rows keep the kind of
//! their input row. State and timers: none. Watermark: forwarded. Differs from Flink: the order of a map's entries.
//! Cases: unnest/*, setop/intersect-all-keeps-the-smaller-count.

use sg_diag::{Code, Diagnostic, Span};
use sg_expr::{Compiled, EvalError, compile, script::TableCall};
use sg_plan::{logical::TableFunction, physical::node::CorrelateSpec};
use sg_value::{Change, Gather as _, Value};

use crate::op::{Ctx, OpResult, Operator};

pub(crate) struct Correlate {
    function: TableFunction,
    /// The function of the script that is called.
    script: Option<TableCall>,
    args: Box<[Compiled]>,
    condition: Option<Compiled>,
    /// Number of the function's columns.
    width: usize,
    /// Rows for which nothing passes are kept.
    left: bool,
    span: Span,
}

impl Correlate {
    #[cfg_attr(sg_hot, optimize(size))]
    pub(crate) fn new(spec: &CorrelateSpec, span: Span) -> Self {
        Self {
            function: spec.function,
            script: (spec.function == TableFunction::Script)
                .then(|| TableCall::new(&spec.args, &spec.columns))
                .flatten(),
            args: spec.args.iter().map(compile).gather(),
            condition: spec.condition.as_ref().map(compile),
            width: spec.columns.len(),
            left: spec.left,
            span,
        }
    }

    /// The function's rows, cells one behind the other.
    #[cfg_attr(sg_hot, optimize(size))]
    fn rows(&self, args: &[Value], left: usize) -> Result<Vec<Value>, EvalError> {
        if let Some(script) = &self.script {
            return script.rows(args).map_err(|mut error| {
                error.diagnostic.span = self.span;
                error
            });
        }
        let mut rows = Vec::new();
        match (self.function, args) {
            (TableFunction::ReplicateRows, [times, cells @ ..]) => {
                for _ in 0..times.as_int().unwrap_or(0) {
                    rows.extend_from_slice(cells);
                }
            }
            (TableFunction::Unnest, [Value::Array(elements)]) => {
                let spread = self.width;
                for element in elements.iter() {
                    // a NULL in place of a row gives no row
                    if !(element.is_null() && self.is_spread(elements)) {
                        push_element(&mut rows, element, spread);
                    }
                }
            }
            (TableFunction::UnnestWithOrdinality, [Value::Array(elements)]) => {
                for (ordinal, element) in (1_i64..).zip(elements.iter()) {
                    if element.is_null() && self.width > 2 {
                        return Err(self.null_row(left));
                    }
                    push_element(&mut rows, element, self.width.saturating_sub(1));
                    rows.push(Value::Int(ordinal));
                }
            }
            (function, [Value::Map(map)]) => {
                let ordinality = function == TableFunction::UnnestWithOrdinality;
                let width = self.width - usize::from(ordinality);
                let mut ordinal = 0;
                for (key, value) in &map.entries {
                    // a multiset has one column and says how often
                    let times = if width == 1 {
                        value.as_int().unwrap_or(0)
                    } else {
                        1
                    };
                    for _ in 0..times {
                        ordinal += 1;
                        rows.push(key.clone());
                        if width > 1 {
                            rows.push(value.clone());
                        }
                        if ordinality {
                            rows.push(Value::Int(ordinal));
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(rows)
    }

    /// Flink 2.3: `UnnestRowsWithOrdinalityFunction` makes a row of two columns of whatever is no row.
    #[cfg_attr(sg_hot, optimize(size))]
    fn null_row(&self, left: usize) -> EvalError {
        EvalError::new(Diagnostic::new(Code::UnnestNullRow, self.span).flink(format!(
            "IllegalArgumentException: Row arity: {}, but serializer arity: {}",
            left + 2,
            left + self.width
        )))
    }

    /// Whether elements are rows whose fields become columns.
    #[cfg_attr(sg_hot, optimize(size))]
    fn is_spread(&self, elements: &[Value]) -> bool {
        self.width > 1 || elements.iter().any(|element| matches!(element, Value::Row(_)))
    }
}

#[cfg_attr(sg_hot, optimize(size))]
fn push_element(rows: &mut Vec<Value>, element: &Value, width: usize) {
    match element {
        Value::Row(fields) if fields.len() == width => rows.extend(fields.iter().cloned()),
        Value::Null => rows.extend(std::iter::repeat_n(Value::Null, width)),
        single => rows.push(single.clone()),
    }
}

impl Operator for Correlate {
    #[cfg_attr(sg_hot, optimize(size))]
    fn on_change(&self, cx: &mut Ctx<'_>, _input: u32, change: Change<'_>) -> OpResult {
        let mut args = Vec::with_capacity(self.args.len());
        for arg in &self.args {
            args.push(arg.eval(change.row, cx.eval)?);
        }
        let rows = self.rows(&args, change.row.len())?;
        let mut any = false;
        for row in rows.chunks_exact(self.width.max(1)) {
            if let Some(condition) = &self.condition
                && !condition.test(row, cx.eval)?
            {
                continue;
            }
            any = true;
            cx.out.emit(change.kind, |cells| {
                cells.extend_from_slice(change.row);
                cells.extend_from_slice(row);
            });
        }
        if self.left && !any {
            cx.out.emit(change.kind, |cells| {
                cells.extend_from_slice(change.row);
                cells.extend(std::iter::repeat_n(Value::Null, self.width));
            });
        }
        Ok(())
    }
}
