//! WT0015: a ready send found no posted receive.

use crate::finding::{CallSite, Code, Finding};

/// Label of the send.
pub const LABEL: &str = "no matching receive is posted yet";

/// Returns the finding about a ready send to a rank.
pub fn of_send(place: CallSite, target: u32) -> Finding {
    let rank = place.rank;
    let site = CallSite { peer: Some(target), ..place };
    let message =
        format!("rank {rank} sends in ready mode before rank {target} has posted the receive");
    Finding::error(Code::ReadyWithoutReceive, message, vec![rank, target], vec![site])
        .note("a ready send is erroneous unless its receive is posted (MPI 5.0, 3.4)")
        .help("separate posting and sending by a barrier, or use a standard send")
}
