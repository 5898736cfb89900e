//! Writes the JavaScript and TypeScript side of a compiled wasm module, for the web, and cuts the module in two.
//!
//! The generator is a library pinned to the version of `wasm-bindgen` that the engine is compiled with, so the two cannot
//! disagree.

mod half;
mod module;
mod order;
mod profile;
mod split;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage:
  sg_bindings bind MODULE.wasm OUT_FOLDER debug|release   the package around a module
  sg_bindings profile MODULE.wasm OUT.wasm                a module that notes which functions were called
  sg_bindings split MODULE.wasm CALLED OUT.wasm           a module in two; CALLED has the numbers of what was called";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["bind", module, out_folder, mode] => bind(module, out_folder, *mode == "release"),
        ["profile", module, out] => profile(module, out),
        ["split", module, called, out] => split(module, called, out),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindings: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn bind(path: &str, out_folder: &str, release: bool) -> Result<(), Box<dyn Error>> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(path)
        .out_name("sg")
        .web(true)?
        .typescript(true)
        .omit_default_module_path(true)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate(out_folder)?;
    let script = format!("{out_folder}/sg.js");
    fs::write(&script, able_to_begin_anew(&fs::read_to_string(&script)?)?)?;
    Ok(())
}

/// The script with an `initSync` that makes an instance each time, in the place of the one before.
fn able_to_begin_anew(script: &str) -> Result<String, Box<dyn Error>> {
    const BEGINS: &str = "function initSync(module) {\n";
    const ONCE: &str = "    if (wasm !== undefined) return wasm;\n";
    let (before, after) = script
        .split_once(&format!("{BEGINS}{ONCE}"))
        .ok_or("the generator writes another initSync than the one that is known")?;
    Ok(format!("{before}{BEGINS}{after}"))
}

fn profile(path: &str, out: &str) -> Result<(), Box<dyn Error>> {
    fs::write(out, profile::profiling(&fs::read(path)?)?)?;
    Ok(())
}

fn split(path: &str, called: &str, out: &str) -> Result<(), Box<dyn Error>> {
    let called = fs::read_to_string(called)?
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    fs::write(out, split::split(&fs::read(path)?, &called)?)?;
    Ok(())
}
