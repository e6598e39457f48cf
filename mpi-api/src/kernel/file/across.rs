//! [`Across`]: accesses to one file through different handles (MPI section 14.6.1).
//!
//! What is accessed through a handle between two synchronisations of a rank is one sequence. It begins when the rank opens
//! or synchronises the file, and ends when it synchronises or closes it. Conflicting accesses through different handles
//! are ordered only if the sequence of the one has ended before that of the other begins; atomic mode does not order them.

use std::collections::BTreeMap;

use super::{order::Accesses, pieces::Pieces};
use crate::{
    call::{Direction, FileId},
    finding::CallPlace,
};

/// A rank of a handle: the handle, and the rank in it.
pub(super) type User = (FileId, u32);

/// An access through a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    handle: FileId,
    /// The rank in the run.
    pub(super) rank: u32,
    /// The call.
    pub(super) by: CallPlace,
    pub(super) direction: Direction,
    /// The number of its sequence.
    sequence: usize,
}

/// An access that is compared with earlier ones.
pub(super) struct Access<'a> {
    pub(super) user: User,
    /// The rank in the run.
    pub(super) rank: u32,
    /// The call.
    pub(super) by: CallPlace,
    pub(super) direction: Direction,
    /// When its sequence began.
    pub(super) begun: u64,
    /// Its bytes.
    pub(super) runs: &'a [(i64, u64)],
}

/// Accesses of one direction through two handles. Those whose sequences have not ended are kept first.
type Two = [Option<Recorded>; 2];

/// The accesses to some bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Both {
    reads: Two,
    writes: Two,
}

/// The sequences of a file.
#[derive(Default)]
struct Sequences {
    /// When each has ended.
    ended: Vec<Option<u64>>,
    /// Those that have not ended, of ranks that have accessed the file in them.
    current: BTreeMap<User, usize>,
}

/// The accesses to one file, by its name.
#[derive(Default)]
pub(super) struct Across {
    /// Number of open handles.
    handles: usize,
    /// The handle, as long as there has been one only.
    only: Option<FileId>,
    pieces: Pieces<Both>,
    sequences: Sequences,
}

impl Sequences {
    fn of(&mut self, user: User) -> usize {
        let ended = &mut self.ended;
        *self.current.entry(user).or_insert_with(|| {
            ended.push(None);
            ended.len() - 1
        })
    }

    fn has_ended(&self, access: &Recorded) -> bool {
        self.ended[access.sequence].is_some()
    }

    /// Reports whether the sequence of an access has not ended when another one begins.
    fn overlaps(&self, access: &Recorded, begun: u64) -> bool {
        self.ended[access.sequence].is_none_or(|ended| ended > begun)
    }
}

impl Both {
    fn add(&mut self, access: Recorded, sequences: &Sequences) {
        let two = match access.direction {
            Direction::Read => &mut self.reads,
            Direction::Write => &mut self.writes,
        };
        let is_same =
            |known: &Option<Recorded>| known.is_some_and(|known| known.handle == access.handle);
        let is_over =
            |known: &Option<Recorded>| known.is_none_or(|known| sequences.has_ended(&known));
        let place = match two.iter().position(is_same) {
            Some(at) => is_over(&two[at]).then_some(at),
            None => two.iter().position(is_over),
        };
        if let Some(at) = place {
            two[at] = Some(access);
        }
    }

    /// Returns an access through another handle, of which one writes, that is not ordered with this one.
    fn concurrent(&self, access: &Recorded, begun: u64, sequences: &Sequences) -> Option<Recorded> {
        let reads = match access.direction {
            Direction::Read => [None; 2],
            Direction::Write => self.reads,
        };
        let others = self.writes.into_iter().chain(reads).flatten();
        others
            .filter(|other| other.handle != access.handle)
            .find(|other| sequences.overlaps(other, begun))
    }
}

impl Across {
    /// Records that a handle is opened. Returns the handle whose accesses are to be [taken over](Self::take_over), if this one is
    /// the second.
    pub(super) fn open(&mut self, handle: FileId) -> Option<FileId> {
        self.handles += 1;
        if self.handles > 1 {
            return self.only.take();
        }
        self.only = Some(handle);
        None
    }

    /// Reports whether several handles are open.
    pub(super) fn has_many(&self) -> bool {
        self.handles > 1
    }

    /// Records that a handle is closed. Returns whether it was the last one.
    pub(super) fn close(&mut self) -> bool {
        self.handles -= 1;
        self.handles == 0
    }

    /// Records the accesses through a handle that was the only one. `rank_of` gives the ranks in the run.
    pub(super) fn take_over(
        &mut self,
        handle: FileId,
        accesses: &Accesses,
        rank_of: impl Fn(u32) -> u32,
    ) {
        for (access, run) in accesses.since_synchronisation() {
            let sequence = self.sequences.of((handle, access.member));
            let (rank, by, direction) = (rank_of(access.member), access.by, access.direction);
            let access = Recorded { handle, rank, by, direction, sequence };
            self.pieces.update(&[run], |_, both| both.add(access, &self.sequences));
        }
    }

    /// Ends the sequence of a rank.
    pub(super) fn end(&mut self, user: User, now: u64) {
        if let Some(sequence) = self.sequences.current.remove(&user) {
            self.sequences.ended[sequence] = Some(now);
        }
    }

    /// Records an access. Returns an earlier one through another handle to the same bytes that is not ordered with it, and
    /// the first of these bytes.
    pub(super) fn record(&mut self, access: &Access) -> Option<(Recorded, i64)> {
        if self.only.is_some() {
            return None;
        }
        let Access { user, rank, by, direction, begun, runs } = *access;
        let sequence = self.sequences.of(user);
        let access = Recorded { handle: user.0, rank, by, direction, sequence };
        let sequences = &self.sequences;
        let mut met = None;
        self.pieces.update(runs, |at, both| {
            let found = || both.concurrent(&access, begun, sequences).map(|other| (other, at));
            met = met.or_else(found);
            both.add(access, sequences);
        });
        met
    }
}

#[cfg(test)]
mod tests {
    use sim_core::Site;

    use super::*;
    use crate::call::CommId;

    fn handle(number: u32) -> FileId {
        FileId(CommId(number))
    }

    /// The rank and the first byte of an access that meets one to eight bytes from `at` on, through the handle of a rank
    /// whose sequence began at `begun`.
    fn met(
        all: &mut Across,
        (rank, begun): (u32, u64),
        direction: Direction,
        at: i64,
    ) -> Option<(u32, i64)> {
        let (by, runs) = (CallPlace { call: "a call", site: Site::NOWHERE }, &[(at, 8)][..]);
        let access = Access { user: (handle(rank), 0), rank, by, direction, begun, runs };
        all.record(&access).map(|(met, at)| (met.rank, at))
    }

    fn opened(handles: u32) -> Across {
        let mut all = Across::default();
        (0..handles).for_each(|number| _ = all.open(handle(number)));
        all
    }

    #[test]
    fn sequences_that_overlap_are_concurrent() {
        use Direction::{Read, Write};
        let mut all = opened(3);
        assert_eq!(met(&mut all, (0, 1), Write, 0), None);
        assert_eq!(met(&mut all, (0, 1), Read, 0), None, "it is the same handle");
        assert_eq!(met(&mut all, (1, 2), Read, 4), Some((0, 4)));
        all.end((handle(0), 0), 3);
        assert_eq!(met(&mut all, (2, 2), Read, 0), Some((0, 0)), "it has begun before");
        let mut all = opened(2);
        assert_eq!(met(&mut all, (0, 1), Write, 0), None);
        all.end((handle(0), 0), 3);
        assert_eq!(met(&mut all, (1, 4), Write, 0), None);
        assert_eq!(met(&mut all, (0, 3), Read, 7), Some((1, 7)));
    }

    #[test]
    fn nothing_is_kept_of_one_handle_alone() {
        let mut all = opened(1);
        assert_eq!(met(&mut all, (0, 1), Direction::Write, 0), None);
        assert_eq!(all.pieces.len(), 0);
        assert_eq!(all.open(handle(1)), Some(handle(0)));
        assert_eq!(all.open(handle(2)), None);
        assert!(!all.close() && !all.close() && all.close());
    }
}
