//! A send and a receive with one request (`MPI_Isendrecv`), which completes when both have.

use crate::call::{Incoming, Outgoing, Reply};
use crate::kernel::{
    MpiKernel, Sched,
    request::books::Parts,
    request::table::{Kind, Owner, State},
    transport::message::NONE,
    transport::protocol::Returns,
    transport::receive::FREE,
};

impl MpiKernel {
    pub(crate) fn start_send_receive(
        &mut self,
        rank: u32,
        outgoing: &mut Outgoing,
        incoming: &mut Incoming,
        s: &mut Sched,
    ) {
        if !self.has_source(rank, incoming.comm, incoming.source, s) {
            return;
        }
        let target = match outgoing.dest {
            None => None,
            Some(_) => match self.target(rank, outgoing, Owner::Program, s) {
                Some(target) => Some(target),
                None => return,
            },
        };
        let whole = self.new_request(rank, Owner::Program, Kind::Receive(incoming.clone()));
        let owner = Owner::Part(whole);
        let receive = self.new_request(rank, owner, Kind::Receive(incoming.taken()));
        let send = target.map(|_| self.new_request(rank, owner, Kind::Send(None)));
        self.books.pairs.insert(whole, [receive, send.unwrap_or(NONE)]);
        self.charge(rank, self.settings.costs.post_receive);
        self.activate_receive(receive, s);
        if let (Some(target), Some(send)) = (target, send) {
            let cost = self.settings.costs.post_send;
            let departure = self.prepare(rank, target, outgoing, (cost, Returns::InUse));
            if !self.launch(rank, departure, outgoing, send, s) {
                return;
            }
        }
        self.part_done(whole, s);
        let id = self.request_id(whole);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Request(id), s);
    }

    /// Handles a completed part of a pair, or one that could have completed: the receive's result
    /// becomes the pair's.
    pub(crate) fn part_done(&mut self, whole: u32, s: &mut Sched) {
        let Some(parts) = self.books.pairs.get(&whole).copied() else { return };
        let pending = |part: &u32| *part != NONE && self.requests[*part].state != State::Complete;
        if parts.iter().any(pending) {
            return;
        }
        self.books.pairs.remove(&whole);
        let receive = &mut self.requests[parts[0]];
        let (result, copies) = (receive.completion(), receive.copies);
        for part in parts.into_iter().filter(|part| *part != NONE) {
            self.requests.free(part);
        }
        let request = &mut self.requests[whole];
        request.status = result.status;
        request.payload = result.payload;
        request.error = result.error;
        request.copies = copies;
        self.complete(whole, s);
    }

    /// Returns the parts of a pair that is not complete.
    pub(crate) fn parts(&self, whole: u32) -> Option<Parts> {
        self.books.pairs.get(&whole).copied()
    }
}
