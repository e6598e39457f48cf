//! The end of a rank: finalize with its leftover objects, and abort (MPI sections 11.2 and 11.4).

use sim_core::SimTime;

use crate::kernel::{
    MpiKernel, Sched,
    request::{
        books::{Idle, Unstarted},
        table::{Owner, State},
    },
    transport::message::{Message, Slab},
    transport::receive::FREE,
};
use crate::{
    call::{CommId, Reply},
    check,
    finding::{CallPlace, CallSite, Findings, Leak, Object},
    policy::Policy,
    trace::Record,
};

impl MpiKernel {
    /// Executes `MPI_Abort`, which ends the run; by policy only the ranks of the communicator.
    pub(crate) fn abort(&mut self, rank: u32, comm: CommId, code: i32, s: &mut Sched) {
        let place = self.present_site(rank, check::aborted::label(code));
        let finding = check::aborted::by(place, code);
        self.population.aborts.record(code);
        if !self.settings.environment.policies.differs(Policy::AbortScope) {
            self.fail(finding, s);
            return;
        }
        self.journal.findings.add(finding);
        for member in self.comms.members(comm, rank).to_vec() {
            let state = &mut self.ranks[member as usize];
            if !state.finished {
                state.aborted = true;
                self.end_rank(member, s.now());
                self.population.aborts.spare_others();
                self.attentive = true;
            }
        }
    }

    /// Reports whether some rank was ended by another's abort and every rank has ended: then the
    /// ranks that were not aborted decide.
    pub(crate) fn all_others_finished(&self) -> bool {
        self.population.aborts.are_partial() && self.ranks.iter().all(|rank| rank.finished)
    }

    /// Records that a rank has ended, and tells the network if it was the last one.
    pub(crate) fn end_rank(&mut self, rank: u32, now: SimTime) {
        let state = &mut self.ranks[rank as usize];
        state.totals.finish = now;
        state.finished = true;
        // The ranks before this one have been looked at.
        let mut ended = self.population.ended;
        while self.ranks.get(ended).is_some_and(|rank| rank.finished) {
            ended += 1;
        }
        self.population.ended = ended;
        if ended == self.ranks.len() {
            self.wire.note_end(now);
        }
    }

    /// Reports whether every rank has ended, even if threads of some are left.
    pub(crate) fn all_finished(&self) -> bool {
        self.ranks.iter().all(|rank| rank.finished)
    }

    /// Executes `MPI_Finalize`, which only the main thread may call.
    pub(crate) fn finalize(&mut self, rank: u32, s: &mut Sched) {
        if !(self.has_threads() && self.finalized_too_early(rank, s)) {
            self.end_mpi(rank, s);
        }
    }

    /// Ends the use of MPI by a rank, and reports leftover objects.
    pub(crate) fn end_mpi(&mut self, rank: u32, s: &mut Sched) {
        self.ranks[rank as usize].rest.finalized = true;
        self.report_leaks(rank);
        self.report_freed(rank);
        let now = s.now();
        self.answer(rank, now, FREE, Reply::Done, s);
    }

    fn report_leaks(&mut self, rank: u32) {
        let state = &self.ranks[rank as usize];
        for site in state.rest.types.values() {
            self.journal.leaks.note(rank, Leak::Object(Object::Datatype), *site);
        }
        for site in state.rest.comms.values() {
            self.journal.leaks.note(rank, Leak::Object(Object::Communicator), *site);
        }
        for site in self.population.ports.opened_by(rank) {
            self.journal.leaks.note(rank, Leak::Object(Object::Port), site);
        }
        for site in self.population.ports.published_by(rank) {
            self.journal.leaks.note(rank, Leak::Object(Object::PublishedName), site);
        }
        let open = self.requests.iter().take(if state.open_requests > 0 { usize::MAX } else { 0 });
        for (index, request) in open {
            let is_open = request.rank == rank && request.owner == Owner::Program;
            if is_open && !self.books.unended.contains(&self.request_id(index)) {
                let leak = match request.state {
                    State::Inactive => Leak::Object(Object::PersistentRequest),
                    State::Active | State::Complete => Leak::Request,
                };
                self.journal.leaks.note(rank, leak, request.site);
            }
        }
        if !self.settings.environment.policies.differs(Policy::AttachedBuffer) {
            for attached in state.rest.buffers.iter() {
                self.journal.leaks.note(rank, Leak::Object(Object::AttachedBuffer), attached.site);
            }
        }
    }

    /// Reports requests that were freed and are not complete now, since nothing guarantees that
    /// they ever will be; by policy, all that were freed instead of completed.
    fn report_freed(&mut self, rank: u32) {
        let every = self.settings.environment.policies.differs(Policy::FreedRequest);
        for (id, call, site) in std::mem::take(&mut self.ranks[rank as usize].rest.freed) {
            if every || self.live(id).is_some() {
                self.journal.leaks.note(rank, Leak::Freed(call), site);
            }
        }
    }
}

/// Returns the messages of a table in order of sending. Their slots are in another order when other
/// messages went a way that needs no slot.
fn left_over(messages: &Slab<Message>) -> impl Iterator<Item = &Message> {
    let mut all: Vec<&Message> = messages.iter().map(|(_, message)| message).collect();
    all.sort_unstable_by_key(|message| message.id);
    all.into_iter()
}

/// Returns the call that made a persistent receive for a message but never started it.
fn receive_for<'a>(m: &Message, unstarted: &'a [Unstarted]) -> Option<&'a CallSite> {
    let fits = |idle: &&Unstarted| match idle.operation {
        Idle::Receive(pattern) => {
            idle.place.rank == m.target && pattern.accepts(m.context, m.source_rank, m.tag)
        }
        Idle::Send { .. } => false,
    };
    unstarted.iter().find(fits).map(|idle| &idle.place)
}

fn undelivered(m: &Message) -> Record {
    let (source, target, protocol) = (m.source, m.target, m.protocol);
    Record::Undelivered { source, target, tag: m.traced_tag(), bytes: m.bytes(), protocol }
}

impl MpiKernel {
    /// Returns the time at which the last rank ended.
    pub(crate) fn last_finish(&self) -> SimTime {
        self.ranks.iter().map(|rank| rank.totals.finish).max().unwrap_or_default()
    }

    /// Removes a cancelled message.
    pub(crate) fn drop_message(&mut self, message: u32) {
        if let Some(sink) = &mut self.journal.sink {
            sink.record(undelivered(&self.messages[message]));
        }
        self.messages.free(message);
    }

    /// Records in the trace the messages that were sent and not received.
    pub(crate) fn record_undelivered(&mut self) {
        let Some(sink) = &mut self.journal.sink else { return };
        left_over(&self.messages).for_each(|m| sink.record(undelivered(m)));
        self.books.channels.under_way().for_each(|parcel| sink.record(parcel));
    }

    /// Returns the messages that no rank received, after all ranks have ended.
    pub(crate) fn unreceived(&self) -> Findings {
        let mut findings = Findings::default();
        let mut messages =
            left_over(&self.messages).filter(|m| m.context % 2 == 0 && !m.cancelled).peekable();
        let unstarted = messages.peek().map_or_else(Vec::new, |_| self.unstarted_requests());
        for m in messages {
            let (source, target) = (m.source, m.target);
            let send = CallSite {
                rank: source,
                call: m.site.call_or("send"),
                site: m.site.known(),
                peer: Some(target),
                tag: Some(m.tag),
                bytes: Some(m.bytes()),
                message: Some(m.ordinal),
                label: check::unreceived_message::label(target),
            };
            findings.add(match receive_for(m, &unstarted) {
                Some(made) => check::near_miss::unreceived(made.clone(), send),
                None => match self.books.taker(m.id) {
                    Some(CallPlace { call, site }) => {
                        let probe = CallSite::at(target, site, call, String::new());
                        check::unreceived_message::of_taken(send, probe)
                    }
                    None => check::unreceived_message::of_message(send, target),
                },
            });
        }
        findings
    }
}
