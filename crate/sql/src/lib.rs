//! From SQL text to statements.
//!
//! [`parse_script`] takes a whole script and returns one [`ParsedStatement`] for each statement in it, with every
//! problem as a diagnostic; a broken statement leaves the others whole. The parser is a recursive descent over tokens
//! (`cursor`), with operators by precedence (`expr`) and queries in `relation`. Statements and types are in [`ast`]; a
//! query or an expression inside a statement is a tree of plain SQL, [`query`]. Three things tell the reader of such a
//! tree what it does not say by itself:
//!
//! - [`reserved`]: calls that stand for syntax which only Flink has (`TABLE t` as an argument, `CAST`, `MAP[…]`);
//! - [`SideTable`]: what the tree has no place for (hints, types, `WITHIN`), kept by position;
//! - [`Spans`]: the true byte span of any node.

mod apart;
pub mod ast;
mod complaint;
mod cursor;
mod expected;
mod expr;
mod highlight;
mod hint;
mod keyword;
mod lexer;
mod limit;
mod prepass;
pub mod query;
mod relation;
pub mod reserved;
mod script;
mod side;
mod span;
mod spans;
mod split;
mod statement;
mod string;
mod token;
mod types;

pub use apart::{install_texts, texts_file};
pub use highlight::{TokenClass, highlight};
pub use keyword::{is_keyword, is_reserved, keywords};
pub use reserved::Reserved;
pub use script::{ParsedStatement, Script, parse_script};
pub use side::{Hint, HintArgument, MeasureSemantics, SideTable, Subset};
pub use span::byte_span;
pub use spans::Spans;
