//! Makes requests and names them to the program.

use sim_core::SimDuration;

use crate::{
    call::RequestId,
    finding::CallPlace,
    kernel::{
        MpiKernel,
        request::table::{Kind, Owner, Request, State},
        transport::message::NONE,
    },
    object::status::Status,
};

impl MpiKernel {
    #[inline]
    pub(crate) fn new_request(&mut self, rank: u32, owner: Owner, kind: Kind) -> u32 {
        self.books.generations = self.books.generations.wrapping_add(1);
        let state = &mut self.ranks[rank as usize];
        state.open_requests += u32::from(owner == Owner::Program);
        let (call, site) = (state.call, state.site);
        let Some(index) = self.requests.reuse() else {
            let new =
                Request::new(self.books.generations, (rank, owner), kind, CallPlace { call, site });
            return self.requests.insert(new);
        };
        // A vacant record owns nothing: writing the fields costs less than moving a whole record
        // to its place.
        let r = &mut self.requests[index];
        r.live = true;
        r.generation = self.books.generations;
        (r.rank, r.owner) = (rank, owner);
        r.state = State::Active;
        debug_assert!(!r.kind.owns_memory(), "a vacant record owns nothing");
        std::mem::forget(std::mem::replace(&mut r.kind, kind));
        (r.persistent, r.started, r.awaited, r.copies) = (false, false, false, false);
        (r.call, r.site) = (call, site);
        (r.message, r.sent) = (NONE, 0);
        r.status = Status::empty();
        r.background = SimDuration::ZERO;
        (r.order, r.next) = (0, NONE);
        index
    }

    pub(crate) fn request_id(&self, index: u32) -> RequestId {
        RequestId { index, generation: self.requests[index].generation }
    }
}
