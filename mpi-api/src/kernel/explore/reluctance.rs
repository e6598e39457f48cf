//! Tests and probes that find nothing at first: what they would have found may as well have come a
//! little later, so a right program asks again or does without (MPI sections 3.7.3 and 3.8).

use std::collections::BTreeSet;

use crate::kernel::{
    MpiKernel,
    request::table::{Kind, Pattern, State},
};
use crate::{call::RequestId, settings::Polls};

/// What polls have failed for once.
#[derive(Default)]
pub(crate) struct Reluctance {
    /// Slot and generation of requests, with 0 for the whole and 1 + number for a partition.
    requests: BTreeSet<(u32, u32, u64)>,
    /// Rank and pattern of probes whose last one failed for that reason.
    probes: BTreeSet<(u32, u32, u32, i32)>,
    /// Whether the program polls at all.
    pub(crate) polled: bool,
}

impl MpiKernel {
    fn is_reluctant(&mut self) -> bool {
        self.reluctance.polled = true;
        self.settings.polls == Polls::Reluctant
    }

    /// Whether a test has to fail: something in its list is complete and was never tested in vain.
    pub(crate) fn refuses_test(&mut self, list: &[RequestId]) -> bool {
        if !self.is_reluctant() {
            return false;
        }
        // A test of what the program itself has completed succeeds (MPI section 13.2).
        let complete = |id: &&RequestId| {
            let found = self.live(**id).map(|index| &self.requests[index]);
            found.is_some_and(|request| {
                request.state == State::Complete && !matches!(request.kind, Kind::Generalized)
            })
        };
        let complete: Vec<RequestId> = list.iter().filter(complete).copied().collect();
        let known = &mut self.reluctance.requests;
        let before = known.len();
        known.extend(complete.iter().map(|id| (id.index, id.generation, 0)));
        known.len() > before
    }

    /// As [`MpiKernel::refuses_test`], of one partition.
    pub(crate) fn refuses_partition(&mut self, id: RequestId, number: u64) -> bool {
        self.is_reluctant()
            && self.reluctance.requests.insert((id.index, id.generation, 1 + number))
    }

    /// Whether a probe has to fail: each one that succeeds is preceded by one in vain.
    pub(crate) fn refuses_probe(&mut self, rank: u32, pattern: Pattern) -> bool {
        if !self.is_reluctant() {
            return false;
        }
        let key = (rank, pattern.context, pattern.source, pattern.tag);
        let refuses = self.reluctance.probes.insert(key);
        if !refuses {
            self.reluctance.probes.remove(&key);
        }
        refuses
    }
}
