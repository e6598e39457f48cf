//! WT0033: a window is used against the order of its epochs.

use crate::finding::{CallSite, Code, Finding};

/// What a call does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// The epochs of the window.
    Epochs,
    /// An assertion of a synchronisation call (MPI 5.0, section 12.5.5).
    Assertions,
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
    let finding = Finding::error(Code::EpochMisuse, message, ranks, sites);
    match broken {
        Broken::Epochs => finding
            .note(
                "an access belongs to an epoch, which MPI_Win_fence, MPI_Win_start or a lock opens; each \
                 epoch ends with the call that belongs to it (MPI 5.0, 12.5)",
            )
            .help("open and close epochs in pairs, and access the window only in between"),
        Broken::Assertions => finding
            .note(
                "an assertion lets the library leave out work; a program whose assertion is not true is \
                 erroneous (MPI 5.0, 12.5.5)",
            )
            .help("pass 0 instead of the assertion"),
    }
}
