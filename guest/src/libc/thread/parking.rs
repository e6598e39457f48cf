//! Threads of a rank wait in queues, by the address of the object they wait for.

use std::{
    cell::Cell,
    ffi::{CStr, c_int},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use sim_core::Site;

use super::super::{ending::Ending, errno, host::Wait, rank::Rank};
use super::caller::caller;
use crate::site;

/// The circumstances of a wait.
pub(crate) struct Why {
    /// Name of the function that waits.
    pub(super) call: &'static str,
    pub(super) site: Site,
    /// The only thread that can end the wait, if known.
    pub(super) holder: Option<u32>,
    /// Longest time to wait.
    pub(super) within: Option<Duration>,
    /// Whether the thread has nothing to do, so that a deadlock is not explained by its wait.
    pub(super) idle: bool,
}

impl Why {
    /// Creates the description of a wait in a function that was just called.
    pub(crate) fn here(call: &'static str) -> Self {
        Self { call, site: site::caller(), holder: None, within: None, idle: false }
    }

    /// Creates the description of a thread that has nothing to do until another one gives it work.
    pub(crate) fn idle(call: &'static str) -> Self {
        Self { call, site: Site::NOWHERE, holder: None, within: None, idle: true }
    }

    pub(crate) fn held_by(self, holder: u32) -> Self {
        Self { holder: Some(holder), ..self }
    }

    pub(crate) fn within(self, within: Option<Duration>) -> Self {
        Self { within, ..self }
    }

    pub(super) fn again(&self) -> Self {
        Self { call: self.call, site: self.site, holder: None, within: None, idle: self.idle }
    }
}

/// Adds the calling thread to the queue at an address, without waiting.
pub(super) fn enter(key: usize) {
    let (rank, thread) = caller();
    rank.threads.lot.borrow_mut().enter(key, thread.number);
}

/// Waits until the calling thread, which is in the queue at an address, has been taken out of it.
/// Returns false on a timeout, after leaving the queue.
pub(super) fn sleep(key: usize, why: &Why) -> bool {
    let (rank, thread) = caller();
    let waits =
        |key: usize| rank.threads.lot.borrow().at(key).any(|waiting| waiting == thread.number);
    while waits(key) {
        let Why { call, site, holder, within, idle } = *why;
        let woken = rank.host().park(rank.number(), Wait { call, site, holder, within, idle });
        if !woken && rank.threads.lot.borrow_mut().remove(key, thread.number) {
            return false;
        }
    }
    true
}

/// Waits at an address. Returns false on a timeout.
pub(crate) fn wait(key: usize, why: &Why) -> bool {
    enter(key);
    sleep(key, why)
}

/// Takes at most `most` threads out of the queue at an address, without resuming them.
pub(crate) fn take(key: usize, most: usize) -> Vec<u32> {
    let (rank, _) = caller();
    rank.threads.lot.borrow_mut().take(key, most)
}

/// Takes one thread out of the queue at an address, without resuming it. Returns false if it was not
/// there.
pub(crate) fn leave_queue(key: usize, thread: u32) -> bool {
    let (rank, _) = caller();
    rank.threads.lot.borrow_mut().remove(key, thread)
}

/// Resumes threads that were taken.
pub(crate) fn let_go(threads: Vec<u32>) {
    hand_over(threads, &[]);
}

/// Resumes threads that were taken; the threads still queued at `keys` now wait for the first of
/// them.
pub(crate) fn hand_over(threads: Vec<u32>, keys: &[usize]) {
    if threads.is_empty() {
        return;
    }
    let (rank, _) = caller();
    let lot = rank.threads.lot.borrow();
    let left = keys.iter().flat_map(|key| lot.at(*key)).collect();
    drop(lot);
    rank.host().unpark(rank.number(), threads, left);
}

/// Wakes at most `most` threads at an address; returns their number.
pub(crate) fn wake(key: usize, most: usize) -> usize {
    let taken = take(key, most);
    let count = taken.len();
    let_go(taken);
    count
}

/// Lets other threads of the rank run, if there are any. A rank with a single thread that yields
/// repeatedly may be waiting for another rank in shared memory, so that it lets time pass.
pub(crate) fn give_way() {
    let (rank, _) = caller();
    if rank.threads.live.get() > 0 {
        rank.host().give_way(rank.number(), site::caller());
        return;
    }
    repeat(rank, &rank.threads.idle.yields, (0, YIELDS), nap);
}

/// Called when a file was not there, or was in the way. A rank that asks for the same file repeatedly may be waiting for
/// another rank to make or remove it, so that it lets time pass.
pub(crate) fn ask_again(path: &CStr) {
    let Some(rank) = Rank::current() else { return };
    let mut hash = DefaultHasher::new();
    path.hash(&mut hash);
    repeat(rank, &rank.threads.idle.asked, (hash.finish(), ASKED), nap);
}

/// Called when a rank has opened a file with these flags. Ranks often open the same file to overwrite it, and one of them
/// writes it: on a machine all have opened it by then, since they run at the same time.
pub(crate) fn after_opening(flags: c_int) {
    if let Some(rank) = Rank::current().filter(|_| flags & libc::O_TRUNC != 0) {
        errno::keeping(|| rank.host().sleep(rank.number(), Duration::from_nanos(1)));
    }
}

/// Called when a rank waits for or tests requests of which none is active, which takes no time. A rank that does so repeatedly
/// may be waiting for another rank in shared memory, so that it polls.
pub fn complete_nothing(poll: impl FnOnce()) {
    if let Some(rank) = Rank::current() {
        repeat(rank, &rank.threads.idle.completed, (0, COMPLETED), poll);
    }
}

/// Sleeps for a short time.
fn nap() {
    let (rank, _) = caller();
    rank.host().sleep(rank.number(), Duration::from_micros(1));
}

/// What a rank does without effect, perhaps again and again.
#[derive(Default)]
pub(super) struct Idle {
    /// Yields, where the rank has only one thread.
    yields: Cell<Repeated>,
    /// Asks for a file.
    asked: Cell<Repeated>,
    /// Waits for or tests requests of which none is active.
    completed: Cell<Repeated>,
}

/// How often a rank has done something without effect.
#[derive(Clone, Copy, Default)]
struct Repeated {
    /// What it was, where that is not always the same.
    what: u64,
    /// The simulated time of the last time.
    since: Duration,
    /// Number of times at that time, one after the other.
    times: u32,
}

/// Counts something that a rank does without effect, and lets time `pass` if it has done so more often than `most` times at one
/// simulated time.
fn repeat(rank: &Rank, repeated: &Cell<Repeated>, (what, most): (u64, u32), pass: impl FnOnce()) {
    let (now, last) = (rank.clock(), repeated.get());
    let times = if (last.since, last.what) == (now, what) { last.times + 1 } else { 0 };
    if times < most {
        return repeated.set(Repeated { what, since: now, times });
    }
    pass();
    repeated.set(Repeated { what, since: rank.clock(), times: most - 1 });
}

/// Number of times that a rank yields at one simulated time before it lets time pass.
const YIELDS: u32 = 1_000;

/// Number of times that a rank asks for the same file.
const ASKED: u32 = 1_000;

/// Number of waits and tests without an active request. Programs that look after many requests make some of them for other
/// reasons.
const COMPLETED: u32 = 100_000;

/// Number of free locks that a thread takes in a row before it lets others run at each further one.
const FREE_LOCKS: u32 = 1_000;

/// Called before a free lock is taken, which takes no time. A thread that does nothing else may be
/// polling for another thread, so that it lets the others run.
pub(crate) fn before_free_lock() {
    let (rank, _) = caller();
    let taken = &rank.threads.free_locks;
    if rank.threads.live.get() == 0 {
        return;
    }
    taken.set(taken.get() + 1);
    if taken.get() > FREE_LOCKS {
        give_way();
        taken.set(FREE_LOCKS);
    }
}

/// Ends the program because the calling thread does something that cannot be simulated.
pub(super) fn refuse(what: &str) -> ! {
    let (rank, _) = caller();
    let text = format!("{what}, which a thread of a simulated rank cannot do");
    rank.finish(Ending::Refused(text))
}
