//! Typed expressions, functions and aggregates.
