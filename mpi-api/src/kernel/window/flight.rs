//! [`Flight`]: accesses and messages of synchronisation on their way.

use sim_core::SimTime;

use super::locks::Lock;
use crate::{
    call::{Access, Payload, WindowId},
    finding::Origin,
    kernel::causality::Clock,
};

/// Something on its way between two ranks of a window.
pub(crate) enum Flight {
    /// An access, until its origin knows that it is complete.
    Access(Box<AccessFlight>),
    /// A message without data.
    Signal(Signal),
}

impl Flight {
    /// Returns the window, and the rank in it that has sent this.
    pub(super) fn origin(&self) -> (WindowId, u32) {
        match self {
            Self::Access(access) => (access.window, access.origin),
            Self::Signal(signal) => (signal.window, signal.ends.0),
        }
    }
}

/// Where an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It leaves its origin when the processor has prepared it.
    Departs,
    /// It travels to its target.
    Travels,
    /// The processor of its target has worked for it.
    Served,
    /// Its answer travels back.
    Returns,
}

/// An access under way.
pub(crate) struct AccessFlight {
    pub(super) window: WindowId,
    /// The origin's rank in the window.
    pub(super) origin: u32,
    pub(super) access: Access,
    /// The call.
    pub(super) by: Origin,
    /// Whether it belongs to an epoch in which its target does not store.
    pub(super) exposed: bool,
    /// The request of the program, if it has one.
    pub(super) request: Option<u32>,
    pub(super) stage: Stage,
    /// Its position among the atomic accesses of the same pair.
    pub(super) order: Option<u64>,
    /// Its number among the messages of the run.
    pub(super) number: u64,
    /// Times at which it was called, left its origin and arrived at its target.
    pub(super) times: [SimTime; 3],
    /// What returns to the origin.
    pub(super) result: Option<Payload>,
    /// The moment in which an atomic access started.
    pub(super) moment: Option<Clock>,
    /// What the origin learns from the result.
    pub(super) told: Option<Clock>,
}

/// A message of synchronisation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signal {
    pub(super) window: WindowId,
    /// The ranks of the window that send and receive it.
    pub(super) ends: (u32, u32),
    pub(super) what: Said,
    /// Whether it has left its sender.
    pub(super) departed: bool,
    /// Whether the processor of its receiver has worked for it, if that is needed.
    pub(super) served: bool,
}

/// What a message of synchronisation says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Said {
    /// The sender wants a lock.
    Request(Lock),
    /// The receiver has the lock of this rank, or of all.
    Granted(Option<u32>),
    /// The sender gives a lock back.
    Released(Lock),
    /// The sender exposes its memory to the receiver.
    Posted,
    /// The sender has ended its accesses to the receiver.
    Ended,
}
