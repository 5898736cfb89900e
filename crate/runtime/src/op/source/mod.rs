//! Operators at the beginning of a job. Scans are run by the driver, as they have no input.

pub(super) mod values;
pub(super) mod watermark_assigner;
