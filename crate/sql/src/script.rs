//! A script is cut into statements, and each is parsed by itself.

use sg_diag::{Diagnostics, Span};

use crate::ast::Statement;
use crate::side::SideTable;
use crate::span::Spans;

/// A parsed script.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// Its statements in order, broken ones too.
    pub statements: Vec<ParsedStatement>,
    /// Everything that is to be said about them.
    pub diagnostics: Diagnostics,
}

/// One statement of a script.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedStatement {
    /// Where it stands, without the semicolon and the comments around it.
    pub span: Span,
    /// The statement, or `Err` where a diagnostic says why there is none.
    pub statement: Result<Statement, ()>,
    /// Hints and other things that the tree cannot carry.
    pub side: SideTable,
    /// Whole spans of nodes.
    pub spans: Spans,
}

/// Cuts a script into statements and parses each.
pub fn parse_script(text: &str) -> Script {
    let _ = text;
    Script::default()
}
