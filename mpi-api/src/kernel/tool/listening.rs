//! Events of matches, for ranks that listen to them (MPI section 15.3.8): they are kept where they happen, and taken
//! by their rank when its call returns.

use sim_core::ProcessId;

use super::{super::transport::message::Phase, MpiKernel, Sched, heard::Heard};
use crate::call::{CommId, EventKind, MatchEvent, MatchEvents, Reply};

impl MpiKernel {
    /// Sets which events are kept for a rank. From the first one on each call is looked at, and all messages have
    /// requests, which costs no simulated time.
    pub(super) fn listen(&mut self, rank: u32, room: [u32; EventKind::ALL.len()]) {
        if self.shortcuts.direct {
            self.leave_short_ways();
            self.shortcuts.direct = false;
        }
        self.attentive = true;
        self.ranks[rank as usize].rest.heard.get_or_insert_default().listen(room);
    }

    /// Gives a rank its events. This is no call of its program: it books nothing, and whoever polls goes on to poll.
    pub(in crate::kernel) fn give_events(&mut self, process: ProcessId, s: &mut Sched) {
        let rank = self.rank_of(process);
        if self.ranks[rank as usize].aborted {
            return;
        }
        let heard = self.ranks[rank as usize].rest.heard.as_mut();
        let events = heard.map_or_else(MatchEvents::default, |heard: &mut Box<Heard>| heard.take());
        s.reply(process, s.now(), Reply::Events(Box::new(events)));
    }

    /// Notes that a message has found its receive, for its receiver if that listens.
    pub(in crate::kernel) fn hear_match(&mut self, message: u32, s: &Sched) {
        let waited = self.messages[message].phase == Phase::Unexpected;
        let kind = if waited { EventKind::MatchedUnexpected } else { EventKind::MatchedPosted };
        self.hear(message, kind, s);
    }

    /// Notes what happens to a message, for its receiver if that listens.
    pub(in crate::kernel) fn hear(&mut self, message: u32, kind: EventKind, s: &Sched) {
        let m = &self.messages[message];
        let Some(heard) = &mut self.ranks[m.target as usize].rest.heard else { return };
        if !m.context.is_multiple_of(2) {
            return;
        }
        let comm = CommId(m.context / 2);
        let (source, tag, bytes) = (m.source_rank, m.tag, m.bytes());
        heard.add(MatchEvent { kind, time: s.now(), comm, source, tag, bytes });
    }
}
