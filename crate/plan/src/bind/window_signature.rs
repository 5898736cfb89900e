//! Window table functions with their parameters.

/// A window table function and its parameters behind DATA and TIMECOL.
pub(super) struct Signature {
    pub(super) name: &'static str,
    /// Names of all parameters in positional order.
    pub(super) parameters: &'static [&'static str],
    /// How many of them are required.
    pub(super) required: usize,
    /// How Flink's messages write it.
    pub(super) form: &'static str,
}

/// All of them.
pub(super) const SIGNATURES: [Signature; 5] = [
    Signature {
        name: "TUMBLE",
        parameters: &["DATA", "TIMECOL", "SIZE", "OFFSET"],
        required: 3,
        form: "TUMBLE(TABLE table_name, DESCRIPTOR(timecol), datetime interval[, datetime interval])",
    },
    Signature {
        name: "HOP",
        parameters: &["DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"],
        required: 4,
        form: "HOP(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime interval])",
    },
    Signature {
        name: "CUMULATE",
        parameters: &["DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"],
        required: 4,
        form: "CUMULATE(TABLE table_name, DESCRIPTOR(timecol), datetime interval, datetime interval[, datetime interval])",
    },
    Signature {
        name: "SESSION",
        parameters: &["DATA", "TIMECOL", "GAP"],
        required: 3,
        form: "SESSION(TABLE table_name [PARTITION BY (cols, ...)], DESCRIPTOR(timecol), datetime interval)",
    },
    // An extension: Flink has no such function.
    Signature {
        name: "CUMULATE_DYNAMIC",
        parameters: &["DATA", "TIMECOL", "STEP", "GAP"],
        required: 4,
        form: "CUMULATE_DYNAMIC(TABLE table_name [PARTITION BY (cols, ...)], DESCRIPTOR(timecol), datetime interval, \
               datetime interval)",
    },
];
