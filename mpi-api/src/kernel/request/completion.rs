//! [`Blocked`]: the conditions that blocked ranks wait for (MPI section 3.7).

use crate::call::WindowId;
use crate::call::{BufferOwner, Completing, Parking, RequestId};
use crate::kernel::{request::table::Pattern, window::awaited::Awaited};

/// What a probe does with the message that it finds (MPI section 3.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProbeKind {
    /// It leaves the message where it is (`MPI_Probe`).
    Plain,
    /// It takes the message, which no other call can receive then (`MPI_Mprobe`).
    Matched,
}

/// The reason why a rank does not run.
#[derive(Debug)]
pub(crate) enum Blocked {
    /// In a blocking send, receive or both, until all of these requests but `NONE` are complete.
    Call([u32; 2]),
    /// In a blocking send, receive or both that needs no request.
    Direct,
    /// In a nonblocking send, until the network takes the message: then the call returns this
    /// request.
    Posting(u32),
    /// In a wait over a list of its requests.
    Wait(Vec<RequestId>, Completing),
    /// In a blocking probe.
    Probe {
        /// The envelopes that the probe accepts.
        pattern: Pattern,
        /// Whether the probe takes the message.
        kind: ProbeKind,
    },
    /// In a collective, with its execution.
    Collective(u32),
    /// Until this attached buffer is idle.
    Detach(BufferOwner),
    /// Until this thread of its rank has ended.
    Join(u32),
    /// In a synchronisation of a window.
    Window(WindowId, Awaited),
    /// Outside MPI, until another thread of its rank or the alarm of this number wakes it.
    Parked(Parking, Option<u32>),
    /// Outside MPI, until the file system has done this for it.
    Storage(u32),
}

impl Blocked {
    /// Reports whether the call goes on when a request is complete, which has this index and this number.
    pub(crate) fn awaits(&self, request: u32, id: RequestId) -> bool {
        match self {
            Self::Call(requests) => requests.contains(&request),
            Self::Posting(posting) => *posting == request,
            Self::Wait(list, _) => list.contains(&id),
            Self::Direct
            | Self::Probe { .. }
            | Self::Collective(_)
            | Self::Detach(_)
            | Self::Join(_)
            | Self::Window(..)
            | Self::Parked(..)
            | Self::Storage(_) => false,
        }
    }

    /// Reports whether the rank waits in no call of MPI.
    pub(crate) fn is_outside_mpi(&self) -> bool {
        match self {
            Self::Join(_) | Self::Parked(..) | Self::Storage(_) => true,
            Self::Call(_)
            | Self::Direct
            | Self::Posting(_)
            | Self::Wait(..)
            | Self::Probe { .. }
            | Self::Collective(_)
            | Self::Detach(_)
            | Self::Window(..) => false,
        }
    }
}
