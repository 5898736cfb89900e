//! `faker`: texts with `#{Name.fullName}` in them, read as the column's type.
//!
//! The options are those of the flink-faker connector: `fields.name.expression`, `fields.name.null-rate`,
//! `fields.name.length` (elements of a collection), `fields.name.key.expression` and `.value.expression` of maps.

use std::rc::Rc;

use sg_diag::{Code, Diagnostic};
use sg_value::{DataType, Field, Gather as _, MapValue, TypeKind, Value, json};

use super::{Column, Options, Random, fakes, sometimes_null};

/// The expression of a column without one is this.
const NO_EXPRESSION: &str = "";

type Made = Result<Box<dyn Column>, Box<Diagnostic>>;

/// The generator of a column.
pub(super) fn column(options: &Options<'_>, field: &Field) -> Made {
    let key = format!("fields.{}", field.name);
    let made = of_type(options, &key, &field.data_type)?;
    Ok(sometimes_null(made, options.float(&format!("{key}.null-rate"))))
}

fn of_type(options: &Options<'_>, key: &str, data_type: &DataType) -> Made {
    let length = options
        .number(&format!("{key}.length"))
        .unwrap_or(1)
        .clamp(0, 1000);
    Ok(match &data_type.kind {
        TypeKind::Row(fields) => {
            let parts = fields
                .iter()
                .map(|field| of_type(options, &format!("{key}.{}", field.name), &field.data_type))
                .gather::<Result<Vec<_>, _>>()?;
            Box::new(Parts(parts))
        }
        TypeKind::Array(of) => Box::new(Elements {
            length,
            of: text(options, key, of)?,
            into: Gathered::Array,
        }),
        TypeKind::Multiset(of) => Box::new(Elements {
            length,
            of: text(options, key, of)?,
            into: Gathered::Multiset,
        }),
        TypeKind::Map(from, to) => Box::new(Elements {
            length,
            of: text(options, &format!("{key}.key"), from)?,
            into: Gathered::Map(text(options, &format!("{key}.value"), to)?),
        }),
        _ => text(options, key, data_type)?,
    })
}

fn text(options: &Options<'_>, key: &str, data_type: &DataType) -> Made {
    let option = format!("{key}.expression");
    let Some(expression) = options.text(&option) else {
        let refused = options.refuse(Code::FakerExpressionMissing, &option);
        return Err(Box::new(refused));
    };
    let template = Template::parse(expression).map_err(|call| {
        let refused = options.refuse(Code::FakerExpressionUnknown, &option);
        Box::new(
            refused
                .arg("expression", &call)
                .suggest_similar(&call, fakes::NAMES.iter().copied()),
        )
    })?;
    Ok(Box::new(Text {
        template,
        field: Field {
            name: Rc::from(NO_EXPRESSION),
            data_type: data_type.clone(),
        },
    }))
}

/// A text with calls in it.
struct Template(Vec<Piece>);

enum Piece {
    Text(String),
    Call(String, Vec<String>),
}

impl Template {
    /// `Err` holds a call that is not known.
    fn parse(expression: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = expression;
        while let Some((before, behind)) = rest.split_once("#{") {
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            let end = end_of_call(behind).ok_or_else(|| behind.to_owned())?;
            let (call, after) = behind.split_at_checked(end).ok_or_else(|| behind.to_owned())?;
            let (name, arguments) = call.split_once([' ', '(']).unwrap_or((call, ""));
            if !fakes::is_known(name) {
                return Err(name.to_owned());
            }
            pieces.push(Piece::Call(name.to_owned(), quoted_arguments(arguments)));
            rest = after.strip_prefix('}').unwrap_or(after);
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        Ok(Self(pieces))
    }
}

/// The closing brace that is not inside quotes.
fn end_of_call(text: &str) -> Option<usize> {
    let mut quoted = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\'' => quoted = !quoted,
            '}' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

/// `'a','b'`
fn quoted_arguments(text: &str) -> Vec<String> {
    text.split('\'')
        .skip(1)
        .step_by(2)
        .map(ToOwned::to_owned)
        .gather()
}

struct Text {
    template: Template,
    field: Field,
}

impl Column for Text {
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value> {
        let mut text = String::new();
        for piece in &self.template.0 {
            match piece {
                Piece::Text(fixed) => text.push_str(fixed),
                Piece::Call(name, arguments) => {
                    text.push_str(&fakes::fake(name, arguments, random, now_ms).unwrap_or_default());
                }
            }
        }
        Some(read(&text, &self.field))
    }
}

/// The text as a value of the column's type; NULL where it is none.
fn read(text: &str, field: &Field) -> Value {
    let json = match &field.data_type.kind {
        TypeKind::Boolean => serde_json::Value::Bool(text.eq_ignore_ascii_case("true")),
        TypeKind::TinyInt | TypeKind::SmallInt | TypeKind::Int | TypeKind::BigInt => text
            .trim()
            .parse::<i64>()
            .map_or(serde_json::Value::Null, serde_json::Value::from),
        TypeKind::Float | TypeKind::Double | TypeKind::Decimal { .. } => {
            serde_json::from_str(text.trim()).unwrap_or(serde_json::Value::Null)
        }
        _ => serde_json::Value::from(text),
    };
    let name = field.name.to_string();
    let object: serde_json::Map<String, serde_json::Value> = [(name, json)].into_iter().collect();
    let cells = json::row_from_json(&serde_json::Value::Object(object), std::slice::from_ref(field));
    cells
        .ok()
        .and_then(|cells| cells.into_iter().next())
        .unwrap_or_default()
}

/// A row.
struct Parts(Vec<Box<dyn Column>>);

impl Column for Parts {
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value> {
        let cells: Option<Vec<Value>> = self.0.iter_mut().map(|part| part.next(random, now_ms)).gather();
        Some(Value::Row(Rc::from(cells?)))
    }
}

/// What elements are collected into.
enum Gathered {
    Array,
    Multiset,
    /// A map with these values.
    Map(Box<dyn Column>),
}

/// An array, a map, or a multiset.
struct Elements {
    length: i64,
    of: Box<dyn Column>,
    into: Gathered,
}

impl Column for Elements {
    fn next(&mut self, random: &mut Random, now_ms: i64) -> Option<Value> {
        let mut elements = Vec::new();
        for _ in 0..self.length {
            elements.push(self.of.next(random, now_ms)?);
        }
        if matches!(self.into, Gathered::Array) {
            return Some(Value::Array(Rc::from(elements)));
        }
        let mut entries: Vec<(Value, Value)> = Vec::new();
        for key in elements {
            let known = entries.iter_mut().find(|(known, _)| *known == key);
            match (&mut self.into, known) {
                (Gathered::Array, _) | (Gathered::Map(_), Some(_)) => {}
                (Gathered::Map(of), None) => {
                    let value = of.next(random, now_ms)?;
                    entries.push((key, value));
                }
                (Gathered::Multiset, None) => entries.push((key, Value::Int(1))),
                (Gathered::Multiset, Some((_, count))) => {
                    *count = Value::Int(count.as_int().unwrap_or(0) + 1);
                }
            }
        }
        Some(Value::Map(Rc::new(MapValue { entries })))
    }
}
