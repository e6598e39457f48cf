//! One-sided communication of a plan: a window from its construction to its end.

use mpi_api::object::signature::Primitive;

use super::Id;
use crate::layout::Layout;

/// Most bytes that a rank provides: a set of them is one number.
pub(crate) const BYTES_MAX: u64 = 128;

/// The tag of messages between the ranks of a window, which no others have.
pub(crate) const TAG: i32 = 2900;

/// The constructor of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavor {
    /// `MPI_Win_create`.
    Create,
    /// `MPI_Win_allocate`.
    Allocate,
    /// `MPI_Win_allocate_shared`, on ranks of one node.
    Shared,
    /// `MPI_Win_create_dynamic`: each rank attaches its part, and tells the others its address.
    Dynamic,
}

/// A window and everything that its ranks do with it. Ranks are those of its communicator.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// Number that data of the window depend on.
    pub(crate) key: u64,
    /// Communicator of the window.
    pub(crate) comm: Id,
    /// Constructor of the window.
    pub(crate) flavor: Flavor,
    /// Bytes that each rank provides, at most [`BYTES_MAX`].
    pub(crate) bytes: Vec<u64>,
    /// Bytes per unit of displacement.
    pub(crate) unit: u64,
    /// Whether locks of all ranks, posts and starts assert `MPI_MODE_NOCHECK`.
    pub(crate) unchecked: bool,
    /// Accesses, which turns start.
    pub(crate) accesses: Vec<Access>,
    /// What the ranks do, in an order in which it may happen.
    pub(crate) turns: Vec<Turn>,
}

/// An entry of a window's program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    /// All ranks call `MPI_Win_fence`.
    Fence {
        /// Whether `MPI_MODE_NOPRECEDE` is asserted.
        first: bool,
        /// Whether `MPI_MODE_NOSUCCEED` is asserted.
        last: bool,
        /// What each rank asserts of its own memory; nothing where the list ends.
        own: Vec<Promise>,
    },
    /// All ranks call `MPI_Barrier` on the communicator.
    Barrier,
    /// The first rank sends the second one an empty message with [`TAG`].
    Tell(u32, u32),
    /// One rank does something.
    Deed(u32, Deed),
}

/// What a rank asserts of its own memory when it offers it to others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Promise {
    /// `MPI_MODE_NOSTORE`: the rank has not stored to it.
    pub(crate) no_store: bool,
    /// `MPI_MODE_NOPUT`: nobody writes to it.
    pub(crate) no_put: bool,
}

impl Promise {
    /// Returns the promise with `MPI_MODE_NOSTORE`.
    pub(crate) fn no_store(self) -> Self {
        Self { no_store: true, ..self }
    }

    /// Returns the promise with `MPI_MODE_NOPUT`.
    pub(crate) fn no_put(self) -> Self {
        Self { no_put: true, ..self }
    }
}

/// What one rank does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deed {
    /// Starts an access.
    Access(usize),
    /// Waits for the request of an access.
    Finish(usize),
    /// `MPI_Win_lock` of a rank; the flag says whether the lock is exclusive.
    Lock(u32, bool),
    /// `MPI_Win_unlock`.
    Unlock(u32),
    /// `MPI_Win_lock_all`.
    LockAll,
    /// `MPI_Win_unlock_all`.
    UnlockAll,
    /// `MPI_Win_flush`, or `MPI_Win_flush_all`.
    Flush(Option<u32>),
    /// `MPI_Win_flush_local`, or `MPI_Win_flush_local_all`.
    FlushLocal(Option<u32>),
    /// `MPI_Win_post` for a group of ranks.
    Post(Vec<u32>, Promise),
    /// `MPI_Win_start` for a group of ranks.
    Start(Vec<u32>),
    /// `MPI_Win_complete`.
    Complete,
    /// `MPI_Win_wait`, or `MPI_Win_test` until it succeeds.
    Wait {
        /// Whether it tests.
        polls: bool,
    },
    /// `MPI_Win_sync`.
    Sync,
    /// The program computes for this many nanoseconds.
    Compute(u64),
    /// The program reads bytes of its own part: the first one, and their number.
    Load(u64, u64),
    /// The program writes bytes of its own part; the last number decides which.
    Store(u64, u64, u64),
    /// The program reads the buffer for the result of an access.
    Peek(usize),
    /// The program overwrites the buffer with the data of an access.
    Spoil(usize),
}

/// An operation of a reduction, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Update {
    Sum,
    Max,
    Xor,
    Replace,
    NoOp,
}

/// The function that makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `MPI_Put`.
    Put,
    /// `MPI_Get`.
    Get,
    /// `MPI_Accumulate`.
    Accumulate(Update),
    /// `MPI_Get_accumulate`.
    GetAccumulate(Update),
    /// `MPI_Fetch_and_op`.
    FetchAndOp(Update),
    /// `MPI_Compare_and_swap` with the value that it compares.
    CompareAndSwap(u64),
}

/// An access to the memory of a rank.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Access {
    /// The function.
    pub(crate) kind: Kind,
    /// Whether the form with a request is called.
    pub(crate) request: bool,
    /// The basic type of all data.
    pub(crate) primitive: Primitive,
    /// Rank whose memory is accessed.
    pub(crate) target: u32,
    /// Byte of the target's part from which its layout counts.
    pub(crate) at: u64,
    /// Layout of the data at the origin, if the function has any.
    pub(crate) from: Layout,
    /// Layout of the result at the origin, if the function has one.
    pub(crate) into: Layout,
    /// Layout of the data at the target.
    pub(crate) there: Layout,
}

impl Kind {
    /// Returns whether the origin gets data.
    pub(crate) fn fetches(self) -> bool {
        match self {
            Self::Put | Self::Accumulate(_) => false,
            Self::Get | Self::GetAccumulate(_) | Self::FetchAndOp(_) | Self::CompareAndSwap(_) => {
                true
            }
        }
    }

    /// Returns whether it is one of the functions for a single element.
    pub(crate) fn is_single(self) -> bool {
        matches!(self, Self::FetchAndOp(_) | Self::CompareAndSwap(_))
    }

    /// Returns whether the origin passes data, so that the target's memory may change.
    pub(crate) fn writes(self) -> bool {
        match self {
            Self::Get => false,
            Self::Accumulate(update) | Self::GetAccumulate(update) | Self::FetchAndOp(update) => {
                update != Update::NoOp
            }
            Self::Put | Self::CompareAndSwap(_) => true,
        }
    }

    /// Returns the update that the access makes; `None` for one that is not atomic, and for a swap.
    pub(crate) fn update(self) -> Option<Update> {
        match self {
            Self::Accumulate(update) | Self::GetAccumulate(update) | Self::FetchAndOp(update) => {
                Some(update)
            }
            Self::Put | Self::Get | Self::CompareAndSwap(_) => None,
        }
    }

    /// Returns whether the access is atomic for each element.
    pub(crate) fn is_atomic(self) -> bool {
        !matches!(self, Self::Put | Self::Get)
    }
}

impl Access {
    /// Returns the set of the target's bytes that are accessed.
    pub(crate) fn bytes(&self) -> u128 {
        let runs = self.there.map();
        runs.iter()
            .fold(0, |set, (at, size)| set | span((self.at as i64 + at) as u64, *size as u64))
    }

    /// Returns the layouts whose datatypes are arguments of the function, in their order. Those of the functions
    /// for a single element are basic.
    pub(crate) fn typed(&self) -> Vec<&Layout> {
        let result = matches!(self.kind, Kind::GetAccumulate(_)).then_some(&self.into);
        let first = if self.kind == Kind::Get { &self.into } else { &self.from };
        [Some(first), result, Some(&self.there)].into_iter().flatten().collect()
    }

    /// Returns the buffer that the program may look at or overwrite: that of the result, or of the
    /// data.
    pub(crate) fn own_buffer(&self) -> &Layout {
        if self.kind.fetches() { &self.into } else { &self.from }
    }
}

/// Returns a set of consecutive bytes.
pub(crate) fn span(first: u64, count: u64) -> u128 {
    let ones = if count >= 128 { u128::MAX } else { (1 << count) - 1 };
    ones << first
}

impl Turn {
    /// Returns a fence at which no rank asserts anything of its own memory.
    pub(crate) const fn fence(first: bool, last: bool) -> Self {
        Self::Fence { first, last, own: Vec::new() }
    }

    /// Returns what a rank asserts of its own memory, if the entry offers that to others.
    pub(crate) fn promise(&self, rank: u32) -> Option<Promise> {
        match self {
            Self::Fence { own, .. } => Some(own.get(rank as usize).copied().unwrap_or_default()),
            Self::Deed(of, Deed::Post(_, promise)) if *of == rank => Some(*promise),
            Self::Deed(..) | Self::Barrier | Self::Tell(..) => None,
        }
    }

    /// Replaces what [`Turn::promise`] returns.
    pub(crate) fn assert(&mut self, rank: u32, promise: Promise) {
        match self {
            Self::Fence { own, .. } => {
                let least = own.len().max(rank as usize + 1);
                own.resize(least, Promise::default());
                own[rank as usize] = promise;
            }
            Self::Deed(of, Deed::Post(_, own)) if *of == rank => *own = promise,
            Self::Deed(..) | Self::Barrier | Self::Tell(..) => {}
        }
    }
}

impl Window {
    /// Returns the number of ranks.
    pub(crate) fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Returns the accesses that turns start, each with its number.
    pub(crate) fn started(&self) -> impl Iterator<Item = (usize, &Access)> {
        let started = |id: usize| {
            self.turns
                .iter()
                .any(|turn| matches!(turn, Turn::Deed(_, Deed::Access(other)) if *other == id))
        };
        self.accesses.iter().enumerate().filter(move |(id, _)| started(*id))
    }

    /// Returns what the window is, without its program.
    pub(crate) fn heading(&self) -> String {
        let Self { key, comm, flavor, bytes, unit, unchecked, .. } = self;
        let place = format!("Window {key} of communicator {comm}: {flavor:?}");
        format!("{place}, {bytes:?} bytes in units of {unit}, unchecked: {unchecked}")
    }

    /// Returns the accesses whose buffers each entry of the program gives back, each with its origin, in the order
    /// in which they were started.
    pub(crate) fn completions(&self) -> Vec<Vec<(u32, usize)>> {
        let mut open: Vec<(u32, usize)> = Vec::new();
        let one = |turn: &Turn| {
            if let Turn::Deed(rank, Deed::Access(id)) = turn {
                open.push((*rank, *id));
            }
            let (done, left) =
                open.iter().partition(|(origin, id)| self.completes(turn, *origin, *id));
            open = left;
            done
        };
        self.turns.iter().map(one).collect()
    }

    /// Returns whether an entry completes an access at its origin.
    fn completes(&self, turn: &Turn, origin: u32, id: usize) -> bool {
        let target = self.accesses[id].target;
        match turn {
            Turn::Fence { .. } => true,
            Turn::Barrier | Turn::Tell(..) => false,
            Turn::Deed(rank, deed) if *rank == origin => match deed {
                Deed::Unlock(of) => *of == target,
                Deed::Flush(of) | Deed::FlushLocal(of) => of.is_none_or(|of| of == target),
                Deed::UnlockAll | Deed::Complete => true,
                Deed::Finish(of) => *of == id,
                Deed::Access(_)
                | Deed::Lock(..)
                | Deed::LockAll
                | Deed::Post(..)
                | Deed::Start(_)
                | Deed::Wait { .. }
                | Deed::Sync
                | Deed::Compute(_)
                | Deed::Load(..)
                | Deed::Store(..)
                | Deed::Peek(_)
                | Deed::Spoil(_) => false,
            },
            Turn::Deed(..) => false,
        }
    }
}
