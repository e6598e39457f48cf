//! [`Direct`]: finds loads and stores of memory that ranks share which nothing orders (MPI sections 12.2.3 and 12.7).
//!
//! With locks, or without any epoch, ranks may synchronise by words of the memory itself, and an instruction does not
//! tell whether it belongs to that, unless it computes with floating-point numbers. So another load tells what those knew who have stored to the same bytes before. It is a
//! race if it comes before a store of another rank that nothing orders, unless the program looks again before it learns of that
//! store in another way: programs that wait for a value load it until it is there. Uses of few words are reported only if
//! no rank waits for words of the window.

use std::collections::BTreeMap;

use smallvec::SmallVec;

use super::{
    conflict::CROWD_MIN,
    recorded::{may_miss, meet},
};
use crate::{
    call::{LockType, Runs},
    check::window_race::Does,
    finding::CallPlace,
    kernel::causality::{Clock, Point},
};

/// Most bytes of an access that may belong to synchronisation: a few words.
const WORDS_MAX: u64 = 32;

/// Most pairs of accesses that are kept until the window is freed.
const HELD_BACK_MAX: usize = 64;

/// What an instruction or a call does with memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// It reads, and may wait for what it reads.
    Load,
    /// It reads data, for which nobody waits.
    Data,
    /// It writes.
    Store,
    /// It does both at once.
    Atomic,
}

impl How {
    fn loads(self) -> bool {
        match self {
            Self::Load | Self::Data | Self::Atomic => true,
            Self::Store => false,
        }
    }

    fn stores(self) -> bool {
        match self {
            Self::Store | Self::Atomic => true,
            Self::Load | Self::Data => false,
        }
    }

    /// Returns what it does, for texts.
    pub(super) fn does(self) -> Does {
        match self {
            Self::Load | Self::Data => Does::Read,
            Self::Store => Does::Write,
            Self::Atomic => Does::Update,
        }
    }
}

/// A use of shared memory by a rank.
#[derive(Clone, Debug)]
pub(super) struct Used {
    /// The rank of the window that uses it.
    pub(super) rank: u32,
    pub(super) by: CallPlace,
    /// The rank of the window whose part it is.
    pub(super) owner: u32,
    pub(super) how: How,
    /// Whether it loads whole vectors, of which the program may drop elements.
    pub(super) vectors: bool,
    /// Address and runs.
    pub(super) place: (i64, Runs),
    /// The locks that the rank holds; `None` for all targets.
    pub(super) locks: SmallVec<[(Option<u32>, LockType); 1]>,
    /// Whether it is in no epoch of fences or exposure: others are compared elsewhere.
    pub(super) is_compared: bool,
    /// Number of calls of the rank before it that do more than to let others proceed.
    pub(super) round: u32,
}

impl Used {
    fn bounds(&self) -> Option<(i64, i64)> {
        let (base, runs) = &self.place;
        runs.bounds().map(|(first, end)| (base + first, base + end))
    }

    /// Reports whether locks keep two uses apart.
    fn is_excluded(&self, other: &Self) -> bool {
        let meet = |one: &Option<u32>, other: &Option<u32>| {
            one.is_none() || other.is_none() || one == other
        };
        self.locks.iter().any(|(one, held)| {
            let mut others = other.locks.iter().filter(|(target, _)| meet(one, target));
            others.any(|(_, theirs)| *held == LockType::Exclusive || *theirs == LockType::Exclusive)
        })
    }

    /// Reports whether two uses that nothing orders are a race.
    fn races(&self, other: &Self) -> bool {
        let is_atomic = |used: &Self| used.how == How::Atomic;
        let (place, elsewhere) = (&self.place, &other.place);
        let mine = ((self.vectors, place.0), &place.1);
        let theirs = ((other.vectors, elsewhere.0), &elsewhere.1);
        self.is_compared
            && other.is_compared
            && !is_atomic(self)
            && !is_atomic(other)
            && !self.is_excluded(other)
            && !may_miss(mine, theirs)
    }

    /// Reports whether this is a load and, with a store of the same words from the same line, one statement that changes them.
    pub(super) fn is_increment_with(&self, store: &Self) -> bool {
        let line = |used: &Self| (used.by.site.file, used.by.site.line);
        self.how == How::Load && line(self) == line(store) && self.place == store.place
    }

    /// Reports whether the same is done in the same place.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.rank == other.rank
            && self.by == other.by
            && self.how == other.how
            && self.place == other.place
    }

    /// Reports whether it uses a few words only.
    fn is_small(&self) -> bool {
        self.place.1.bytes() <= WORDS_MAX
    }
}

/// A use that later ones are compared with.
#[derive(Debug)]
struct Record {
    used: Used,
    bounds: (i64, i64),
    /// The event of its rank.
    point: Point,
    /// What its rank knew.
    clock: Clock,
    /// Number of times that its rank has done the same in the same place.
    times: u32,
    /// The first store of another rank that came later, without order, if this is a load.
    overtaken: Option<Overtaking>,
}

/// A store after a load that nothing orders.
#[derive(Debug)]
struct Overtaking {
    store: Used,
    point: Point,
    /// Number of times that its rank has stored in the same place.
    times: u32,
}

/// Reports whether a load and a store may be those of a flag or a counter.
fn is_of_words(load: &Used, store: &Used) -> bool {
    load.how == How::Load && (load.is_small() || store.is_small())
}

/// Two uses that nothing orders.
pub(super) type Pair = [Used; 2];

/// The direct uses of the memory of a window.
#[derive(Debug, Default)]
pub(super) struct Direct {
    /// By first byte and number.
    records: BTreeMap<(i64, u64), Record>,
    next: u64,
    /// Largest distance from first byte to end.
    longest: i64,
    /// Number of records at which those are to be looked for that all ranks know.
    crowd: usize,
    /// Whether a rank waits for words of the window.
    waits: bool,
    /// Whether some of what ranks do is not seen: it may order what is.
    pub(super) is_blind: bool,
    /// Races that are certain.
    found: Vec<Pair>,
    /// Races unless a rank waits for words.
    held_back: Vec<Pair>,
}

impl Direct {
    /// Returns the records that share a byte with a use.
    fn beside<'a>(&'a mut self, used: &'a Used) -> impl Iterator<Item = &'a mut Record> + use<'a> {
        let bounds = used.bounds().unwrap_or((0, 0));
        let range = (bounds.0.saturating_sub(self.longest), 0)..(bounds.1, 0);
        let near = self.records.range_mut(range).map(|(_, record)| record);
        near.filter(move |known| {
            let (base, runs) = &known.used.place;
            known.bounds.1 > bounds.0 && meet((*base, runs), (used.place.0, &used.place.1))
        })
    }

    /// Compares a use that may load with earlier stores and with its rank's own loads; `before` is what the rank knew
    /// before it has loaded anything since its last call. Returns what it learns.
    pub(super) fn load(&mut self, used: &Used, before: &Clock) -> Clock {
        let mut told = Clock::default();
        if !used.how.loads() {
            return told;
        }
        let (mut waits, mut races) = (false, Vec::new());
        for known in self.beside(used) {
            if known.used.rank != used.rank {
                if known.used.how.stores() && used.how != How::Data {
                    told.join(&known.clock);
                }
                continue;
            }
            waits |= known.used.how.loads()
                && known.used.by.site == used.by.site
                && known.used.round == used.round;
            let Some(Overtaking { store, point, times }) = known.overtaken.take() else { continue };
            // Who looks once at each step for what is stored once waits for nothing, but may go on without it.
            let may_be_flag = times < 2 || known.times > times;
            if before.knows(point) && !(may_be_flag && is_of_words(&known.used, &store)) {
                races.push([known.used.clone(), store]);
            }
        }
        self.waits |= waits;
        races.into_iter().for_each(|race| self.meet(race));
        told
    }

    /// Compares a use with earlier ones of other ranks; `now` is what its rank knows, at this event.
    pub(super) fn compare(&mut self, used: &Used, (now, point): (&Clock, Point)) {
        let (mut races, times) = (Vec::new(), self.times(used) + 1);
        for known in self.beside(used) {
            if known.used.rank == used.rank || now.knows(known.point) || !known.used.races(used) {
                continue;
            }
            match (known.used.how, used.how) {
                (How::Load | How::Data, How::Store) => {
                    let store = used.clone();
                    known.overtaken.get_or_insert(Overtaking { store, point, times });
                }
                (How::Store, How::Store | How::Data) => {
                    races.push([used.clone(), known.used.clone()]);
                }
                // Loads that come later may wait for what they find.
                (How::Store, How::Load) => {}
                (How::Load | How::Data, How::Load | How::Data) => {}
                (How::Atomic, _) | (_, How::Atomic) => {}
            }
        }
        races.into_iter().for_each(|race| self.meet(race));
    }

    /// Returns the number of times that a rank has done the same in the same place so far.
    fn times(&self, used: &Used) -> u32 {
        self.alike(used).map(|(_, known)| known.times).max().unwrap_or(0)
    }

    fn alike<'a>(&'a self, used: &'a Used) -> impl Iterator<Item = (&'a (i64, u64), &'a Record)> {
        let first = used.bounds().map_or(0, |bounds| bounds.0);
        let near = self.records.range((first, 0)..(first + 1, 0));
        near.filter(|(_, known)| known.used.is_like(used))
    }

    /// Keeps a use, for later ones, instead of the last one of its rank that did the same in the same place.
    pub(super) fn keep(&mut self, used: Used, (clock, point): (Clock, Point)) {
        let Some(bounds) = used.bounds() else { return };
        let times = self.times(&used) + 1;
        let same = self.alike(&used).find(|(_, known)| known.overtaken.is_none());
        if let Some(same) = same.map(|(key, _)| *key) {
            self.records.remove(&same);
        }
        self.longest = self.longest.max(bounds.1 - bounds.0);
        self.next += 1;
        let record = Record { used, bounds, point, clock, times, overtaken: None };
        self.records.insert((bounds.0, self.next), record);
    }

    /// Reports whether it is time to forget what all ranks know.
    pub(super) fn is_crowded(&self) -> bool {
        self.records.len() > self.crowd.max(CROWD_MIN)
    }

    /// Forgets the uses that all ranks know of: whatever follows is ordered after them.
    pub(super) fn forget(&mut self, known: &Clock) {
        self.records.retain(|_, record| record.overtaken.is_some() || !known.knows(record.point));
        self.crowd = 2 * self.records.len();
    }

    /// Notes two uses that nothing orders.
    fn meet(&mut self, race: Pair) {
        let is_of = |how: How| race.iter().any(|used| used.how == how);
        let is_large = !race.iter().any(Used::is_small);
        if is_of(How::Data) || is_of(How::Load) && is_large {
            return self.found.push(race);
        }
        // It may belong to a lock or a flag.
        let is_like = |known: &Pair| (0..2).all(|side| known[side].by == race[side].by);
        if self.held_back.len() < HELD_BACK_MAX && !self.held_back.iter().any(is_like) {
            self.held_back.push(race);
        }
    }

    /// Returns the races found since the last call of this function.
    pub(super) fn found(&mut self) -> Vec<Pair> {
        let found = std::mem::take(&mut self.found);
        if self.is_blind { Vec::new() } else { found }
    }

    /// Returns the races that are certain once no rank uses the memory any more, and so nobody looks again.
    pub(super) fn end(&mut self) -> Vec<Pair> {
        for known in std::mem::take(&mut self.records).into_values() {
            let Record { used, times: looks, overtaken, .. } = known;
            if let Some(Overtaking { store, times, .. }) = overtaken
                && !(looks > times && is_of_words(&used, &store))
            {
                self.meet([used, store]);
            }
        }
        let mut all = self.found();
        let held_back = std::mem::take(&mut self.held_back);
        all.extend(held_back.into_iter().filter(|_| !self.is_blind && !self.waits));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{call::Site, kernel::causality::History};

    fn used(rank: u32, how: How, place: i64, bytes: u64) -> Used {
        Used {
            rank,
            by: CallPlace { call: "use", site: Site::NOWHERE },
            owner: 0,
            how,
            vectors: false,
            place: (place, Runs::One(0, bytes)),
            locks: SmallVec::new(),
            is_compared: true,
            round: 0,
        }
    }

    /// Lets the rank of a use make it.
    fn make(all: &mut Direct, history: &mut History, used: &Used) {
        let rank = used.rank;
        let told = all.load(used, &history.clock(rank).clone());
        history.learn(rank, &told);
        let (point, now) = (history.present(rank), history.release(rank));
        all.compare(used, (&now, point));
        all.keep(used.clone(), (now, point));
    }

    fn races(steps: &[Used]) -> usize {
        let (mut all, mut history) = (Direct::default(), History::new(3));
        steps.iter().for_each(|step| make(&mut all, &mut history, step));
        all.end().len()
    }

    #[test]
    fn a_load_before_a_store_is_a_race_unless_the_rank_looks_again() {
        let (early, store) = (used(0, How::Load, 0, 64), used(1, How::Store, 8, 64));
        assert_eq!(races(&[early.clone(), store.clone()]), 1);
        assert_eq!(races(&[store.clone(), early.clone()]), 0, "it may have waited for it");
        assert_eq!(races(&[early.clone(), store.clone(), early.clone()]), 0, "so it has");
        assert_eq!(races(&[early.clone(), used(1, How::Store, 64, 8)]), 0, "elsewhere");
        let data = used(0, How::Data, 0, 16);
        assert_eq!(races(&[store.clone(), data.clone()]), 1, "nobody waits for numbers");
        assert_eq!(races(&[store, data.clone(), data]), 2);
    }

    #[test]
    fn flags_order_what_they_protect() {
        let (fill, raise) = (used(1, How::Store, 64, 64), used(1, How::Store, 0, 1));
        let (look, read) = (used(0, How::Load, 0, 1), used(0, How::Data, 64, 64));
        assert_eq!(races(&[fill.clone(), raise.clone(), look.clone(), read.clone()]), 0);
        let waits = [&look, &fill, &raise, &look, &read].map(Clone::clone);
        assert_eq!(races(&waits), 0, "the first look came too early");
        assert_eq!(races(&[raise.clone(), look.clone(), fill.clone(), read.clone()]), 1);
        let count = |rank| used(rank, How::Atomic, 0, 1);
        assert_eq!(races(&[fill.clone(), count(1), count(2), count(0), read]), 0);
        assert_eq!(races(&[raise.clone(), used(2, How::Store, 0, 1)]), 1);
        assert_eq!(races(&[raise, count(2)]), 0);
    }

    #[test]
    fn locks_keep_uses_apart() {
        let locked = |rank, how, target, held| Used {
            locks: SmallVec::from_elem((target, held), 1),
            ..used(rank, how, 0, 64)
        };
        let (store, alone) =
            (locked(0, How::Store, Some(2), LockType::Exclusive), LockType::Exclusive);
        assert_eq!(races(&[store.clone(), locked(1, How::Store, Some(2), alone)]), 0);
        assert_eq!(races(&[store.clone(), locked(1, How::Store, Some(1), alone)]), 1);
        assert_eq!(races(&[store.clone(), locked(1, How::Data, None, LockType::Shared)]), 0);
        let shared = |rank| locked(rank, How::Store, None, LockType::Shared);
        assert_eq!(races(&[shared(0), shared(1)]), 1);
    }

    #[test]
    fn what_all_ranks_know_is_forgotten() {
        let (mut all, mut history) = (Direct::default(), History::new(3));
        make(&mut all, &mut history, &used(0, How::Store, 0, 8));
        let before = history.release(0);
        (1..3).for_each(|rank| history.learn(rank, &before));
        all.forget(&history.known_to_all(0..3));
        assert!(all.records.is_empty());
    }
}
