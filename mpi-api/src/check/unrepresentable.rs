//! WT0029: a value cannot be represented where it is received.

use crate::{
    finding::{CallSite, Code, Finding},
    object::representation::Unrepresentable,
};

/// Returns the finding about a value of a message; the first of the ranks is the receiver's.
pub fn of_value(error: &Unrepresentable, ranks: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    let (name, place, rank) = (error.primitive.name(), error.place, ranks[0]);
    let message = format!("rank {rank} cannot represent number {place}, {name}: {}", error.why);
    Finding::error(Code::Unrepresentable, message, ranks, sites)
        .note(
            "between unlike nodes values are converted, and one that does not fit makes the \
             communication fail (MPI 5.0, 3.3.2)",
        )
        .help("send a type that is equally wide on all nodes, or smaller values")
}
