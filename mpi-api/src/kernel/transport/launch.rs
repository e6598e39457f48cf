//! The steps of one message at its sender: entering the network, taking space in the sender's pool,
//! and sending the data of a rendezvous.

use network_models::Flight;
use sim_core::{SimDuration, SimTime};

use crate::kernel::{
    Event, MpiKernel, Sched,
    communicator::table::Ends,
    request::table::{Kind, Owner, State, internal_context},
    transport::buffer::Space,
    transport::message::{Message, NONE, Phase, Sender},
    transport::protocol::{Keeping, Passage, Returns, inside_collective, passage},
};
use crate::{
    call::{Mode, Outgoing, Payload},
    object::signature::Signature,
    settings::Buffering,
    trace::Protocol,
};

/// The decisions about a message before it is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Departure {
    pub(crate) ends: Ends,
    pub(crate) passage: Passage,
    /// Time at which the sender's processor has prepared it.
    pub(crate) at: SimTime,
}

impl MpiKernel {
    /// Decides how a message is carried and books the cost of the call on its sender: this price,
    /// preparing and copying.
    #[inline(always)]
    pub(crate) fn prepare(
        &mut self,
        rank: u32,
        ends: Ends,
        outgoing: &Outgoing,
        (price, returns): (SimDuration, Returns),
    ) -> Departure {
        if price == SimDuration::ZERO
            && self.shortcuts.sends_free(outgoing, outgoing.payload.bytes())
        {
            // What the general way comes to, 70 instructions shorter.
            let at = self.ranks[rank as usize].busy_until;
            let departure = Departure { ends, passage: Passage::POOLED, at };
            // Costs of nothing are booked without a trace, so that tests can do it twice.
            debug_assert_eq!(departure, self.prepare_any(rank, ends, outgoing, (price, returns)));
            return departure;
        }
        self.prepare_any(rank, ends, outgoing, (price, returns))
    }

    /// Like [`Self::prepare`], for any message and any machine.
    #[inline(never)]
    fn prepare_any(
        &mut self,
        rank: u32,
        ends: Ends,
        outgoing: &Outgoing,
        (price, returns): (SimDuration, Returns),
    ) -> Departure {
        let bytes = outgoing.payload.bytes();
        let Buffering { eager_limit, pool } = &self.settings.buffering;
        let space = self.ranks[rank as usize].pool.space(pool, rank, bytes);
        let passage = passage(outgoing.mode, bytes, *eager_limit, space);
        let mut cost = price + self.preparation(rank, outgoing);
        if passage.copies(returns) {
            cost += self.settings.costs.copy.time_for(bytes);
        }
        Departure { ends, passage, at: self.charge(rank, cost) }
    }

    /// Creates the message and lets it enter the network when it is prepared. False when the run
    /// has ended or the call has returned an error to the program.
    pub(crate) fn launch(
        &mut self,
        rank: u32,
        Departure { ends, passage, at }: Departure,
        outgoing: &mut Outgoing,
        request: u32,
        s: &mut Sched,
    ) -> bool {
        let bytes = outgoing.payload.bytes();
        let id = self.sent.messages;
        let keeping = passage.keeping;
        if keeping == Keeping::Attached && !self.place_attached(rank, id, bytes, outgoing.comm, s) {
            self.unsent(rank, request);
            return false;
        }
        let context = outgoing.comm.0 * 2;
        let sender = Sender::Request(request);
        let pooled = keeping == Keeping::Pool;
        let (message, m) =
            self.make_message((rank, ends), outgoing, (context, pooled), sender, s.now());
        m.protocol = passage.protocol;
        m.attached = keeping == Keeping::Attached;
        if keeping == Keeping::InLine {
            m.in_line = true;
            self.ranks[rank as usize].pool.line.push_back((message, id));
        }
        let sending = &mut self.requests[request];
        (sending.message, sending.sent) = (message, id);
        if sending.persistent {
            // The call that made the request has the arguments.
            self.messages[message].site = sending.site;
        }
        if self.messages[message].mode == Mode::Ready && !self.ready_receive(message) {
            self.report_ready(rank, message, s);
            return false;
        }
        self.inject_at(message, at, s);
        true
    }

    /// Takes back a send whose message found no room: a persistent request becomes inactive, any
    /// other is freed.
    fn unsent(&mut self, rank: u32, request: u32) {
        let given_up = &mut self.requests[request];
        if given_up.persistent {
            given_up.state = State::Inactive;
            return;
        }
        self.ranks[rank as usize].open_requests -= u32::from(given_up.owner == Owner::Program);
        self.requests.free(request);
    }

    /// Creates a message of this world rank in the table, which takes space in its pool if it is
    /// `pooled`; the payload and signature are moved out of the arguments.
    #[inline(always)]
    pub(in crate::kernel) fn make_message(
        &mut self,
        (source, Ends { target, source_rank }): (u32, Ends),
        outgoing: &mut Outgoing,
        (context, pooled): (u32, bool),
        waits: Sender,
        now: SimTime,
    ) -> (u32, &mut Message) {
        let bytes = outgoing.payload.bytes();
        let sender = &mut self.ranks[source as usize];
        let (id, sequence) = self.sent.register(sender, target, bytes);
        if pooled {
            sender.pool.take(bytes);
        }
        let ordinal = sender.sends;
        sender.sends += u32::from(context.is_multiple_of(2));
        let site = sender.site;
        if self.history.is_some() && context.is_multiple_of(2) {
            self.follow_send(source, id);
        }
        let vacant = self.messages.reuse();
        let index = vacant.unwrap_or_else(|| self.messages.insert(Message::vacant()));
        // All fields, in their order. Each is written where it stays: a whole record would be built
        // on the stack and copied, 29 instructions.
        let m = &mut self.messages[index];
        m.live = true;
        m.id = id;
        m.source = source;
        m.target = target;
        m.source_rank = source_rank;
        m.context = context;
        m.tag = outgoing.tag;
        m.sequence = sequence;
        m.ordinal = ordinal;
        m.mode = outgoing.mode;
        m.phase = Phase::Preparing;
        m.protocol = Protocol::Eager;
        let payload = std::mem::replace(&mut outgoing.payload, Payload::EMPTY);
        let signature = std::mem::replace(&mut outgoing.signature, Signature::EMPTY);
        // A vacant record owns nothing, and dropping that would be a call.
        std::mem::forget(std::mem::replace(&mut m.payload, payload));
        std::mem::forget(std::mem::replace(&mut m.signature, signature));
        m.sender = waits;
        m.receive_request = NONE;
        m.pooled = pooled;
        m.attached = false;
        m.cancelled = false;
        m.in_line = false;
        m.next = NONE;
        m.log = 0;
        m.site = site;
        m.posted = now;
        m.injected = now;
        m.arrived = now;
        (index, m)
    }

    /// Lets the message enter the network at `at`. A message that costs its sender no time needs no
    /// event.
    fn inject_at(&mut self, message: u32, at: SimTime, s: &mut Sched) {
        if at <= s.now() {
            self.inject(message, s);
        } else {
            s.schedule(at, Event::Inject(message));
        }
    }

    /// Puts the envelope, and the data of an eager message, into the network.
    pub(crate) fn inject(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        m.phase = Phase::Travelling;
        m.injected = s.now();
        let (source, target, bytes) = (m.source, m.target, m.bytes());
        let eager = m.protocol == Protocol::Eager;
        let wire = if eager { bytes } else { 0 };
        let sender = m.sender;
        let completes = eager || m.attached;
        if completes {
            m.sender = Sender::Gone;
        }
        let accepted = self.transfer(source, target, wire, Event::Arrive(message), s);
        match sender {
            Sender::Gone => {}
            Sender::Rank => self.sent_at(source, accepted, s),
            Sender::Execution(execution) => self.step_sent(execution, accepted, s),
            Sender::Request(request) if completes => self.complete_at(request, accepted, s),
            Sender::Request(request) => self.released_posting(request, accepted, s),
        }
    }

    /// Frees pool space and lets waiting messages take it: a blocked standard send continues as
    /// soon as its message fits (the quality rule of MPI section 3.5).
    #[inline]
    pub(crate) fn release_pool(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        let rank = m.source;
        if !std::mem::take(&mut m.pooled) {
            return;
        }
        let bytes = m.bytes();
        self.release_room(rank, bytes, s);
    }

    /// Frees the space of a message of this size in the pool of its sender.
    #[inline(always)]
    pub(in crate::kernel) fn release_room(&mut self, rank: u32, bytes: u64, s: &mut Sched) {
        let pool = &mut self.ranks[rank as usize].pool;
        pool.release(bytes);
        if !pool.line.is_empty() {
            self.move_up(rank, s);
        }
    }

    /// Lets the waiting messages of a rank take the space that is free.
    #[cold]
    pub(in crate::kernel) fn move_up(&mut self, rank: u32, s: &mut Sched) {
        while let Some((first, id)) = self.ranks[rank as usize].pool.line.front().copied() {
            let waits = self.messages.get(first).is_some_and(|m| m.in_line && m.id == id);
            if waits {
                let bytes = self.messages[first].bytes();
                let limits = &self.settings.buffering.pool;
                let pool = &mut self.ranks[rank as usize].pool;
                if pool.space(limits, rank, bytes) != Space::Free {
                    break;
                }
                pool.take(bytes);
                self.buffer_late(first, s);
            }
            self.ranks[rank as usize].pool.line.pop_front();
        }
    }

    /// Lets a message take the space that was found for it after its send had begun: the send is complete.
    pub(in crate::kernel) fn buffer_late(&mut self, message: u32, s: &mut Sched) {
        if self.journal.sink.is_some() {
            self.observe_release(message, s.now());
        }
        let m = &mut self.messages[message];
        m.in_line = false;
        m.pooled = true;
        if let Sender::Request(request) = std::mem::replace(&mut m.sender, Sender::Gone) {
            let copy = self.settings.costs.copy.time_for(self.messages[message].bytes());
            self.complete_at(request, s.now() + copy, s);
        }
    }

    /// Sends the data of a rendezvous, since the receiver is ready.
    ///
    /// The send completes when the data have left. If they arrive at the same time, it completes
    /// first, in the same event: the receiver that has them knows that the send is complete.
    pub(crate) fn clear_to_send(&mut self, message: u32, s: &mut Sched) {
        let m = &mut self.messages[message];
        m.in_line = false;
        m.injected = s.now();
        let (source, target, bytes) = (m.source, m.target, m.bytes());
        let delivery =
            self.wire.transfer(&self.settings, (source, target), bytes, Event::Data(message), s);
        self.record_links();
        let m = &mut self.messages[message];
        let Sender::Request(request) = m.sender else { return };
        match delivery.flight {
            Some(Flight { released, arrival })
                if released > s.now() && arrival == Some(released) =>
            {
                self.released_posting(request, released, s);
            }
            Some(flight) => {
                m.sender = Sender::Gone;
                self.complete_at(request, flight.released, s);
            }
            None => {
                m.sender = Sender::Gone;
                self.wire.on_release(Event::Complete(request));
                self.released_posting(request, delivery.accepted, s);
            }
        }
    }

    /// Sends a message inside a collective: eager up to the eager limit, never from the pool.
    /// Returns its request, unless it is eager: then the collective is notified when it enters the
    /// network.
    pub(crate) fn launch_internal(
        &mut self,
        execution: u32,
        ends: (u32, Ends),
        mut outgoing: Outgoing,
        at: SimTime,
        s: &mut Sched,
    ) -> Option<u32> {
        let bytes = outgoing.payload.bytes();
        let limit = self.settings.buffering.eager_limit;
        let protocol = inside_collective(bytes, limit, self.settings.synchronisation);
        let eager = protocol == Protocol::Eager;
        let owner = Owner::Collective(execution);
        let request = (!eager).then(|| self.new_request(ends.0, owner, Kind::Send(None)));
        let context = internal_context(outgoing.comm);
        let sender = request.map_or(Sender::Execution(execution), Sender::Request);
        let (message, m) =
            self.make_message(ends, &mut outgoing, (context, false), sender, s.now());
        m.protocol = protocol;
        if let Some(request) = request {
            self.requests[request].message = message;
        }
        self.inject_at(message, at, s);
        request
    }
}
