//! One-sided communication (MPI chapter 12).

use serde::{Deserialize, Serialize};

use super::{CommId, Payload, RequestId};
use crate::object::{op::Op, signature::Primitive};

/// The identifier of a window: the communicator of its group, which belongs to the window alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WindowId(pub CommId);

/// The number of memory that a rank has registered for remote access; see
/// [`window_memory`](crate::window_memory).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MemoryId(pub u32);

/// How the memory of a window came to be (`MPI_WIN_CREATE_FLAVOR`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flavor {
    /// The program passed the memory.
    Create,
    /// MPI allocated the memory.
    Allocate,
    /// MPI allocated memory that the ranks of a node share.
    Shared,
    /// Memory is attached and detached while the window exists.
    Dynamic,
}

/// The part of a window that one rank provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WindowPart {
    /// How the memory came to be; the same at all ranks.
    pub flavor: Flavor,
    /// The registered memory.
    pub memory: MemoryId,
    /// Place of the first byte in the registered memory; 0 for dynamic windows, whose displacements
    /// are places themselves.
    pub base: i64,
    /// Size in bytes; 0 for dynamic windows.
    pub bytes: u64,
    /// Bytes per unit of displacement.
    pub unit: i64,
    /// What the rank asserts to be the same at all ranks.
    pub same: SameParts,
}

/// What the info of a window asserts to be the same at all ranks (MPI 5.0, 12.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameParts {
    /// The size (`same_size`).
    pub size: bool,
    /// The displacement unit (`same_disp_unit`).
    pub unit: bool,
}

/// Bytes at a target, relative to the displacement, in the order of the packed data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runs {
    /// One run: its first byte and its length.
    One(i64, u64),
    /// Several runs.
    Many(Box<[(i64, u64)]>),
}

impl Runs {
    /// Returns the runs in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let (one, many) = match self {
            Self::One(at, bytes) => (Some((*at, *bytes)), &[][..]),
            Self::Many(runs) => (None, &runs[..]),
        };
        one.into_iter().chain(many.iter().copied())
    }

    /// Returns the number of bytes.
    pub fn bytes(&self) -> u64 {
        self.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Returns the first byte and the end of the bytes; `None` if there are none.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        let full = self.iter().filter(|(_, bytes)| *bytes > 0);
        full.map(|(at, bytes)| (at, at + bytes as i64))
            .reduce(|(first, end), (at, past)| (first.min(at), end.max(past)))
    }
}

/// What a rank does itself with memory of its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Use {
    /// A call of MPI reads it.
    Read,
    /// A call of MPI writes it, before it returns.
    Write,
    /// An operation that a call of MPI starts writes it.
    Fill,
    /// The program reads it.
    Load {
        /// Whether it reads whole vectors, of which it may drop elements.
        vectors: bool,
    },
    /// The program reads floating-point numbers, and does not compare them: it does not wait for them.
    LoadNumber {
        /// Whether it reads whole vectors, of which it may drop elements.
        vectors: bool,
    },
    /// The program writes it.
    Store,
    /// The program reads and writes it with one atomic instruction.
    Update,
    /// The program may access it; the access was not observed.
    Unseen,
    /// `MPI_Win_attach` makes it accessible.
    Attach,
    /// `MPI_Win_detach` makes it inaccessible.
    Detach,
}

impl Use {
    /// Reports whether the program reads it.
    pub fn is_load(self) -> bool {
        self.vectors().is_some()
    }

    /// Reports whether the program reads whole vectors.
    pub fn loads_vectors(self) -> bool {
        self.vectors() == Some(true)
    }

    /// Returns whether the program reads whole vectors; `None` if it does not read.
    fn vectors(self) -> Option<bool> {
        match self {
            Self::Load { vectors } | Self::LoadNumber { vectors } => Some(vectors),
            Self::Read
            | Self::Write
            | Self::Fill
            | Self::Store
            | Self::Update
            | Self::Unseen
            | Self::Attach
            | Self::Detach => None,
        }
    }
}

/// What an access does at its target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Action {
    /// Writes the data.
    Put,
    /// Returns the data.
    Get,
    /// Combines each element with the data (`MPI_Accumulate` and its relatives).
    Update {
        /// The operation; predefined.
        op: Op,
        /// Type of each element.
        primitive: Primitive,
        /// Whether the previous value is returned.
        fetch: bool,
    },
    /// Writes the second half of the data if the target holds the first half; returns what it held.
    Swap(Primitive),
}

impl Action {
    /// Reports whether data return to the origin.
    pub fn fetches(&self) -> bool {
        match self {
            Self::Get | Self::Swap(_) | Self::Update { fetch: true, .. } => true,
            Self::Put | Self::Update { fetch: false, .. } => false,
        }
    }

    /// Reports whether it computes new values from the data and those in memory.
    pub fn combines(&self) -> bool {
        match self {
            Self::Update { op, .. } => !matches!(op, Op::Replace | Op::NoOp),
            Self::Put | Self::Get | Self::Swap(_) => false,
        }
    }

    /// Reports whether it is atomic for each element and ordered with others of its kind (MPI
    /// section 12.7.1).
    pub fn is_atomic(&self) -> bool {
        matches!(self, Self::Update { .. } | Self::Swap(_))
    }
}

/// One access to the memory of a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Access {
    /// The target's rank in the group of the window.
    pub target: u32,
    /// Displacement, in the target's units.
    pub at: i64,
    /// The bytes accessed.
    pub runs: Runs,
    /// What is done.
    pub action: Action,
    /// The origin's data, packed.
    pub payload: Payload,
    /// Number that the origin has chosen for the result.
    pub ticket: u32,
    /// Whether the origin's data have gaps and are packed.
    pub strided: bool,
}

/// The assertions of synchronisation calls (MPI section 12.5.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assertions {
    /// `MPI_MODE_NOCHECK`.
    pub no_check: bool,
    /// `MPI_MODE_NOSTORE`.
    pub no_store: bool,
    /// `MPI_MODE_NOPUT`.
    pub no_put: bool,
    /// `MPI_MODE_NOPRECEDE`.
    pub no_precede: bool,
    /// `MPI_MODE_NOSUCCEED`.
    pub no_succeed: bool,
}

/// The type of a lock on the memory of a rank (MPI section 12.5.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LockType {
    /// Others may hold a shared lock as well (`MPI_LOCK_SHARED`).
    Shared,
    /// Nobody else holds a lock (`MPI_LOCK_EXCLUSIVE`).
    Exclusive,
}

/// Where a synchronisation completes accesses (MPI section 12.5.4).
// The order of the variants is that of the bytes in recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccessCompletion {
    /// At the origin and at the target.
    Remote,
    /// At the origin only: it may use its buffers again.
    Local,
}

/// A call about a window.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WindowCall {
    /// Provides this rank's part of a new window, whose communicator is a new one, and waits for
    /// the others; replies `Data`.
    Create(WindowId, Box<WindowPart>),
    /// Waits for the others and removes the window; replies `Data`.
    Free(WindowId),
    /// Asks for the part of a rank; replies `WindowPart` without taking time.
    Query(WindowId, u32),
    /// Adds memory to a dynamic window: its first byte and its size.
    Attach(WindowId, i64, u64),
    /// Removes memory that begins at this byte from a dynamic window.
    Detach(WindowId, i64),
    /// Starts an access, which a synchronisation completes.
    Access(WindowId, Box<Access>),
    /// Starts an access with a request; replies `Request`, whose completion carries the result.
    StartAccess(WindowId, Box<Access>),
    /// `MPI_Win_fence`; replies `Data`.
    Fence(WindowId, Assertions),
    /// `MPI_Win_start`, for these ranks of the window.
    Start(WindowId, Vec<u32>, Assertions),
    /// `MPI_Win_complete`.
    Complete(WindowId),
    /// `MPI_Win_post`, for these ranks of the window.
    Post(WindowId, Vec<u32>, Assertions),
    /// `MPI_Win_wait`.
    Wait(WindowId),
    /// `MPI_Win_test`; replies `Done`, or `NotYet`.
    Test(WindowId),
    /// Locks one rank of the window, or all of them.
    Lock {
        /// The window.
        window: WindowId,
        /// The rank; `None` for all.
        target: Option<u32>,
        /// Whether others may hold a lock meanwhile.
        kind: LockType,
        /// The assertions.
        assertions: Assertions,
    },
    /// Unlocks one rank of the window, or all of them; replies as [`WindowCall::Flush`] does.
    Unlock(WindowId, Option<u32>),
    /// Completes the accesses to one rank or to all; replies `Fetched` with their results, or `Done` if there are none or if
    /// the rank has several threads, which take them by [`WindowCall::TakeFetched`].
    Flush {
        /// The window.
        window: WindowId,
        /// The rank; `None` for all.
        target: Option<u32>,
        /// Where they need to be complete.
        completion: AccessCompletion,
    },
    /// Says that another call of the rank, or its program, reads or writes bytes of the window directly. Takes no time.
    Touch {
        /// The window.
        window: WindowId,
        /// The rank to whose part the bytes belong: another one in a window that ranks share.
        owner: u32,
        /// Their place in the registered memory, to which the runs are relative.
        base: i64,
        /// The bytes.
        runs: Runs,
        /// How they are used.
        used: Use,
    },
    /// `MPI_Win_sync`: lets time advance, so that a program may poll its memory.
    Sync(WindowId),
    /// Says after a fence that the results of accesses are stored, so that the next epoch begins; replies
    /// `Done` without taking time.
    Settled(WindowId),
    /// Takes the results of accesses to one rank or to all that are complete; replies `Fetched`
    /// without taking time.
    TakeFetched(WindowId, Option<u32>),
    /// Says that a synchronisation has completed an access with a request for which the program has not waited, and
    /// takes its result; replies `Fetched` with at most one result, without taking time.
    TakeRequested(WindowId, RequestId),
}

/// The calls that synchronise a window (MPI section 12.5), by what they do: calls about one rank and about all
/// ranks, local flushes, and the tests of a wait, belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowSynchronization {
    /// `MPI_Win_fence`.
    Fence,
    /// `MPI_Win_post`.
    Post,
    /// `MPI_Win_start`.
    Start,
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait` and `MPI_Win_test`.
    Wait,
    /// `MPI_Win_lock` and `MPI_Win_lock_all`.
    Lock,
    /// `MPI_Win_unlock` and `MPI_Win_unlock_all`.
    Unlock,
    /// `MPI_Win_flush`, `MPI_Win_flush_all` and their local forms.
    Flush,
    /// `MPI_Win_sync`.
    Sync,
}

impl WindowSynchronization {
    /// All of them in order.
    pub const ALL: [Self; 9] = [
        Self::Fence,
        Self::Post,
        Self::Start,
        Self::Complete,
        Self::Wait,
        Self::Lock,
        Self::Unlock,
        Self::Flush,
        Self::Sync,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fence => "fence",
            Self::Post => "post",
            Self::Start => "start",
            Self::Complete => "complete",
            Self::Wait => "wait",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Flush => "flush",
            Self::Sync => "sync",
        }
    }
}

impl WindowCall {
    /// Returns how the call synchronises its window; `None` if it does not, which includes calls that make or free
    /// one.
    pub fn synchronization(&self) -> Option<WindowSynchronization> {
        match self {
            Self::Fence(..) => Some(WindowSynchronization::Fence),
            Self::Post(..) => Some(WindowSynchronization::Post),
            Self::Start(..) => Some(WindowSynchronization::Start),
            Self::Complete(_) => Some(WindowSynchronization::Complete),
            Self::Wait(_) | Self::Test(_) => Some(WindowSynchronization::Wait),
            Self::Lock { .. } => Some(WindowSynchronization::Lock),
            Self::Unlock(..) => Some(WindowSynchronization::Unlock),
            Self::Flush { .. } => Some(WindowSynchronization::Flush),
            Self::Sync(_) => Some(WindowSynchronization::Sync),
            Self::Create(..)
            | Self::Free(_)
            | Self::Query(..)
            | Self::Attach(..)
            | Self::Detach(..)
            | Self::Access(..)
            | Self::StartAccess(..)
            | Self::Touch { .. }
            | Self::Settled(_)
            | Self::TakeFetched(..)
            | Self::TakeRequested(..) => None,
        }
    }

    /// Returns the window that the call is about.
    pub fn window(&self) -> WindowId {
        match self {
            Self::Create(window, _)
            | Self::Free(window)
            | Self::Query(window, _)
            | Self::Attach(window, ..)
            | Self::Detach(window, _)
            | Self::Access(window, _)
            | Self::StartAccess(window, _)
            | Self::Fence(window, _)
            | Self::Start(window, ..)
            | Self::Complete(window)
            | Self::Post(window, ..)
            | Self::Wait(window)
            | Self::Test(window)
            | Self::Lock { window, .. }
            | Self::Unlock(window, _)
            | Self::Flush { window, .. }
            | Self::Touch { window, .. }
            | Self::Sync(window)
            | Self::Settled(window)
            | Self::TakeFetched(window, _)
            | Self::TakeRequested(window, _) => *window,
        }
    }
}
