//! Writes the JavaScript and TypeScript side of a compiled wasm module, for the web.
//!
//! Usage: `sg_bindings MODULE.wasm OUT_FOLDER debug|release`, and `sg_bindings order MODULE.wasm` for the names by which
//! `wasm-opt` can put like functions together. The generator is a library pinned to the
//! version of `wasm-bindgen` that the engine is compiled with, so the two cannot disagree.

mod order;

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["order", module] => order(module),
        [module, out_folder, mode] => write(module, out_folder, *mode == "release"),
        _ => Err("usage: sg_bindings MODULE.wasm OUT_FOLDER debug|release | order MODULE.wasm".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindings: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn write(path: &str, out_folder: &str, release: bool) -> Result<(), Box<dyn Error>> {
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
    Ok(())
}

fn order(path: &str) -> Result<(), Box<dyn Error>> {
    fs::write(path, order::with_names_in_order(&fs::read(path)?)?)?;
    Ok(())
}
