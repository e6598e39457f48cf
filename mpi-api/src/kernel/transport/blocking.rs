//! The direct path of a message: blocking sends and receives that need no request.
//!
//! A blocking receive of a rank that has nothing else posted is stored in the rank itself, and an
//! eager message that fits goes straight into the reply. A blocking send that takes time is
//! recorded in its message alone. Anything unusual (a rendezvous, a truncation, types that differ)
//! first becomes the request that it would have been and continues like all others, before it has
//! had any effect: both paths give the same events at the same times, the same totals and the same
//! digest.
//!
//! Runs that look at single requests (traces, exploration, nodes that represent data differently,
//! threads) always take the path with requests.

use sim_core::{SimDuration, SimTime};

use crate::{
    call::{CommId, Incoming, Outgoing, Received, Reply, RequestId, Source},
    kernel::{
        Event, MpiKernel, Sched,
        communicator::table::Ends,
        request::{
            completion::Blocked,
            table::{Kind, Owner, Pattern, State},
        },
        transport::{
            direct::{Awaited, Receiving, Taking},
            launch::Departure,
            message::{NONE, Phase, Sender},
            protocol::{Keeping, Passage, Returns, receiver_copies},
            receive::FREE,
            straight::{Taken, fits},
        },
    },
    object::signature::Signature,
};

impl MpiKernel {
    /// Reports whether blocking calls may take the direct path at present.
    #[inline(always)]
    fn goes_direct(&self) -> bool {
        self.shortcuts.direct
    }

    /// Executes `MPI_Recv` by the direct path; false, without any effect, if the call needs a
    /// request.
    #[inline(always)]
    pub(in crate::kernel) fn receive_directly(
        &mut self,
        rank: u32,
        incoming: &mut Incoming,
        s: &mut Sched,
    ) -> bool {
        if !self.can_receive_directly(rank, incoming) {
            return false;
        }
        match self.begin_receive(rank, incoming, s) {
            Receiving::Held(received, taking) => self.end_direct_receive(rank, received, taking, s),
            Receiving::Request(request) => self.block_on(rank, [request, NONE], s),
            receive @ (Receiving::Posted(_) | Receiving::Nothing) => {
                let state = &mut self.ranks[rank as usize];
                state.direct.set(receive);
                state.block_directly();
            }
        }
        true
    }

    /// Executes `MPI_Sendrecv`: posts the receive, then sends the message.
    pub(in crate::kernel) fn send_receive(
        &mut self,
        rank: u32,
        outgoing: &mut Outgoing,
        incoming: &mut Incoming,
        s: &mut Sched,
    ) {
        let receive = if self.can_receive_directly(rank, incoming) {
            self.begin_receive(rank, incoming, s)
        } else {
            match self.post(rank, incoming, Owner::Blocking, s) {
                Some(request) => Receiving::Request(request),
                None => return,
            }
        };
        self.ranks[rank as usize].direct.set(receive);
        if outgoing.dest.is_none() {
            self.go_on(rank, s);
            return;
        }
        let Some(ends) = self.target(rank, outgoing, Owner::Blocking, s) else {
            // The call has failed; its receive stays posted.
            self.receive_as_request(rank);
            return;
        };
        let cost = self.settings.costs.send;
        match self.send_directly(rank, ends, outgoing, (cost, Returns::InUse), s) {
            Departed::Taken(accepted) if accepted <= s.now() => self.go_on(rank, s),
            Departed::Taken(accepted) if self.goes_direct() => {
                s.schedule(accepted, Event::Sent(rank));
                self.wait_for_send(rank);
            }
            Departed::Taken(accepted) => {
                let send = self.new_request(rank, Owner::Blocking, Kind::Send(None));
                self.complete_at(send, accepted, s);
                let receive = self.receive_as_request(rank);
                self.block_on(rank, [receive, send], s);
            }
            Departed::Later => self.wait_for_send(rank),
            Departed::Not(departure) => {
                let receive = self.receive_as_request(rank);
                let send = self.new_request(rank, Owner::Blocking, Kind::Send(None));
                if self.launch(rank, departure, outgoing, send, s) {
                    self.block_on(rank, [receive, send], s);
                }
            }
        }
    }

    /// Reports whether the source of a receive exists and no earlier receive is posted.
    #[inline(always)]
    fn can_receive_directly(&self, rank: u32, incoming: &Incoming) -> bool {
        self.goes_direct()
            && self.is_source(rank, incoming)
            && self.ranks[rank as usize].queues.awaits_none()
    }

    /// Reports whether the source of a receive is a rank that exists, or any rank.
    #[inline(always)]
    pub(super) fn is_source(&self, rank: u32, incoming: &Incoming) -> bool {
        match incoming.source {
            Source::Rank(source) => self.comms.has_peer(incoming.comm, source, rank),
            Source::Any => true,
            Source::Null => false,
        }
    }

    /// Posts a receive, or takes the message that is there.
    #[inline(always)]
    fn begin_receive(&mut self, rank: u32, incoming: &mut Incoming, s: &mut Sched) -> Receiving {
        let pattern = Pattern::of(incoming.comm, incoming.source, incoming.tag);
        let state = &mut self.ranks[rank as usize];
        let order = state.posted;
        state.posted += 1;
        if state.queues.has_unexpected()
            && let Some(message) = self.pick_unexpected(rank, pattern)
        {
            return self.take_unexpected(rank, (message, order), incoming, s);
        }
        Receiving::Posted(Awaited {
            pattern,
            capacity: incoming.capacity,
            signature: std::mem::replace(&mut incoming.signature, Signature::EMPTY),
            layout: incoming.layout,
            order,
        })
    }

    /// Takes a message that arrived before its receive was posted.
    fn take_unexpected(
        &mut self,
        rank: u32,
        (message, order): (u32, u64),
        incoming: &mut Incoming,
        s: &mut Sched,
    ) -> Receiving {
        self.ranks[rank as usize].queues.take(message, &mut self.messages);
        let m = &self.messages[message];
        let copies = receiver_copies(m.protocol, true);
        if fits(m, incoming.capacity, &incoming.signature) {
            let taking = Taking { layout: incoming.layout, copies };
            let taken = Taken::out_of(&mut self.messages[message]);
            return Receiving::Held(self.settle(message, taken, s), taking);
        }
        let request = self.new_request(rank, Owner::Blocking, Kind::Receive(incoming.taken()));
        let r = &mut self.requests[request];
        (r.order, r.copies) = (order, copies);
        self.match_pair(message, request, s);
        Receiving::Request(request)
    }

    /// Ends the blocking call of a receive.
    #[inline(always)]
    pub(super) fn end_direct_receive(
        &mut self,
        rank: u32,
        received: Received,
        taking: Taking,
        s: &mut Sched,
    ) {
        let price = |kernel: &Self| {
            let bytes = received.payload.bytes();
            kernel.settings.costs.receive + kernel.taking(bytes, taking.layout, taking.copies)
        };
        let cost = if self.shortcuts.free_receives && self.shortcuts.packs_free(taking.layout) {
            debug_assert_eq!(price(self), FREE);
            FREE
        } else {
            price(self)
        };
        let now = s.now();
        self.answer_here(rank, now, cost, || Reply::Received(received), s);
    }

    /// Turns the receive that is stored in a rank into a posted request.
    pub(in crate::kernel) fn post_as_request(&mut self, rank: u32) {
        let sending = self.ranks[rank as usize].direct.sending;
        let request = self.receive_as_request(rank);
        let state = &mut self.ranks[rank as usize];
        if sending {
            state.direct.receive = Receiving::Request(request);
        } else {
            state.blocked = Some(Blocked::Call([request, NONE]));
        }
    }

    /// Returns the receive of a blocking call as a request, or `NONE` if there is none.
    fn receive_as_request(&mut self, rank: u32) -> u32 {
        match std::mem::take(&mut self.ranks[rank as usize].direct.receive) {
            Receiving::Nothing => NONE,
            Receiving::Request(request) => request,
            Receiving::Posted(awaited) => {
                let (pattern, order) = (awaited.pattern, awaited.order);
                let kind = Kind::Receive(awaited.incoming());
                let request = self.new_request(rank, Owner::Blocking, kind);
                self.requests[request].order = order;
                let queues = &mut self.ranks[rank as usize].queues;
                queues.post(pattern, request, &mut self.requests);
                request
            }
            Receiving::Held(received, taking) => {
                let incoming = Incoming {
                    comm: CommId::WORLD,
                    source: Source::Rank(received.source),
                    tag: Some(received.tag),
                    capacity: 0,
                    signature: Signature::EMPTY,
                    layout: taking.layout,
                };
                let request = self.new_request(rank, Owner::Blocking, Kind::Receive(incoming));
                self.requests[request].fill(received, taking.copies);
                request
            }
        }
    }

    /// Turns all receives that are stored in ranks into requests: from here on the run uses
    /// requests only.
    #[cold]
    pub(in crate::kernel) fn leave_short_ways(&mut self) {
        for rank in 0..self.ranks.len() as u32 {
            if self.ranks[rank as usize].direct.posted().is_some() {
                self.post_as_request(rank);
            }
        }
    }
}

/// The progress of a send by the direct path.
#[derive(Clone, Copy, Debug)]
pub(in crate::kernel) enum Departed {
    /// The network takes the message at this time.
    Taken(SimTime),
    /// The sender prepares it first, and is notified when the network has taken it.
    Later,
    /// The send needs a request; nothing has happened but that the cost of the call was booked.
    Not(Departure),
}

impl MpiKernel {
    /// Sends an eager standard message without a request: at once if the call costs nothing more.
    #[inline(always)]
    pub(in crate::kernel) fn send_directly(
        &mut self,
        rank: u32,
        ends: Ends,
        outgoing: &mut Outgoing,
        (price, returns): (SimDuration, Returns),
        s: &mut Sched,
    ) -> Departed {
        let bytes = outgoing.payload.bytes();
        if price == SimDuration::ZERO && self.shortcuts.sends_free(outgoing, bytes) {
            debug_assert_eq!(
                self.prepare(rank, ends, outgoing, (price, returns)),
                Departure { ends, passage: Passage::POOLED, at: s.now() }
            );
            return Departed::Taken(self.send_at_once(rank, ends, (outgoing, bytes), s).1);
        }
        let departure = self.prepare(rank, ends, outgoing, (price, returns));
        let later = departure.at > s.now();
        if departure.passage.keeping != Keeping::Pool || later && !self.goes_direct() {
            return Departed::Not(departure);
        }
        if !later {
            return Departed::Taken(self.send_at_once(rank, ends, (outgoing, bytes), s).1);
        }
        let context = outgoing.comm.0 * 2;
        let (message, _) =
            self.make_message((rank, ends), outgoing, (context, true), Sender::Rank, s.now());
        s.schedule(departure.at, Event::Inject(message));
        Departed::Later
    }

    /// Starts a send without a price whose message is eager and free: what [`MpiKernel::launch`] comes to
    /// in a run that looks at no single message. A send whose request is needless has none if the network
    /// takes it at once.
    pub(super) fn start_free_send(
        &mut self,
        rank: u32,
        ends: Ends,
        (outgoing, bytes): (&mut Outgoing, u64),
        needless: bool,
        s: &mut Sched,
    ) {
        let sent = self.sent.messages;
        let (message, accepted) = self.send_at_once(rank, ends, (outgoing, bytes), s);
        if needless && accepted <= s.now() {
            return self.answer_here(rank, accepted, FREE, || Reply::Done, s);
        }
        let request = self.new_request(rank, Owner::Program, Kind::Send(None));
        let r = &mut self.requests[request];
        (r.message, r.sent) = (message, sent);
        let id = RequestId { index: request, generation: r.generation };
        if accepted <= s.now() {
            r.state = State::Complete;
        } else {
            s.schedule(accepted, Event::Complete(request));
        }
        self.answer_here(rank, accepted, FREE, || Reply::Request(id), s);
    }

    /// Puts an eager message of this many bytes from the pool of its sender into the network. Returns
    /// its index, and when the network takes it.
    #[inline(always)]
    fn send_at_once(
        &mut self,
        rank: u32,
        ends: Ends,
        (outgoing, bytes): (&mut Outgoing, u64),
        s: &mut Sched,
    ) -> (u32, SimTime) {
        let context = outgoing.comm.0 * 2;
        let (message, m) =
            self.make_message((rank, ends), outgoing, (context, true), Sender::Gone, s.now());
        m.phase = Phase::Travelling;
        let event = Event::Arrive(message);
        (message, self.transfer_here(rank, ends.target, bytes, event, s))
    }

    /// Blocks the rank in a call whose message has not entered the network yet.
    pub(in crate::kernel) fn wait_for_send(&mut self, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        state.direct.sending = true;
        state.block_directly();
    }

    /// Schedules the end of a blocking send whose message the network takes at `accepted`.
    pub(in crate::kernel) fn sent_at(&mut self, rank: u32, accepted: SimTime, s: &mut Sched) {
        if accepted <= s.now() {
            self.sent(rank, s);
        } else {
            s.schedule(accepted, Event::Sent(rank));
        }
    }

    /// Records that the network has taken the message of a blocking call.
    pub(in crate::kernel) fn sent(&mut self, rank: u32, s: &mut Sched) {
        self.ranks[rank as usize].direct.sending = false;
        self.go_on(rank, s);
    }

    /// Ends the send of a blocking call, and the call itself if its receive is done, too.
    fn go_on(&mut self, rank: u32, s: &mut Sched) {
        let state = &mut self.ranks[rank as usize];
        if let Receiving::Posted(_) = state.direct.receive {
            state.block_directly();
            return;
        }
        state.unblock_directly();
        match std::mem::take(&mut state.direct.receive) {
            Receiving::Posted(_) | Receiving::Nothing => {
                let now = s.now();
                self.answer(rank, now, FREE, Reply::Done, s);
            }
            Receiving::Held(received, taking) => self.end_direct_receive(rank, received, taking, s),
            Receiving::Request(request) => self.block_on(rank, [request, NONE], s),
        }
    }
}
