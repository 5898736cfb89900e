//! Build steps that need Rust: `cargo xtask wasm [--release] | types [--check] | tidy`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool speaks to its terminal"
)]

mod process;
mod tidy;
mod toolchain;
mod types;
mod wasm;

use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <step>

  wasm [--release]   compile the engine to WebAssembly and write its bindings to web/src/engine/pkg
  types [--check]    write the TypeScript types of the engine to web/src/engine/generated, or only compare
  tidy               check file lengths and words that do not belong into the repository";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = repository_root()?;
    match words.as_slice() {
        ["wasm"] => wasm::build(&root, wasm::Mode::Debug),
        ["wasm", "--release"] => wasm::build(&root, wasm::Mode::Release),
        ["types"] => types::export(&root, types::Outcome::Write),
        ["types", "--check"] => types::export(&root, types::Outcome::Compare),
        ["tidy"] => tidy::check(&root),
        _ => bail!("{USAGE}"),
    }
}

/// The folder of the workspace, whatever folder the command was started in.
fn repository_root() -> Result<PathBuf> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let root = own
        .ancestors()
        .nth(2)
        .context("crate/xtask lies two folders below the root")?;
    Ok(root.to_path_buf())
}
