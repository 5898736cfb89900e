//! WebAssembly bindings around the engine's session.

use wasm_bindgen::prelude::wasm_bindgen;

/// Version of the engine, as in the manifest.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
