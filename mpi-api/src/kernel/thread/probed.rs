//! Messages that a thread has found by a probe and another thread of its rank receives (MPI 5.0, 3.8.1): told where the
//! first one then waits for ever.

use crate::{
    check::{
        message_race,
        waiting::{Stall, Waiting},
    },
    finding::{CallPlace, CallSite, Finding},
    kernel::{
        MpiKernel,
        request::table::{Pattern, State},
        thread::threads::Probed,
    },
};

impl MpiKernel {
    /// Notes what a probe of the current thread has found.
    #[cold]
    pub(in crate::kernel) fn note_probed(&mut self, rank: u32, message: u32) {
        let m = &self.messages[message];
        let pattern = Pattern { context: m.context, source: m.source_rank, tag: m.tag };
        let (message, by) = (m.id, self.ranks[rank as usize].call_place());
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return };
        let thread = threads.current;
        threads.probed.retain(|other| other.thread != thread);
        let probed = Probed { thread, message, pattern, by, receive: None, taken: None };
        threads.probed.push(probed);
    }

    /// Notes that the current thread posts a receive.
    #[cold]
    pub(in crate::kernel) fn note_posted(&mut self, rank: u32, request: u32, pattern: Pattern) {
        let id = self.request_id(request);
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return };
        let current = threads.current;
        let mut own = threads.probed.iter_mut().filter(|probed| probed.thread == current);
        let is_first = |probed: &&mut Probed| {
            let Pattern { context, source, tag } = probed.pattern;
            probed.receive.is_none() && pattern.accepts(context, source, tag)
        };
        if let Some(probed) = own.next().filter(is_first) {
            probed.receive = Some(id);
        }
    }

    /// Notes that a receive gets a message.
    #[cold]
    pub(in crate::kernel) fn note_taken(&mut self, message: u32, request: u32) {
        let (id, message) = (self.request_id(request), self.messages[message].id);
        let r = &self.requests[request];
        let (rank, by) = (r.rank, CallPlace { call: r.call, site: r.site });
        let Some(threads) = &mut self.ranks[rank as usize].threads else { return };
        threads.probed.retain(|probed| (probed.message, probed.receive) != (message, Some(id)));
        for probed in threads.probed.iter_mut().filter(|probed| probed.message == message) {
            probed.taken = Some(by);
        }
    }

    /// Returns the finding about a thread that waits for a message which its probe has found and another thread has
    /// received.
    pub(in crate::kernel) fn taken_by_another(&self, stall: &Stall) -> Option<Finding> {
        stall.waiting.iter().find_map(|waiting| {
            let threads = self.ranks[waiting.rank as usize].threads.as_ref()?;
            let thread = self.thread_of(sim_core::ProcessId(waiting.process)).1;
            let probed = threads.probed.iter().find(|probed| probed.thread == thread)?;
            let request = self.live(probed.receive?)?;
            let is_waiting = self.requests[request].state == State::Active;
            let taken = probed.taken.filter(|_| is_waiting)?;
            Some(race(stall, waiting, probed, taken))
        })
    }
}

fn race(stall: &Stall, waiting: &Waiting, probed: &Probed, taken: CallPlace) -> Finding {
    let at = |CallPlace { call, site }: CallPlace, label: &str| {
        CallSite::at(waiting.rank, site, call, label.into())
    };
    let probe = at(probed.by, "the message is found here");
    let taken = at(taken, "another thread receives it here");
    message_race::of_probes(stall, waiting, [probe, taken])
}
