//! Completion of nonblocking operations with every function that MPI has for it.

use mpi_api::call::{Completing, Completion, Reply, RequestCall, RequestId};

use super::Rank;
use crate::{
    plan::{How, Part},
    values::{Record, Slot},
};

impl Rank<'_> {
    pub(super) fn complete(&mut self, parts: &[Part], how: How) {
        // Operations that the fault leaves out were never started.
        let parts: Vec<Part> =
            parts.iter().copied().filter(|part| self.requests.contains_key(part)).collect();
        let list: Vec<RequestId> = parts.iter().map(|part| self.requests[part]).collect();
        let ends = self.finish(&list, how);
        assert_eq!(ends.len(), parts.len(), "every request completes once");
        for (position, completion) in ends {
            self.ended(parts[position], &completion);
        }
        for part in parts {
            self.drop_request(part);
        }
    }

    /// Completes all requests of the list, and returns index and completion of each.
    pub(super) fn finish(&self, list: &[RequestId], how: How) -> Vec<(usize, Completion)> {
        let all = || list.to_vec();
        if list.is_empty() {
            return Vec::new();
        }
        match how {
            How::Each => list.iter().enumerate().map(|(at, one)| (at, self.wait(*one))).collect(),
            How::All => self.completions(RequestCall::Wait(all(), Completing::All)),
            How::TestAll => loop {
                match self.call(RequestCall::Test(all(), Completing::All)) {
                    Reply::NotYet => {}
                    Reply::Completions(ends) => break ends,
                    other => panic!("{other:?}"),
                }
            },
            How::Status => {
                let seen: Vec<Completion> = list.iter().map(|one| self.seen(*one)).collect();
                let mut ends = self.completions(RequestCall::Wait(all(), Completing::All));
                for ((_, end), seen) in ends.iter_mut().zip(seen) {
                    end.payload = seen.payload;
                }
                ends
            }
            How::Any => self.until_none(list, |left| RequestCall::Wait(left, Completing::Any)),
            How::Some => self.until_none(list, |left| RequestCall::Wait(left, Completing::Some)),
            How::TestAny => self.until_none(list, |left| RequestCall::Test(left, Completing::Any)),
            How::TestSome => {
                self.until_none(list, |left| RequestCall::Test(left, Completing::Some))
            }
        }
    }

    fn completions(&self, call: RequestCall) -> Vec<(usize, Completion)> {
        match self.call(call) {
            Reply::Completions(ends) => ends,
            other => panic!("{other:?} instead of completions"),
        }
    }

    /// Tests a request until it is complete.
    fn seen(&self, request: RequestId) -> Completion {
        loop {
            match self.call(RequestCall::GetStatusAndData(request)) {
                Reply::NotYet => {}
                Reply::Completed(seen) => break *seen,
                other => panic!("{other:?}"),
            }
        }
    }

    /// Repeats a call for the remaining requests until none is active.
    fn until_none(
        &self,
        list: &[RequestId],
        ask: impl Fn(Vec<RequestId>) -> RequestCall,
    ) -> Vec<(usize, Completion)> {
        let mut ends: Vec<(usize, Completion)> = Vec::new();
        let mut left: Vec<usize> = (0..list.len()).collect();
        while !left.is_empty() {
            let requests = left.iter().map(|at| list[*at]).collect();
            match self.call(ask(requests)) {
                Reply::Completions(more) => {
                    ends.extend(more.into_iter().map(|(at, end)| (left[at], end)));
                    left.retain(|at| ends.iter().all(|(ended, _)| ended != at));
                }
                Reply::NotYet => {}
                other => panic!("{other:?}"),
            }
        }
        ends
    }

    fn ended(&self, part: Part, completion: &Completion) {
        match part {
            Part::Sent(_) => assert!(completion.error.is_none() && completion.payload.is_none()),
            Part::Received(id) => self.received(id, 0, completion),
            Part::Taken(id) => self.taken(id, 0, completion),
        }
    }

    /// Stores the result of a nonblocking collective.
    pub(super) fn taken(&self, id: usize, round: u32, completion: &Completion) {
        let bytes = completion.payload.as_ref().map_or(Vec::new(), |data| data.as_slice().to_vec());
        self.record((self.me, Slot::Collective(id), round), Record { bytes, status: None });
    }
}
