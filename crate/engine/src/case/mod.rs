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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two thousand million attempts before the next arrival: made one by one they would not end. Those without a delay
    /// are over before the row comes that they look for.
    #[test]
    fn lookups_that_are_tried_again_end_however_often_they_are() {
        for (delay, finds) in [("1 ns", false), ("1 ms", true)] {
            let text = format!(
                "# Many attempts\n==== sql\n\
                 CREATE TABLE o (id INT, pt AS PROCTIME()) WITH ('connector' = 'replay');\n\
                 CREATE TABLE u (k INT, PRIMARY KEY (k) NOT ENFORCED) WITH ('connector' = 'replay');\n\
                 SELECT /*+ LOOKUP('table'='u', 'retry-predicate'='lookup_miss', 'retry-strategy'='fixed_delay', \
                 'fixed-delay'='{delay}', 'max-attempts'='2147483647') */ id\n\
                 FROM o JOIN u FOR SYSTEM_TIME AS OF o.pt ON o.id = u.k;\n\
                 ==== events\no {{\"id\": 1}}\n@86400000000 o {{\"id\": 2}}\nu {{\"k\": 2}}\n"
            );
            let sections = run(&Case::parse(&text).unwrap());
            let found = sections.get("trace").unwrap().contains("+I[2]");
            assert_eq!(found, finds, "{delay}: {sections:?}");
        }
    }
}
