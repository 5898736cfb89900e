//! The command line: replay, check, explain, bench.

fn main() {}
