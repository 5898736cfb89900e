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
mod check;
mod complaint;
mod cursor;
mod dialect;
mod error;
mod expected;
mod expr;
mod highlight;
mod hint;
mod keyword;
mod lexer;
mod limit;
mod prepass;
pub mod reserved;
mod rewrite;
mod script;
mod side;
mod span;
mod spans;
mod split;
mod statement;
mod string;
mod types;

pub use highlight::{TokenClass, highlight};
pub use keyword::{is_keyword, is_reserved, keywords};
pub use reserved::Reserved;
pub use script::{ParsedStatement, Script, parse_script};
pub use side::{Hint, HintArgument, MeasureSemantics, SideTable, Subset};
pub use span::byte_span;
pub use spans::Spans;
/// The part of a statement that is plain SQL, as sqlparser gives it.
pub use sqlparser::ast as query;
