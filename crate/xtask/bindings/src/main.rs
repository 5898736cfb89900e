//! Writes the JavaScript and TypeScript side of a compiled wasm module, for the web.
//!
//! Usage: `sg_bindings MODULE.wasm OUT_FOLDER debug|release`. The generator is a library pinned to the
//! version of `wasm-bindgen` that the engine is compiled with, so the two cannot disagree.

use std::error::Error;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, out_folder, mode] = arguments.as_slice() else {
        eprintln!("usage: sg_bindings MODULE.wasm OUT_FOLDER debug|release");
        return ExitCode::FAILURE;
    };
    match write(module, out_folder, mode == "release") {
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
