//! Phases of a window's program, each with one kind of synchronisation.

use super::{super::Feature, Builder, Draft};
use crate::plan::window::{Deed, Promise, Turn};

impl Builder {
    /// Adds one phase. All ranks are in the same one: whatever holds a lock waits for nobody else.
    pub(super) fn phase(&mut self, draft: &mut Draft) {
        match self.below(4) {
            0 => self.fences(draft),
            1 => self.groups(draft),
            2 => self.locks(draft),
            _ => self.locks_of_all(draft),
        }
    }

    fn fences(&mut self, draft: &mut Draft) {
        let fenced = matches!(draft.window.turns.last(), Some(Turn::Fence { last: false, .. }));
        if !fenced || self.one_in(4) {
            draft.push(Turn::fence(self.one_in(3), false));
        }
        for _ in 0..self.range(1, 3) {
            self.uses(draft, &Reach::Any);
            draft.push(Turn::fence(false, false));
        }
        if self.one_in(2)
            && let Some(Turn::Fence { last, .. }) = draft.window.turns.last_mut()
        {
            *last = true;
        }
    }

    fn groups(&mut self, draft: &mut Draft) {
        let size = draft.window.size();
        let mut edges = Vec::new();
        for origin in 0..size {
            for target in 0..size {
                if self.one_in(2) {
                    edges.push((origin, target));
                }
            }
        }
        let origins = |target: u32| -> Vec<u32> {
            edges.iter().filter(|edge| edge.1 == target).map(|edge| edge.0).collect()
        };
        let targets = |origin: u32| -> Vec<u32> {
            edges.iter().filter(|edge| edge.0 == origin).map(|edge| edge.1).collect()
        };
        for target in 0..size {
            if !origins(target).is_empty() {
                draft.deed(target, Deed::Post(origins(target), Promise::default()));
            }
        }
        if draft.window.unchecked {
            draft.push(Turn::Barrier);
        }
        for origin in 0..size {
            if !targets(origin).is_empty() {
                draft.deed(origin, Deed::Start(targets(origin)));
            }
        }
        self.uses(draft, &Reach::Edges(edges.clone()));
        for origin in 0..size {
            if !targets(origin).is_empty() {
                draft.deed(origin, Deed::Complete);
            }
        }
        for target in 0..size {
            if !origins(target).is_empty() {
                draft.deed(target, Deed::Wait { polls: self.one_in(3) });
                self.own_use(draft, target);
            }
        }
    }

    fn locks(&mut self, draft: &mut Draft) {
        let size = u64::from(draft.window.size());
        // Memory that a group may still access is not to be locked.
        draft.push(Turn::Barrier);
        for _ in 0..self.range(1, 2 * size + 1) {
            let rank = self.below(size) as u32;
            let target = self.below(size) as u32;
            let exclusive = self.one_in(2);
            draft.deed(rank, Deed::Lock(target, exclusive));
            for _ in 0..self.range(1, 4) {
                self.access_by(draft, rank, target, true);
                if rank == target {
                    self.own_use(draft, rank);
                }
                self.flushes(draft, rank, target);
            }
            // The end of the epoch completes accesses with requests, too; these are waited for all the same.
            let early = self.one_in(2);
            if early {
                self.finish_all(draft, rank);
            }
            draft.deed(rank, Deed::Unlock(target));
            if !early {
                self.finish_all(draft, rank);
            }
            // Nobody holds a lock between two sessions of the same rank.
            self.tell(draft);
        }
        draft.push(Turn::Barrier);
    }

    fn locks_of_all(&mut self, draft: &mut Draft) {
        let size = draft.window.size();
        draft.push(Turn::Barrier);
        (0..size).for_each(|rank| draft.deed(rank, Deed::LockAll));
        for round in 0..self.range(1, 4) {
            if round > 0 {
                for rank in 0..size {
                    if self.one_in(2) {
                        self.finish_all(draft, rank);
                    }
                    draft.deed(rank, Deed::Flush(None));
                }
                draft.push(Turn::Barrier);
            }
            for _ in 0..self.range(1, 2 * u64::from(size) + 2) {
                let (rank, target) = (self.member(draft), self.member(draft));
                self.access_by(draft, rank, target, true);
                self.flushes(draft, rank, target);
                if self.one_in(4) {
                    let rank = self.member(draft);
                    self.own_use(draft, rank);
                }
                self.tell(draft);
            }
        }
        for rank in 0..size {
            self.finish_all(draft, rank);
            draft.deed(rank, Deed::UnlockAll);
        }
        draft.push(Turn::Barrier);
    }

    /// Adds some accesses and uses of the ranks' own memory.
    fn uses(&mut self, draft: &mut Draft, reach: &Reach) {
        for _ in 0..self.range(1, 3 * u64::from(draft.window.size()) + 2) {
            if self.one_in(4) {
                let rank = self.member(draft);
                self.own_use(draft, rank);
                continue;
            }
            let (rank, target) = match reach {
                Reach::Any => (self.member(draft), self.member(draft)),
                Reach::Edges(edges) if edges.is_empty() => return,
                Reach::Edges(edges) => self.pick(edges),
            };
            self.access_by(draft, rank, target, false);
        }
    }

    pub(super) fn member(&mut self, draft: &Draft) -> u32 {
        self.below(u64::from(draft.window.size())) as u32
    }

    /// Adds flushes that the program does not need, and some that later accesses do.
    fn flushes(&mut self, draft: &mut Draft, rank: u32, target: u32) {
        let one = if self.one_in(3) { None } else { Some(target) };
        match self.below(8) {
            0 | 1 => draft.deed(rank, Deed::Flush(one)),
            2 => draft.deed(rank, Deed::FlushLocal(one)),
            3 if self.one_in(3) => draft.deed(rank, Deed::Sync),
            4 => {
                let open = draft.unfinished(rank);
                if !open.is_empty() {
                    let id = self.pick(&open);
                    draft.deed(rank, Deed::Finish(id));
                }
            }
            _ => {}
        }
    }

    /// Sometimes adds a message between two ranks: what the sender knows to be complete is ordered with what
    /// the receiver does next.
    fn tell(&mut self, draft: &mut Draft) {
        let (from, to) = (self.member(draft), self.member(draft));
        if from != to && self.one_in(3) {
            draft.push(Turn::Tell(from, to));
        }
    }

    fn finish_all(&mut self, draft: &mut Draft, rank: u32) {
        let mut open = draft.unfinished(rank);
        self.shuffle(&mut open);
        open.into_iter().for_each(|id| draft.deed(rank, Deed::Finish(id)));
    }

    /// Adds a load or a store of a rank's own memory, if it is right; sometimes the rank computes before.
    pub(super) fn own_use(&mut self, draft: &mut Draft, rank: u32) {
        if self.on(Feature::Compute) && self.one_in(3) {
            draft.deed(rank, Deed::Compute(self.below(20_000)));
        }
        let bytes = draft.window.bytes[rank as usize];
        if bytes == 0 {
            return;
        }
        let first = self.below(bytes);
        let count = self.range(1, bytes - first + 1);
        let deed = if self.one_in(2) {
            Deed::Load(first, count)
        } else {
            Deed::Store(first, count, draft.next_store())
        };
        draft.try_deed(rank, deed);
    }
}

/// Which ranks may access which.
enum Reach {
    Any,
    /// These origins these targets.
    Edges(Vec<(u32, u32)>),
}
