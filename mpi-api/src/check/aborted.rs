//! WT0019: a rank called `MPI_Abort`.

use crate::finding::{CallSite, Code, Finding};

/// Returns the label of the call.
pub fn label(code: i32) -> String {
    format!("code {code}")
}

/// Returns the finding about the call.
pub fn by(place: CallSite, code: i32) -> Finding {
    let (rank, call) = (place.rank, place.call);
    let message = format!("rank {rank} called {call} with code {code}");
    Finding::error(Code::Aborted, message, vec![rank], vec![place])
}
