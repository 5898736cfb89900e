//! `JSON_STRING`, `JSON_OBJECT`, `JSON_ARRAY`, `JSON`, `JSON_QUOTE`, `JSON_UNQUOTE`.

use serde_json::Value as Json;
use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Gather as _, TypeKind, Value};

use super::{
    super::{
        CallSite, Eval, FunctionDef, Kernel, Outcome, Resolve,
        definition::Family::Json as Jsons,
        signature::{Param, Returns, Signature, takes},
    },
    text::{compact, of_value, parsed, quoted},
};
use crate::{
    bound::{Expr, ExprKind},
    resolve::Request,
    types::KindExt,
};

static TEXT: &[Signature] = &[takes(&[Param::Text], Returns::Text)];

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "JSON_STRING",
        Jsons,
        Resolve::Rules(resolve_string),
        Eval::Build(json_string),
        ["A value as JSON text.", "把值写成 JSON 文本。"],
    )
    .written(&["JSON_STRING(value)"]),
    FunctionDef::new(
        "JSON_OBJECT",
        Jsons,
        Resolve::Rules(resolve_members),
        Eval::Build(json_object),
        ["A JSON object of keys and values.", "由键和值组成 JSON 对象。"],
    )
    .sees_nulls()
    .written(&["JSON_OBJECT(KEY key VALUE value, … [NULL ON NULL | ABSENT ON NULL])"]),
    FunctionDef::new(
        "JSON_ARRAY",
        Jsons,
        Resolve::Rules(resolve_members),
        Eval::Build(json_array),
        ["A JSON array of values.", "由值组成 JSON 数组。"],
    )
    .sees_nulls()
    .written(&["JSON_ARRAY(value, … [NULL ON NULL | ABSENT ON NULL])"]),
    FunctionDef::new(
        "JSON",
        Jsons,
        Resolve::Table(TEXT),
        Eval::Values(json),
        [
            "Inside JSON_OBJECT and JSON_ARRAY: a text that is JSON already.",
            "用于 JSON_OBJECT 和 JSON_ARRAY 中：文本本身就是 JSON。",
        ],
    ),
    FunctionDef::new(
        "JSON_QUOTE",
        Jsons,
        Resolve::Table(TEXT),
        Eval::Values(|values| {
            Ok(Value::Str(
                quoted(values.first().and_then(Value::as_str).unwrap_or_default()).into(),
            ))
        }),
        [
            "A text in quotes, as JSON writes it.",
            "把文本写成带引号的 JSON 字符串。",
        ],
    ),
    FunctionDef::new(
        "JSON_UNQUOTE",
        Jsons,
        Resolve::Table(TEXT),
        Eval::Values(unquote),
        ["A JSON text without its quotes.", "去掉 JSON 字符串的引号。"],
    ),
];

/// A type of which there is no JSON.
fn unfit(request: Request<'_>, kind: &TypeKind) -> Expr {
    if *kind == TypeKind::Null {
        let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
            .arg("function", request.function.name)
            .arg_list("types", ["NULL"])
            .flink("TableException: Type is not supported: ANY");
        return request.refuse(diagnostic);
    }
    let name = kind.to_string();
    let root = name.split('(').next().unwrap_or_default();
    let diagnostic = Diagnostic::new(Code::CallNotRunnable, request.span)
        .arg("function", request.function.name)
        .arg_list("types", [kind.to_string()])
        .flink(format!(
            "Type '{root}' is not scalar or cannot be converted into JSON."
        ));
    request.refuse(diagnostic)
}

fn fits(kind: &TypeKind) -> bool {
    match kind {
        TypeKind::Date | TypeKind::Time(_) | TypeKind::Null => false,
        TypeKind::Array(of) | TypeKind::Multiset(of) => fits(&of.kind),
        TypeKind::Map(_, of) => fits(&of.kind),
        TypeKind::Row(fields) | TypeKind::Structured(_, fields) => {
            fields.iter().all(|field| fits(&field.data_type.kind))
        }
        other => !other.is_interval() && *other != TypeKind::Bitmap,
    }
}

fn resolve_string(mut request: Request<'_>) -> Expr {
    let Some([value]) = request.take() else {
        return Expr::invalid(request.span);
    };
    let kind = value.data_type.kind.clone();
    if !fits(&kind) {
        return unfit(request, &kind);
    }
    let data_type = DataType {
        kind: DataType::STRING.kind,
        nullable: value.data_type.nullable,
    };
    request.call(vec![value], data_type)
}

fn resolve_members(mut request: Request<'_>) -> Expr {
    let args = std::mem::take(&mut request.args);
    let members = args.iter().filter(|arg| arg.as_symbol().is_none());
    if let Some(wrong) = members
        .map(|arg| &arg.data_type.kind)
        .find(|kind| !fits(kind))
        .cloned()
    {
        return unfit(request, &wrong);
    }
    request.call(args, DataType::STRING.with_nullable(false))
}

fn json_string(site: &CallSite<'_>) -> Kernel {
    // what a JSON function made is JSON already
    let member = Member::of(site, 0);
    Box::new(move |values, _| {
        let text = member.text(values).unwrap_or_else(|| "null".to_owned());
        Ok(Value::Str(text.into()))
    })
}

fn type_of(site: &CallSite<'_>, at: usize) -> DataType {
    site.args
        .get(at)
        .map_or_else(|| DataType::nullable(TypeKind::Null), |arg| arg.data_type.clone())
}

/// A value within an object or array.
struct Member {
    at: usize,
    data_type: DataType,
    /// It is JSON text already.
    raw: bool,
}

impl Member {
    fn of(site: &CallSite<'_>, at: usize) -> Self {
        let raw = site.args.get(at).is_some_and(|arg| match &arg.kind {
            ExprKind::Call { function, .. } => matches!(function.name, "JSON_OBJECT" | "JSON_ARRAY" | "JSON"),
            _ => false,
        });
        Self {
            at,
            data_type: type_of(site, at),
            raw,
        }
    }

    /// Its JSON; `None` for NULL.
    fn text(&self, values: &[Value]) -> Option<String> {
        let value = values.get(self.at).filter(|value| !value.is_null())?;
        match value.as_str() {
            Some(text) if self.raw => Some(text.to_owned()),
            _ => Some(of_value(value, &self.data_type)),
        }
    }
}

fn members(site: &CallSite<'_>) -> usize {
    site.args
        .iter()
        .take_while(|arg| arg.as_symbol().is_none())
        .count()
}

fn keeps_nulls(site: &CallSite<'_>, default: bool) -> bool {
    let clause = site.args.iter().find_map(Expr::as_symbol);
    clause.map_or(default, |clause| clause == "NULL ON NULL")
}

fn json_object(site: &CallSite<'_>) -> Kernel {
    let keeps = keeps_nulls(site, true);
    let pairs: Vec<(usize, Member)> = (0..members(site) / 2)
        .map(|pair| (2 * pair, Member::of(site, 2 * pair + 1)))
        .gather();
    Box::new(move |values, _| {
        let fields = pairs.iter().filter_map(|(key, member)| {
            let key = values.get(*key).and_then(Value::as_str)?;
            let value = member.text(values).or_else(|| keeps.then(|| "null".to_owned()))?;
            Some((key, format!("{}:{value}", quoted(key))))
        });
        let mut fields = fields.gather::<Vec<_>>();
        fields.sort_by_key(|(key, _)| *key);
        let fields = fields.into_iter().map(|(_, field)| field);
        Ok(Value::Str(
            format!("{{{}}}", fields.gather::<Vec<_>>().join(",")).into(),
        ))
    })
}

fn json_array(site: &CallSite<'_>) -> Kernel {
    let keeps = keeps_nulls(site, false);
    let elements: Vec<Member> = (0..members(site)).map(|at| Member::of(site, at)).gather();
    Box::new(move |values, _| {
        let texts = elements
            .iter()
            .filter_map(|element| element.text(values).or_else(|| keeps.then(|| "null".to_owned())));
        Ok(Value::Str(
            format!("[{}]", texts.gather::<Vec<_>>().join(",")).into(),
        ))
    })
}

fn json(values: &[Value]) -> Outcome {
    let text = values.first().and_then(Value::as_str).unwrap_or_default();
    Ok(parsed(text).map_or(Value::Null, |json| Value::Str(compact(&json).into())))
}

/// What is no JSON string stays as it is.
fn unquote(values: &[Value]) -> Outcome {
    let text = values.first().and_then(Value::as_str).unwrap_or_default();
    Ok(match serde_json::from_str::<Json>(text) {
        Ok(Json::String(inner)) => Value::Str(inner.into()),
        _ => Value::from(text),
    })
}
