//! Worksharing constructs: what the threads of a team share while they execute one (OpenMP 5.2,
//! chapter 11).

use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use super::{
    block::Block,
    schedule::{Schedule, Space},
};

/// One execution of a worksharing construct by a team.
pub(super) struct Share {
    /// Number of threads that have reached it.
    pub(super) entered: Cell<u32>,
    pub(super) work: Work,
    pub(super) cancelled: Cell<bool>,
    /// Memory that its threads share, if the compiler asks for some.
    pub(super) memory: RefCell<Option<Block>>,
    /// Private copies for the reductions of its tasks: where the memory begins and ends.
    pub(super) copies: Cell<(usize, usize)>,
}

/// The work that is shared.
pub(super) enum Work {
    Loop(Loop),
    Sections {
        count: u32,
        /// Number of sections that have been given out.
        next: Cell<u32>,
    },
    Single {
        /// The values that the executing thread broadcasts, once it has.
        copied: Cell<Option<usize>>,
    },
    Scope,
}

/// A loop whose iterations are divided while it runs.
pub(super) struct Loop {
    pub(super) space: Space,
    pub(super) schedule: Schedule,
    /// The first iteration that no thread has got.
    pub(super) next: Cell<u64>,
    /// The turns of its chunks, if it has `ordered` regions.
    pub(super) order: Option<RefCell<Order>>,
    /// Number of iterations of each loop of a `doacross` nest; empty for others.
    pub(super) nest: Vec<u64>,
    pub(super) posts: RefCell<Posts>,
}

impl Share {
    pub(super) fn new(work: Work) -> Self {
        Self {
            entered: Cell::new(0),
            work,
            cancelled: Cell::new(false),
            memory: RefCell::new(None),
            copies: Cell::new((0, 0)),
        }
    }
}

impl Loop {
    pub(super) fn new(space: Space, schedule: Schedule, is_ordered: bool) -> Self {
        Self {
            space,
            schedule,
            next: Cell::new(0),
            order: is_ordered.then(RefCell::default),
            nest: Vec::new(),
            posts: RefCell::default(),
        }
    }
}

/// The turns of chunks in a loop with `ordered` regions: they run in the order of the iterations.
#[derive(Default)]
pub(super) struct Order {
    /// The iteration whose chunk has its turn.
    turn: u64,
    /// Chunks that were finished before their turn, by their first iteration.
    early: BTreeMap<u64, u64>,
}

impl Order {
    pub(super) fn is_turn_of(&self, chunk: &Range<u64>) -> bool {
        self.turn == chunk.start
    }

    /// Records that a chunk is finished; true if the turn has passed on.
    pub(super) fn finish(&mut self, chunk: &Range<u64>) -> bool {
        let before = self.turn;
        self.early.insert(chunk.start, chunk.end);
        while let Some(end) = self.early.remove(&self.turn) {
            self.turn = end;
        }
        self.turn != before
    }
}

/// The iterations of a `doacross` loop nest that have been posted (`ordered depend(source)`).
#[derive(Default)]
pub(super) struct Posts {
    /// The end of each chunk that is under way, and its last posted iteration, by first iteration of the
    /// outermost loop.
    chunks: BTreeMap<u64, (u64, Option<Vec<u64>>)>,
    /// Chunks that are finished, by first iteration.
    finished: BTreeSet<(u64, u64)>,
}

impl Posts {
    pub(super) fn begin(&mut self, chunk: &Range<u64>) {
        self.chunks.insert(chunk.start, (chunk.end, None));
    }

    /// Records that a chunk is finished: all of its iterations count as posted.
    pub(super) fn finish(&mut self, chunk: &Range<u64>) {
        self.chunks.remove(&chunk.start);
        let (mut start, mut end) = (chunk.start, chunk.end);
        if let Some(before) = self.finished.range(..(start, 0)).next_back().copied()
            && before.1 == start
        {
            self.finished.remove(&before);
            start = before.0;
        }
        if let Some(after) = self.finished.range((end, 0)..).next().copied()
            && after.0 == end
        {
            self.finished.remove(&after);
            end = after.1;
        }
        self.finished.insert((start, end));
    }

    /// Records an iteration of the chunk that begins at `start`.
    pub(super) fn post(&mut self, start: u64, iteration: Vec<u64>) {
        if let Some((_, last)) = self.chunks.get_mut(&start) {
            *last = Some(iteration);
        }
    }

    /// Reports whether an iteration has been posted. One outside the loop has.
    pub(super) fn has(&self, nest: &[u64], iteration: &[u64]) -> bool {
        if iteration.iter().zip(nest).any(|(index, count)| index >= count) {
            return true;
        }
        let Some(first) = iteration.first() else { return true };
        let done = self.finished.range(..=(*first, u64::MAX)).next_back();
        if done.is_some_and(|(_, end)| first < end) {
            return true;
        }
        let chunk = self.chunks.range(..=first).next_back();
        chunk.is_some_and(|(_, (end, last))| {
            first < end && last.as_deref().is_some_and(|last| last >= iteration)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_follow_the_iterations() {
        let mut order = Order::default();
        assert!(order.is_turn_of(&(0..4)) && !order.is_turn_of(&(4..8)));
        assert!(!order.finish(&(8..12)));
        assert!(!order.finish(&(4..8)));
        assert!(order.finish(&(0..4)));
        assert!(order.is_turn_of(&(12..16)));
    }

    #[test]
    fn posts_are_known_by_iteration() {
        let mut posts = Posts::default();
        let nest = [8, 10];
        posts.begin(&(0..2));
        posts.begin(&(2..4));
        posts.post(0, vec![1, 3]);
        assert!(posts.has(&nest, &[0, 9]) && posts.has(&nest, &[1, 3]));
        assert!(!posts.has(&nest, &[1, 4]) && !posts.has(&nest, &[2, 0]));
        assert!(!posts.has(&nest, &[5, 0]), "nobody has begun it");
        assert!(posts.has(&nest, &[1, 10]) && posts.has(&nest, &[u64::MAX, 0]), "outside");
        posts.finish(&(2..4));
        assert!(posts.has(&nest, &[3, 9]) && !posts.has(&nest, &[4, 0]));
        posts.finish(&(0..2));
        assert!(posts.has(&nest, &[1, 9]));
        assert_eq!(posts.finished.len(), 1);
    }
}
