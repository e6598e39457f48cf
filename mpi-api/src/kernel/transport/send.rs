//! Sends: which protocol carries a message, and each step of it (LogGPS; MPI section 3.4).
//!
//! *Eager*: the data travel with the envelope; the send completes when the network has taken the
//! message. *Rendezvous*: envelope, clear-to-send, data; the send completes when the data have
//! left. Which of the two carries a message is decided in `protocol.rs`.

use sim_core::SimDuration;

use crate::{
    call::{Outgoing, Payload, Reply},
    kernel::{
        MpiKernel, Sched,
        communicator::table::Ends,
        request::table::{Kind, Owner, State},
        transport::{
            blocking::Departed,
            message::{Message, NONE, Phase, Sender},
            protocol::Returns,
            receive::FREE,
        },
    },
    trace::Protocol,
};

/// When a program asks whether a nonblocking send is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// At any time: it needs a request.
    Later,
    /// When it has nothing else to do: a send that is complete at once needs none.
    AtTheEnd,
}

impl MpiKernel {
    // Inlined, as is `blocking_receive`, since all messages pass here.
    #[inline(always)]
    pub(crate) fn blocking_send(&mut self, rank: u32, outgoing: &mut Outgoing, s: &mut Sched) {
        let Some(ends) = self.target(rank, outgoing, Owner::Blocking, s) else { return };
        let cost = self.settings.costs.send;
        match self.send_directly(rank, ends, outgoing, (cost, Returns::Reusable), s) {
            Departed::Taken(accepted) => self.answer_here(rank, accepted, FREE, || Reply::Done, s),
            Departed::Later => self.wait_for_send(rank),
            Departed::Not(departure) => {
                let request = self.new_request(rank, Owner::Blocking, Kind::Send(None));
                if self.launch(rank, departure, outgoing, request, s) {
                    self.block_on(rank, [request, NONE], s);
                }
            }
        }
    }

    pub(crate) fn start_send(
        &mut self,
        rank: u32,
        outgoing: &mut Outgoing,
        asked: Asked,
        s: &mut Sched,
    ) {
        let Some(ends) = self.target(rank, outgoing, Owner::Program, s) else { return };
        let cost = self.settings.costs.post_send;
        let bytes = outgoing.payload.bytes();
        let free = cost == SimDuration::ZERO && self.shortcuts.sends_free(outgoing, bytes);
        if free && self.shortcuts.direct {
            let needless = asked == Asked::AtTheEnd && self.shortcuts.free_waits;
            return self.start_free_send(rank, ends, (outgoing, bytes), needless, s);
        }
        let departure = self.prepare(rank, ends, outgoing, (cost, Returns::InUse));
        let request = self.new_request(rank, Owner::Program, Kind::Send(None));
        self.posting(rank, request);
        if !self.launch(rank, departure, outgoing, request, s) {
            self.ranks[rank as usize].blocked = None;
        }
    }

    /// Returns the ends of a message. A send to the null process is answered here, with a request
    /// if the program is to own one.
    #[inline(always)]
    pub(crate) fn target(
        &mut self,
        rank: u32,
        outgoing: &Outgoing,
        owner: Owner,
        s: &mut Sched,
    ) -> Option<Ends> {
        let ends = outgoing.dest.and_then(|dest| self.comms.ends(outgoing.comm, dest, rank));
        if ends.is_none() {
            self.without_target(rank, outgoing, owner, s);
        }
        ends
    }

    /// Returns the message of an active send that is complete only once a receive has taken it, if none has.
    pub(in crate::kernel) fn untaken_message(&self, request: u32) -> Option<&Message> {
        let sending = &self.requests[request];
        let is_open = matches!(sending.kind, Kind::Send(_)) && sending.state == State::Active;
        let message = self.messages.get(sending.message).filter(|_| is_open)?;
        let waits = message.id == sending.sent
            && message.protocol == Protocol::Rendezvous
            && message.phase == Phase::Unexpected
            && matches!(message.sender, Sender::Request(sender) if sender == request);
        waits.then_some(message)
    }

    /// Answers a send to the null process, or to a rank that does not exist.
    #[cold]
    fn without_target(&mut self, rank: u32, outgoing: &Outgoing, owner: Owner, s: &mut Sched) {
        if let Some(dest) = outgoing.dest {
            self.has_target(rank, outgoing.comm, dest, s);
            return;
        }
        let reply = if owner == Owner::Program {
            let request = self.new_request(rank, owner, Kind::Send(None));
            self.requests[request].state = State::Complete;
            Reply::Request(self.request_id(request))
        } else {
            Reply::Done
        };
        let now = s.now();
        self.answer(rank, now, SimDuration::ZERO, reply, s);
    }

    pub(crate) fn init_send(&mut self, rank: u32, outgoing: &Outgoing, s: &mut Sched) {
        if let Some(dest) = outgoing.dest
            && !self.has_target(rank, outgoing.comm, dest, s)
        {
            return;
        }
        self.init_persistent(rank, Kind::Send(Some(Box::new(outgoing.clone()))), s);
    }

    /// Starts one persistent send; false when the run has ended instead.
    pub(crate) fn start_persistent_send(
        &mut self,
        rank: u32,
        request: u32,
        payload: Option<Payload>,
        s: &mut Sched,
    ) -> bool {
        let Kind::Send(Some(template)) = &self.requests[request].kind else { return true };
        let mut outgoing = Outgoing::clone(template);
        outgoing.payload = payload.unwrap_or(Payload::EMPTY);
        self.requests[request].state = State::Active;
        let Some(dest) = outgoing.dest else {
            self.requests[request].state = State::Complete;
            return true;
        };
        let Some(ends) = self.comms.ends(outgoing.comm, dest, rank) else { return true };
        let cost = self.settings.costs.start;
        let departure = self.prepare(rank, ends, &outgoing, (cost, Returns::InUse));
        self.launch(rank, departure, &mut outgoing, request, s)
    }
}
