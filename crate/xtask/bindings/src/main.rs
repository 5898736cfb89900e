//! Writes the JavaScript and TypeScript side of a compiled wasm module, for the web.
//!
//! Usage: `sg_bindings MODULE.wasm OUT_FOLDER debug|release`. The generator is a library pinned to the
//! version of `wasm-bindgen` that the engine is compiled with, so the two cannot disagree.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, out_folder, mode] = arguments.as_slice() else {
        eprintln!("usage: sg_bindings MODULE.wasm OUT_FOLDER debug|release");
        return ExitCode::FAILURE;
    };
    let mut bindgen = Bindgen::new();
    let written = bindgen
        .input_path(module)
        .out_name("sg")
        .web(true)
        .map(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_name_section(mode == "release")
                .remove_producers_section(mode == "release")
        })
        .and_then(|bindgen| bindgen.generate(out_folder));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bindings: {error:#}");
            ExitCode::FAILURE
        }
    }
}
