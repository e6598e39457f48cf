//! One-sided communication of a run: who accessed whose memory, and the time in synchronisation.

use mpi_api::call::WindowSynchronization;
use sim_core::SimDuration;

use super::largest;

/// Number of ways to synchronise a window.
const WAYS: usize = WindowSynchronization::ALL.len();

/// One-sided communication of a run (MPI chapter 12).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneSided {
    /// The accesses of each origin to each target, without pairs that have none, in order of origin and
    /// target.
    pub pairs: Vec<Accesses>,
    /// Synchronisation of each rank.
    pub ranks: Vec<Synchronizing>,
    /// Synchronisation of all ranks.
    pub total: Synchronizing,
}

impl OneSided {
    /// Returns the sums over all pairs, without origin and target.
    pub fn accesses(&self) -> Accesses {
        self.pairs.iter().fold(Accesses::default(), |sum, pair| Accesses {
            accesses: sum.accesses + pair.accesses,
            out: sum.out + pair.out,
            back: sum.back + pair.back,
            ..sum
        })
    }

    /// Returns the pairs with most bytes, then most accesses, at most this many of them; in order of origin and
    /// target if these are all.
    pub fn heaviest(&self, most: usize) -> impl Iterator<Item = &Accesses> {
        largest(self.pairs.iter(), most, |pair| (pair.bytes(), pair.accesses)).into_iter()
    }

    /// Returns the ranks that spend most time in synchronisation, at most this many of them; in order of their numbers
    /// if these are all.
    pub fn longest(&self, most: usize) -> impl Iterator<Item = (usize, &Synchronizing)> {
        largest(self.ranks.iter().enumerate(), most, |(_, one)| one.total()).into_iter()
    }
}

/// The accesses of one rank to the memory of one rank, in all windows: those that the origin knows to be
/// complete when the run ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// World rank of the origin.
    pub origin: u32,
    /// World rank of the target.
    pub target: u32,
    /// Their number.
    pub accesses: u64,
    /// Bytes of data that went to the target: what is put, and operands.
    pub out: u64,
    /// Bytes of data that came back to the origin.
    pub back: u64,
}

impl Accesses {
    /// Returns the bytes of both directions.
    pub fn bytes(&self) -> u64 {
        self.out + self.back
    }
}

/// Calls that synchronise windows, and the time in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Synchronizing {
    calls: [u64; WAYS],
    times: [SimDuration; WAYS],
}

impl Synchronizing {
    /// Returns the number of calls of one kind.
    pub fn calls(&self, how: WindowSynchronization) -> u64 {
        self.calls[how as usize]
    }

    /// Returns the processor time and the blocked time in calls of one kind.
    pub fn time(&self, how: WindowSynchronization) -> SimDuration {
        self.times[how as usize]
    }

    /// Returns the time in all of them.
    pub fn total(&self) -> SimDuration {
        self.times.iter().copied().sum()
    }

    /// Returns the kinds that were called, in order.
    pub fn used(&self) -> impl Iterator<Item = WindowSynchronization> {
        WindowSynchronization::ALL.into_iter().filter(|how| self.calls(*how) > 0)
    }

    pub(super) fn count(&mut self, how: WindowSynchronization) {
        self.calls[how as usize] += 1;
    }

    pub(super) fn add(&mut self, how: WindowSynchronization, time: SimDuration) {
        self.times[how as usize] += time;
    }

    pub(super) fn add_all(&mut self, other: &Self) {
        for how in WindowSynchronization::ALL {
            self.calls[how as usize] += other.calls(how);
            self.add(how, other.time(how));
        }
    }
}
