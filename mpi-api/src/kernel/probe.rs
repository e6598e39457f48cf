//! Probes (MPI section 3.8): what a receive at this point would get, without receiving it.

use super::{
    MpiKernel, Sched,
    completion::Blocked,
    receive::FREE,
    request::{ANY_SOURCE, Pattern},
};
use crate::{
    call::{CommId, Completion, Reply, Source},
    object::status::Status,
};

impl MpiKernel {
    pub(crate) fn probe(
        &mut self,
        rank: u32,
        comm: CommId,
        source: Source,
        tag: Option<i32>,
        s: &mut Sched,
    ) {
        if source == Source::Null {
            self.answer_status(rank, Status::null_process(), s);
            return;
        }
        let pattern = Pattern::of(comm, source, tag);
        self.ranks[rank as usize].blocked = Some(Blocked::Probe(pattern));
        self.answer_probe(rank, s);
    }

    pub(crate) fn immediate_probe(
        &mut self,
        rank: u32,
        comm: CommId,
        source: Source,
        tag: Option<i32>,
        s: &mut Sched,
    ) {
        if source == Source::Null {
            self.answer_status(rank, Status::null_process(), s);
            return;
        }
        match self.pick_unexpected(rank, Pattern::of(comm, source, tag)) {
            Some(message) => self.answer_status(rank, self.envelope(message), s),
            None => self.failed_poll(rank, s),
        }
    }

    /// Lets a rank that is blocked in a probe go on if a message is there.
    pub(crate) fn answer_probe(&mut self, rank: u32, s: &mut Sched) {
        let Some(Blocked::Probe(pattern)) = self.ranks[rank as usize].blocked else { return };
        if self.chooser.defers() && pattern.source == ANY_SOURCE {
            return;
        }
        self.end_probe(rank, pattern, s);
    }

    /// With deferred wildcards: a probe for any source is answered when all is at rest.
    pub(crate) fn resolve_probe(&mut self, rank: u32, s: &mut Sched) -> bool {
        match self.ranks[rank as usize].blocked {
            Some(Blocked::Probe(pattern)) => self.end_probe(rank, pattern, s),
            _ => false,
        }
    }

    fn end_probe(&mut self, rank: u32, pattern: Pattern, s: &mut Sched) -> bool {
        let Some(message) = self.pick_unexpected(rank, pattern) else { return false };
        self.ranks[rank as usize].blocked = None;
        self.answer_status(rank, self.envelope(message), s);
        true
    }

    fn envelope(&self, message: u32) -> Status {
        let m = &self.messages[message];
        Status::message(m.source_rank, m.tag, m.bytes())
    }

    fn answer_status(&mut self, rank: u32, status: Status, s: &mut Sched) {
        let completion = Box::new(Completion { status, payload: None });
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Completed(completion), s);
    }
}
