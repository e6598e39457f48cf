//! Collective calls in which no rank waits for another: initializations of persistent operations and changes of
//! hints. They have no part of a rank; whether all ranks make them, in the same order and with matching arguments,
//! is all that is looked at (MPI 5.0, 6.13, 7.4.4 and 12.2.7).

use crate::{
    call::{CollectiveCall, CommId, Management},
    check::collective_mismatch,
    finding::{CallSite, Finding},
    kernel::{
        MpiKernel, Sched,
        collective::{
            construction::CommConstruction,
            instance::{Instance, Manner},
            key::Key,
        },
    },
};

impl MpiKernel {
    /// Executes `MPI_Comm_set_info` or `MPI_Win_set_info`.
    pub(in crate::kernel) fn set_info(&mut self, rank: u32, comm: CommId, s: &mut Sched) {
        let call = CollectiveCall::boxed(comm, Management::SetInfo.into());
        let agrees = self.call_in_order(rank, &call, Manner::Blocking, s);
        call.give_back();
        if agrees {
            self.done(rank, s);
        }
    }

    /// Counts a call among the collectives of its communicator. Returns whether it agrees with those of the other
    /// ranks; if not, the run has ended.
    pub(super) fn call_in_order(
        &mut self,
        rank: u32,
        call: &CollectiveCall,
        manner: Manner,
        s: &mut Sched,
    ) -> bool {
        let key = self.ordered_key(rank, call.comm);
        let site = self.ranks[rank as usize].site;
        let origin = (&CommConstruction::Nothing, manner, site);
        if self.enter_instance(rank, key, call, origin, s).is_none() {
            return false;
        }
        let all = self.comms.members(call.comm, rank).size();
        if self.collectives.entered(key).entered == all {
            self.collectives.remove_instance(key);
        }
        true
    }

    /// Returns a finding for each of these calls that some ranks have not made, when all ranks have ended. A rank
    /// that has ended without finalizing MPI may have made it later.
    pub(crate) fn incomplete_calls(&self) -> impl Iterator<Item = Finding> {
        let mut open: Vec<(Key, &Instance)> =
            self.collectives.instances().filter(|(_, shared)| !shared.first.is_awaited()).collect();
        open.sort_unstable_by_key(|(key, _)| *key);
        open.into_iter().filter_map(|(key, shared)| {
            let first = &shared.first;
            let members = self.comms.members(CommId(key.comm), first.rank).to_vec();
            let missing: Vec<u32> =
                members.into_iter().filter(|rank| !self.has_entered(*rank, key)).collect();
            let label = collective_mismatch::made_by(first.rank);
            let place = CallSite::new(first.rank, first.call(), first.site.known(), label);
            let has_ended = |rank: &u32| self.ranks[*rank as usize].rest.finalized;
            missing
                .iter()
                .all(has_ended)
                .then(|| collective_mismatch::of_some_ranks(place, missing))
        })
    }
}
