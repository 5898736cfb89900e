//! A call of a scalar function: in front of its arguments stands a constant that holds the function.

use std::{cell::Cell, rc::Rc};

use sg_diag::Span;
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{Script, convert};
use crate::{
    bound::{Expr, ExprKind},
    eval::EvalCx,
    function::{CallSite, Eval, Family, FunctionDef, Kernel, Resolve, built_in},
    resolve::call,
};

/// The name of the row below; no SQL can write it.
const NAME: &str = "$script";

pub(crate) static ROWS: &[FunctionDef] = &[FunctionDef::new(
    NAME,
    Family::Conditional,
    Resolve::Internal,
    Eval::Build(build),
    ["Calls a function of the script.", "调用脚本中的函数。"],
)
.sees_nulls()];

/// A call of a function; the arguments have the declared types.
pub fn user_call(script: &Script, args: Vec<Expr>, result: DataType, span: Span) -> Expr {
    let head = script.to_expr();
    call(
        built_in(NAME),
        std::iter::once(head).chain(args).gather(),
        result,
        span,
    )
}

/// The function's name and the arguments, if the expression calls a function of the script.
pub fn as_user_call(expr: &Expr) -> Option<(&str, &[Expr])> {
    match &expr.kind {
        ExprKind::Call { function, args } if function.name == NAME => {
            let (head, args) = args.split_first()?;
            let ExprKind::Literal(Value::Row(head)) = &head.kind else {
                return None;
            };
            Some((head.first()?.as_str()?, args))
        }
        _ => None,
    }
}

impl Script {
    /// The function as a constant.
    pub(super) fn to_expr(&self) -> Expr {
        let raw = DataType::not_null(TypeKind::Raw(Rc::from(NAME)));
        Expr::literal(self.to_value(), raw, self.span)
    }

    pub(crate) fn to_value(&self) -> Value {
        Value::Row(Rc::from([
            Value::from(&*self.name),
            Value::from(&*self.source),
            Value::Int(i64::from(self.span.start)),
            Value::Int(i64::from(self.span.end)),
        ]))
    }

    pub(crate) fn of_value(value: &Value) -> Option<Self> {
        let Value::Row(cells) = value else { return None };
        let [name, source, start, end] = &**cells else {
            return None;
        };
        let offset = |value: &Value| value.as_int().and_then(|at| u32::try_from(at).ok());
        Some(Self {
            name: name.as_str()?.into(),
            source: source.as_str()?.into(),
            span: Span::new(offset(start)?, offset(end)?),
        })
    }
}

fn build(site: &CallSite<'_>) -> Kernel {
    let script = site.args.first().and_then(|head| match &head.kind {
        ExprKind::Literal(value) => Script::of_value(value),
        _ => None,
    });
    let types: Vec<DataType> = site.args.iter().skip(1).map(|arg| arg.data_type.clone()).gather();
    let result = site.data_type.clone();
    let id = Cell::new(None);
    Box::new(move |values: &[Value], _: &EvalCx| {
        let Some(script) = &script else {
            return Ok(Value::Null);
        };
        let arguments = convert::arguments(script, None, values.get(1..).unwrap_or_default(), &types)?;
        let mut number = match id.get() {
            Some(number) => number,
            None => script.shape()?.id,
        };
        let answer = script.call(&mut number, "eval", &arguments);
        id.set(Some(number));
        convert::from_json(script, &answer?, &result)
    })
}
