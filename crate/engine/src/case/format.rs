//! Reading and writing the text form of a case.

use sg_value::{RowKind, sorted::SortedMap};
use thiserror::Error;

/// A case as written.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The comment lines above the first section.
    pub head: String,
    /// The SQL section.
    pub sql: String,
    /// The events section's steps in order.
    pub steps: Vec<Step>,
    /// `# parallelism:`, 1 unless given.
    pub parallelism: u32,
    /// `# settle:`, the pause after each event on the recording side in milliseconds, 100 unless given.
    pub settle_ms: i64,
    /// Files that its tables read, by path.
    pub files: SortedMap<String, String>,
    /// The recorded sections, by name, in order: trace, types, plan, error.
    pub recorded: Vec<(String, String)>,
}

/// One line of the events section.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line as written.
    pub text: String,
    /// `@ms`: arrival in milliseconds after the replay began.
    pub at_ms: Option<i64>,
    /// The table.
    pub table: String,
    /// What arrives.
    pub kind: StepKind,
}

/// What an event line lets arrive.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// A row as JSON text.
    Row {
        /// Its kind.
        kind: RowKind,
        /// The JSON object.
        json: String,
    },
    /// A source watermark, milliseconds since the epoch.
    Watermark(i64),
    /// The source is marked idle.
    Idle,
}

/// A line that is no event.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line} of the events section is no event: {text}")]
pub struct CaseError {
    /// Line within the section, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
}

impl Case {
    /// Reads a case; fails on the first event line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, CaseError> {
        let mut sections: Vec<(String, String)> = vec![(String::new(), String::new())];
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("==== ") {
                sections.push((name.trim().to_owned(), String::new()));
            } else if let Some((_, body)) = sections.last_mut() {
                body.push_str(line);
                body.push('\n');
            }
        }
        let mut case = Self {
            parallelism: 1,
            settle_ms: 100,
            ..Self::default()
        };
        for (name, body) in sections {
            match name.as_str() {
                "" => case.read_head(body.trim()),
                "sql" => body.trim().clone_into(&mut case.sql),
                "events" => case.steps = read_steps(&body)?,
                _ => case.recorded.push((name, body.trim_end().to_owned())),
            }
        }
        Ok(case)
    }

    /// The case with the files that its tables name, as far as `read` finds them.
    #[must_use]
    pub fn with_files(mut self, read: impl Fn(&str) -> Option<String>) -> Self {
        let mut rest = self.sql.as_str();
        while let Some((_, behind)) = rest.split_once("'path'") {
            let value = behind.trim_start().strip_prefix('=').map(str::trim_start);
            let path = value
                .and_then(|value| value.strip_prefix('\''))
                .and_then(|value| value.split_once('\''));
            if let Some((path, _)) = path
                && let Some(text) = read(path)
            {
                self.files.insert(path.to_owned(), text);
            }
            rest = behind;
        }
        self
    }

    /// The recorded section of this name.
    pub fn section(&self, name: &str) -> Option<&str> {
        self.recorded
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, body)| body.as_str())
    }

    /// The first line of the head, without its `#`.
    pub fn title(&self) -> &str {
        self.head
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches('#')
            .trim()
    }

    fn read_head(&mut self, head: &str) {
        head.clone_into(&mut self.head);
        for line in head.lines() {
            let Some((key, value)) = line.trim_start_matches('#').split_once(':') else {
                continue;
            };
            match (key.trim(), value.trim().parse::<u32>()) {
                ("parallelism", Ok(number)) => self.parallelism = number.max(1),
                ("settle", Ok(number)) => self.settle_ms = i64::from(number),
                _ => {}
            }
        }
    }
}

fn read_steps(body: &str) -> Result<Vec<Step>, CaseError> {
    let mut steps = Vec::new();
    for (at, line) in body.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let step = read_step(line).ok_or_else(|| CaseError {
            line: at + 1,
            text: line.to_owned(),
        })?;
        steps.push(step);
    }
    Ok(steps)
}

/// `[@ms] table (watermark text | idle | [kind] {json})`
fn read_step(line: &str) -> Option<Step> {
    let mut rest = line;
    let mut at_ms = None;
    if let Some(timed) = rest.strip_prefix('@') {
        let (digits, behind) = timed.split_once(char::is_whitespace)?;
        at_ms = Some(digits.parse().ok()?);
        rest = behind.trim_start();
    }
    let (table, rest) = rest.split_once(char::is_whitespace)?;
    let rest = rest.trim();
    let kind = if rest == "idle" {
        StepKind::Idle
    } else if let Some(text) = rest.strip_prefix("watermark ") {
        StepKind::Watermark(sg_value::time::parse_timestamp(text.trim(), 3).ok()?.0)
    } else {
        let kind = rest.get(..2).and_then(RowKind::from_short);
        let json = if kind.is_some() {
            rest.get(2..)?.trim_start()
        } else {
            rest
        };
        if !(json.starts_with('{') && json.ends_with('}')) {
            return None;
        }
        StepKind::Row {
            kind: kind.unwrap_or(RowKind::Insert),
            json: json.to_owned(),
        }
    };
    Some(Step {
        text: line.to_owned(),
        at_ms,
        table: table.to_owned(),
        kind,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_an_event_are_read() {
        let case = Case::parse(
            "# Shows something\n# parallelism: 2\n==== sql\nSELECT 1;\n==== events\n\
             t {\"id\": 1}\n@500 t -U {\"id\": 2}\nt watermark 2024-01-01 00:00:01\nt idle\n==== trace\nend\n",
        )
        .expect("a case");
        assert_eq!(case.title(), "Shows something");
        assert_eq!(case.parallelism, 2);
        assert_eq!(case.steps.len(), 4);
        assert_eq!(case.steps[1].at_ms, Some(500));
        assert!(matches!(
            case.steps[1].kind,
            StepKind::Row {
                kind: RowKind::UpdateBefore,
                ..
            }
        ));
        assert!(matches!(
            case.steps[2].kind,
            StepKind::Watermark(1_704_067_201_000)
        ));
        assert_eq!(case.section("trace"), Some("end"));
    }

    #[test]
    fn a_line_that_is_no_event_is_named() {
        let error = Case::parse("==== events\nt {\"id\": 1}\nt what\n").expect_err("no event");
        assert_eq!(
            error,
            CaseError {
                line: 2,
                text: "t what".to_owned()
            }
        );
    }
}
