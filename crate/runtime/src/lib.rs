//! The running job: operators, state, time, trace.
