//! WT0024: a buffer is touched while an operation owns it.

use sim_core::words::{count, counted};

use crate::{
    call::Site,
    finding::{CallPlace, CallSite, Code, Finding},
};

/// The bytes that two contiguous buffers share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// Their number.
    pub bytes: u64,
    /// Where they begin in the buffer of the pending operation, and its length, bytes.
    pub owned: (u64, u64),
    /// The same of the buffer of the other operation.
    pub used: (u64, u64),
}

impl Overlap {
    /// Returns what two ranges of addresses share; `None` if they are the same or share nothing.
    pub fn of(owned: (i64, i64), used: (i64, i64)) -> Option<Self> {
        let (start, end) = (owned.0.max(used.0), owned.1.min(used.1));
        let within = |range: (i64, i64)| ((start - range.0) as u64, (range.1 - range.0) as u64);
        (owned != used && start < end).then(|| Self {
            bytes: (end - start) as u64,
            owned: within(owned),
            used: within(used),
        })
    }

    fn described(&self, owner: &str) -> String {
        let Self { bytes, owned, used } = *self;
        let part = |(from, length): (u64, u64)| {
            let all = counted(length, "byte");
            match (from, from + bytes == length) {
                (0, true) => format!("all {all}"),
                (0, false) => format!("the first of {all}"),
                (_, true) => format!("the last of {all}"),
                (_, false) => format!("those from byte {from} on of {all}"),
            }
        };
        let (shared, owned, used) = (counted(bytes, "byte"), part(owned), part(used));
        format!("the buffers share {shared}: {owned} of the pending {owner}, {used} of this call")
    }
}

/// Returns the finding that an operation of a rank uses memory that another one owns, and one of
/// them writes to it; `overlap` says what they share if they do not have the same buffer.
pub fn shared(rank: u32, user: CallPlace, owner: Pending, overlap: Option<Overlap>) -> Finding {
    let name = owner.by.call;
    let message = format!("rank {rank}: {} uses a buffer that {name} still owns", user.call);
    let sites = vec![
        CallSite::of(rank, user, "this operation uses the buffer too".into()),
        owner.place(rank),
    ];
    let finding = explained((rank, owner.kind), message, sites);
    match overlap {
        Some(overlap) => finding.note(overlap.described(name)),
        None => finding,
    }
}

/// Returns the finding that a rank starts accesses to a window for ever, into a buffer that a pending one owns; `pending` is
/// their number. The finding has no call site; that of the conflict has it.
pub fn without_end(rank: u32, call: &str, pending: u64) -> Finding {
    let message = format!("rank {rank} calls {call} for ever, and nothing completes it");
    Finding::error(Code::BufferConflict, message, vec![rank], Vec::new())
        .note(format!(
            "{} accesses to the window are pending; what they fetch is there once they are complete (MPI 5.0, 12.5)",
            count(pending)
        ))
        .help("call MPI_Win_flush, or end the epoch, before the result is read")
}

/// Returns the finding that the program changed a buffer before its owner completed in a call. Memory that it has released
/// changes, too, so that it need not have written to the buffer.
pub fn changed(rank: u32, owner: Pending, completed: CallPlace) -> Finding {
    let message = format!("rank {rank} changes a buffer that {} still owns", owner.by.call);
    let sites = vec![
        owner.place(rank),
        CallSite::of(rank, completed, "it was changed before the operation completed here".into()),
    ];
    explained((rank, owner.kind), message, sites)
}

/// Returns the finding that the program changed an array of arguments of a persistent operation, as a call found that starts
/// or frees its request.
pub fn changed_argument(rank: u32, by: CallPlace, found: CallPlace) -> Finding {
    let message = format!("rank {rank} changes an array that {} still owns", by.call);
    let made = "its arrays belong to MPI until the request is freed".into();
    let sites = vec![
        CallSite::of(rank, by, made),
        CallSite::of(rank, found, "an array was changed before this call".into()),
    ];
    Finding::error(Code::BufferConflict, message, vec![rank], sites)
        .note(
            "counts and displacements of a persistent operation belong to MPI until its request is freed (MPI 5.0, 2.4.1, \
             6.13)",
        )
        .help("leave the arrays as they are until MPI_Request_free, or make another request for other values")
}

/// What a program does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// It reads it.
    Reads,
    /// It writes to it.
    Writes,
    /// It releases the memory that the buffer is in.
    Frees,
}

/// Returns the finding that the program used a buffer of a pending operation, at a place in its code if that is known.
pub fn touched(rank: u32, owner: Pending, touch: Touch, by: Option<Site>) -> Finding {
    let (what, label) = match touch {
        Touch::Reads => ("reads from", "it is read here"),
        Touch::Writes => ("writes to", "it is written to here"),
        Touch::Frees => ("frees", "its memory is released here"),
    };
    let message = format!("rank {rank} {what} a buffer that {} still owns", owner.by.call);
    let mut sites = vec![owner.place(rank)];
    sites.extend(by.map(|site| CallSite::new(rank, "program", site.known(), label.into())));
    explained((rank, owner.kind), message, sites)
}

/// Returns the finding that an operation has a copy of an array section as its buffer, which the
/// compiler made and releases when the call returns.
pub fn copied(rank: u32, owner: CallPlace) -> Finding {
    let message =
        format!("rank {rank}: the buffer of {} is a copy that ends with the call", owner.call);
    let label = "the compiler passes a copy, which it releases after the call";
    Finding::error(
        Code::BufferConflict,
        message,
        vec![rank],
        vec![CallSite::of(rank, owner, label.into())],
    )
    .note(
        "an expression, or an array section that is not contiguous, is passed as a copy, which the \
             operation still uses when it is gone (MPI 5.0, 19.1.12)",
    )
    .help(
        "pass a variable or a contiguous array, or describe the section by a datatype; with the module \
             mpi_f08, nonblocking procedures take sections as they are, but not expressions",
    )
}

fn explained((rank, owner): (u32, Owner), message: String, sites: Vec<CallSite>) -> Finding {
    let (note, help) = owner.explained();
    Finding::error(Code::BufferConflict, message, vec![rank], sites).note(note).help(help)
}

/// The kind of operation that owns a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A message or a collective operation.
    Communication,
    /// A one-sided access.
    Access,
    /// An access to a file that is not a split one.
    FileAccess,
    /// A split access to a file.
    SplitAccess,
    /// One end of partitioned communication.
    Partitions,
    /// MPI itself, for messages in the buffered mode.
    Attached,
}

/// The operation that owns a buffer: its kind, and the call that has started it.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// Its kind.
    pub kind: Owner,
    /// The call that has started it.
    pub by: CallPlace,
}

impl Pending {
    /// Returns its call among the places of a finding.
    fn place(self, rank: u32) -> CallSite {
        CallSite::of(rank, self.by, self.kind.label().into())
    }
}

impl Owner {
    /// Returns the label of the call that has given the buffer away.
    fn label(self) -> &'static str {
        match self {
            Self::Communication
            | Self::Access
            | Self::FileAccess
            | Self::SplitAccess
            | Self::Partitions => "the buffer belongs to this operation until it completes",
            Self::Attached => "the buffer belongs to MPI from here on",
        }
    }

    /// Returns what the standard says, and what mends the program.
    fn explained(self) -> (&'static str, &'static str) {
        match self {
            Self::Communication => (
                "from the start of an operation to its completion its buffer belongs to MPI (MPI 5.0, 3.7.2)",
                "complete the operation before the buffer is used again, or use another",
            ),
            Self::Access => (
                "the buffer of a one-sided access belongs to MPI until a synchronisation completes the access (MPI 5.0, \
                 12.3, 12.5)",
                "complete the access before the buffer is used again, by a flush, the unlock, the next fence or \
                 MPI_Win_complete, or use another buffer",
            ),
            Self::FileAccess => (
                "the buffer of an access to a file belongs to MPI until the access is complete (MPI 5.0, 14.4.1)",
                "complete the access before the buffer is used again, or use another",
            ),
            Self::SplitAccess => (
                "the buffer of a split access to a file belongs to MPI from the call that begins it to the one that \
                 ends it (MPI 5.0, 14.4.5)",
                "end the access (by the function that ends in _end) before the buffer is used again, or use another",
            ),
            Self::Partitions => (
                "a partition belongs to MPI until its request is complete: of a send from MPI_Pready on, of a receive \
                 until MPI_Parrived says that it is there (MPI 5.0, 4.2)",
                "wait for the request before the partition is used again, or for MPI_Parrived where it is received",
            ),
            Self::Attached => (
                "an attached buffer is for messages in the buffered mode alone until it is detached (MPI 5.0, 3.6)",
                "detach the buffer before its memory is used again, or use other memory",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_what_completes_the_operation() {
        for (kind, told) in [
            (Owner::Communication, "complete the operation"),
            (Owner::Access, "a flush, the unlock"),
            (
                Owner::FileAccess,
                "complete the access before the buffer is used again, or use another",
            ),
            (Owner::SplitAccess, "ends in _end"),
            (Owner::Partitions, "MPI_Parrived"),
            (Owner::Attached, "detach the buffer"),
        ] {
            let owner = Pending { kind, by: CallPlace { call: "MPI_Isend", site: Site::NOWHERE } };
            let finding = changed(0, owner, CallPlace { call: "MPI_Wait", site: Site::NOWHERE });
            assert!(finding.help.is_some_and(|help| help.contains(told)), "{kind:?}");
        }
    }
}
