//! The command line: replay, check, explain, bench.
//!
//! Everything it can do is the engine's; here are only arguments, files and exit codes. Lesson authors and the
//! project's own checks use it.

mod arguments;
mod bench;
mod cases;

use std::process::ExitCode;

use arguments::Command;

fn main() -> ExitCode {
    if let Err(message) = sg_script::install() {
        return say(&message, 2);
    }
    let command = match arguments::parse(std::env::args().skip(1)) {
        Ok(command) => command,
        Err(message) => return say(&message, 2),
    };
    match command {
        Command::Help => say(arguments::HELP, 0),
        Command::Version => say(sg_engine::VERSION, 0),
        Command::Replay { sections, files } => cases::replay(&sections, &files),
        Command::Check { files } => cases::check(&files),
        Command::Explain { file } => cases::explain(&file),
        Command::Bench(options) => bench::run(&options),
    }
}

/// Prints a text: to standard output with exit code 0, else to standard error.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line speaks through them"
)]
fn say(text: &str, code: u8) -> ExitCode {
    if code == 0 {
        println!("{text}");
    } else {
        eprintln!("{text}");
    }
    ExitCode::from(code)
}
