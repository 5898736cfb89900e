//! Paths into JSON: `$.a.b[0]['c d'][*].*`, lax or strict.

use serde_json::Value as Json;
use sg_value::Gather as _;

/// A compiled path.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) lax: bool,
    steps: Vec<Step>,
    /// Whether it can have several results, which then are an array.
    many: bool,
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    /// From the end where negative.
    Index(i64),
    All,
    /// `..key`: at any depth.
    Deep(String),
}

impl Path {
    /// Reads a path; `None` where it is none. Without `lax` it is strict.
    pub(super) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let mode = |word: &str| {
            let start = text.get(..word.len())?;
            let rest = text.get(word.len()..)?;
            (start.eq_ignore_ascii_case(word) && rest.starts_with(char::is_whitespace))
                .then(|| rest.trim_start())
        };
        let (lax, rest) = match (mode("lax"), mode("strict")) {
            (Some(rest), _) => (true, rest),
            (None, Some(rest)) => (false, rest),
            (None, None) => (false, text),
        };
        let mut steps = Vec::new();
        let mut rest = rest.strip_prefix('$')?;
        while !rest.is_empty() {
            let (step, after) = step(rest)?;
            steps.push(step);
            rest = after;
        }
        let many = steps.iter().any(|step| matches!(step, Step::All | Step::Deep(_)));
        Some(Self { lax, steps, many })
    }

    /// What the path leads to; `None` where there is nothing.
    pub(super) fn find(&self, root: &Json) -> Option<Json> {
        let mut found = vec![root];
        for step in &self.steps {
            let mut next = Vec::new();
            for value in found {
                take(step, value, &mut next);
            }
            found = next;
        }
        if self.many {
            return Some(Json::Array(found.into_iter().cloned().gather()));
        }
        found.first().map(|value| (*value).clone())
    }
}

fn step(text: &str) -> Option<(Step, &str)> {
    if let Some(rest) = text.strip_prefix("..") {
        let (name, rest) = name(rest)?;
        return Some((Step::Deep(name.to_owned()), rest));
    }
    if let Some(rest) = text.strip_prefix('.') {
        if let Some(rest) = rest.strip_prefix('*') {
            return Some((Step::All, rest));
        }
        // `$.['a b']` is a way to write `$['a b']`.
        if rest.starts_with('[') {
            return step(rest);
        }
        let (name, rest) = name(rest)?;
        return Some((Step::Key(name.to_owned()), rest));
    }
    let inside = text.strip_prefix('[')?.trim_start();
    for quote in ['\'', '"'] {
        if let Some(rest) = inside.strip_prefix(quote) {
            let (key, rest) = rest.split_once(quote)?;
            return Some((Step::Key(key.to_owned()), rest.trim_start().strip_prefix(']')?));
        }
    }
    let (index, rest) = inside.split_once(']')?;
    let index = index.trim();
    if index == "*" {
        return Some((Step::All, rest));
    }
    Some((Step::Index(index.parse().ok()?), rest))
}

/// A bare key up to the next step.
fn name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['.', '[', ' ']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then_some((name, rest))
}

fn take<'j>(step: &Step, value: &'j Json, out: &mut Vec<&'j Json>) {
    match (step, value) {
        (Step::Key(key), Json::Object(fields)) => out.extend(fields.get(key)),
        (Step::Index(index), Json::Array(elements)) => {
            let at = if *index < 0 {
                usize::try_from(index.unsigned_abs())
                    .ok()
                    .and_then(|back| elements.len().checked_sub(back))
            } else {
                usize::try_from(*index).ok()
            };
            out.extend(at.and_then(|at| elements.get(at)));
        }
        (Step::All, Json::Array(elements)) => out.extend(elements),
        (Step::All, Json::Object(fields)) => out.extend(fields.values()),
        (Step::Deep(key), Json::Object(fields)) => {
            out.extend(fields.get(key));
            fields.values().for_each(|inner| take(step, inner, out));
        }
        (Step::Deep(_), Json::Array(elements)) => elements.iter().for_each(|inner| take(step, inner, out)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(path: &str, json: &str) -> Option<String> {
        Path::new(path)
            .unwrap()
            .find(&serde_json::from_str(json).unwrap())
            .map(|found| found.to_string())
    }

    #[test]
    fn paths_lead_to_values() {
        let json = r#"{"a": {"b": [1, {"c": 2}, {"c": 3}]}, "d e": null}"#;
        assert_eq!(find("$.a.b[1].c", json).as_deref(), Some("2"));
        assert_eq!(find("lax $.a.b[*].c", json).as_deref(), Some("[2,3]"));
        assert_eq!(find("$['d e']", json).as_deref(), Some("null"));
        assert_eq!(find("$.['d e']", json).as_deref(), Some("null"));
        assert_eq!(find("$..c", json).as_deref(), Some("[2,3]"));
        assert_eq!(find("$.a.b[-1].c", json).as_deref(), Some("3"));
        assert_eq!(find("$.x", json), None);
        assert!(Path::new("a.b").is_none());
        assert!(Path::new("$.a[").is_none());
        assert!(Path::new("lax $.a").unwrap().lax);
    }
}
