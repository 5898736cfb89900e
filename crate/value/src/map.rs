//! Hash containers that may only be probed.
//!
//! Their iteration order differs between platforms, and the engine promises the same bytes everywhere: whoever
//! needs an order takes `IndexMap`, `OrderedMap`, or sorts first.

#[expect(clippy::disallowed_types, reason = "this is the one place that names them")]
mod inner {
    use std::collections::HashMap;

    use rustc_hash::FxBuildHasher;

    /// A hash map to look up in, never to iterate over.
    pub type FxMap<K, V> = HashMap<K, V, FxBuildHasher>;
}

pub use inner::FxMap;
