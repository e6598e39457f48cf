//! The wait and test families (MPI section 3.7).

use sim_core::{SimDuration, SimTime};

use crate::kernel::{
    MpiKernel, Sched,
    request::completion::Blocked,
    request::polling::Sought,
    request::table::{Kind, State},
    transport::message::Vacate,
    transport::receive::{FREE, received_bytes},
};
use crate::{
    call::{Completing, Completion, Reply, RequestId},
    object::status::Status,
    outcome::{Among, Chosen},
};

impl MpiKernel {
    /// Returns the number of active requests in a list, and how many of these are complete.
    fn count(&self, list: &[RequestId]) -> (usize, usize) {
        let requests = list.iter().filter_map(|id| self.live_request(*id));
        requests.fold((0, 0), |(active, complete), request| match request.state {
            State::Inactive => (active, complete),
            State::Active => (active + 1, complete),
            State::Complete => (active + 1, complete + 1),
        })
    }

    /// Returns the number of the list's active requests, and the positions of those that are
    /// complete.
    pub(crate) fn survey(&self, list: &[RequestId]) -> (usize, Vec<usize>) {
        let mut active = 0;
        let mut complete = Vec::with_capacity(list.len());
        for (position, id) in list.iter().enumerate() {
            let Some(request) = self.live_request(*id) else { continue };
            match request.state {
                State::Inactive => {}
                State::Active => active += 1,
                State::Complete => {
                    active += 1;
                    complete.push(position);
                }
            }
        }
        (active, complete)
    }

    pub(crate) fn wait(&mut self, rank: u32, list: Vec<RequestId>, how: Completing, s: &mut Sched) {
        if self.has_threads() && self.awaited_twice(rank, &list, s) {
            return;
        }
        if how != Completing::All && self.try_end_wait(rank, &list, how, true, s) {
            return;
        }
        // The missing requests are counted once, so that a completion among thousands does not have
        // to search the list.
        let mut missing = 0;
        for id in &list {
            let Some(request) = self.live_request_mut(*id) else { continue };
            if request.state == State::Active && !request.awaited {
                request.awaited = true;
                missing += 1;
            }
        }
        if missing == 0 && how == Completing::All && self.try_end_wait(rank, &list, how, true, s) {
            return;
        }
        let state = &mut self.ranks[rank as usize];
        state.missing = missing;
        state.blocked = Some(Blocked::Wait(list, how));
    }

    /// Ends a wait: requests that have not completed are no longer awaited.
    fn forget(&mut self, rank: u32, list: &[RequestId]) {
        if std::mem::take(&mut self.ranks[rank as usize].missing) == 0 {
            return;
        }
        for id in list {
            if let Some(index) = self.live(*id) {
                self.requests[index].awaited = false;
            }
        }
    }

    pub(in crate::kernel) fn try_end_wait(
        &mut self,
        rank: u32,
        list: &[RequestId],
        how: Completing,
        blocking: bool,
        s: &mut Sched,
    ) -> bool {
        let (active, done) = self.count(list);
        let now = s.now();
        if active == 0 {
            let empty = if how == Completing::All {
                Reply::Completions(Vec::new())
            } else {
                Reply::Undefined
            };
            self.answer(rank, now, FREE, empty, s);
            return true;
        }
        let enough = match how {
            Completing::All => done == active,
            // A request that completes later is a legal choice, too, and so is each of several: that is decided when
            // nothing else can happen.
            Completing::Any | Completing::Some if blocking && self.defers(rank) => {
                done == active && active == 1
            }
            Completing::Any | Completing::Some => done > 0,
        };
        if !enough {
            return false;
        }
        if how == Completing::All && active == list.len() {
            self.forget(rank, list);
            self.hand_over(rank, list, 0..list.len(), s);
            return true;
        }
        let (_, complete) = self.survey(list);
        self.forget(rank, list);
        let chosen = self.chosen(rank, &complete, &complete, how);
        self.hand_over(rank, list, chosen, s);
        true
    }

    /// Reports whether free choices of the rank wait until nothing else can happen. A rank with
    /// several threads makes its choices at once: only the thread whose call is in progress can be
    /// deferred.
    pub(crate) fn defers(&self, rank: u32) -> bool {
        self.exploration.chooser.defers() && self.ranks[rank as usize].threads.is_none()
    }

    /// Returns the positions of the requests that a deferred wait for any or some reports: at least one of those in
    /// `open`, the one that is `planned` if there is a plan.
    pub(crate) fn choose_in_wait(
        &mut self,
        rank: u32,
        open: &[u32],
        planned: Option<u32>,
    ) -> Vec<usize> {
        let Some(Blocked::Wait(list, how)) = &self.ranks[rank as usize].blocked else {
            return Vec::new();
        };
        let how = *how;
        let complete = self.survey(list).1;
        let planned = open.iter().position(|position| Some(*position) == planned);
        let open: Vec<usize> = open.iter().map(|position| *position as usize).collect();
        match planned {
            Some(at) => {
                let by = self.chooses_request(rank);
                let chooser = &mut self.exploration.chooser;
                chooser.take_planned_request((open.len(), at), open[at], by);
                vec![open[at]]
            }
            None => self.chosen(rank, &complete, &open, how),
        }
    }

    /// Ends a deferred wait for any or some with these requests.
    pub(crate) fn end_wait_with(&mut self, rank: u32, chosen: Vec<usize>, s: &mut Sched) {
        let waiting = self.ranks[rank as usize].blocked.take();
        if let Some(Blocked::Wait(list, _)) = waiting {
            self.forget(rank, &list);
            self.hand_over(rank, &list, chosen, s);
        }
    }

    fn chooses_request(&self, rank: u32) -> Chosen {
        Chosen { among: Among::Requests, ..self.ranks[rank as usize].chooses(rank) }
    }

    /// Returns the complete requests that a call reports: a wait for any reports one of `open`; one
    /// for some, where orders are explored, any of them among which is one of `open`.
    fn chosen(
        &mut self,
        rank: u32,
        complete: &[usize],
        open: &[usize],
        how: Completing,
    ) -> Vec<usize> {
        let alternatives = match how {
            Completing::Any => open.len(),
            Completing::Some if complete.len() > 1 && self.defers(rank) => {
                selections(complete.len(), open.len())
            }
            Completing::Some | Completing::All => return complete.to_vec(),
        };
        let by = self.chooses_request(rank);
        let chooser = &mut self.exploration.chooser;
        chooser.choose_requests(alternatives, by, |taken| selection(complete, open, taken))
    }

    /// Answers a call with the results of the requests at these positions.
    fn hand_over(
        &mut self,
        rank: u32,
        list: &[RequestId],
        positions: impl IntoIterator<Item = usize>,
        s: &mut Sched,
    ) {
        let mut cost = SimDuration::ZERO;
        let mut background = SimDuration::ZERO;
        let mut completions = Vec::with_capacity(list.len());
        for position in positions {
            if self.history.is_some() || self.windows.were_made() {
                self.follow_collected(rank, list[position]);
            }
            // A list may name a request twice; it no longer exists the second time.
            let Some((price, worked)) = self.collect(list[position], |completion| {
                completions.push((position, completion));
            }) else {
                continue;
            };
            cost += price;
            background += worked;
        }
        let now = s.now();
        if background > SimDuration::ZERO {
            self.tell_background(rank, background, now);
        }
        self.answer(rank, now, cost, Reply::Completions(completions), s);
    }

    /// Books background work of collectives on a rank that has waited until `now`: the work lies at
    /// the end of the wait, as far as it was not done before.
    fn tell_background(&mut self, rank: u32, worked: SimDuration, now: SimTime) {
        let since = self.ranks[rank as usize].busy_until;
        if now > since {
            let worked = worked.min(now.since(since));
            self.wait_until(rank, SimTime::from_ps(now.as_ps() - worked.as_ps()));
            self.charge(rank, worked);
        }
    }

    /// Returns the cost for the rank of taking the result of a complete request.
    #[inline]
    pub(in crate::kernel) fn price(&self, index: u32) -> SimDuration {
        let request = &self.requests[index];
        let costs = &self.settings.costs;
        match &request.kind {
            Kind::Send(_) => costs.wait_send,
            Kind::Receive(_) if request.payload.is_none() => FREE,
            Kind::Receive(incoming) => {
                let bytes = received_bytes(request);
                costs.wait_receive + self.taking(bytes, incoming.layout, request.copies)
            }
            Kind::Partitioned { .. } => costs.wait_send,
            Kind::Collective(_)
            | Kind::Generalized
            | Kind::Flush
            | Kind::OneSided { .. }
            | Kind::File => FREE,
        }
    }

    /// Takes the result out of a complete request and passes it to `take`: a value that is returned is
    /// copied. Returns its cost and the work that was done for it in the background; a persistent
    /// request becomes inactive. `None` if there is no such request any more.
    #[inline(always)]
    fn collect(
        &mut self,
        id: RequestId,
        take: impl FnOnce(Completion),
    ) -> Option<(SimDuration, SimDuration)> {
        let price = if self.shortcuts.free_waits { FREE } else { self.price(self.live(id)?) };
        let request = self.live_request_mut(id)?;
        let background = std::mem::take(&mut request.background);
        take(request.completion());
        if request.persistent {
            request.state = State::Inactive;
            request.status = Status::empty();
            request.copies = false;
        } else {
            let rank = request.rank;
            request.vacate();
            self.requests.give_back(id.index);
            self.ranks[rank as usize].open_requests -= 1;
        }
        Some((price, background))
    }

    pub(crate) fn test(&mut self, rank: u32, list: &[RequestId], how: Completing, s: &mut Sched) {
        if self.has_threads() && self.awaited_twice(rank, list, s) {
            return;
        }
        // A rank that has nothing to test, and does so again and again, polls for something else.
        if list.is_empty() {
            self.failed_poll(rank, Sought::Other, s);
        } else if self.refuses_test(list) || !self.try_end_wait(rank, list, how, false, s) {
            self.failed_poll(rank, Sought::Requests(list), s);
        }
    }
}

/// The most requests of which every selection is tried. More are reported one by one or all together:
/// their orders are too many to be tried anyway.
const SELECTED_MAX: usize = 16;

/// Returns how many ways there are to select some of `count` requests, among them at least one of `open`.
fn selections(count: usize, open: usize) -> usize {
    if count > SELECTED_MAX { open + 1 } else { (1 << count) - (1 << (count - open)) }
}

/// Returns one selection of these positions with at least one of `open`, by its number: first each of these alone, then
/// all, then the others.
fn selection(all: &[usize], open: &[usize], number: usize) -> Vec<usize> {
    let count = all.len();
    match number.checked_sub(open.len()) {
        None => vec![open[number]],
        Some(0) => all.to_vec(),
        Some(further) => {
            let places = (0..count).filter(|place| open.contains(&all[*place]));
            let open = places.fold(0_usize, |set, place| set | 1 << place);
            let is_between = |set: &usize| (2..count).contains(&(set.count_ones() as usize));
            let mut sets = (0..1_usize << count).filter(|set| is_between(set) && set & open != 0);
            let set = sets.nth(further - 1).unwrap_or_default();
            let is_in = |place: &usize| set & (1 << place) != 0;
            (0..count).filter(is_in).map(|place| all[place]).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{SELECTED_MAX, selection, selections};

    #[test]
    fn every_selection_has_one_number() {
        for count in 1..=6 {
            let all: Vec<usize> = (10..10 + count).collect();
            for open in (1..=count).map(|open| &all[count - open..]) {
                let numbers = 0..selections(count, open.len());
                let sets = numbers.clone().map(|number| selection(&all, open, number));
                let different: BTreeSet<Vec<usize>> = sets.collect();
                assert_eq!(different.len(), numbers.len());
                assert_eq!(different.len(), (1 << count) - (1 << (count - open.len())));
                let is_right =
                    |set: &Vec<usize>| set.is_sorted() && set.iter().any(|one| open.contains(one));
                assert!(different.iter().all(is_right));
            }
        }
    }

    #[test]
    fn many_are_reported_one_by_one_or_all() {
        let all: Vec<usize> = (0..=SELECTED_MAX).collect();
        assert_eq!(selections(all.len(), all.len()), all.len() + 1);
        assert_eq!(selection(&all, &all, 3), [3]);
        assert_eq!(selection(&all, &all, all.len()), all);
        assert_eq!(selections(all.len(), 2), 3);
        assert_eq!(selection(&all, &[4, 7], 1), [7]);
        assert_eq!(selection(&all, &[4, 7], 2), all);
    }
}
