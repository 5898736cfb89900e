//! A job that failed at run time.

use sg_diag::Diagnostic;
use sg_plan::job::OperatorId;

/// Why a job stopped, and where. The job takes no further arrivals; a restored snapshot runs again.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The operator that failed.
    pub operator: OperatorId,
    /// The slot in which it failed: the number of arrivals before it.
    pub slot: u32,
    /// What went wrong, in both languages, with the SQL text that it came from.
    pub diagnostic: Box<Diagnostic>,
}
