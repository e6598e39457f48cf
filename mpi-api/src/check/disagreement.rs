//! Two ranks that call the same operation with different arguments, or different operations.

use super::count_mismatch::BlockCall;
use crate::{
    call::Site,
    finding::{CallSite, Code, Finding},
    object::signature::Signature,
};

/// One rank's side of a disagreement.
pub struct Side {
    /// World rank of the caller.
    pub rank: u32,
    /// Place of the call.
    pub site: Site,
    /// Name of the call.
    pub call: &'static str,
    /// What this rank has where the other has something else.
    pub has: String,
}

/// Returns the finding of a disagreement, without an explanation.
pub(super) fn between(me: Side, other: Side, code: Code) -> Finding {
    let message =
        format!("rank {} has {} where rank {} has {}", me.rank, me.has, other.rank, other.has);
    let ranks = vec![me.rank, other.rank];
    let place = |side: Side| {
        let label = format!("rank {}: {}", side.rank, side.has);
        CallSite::new(side.rank, side.call, side.site.known(), label)
    };
    Finding::error(code, message, ranks, vec![place(me), place(other)])
}

/// Returns the finding that two ranks call a collective operation differently.
pub fn in_collective(me: Side, other: Side, code: Code) -> Finding {
    between(me, other, code)
        .note(
            "all ranks of a communicator call the same collectives in the same order, with \
             matching arguments (MPI 5.0, 6.1, 6.14)",
        )
        .help("make all ranks call it alike")
}

/// Returns the code of a difference between two signatures: amounts or types.
pub fn amounts_or_types(mine: &Signature, theirs: &Signature) -> Code {
    if mine.same_types(theirs) { Code::CountMismatch } else { Code::TypeMismatch }
}

/// Returns the finding that one rank of a collective operation sends another block than the other
/// expects; the sites are those of the receiver and of the sender.
pub fn of_blocks(
    name: &str,
    call: BlockCall,
    (source, sent): (u32, &Signature),
    (target, taken): (u32, &Signature),
    sites: impl FnOnce([String; 2]) -> Vec<CallSite>,
) -> Finding {
    let sites = sites([
        format!("rank {target} expects {taken} from rank {source}"),
        format!("rank {source} sends {sent}"),
    ]);
    let message =
        format!("in {name}, rank {source} sends {sent} where rank {target} expects {taken}");
    Finding::error(amounts_or_types(sent, taken), message, vec![target, source], sites)
        .note("what one rank sends is exactly what the other expects (MPI 5.0, 6.1)")
        .help(call.help(sent.bytes(), taken.bytes()))
}
