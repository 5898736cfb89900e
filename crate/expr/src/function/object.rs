//! `OBJECT_OF` and `OBJECT_UPDATE`: values of STRUCTURED types. Case: types/structured.

use std::rc::Rc;

use sg_value::{DataType, Field, Gather as _, TypeKind, Value};

use super::{CallSite, Eval, FunctionDef, Kernel, Resolve, definition::Family::Collection};
use crate::{bound::Expr, resolve::Request, types::KindExt};

const OF: &str = "OBJECT_OF(class name STRING, [STRING, ANY]*...)";
const UPDATE: &str = "OBJECT_UPDATE(object STRUCTURED_TYPE, [STRING, ANY]+...)";

pub(super) static ROWS: &[FunctionDef] = &[
    FunctionDef::new(
        "OBJECT_OF",
        Collection,
        Resolve::Rules(resolve_of),
        Eval::Build(object_of),
        [
            "An object of a class with these fields.",
            "由类名和字段构成的对象。",
        ],
    )
    .sees_nulls()
    .written(&["OBJECT_OF('class', 'field', value, …)"]),
    FunctionDef::new(
        "OBJECT_UPDATE",
        Collection,
        Resolve::Rules(resolve_update),
        Eval::Build(object_update),
        [
            "The object with other values in these fields.",
            "把对象的某些字段换成新值。",
        ],
    )
    .sees_nulls()
    .written(&["OBJECT_UPDATE(object, 'field', value, …)"]),
];

/// Names and types of the pairs behind the first argument, or why they are none.
fn pairs(args: &[Expr]) -> Result<Vec<Field>, String> {
    let mut fields: Vec<Field> = Vec::new();
    for (at, pair) in (2..).step_by(2).zip(args.get(1..).unwrap_or_default().chunks(2)) {
        let [name, value] = pair else { break };
        if !name.data_type.kind.is_character() || name.data_type.nullable {
            return Err(format!(
                "The field key at position {at} must be a non-nullable character string, but was {}.",
                name.data_type
            ));
        }
        let Some(text) = name.as_literal().and_then(Value::as_str) else {
            return Err(format!(
                "The field key at position {at} must be a non-nullable character string literal."
            ));
        };
        if fields.iter().any(|field| *field.name == *text) {
            return Err(format!("The field name '{text}' at position {at} is repeated."));
        }
        fields.push(Field {
            name: Rc::from(text),
            data_type: value.data_type.without_time_attribute(),
        });
    }
    Ok(fields)
}

/// Whether Java takes it as the name of a class.
fn is_class_name(name: &str) -> bool {
    name.split('.').all(|part| {
        !part.starts_with(|c: char| c.is_ascii_digit())
            && !part.is_empty()
            && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    })
}

fn resolve_of(mut request: Request<'_>) -> Expr {
    if request.args.len().is_multiple_of(2) {
        return request.no_such_signature(OF);
    }
    let class = request.args.first();
    let given = class.map(|class| class.data_type.to_string()).unwrap_or_default();
    let text = class
        .and_then(Expr::as_literal)
        .and_then(Value::as_str)
        .map(str::to_owned);
    let is_text = class.is_some_and(|class| class.data_type.kind.is_character());
    let Some(class) = text else {
        let why = if is_text {
            "The first argument must be a non-nullable character string literal representing the class name."
                .to_owned()
        } else {
            format!(
                "The first argument must be a non-nullable character string representing the class name, but was {given}."
            )
        };
        return request.not_accepted(OF, &why);
    };
    if !is_class_name(&class) {
        let why =
            format!("Invalid class name '{class}'. The class name must comply with JVM identifier rules.");
        return request.not_accepted(OF, &why);
    }
    match pairs(&request.args) {
        Ok(fields) => {
            let args = std::mem::take(&mut request.args);
            let kind = TypeKind::Structured(Rc::from(class), fields.into());
            request.call(args, DataType::nullable(kind))
        }
        Err(why) => request.not_accepted(OF, &why),
    }
}

fn resolve_update(mut request: Request<'_>) -> Expr {
    if request.args.len().is_multiple_of(2) {
        return request.no_such_signature(UPDATE);
    }
    let object = request.plain(0);
    let TypeKind::Structured(class, fields) = &object.kind else {
        let why = format!("The first argument must be a structured type, but was {object}.");
        return request.not_accepted(UPDATE, &why);
    };
    let new = match pairs(&request.args) {
        Ok(new) => new,
        Err(why) => return request.not_accepted(UPDATE, &why),
    };
    let mut fields: Vec<Field> = fields.to_vec();
    for (at, field) in (2..).step_by(2).zip(new) {
        let known = fields.iter_mut().find(|known| known.name == field.name);
        let Some(known) = known else {
            let names: Vec<&str> = fields.iter().map(|field| &*field.name).gather();
            let why = format!(
                "The field name '{}' at position {at} is not part of the structured type attributes. Available \
                attributes: [{}].",
                field.name,
                names.join(", ")
            );
            return request.not_accepted(UPDATE, &why);
        };
        *known = field;
    }
    let kind = TypeKind::Structured(Rc::clone(class), fields.into());
    let args = std::mem::take(&mut request.args);
    request.call(args, DataType::nullable(kind))
}

fn object_of(_: &CallSite<'_>) -> Kernel {
    Box::new(|values, _| {
        let fields = values.get(1..).unwrap_or_default().chunks(2);
        Ok(Value::Row(
            fields
                .map(|pair| pair.get(1).cloned().unwrap_or_default())
                .gather(),
        ))
    })
}

fn object_update(site: &CallSite<'_>) -> Kernel {
    let fields = site.data_type.kind.fields().cloned().unwrap_or_default();
    // per field: the argument that is its new value
    let places: Vec<Option<usize>> = fields
        .iter()
        .map(|field| {
            let named = |at: &usize| site.literal_text(*at) == Some(&*field.name);
            (1..site.args.len()).step_by(2).find(named).map(|at| at + 1)
        })
        .gather();
    Box::new(move |values, _| {
        let Some(Value::Row(cells)) = values.first() else {
            return Ok(Value::Null);
        };
        let cell = |(old, place): (&Value, &Option<usize>)| {
            place.and_then(|at| values.get(at)).unwrap_or(old).clone()
        };
        Ok(Value::Row(cells.iter().zip(&places).map(cell).gather()))
    })
}
