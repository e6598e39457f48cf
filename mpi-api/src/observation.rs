//! [`Observation`]s: what a run tells a [`TraceSink`](crate::trace::TraceSink) about its calls, beyond
//! the records of a trace. An analysis takes them while the run goes on; no run keeps them.

use sim_core::SimTime;

use crate::{
    call::{CollectiveKind, Site, WindowSynchronization},
    collective::algorithm::Algorithm,
};

/// The identity of a collective operation, equal on all ranks that take part in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId {
    /// The communicator's number.
    pub comm: u32,
    /// World rank of the caller on `MPI_COMM_SELF`, whose number all ranks share; otherwise 0.
    pub alone: u32,
    /// Position among the operations of the communicator: those that are called in order, or the
    /// starts of a persistent one.
    pub number: u64,
}

/// The members of a collective operation whose data a member needs, so that it cannot leave before
/// they have entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// All members.
    All,
    /// None, as a rank that only gives data to the root.
    Nothing,
    /// One member: the root, at the others.
    Root(u32),
    /// The members of lower rank: a scan.
    Lower,
    /// These members: the sources of a neighbourhood collective.
    These(Vec<u32>),
}

/// What keeps a rank in a call that synchronises a window, other than data under way (MPI section 12.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowDelay {
    /// In a fence: a rank of the window has not called it.
    Fence,
    /// At the end of a window: a rank of it has not called for it.
    Free,
    /// In the start of an access epoch: a target has not posted its exposure.
    Post,
    /// In the wait for the end of an exposure: an origin has not completed its accesses.
    Complete,
    /// In a lock: another rank holds one that excludes it.
    Lock,
    /// The target is in no call of MPI, and progress is weak.
    Progress,
}

/// One fact about the calls of a run. Times are simulated; ranks are world ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// A rank made a call. Calls that take no time and calls that only compute are left out.
    Called {
        /// The rank.
        rank: u32,
        /// Name of the call in the spelling of the program's language.
        call: &'static str,
        /// Place of the call in the program, if it is known.
        site: Option<Site>,
        /// Time of the call.
        time: SimTime,
        /// Bytes of data that the call gives to MPI.
        bytes: u64,
        /// Whether it is a further step of the function that the rank is in, as the access behind the meeting of
        /// `MPI_File_write_all`: the program has made one call.
        continues: bool,
    },
    /// A rank entered a collective operation, in its present call.
    Entered {
        /// The rank.
        rank: u32,
        /// The operation.
        operation: OperationId,
        /// Its kind.
        kind: CollectiveKind,
        /// Number of members.
        size: u32,
        /// The rank's number among the members.
        member: u32,
        /// The members whose data it needs.
        needs: Needs,
        /// Whether the call returns when the rank's part is done.
        blocking: bool,
        /// Bytes of data that the rank contributes.
        bytes: u64,
        /// Time of the call.
        time: SimTime,
    },
    /// The part of a rank in the collective operation that its present call has entered is carried out. Operations that
    /// belong to other calls, as the barrier of a fence, are told here, too, but not as [`Observation::Entered`].
    Carried {
        /// The rank.
        rank: u32,
        /// The operation.
        operation: OperationId,
        /// What carries it out: where the algorithm that was chosen is not applicable, what has taken its place.
        algorithm: Algorithm,
        /// Bytes of the rank's data that the algorithm reads.
        bytes: u64,
    },
    /// The present call of a rank waits for a nonblocking collective operation, perhaps among other
    /// requests.
    Awaits {
        /// The rank.
        rank: u32,
        /// The operation.
        operation: OperationId,
    },
    /// The present call of a rank synchronises a window.
    Synchronizes {
        /// The rank.
        rank: u32,
        /// The synchronisation call.
        how: WindowSynchronization,
    },
    /// Something no longer keeps a rank in the call in which it is blocked and that synchronises a window. There is one observation
    /// for each rank or access that it has waited for.
    DelayEnded {
        /// The rank.
        rank: u32,
        /// The cause that has ended.
        delay: WindowDelay,
        /// Simulated time at which it ended.
        time: SimTime,
    },
    /// The origin of a one-sided access knows that it is complete. The record of its message comes
    /// just before.
    Accessed {
        /// World rank of the origin.
        origin: u32,
        /// World rank of the target.
        target: u32,
        /// Bytes of data that went to the target, operands included.
        out: u64,
        /// Bytes of data that came back.
        back: u64,
    },
    /// The data of a message reached their receive, at the present time.
    Received {
        /// World rank of the receiver.
        rank: u32,
        /// World rank of the sender.
        source: u32,
        /// Name of the call that posted the receive.
        call: &'static str,
        /// Place of that call, if it is known.
        site: Option<Site>,
        /// Size of the data, bytes.
        bytes: u64,
        /// Time at which the send call began.
        sent: SimTime,
        /// Whether the receiver is blocked in a call that waits for this receive.
        awaited: bool,
    },
    /// The blocking probe that a rank is in has found a message.
    Probed {
        /// The rank.
        rank: u32,
        /// Time at which the send call of the message began.
        sent: SimTime,
    },
    /// A rank's send could go on because its receiver was ready: a rendezvous met its receive after its
    /// envelope had arrived, or a receive freed the space that a standard send waited for.
    Released {
        /// World rank of the sender.
        rank: u32,
        /// Time at which the receiver was ready.
        time: SimTime,
        /// Whether the sender is blocked in a call that waits for this send.
        awaited: bool,
    },
}
