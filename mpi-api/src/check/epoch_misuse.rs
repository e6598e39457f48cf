//! WT0033: a window is used against the order of its epochs.

use crate::finding::{CallSite, Code, Finding};

/// What a call does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// There is no epoch to which an access could belong.
    Outside,
    /// An access or a flush concerns a rank that is not locked, while another one is.
    NotLocked,
    /// An access concerns a rank that is not in the group of the access epoch.
    NotInGroup,
    /// An access with a request belongs to an epoch without locks.
    RequestNeedsLock,
    /// A flush without a lock.
    FlushNeedsLock,
    /// An epoch begins inside another one.
    Nested,
    /// An epoch is open where none may be.
    Open,
    /// A call ends an epoch that was not begun.
    NotBegun,
    /// Memory is detached that is not attached.
    NotAttached,
    /// An assertion of a synchronisation call (MPI 5.0, section 12.5.5).
    Assertions,
}

impl Broken {
    /// Returns what the standard says, and what mends the program.
    fn explained(self) -> (&'static str, &'static str) {
        match self {
            Self::Outside => (
                "an access belongs to an epoch, which MPI_Win_fence, MPI_Win_start or a lock opens; each epoch ends \
                 with the call that belongs to it (MPI 5.0, 12.5)",
                "open an epoch before the access, and close it afterwards",
            ),
            Self::NotLocked => (
                "MPI_Win_lock allows accesses to the rank that it names, and flushes of these (MPI 5.0, 12.5.3)",
                "lock this rank as well, all ranks by MPI_Win_lock_all, or name the rank that is locked",
            ),
            Self::NotInGroup => (
                "in an epoch of MPI_Win_start only ranks of its group are accessed (MPI 5.0, 12.5.2)",
                "add the rank to the group of MPI_Win_start, and let it call MPI_Win_post, or correct the target",
            ),
            Self::RequestNeedsLock => (
                "accesses with a request belong to an epoch that MPI_Win_lock or MPI_Win_lock_all opens (MPI 5.0, 12.3.5)",
                "use the function without a request, such as MPI_Put for MPI_Rput, which the end of this epoch \
                 completes, or lock the rank instead",
            ),
            Self::FlushNeedsLock => (
                "a flush belongs to an epoch that MPI_Win_lock or MPI_Win_lock_all opens (MPI 5.0, 12.5.4)",
                "lock the rank before the accesses, or leave the flush out where a fence or MPI_Win_complete completes \
                 them",
            ),
            Self::Nested => (
                "an epoch ends before a rank begins one of another kind, or another one for the same ranks (MPI 5.0, \
                 12.5)",
                "close the first epoch before the next one begins, or leave the second out",
            ),
            Self::Open => (
                "an epoch ends with the call that belongs to it: a fence, MPI_Win_complete, MPI_Win_wait or the unlock \
                 (MPI 5.0, 12.5)",
                "close the epoch before this call",
            ),
            Self::NotBegun => (
                "each epoch ends once, with the call that belongs to it (MPI 5.0, 12.5)",
                "open the epoch before this call, or leave the call out",
            ),
            Self::NotAttached => (
                "memory is detached once, by the address with which MPI_Win_attach made it accessible (MPI 5.0, \
                 12.2.4)",
                "detach memory once, by the address that was attached",
            ),
            Self::Assertions => (
                "an assertion lets the library leave out work; a program whose assertion is not true, or that gives it on \
                 one side only, is erroneous (MPI 5.0, 12.5.5)",
                "pass 0 instead of the assertion",
            ),
        }
    }
}

/// What another call is that shows why a call does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The one that opened the epoch in the way.
    Epoch,
    /// The one that made the assertion.
    Assertion,
    /// An access that an assertion denies.
    Access,
    /// A write of the rank to its own memory that an assertion denies.
    Store,
    /// The one that took a lock that an assertion denies.
    Lock,
    /// The one that exposes the memory.
    Post,
}

impl Shown {
    /// Returns the label of the call.
    pub fn label(self) -> &'static str {
        match self {
            Self::Epoch => "the epoch is from here",
            Self::Assertion => "asserted here",
            Self::Access => "the access",
            Self::Store => "written here",
            Self::Lock => "the lock is from here",
            Self::Post => "the memory is exposed here",
        }
    }
}

/// Returns the finding that a call does not fit the epochs of its window or an assertion, with the
/// call that shows why.
pub fn of_call(place: CallSite, beside: Option<CallSite>, what: &str, broken: Broken) -> Finding {
    let rank = place.rank;
    let message = format!("rank {rank}: {what}");
    let mut sites = vec![place];
    sites.extend(beside);
    let mut ranks: Vec<u32> = sites.iter().map(|site| site.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let (note, help) = broken.explained();
    Finding::error(Code::EpochMisuse, message, ranks, sites).note(note).help(help)
}
