//! [`Spinning`]: ranks that read windows again and again in which nothing changes, as those that wait for a lock which
//! nobody releases.

use std::collections::BTreeMap;

use sim_core::SimTime;
use smallvec::SmallVec;

use super::table::Windows;
use crate::{
    call::{Access, Action, Payload, WindowId},
    check::livelock,
    kernel::{
        MpiKernel, Sched,
        request::recurrence::{COUNTING, Recurrence},
    },
    object::op::Op,
};

/// How many idle polls are allowed for each atomic look: after these in a row, of all ranks, the ranks may wait for ever. A
/// look that is not atomic counts an [`ATOMIC`]th, since programs also read large amounts of data in that way.
const POLLS_EACH: u64 = 10;
/// What an atomic look counts, in looks that are not.
const ATOMIC: u64 = 8;
/// What a shared lock counts that is given back: it takes several messages.
const LOCKED: u64 = 4;
/// Number of looks after which a rank counts as waiting for what it reads.
const LOOP: u32 = 1_000;
/// Number of looks of a rank at one moment after which time has to pass: on a network that takes none, nobody else
/// would ever come to change what it reads.
const AT_A_MOMENT: u32 = 100;
/// Most places that are remembered.
const PLACES_MAX: usize = 1 << 16;

/// Most bytes of a look: what is larger is data, and not a flag or a lock.
const BYTES_MAX: u64 = 64;

/// A window, the rank in it whose memory it is, and the first byte.
type Place = (WindowId, u32, i64);

/// The looks at windows since something changed.
#[derive(Debug, Default)]
pub(crate) struct Spinning {
    /// Atomic looks after which the ranks may wait for ever.
    most: u64,
    weight: u64,
    /// The weight at which the ranks are examined again, after some had not looked for long.
    again: u64,
    /// Number of messages that had been sent at the first of them.
    messages: u64,
    /// The looks of each rank of the run.
    looks: BTreeMap<u32, Looks>,
    /// What each rank saw last at each place.
    seen: BTreeMap<(u32, Place), Vec<u8>>,
    /// The states of the programs, once they have looked for long.
    recurrence: Recurrence,
}

/// The looks of a rank since something changed.
#[derive(Debug, Default)]
struct Looks {
    count: u32,
    /// When the last one was, and how many there were at that moment.
    last: (SimTime, u32),
}

impl Spinning {
    /// Creates what is known before the first look of a run that allows this many idle polls.
    pub(super) fn new(idle_polls_max: u64) -> Self {
        Self { most: idle_polls_max / POLLS_EACH, ..Self::default() }
    }

    /// Records that something changes.
    fn interrupt(&mut self) {
        if self.weight > 0 {
            self.weight = 0;
            self.again = 0;
            self.looks.clear();
            self.recurrence.clear();
        }
    }

    /// Follows an access with this result that a rank has made to a window, `base` bytes from the start of its target's
    /// memory, if that is a place there, `now`, after this many messages of the run.
    pub(super) fn follow(
        &mut self,
        (rank, window, base): (u32, WindowId, Option<i64>),
        access: &Access,
        result: Option<&Payload>,
        now: (SimTime, u64),
    ) {
        // What is large is not even compared.
        let seen = result.filter(|result| result.bytes() <= BYTES_MAX);
        match (seen, base) {
            (Some(seen), Some(base)) if only_looks(access, seen) => {
                let is_atomic = !matches!(access.action, Action::Get);
                let place = (window, access.target, base);
                self.look((rank, place), is_atomic, &seen.contents(), now);
            }
            _ => self.interrupt(),
        }
    }

    /// Records that a rank has seen these bytes at a place.
    fn look(
        &mut self,
        (rank, place): (u32, Place),
        is_atomic: bool,
        bytes: &[u8],
        now: (SimTime, u64),
    ) {
        let is_same = self.seen.get(&(rank, place)).is_some_and(|known| known == bytes);
        if !is_same {
            if self.seen.len() == PLACES_MAX {
                self.seen.clear();
            }
            self.seen.insert((rank, place), bytes.to_vec());
        }
        if !is_same {
            self.interrupt();
        }
        self.count(rank, if is_atomic { ATOMIC } else { 1 }, now);
    }

    /// Records that a rank gives a shared lock back `now`, after this many messages of the run: it may have read its own
    /// memory.
    pub(super) fn unlock(&mut self, rank: u32, now: (SimTime, u64)) {
        self.count(rank, LOCKED, now);
    }

    /// Counts a look of a rank.
    fn count(&mut self, rank: u32, weight: u64, (now, messages): (SimTime, u64)) {
        if self.messages != messages {
            self.interrupt();
        }
        self.messages = messages;
        let looks = self.looks.entry(rank).or_default();
        looks.count += 1;
        let (last, count) = looks.last;
        looks.last = (now, if last == now { count + 1 } else { 1 });
        self.weight += weight;
    }

    /// Returns whether ranks have only looked for very long.
    fn is_long(&self) -> bool {
        self.weight >= self.again.max(self.most * ATOMIC)
    }

    /// Notes that some rank had not looked for long when the others had.
    fn be_patient(&mut self) {
        self.again = self.weight.saturating_mul(2);
    }

    /// Returns whether each of these ranks has looked many times as often as those may that wait for ever, as its share of
    /// all looks.
    fn is_endless(&self, ranks: &[u32]) -> bool {
        let most = self.most * ATOMIC * COUNTING;
        let each = u64::from(LOOP).max(self.most / ranks.len().max(1) as u64);
        let count = |rank: &u32| self.looks.get(rank).map_or(0, |looks| u64::from(looks.count));
        self.weight >= most && ranks.iter().all(|rank| count(rank) >= each)
    }

    /// Returns whether a rank does nothing but look.
    fn holds(&self, rank: u32) -> bool {
        self.looks.get(&rank).is_some_and(|looks| looks.count >= LOOP)
    }

    /// Returns whether a rank has only looked for so long at this moment that time has to pass.
    pub(super) fn stands_still(&self, rank: u32, now: SimTime) -> bool {
        self.looks
            .get(&rank)
            .is_some_and(|Looks { last, .. }| last.0 == now && last.1 >= AT_A_MOMENT)
    }
}

/// Reports whether an access with this result has left the memory of its target as it was.
fn only_looks(access: &Access, result: &Payload) -> bool {
    match &access.action {
        Action::Put => false,
        Action::Get | Action::Update { op: Op::NoOp, .. } => true,
        Action::Update { op: Op::Replace, .. } => access.payload.contents() == result.contents(),
        // The usual ones, whose result need not be computed.
        Action::Update { op: Op::Sum | Op::BitOr | Op::BitXor, .. } => {
            access.payload.contents().iter().all(|byte| *byte == 0)
        }
        Action::Update { op, primitive, .. } => {
            let before = result.contents();
            let mut after =
                SmallVec::<[u8; BYTES_MAX as usize]>::from_slice(&access.payload.contents());
            after.resize(before.len(), 0);
            op.apply(*primitive, &before, &mut after);
            *after == *before
        }
        Action::Swap(primitive) => {
            let data = access.payload.contents();
            data.get(..primitive.size()) != Some(&*result.contents())
        }
    }
}

impl Windows {
    /// Reports whether a put is on its way that will take effect whatever the ranks do.
    fn brings_a_put(&self) -> bool {
        self.flights.iter().any(|(index, flight)| {
            let put = flight.access().filter(|access| access.is_put_under_way());
            put.is_some_and(|put| {
                let window = self.windows.get(put.window);
                let member = window.map(|window| &window.members[put.origin as usize]);
                !member.is_some_and(|member| member.pairs.holds(put.pair, index))
            })
        })
    }
}

impl MpiKernel {
    /// Ends the run if every rank that can go on only looks at windows, and is in a few states again and again: then nothing
    /// can change what they see. Called when a rank looks. Returns whether it has ended.
    #[inline]
    pub(super) fn ends_spinning(&mut self, rank: u32, s: &mut Sched) -> bool {
        self.windows.spinning.is_long() && self.ends_long_spinning(rank, s)
    }

    /// Like [`Self::ends_spinning`], after ranks have looked for long.
    #[cold]
    fn ends_long_spinning(&mut self, rank: u32, s: &mut Sched) -> bool {
        let running = (0..self.ranks.len() as u32).filter(|rank| {
            let state = &self.ranks[*rank as usize];
            state.runs() && !state.finished
        });
        let spins = |rank: &u32| self.windows.spinning.holds(*rank);
        // Ranks that compute, or have looked only now and then, may still change something, and so may a put.
        if !running.clone().all(|rank| spins(&rank)) {
            self.windows.spinning.be_patient();
            return false;
        }
        if self.windows.brings_a_put() {
            self.windows.spinning.interrupt();
            return false;
        }
        let ranks: Vec<u32> = (0..self.ranks.len() as u32).filter(spins).collect();
        let process = self.ranks[rank as usize].process;
        let spinning = &mut self.windows.spinning;
        spinning.recurrence.look(process, || s.caller_state(process));
        if spinning.recurrence.recurring() < ranks.len() && !spinning.is_endless(&ranks) {
            return false;
        }
        let looks = spinning.most;
        let place = |rank: &u32| self.present_site(*rank, livelock::looks(*rank));
        let sites = ranks.iter().map(place).collect();
        let blocked = self.blocked_beside(&ranks);
        self.fail(livelock::of_looking(ranks, sites, &blocked, looks), s);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::{CommId, Runs};

    fn place(at: i64) -> (u32, Place) {
        (1, (WindowId(CommId(7)), 0, at))
    }

    const NOW: SimTime = SimTime::ZERO;
    const MOST: u64 = 50_000;

    fn spinning() -> Spinning {
        Spinning::new(MOST * POLLS_EACH)
    }

    #[test]
    fn the_same_bytes_again_and_again_are_waited_for() {
        let mut spinning = spinning();
        for _ in 1..MOST {
            spinning.look(place(0), true, &[1], (NOW, 3));
        }
        assert!(spinning.holds(1) && !spinning.holds(0) && !spinning.is_long());
        spinning.look(place(0), true, &[1], (NOW, 3));
        assert!(spinning.is_long());
    }

    #[test]
    fn ranks_that_look_less_often_are_waited_for() {
        let mut spinning = spinning();
        let look = |spinning: &mut Spinning, rank, times: u64| {
            (0..times).for_each(|_| spinning.look((rank, place(0).1), true, &[1], (NOW, 3)));
        };
        // The first look of a rank is a beginning.
        look(&mut spinning, 2, 1);
        look(&mut spinning, 1, MOST);
        spinning.be_patient();
        assert!(!spinning.is_long() && spinning.holds(1));
        look(&mut spinning, 1, MOST * COUNTING);
        look(&mut spinning, 2, u64::from(LOOP));
        assert!(spinning.is_long() && spinning.is_endless(&[1]) && !spinning.is_endless(&[1, 2]));
        look(&mut spinning, 2, MOST / 2);
        assert!(spinning.is_endless(&[1, 2]));
    }

    #[test]
    fn other_bytes_other_places_and_messages_are_a_beginning() {
        let mut spinning = spinning();
        let mut looks = |times: u32, at, byte, messages| {
            (0..times).for_each(|_| {
                spinning.look(place(at), true, &[byte], (NOW, messages));
            });
            spinning.looks[&1].count
        };
        assert_eq!(looks(5, 0, 1, 0), 5);
        assert_eq!(looks(1, 0, 2, 0), 1, "other bytes");
        assert_eq!(looks(2, 8, 2, 0), 2, "another place");
        assert_eq!(looks(2, 0, 2, 0), 4, "both are known");
        assert_eq!(looks(1, 0, 2, 1), 1, "a message was sent");
        spinning.interrupt();
        assert!(!spinning.holds(1));
    }

    #[test]
    fn time_has_to_pass_after_many_looks_at_one_moment() {
        let mut spinning = spinning();
        let later = SimTime::from_ps(1);
        for _ in 0..AT_A_MOMENT {
            assert!(!spinning.stands_still(1, NOW));
            spinning.look(place(0), true, &[1], (NOW, 3));
        }
        assert!(spinning.stands_still(1, NOW) && !spinning.stands_still(1, later));
        spinning.look(place(0), true, &[1], (later, 3));
        assert!(!spinning.stands_still(1, later) && !spinning.stands_still(0, NOW));
    }

    #[test]
    fn locks_given_back_again_and_again_are_looks() {
        let mut spinning = spinning();
        let unlocks = MOST * ATOMIC / LOCKED;
        let mut is_long = |_: &u64| {
            spinning.unlock(1, (NOW, 3));
            spinning.is_long()
        };
        assert_eq!((1..=unlocks).find(|unlock| is_long(unlock)), Some(unlocks));
        assert!(spinning.holds(1));
        spinning.unlock(1, (NOW, 4));
        assert!(!spinning.is_long() && !spinning.holds(1), "a message was sent");
    }

    #[test]
    fn an_access_that_finds_its_own_value_changes_nothing() {
        let access = |action, data: &[u8]| {
            let (runs, payload) = (Runs::One(0, 1), Payload::from_slice(data));
            Access { target: 0, at: 0, runs, action, payload, ticket: 0, strided: false }
        };
        let primitive = crate::object::signature::Primitive::UInt8;
        let update = |op| Action::Update { op, primitive, fetch: true };
        let one = Payload::from_slice(&[1]);
        let looks = |access: &Access| only_looks(access, &one);
        assert!(
            looks(&access(update(Op::Replace), &[1])) && !looks(&access(update(Op::Replace), &[0]))
        );
        assert!(looks(&access(update(Op::NoOp), &[])));
        assert!(looks(&access(update(Op::Sum), &[0])) && !looks(&access(update(Op::Sum), &[2])));
        assert!(looks(&access(update(Op::Max), &[1])) && !looks(&access(update(Op::Max), &[2])));
        assert!(looks(&access(Action::Swap(primitive), &[0, 9])), "the swap failed");
        assert!(!looks(&access(Action::Swap(primitive), &[1, 9])));
        assert!(looks(&access(Action::Get, &[])) && !looks(&access(Action::Put, &[1])));
    }
}
