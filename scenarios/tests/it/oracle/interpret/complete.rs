//! Completing what was begun, in every way there is.

use mpi_api::call::{Completing, Completion, Operation, Reply, RequestId};

use super::Rank;
use crate::oracle::{
    plan::{How, Part},
    values::{Record, Slot},
};

impl Rank<'_> {
    pub(super) fn complete(&mut self, parts: &[Part], how: How) {
        // What the fault left out was never begun.
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

    /// Completes all requests of the list; says which ended how.
    pub(super) fn finish(&self, list: &[RequestId], how: How) -> Vec<(usize, Completion)> {
        let all = || list.to_vec();
        match how {
            How::Each => list.iter().enumerate().map(|(at, one)| (at, self.wait(*one))).collect(),
            How::All => self.completions(Operation::Wait(all(), Completing::All)),
            How::TestAll => loop {
                match self.call(Operation::Test(all(), Completing::All)) {
                    Reply::NotYet => {}
                    Reply::Completions(ends) => break ends,
                    other => panic!("{other:?}"),
                }
            },
            How::Status => {
                for request in list {
                    while matches!(self.call(Operation::GetStatus(*request)), Reply::NotYet) {}
                }
                self.completions(Operation::Wait(all(), Completing::All))
            }
            How::Any => self.until_none(|| Operation::Wait(all(), Completing::Any)),
            How::Some => self.until_none(|| Operation::Wait(all(), Completing::Some)),
            How::TestAny => self.until_none(|| Operation::Test(all(), Completing::Any)),
            How::TestSome => self.until_none(|| Operation::Test(all(), Completing::Some)),
        }
    }

    fn completions(&self, operation: Operation) -> Vec<(usize, Completion)> {
        match self.call(operation) {
            Reply::Completions(ends) => ends,
            other => panic!("{other:?} instead of completions"),
        }
    }

    /// Asks again, with the same list, until nothing in it is active.
    fn until_none(&self, ask: impl Fn() -> Operation) -> Vec<(usize, Completion)> {
        let mut ends = Vec::new();
        loop {
            match self.call(ask()) {
                Reply::Completions(more) => ends.extend(more),
                Reply::NotYet => {}
                Reply::Undefined => return ends,
                other => panic!("{other:?}"),
            }
        }
    }

    fn ended(&self, part: Part, completion: &Completion) {
        match part {
            Part::Sent(_) => assert!(completion.error.is_none() && completion.payload.is_none()),
            Part::Received(id) => self.received(id, 0, completion),
            Part::Taken(id) => self.taken(id, 0, completion),
        }
    }

    /// The result of a collective that was begun.
    pub(super) fn taken(&self, id: usize, round: u32, completion: &Completion) {
        let bytes = completion.payload.as_ref().map_or(Vec::new(), |data| data.as_slice().to_vec());
        self.record((self.me, Slot::Collective(id), round), Record { bytes, status: None });
    }
}
