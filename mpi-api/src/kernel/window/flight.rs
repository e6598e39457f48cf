//! [`Flight`]: accesses and messages of synchronisation on their way.

use sim_core::SimTime;

use super::{conflict::RecordId, locks::Lock};
use crate::{
    call::{Access, Action, Payload, WindowId},
    finding::CallPlace,
    kernel::{causality::Clock, transport::message::Vacate},
};

/// Something on its way between two ranks of a window.
#[allow(clippy::large_enum_variant, reason = "records stay where they are, and most are accesses")]
pub(crate) enum Flight {
    /// A record that is not in use.
    Vacant,
    /// An access, until its origin knows that it is complete.
    Access(AccessFlight),
    /// A message without data.
    Signal(Signal),
}

impl Vacate for Flight {
    fn vacate(&mut self) {
        *self = Self::Vacant;
    }

    #[inline(always)]
    fn is_live(&self) -> bool {
        !matches!(self, Self::Vacant)
    }
}

impl Flight {
    /// Returns the access, if it is one.
    pub(super) fn access(&self) -> Option<&AccessFlight> {
        match self {
            Self::Access(access) => Some(access),
            Self::Signal(_) | Self::Vacant => None,
        }
    }

    /// Returns the window, and the rank in it that has sent this.
    pub(super) fn origin(&self) -> Option<(WindowId, u32)> {
        match self {
            Self::Access(access) => Some((access.window, access.origin)),
            Self::Signal(signal) => Some((signal.window, signal.ends.0)),
            Self::Vacant => None,
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

/// The bytes of an access in the memory of its target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// The place that its runs are relative to.
    pub(super) base: i64,
    /// The first byte and the end; `None` if there are no bytes.
    pub(super) bytes: Option<(i64, i64)>,
}

/// An access under way.
pub(crate) struct AccessFlight {
    pub(super) window: WindowId,
    /// The origin's rank in the window.
    pub(super) origin: u32,
    /// The ranks of the run that access and are accessed.
    pub(super) ends: (u32, u32),
    /// The place of its target among the pairs of its origin.
    pub(super) pair: usize,
    pub(super) access: Box<Access>,
    /// Where its bytes are in the memory of the target.
    pub(super) spot: Spot,
    /// The call.
    pub(super) by: CallPlace,
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
    /// Its record, in runs that follow what happens before what.
    pub(super) record: Option<RecordId>,
    /// The moment in which an atomic access started.
    pub(super) moment: Option<Clock>,
    /// What the origin learns from the result.
    pub(super) told: Option<Clock>,
}

impl AccessFlight {
    /// Reports whether it is a put that has not taken effect.
    pub(super) fn is_put_under_way(&self) -> bool {
        matches!(self.access.action, Action::Put) && self.stage != Stage::Returns
    }
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
