//! Replay cases: one text file with SQL, events in one global order, and what was emitted after each of them.
//!
//! The format is the recorder's (`tests/oracle/README.md`). The command line prints and checks it, the conformance
//! suite compares with it; both use this module.

mod compare;
mod format;
mod run;

pub use compare::{Difference, compare};
pub use format::{Case, CaseError, Step, StepKind};
pub use run::{Sections, run};

/// A diagnostic of a case as text for a terminal, in English.
pub fn rendered(case: &Case, diagnostic: &sg_diag::Diagnostic) -> String {
    sg_diag::render(diagnostic, &run::script_text(case), sg_diag::Lang::En)
}
