//! Where the time of a run went: wait states, call sites, collective operations, message sizes.
//!
//! The terms are those of Scalasca (Geimer et al., Concurrency and Computation 22(6), 2010);
//! `docs/profile.md` defines each of them.

mod algorithms;
mod one_sided;
mod operations;
mod pop;
mod profiler;
mod ranks;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use mpi_api::call::Site;
use sim_core::SimDuration;

pub use self::{
    algorithms::{AlgorithmUse, Algorithms},
    one_sided::{Accesses, OneSided, Synchronizing},
    pop::{Efficiencies, NoIdeal},
    profiler::{Profiler, ProfilerHandle},
};

/// The cause of blocked time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitState {
    /// A receiver waits for a message whose send has not been called.
    LateSender,
    /// A sender waits for a receiver that is not ready.
    LateReceiver,
    /// In a barrier, until the last rank enters.
    WaitAtBarrier,
    /// In an operation whose result depends on all ranks, until the last rank enters.
    WaitAtNxN,
    /// At the root of a reduction or gather, until the last rank enters.
    EarlyReduce,
    /// In a broadcast or scatter, until the root enters.
    LateBroadcast,
    /// In a scan, until the last rank of lower number enters.
    EarlyScan,
    /// In a neighbourhood collective, until the last source enters.
    WaitAtNeighbors,
    /// In a fence, until the last rank of the window calls it.
    WaitAtFence,
    /// At the start of an access epoch, until the last target posts its exposure.
    LatePost,
    /// In the wait for the end of an exposure, until the last origin completes its accesses.
    EarlyWait,
    /// In a lock, until the ranks that hold it have given it back.
    LockContention,
    /// Until a target that accesses or locks concern calls MPI, with weak progress.
    WaitForProgress,
    /// Blocked although every rank that is waited for has made its call: data move, or other ranks
    /// pass them on.
    Transfer,
    /// Blocked when the run ended early.
    Unfinished,
}

impl WaitState {
    /// All states in order.
    pub const ALL: [Self; 15] = [
        Self::LateSender,
        Self::LateReceiver,
        Self::WaitAtBarrier,
        Self::WaitAtNxN,
        Self::EarlyReduce,
        Self::LateBroadcast,
        Self::EarlyScan,
        Self::WaitAtNeighbors,
        Self::WaitAtFence,
        Self::LatePost,
        Self::EarlyWait,
        Self::LockContention,
        Self::WaitForProgress,
        Self::Transfer,
        Self::Unfinished,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::LateSender => "late sender",
            Self::LateReceiver => "late receiver",
            Self::WaitAtBarrier => "wait at barrier",
            Self::WaitAtNxN => "wait at NxN",
            Self::EarlyReduce => "early reduce",
            Self::LateBroadcast => "late broadcast",
            Self::EarlyScan => "early scan",
            Self::WaitAtNeighbors => "wait at neighbours",
            Self::WaitAtFence => "wait at fence",
            Self::LatePost => "late post",
            Self::EarlyWait => "early wait",
            Self::LockContention => "lock contention",
            Self::WaitForProgress => "wait for progress",
            Self::Transfer => "transfer",
            Self::Unfinished => "unfinished",
        }
    }

    /// Reports whether it is waiting for another rank, and not for data under way.
    pub fn is_waiting(self) -> bool {
        !matches!(self, Self::Transfer)
    }
}

/// Blocked time by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    by_state: [SimDuration; WaitState::ALL.len()],
    /// The part of [`WaitState::LateSender`] in which a message waited for was sent after another one to
    /// the same receiver that is received later.
    pub wrong_order: SimDuration,
}

impl Waits {
    /// Returns the time in one state.
    pub fn get(&self, state: WaitState) -> SimDuration {
        self.by_state[state as usize]
    }

    /// Returns the time in all states.
    pub fn total(&self) -> SimDuration {
        self.by_state.iter().copied().sum()
    }

    /// Returns the time in all states but [`WaitState::Transfer`].
    pub fn waiting(&self) -> SimDuration {
        let all = WaitState::ALL.into_iter().filter(|state| state.is_waiting());
        all.map(|state| self.get(state)).sum()
    }

    fn add(&mut self, state: WaitState, time: SimDuration) {
        self.by_state[state as usize] += time;
    }

    /// Turns the time that nobody is late for into time cut short by the end of the run.
    fn end_early(&mut self) {
        let rest = std::mem::take(&mut self.by_state[WaitState::Transfer as usize]);
        self.add(WaitState::Unfinished, rest);
    }

    fn add_all(&mut self, other: &Self) {
        for state in WaitState::ALL {
            self.add(state, other.get(state));
        }
        self.wrong_order += other.wrong_order;
    }
}

/// The calls from one place of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// Name of the call in the spelling of the program's language.
    pub call: &'static str,
    /// Place in the program; `None` if it is not known.
    pub site: Option<Site>,
    /// Number of calls by all ranks.
    pub calls: u64,
    /// Bytes of data that these calls gave to MPI.
    pub sent: u64,
    /// Bytes of data that came to receives which these calls posted.
    pub received: u64,
    /// Processor time in these calls, summed over ranks.
    pub overhead: SimDuration,
    /// Blocked time in these calls, summed over ranks.
    pub waits: Waits,
    /// Number of ranks that made such a call.
    pub ranks: u32,
    /// The rank that spent most time here, the lowest of several, and its time.
    pub longest: (u32, SimDuration),
    /// What carried out the collective operations that these calls entered.
    pub algorithms: Algorithms,
}

impl CallSite {
    /// Returns the time of all ranks in these calls.
    pub fn time(&self) -> SimDuration {
        self.overhead + self.waits.total()
    }

    /// Returns the time of the rank that spent most here, divided by the mean over the ranks that made
    /// such a call; 1 if it took no time.
    pub fn imbalance(&self) -> f64 {
        let mean = self.time().as_ps() as f64 / f64::from(self.ranks.max(1));
        if mean > 0.0 { self.longest.1.as_ps() as f64 / mean } else { 1.0 }
    }

    /// Returns the place as `file:line`, or `?`.
    pub fn place(&self) -> String {
        match self.site {
            Some(site) if site.line > 0 => format!("{}:{}", site.file, site.line),
            _ => "?".into(),
        }
    }
}

/// All calls of one collective operation, blocking or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveTime {
    /// Name of the operation, as `--collectives` has it.
    pub operation: &'static str,
    /// Whether `--collectives` chooses its algorithm.
    pub choosable: bool,
    /// Number of calls by all ranks.
    pub calls: u64,
    /// Bytes of data that the ranks contributed.
    pub bytes: u64,
    /// Processor time of its blocking calls.
    pub overhead: SimDuration,
    /// Blocked time in it, or in waiting for it.
    pub waits: Waits,
    /// What carried it out.
    pub algorithms: Algorithms,
}

impl CollectiveTime {
    /// Returns the time of all ranks in the operation.
    pub fn time(&self) -> SimDuration {
        self.overhead + self.waits.total()
    }
}

/// Messages of similar size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SizeClass {
    /// Smallest size of the class, bytes: 0, 1, or a power of two.
    pub from: u64,
    /// Number of messages that the program sent and received.
    pub messages: u64,
    /// Bytes of data in them.
    pub bytes: u64,
    /// Number of messages inside collective operations.
    pub inside: u64,
    /// Bytes of data in them.
    pub inside_bytes: u64,
    /// Number of one-sided accesses.
    pub accesses: u64,
    /// Bytes of data in them, in both directions.
    pub accessed_bytes: u64,
}

impl SizeClass {
    /// Reports whether any message has such a size.
    pub fn is_used(&self) -> bool {
        self.messages > 0 || self.inside > 0 || self.accesses > 0
    }

    /// Returns the largest size of the class, bytes.
    pub fn last(&self) -> u64 {
        self.from.saturating_mul(2).saturating_sub(1).max(self.from)
    }
}

/// Where the time of a run went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Blocked time of each rank.
    pub ranks: Vec<Waits>,
    /// Blocked time of all ranks.
    pub total: Waits,
    /// Call sites, the longest first; ties by name and place.
    pub sites: Vec<CallSite>,
    /// Collective operations, the longest first; ties by name.
    pub collectives: Vec<CollectiveTime>,
    /// Sizes of delivered messages, from the class of the smallest to that of the largest; classes
    /// without messages at both ends are left out.
    pub sizes: Vec<SizeClass>,
    /// One-sided communication; `None` if there was none.
    pub one_sided: Option<OneSided>,
}

/// Returns the values with the largest keys, at most `most` of them and the largest first, where equal ones keep
/// their order; all values in their order if these are not more.
pub(crate) fn largest<T, K: Ord>(
    all: impl Iterator<Item = T>,
    most: usize,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    let mut all: Vec<T> = all.collect();
    if all.len() > most {
        all.sort_by_key(|value| Reverse(key(value)));
        all.truncate(most);
    }
    all
}

impl Profile {
    /// Reports whether the run has one-sided accesses.
    pub fn has_accesses(&self) -> bool {
        self.one_sided.as_ref().is_some_and(|found| !found.pairs.is_empty())
    }

    /// Returns the classes of sizes that messages have.
    pub fn used_sizes(&self) -> impl Iterator<Item = &SizeClass> {
        self.sizes.iter().filter(|class| class.is_used())
    }
}
