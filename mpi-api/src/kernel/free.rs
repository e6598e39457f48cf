//! What is free when all is at rest: while match orders are explored, wildcards and waits for any
//! take their pick only when nothing else can happen, so that every message that can be there is.
//!
//! Of several ranks with a free choice the lowest one chooses first, or lets the others go before
//! it: their choices may bring it further messages. A rank that has let others go first chooses
//! again only among what is new.

use super::{
    MpiKernel, Sched,
    completion::Blocked,
    request::{ANY_SOURCE, Pattern},
};
use crate::call::Completing;

/// One rank's free choice.
enum Free {
    /// A blocked probe for any source, among messages; whether it takes the message.
    Probe(bool, Vec<u32>),
    /// A wait for any, among positions of its list.
    WaitAny(Vec<u32>),
    /// A posted receive from any source, among messages.
    Receive(u32, Pattern, Vec<u32>),
}

impl Free {
    fn alternatives(&self) -> &[u32] {
        match self {
            Self::Probe(_, list) | Self::WaitAny(list) | Self::Receive(_, _, list) => list,
        }
    }
}

impl MpiKernel {
    /// Nothing else can happen: one rank's free choice is made. False if there is none.
    pub(crate) fn resolve(&mut self, s: &mut Sched) -> bool {
        if !self.chooser.defers() {
            return false;
        }
        let ranks = 0..self.ranks.len() as u32;
        let free: Vec<(u32, Free)> =
            ranks.filter_map(|rank| Some((rank, self.free_choice(rank)?))).collect();
        for position in 0..free.len() {
            let (rank, choice) = &free[position];
            let alternatives = choice.alternatives();
            let others = position + 1 < free.len();
            if others && self.has_waived(*rank, alternatives) {
                continue;
            }
            let taken = self.chooser.choose(alternatives.len() + usize::from(others));
            if let Some(taken) = alternatives.get(taken).copied() {
                self.waived.remove(rank);
                self.take_choice(*rank, choice, taken, s);
                return true;
            }
            self.waived.insert(*rank, alternatives.to_vec());
        }
        let Some((rank, choice)) = free.first() else { return false };
        // All have let each other go first: this order is the one without waiving.
        self.waived.clear();
        let taken = choice.alternatives()[0];
        self.take_choice(*rank, choice, taken, s);
        true
    }

    /// Whether the rank has let others go first with these same alternatives.
    fn has_waived(&self, rank: u32, alternatives: &[u32]) -> bool {
        let waived = self.waived.get(&rank);
        waived.is_some_and(|old| alternatives.iter().all(|new| old.contains(new)))
    }

    fn free_choice(&self, rank: u32) -> Option<Free> {
        let state = &self.ranks[rank as usize];
        match &state.blocked {
            Some(Blocked::Probe { pattern, take }) => {
                let heads = state.queues.heads(*pattern, &self.messages);
                if !heads.is_empty() {
                    return Some(Free::Probe(*take, heads));
                }
            }
            Some(Blocked::Wait(list, Completing::Any)) => {
                let (_, complete) = self.survey(list);
                if !complete.is_empty() {
                    let places = complete.into_iter().map(|place| place as u32).collect();
                    return Some(Free::WaitAny(places));
                }
            }
            _ => {}
        }
        self.free_receive(rank)
    }

    /// The earliest posted receive from any source for which a message is there.
    fn free_receive(&self, rank: u32) -> Option<Free> {
        let queues = &self.ranks[rank as usize].queues;
        let met = |message: u32| queues.first_posted(&self.messages[message], &self.requests);
        let (request, pattern) = queues
            .waiting()
            .filter_map(met)
            .filter(|(_, pattern)| pattern.source == ANY_SOURCE)
            .min_by_key(|(request, _)| self.requests[*request].order)?;
        let mut heads = queues.heads(pattern, &self.messages);
        heads.retain(|head| met(*head).map(|found| found.0) == Some(request));
        Some(Free::Receive(request, pattern, heads))
    }

    fn take_choice(&mut self, rank: u32, choice: &Free, taken: u32, s: &mut Sched) {
        match choice {
            Free::Probe(take, _) => {
                self.ranks[rank as usize].blocked = None;
                self.found(rank, taken, *take, s);
            }
            Free::WaitAny(_) => self.end_wait_any(rank, taken as usize, s),
            Free::Receive(request, pattern, _) => {
                self.pair_up(rank, taken, *request, *pattern, s);
                self.rematch(rank, s);
            }
        }
    }
}
