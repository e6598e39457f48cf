//! The course of a window's program, gone through once in an order in which it may happen.
//!
//! Vector clocks tell what a rank knows; a use of memory is ordered with a later one whose rank knows that it is
//! complete.

use super::{
    epochs::{Epochs, Misuse},
    order::{Event, Judgement, Pair, Relation, Use, What},
};
use crate::plan::{
    Wrong,
    window::{Access, Deed, Kind, Promise, Turn, Window, span},
};

pub(super) struct Model<'a> {
    pub(super) window: &'a Window,
    epochs: Vec<Epochs>,
    /// For each rank, the number of the last event of each other that it knows.
    clocks: Vec<Vec<u32>>,
    uses: Vec<Use>,
    /// Positions of the uses that the next synchronisation of a rank completes, by rank.
    pending: Vec<Vec<usize>>,
    /// Positions of the uses during the present exposure of each rank.
    exposed: Vec<Vec<usize>>,
    /// The number of fences and posts of each rank.
    exposures: Vec<u32>,
    /// The last end of an exposure by `MPI_Win_post`, by rank.
    hidden: Vec<Option<Event>>,
    /// The unlocks of each rank's memory, and those of all ranks.
    unlocked: Vec<Vec<Event>>,
    unlocked_all: Vec<Event>,
    /// What ranks knew that have posted to a rank, as (target, origin, clock).
    posts: Vec<(u32, u32, Vec<u32>)>,
    /// What ranks knew that have ended their accesses, as (origin, target, clock).
    ends: Vec<(u32, u32, Vec<u32>)>,
    /// Whether the buffers of an access are the program's again, by access.
    returned: Vec<bool>,
    /// What each rank has done to its own memory, and asserts of it.
    offers: Vec<Offer>,
    pairs: Vec<Pair>,
    worst: Option<Wrong>,
    /// Whether a rank asserts that it has not stored to its memory, but it has.
    stored: bool,
    /// Whether memory that nobody writes to, as its rank asserts, may be written to by a swap.
    swapped: bool,
    open: bool,
    /// Whether a lock and an exposure of the same memory may meet.
    meets: bool,
    /// Whether a rank has held a lock while it waited for others.
    holds: bool,
    stopped: Option<Stop>,
}

/// Judges the program of a window.
pub(crate) fn judge(window: &Window) -> Judgement {
    let model = go_through(window);
    match &model.stopped {
        None if model.epochs.iter().any(|epochs| epochs.free().is_err()) => {
            model.said(Some(Wrong::Epochs))
        }
        // A request that nobody waits for is no matter of windows.
        None if model.leaves_requests() => Judgement::Stuck,
        _ => model.told(),
    }
}

/// Judges the beginning of a program, which goes on.
pub(crate) fn judge_so_far(window: &Window) -> Judgement {
    go_through(window).told()
}

/// Returns the pairs of unordered accesses of a right program that do not disturb each other.
pub(super) fn together(window: &Window) -> Vec<Pair> {
    go_through(window).pairs
}

fn go_through(window: &Window) -> Model<'_> {
    let size = window.size() as usize;
    let mut model = Model {
        window,
        epochs: vec![Epochs::default(); size],
        clocks: vec![vec![0; size]; size],
        uses: Vec::new(),
        pending: vec![Vec::new(); size],
        exposed: vec![Vec::new(); size],
        exposures: vec![0; size],
        hidden: vec![None; size],
        unlocked: vec![Vec::new(); size],
        unlocked_all: Vec::new(),
        posts: Vec::new(),
        ends: Vec::new(),
        returned: vec![false; window.accesses.len()],
        offers: vec![Offer::default(); size],
        pairs: Vec::new(),
        worst: None,
        stored: false,
        swapped: false,
        open: false,
        meets: false,
        holds: false,
        stopped: None,
    };
    let completions = window.completions();
    for (number, turn) in window.turns.iter().enumerate() {
        for (_, id) in &completions[number] {
            model.returned[*id] = true;
        }
        if let Err(stop) = model.enter(number, turn) {
            model.stopped = Some(stop);
            break;
        }
    }
    model
}

/// What a rank has done to its own memory, and asserts of it.
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    /// Whether it has stored to it since it offered it last.
    since_offer: bool,
    /// Whether it has stored to it since its last synchronisation of any kind.
    since_synchronisation: bool,
    /// Whether it asserts that nobody writes to it.
    no_put: bool,
}

/// Why a program is not gone through to its end.
enum Stop {
    Misuse,
    Stuck,
}

impl From<Misuse> for Stop {
    fn from(_: Misuse) -> Self {
        Self::Misuse
    }
}

impl Model<'_> {
    fn told(&self) -> Judgement {
        match self.stopped {
            // The run ends here, and nothing is worse.
            Some(Stop::Misuse) => self.said(Some(Wrong::Epochs)),
            Some(Stop::Stuck) => Judgement::Stuck,
            None => self.said(self.worst),
        }
    }

    fn said(&self, wrong: Option<Wrong>) -> Judgement {
        match wrong {
            _ if self.meets => Judgement::Open,
            // What is told first, or alone, is not laid down.
            Some(_) if self.stored => Judgement::Open,
            // Whether it writes depends on what it finds, and is told first.
            _ if self.swapped => Judgement::Open,
            // In another order of the locks it may not come to it.
            Some(_) if self.holds && self.window.is_exclusive() => Judgement::Open,
            Some(wrong) => Judgement::Wrong(wrong),
            None if self.open => Judgement::Open,
            None if self.stored => Judgement::Wrong(Wrong::Stored),
            None => Judgement::Right,
        }
    }

    /// Returns whether an access was started for whose request its rank does not wait.
    fn leaves_requests(&self) -> bool {
        let waits =
            |rank: u32, id: usize| self.window.turns.contains(&Turn::Deed(rank, Deed::Finish(id)));
        self.uses.iter().any(|one| match one.what {
            What::Access(id) => self.window.accesses[id].request && !waits(one.rank, id),
            What::Load | What::Store => false,
        })
    }

    /// Notes whether a rank that is about to wait for others holds a lock.
    fn note_locks(&mut self, rank: u32) {
        let size = self.window.size();
        self.holds |= (0..size).any(|of| self.epochs[rank as usize].lock_on(of).is_some());
    }

    fn blame(&mut self, wrong: Wrong) {
        self.worst = Some(self.worst.map_or(wrong, |worst| worst.min(wrong)));
    }

    /// Adds an event of a rank, and returns it.
    fn event(&mut self, rank: u32) -> Event {
        let own = &mut self.clocks[rank as usize][rank as usize];
        *own += 1;
        (rank, *own)
    }

    fn learn(&mut self, rank: u32, clock: &[u32]) {
        for (mine, theirs) in self.clocks[rank as usize].iter_mut().zip(clock) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Returns whether a rank knows of an event.
    pub(super) fn knows(&self, rank: u32, event: Option<Event>) -> bool {
        event.is_some_and(|(of, number)| self.clocks[rank as usize][of as usize] >= number)
    }

    /// Lets all ranks know what the others know.
    fn meet(&mut self) {
        let size = self.window.size();
        let all = (0..size as usize)
            .map(|of| self.clocks.iter().map(|clock| clock[of]).max().unwrap_or(0))
            .collect::<Vec<u32>>();
        (0..size).for_each(|rank| self.learn(rank, &all));
    }

    fn enter(&mut self, turn: usize, what: &Turn) -> Result<(), Stop> {
        match what {
            Turn::Fence { first, last, .. } => {
                for rank in 0..self.window.size() {
                    self.epochs[rank as usize].fence(*first, *last)?;
                    self.offer(rank, what.promise(rank).unwrap_or_default());
                    self.exposures[rank as usize] += 1;
                    let event = self.event(rank);
                    self.complete(rank, None, event);
                }
                self.meet();
            }
            Turn::Barrier => {
                for rank in 0..self.window.size() {
                    self.event(rank);
                    self.note_locks(rank);
                }
                self.meet();
            }
            Turn::Tell(from, to) => {
                self.event(*from);
                let clock = self.clocks[*from as usize].clone();
                self.event(*to);
                self.learn(*to, &clock);
                self.note_locks(*from);
                self.note_locks(*to);
            }
            Turn::Deed(rank, deed) => self.act(turn, *rank, deed)?,
        }
        Ok(())
    }

    /// Enters what a rank asserts of its memory as it offers it to others.
    fn offer(&mut self, rank: u32, promise: Promise) {
        let offer = &mut self.offers[rank as usize];
        if promise.no_store {
            self.stored |= offer.since_synchronisation;
            // Which synchronisation is the last one depends on how the standard is read.
            self.open |= offer.since_offer && !offer.since_synchronisation;
        }
        *offer = Offer { no_put: promise.no_put, ..Offer::default() };
    }

    /// Ends the accesses of a rank to a target or to all.
    fn complete(&mut self, rank: u32, target: Option<u32>, event: Event) {
        let uses = &mut self.uses;
        self.pending[rank as usize].retain(|at| {
            let one = &mut uses[*at];
            let ends = target.is_none_or(|target| target == one.target);
            if ends {
                one.done = Some(event);
            }
            !ends
        });
    }

    fn act(&mut self, turn: usize, rank: u32, deed: &Deed) -> Result<(), Stop> {
        let event = self.event(rank);
        if synchronises(deed) {
            self.offers[rank as usize].since_synchronisation = false;
        }
        if matches!(deed, Deed::Lock(..) | Deed::LockAll | Deed::Start(_) | Deed::Wait { .. }) {
            self.note_locks(rank);
        }
        self.epochs_allow(rank, deed)?;
        match deed {
            Deed::Access(id) => self.access(turn, rank, *id)?,
            Deed::Finish(id) => self.finish(rank, *id, event)?,
            Deed::Unlock(target) => {
                self.complete(rank, Some(*target), event);
                self.unlocked[*target as usize].push(event);
            }
            Deed::UnlockAll => {
                self.complete(rank, None, event);
                self.unlocked.iter_mut().for_each(|events| events.push(event));
                self.unlocked_all.push(event);
            }
            Deed::Flush(target) => self.complete(rank, *target, event),
            Deed::FlushLocal(target) => {
                // The data of a get are there, and so it is over at its target; but the standard says it of
                // the origin only.
                for at in self.pending[rank as usize].clone() {
                    let one = &mut self.uses[at];
                    if target.is_none_or(|target| target == one.target) {
                        one.perhaps.get_or_insert(event);
                    }
                }
            }
            Deed::Post(group, promise) => {
                self.offer(rank, *promise);
                self.exposed[rank as usize].clear();
                self.exposures[rank as usize] += 1;
                let knows = |event: &Event| self.knows(rank, Some(*event));
                let free = self.unlocked[rank as usize].iter().all(knows);
                let held = (0..self.window.size())
                    .any(|other| self.epochs[other as usize].lock_on(rank).is_some());
                self.meets |= held || !free;
                let clock = self.clocks[rank as usize].clone();
                self.posts.extend(group.iter().map(|origin| (rank, *origin, clock.clone())));
            }
            Deed::Start(group) => {
                for target in group {
                    let clock = take(&mut self.posts, *target, rank).ok_or(Stop::Stuck)?;
                    // Without a check the rank has to know of the post.
                    let post = (*target, clock[*target as usize]);
                    self.meets |= self.window.unchecked && !self.knows(rank, Some(post));
                    self.learn(rank, &clock);
                }
            }
            Deed::Load(first, count) => {
                self.add(turn, (rank, rank), span(*first, *count), What::Load, Some(event));
            }
            Deed::Store(first, count, _) => {
                let offer = &mut self.offers[rank as usize];
                (offer.since_offer, offer.since_synchronisation) = (true, true);
                self.add(turn, (rank, rank), span(*first, *count), What::Store, Some(event));
            }
            Deed::Peek(id) | Deed::Spoil(id) => {
                let reads =
                    matches!(deed, Deed::Peek(_)) && !self.window.accesses[*id].kind.fetches();
                if !self.returned[*id] && !reads {
                    self.blame(Wrong::Buffers);
                }
            }
            // What these wait for is in `epochs_allow`.
            Deed::Lock(..) | Deed::LockAll | Deed::Complete | Deed::Wait { .. } => {}
            Deed::Sync | Deed::Compute(_) => {}
        }
        Ok(())
    }

    /// Checks a call against the epochs of its rank and, where it waits for others, theirs.
    fn epochs_allow(&mut self, rank: u32, deed: &Deed) -> Result<(), Stop> {
        let group = match deed {
            Deed::Complete => self.epochs[rank as usize].accesses_to().map(<[u32]>::to_vec),
            Deed::Wait { .. } => self.epochs[rank as usize].exposed_to().map(<[u32]>::to_vec),
            _ => None,
        };
        self.epochs[rank as usize].call(deed)?;
        match (deed, group) {
            (Deed::Lock(..) | Deed::LockAll, _) => self.take_lock(rank, deed),
            (Deed::Complete, Some(group)) => {
                let clock = self.clocks[rank as usize].clone();
                for target in group {
                    self.ends.push((rank, target, clock.clone()));
                }
                let exposed = std::mem::take(&mut self.pending[rank as usize]);
                for at in exposed {
                    self.exposed[self.uses[at].target as usize].push(at);
                }
                Ok(())
            }
            (Deed::Wait { .. }, Some(group)) => {
                for origin in group {
                    let clock = take(&mut self.ends, origin, rank).ok_or(Stop::Stuck)?;
                    self.learn(rank, &clock);
                }
                let event = self.event(rank);
                self.hidden[rank as usize] = Some(event);
                for at in std::mem::take(&mut self.exposed[rank as usize]) {
                    self.uses[at].done = Some(event);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn take_lock(&mut self, rank: u32, deed: &Deed) -> Result<(), Stop> {
        let (wanted, exclusive) = match deed {
            Deed::Lock(target, exclusive) => (*target..*target + 1, *exclusive),
            _ => (0..self.window.size(), false),
        };
        // Without a check the locks in its way have to be known to be gone.
        let gone: Vec<Event> = match deed {
            Deed::LockAll => self.unlocked.iter().flatten().copied().collect(),
            _ if exclusive => self.unlocked_all.clone(),
            _ => Vec::new(),
        };
        let unknown = gone.into_iter().any(|event| !self.knows(rank, Some(event)));
        self.meets |= self.window.unchecked && unknown;
        for target in wanted {
            // Whether the lock or the exposure comes first is up to the execution.
            let hidden = self.hidden[target as usize];
            self.meets |= self.epochs[target as usize].exposed_to().is_some()
                || hidden.is_some() && !self.knows(rank, hidden);
            let held = (0..self.window.size())
                .filter(|other| *other != rank)
                .filter_map(|other| self.epochs[other as usize].lock_on(target));
            if held.into_iter().any(|other| other || exclusive) {
                return Err(Stop::Stuck);
            }
        }
        Ok(())
    }

    fn access(&mut self, turn: usize, rank: u32, id: usize) -> Result<(), Stop> {
        let access = &self.window.accesses[id];
        self.epochs[rank as usize].access(access.target, access.request)?;
        self.promised(rank, access)?;
        let (target, bytes) = (access.target, access.bytes());
        let at = self.uses.len();
        self.add(turn, (rank, target), bytes, What::Access(id), None);
        self.pending[rank as usize].push(at);
        Ok(())
    }

    /// Checks an access against what its target asserts.
    fn promised(&mut self, rank: u32, access: &Access) -> Result<(), Stop> {
        let promised = self.offers[access.target as usize].no_put
            && self.epochs[rank as usize].lock_on(access.target).is_none();
        match access.kind {
            _ if !promised || !access.kind.writes() || access.bytes() == 0 => Ok(()),
            Kind::CompareAndSwap(_) => {
                self.swapped = true;
                Ok(())
            }
            _ => Err(Stop::Misuse),
        }
    }

    /// Waits for the request of an access, which must have been started.
    fn finish(&mut self, rank: u32, id: usize, event: Event) -> Result<(), Stop> {
        let started = |one: &&mut Use| one.what == What::Access(id) && one.rank == rank;
        let Some(one) = self.uses.iter_mut().find(started) else { return Err(Stop::Stuck) };
        if one.done.is_none() {
            match self.window.accesses[id].kind {
                Kind::Get => one.done = Some(event),
                _ => one.perhaps = Some(event),
            }
        }
        Ok(())
    }

    /// Adds a use of a target's memory by a rank and compares it with those before it.
    fn add(
        &mut self,
        turn: usize,
        (rank, target): (u32, u32),
        bytes: u128,
        what: What,
        done: Option<Event>,
    ) {
        let lock = self.epochs[rank as usize].lock_on(target);
        let of = &self.epochs[target as usize];
        let exposed = lock.is_none() && (of.is_fenced() || of.exposed_to().is_some());
        let exposure = exposed.then_some(self.exposures[target as usize]);
        let new = Use { turn, rank, target, bytes, what, lock, exposure, done, perhaps: None };
        for at in 0..self.uses.len() {
            let before = &self.uses[at];
            if before.target != target || before.bytes & bytes == 0 {
                continue;
            }
            match self.relation(before, &new) {
                Relation::Ordered => {}
                Relation::Together => self.pairs.push((before.turn, turn)),
                Relation::Conflict => self.blame(Wrong::Order),
                Relation::Open => self.open = true,
            }
        }
        self.uses.push(new);
    }
}

/// Returns whether a call may synchronise its rank's memory with the window. [`Model::offer`] enters the others that do.
fn synchronises(deed: &Deed) -> bool {
    match deed {
        Deed::Lock(..)
        | Deed::Unlock(_)
        | Deed::LockAll
        | Deed::UnlockAll
        | Deed::Flush(_)
        | Deed::FlushLocal(_)
        | Deed::Start(_)
        | Deed::Complete
        | Deed::Wait { .. }
        | Deed::Sync => true,
        Deed::Access(_)
        | Deed::Finish(_)
        | Deed::Post(..)
        | Deed::Compute(_)
        | Deed::Load(..)
        | Deed::Store(..)
        | Deed::Peek(_)
        | Deed::Spoil(_) => false,
    }
}

/// Takes the first entry with these ends.
fn take(list: &mut Vec<(u32, u32, Vec<u32>)>, from: u32, to: u32) -> Option<Vec<u32>> {
    let at = list.iter().position(|(one, other, _)| (*one, *other) == (from, to))?;
    Some(list.remove(at).2)
}
