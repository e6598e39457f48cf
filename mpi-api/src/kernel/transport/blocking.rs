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

use sim_core::SimTime;

use crate::{
    call::{CommId, Incoming, Layout, Outgoing, Payload, Received, Reply, Source},
    kernel::{
        Event, MpiKernel, Sched,
        request::{
            completion::Blocked,
            table::{Kind, Owner, Pattern},
        },
        transport::{
            direct::{Awaited, Receiving, Taking},
            launch::Departure,
            message::{Message, NONE, Phase, Sender},
            protocol::{Keeping, Returns, receiver_copies},
            receive::FREE,
        },
    },
    object::signature::Signature,
    trace::Protocol,
};

/// Reports whether a message goes straight to a receive that accepts its envelope.
#[inline]
fn fits(m: &Message, capacity: u64, signature: &Signature) -> bool {
    m.protocol == Protocol::Eager && m.bytes() <= capacity && signature.takes(&m.signature)
}

impl MpiKernel {
    /// Reports whether blocking calls may take the direct path at present.
    #[inline(always)]
    fn goes_direct(&self) -> bool {
        self.shortcuts.short_ways && !self.has_threads()
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
                state.blocked = Some(Blocked::Direct);
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
        let departure = self.prepare(rank, ends, outgoing, (cost, Returns::InUse));
        match self.depart(rank, departure, outgoing, s) {
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
            Departed::Not => {
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
        let exists = match incoming.source {
            Source::Rank(source) => source < self.comms.peers(incoming.comm, rank),
            Source::Any => true,
            Source::Null => false,
        };
        self.goes_direct() && exists && self.ranks[rank as usize].queues.awaits_none()
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
            return Receiving::Held(self.take_data(message, s), taking);
        }
        let request = self.new_request(rank, Owner::Blocking, Kind::Receive(incoming.taken()));
        let r = &mut self.requests[request];
        (r.order, r.copies) = (order, copies);
        self.match_pair(message, request, s);
        Receiving::Request(request)
    }

    /// Matches a message with the receive that takes it: moves the data out of the message and
    /// removes it.
    #[inline(always)]
    fn take_data(&mut self, message: u32, s: &mut Sched) -> Received {
        let m = &mut self.messages[message];
        s.record(m.id);
        let (source, pooled, bytes) = (m.source, m.pooled, m.bytes());
        let payload = std::mem::replace(&mut m.payload, Payload::EMPTY);
        let received = Received { source: m.source_rank, tag: m.tag, payload };
        if m.attached {
            self.release_attached(message, s);
        }
        self.messages.free(message);
        if pooled {
            self.release_room(source, bytes, s);
        }
        received
    }

    /// Handles the arrival of a message for which the receiver may wait in a blocking call; false
    /// if the receive needs a request.
    #[inline(always)]
    pub(in crate::kernel) fn admit_directly(
        &mut self,
        message: u32,
        target: u32,
        s: &mut Sched,
    ) -> bool {
        let Receiving::Posted(awaited) = &self.ranks[target as usize].direct.receive else {
            return false;
        };
        let m = &self.messages[message];
        if !awaited.accepts(m) {
            return false;
        }
        if !fits(m, awaited.capacity, &awaited.signature) {
            self.post_as_request(target);
            return false;
        }
        let taking = Taking { layout: awaited.layout, copies: receiver_copies(m.protocol, false) };
        let direct = &mut self.ranks[target as usize].direct;
        direct.set(Receiving::Nothing);
        let sending = direct.sending;
        let received = self.take_data(message, s);
        if sending {
            self.ranks[target as usize].direct.set(Receiving::Held(received, taking));
        } else {
            // The value owns nothing, and dropping it would be a call.
            std::mem::forget(
                self.ranks[target as usize]
                    .blocked
                    .take_if(|blocked| matches!(blocked, Blocked::Direct)),
            );
            self.end_direct_receive(target, received, taking, s);
        }
        true
    }

    /// Ends the blocking call of a receive.
    #[inline(always)]
    fn end_direct_receive(&mut self, rank: u32, received: Received, taking: Taking, s: &mut Sched) {
        let bytes = received.payload.bytes();
        let price = |kernel: &Self| {
            kernel.settings.costs.receive + kernel.taking(bytes, taking.layout, taking.copies)
        };
        let cost = if self.shortcuts.free_receives && taking.layout == Layout::Dense {
            debug_assert_eq!(price(self), FREE);
            FREE
        } else {
            price(self)
        };
        let now = s.now();
        self.answer_here(rank, now, cost, Reply::Received(received), s);
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
    /// The send needs a request; nothing has happened.
    Not,
}

impl MpiKernel {
    /// Sends an eager standard message without a request: at once if the call costs nothing more.
    #[inline(always)]
    pub(in crate::kernel) fn depart(
        &mut self,
        rank: u32,
        Departure { ends, passage, at }: Departure,
        outgoing: &mut Outgoing,
        s: &mut Sched,
    ) -> Departed {
        let later = at > s.now();
        if passage.keeping != Keeping::Pool || later && !self.goes_direct() {
            return Departed::Not;
        }
        let bytes = outgoing.payload.bytes();
        self.ranks[rank as usize].pool.take(bytes);
        let context = outgoing.comm.0 * 2;
        let sender = if later { Sender::Rank } else { Sender::Gone };
        let message = self.make_message((rank, ends), outgoing, context, sender, s.now());
        let m = &mut self.messages[message];
        m.pooled = true;
        if later {
            s.schedule(at, Event::Inject(message));
            return Departed::Later;
        }
        m.phase = Phase::Travelling;
        Departed::Taken(self.transfer_here(rank, ends.target, bytes, Event::Arrive(message), s))
    }

    /// Blocks the rank in a call whose message has not entered the network yet.
    pub(in crate::kernel) fn wait_for_send(&mut self, rank: u32) {
        let state = &mut self.ranks[rank as usize];
        state.direct.sending = true;
        state.blocked = Some(Blocked::Direct);
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
            state.blocked = Some(Blocked::Direct);
            return;
        }
        state.blocked = None;
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
