//! WT0007: ranks disagree on the amount of data.

use crate::{
    call::{CollectiveKind, Form},
    finding::{CallSite, Code, Finding},
};

/// A collective call in which ranks exchange blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockCall {
    form: Form,
    /// Number of blocks of the longer buffer, each of one count.
    blocks: u32,
}

impl BlockCall {
    /// Describes a call of a number of ranks.
    pub fn new(kind: CollectiveKind, form: Form, ranks: u32) -> Self {
        let blocks = match kind {
            CollectiveKind::Gather
            | CollectiveKind::Scatter
            | CollectiveKind::Allgather
            | CollectiveKind::Alltoall
            | CollectiveKind::ReduceScatter => ranks,
            // How many neighbours a rank has is another matter.
            CollectiveKind::NeighborAllgather
            | CollectiveKind::NeighborAlltoall
            | CollectiveKind::Barrier
            | CollectiveKind::Broadcast
            | CollectiveKind::Reduce
            | CollectiveKind::Allreduce
            | CollectiveKind::Scan
            | CollectiveKind::Exscan
            | CollectiveKind::Management(_) => 1,
        };
        Self { form, blocks }
    }

    /// Returns how a block is mended of which one side sends and the other expects these amounts, both in bytes or both in
    /// elements.
    pub fn help(self, sent: u64, expected: u64) -> &'static str {
        let of_all = |one: u64| one.checked_mul(self.blocks.into()).filter(|_| self.blocks > 1);
        match self.form {
            Form::Vector | Form::General => {
                "let the lists of counts have for each rank the count that this rank passes itself"
            }
            Form::Plain | Form::Block if of_all(sent) == Some(expected) => {
                "let the receive count be that of the block of one rank: the call multiplies it by the number of ranks"
            }
            Form::Plain | Form::Block if of_all(expected) == Some(sent) => {
                "let the send count be that of the block for one rank: the call multiplies it by the number of ranks"
            }
            Form::Plain | Form::Block => "give all ranks the same counts and types",
        }
    }
}

/// Returns the label of the call of a rank that sends fewer bytes than it says it expects from each
/// rank.
pub fn own_label(given: u64, needed: u64) -> String {
    format!("sends {given} bytes where {needed} are received")
}

/// Returns the finding that a rank sends fewer bytes than it says it expects from each rank.
pub fn with_itself(place: CallSite, call: BlockCall, given: u64, needed: u64) -> Finding {
    let (rank, name) = (place.rank, place.call);
    let message = format!("rank {rank} sends {given} bytes in {name} and receives {needed}");
    explained(message, vec![rank], vec![place]).help(call.help(given, needed))
}

/// Returns the labels of two calls that disagree on the size of a block: the receiver's and the
/// sender's.
pub fn block_labels((rank, expected): (u32, u64), (source, sent): (u32, u64)) -> [String; 2] {
    [format!("rank {rank} expects {expected} bytes"), format!("rank {source} sends {sent} bytes")]
}

/// Returns the finding that two ranks disagree on the size of a block; the sites are those of the receiver and of the sender.
pub fn of_blocks(
    [receiver, sender]: [CallSite; 2],
    call: BlockCall,
    expected: u64,
    sent: u64,
) -> Finding {
    let (name, rank, source) = (receiver.call, receiver.rank, sender.rank);
    let message =
        format!("in {name}, rank {source} sends {sent} bytes where rank {rank} expects {expected}");
    explained(message, vec![rank, source], vec![receiver, sender]).help(call.help(sent, expected))
}

fn explained(message: String, ranks: Vec<u32>, sites: Vec<CallSite>) -> Finding {
    Finding::error(Code::CountMismatch, message, ranks, sites).note(
        "what one rank sends is exactly what the other expects: counts and types have to agree (MPI 5.0, 6.1)",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_all_ranks_is_told_from_others() {
        let gather = |form, ranks| BlockCall::new(CollectiveKind::Gather, form, ranks);
        let help = |form, sent, expected| gather(form, 4).help(sent, expected);
        assert!(help(Form::Plain, 12, 48).contains("receive count"));
        assert!(help(Form::Plain, 48, 12).contains("send count"));
        assert!(help(Form::Plain, 12, 24).contains("same counts"));
        assert!(help(Form::Vector, 12, 48).contains("lists of counts"));
        assert!(gather(Form::Plain, 1).help(12, 24).contains("same counts"));
    }
}
