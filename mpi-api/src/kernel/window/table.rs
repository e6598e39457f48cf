//! [`Windows`]: the windows of a run, and what each of their ranks has under way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use sim_core::SimDuration;

use super::{
    conflict::{Conflicts, RecordId},
    delays::Delays,
    direct::Direct,
    early::EarlyLoads,
    epoch::{Epochs, Opened},
    flight::Flight,
    idle::IdleCalls,
    locks::Locks,
    pairs::Pairs,
    shadow::{Seen, Shadow},
    spinning::Spinning,
    touches::Touches,
    words::Words,
};
use crate::{
    call::{Assertions, Flavor, Payload, SameParts, WindowId, WindowPart},
    check::{
        disagreement::Side,
        info_assertion::{self, SameArgument},
    },
    finding::{CallPlace, Finding},
    kernel::{
        causality::{Clock, History},
        transport::message::Slab,
    },
    object::group::Group,
    settings::Matching,
};

/// The windows of a run.
pub(crate) struct Windows {
    made: bool,
    pub(super) windows: WindowTable,
    /// Accesses and messages of synchronisation that are under way.
    pub(super) flights: Slab<Flight>,
    /// What has arrived at ranks that were in no call of MPI, with weak progress, by rank of the run.
    pub(super) unserved: BTreeMap<u32, Vec<u32>>,
    /// Number of times in a row that ranks have only computed meanwhile.
    pub(super) computed: BTreeMap<u32, u32>,
    /// Ranks that read the same again and again.
    pub(super) spinning: Spinning,
    /// The uses of ranks' own memory that are to be compared with accesses, by rank of the run.
    pub(super) touches: BTreeMap<u32, Touches>,
    /// The loads of each rank of the run that came before the puts that they may have waited for.
    pub(super) early: BTreeMap<u32, EarlyLoads>,
    /// How long atomic accesses and requests of locks wait before they depart.
    pub(super) delays: Delays,
}

/// Windows in the order of their identifiers. A program has few at a time, among which the one wanted is found
/// with a comparison or two.
#[derive(Default)]
pub(super) struct WindowTable(Vec<(WindowId, Box<Window>)>);

impl WindowTable {
    fn place(&self, id: WindowId) -> Result<usize, usize> {
        match self.0.as_slice() {
            [(only, _)] if *only == id => Ok(0),
            all => all.binary_search_by_key(&id, |(known, _)| *known),
        }
    }

    #[inline]
    pub(super) fn get(&self, id: WindowId) -> Option<&Window> {
        self.place(id).ok().map(|place| &*self.0[place].1)
    }

    #[inline]
    pub(super) fn get_mut(&mut self, id: WindowId) -> Option<&mut Window> {
        self.place(id).ok().map(|place| &mut *self.0[place].1)
    }

    fn or_insert_with(&mut self, id: WindowId, make: impl FnOnce() -> Window) -> &mut Window {
        let place = self.place(id).unwrap_or_else(|place| {
            self.0.insert(place, (id, Box::new(make())));
            place
        });
        &mut self.0[place].1
    }

    fn remove(&mut self, id: WindowId) {
        if let Ok(place) = self.place(id) {
            self.0.remove(place);
        }
    }

    /// Notes an access that has written to memory of a rank of the run through one window, where others have that memory.
    pub(super) fn note_in_others(&mut self, through: WindowId, target: u32, seen: &Seen) {
        for (_, window) in self.0.iter_mut().filter(|(id, _)| *id != through) {
            if let Some(me) = window.rank_of(target)
                && let Some(shadow) = &mut window.member(me).shadow
            {
                shadow.note_foreign(seen);
            }
        }
    }

    /// Returns all windows.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Window> {
        self.0.iter_mut().map(|(_, window)| &mut **window)
    }
}

/// One window.
pub(crate) struct Window {
    /// The ranks that provide memory; ranks of the window are places in this group.
    pub(super) group: Group,
    pub(super) members: Vec<Member>,
    /// The first rank that has created its part.
    first: Option<u32>,
    pub(super) locks: Locks,
    pub(super) conflicts: Conflicts,
    pub(super) words: Words,
    pub(super) direct: Direct,
    /// The assertions of the last fence, by its number, as the first rank gave them, which is named.
    pub(super) asserted: Option<(u64, u32, Assertions)>,
    /// The last meeting of all ranks: its number, what it is, and the first rank that came, with its
    /// call.
    pub(super) meeting: Option<(u64, Meeting, u32, CallPlace)>,
    /// Number of ranks that have called the present fence.
    pub(super) entered: u32,
    /// Number of ranks whose accesses are complete in it.
    pub(super) fenced: u32,
    /// Number of ranks that have freed the window.
    pub(super) freed: u32,
    /// Whether there was an atomic access.
    pub(super) has_atomic: bool,
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
    /// The call by which the rank has created the window.
    made: Option<CallPlace>,
    pub(super) epochs: Epochs,
    /// The epochs in which the rank asserted that nobody writes to its memory (`MPI_MODE_NOPUT`), with
    /// the calls: the present one, and the one before, in which others may still be.
    pub(super) no_put: [Option<(Opened, CallPlace)>; 2],
    /// Number of meetings with the other ranks.
    pub(super) meetings: u64,
    /// The calls of the rank since it last did more than to wait for others to change its memory.
    pub(super) idle: IdleCalls,
    /// Accesses under way, by target.
    pub(super) pairs: Pairs,
    /// Memory attached to a dynamic window: first byte and end.
    pub(super) attached: BTreeMap<i64, i64>,
    /// Memory that was detached: first byte, end, and the call.
    pub(super) detached: BTreeMap<i64, (i64, CallPlace)>,
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
    /// The recorded accesses to the exposed memory.
    pub(super) exposed: Vec<RecordId>,
    /// The memory at the beginning of the epoch, where stores to it are looked for.
    pub(super) shadow: Option<Shadow>,
    /// Locks that were granted and whose calls have not returned.
    pub(super) granted: BTreeSet<Option<u32>>,
}

impl Windows {
    pub(crate) fn new(matching: &Matching, idle_polls_max: u64) -> Self {
        Self {
            delays: Delays::new(matching),
            spinning: Spinning::new(idle_polls_max),
            made: false,
            windows: WindowTable::default(),
            flights: Slab::new(),
            unserved: BTreeMap::new(),
            computed: BTreeMap::new(),
            touches: BTreeMap::new(),
            early: BTreeMap::new(),
        }
    }

    /// Returns a window, which is created with the first part.
    pub(super) fn enter(&mut self, id: WindowId, group: impl FnOnce() -> Group) -> &mut Window {
        self.made = true;
        self.windows.or_insert_with(id, || {
            let group = group();
            let members = (0..group.size()).map(|_| Member::default()).collect();
            Window {
                group,
                members,
                first: None,
                locks: Locks::default(),
                conflicts: Conflicts::default(),
                words: Words::default(),
                direct: Direct::default(),
                asserted: None,
                meeting: None,
                entered: 0,
                fenced: 0,
                freed: 0,
                has_atomic: false,
            }
        })
    }

    /// Draws how much later than others a rank leaves a call that synchronises.
    pub(crate) fn stagger(&mut self) -> SimDuration {
        self.delays.stagger()
    }

    /// Reports whether accesses or locks were wanted whose order may decide.
    pub(crate) fn has_competition(&self) -> bool {
        self.delays.competes
    }

    /// Reports whether the program has created any window.
    pub(crate) fn were_made(&self) -> bool {
        self.made
    }

    pub(crate) fn get(&self, id: WindowId) -> Option<&Window> {
        self.windows.get(id)
    }

    pub(super) fn get_mut(&mut self, id: WindowId) -> Option<&mut Window> {
        self.windows.get_mut(id)
    }

    pub(super) fn remove(&mut self, id: WindowId) {
        self.windows.remove(id);
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

    /// Returns what all ranks of the window know.
    pub(super) fn known_to_all(&self, history: &History) -> Clock {
        history.known_to_all((0..self.size()).map(|member| self.number(member)))
    }

    /// Records the part of a rank and the call by which it provides it.
    pub(super) fn provide(&mut self, rank: u32, part: WindowPart, by: CallPlace) {
        self.first.get_or_insert(rank);
        let member = self.member(rank);
        (member.part, member.made) = (Some(part), Some(by));
    }

    /// Returns the rank of the run that has created its part first, and its call, if that is another function than one for
    /// this flavor.
    pub(super) fn begun_otherwise(&self, flavor: Flavor) -> Option<(u32, CallPlace)> {
        let first = self.first?;
        let member = &self.members[first as usize];
        let is_other = member.part.is_some_and(|part| part.flavor != flavor);
        member.made.filter(|_| is_other).map(|by| (self.number(first), by))
    }

    /// Returns the finding that a rank has provided another size or displacement unit than the first one, though it
    /// asserts that all are the same.
    pub(super) fn unlike_parts(&self, rank: u32) -> Option<Finding> {
        let own = self.members[rank as usize].provided()?;
        let SameParts { size, unit } = own.0.same;
        if !size && !unit {
            return None;
        }
        let other = self.first.filter(|first| *first != rank)?;
        let theirs = self.members[other as usize].provided()?;
        let side = |place: u32, by: CallPlace, has: String| Side {
            rank: self.number(place),
            site: by.site,
            call: by.call,
            has,
        };
        let unlike = |same, mine: String, their: String| {
            let sides = (side(rank, own.1, mine), side(other, theirs.1, their));
            info_assertion::unlike(same, sides.0, sides.1)
        };
        let (mine, their) = (own.0, theirs.0);
        if size && mine.bytes != their.bytes {
            let [mine, their] = [mine, their].map(|part| format!("a size of {} bytes", part.bytes));
            return Some(unlike(SameArgument::Size, mine, their));
        }
        (unit && mine.unit != their.unit).then(|| {
            let [mine, their] =
                [mine, their].map(|part| format!("displacement unit {}", part.unit));
            unlike(SameArgument::Unit, mine, their)
        })
    }

    /// Returns the call by which a rank of the run has created the window.
    pub(crate) fn made_by(&self, number: u32) -> Option<CallPlace> {
        self.members[self.rank_of(number)? as usize].made
    }

    /// Returns the part of a rank, if it has provided it.
    pub(super) fn part(&self, rank: u32) -> Option<&WindowPart> {
        self.members.get(rank as usize)?.part.as_ref()
    }

    pub(super) fn member(&mut self, rank: u32) -> &mut Member {
        &mut self.members[rank as usize]
    }

    /// Returns the lock that a rank awaits, for the explanation of a stall.
    pub(crate) fn in_the_way(&self, origin: u32, target: Option<u32>) -> Vec<u32> {
        let Some(kind) = self.members[origin as usize].epochs.holds(target) else {
            return Vec::new();
        };
        let lock = super::locks::Lock { origin, target, kind };
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

    /// Returns the call by which a rank of the run exposes its memory to others than `origin`, if it does now.
    pub(crate) fn exposed_without(&self, number: u32, origin: u32) -> Option<CallPlace> {
        let epochs = &self.members[self.rank_of(number)? as usize].epochs;
        let origin = self.rank_of(origin)?;
        let is_meant = epochs.exposed().is_ok_and(|group| group.contains(&origin));
        epochs.exposure().filter(|_| !is_meant)
    }

    /// Returns the call by which a rank of the run has started accesses to the memory of another one that are not
    /// over.
    pub(crate) fn start_of(&self, number: u32, target: u32) -> Option<CallPlace> {
        self.members[self.rank_of(number)? as usize].epochs.started_for(self.rank_of(target)?)
    }

    /// Returns the call by which a rank of the run last started accesses, if they are over and it has never accessed the
    /// memory of `target` in such an epoch.
    pub(crate) fn started_without(&self, number: u32, target: u32) -> Option<CallPlace> {
        let (origin, target) = (self.rank_of(number)?, self.rank_of(target)?);
        let epochs = &self.members[origin as usize].epochs;
        let has_ended = self.members[target as usize].ended.contains_key(&origin);
        epochs.last_start().filter(|_| !epochs.is_started() && !has_ended)
    }

    /// Reports whether a rank of the run has started accesses at any time.
    pub(crate) fn has_started(&self, number: u32) -> bool {
        let member = self.rank_of(number).map(|rank| &self.members[rank as usize]);
        member.is_some_and(|member| member.epochs.last_start().is_some())
    }

    /// Returns the call by which a rank of the run exposes its memory, if it does now.
    pub(crate) fn exposed_by(&self, number: u32) -> Option<CallPlace> {
        self.members[self.rank_of(number)? as usize].epochs.exposure()
    }

    /// Returns the call by which a rank of the run has taken the lock of a target or of all.
    pub(crate) fn lock_of(&self, number: u32, target: Option<u32>) -> Option<CallPlace> {
        self.members[self.rank_of(number)? as usize].epochs.holder(target)
    }

    /// Returns the ranks of the run whose answers a rank awaits.
    pub(crate) fn unanswered(&self, origin: u32, target: Option<u32>) -> Vec<u32> {
        let open = self.members[origin as usize].pairs.open(target);
        open.into_iter().map(|to| self.number(to)).collect()
    }
}

impl Member {
    /// Returns the part of the rank and the call that has provided it, if it has.
    fn provided(&self) -> Option<(&WindowPart, CallPlace)> {
        self.part.as_ref().zip(self.made)
    }

    /// Takes the results of complete accesses to a target or to all.
    pub(super) fn take_fetched(&mut self, target: Option<u32>) -> Vec<(u32, Payload)> {
        if self.fetched.is_empty() {
            return Vec::new();
        }
        if target.is_none() || self.fetched.len() == 1 && Some(self.fetched[0].1) == target {
            let all = self.fetched.drain(..);
            return all.map(|(ticket, _, payload)| (ticket, payload)).collect();
        }
        let wanted = |entry: &mut (u32, u32, Payload)| target.is_none_or(|t| t == entry.1);
        let taken = self.fetched.extract_if(.., wanted);
        taken.map(|(ticket, _, payload)| (ticket, payload)).collect()
    }
}
