//! From statements to a job graph.
