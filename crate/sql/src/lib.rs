//! From SQL text to statements.
//!
//! [`parse_script`] takes a whole script and returns one [`ParsedStatement`] for each statement in it, with every
//! problem as a diagnostic; a broken statement leaves the others whole. Statements and types are ours ([`ast`]);
//! a query or an expression inside a statement stays sqlparser's, re-exported as [`query`]. Three things tell the
//! reader of such a tree what it does not say by itself:
//!
//! - [`reserved`]: calls that stand for Flink syntax which sqlparser lacks (`TABLE t` as an argument, `CAST`, `MAP[…]`);
//! - [`SideTable`]: what was taken out of the text before parsing (hints, `WITHIN`), kept by position;
//! - [`Spans`]: the true byte span of any node.

pub mod ast;
pub mod reserved;
mod script;
mod side;
mod span;

pub use reserved::Reserved;
pub use script::{ParsedStatement, Script, parse_script};
pub use side::{Hint, HintArgument, SideTable};
pub use span::{Spans, byte_span};
/// The part of a statement that is plain SQL, as sqlparser gives it.
pub use sqlparser::ast as query;
