//! Calls about communicators and derived datatypes that only one rank takes part in.

use crate::call::{CommId, CommInfo, Reply};
use crate::kernel::communicator::table::half;
use crate::kernel::{MpiKernel, Sched, transport::receive::FREE};

impl MpiKernel {
    /// Returns the world as one rank sees it.
    pub fn world(&self, rank: u32) -> CommInfo {
        self.comms.info(CommId::WORLD, rank)
    }

    /// Marks the communicator as freed by this rank, which is local. Pending operations continue.
    pub(crate) fn free_comm(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        self.forget_comm(rank, comm);
        self.done(rank, s);
    }

    pub(crate) fn forget_comm(&mut self, rank: u32, comm: CommId) {
        self.ranks[rank as usize].rest.comms.remove(&comm.0);
    }

    /// Ends the call in progress, which returns nothing and costs nothing.
    pub(crate) fn done(&mut self, rank: u32, s: &mut Sched) {
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    pub(crate) fn create_type(&mut self, rank: u32, s: &mut Sched) {
        let id = self.comms.types_made;
        self.comms.types_made += 1;
        let state = &mut self.ranks[rank as usize];
        state.rest.types.insert(id, state.site);
        let cost = half(self.settings.costs.datatype);
        let now = s.now();
        self.answer(rank, now, cost, Reply::Object(id), s);
    }

    pub(crate) fn commit_type(&mut self, rank: u32, s: &mut Sched) {
        let cost = half(self.settings.costs.datatype);
        let now = s.now();
        self.answer(rank, now, cost, Reply::Done, s);
    }

    pub(crate) fn free_type(&mut self, rank: u32, id: u32, s: &mut Sched) {
        self.ranks[rank as usize].rest.types.remove(&id);
        self.done(rank, s);
    }
}
