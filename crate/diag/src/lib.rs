//! What can be said about SQL.
