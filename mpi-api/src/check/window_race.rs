//! WT0034: accesses to a window are not ordered.

use crate::finding::{CallSite, Code, Finding};

/// What would order two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A fence: both are in one epoch of fences.
    Fence,
    /// Another exposure: both are in one.
    Exposure,
    /// The completion of the first: they are made with locks.
    Lock,
    /// A message or a barrier between them: both are loads and stores of memory that ranks share.
    Memory,
}

impl Order {
    /// Returns the help for accesses of one rank or of two.
    fn help(self, one_rank: bool) -> &'static str {
        match self {
            Self::Fence => "separate the accesses by MPI_Win_fence, or let them use other places",
            Self::Exposure => {
                "make the later access after MPI_Win_wait, or a successful MPI_Win_test, has ended the exposure of the \
                 earlier one, or use other places"
            }
            Self::Memory => {
                "call MPI_Win_sync after the first access, tell the other rank by a message or a barrier, and call \
                 MPI_Win_sync there before the second one"
            }
            Self::Lock if one_rank => {
                "complete the first access by MPI_Win_flush or MPI_Win_unlock before the second one, or use one \
                 atomic operation"
            }
            Self::Lock => {
                "complete the first access by MPI_Win_flush or MPI_Win_unlock and tell the other rank afterwards, by a \
                 message or a barrier, or use exclusive locks or one atomic operation"
            }
        }
    }
}

/// What an access does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It is atomic.
    Update,
    /// It makes the memory accessible.
    Attach,
    /// It ends that the memory is accessible.
    Detach,
}

/// Returns the label of an access of a rank to the memory of a target.
pub fn label(rank: u32, target: u32, does: Does) -> String {
    let what = match does {
        Does::Read => "reads",
        Does::Write => "writes to",
        Does::Update => "updates",
        Does::Attach => "attaches",
        Does::Detach => "detaches",
    };
    let whose =
        if rank == target { "its own memory".into() } else { format!("memory of rank {target}") };
    format!("rank {rank} {what} {whose} here")
}

/// Returns the finding that two accesses to the memory of a target overlap and nothing orders them;
/// `order` is what would.
pub fn of_accesses(sites: [CallSite; 2], target: u32, order: Order) -> Finding {
    let [one, other] = &sites;
    let (a, b) = (other.call, one.call);
    let mut ranks = vec![one.rank, other.rank];
    ranks.sort_unstable();
    ranks.dedup();
    let who = match ranks[..] {
        [rank] => format!("two accesses of rank {rank}"),
        _ => format!("accesses of ranks {} and {}", ranks[0], ranks[1]),
    };
    let message = format!(
        "{who} to the same bytes of the window at rank {target} are not ordered ({a}, {b})"
    );
    Finding::error(Code::WindowRace, message, ranks, sites.to_vec())
        .note(
            "overlapping accesses of which one writes must be ordered by synchronisation, unless both \
             are atomic with the same operation (MPI 5.0, 12.7)",
        )
        .help(order.help(one.rank == other.rank))
}

/// Returns the finding that two accesses to the memory of a target go through different windows, overlap, and nothing orders
/// them.
pub fn through_windows(sites: [CallSite; 2], target: u32) -> Finding {
    let [one, other] = &sites;
    let mut ranks = vec![one.rank, other.rank];
    ranks.sort_unstable();
    ranks.dedup();
    let message = format!(
        "accesses through two windows to the same bytes of rank {target} are not ordered ({}, {})",
        one.call, other.call
    );
    Finding::error(Code::WindowRace, message, ranks, sites.to_vec())
        .note("windows may share memory, but concurrent accesses through them must not conflict (MPI 5.0, 12.2.1, 12.7)")
        .help("end the epoch of the one window before that of the other begins, or let the accesses use other places")
}

/// Returns the finding that a rank stores to bytes of its own window which an access uses in the same
/// epoch; `order` is what would separate them.
pub fn of_store(site: CallSite, target: u32, order: Order) -> Finding {
    let (origin, call) = (site.rank, site.call);
    let message = format!(
        "rank {target} changes bytes of its own window that {call} of rank {origin} uses in the same epoch"
    );
    let mut ranks = vec![origin, target];
    ranks.sort_unstable();
    ranks.dedup();
    Finding::error(Code::WindowRace, message, ranks, vec![site])
        .note(format!(
            "what rank {target} changes is a store of the program and no call of MPI, so that its line is not known"
        ))
        .note(
            "a rank may not store to bytes of its window that others access in the same epoch (MPI 5.0, 12.7)",
        )
        .help(order.help(origin == target))
}

/// Adds a note to a failure that occurs if one-sided accesses take effect late.
pub fn with_late_accesses(finding: Finding) -> Finding {
    finding.note(
        "in this execution one-sided accesses take effect as late as allowed: at the synchronisation \
         that completes them (MPI 5.0, 12.7)",
    )
}
