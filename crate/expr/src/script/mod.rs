//! Functions that a script writes in JavaScript.
//!
//! The interpreter is not part of the engine: whoever runs it installs one ([`install`]), the worker of a page or the
//! command line. A function is known by its text alone. The interpreter makes it anew for each call, so that nothing but
//! arguments and accumulators reaches a result, and steps back and replays give what they gave before.

mod aggregate;
mod convert;
mod scalar;
mod table;

use std::{cell::RefCell, rc::Rc};

use serde_json::Value as Json;
use sg_diag::{Code, Diagnostic, LabelText, Span};
use sg_value::{DataType, Gather as _, TypeKind};

use crate::function::Failure;
pub use aggregate::{USER_AGGREGATE, USER_MERGEABLE, UserAggregate};
pub(crate) use scalar::ROWS;
pub use scalar::{as_user_call, user_call};
pub use table::TableCall;

/// An interpreter of JavaScript, closed in: no clock, no chance, nothing that outlives a call, limits of time and memory.
///
/// Answers are JSON texts; `{"failed": {"name", "message", "line", "column"}}` says why there is none. A name
/// `Interrupted` stands for the limit in its message, `Forgotten` for a number that has to be defined again.
pub trait ScriptHost {
    /// Reads a function's text: its number and what it declares.
    fn define(&self, source: &str) -> String;
    /// Calls a method of a function with a JSON array of arguments.
    fn call(&self, id: u32, method: &str, arguments: &str) -> String;
}

thread_local! {
    static HOST: RefCell<Option<Rc<dyn ScriptHost>>> = const { RefCell::new(None) };
}

/// Installs the interpreter of this thread.
pub fn install(host: Rc<dyn ScriptHost>) {
    HOST.set(Some(host));
}

fn host() -> Option<Rc<dyn ScriptHost>> {
    HOST.with_borrow(Option::clone)
}

/// A function's text and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The function's name as the call writes it.
    pub name: Rc<str>,
    /// The text, without the quotes of SQL.
    pub source: Rc<str>,
    /// Where the text stands in the script, its quotes included; empty where it stands in no script.
    pub span: Span,
}

/// What a function's text declares, its types as written.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    id: u32,
    /// `input`
    pub input: Option<Vec<String>>,
    /// `result`
    pub result: Option<String>,
    /// `rows`
    pub rows: Option<String>,
    /// `accumulator`
    pub accumulator: Option<String>,
    /// Methods that mean something, by name.
    pub methods: Vec<String>,
}

impl Shape {
    /// Whether there is a method of this name.
    pub fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|known| known == method)
    }
}

impl Script {
    /// Has the interpreter read the text; a diagnostic where it cannot.
    pub fn shape(&self) -> Result<Shape, Box<Diagnostic>> {
        let host = host().ok_or_else(|| self.no_interpreter())?;
        let answer = parsed(&host.define(&self.source));
        if let Some(failed) = answer.get("failed") {
            return Err(Box::new(self.failed(failed, Code::FunctionSource)));
        }
        let text = |name: &str| answer.get(name).and_then(Json::as_str).map(str::to_owned);
        let list = |name: &str| {
            let items = answer.get(name)?.as_array()?;
            Some(
                items
                    .iter()
                    .filter_map(Json::as_str)
                    .map(str::to_owned)
                    .gather::<Vec<_>>(),
            )
        };
        Ok(Shape {
            id: number(&answer, "id"),
            input: list("input"),
            result: text("result"),
            rows: text("rows"),
            accumulator: text("accumulator"),
            methods: list("methods").unwrap_or_default(),
        })
    }

    fn no_interpreter(&self) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(Code::NoInterpreter, self.span).arg("function", &self.name))
    }

    /// Calls a method.
    fn call(&self, id: &mut u32, method: &str, arguments: &str) -> Result<Json, Failure> {
        let host = host().ok_or_else(|| self.no_interpreter())?;
        let mut answer = parsed(&host.call(*id, method, arguments));
        let forgotten = |answer: &Json| {
            let failed = answer.get("failed")?;
            (failed.get("name")?.as_str()? == "Forgotten").then_some(())
        };
        if forgotten(&answer).is_some() {
            *id = self.shape()?.id;
            answer = parsed(&host.call(*id, method, arguments));
        }
        match answer {
            Json::Object(mut fields) => match fields.shift_remove("failed") {
                Some(failed) => Err(Box::new(self.failed(&failed, Code::FunctionFailed))),
                None => Ok(fields.shift_remove("value").unwrap_or_default()),
            },
            _ => Ok(Json::Null),
        }
    }

    /// What a failure of the interpreter means; its place in the text is a label, or for a text that cannot be read the
    /// place itself.
    fn failed(&self, failed: &Json, code: Code) -> Diagnostic {
        let text = |name: &str| failed.get(name).and_then(Json::as_str).unwrap_or_default();
        let (name, message) = (text("name"), text("message"));
        let code = match name {
            "Interrupted" => Code::FunctionTooLong,
            "InternalError" | "RangeError" if message.contains("memory") || message.contains("stack") => {
                Code::FunctionTooLarge
            }
            _ => code,
        };
        let place = self.place(number(failed, "line"), number(failed, "column"));
        let diagnostic = Diagnostic::new(code, place.unwrap_or(self.span)).arg("function", &self.name);
        if code == Code::FunctionTooLong {
            let (en, zh) = if message == "seconds" {
                ("5 seconds", "5 秒")
            } else {
                ("10 million steps", "1000 万步")
            };
            return diagnostic.arg_words("limit", en, zh);
        }
        let reason = if matches!(name, "" | "Error" | "InternalError") {
            message.to_owned()
        } else {
            format!("{name}: {message}")
        };
        let diagnostic = diagnostic.arg("reason", reason.trim_end_matches('.'));
        match place {
            Some(place) if code != Code::FunctionSource => diagnostic.label(place, LabelText::FailsHere),
            _ => diagnostic,
        }
    }

    /// The word at a line and a column of the text, both from 1; in SQL each quote is written twice.
    fn place(&self, line: u32, column: u32) -> Option<Span> {
        if line == 0 || column == 0 || self.span.is_empty() {
            return None;
        }
        let mut offset = self.span.start + 1;
        let mut rest = &*self.source;
        for _ in 1..line {
            let (before, after) = rest.split_at_checked(rest.find('\n')? + 1)?;
            offset += width(before);
            rest = after;
        }
        let first = rest.lines().next().unwrap_or_default();
        let skipped: String = first.chars().take(column as usize - 1).gather();
        let (before, after) = first.split_at_checked(skipped.len())?;
        offset += width(before);
        let word = after
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(after.len());
        let length = width(after.get(..word)?).max(1);
        (offset + length < self.span.end).then(|| Span::new(offset, offset + length))
    }

    /// Where a word of the text stands, the whole text if it is not there.
    pub fn find(&self, word: &str) -> Span {
        let before = self.source.find(word).and_then(|at| self.source.get(..at));
        let Some(before) = before.filter(|_| !self.span.is_empty()) else {
            return self.span;
        };
        let start = self.span.start + 1 + width(before);
        let end = start + width(word).max(1);
        if end < self.span.end {
            Span::new(start, end)
        } else {
            self.span
        }
    }

    /// A value that is none of the declared type.
    fn wrong_result(&self, given: &Json, declared: &DataType) -> Failure {
        let mut text = sg_value::json::json_text(given);
        if text.chars().count() > 60 {
            text = text.chars().take(59).chain(['…']).gather();
        }
        Box::new(
            Diagnostic::new(Code::FunctionResult, self.span)
                .arg("function", &self.name)
                .arg("given", text)
                .arg("type", declared),
        )
    }

    /// A number that JavaScript cannot have exactly.
    fn too_exact(&self, value: &str) -> Failure {
        Box::new(
            Diagnostic::new(Code::FunctionNumber, self.span)
                .arg("function", &self.name)
                .arg("value", value),
        )
    }
}

/// Bytes of a part of the text as SQL has it, each quote written twice.
fn width(text: &str) -> u32 {
    let quotes = text.bytes().filter(|byte| *byte == b'\'').count();
    u32::try_from(text.len() + quotes).unwrap_or(0)
}

fn parsed(answer: &str) -> Json {
    serde_json::from_str(answer).unwrap_or_default()
}

fn number(json: &Json, name: &str) -> u32 {
    json.get(name)
        .and_then(Json::as_u64)
        .and_then(|number| u32::try_from(number).ok())
        .unwrap_or(0)
}

/// Whether values of a type can be passed to JavaScript and come back.
pub fn passes(data_type: &DataType) -> bool {
    match &data_type.kind {
        TypeKind::Boolean
        | TypeKind::TinyInt
        | TypeKind::SmallInt
        | TypeKind::Int
        | TypeKind::BigInt
        | TypeKind::Float
        | TypeKind::Double
        | TypeKind::Decimal { .. }
        | TypeKind::Char(_)
        | TypeKind::Varchar(_)
        | TypeKind::Date
        | TypeKind::Time(_)
        | TypeKind::Timestamp { .. }
        | TypeKind::TimestampLtz { .. } => true,
        TypeKind::Array(element) => passes(element),
        TypeKind::Row(fields) => fields.iter().all(|field| passes(&field.data_type)),
        TypeKind::Map(key, value) => {
            matches!(key.kind, TypeKind::Char(_) | TypeKind::Varchar(_)) && passes(value)
        }
        _ => false,
    }
}
