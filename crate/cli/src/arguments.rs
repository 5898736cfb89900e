//! The words behind `streamglass`.

use std::path::PathBuf;

/// Shown by `--help` and behind every mistake.
pub(crate) const HELP: &str = "\
streamglass: Flink SQL, replayed

  streamglass replay [--sections trace,types,plan] FILE...
      runs replay cases and prints what they emit, in the format of a case;
      exit code 1 where a statement is refused or a job fails
  streamglass check FILE...
      runs cases and compares them with what they record; folders are searched for *.case
  streamglass explain FILE
      prints the plan of every query of an SQL file or a case
  streamglass bench [--rows N] [--keys N] [QUERY...]
      measures rows per second; without names all queries
  streamglass --help | --version";

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Prints the usage.
    Help,
    /// Prints the version.
    Version,
    /// Runs cases and prints their sections.
    Replay {
        /// Names of the sections wanted, in the order of a case.
        sections: Vec<String>,
        /// Case files.
        files: Vec<PathBuf>,
    },
    /// Runs cases and compares.
    Check {
        /// Case files and folders.
        files: Vec<PathBuf>,
    },
    /// Prints plans.
    Explain {
        /// An SQL file or a case.
        file: PathBuf,
    },
    /// Measures.
    Bench(BenchOptions),
}

/// What to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BenchOptions {
    /// Input rows.
    pub(crate) rows: u32,
    /// Distinct keys.
    pub(crate) keys: u32,
    /// Names of queries; empty for all.
    pub(crate) queries: Vec<String>,
}

/// Reads the arguments; `Err` is the text to show.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let arguments: Vec<String> = arguments.collect();
    let Some((first, rest)) = arguments.split_first() else {
        return Ok(Command::Help);
    };
    match first.as_str() {
        "--help" | "-h" | "help" => Ok(Command::Help),
        "--version" | "-V" => Ok(Command::Version),
        "replay" => replay(rest),
        "check" => files(rest, "check").map(|files| Command::Check { files }),
        "explain" => match rest {
            [file] if !file.starts_with('-') => Ok(Command::Explain {
                file: PathBuf::from(file),
            }),
            _ => Err(mistake("explain takes one file")),
        },
        "bench" => bench(rest),
        other => Err(mistake(&format!("there is no command `{other}`"))),
    }
}

fn mistake(text: &str) -> String {
    format!("streamglass: {text}\n\n{HELP}")
}

fn files(arguments: &[String], command: &str) -> Result<Vec<PathBuf>, String> {
    if let Some(option) = arguments.iter().find(|argument| argument.starts_with("--")) {
        return Err(mistake(&format!("{command} has no option `{option}`")));
    }
    if arguments.is_empty() {
        return Err(mistake(&format!("{command} needs a file")));
    }
    Ok(arguments.iter().map(PathBuf::from).collect())
}

fn replay(arguments: &[String]) -> Result<Command, String> {
    const KNOWN: [&str; 3] = ["trace", "types", "plan"];
    let (wanted, rest) = match arguments {
        [option, list, rest @ ..] if option == "--sections" => (list.as_str(), rest),
        [option, rest @ ..] if option.starts_with("--sections=") => {
            (option.trim_start_matches("--sections="), rest)
        }
        rest => ("trace,types,plan", rest),
    };
    let names: Vec<&str> = wanted.split(',').map(str::trim).collect();
    if let Some(unknown) = names.iter().find(|name| !KNOWN.contains(name)) {
        return Err(mistake(&format!(
            "there is no section `{unknown}`; there are trace, types and plan"
        )));
    }
    let sections = KNOWN
        .iter()
        .filter(|name| names.contains(name))
        .map(|name| (*name).to_owned())
        .collect();
    Ok(Command::Replay {
        sections,
        files: files(rest, "replay")?,
    })
}

fn bench(arguments: &[String]) -> Result<Command, String> {
    let mut options = BenchOptions {
        rows: 1_000_000,
        keys: 10_000,
        queries: Vec::new(),
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let number = |value: Option<&String>| {
            let parsed = value
                .and_then(|text| text.replace('_', "").parse().ok())
                .filter(|number| *number > 0);
            parsed.ok_or_else(|| mistake(&format!("`{argument}` needs a number above 0")))
        };
        match argument.as_str() {
            "--rows" => options.rows = number(rest.next())?,
            "--keys" => options.keys = number(rest.next())?,
            name if name.starts_with("--") => return Err(mistake(&format!("bench has no option `{name}`"))),
            name => options.queries.push(name.to_owned()),
        }
    }
    Ok(Command::Bench(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn sections_come_in_the_order_of_a_case() {
        let Ok(Command::Replay { sections, files }) = read("replay --sections plan,trace a.case b.case")
        else {
            panic!("a replay");
        };
        assert_eq!(sections, ["trace", "plan"]);
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn mistakes_are_named() {
        assert!(read("replay --sections plans a").is_err_and(|text| text.contains("no section `plans`")));
        assert!(read("check").is_err_and(|text| text.contains("needs a file")));
        assert!(read("frobnicate").is_err_and(|text| text.contains("no command `frobnicate`")));
        assert!(read("bench --rows none").is_err_and(|text| text.contains("`--rows` needs a number")));
    }
}
