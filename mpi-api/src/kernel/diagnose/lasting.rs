//! Ranks that wait for each other for ever while others go on.
//!
//! A run comes to rest, and its deadlock is explained, only once nothing happens in it any more. If ranks that are not
//! part of the deadlock exchange messages without end, that moment never comes. So now and then the kernel looks for ranks
//! whose calls can never return, whatever the others do (the AND-OR model of Hilbrich et al., "Distributed wait state
//! tracking for runtime MPI deadlock detection", SC 2013). It is a matter of proof: a rank of which this is not certain at
//! that moment, such as one to which a message is under way, counts as one that goes on.

use std::collections::BTreeSet;

use crate::{
    call::{Completing, RequestId},
    kernel::{
        MpiKernel, Sched,
        diagnose::lookout::{Need, Needs, stuck_for_ever},
        request::{
            completion::Blocked,
            table::{Kind, Pattern, State},
        },
        transport::message::{NONE, Phase},
    },
};

/// Most ranks of a run in which such ranks are looked for.
const RANKS_MAX: usize = 4096;

impl MpiKernel {
    /// Ends a run in which some ranks wait for ever, though others go on.
    pub(in crate::kernel) fn look_for_lasting_stall(&mut self, s: &mut Sched) {
        if !self.lookout.is_due(s.events()) {
            return;
        }
        self.lookout.stuck = self.lasting_stall();
        if !self.lookout.stuck.is_empty() {
            s.stall();
        }
    }

    /// Returns the ranks whose calls can never return, whatever the other ranks do.
    pub(in crate::kernel) fn lasting_stall(&self) -> Vec<u32> {
        if self.ranks.len() > RANKS_MAX {
            return Vec::new();
        }
        let unsettled = self.unsettled();
        let needs: Vec<Option<Needs>> =
            (0..self.ranks.len() as u32).map(|rank| self.goes_on_with(rank, &unsettled)).collect();
        let finished: Vec<bool> = self.ranks.iter().map(|rank| rank.finished).collect();
        stuck_for_ever(&needs, &finished)
    }

    /// Returns the ranks to which something is under way, or for which there is a message that a receive of theirs could
    /// take.
    fn unsettled(&self) -> BTreeSet<u32> {
        let messages = self.messages.iter().filter(|(_, m)| match m.phase {
            Phase::Preparing | Phase::Travelling | Phase::Matched => true,
            Phase::Unexpected => {
                let queues = &self.ranks[m.target as usize].queues;
                queues.first_posted(m, &self.requests).is_some()
            }
        });
        messages.map(|(_, m)| m.target).chain(self.collectives.receivers()).collect()
    }

    /// Returns what a rank needs to go on. `None` if it is not blocked, or what it needs is not certain.
    fn goes_on_with(&self, rank: u32, unsettled: &BTreeSet<u32>) -> Option<Needs> {
        let state = &self.ranks[rank as usize];
        if state.finished || state.threads.is_some() || unsettled.contains(&rank) {
            return None;
        }
        match state.blocked.as_ref()? {
            Blocked::Call(requests) => Some(Needs::All(self.needs_of(rank, requests))),
            Blocked::Direct if state.direct.is_sending() => None,
            Blocked::Direct => match state.direct.posted() {
                Some((pattern, ..)) => Some(Needs::All(vec![self.senders(rank, pattern)])),
                None => Some(Needs::All(self.needs_of(rank, state.direct.request().as_slice()))),
            },
            Blocked::Wait(list, how) => self.needs_of_wait(rank, list, *how),
            Blocked::Probe { pattern, .. } => {
                let has_message = state.queues.first_unexpected(*pattern, &self.messages).is_some();
                (!has_message).then(|| Needs::All(vec![self.senders(rank, *pattern)]))
            }
            Blocked::Collective(execution) => {
                Some(Needs::All(self.needs_of_collective(*execution, unsettled)))
            }
            Blocked::Posting(_)
            | Blocked::Detach(_)
            | Blocked::Join(_)
            | Blocked::Window(..)
            | Blocked::Parked(..)
            | Blocked::Storage(_) => None,
        }
    }

    fn needs_of_wait(&self, rank: u32, list: &[RequestId], how: Completing) -> Option<Needs> {
        let live: Vec<u32> = list.iter().filter_map(|id| self.live(*id)).collect();
        match how {
            Completing::All => Some(Needs::All(self.needs_of(rank, &live))),
            Completing::Any | Completing::Some => {
                let needs: Option<Vec<Need>> =
                    live.iter().map(|request| self.need(rank, *request)).collect();
                needs.filter(|needs| !needs.is_empty()).map(Needs::Any)
            }
        }
    }

    /// Returns what these requests certainly need.
    fn needs_of(&self, rank: u32, requests: &[u32]) -> Vec<Need> {
        let open = requests.iter().filter(|request| **request != NONE);
        open.filter_map(|request| self.need(rank, *request)).collect()
    }

    /// Returns what completes a request: `None` if that is not certain, or nothing is needed.
    fn need(&self, rank: u32, index: u32) -> Option<Need> {
        let request = self.requests.get(index).filter(|one| one.state == State::Active)?;
        match &request.kind {
            Kind::Receive(incoming) => {
                let pattern = Pattern::of(incoming.comm, incoming.source, incoming.tag);
                let queues = &self.ranks[rank as usize].queues;
                let is_posted = queues.is_posted(pattern, index, &self.requests);
                is_posted.then(|| self.senders(rank, pattern))
            }
            Kind::Send(_) => self.receivers(rank, index),
            Kind::Collective(_)
            | Kind::OneSided { .. }
            | Kind::Generalized
            | Kind::File
            | Kind::Partitioned { .. }
            | Kind::Flush => None,
        }
    }

    /// Returns the ranks one of which has to receive something before a send can complete.
    fn receivers(&self, rank: u32, request: u32) -> Option<Need> {
        let m = self.untaken_message(request)?;
        if self.ranks[m.target as usize].queues.first_posted(m, &self.requests).is_some() {
            return None;
        }
        let mut receivers = vec![m.target];
        if m.in_line {
            // It may also find room in the pool, once another message of its sender leaves that.
            let pooled = self.messages.iter().filter(|(_, other)| other.pooled);
            receivers.extend(
                pooled.filter(|(_, other)| other.source == rank).map(|(_, other)| other.target),
            );
        }
        Some(receivers)
    }

    /// Returns what an execution of a collective certainly needs: each rank that has not entered and for whose data it, or one
    /// that it waits for, waits.
    fn needs_of_collective(&self, execution: u32, unsettled: &BTreeSet<u32>) -> Vec<Need> {
        let (mut open, mut seen) = (vec![execution], BTreeSet::from([execution]));
        let mut missing = BTreeSet::new();
        while let Some(index) = open.pop() {
            let e = self.collectives.execution(index);
            if unsettled.contains(&e.rank) {
                continue;
            }
            let awaited: Vec<u32> = match e.gated {
                true if self.is_docked(e.instance, e.members.size()) => continue,
                true if !self.unborn(e.instance).is_empty() => continue,
                true => e.members.to_vec(),
                false => e.awaited().map(|place| e.members.world_rank(place)).collect(),
            };
            for rank in awaited {
                if !self.has_begun(rank, e.instance) {
                    missing.insert(rank);
                } else if let Some(next) = self.part_in(rank, e).filter(|next| seen.insert(*next)) {
                    open.push(next);
                }
            }
        }
        missing.into_iter().map(|rank| vec![rank]).collect()
    }
}
