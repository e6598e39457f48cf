//! What one rank does in the steps of a plan: the interpreter does it, and programs are written from it.

use mpi_api::call::Mode;

use super::{
    Fault, How, Id, Maker, Message, Null, Part, Plan, Service, Step, Together, window::Window,
};

/// One rank's share of a step.
#[derive(Clone, Debug)]
pub(crate) enum Share<'a> {
    /// Computes for so many nanoseconds.
    Compute(u64),
    /// Begins a send, in the way of the message.
    BeginSend(Id),
    /// Begins a receive, in the way of the message.
    BeginReceive(Id),
    /// Sends all rounds of a message.
    Send(Id),
    /// Receives all rounds of a message.
    Receive(Id),
    /// Completes operations.
    Complete(&'a [Part], How),
    /// Exchanges messages with others.
    Exchange(Exchanged<'a>),
    /// Takes part in a burst.
    Burst(Id),
    /// Posts the receives of a burst, if they are the rank's.
    Post(Id),
    /// Sends the messages of a burst that are the rank's.
    Flood(Id),
    /// Completes the receives of a burst, if they are the rank's.
    Drain(Id, How),
    /// Asks or answers.
    Serve(&'a Service),
    /// Calls a function with `MPI_PROC_NULL`.
    Null(Null),
    /// Calls a collective.
    Collective(Id),
    /// Calls two collectives, in this order.
    Crossed([Id; 2]),
    /// Constructs communicators.
    Make(&'a Maker, &'a [Id]),
    /// Frees a communicator, if the rank has it.
    Free(Id),
    /// Uses a window.
    Window(&'a Window),
}

/// A rank's messages of an exchange.
#[derive(Clone, Debug)]
pub(crate) struct Exchanged<'a> {
    /// All messages.
    pub(crate) messages: &'a [Id],
    /// The first of them, whose communicator and rounds all have.
    pub(crate) first: &'a Message,
    /// Those that the rank sends.
    pub(crate) out: Vec<Id>,
    /// Those that it receives.
    pub(crate) inward: Vec<Id>,
    pub(crate) how: Together,
}

impl Plan {
    /// Tag that no message of a plan has.
    pub(crate) const UNUSED_TAG: i32 = 30_000;

    /// Returns what a rank does in a step; `None` if only others have a part in it.
    pub(crate) fn share<'a>(&'a self, step: &'a Step, me: u32) -> Option<Share<'a>> {
        let mine = |rank: u32, share: Share<'a>| (rank == me).then_some(share);
        match step {
            Step::Compute(rank, time) => mine(*rank, Share::Compute(*time)),
            Step::Send(id) => self.sends(*id, me).then_some(Share::BeginSend(*id)),
            Step::Receive(id) => self.receives(*id, me).then_some(Share::BeginReceive(*id)),
            Step::Meet(id) if self.sends(*id, me) => Some(Share::Send(*id)),
            Step::Meet(id) => self.receives(*id, me).then_some(Share::Receive(*id)),
            Step::Complete(rank, parts, how) => mine(*rank, Share::Complete(parts, *how)),
            Step::Exchange(messages, how) => {
                self.exchanged(messages, *how, me).map(Share::Exchange)
            }
            Step::Burst(id) => Some(Share::Burst(*id)),
            Step::Post(id) => Some(Share::Post(*id)),
            Step::Flood(id) => Some(Share::Flood(*id)),
            Step::Drain(id, how) => Some(Share::Drain(*id, *how)),
            Step::Serve(service) => Some(Share::Serve(service)),
            Step::Null(rank, null) => mine(*rank, Share::Null(*null)),
            Step::Collective(id) => Some(Share::Collective(*id)),
            Step::Crossed(one, two, other) if *other == me => Some(Share::Crossed([*two, *one])),
            Step::Crossed(one, two, _) => Some(Share::Crossed([*one, *two])),
            Step::Make(maker, made) => Some(Share::Make(maker, made)),
            Step::Free(id) => Some(Share::Free(*id)),
            Step::Window(window) => Some(Share::Window(window)),
        }
    }

    /// Returns a rank's messages of an exchange; `None` if it is no member of the communicator.
    fn exchanged<'a>(
        &'a self,
        messages: &'a [Id],
        how: Together,
        me: u32,
    ) -> Option<Exchanged<'a>> {
        let first = &self.messages[*messages.first()?];
        self.comms[first.comm].place(me)?;
        let chosen = |is_mine: &dyn Fn(Id) -> bool| -> Vec<Id> {
            messages.iter().copied().filter(|id| is_mine(*id)).collect()
        };
        let out = chosen(&|id| self.sends(id, me));
        let inward = chosen(&|id| self.receives(id, me));
        Some(Exchanged { messages, first, out, inward, how })
    }

    /// Returns whether a rank sends the message and the fault does not leave it out.
    fn sends(&self, id: Id, me: u32) -> bool {
        let missing = self.fault == Some(Fault::Missing(id));
        self.ends(&self.messages[id]).0 == me && !missing
    }

    fn receives(&self, id: Id, me: u32) -> bool {
        self.ends(&self.messages[id]).1 == me
    }

    /// Returns a buffer size that is enough for all buffered sends of a rank, each of which takes `overhead`
    /// bytes besides its data.
    pub(crate) fn buffered_bytes(&self, me: u32, overhead: u64) -> u64 {
        let all = self.steps.iter().flat_map(|step| match step {
            Step::Send(id) | Step::Meet(id) => std::slice::from_ref(id),
            Step::Exchange(list, _) => list,
            Step::Compute(..)
            | Step::Receive(_)
            | Step::Complete(..)
            | Step::Burst(_)
            | Step::Post(_)
            | Step::Flood(_)
            | Step::Drain(..)
            | Step::Serve(_)
            | Step::Null(..)
            | Step::Collective(_)
            | Step::Crossed(..)
            | Step::Make(..)
            | Step::Free(_)
            | Step::Window(_) => &[],
        });
        let mine = all.filter(|id| self.sends(**id, me)).map(|id| &self.messages[*id]);
        let buffered = mine.filter(|message| message.mode == Mode::Buffered);
        let bytes =
            |message: &Message| u64::from(message.rounds) * (message.sent_from.bytes() + overhead);
        buffered.map(bytes).sum()
    }

    /// Returns a process's rank in a communicator.
    pub(crate) fn rank_in(&self, comm: Id, me: u32) -> Option<u32> {
        self.comms[comm].place(me).map(|(_, rank)| rank)
    }
}
