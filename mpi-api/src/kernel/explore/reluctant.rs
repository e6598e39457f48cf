//! Tests and probes that fail at first. In runs with reluctant polls the first successful test or
//! probe is reported as unsuccessful once; a correct program must cope, since arrival time is not
//! guaranteed (MPI sections 3.7.3 and 3.8).

use crate::kernel::{
    MpiKernel,
    request::table::{Kind, Pattern, State},
};
use crate::{call::RequestId, settings::Polls};

impl MpiKernel {
    fn is_reluctant(&mut self) -> bool {
        self.exploration.reluctance.polled = true;
        self.settings.polls == Polls::Reluctant
    }

    /// Reports whether a test has to fail: a request in its list is complete and no test has failed
    /// for it yet.
    pub(crate) fn refuses_test(&mut self, list: &[RequestId]) -> bool {
        if !self.is_reluctant() {
            return false;
        }
        // A test of a request that the program itself has completed succeeds (MPI section 13.2).
        let complete = |id: &&RequestId| {
            let found = self.live(**id).map(|index| &self.requests[index]);
            found.is_some_and(|request| {
                request.state == State::Complete && !matches!(request.kind, Kind::Generalized)
            })
        };
        let complete: Vec<RequestId> = list.iter().filter(complete).copied().collect();
        let known = &mut self.exploration.reluctance.requests;
        let before = known.len();
        known.extend(complete.iter().map(|id| (id.index, id.generation, 0)));
        known.len() > before
    }

    /// Lets tests of a request succeed: the program has learnt elsewhere that it is complete.
    pub(crate) fn trusts(&mut self, id: RequestId) {
        if self.settings.polls == Polls::Reluctant {
            self.exploration.reluctance.requests.insert((id.index, id.generation, 0));
        }
    }

    /// Like [`MpiKernel::refuses_test`], for one partition.
    pub(crate) fn refuses_partition(&mut self, id: RequestId, number: u64) -> bool {
        self.is_reluctant()
            && self.exploration.reluctance.requests.insert((id.index, id.generation, 1 + number))
    }

    /// Reports whether a probe has to fail: each successful probe is preceded by one made to fail.
    pub(crate) fn refuses_probe(&mut self, rank: u32, pattern: Pattern) -> bool {
        if !self.is_reluctant() {
            return false;
        }
        let key = (rank, pattern.context, pattern.source, pattern.tag);
        let refuses = self.exploration.reluctance.probes.insert(key);
        if !refuses {
            self.exploration.reluctance.probes.remove(&key);
        }
        refuses
    }
}
