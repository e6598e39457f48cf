//! Sends: which protocol carries a message, and each step of it (LogGPS; MPI section 3.4).
//!
//! *Eager*: the data travel with the envelope; the send completes when the network has taken
//! the message. *Rendezvous*: envelope, clear-to-send, data; the send completes when the data
//! have left. Which of the two carries a message is decided in `protocol.rs`.

use sim_core::{SimDuration, SimTime};

use super::{
    Event, MpiKernel, Sched,
    buffer::room,
    launch::Departure,
    message::{NONE, Phase},
    protocol::{Keeping, Returns},
    request::{Kind, Owner, State},
};
use crate::call::{Incoming, Outgoing, Payload, Reply};

impl MpiKernel {
    pub(crate) fn blocking_send(&mut self, rank: u32, outgoing: Outgoing, s: &mut Sched) {
        let Some(target) = self.target(rank, &outgoing, Owner::Blocking, s) else { return };
        let cost = self.settings.costs.send;
        let departure = self.prepare(rank, target, &outgoing, (cost, Returns::Reusable));
        let outgoing = match self.send_at_once(rank, departure, outgoing, s) {
            Ok(accepted) => {
                self.answer(rank, accepted, SimDuration::ZERO, Reply::Done, s);
                return;
            }
            Err(outgoing) => outgoing,
        };
        let request = self.new_request(rank, Owner::Blocking, Kind::Send(None));
        if self.launch(rank, departure, outgoing, request, s) {
            self.block_on(rank, [request, NONE], s);
        }
    }

    /// The short way of an eager standard send whose call costs nothing more: into the network
    /// at once, with no request and no event of its own. Returns when the network has taken it,
    /// or the message if it has to go the long way.
    fn send_at_once(
        &mut self,
        rank: u32,
        Departure { target, passage, at }: Departure,
        outgoing: Outgoing,
        s: &mut Sched,
    ) -> Result<SimTime, Outgoing> {
        if passage.keeping != Keeping::Pool || at > s.now() {
            return Err(outgoing);
        }
        let bytes = outgoing.payload.as_slice().len() as u64;
        self.ranks[rank as usize].pool.take(bytes);
        let context = outgoing.comm.0 * 2;
        let ends = (rank, target, self.comms.rank_in(outgoing.comm, rank));
        let message = self.make_message(ends, outgoing, context, NONE, s.now());
        let m = &mut self.messages[message];
        m.pooled = room(bytes);
        m.phase = Phase::Travelling;
        Ok(self.transfer(rank, target, bytes, Event::Arrive(message), s).accepted)
    }

    pub(crate) fn start_send(&mut self, rank: u32, outgoing: Outgoing, s: &mut Sched) {
        let Some(target) = self.target(rank, &outgoing, Owner::Program, s) else { return };
        let cost = self.settings.costs.post_send;
        let departure = self.prepare(rank, target, &outgoing, (cost, Returns::InUse));
        let request = self.new_request(rank, Owner::Program, Kind::Send(None));
        self.posting(rank, request);
        if !self.launch(rank, departure, outgoing, request, s) {
            self.ranks[rank as usize].blocked = None;
        }
    }

    pub(crate) fn send_receive(
        &mut self,
        rank: u32,
        outgoing: Outgoing,
        incoming: Incoming,
        s: &mut Sched,
    ) {
        let Some(receive) = self.post(rank, incoming, Owner::Blocking, s) else { return };
        let mut requests = [receive, NONE];
        if outgoing.dest.is_some() {
            let Some(target) = self.target(rank, &outgoing, Owner::Blocking, s) else { return };
            let cost = self.settings.costs.send;
            let departure = self.prepare(rank, target, &outgoing, (cost, Returns::InUse));
            match self.send_at_once(rank, departure, outgoing, s) {
                Ok(accepted) if accepted <= s.now() => {}
                Ok(accepted) => {
                    let request = self.new_request(rank, Owner::Blocking, Kind::Send(None));
                    requests[1] = request;
                    self.complete_at(request, accepted, s);
                }
                Err(outgoing) => {
                    let request = self.new_request(rank, Owner::Blocking, Kind::Send(None));
                    if !self.launch(rank, departure, outgoing, request, s) {
                        return;
                    }
                    requests[1] = request;
                }
            }
        }
        self.block_on(rank, requests, s);
    }

    /// World rank of the receiver. For the null process the call is answered here: with a request
    /// if the program is to own one.
    pub(crate) fn target(
        &mut self,
        rank: u32,
        outgoing: &Outgoing,
        owner: Owner,
        s: &mut Sched,
    ) -> Option<u32> {
        let Some(dest) = outgoing.dest else {
            let reply = if owner == Owner::Program {
                let request = self.new_request(rank, owner, Kind::Send(None));
                self.requests[request].state = State::Complete;
                Reply::Request(self.request_id(request))
            } else {
                Reply::Done
            };
            let now = s.now();
            self.answer(rank, now, SimDuration::ZERO, reply, s);
            return None;
        };
        if !self.has_target(rank, outgoing.comm, dest, s) {
            return None;
        }
        Some(self.comms.world_rank(outgoing.comm, dest, rank))
    }

    pub(crate) fn init_send(&mut self, rank: u32, outgoing: Outgoing, s: &mut Sched) {
        if let Some(dest) = outgoing.dest
            && !self.has_target(rank, outgoing.comm, dest, s)
        {
            return;
        }
        self.init_persistent(rank, Kind::Send(Some(Box::new(outgoing))), s);
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
        let target = self.comms.world_rank(outgoing.comm, dest, rank);
        let cost = self.settings.costs.start;
        let departure = self.prepare(rank, target, &outgoing, (cost, Returns::InUse));
        self.launch(rank, departure, outgoing, request, s)
    }
}
