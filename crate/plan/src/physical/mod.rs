//! Flink's exec nodes: what runs, with changelog modes, keys and distributions.

pub mod node;
