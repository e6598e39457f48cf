//! [`Windows`]: the windows of a run, and what each of their ranks has under way.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    ops::RangeInclusive,
};

use sim_core::SimTime;

use super::{
    conflict::Conflicts,
    epoch::{Epochs, Opened},
    flight::Flight,
    locks::Locks,
    shadow::Shadow,
    spinning::Spinning,
    touches::Touches,
    words::Words,
};
use crate::{
    call::{Assertions, Payload, WindowId, WindowPart},
    finding::Origin,
    kernel::{causality::Clock, transport::message::Table},
    object::group::Group,
};

/// The windows of a run.
pub(crate) struct Windows {
    made: bool,
    pub(super) windows: BTreeMap<WindowId, Window>,
    /// Accesses and messages of synchronisation that are under way.
    pub(super) flights: Table<Flight>,
    /// What has arrived at ranks that were in no call of MPI, with weak progress, by rank of the run.
    pub(super) unserved: BTreeMap<u32, Vec<u32>>,
    /// Number of times in a row that ranks have only computed meanwhile.
    pub(super) computed: BTreeMap<u32, u32>,
    /// Ranks that read the same again and again.
    pub(super) spinning: Spinning,
    /// The uses of ranks' own memory that are to be compared with accesses, by rank of the run.
    pub(super) touches: BTreeMap<u32, Touches>,
}

/// One window.
pub(crate) struct Window {
    /// The ranks that provide memory; ranks of the window are places in this group.
    pub(super) group: Group,
    pub(super) members: Vec<Member>,
    pub(super) locks: Locks,
    pub(super) conflicts: Conflicts,
    pub(super) words: Words,
    /// The assertions of the last fence, by its number, as the first rank gave them, which is named.
    pub(super) asserted: Option<(u64, u32, Assertions)>,
    /// The last meeting of all ranks: its number, what it is, and the first rank that came, with its
    /// call.
    pub(super) meeting: Option<(u64, Meeting, u32, Origin)>,
    /// Number of ranks that have called the present fence.
    pub(super) entered: u32,
    /// Number of ranks whose accesses are complete in it.
    pub(super) fenced: u32,
    /// Number of ranks that have freed the window.
    pub(super) freed: u32,
}

/// A call in which all ranks of a window meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// `MPI_Win_fence`.
    Fence,
    /// `MPI_Win_free`.
    Free,
}

/// What one rank of a window provides and has under way.
#[derive(Default)]
pub(crate) struct Member {
    pub(super) part: Option<WindowPart>,
    pub(super) epochs: Epochs,
    /// The epochs in which the rank asserted that nobody writes to its memory (`MPI_MODE_NOPUT`), with
    /// the calls: the present one, and the one before, in which others may still be.
    pub(super) no_put: [Option<(Opened, Origin)>; 2],
    /// Number of meetings with the other ranks.
    pub(super) meetings: u64,
    /// Number of calls of the rank when it last called `MPI_Win_sync`.
    pub(super) synced: u32,
    /// Accesses under way, by target.
    pub(super) pairs: BTreeMap<u32, Pair>,
    /// Memory attached to a dynamic window: first byte and end.
    pub(super) attached: BTreeMap<i64, i64>,
    /// Memory that was detached: first byte, end, and the call.
    pub(super) detached: BTreeMap<i64, (i64, Origin)>,
    /// Results that the rank has not taken: ticket, target and data.
    pub(super) fetched: Vec<(u32, u32, Payload)>,
    /// Number of exposures that each rank has offered and this one has not used.
    pub(super) offered: BTreeMap<u32, u32>,
    /// Number of access epochs that each rank has ended and this one has not taken note of.
    pub(super) ended: BTreeMap<u32, u32>,
    /// The moments of the exposures that each rank has offered and this one has not used.
    pub(super) posts: BTreeMap<u32, VecDeque<Clock>>,
    /// The moments in which each rank has ended accesses that this one has not taken note of.
    pub(super) ends: BTreeMap<u32, VecDeque<Clock>>,
    /// The accesses to the exposed memory, by their numbers among those that are recorded.
    pub(super) exposed: Vec<u64>,
    /// The memory at the beginning of the epoch, where stores to it are looked for.
    pub(super) shadow: Option<Shadow>,
    /// Locks that were granted and whose calls have not returned.
    pub(super) granted: BTreeSet<Option<u32>>,
}

/// The accesses of one rank to another that are under way.
#[derive(Default)]
pub(crate) struct Pair {
    /// Accesses that are not known to be complete at the target.
    pub(super) open: u32,
    /// Accesses whose results have not arrived at the origin.
    pub(super) fetching: u32,
    /// Accesses that have not taken effect.
    pub(super) ahead: u32,
    /// Time at which the network has taken all data.
    pub(super) taken: SimTime,
    /// Accesses that wait for a synchronisation.
    pub(super) held: Vec<u32>,
    /// Accesses that a synchronisation of their origin will complete, by their numbers among those that
    /// are recorded.
    pub(super) recorded: Vec<u64>,
    /// What the results that have arrived tell the origin.
    pub(super) told: Option<Clock>,
    /// Number of atomic accesses issued, and of those that have taken effect.
    pub(super) atomic: (u64, u64),
    /// Atomic accesses that have overtaken an earlier one in the network.
    pub(super) early: BTreeMap<u64, u32>,
}

impl Windows {
    pub(crate) fn new() -> Self {
        Self {
            spinning: Spinning::default(),
            made: false,
            windows: BTreeMap::new(),
            flights: Table::new(),
            unserved: BTreeMap::new(),
            computed: BTreeMap::new(),
            touches: BTreeMap::new(),
        }
    }

    /// Returns a window, which is created with the first part.
    pub(super) fn enter(&mut self, id: WindowId, group: impl FnOnce() -> Group) -> &mut Window {
        self.made = true;
        self.windows.entry(id).or_insert_with(|| {
            let group = group();
            let members = (0..group.size()).map(|_| Member::default()).collect();
            Window {
                group,
                members,
                locks: Locks::default(),
                conflicts: Conflicts::default(),
                words: Words::default(),
                asserted: None,
                meeting: None,
                entered: 0,
                fenced: 0,
                freed: 0,
            }
        })
    }

    /// Reports whether the program has created any window.
    pub(crate) fn were_made(&self) -> bool {
        self.made
    }

    pub(crate) fn get(&self, id: WindowId) -> Option<&Window> {
        self.windows.get(&id)
    }

    pub(super) fn get_mut(&mut self, id: WindowId) -> Option<&mut Window> {
        self.windows.get_mut(&id)
    }

    pub(super) fn remove(&mut self, id: WindowId) {
        self.windows.remove(&id);
    }
}

impl Window {
    /// Returns the number of its ranks.
    pub(crate) fn size(&self) -> u32 {
        self.group.size()
    }

    /// Returns the number in the run of a rank of the window.
    pub(crate) fn number(&self, rank: u32) -> u32 {
        self.group.world_rank(rank)
    }

    /// Returns the rank in the window of a rank of the run.
    pub(crate) fn rank_of(&self, number: u32) -> Option<u32> {
        self.group.rank_of(number)
    }

    /// Returns the part of a rank, if it has provided it.
    pub(super) fn part(&self, rank: u32) -> Option<&WindowPart> {
        self.members.get(rank as usize)?.part.as_ref()
    }

    pub(super) fn member(&mut self, rank: u32) -> &mut Member {
        &mut self.members[rank as usize]
    }

    /// Returns the accesses of one rank to another.
    pub(super) fn pair(&mut self, origin: u32, target: u32) -> &mut Pair {
        self.member(origin).pairs.entry(target).or_default()
    }

    /// Returns the lock that a rank awaits, for the explanation of a stall.
    pub(crate) fn in_the_way(&self, origin: u32, target: Option<u32>) -> Vec<u32> {
        let Some(exclusive) = self.members[origin as usize].epochs.holds(target) else {
            return Vec::new();
        };
        let lock = super::locks::Lock { origin, target, exclusive };
        self.locks.in_the_way(&lock).into_iter().map(|rank| self.number(rank)).collect()
    }

    /// Returns the ranks of the run that have not offered the exposure that a rank needs.
    pub(crate) fn not_offered(&self, origin: u32, targets: &[u32]) -> Vec<u32> {
        let offered = &self.members[origin as usize].offered;
        let missing = targets.iter().filter(|target| offered.get(target).is_none_or(|n| *n == 0));
        missing.map(|target| self.number(*target)).collect()
    }

    /// Returns the ranks of the run that have not ended their accesses to the exposed memory of a
    /// rank.
    pub(crate) fn not_ended(&self, target: u32) -> Vec<u32> {
        let member = &self.members[target as usize];
        let group = member.epochs.exposed().unwrap_or_default();
        let missing =
            group.iter().filter(|origin| member.ended.get(origin).is_none_or(|n| *n == 0));
        missing.map(|origin| self.number(*origin)).collect()
    }

    /// Returns the ranks of the run whose answers a rank awaits.
    pub(crate) fn unanswered(&self, origin: u32, target: Option<u32>) -> Vec<u32> {
        let pairs = self.members[origin as usize].pairs.iter();
        let open = pairs.filter(|(to, pair)| target.is_none_or(|t| t == **to) && pair.open > 0);
        open.map(|(to, _)| self.number(*to)).collect()
    }
}

/// Returns the range of a target among all, or of all.
pub(super) fn targets(target: Option<u32>) -> RangeInclusive<u32> {
    target.map_or(0..=u32::MAX, |target| target..=target)
}

impl Member {
    /// Reports whether accesses to a target or to all are complete: at the origin only, or at the
    /// target, too.
    pub(super) fn is_done(&self, target: Option<u32>, local: bool) -> bool {
        let open = |pair: &Pair| if local { pair.fetching > 0 } else { pair.open > 0 };
        match target {
            Some(target) => !self.pairs.get(&target).is_some_and(open),
            None => !self.pairs.values().any(open),
        }
    }

    /// Returns the time at which the network has taken all data for a target or for all.
    pub(super) fn taken(&self, target: Option<u32>) -> SimTime {
        let pairs = self.pairs.range(targets(target));
        pairs.map(|(_, pair)| pair.taken).max().unwrap_or(SimTime::ZERO)
    }

    /// Takes the results of complete accesses to a target or to all.
    pub(super) fn take_fetched(&mut self, target: Option<u32>) -> Vec<(u32, Payload)> {
        let wanted = |entry: &(u32, u32, Payload)| target.is_none_or(|t| t == entry.1);
        let all = std::mem::take(&mut self.fetched);
        let (taken, left): (Vec<_>, Vec<_>) = all.into_iter().partition(wanted);
        self.fetched = left;
        taken.into_iter().map(|(ticket, _, payload)| (ticket, payload)).collect()
    }
}
