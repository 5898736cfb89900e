//! What crosses to JavaScript: plain data, the source of the TypeScript types.
//!
//! Offsets in here are UTF-16 code units (a browser's string index); everywhere else in the engine they are bytes.
//! Times are milliseconds since 1970-01-01T00:00:00Z unless the name says otherwise. Texts come in both languages.

mod diagnostic;
mod downstream;
mod read;
mod session;
mod why;
mod workspace;

pub use diagnostic::{Analysis, Bilingual, Completion, Diagnostic, Fix, FixEdit, Hover, Label, Lens, Span};
pub use diagnostic::{TimeLiteral, Token};
pub use downstream::{Downstream, EncodedRow, Encodings, SinkBatch, SinkMessage, SinkReport};
pub use session::{
    Advanced, ColumnView, Edited, FileProgress, FileResult, InputView, Opened, OperatorView, PlanNodeView,
    PlanView, QueryView, SlotInfo, SourceView, StateEntryView, StatePage,
};
pub use why::{BillFactor, GaugePartition, MoveAct, StateBill, WhyCard, WhyGauge, WhyMove};
pub use workspace::{Edit, EndOfInput, EventControl, Generator, QueryText, ScenarioEvent, SourceControl};
pub use workspace::{SourcePartitions, Texts, Workspace};
