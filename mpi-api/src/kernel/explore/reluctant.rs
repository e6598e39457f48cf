//! Tests and probes that fail at first. In runs with reluctant polls the first successful test or
//! probe is reported as unsuccessful once, and in runs with a seed a number of times that is drawn; a correct program must
//! cope, since arrival time is not guaranteed (MPI sections 3.7.3 and 3.8).

use crate::call::RequestId;
use crate::kernel::{
    MpiKernel,
    request::table::{Kind, Pattern, State},
};

impl MpiKernel {
    /// Reports whether a test has to fail: a request in its list is complete, and tests of it still fail.
    pub(crate) fn refuses_test(&mut self, list: &[RequestId]) -> bool {
        if !self.exploration.reluctance.poll() {
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
        let reluctance = &mut self.exploration.reluctance;
        // Each of them counts.
        let failing = complete.iter().filter(|id| reluctance.refuses((id.index, id.generation, 0)));
        failing.count() > 0
    }

    /// Lets tests of a request succeed: the program has learnt elsewhere that it is complete.
    pub(crate) fn trusts(&mut self, id: RequestId) {
        self.exploration.reluctance.trust((id.index, id.generation, 0));
    }

    /// Like [`MpiKernel::refuses_test`], for one partition.
    pub(crate) fn refuses_partition(&mut self, id: RequestId, number: u64) -> bool {
        let reluctance = &mut self.exploration.reluctance;
        reluctance.poll() && reluctance.refuses((id.index, id.generation, 1 + number))
    }

    /// Reports whether a probe has to fail: each successful probe is preceded by some made to fail.
    pub(crate) fn refuses_probe(&mut self, rank: u32, pattern: Pattern) -> bool {
        let reluctance = &mut self.exploration.reluctance;
        let key = (rank, pattern.context, pattern.source, pattern.tag);
        reluctance.poll() && reluctance.refuses_probe(key)
    }
}
