//! What can be said about SQL: spans, codes, diagnostics, fixes, and their texts in two languages.
//!
//! Nothing here knows how SQL is parsed or planned. The front end and the planner collect [`Diagnostic`]s; whoever
//! shows them asks for the text in a language.

mod apart;
mod code;
mod diagnostic;
mod fix;
mod render;
mod similar;
mod span;

pub use apart::{install_texts, installed, kept, texts_file};
pub use code::{Code, Severity};
pub use diagnostic::{Arg, Diagnostic, Diagnostics, Label, LabelText};
pub use fix::{Edit, Fix};
pub use render::{Lang, render};
pub use similar::closest;
pub use span::{LineColumn, LineIndex, Span};
