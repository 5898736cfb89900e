//! WebAssembly bindings around the engine's session.
