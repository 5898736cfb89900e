//! What Flink says where the versions of a temporal join have no key.

use crate::logical::LogicalNode;

/// The message with Flink's logical plan below it.
pub(super) fn no_key_text(_node: &LogicalNode) -> String {
    "ValidationException: Temporal Table Join requires primary key in versioned table, but no primary key can be \
     found. The physical plan is:"
        .to_owned()
}
