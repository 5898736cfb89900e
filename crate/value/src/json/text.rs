//! The text of JSON, without blanks.
//!
//! What `serde_json::Value` writes itself when it is printed comes in two forms, with errors for a writer that fails and
//! the tables behind `{:?}` of such an error.

use std::fmt::Write as _;

use serde_json::Value as Json;

/// A value as text; numbers as they were read.
pub fn json_text(json: &Json) -> String {
    let mut out = String::new();
    write_json(&mut out, json);
    out
}

fn write_json(out: &mut String, json: &Json) {
    match json {
        Json::Null => out.push_str("null"),
        Json::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Json::Number(number) => out.push_str(number.as_str()),
        Json::String(text) => write_json_string(out, text),
        Json::Array(items) => {
            let mut before = '[';
            for item in items {
                out.push(std::mem::replace(&mut before, ','));
                write_json(out, item);
            }
            out.push_str(if items.is_empty() { "[]" } else { "]" });
        }
        Json::Object(fields) => {
            let mut before = '{';
            for (name, value) in fields {
                out.push(std::mem::replace(&mut before, ','));
                write_json_string(out, name);
                out.push(':');
                write_json(out, value);
            }
            out.push_str(if fields.is_empty() { "{}" } else { "}" });
        }
    }
}

/// Appends a text in quotes.
pub fn write_json_string(out: &mut String, text: &str) {
    out.push('"');
    for unit in text.chars() {
        let short = match unit {
            '"' | '\\' => unit,
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{c}' => 'f',
            '\r' => 'r',
            control if control < ' ' => {
                let written = write!(out, "\\u{:04x}", u32::from(control));
                debug_assert!(written.is_ok(), "a string takes any text");
                continue;
            }
            other => {
                out.push(other);
                continue;
            }
        };
        out.extend(['\\', short]);
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_that_of_serde() {
        let controls: String = ('\0'..='\u{a0}').collect();
        let text = r#"{"a":[],"b":{},"c":[1,2.50,-0,1e400,null,true,false],"d":{"é\"\\/":"汉","x":[[{}]]}}"#;
        let mut json: Json = serde_json::from_str(text).unwrap();
        json["e"] = Json::String(controls.clone());
        json["d"][&controls] = Json::Null;
        assert_eq!(json_text(&json), json.to_string());
    }
}
