//! The table of requests, which are inactive, active or complete (MPI section 3.7).

use sim_core::SimDuration;

use crate::{
    call::{
        CommId, CommInfo, Completion, Incoming, Outgoing, Payload, Received, Site, Source, WindowId,
    },
    error::Failure,
    finding::CallPlace,
    kernel::{
        collective::template::Template,
        transport::message::{NONE, Vacate},
        window::RecordId,
    },
    object::status::Status,
    outcome::{Among, Chosen},
};

/// The party that the completion of a request concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The rank's program, through wait and test.
    Program,
    /// A blocking call of the rank.
    Blocking,
    /// An executing collective.
    Collective(u32),
    /// The combined request of a send and a receive.
    Part(u32),
    /// None: the request was freed while active.
    Freed,
}

/// The state of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Persistent and not started.
    Inactive,
    /// Started and not complete.
    Active,
    /// Complete, but the program has not collected it yet.
    Complete,
}

/// The operation of a request.
pub(crate) enum Kind {
    /// A send, with its arguments if it is persistent.
    Send(Option<Box<Outgoing>>),
    /// A receive.
    Receive(Incoming),
    /// A collective operation, with its arguments if it is persistent.
    Collective(Option<Box<Template>>),
    /// A generalized request, which the program itself completes (MPI section 13.2).
    Generalized,
    /// A flush of an attached buffer.
    Flush,
    /// A one-sided access to a target.
    OneSided {
        /// The window.
        window: WindowId,
        /// The target's rank in the window.
        target: u32,
        /// The record of a read: it is over when the request is collected.
        read: Option<RecordId>,
    },
    /// An access to a file.
    File,
    /// One end of a partitioned communication.
    Partitioned {
        /// The channel shared with the other end; `None` if that is the null process.
        channel: Option<u32>,
        /// Whether this is the sender's end.
        sends: bool,
    },
}

impl Kind {
    /// Reports whether dropping it frees memory.
    #[inline]
    pub(super) fn owns_memory(&self) -> bool {
        // Comparisons take fewer instructions than the table of a `match`.
        matches!(self, Self::Send(Some(_)) | Self::Collective(Some(_)))
            || matches!(self, Self::Receive(incoming) if !incoming.is_spent())
    }
}

/// A request.
pub(crate) struct Request {
    /// Whether the slot holds a request.
    pub(crate) live: bool,
    pub(crate) generation: u32,
    /// World rank that the request belongs to.
    pub(crate) rank: u32,
    pub(crate) owner: Owner,
    pub(crate) state: State,
    pub(crate) kind: Kind,
    pub(crate) persistent: bool,
    /// Whether it is persistent and was started at least once.
    pub(crate) started: bool,
    /// Whether the wait in progress counts it as missing.
    pub(crate) awaited: bool,
    /// Name of the call that made it, for diagnostics; of a persistent request the one that has its
    /// arguments, not `MPI_Start`.
    pub(crate) call: &'static str,
    pub(crate) site: Site,
    /// The message that it sends or has matched.
    pub(crate) message: u32,
    /// Number of the message that it sends, which tells it from a later message in the same slot.
    pub(crate) sent: u64,
    pub(crate) status: Status,
    pub(crate) payload: Option<Payload>,
    pub(crate) error: Option<Box<Failure>>,
    /// The communicator that it made.
    pub(crate) comm: Option<Box<CommInfo>>,
    /// Whether the receiver copies the data, because they arrived before the receive was posted.
    pub(crate) copies: bool,
    /// Processor time that a collective took in the background.
    pub(crate) background: SimDuration,
    /// Position in the posting order of its rank.
    pub(crate) order: u64,
    /// Next request of the same key in the posted queue.
    pub(crate) next: u32,
}

impl Vacate for Request {
    #[inline(always)]
    fn vacate(&mut self) {
        self.live = false;
        // Usually it owns nothing by now, and there is nothing to write.
        if self.kind.owns_memory() {
            self.kind = Kind::Generalized;
        }
        if self.payload.is_some() {
            self.payload = None;
        }
        if self.error.is_some() {
            self.error = None;
        }
        if self.comm.is_some() {
            self.comm = None;
        }
    }

    #[inline(always)]
    fn is_live(&self) -> bool {
        self.live
    }
}

impl Request {
    pub(super) fn new(
        generation: u32,
        (rank, owner): (u32, Owner),
        kind: Kind,
        CallPlace { call, site }: CallPlace,
    ) -> Self {
        Self {
            live: true,
            generation,
            rank,
            owner,
            state: State::Active,
            kind,
            persistent: false,
            started: false,
            awaited: false,
            call,
            site,
            message: NONE,
            sent: 0,
            status: Status::empty(),
            payload: None,
            error: None,
            comm: None,
            copies: false,
            background: SimDuration::ZERO,
            order: 0,
            next: NONE,
        }
    }

    /// Returns the call of this request, as the maker of a free choice.
    pub(crate) fn chooses(&self) -> Chosen {
        Chosen { rank: self.rank, call: self.call, site: self.site, among: Among::Messages }
    }

    /// Stores the message of a receive.
    #[inline(always)]
    pub(crate) fn fill(&mut self, received: Received, copies: bool) {
        self.state = State::Complete;
        self.status = received.status();
        self.payload = Some(received.payload);
        self.copies = copies;
    }

    /// Takes the result out of the request.
    #[inline]
    pub(crate) fn completion(&mut self) -> Completion {
        Completion {
            status: self.status.clone(),
            payload: self.payload.take(),
            error: self.error.take(),
            comm: self.comm.take(),
        }
    }

    /// Returns the arguments of a receive; `None` for other kinds.
    pub(crate) fn incoming(&self) -> Option<&Incoming> {
        match &self.kind {
            Kind::Receive(incoming) => Some(incoming),
            _ => None,
        }
    }
}

/// The envelopes that a receive or probe accepts, reduced to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) context: u32,
    /// Rank in the communicator, or `ANY_SOURCE`.
    pub(crate) source: u32,
    /// Tag, or `ANY_TAG`.
    pub(crate) tag: i32,
}

/// Returns the context of messages inside collectives of a communicator.
pub(crate) fn internal_context(comm: CommId) -> u32 {
    comm.0 * 2 + 1
}

/// The source of a pattern that accepts any source.
pub(crate) const ANY_SOURCE: u32 = u32::MAX;

/// The tag of a pattern that accepts any tag.
pub(crate) const ANY_TAG: i32 = i32::MIN;

impl Pattern {
    /// Creates the pattern of a point-to-point receive; the source must not be null.
    pub(crate) fn of(comm: CommId, source: Source, tag: Option<i32>) -> Self {
        let source = match source {
            Source::Rank(rank) => rank,
            Source::Any | Source::Null => ANY_SOURCE,
        };
        Self { context: comm.0 * 2, source, tag: tag.unwrap_or(ANY_TAG) }
    }

    /// Returns the communicator, source and tag of a point-to-point receive, as its call named
    /// them.
    pub(crate) fn wanted(self) -> (CommId, Source, Option<i32>) {
        let source = match self.source {
            ANY_SOURCE => Source::Any,
            rank => Source::Rank(rank),
        };
        (CommId(self.context / 2), source, (self.tag != ANY_TAG).then_some(self.tag))
    }

    /// Reports whether a message with this envelope matches.
    #[inline]
    pub(crate) fn accepts(self, context: u32, source: u32, tag: i32) -> bool {
        self.context == context
            && (self.source == ANY_SOURCE || self.source == source)
            && (self.tag == ANY_TAG || self.tag == tag)
    }
}
