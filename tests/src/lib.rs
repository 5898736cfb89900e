//! Harnesses that need the whole engine.
