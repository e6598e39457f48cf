//! [`RankState`]: the present call of a rank, and where its time went so far.

use std::collections::{BTreeMap, VecDeque};

use mpi_api::{call::WindowSynchronization, observation::OperationId};
use sim_core::{SimDuration, SimTime};

use super::{Synchronizing, WaitState, Waits, operations::Part};

/// Most waits for late senders of a rank that are remembered, the last ones, in case that an
/// earlier message is received after them.
const REMEMBERED: usize = 4096;

/// A call that a rank is in.
pub(super) struct Current {
    /// Index of the call site.
    pub(super) site: usize,
    /// Blocked intervals, in order of time.
    pub(super) waits: Vec<(SimTime, SimTime)>,
    /// What the rank waits for, and until when.
    pub(super) causes: Vec<(WaitState, SimTime)>,
    /// The operation that the call executes, if it is a blocking collective.
    pub(super) collective: Option<Part>,
    /// Nonblocking operations that the call waits for.
    pub(super) awaited: Vec<OperationId>,
    /// How the call synchronises a window, if it does.
    pub(super) synchronizes: Option<WindowSynchronization>,
}

impl Current {
    pub(super) fn new(site: usize) -> Self {
        Self {
            site,
            waits: Vec::new(),
            causes: Vec::new(),
            collective: None,
            awaited: Vec::new(),
            synchronizes: None,
        }
    }

    pub(super) fn waited(&mut self, start: SimTime, end: SimTime) {
        match self.waits.last_mut() {
            Some((_, last)) if *last == start => *last = end,
            _ => self.waits.push((start, end)),
        }
    }

    /// Returns the end of the last blocked interval.
    pub(super) fn end(&self) -> Option<SimTime> {
        self.waits.last().map(|(_, end)| *end)
    }

    /// Divides the blocked time by cause: until the last cause is over the time is due to it, and the
    /// rest is transfer. A cause that outlasts the call did not hold it up.
    pub(super) fn divide(&self) -> (Waits, Option<(WaitState, SimTime)>) {
        let end = self.end().unwrap_or_default();
        let valid = self.causes.iter().filter(|(_, until)| *until <= end);
        let cause = valid.copied().max_by_key(|(state, until)| (*until, std::cmp::Reverse(*state)));
        let mut waits = Waits::default();
        for (start, end) in &self.waits {
            let mut rest = *start;
            if let Some((state, until)) = cause {
                rest = until.clamp(*start, *end);
                waits.add(state, rest.since(*start));
            }
            waits.add(WaitState::Transfer, end.since(rest));
        }
        (waits, cause.filter(|(state, _)| waits.get(*state) > SimDuration::ZERO))
    }
}

/// A wait for a message that was sent late.
#[derive(Clone, Copy)]
pub(super) struct Late {
    pub(super) sent: SimTime,
    pub(super) site: usize,
    pub(super) time: SimDuration,
}

/// What is known of one rank.
#[derive(Default)]
pub(super) struct RankState {
    pub(super) current: Option<Current>,
    pub(super) waits: Waits,
    /// Its synchronisation of windows.
    pub(super) synchronizing: Synchronizing,
    /// Time at each call site that the rank came to.
    pub(super) sites: BTreeMap<usize, SimDuration>,
    /// Its nonblocking collectives.
    pub(super) pending: BTreeMap<OperationId, Part>,
    /// Waits for late senders, in order of the times of sending.
    late: VecDeque<Late>,
}

impl RankState {
    /// Remembers a wait for a late sender.
    pub(super) fn remember(&mut self, late: Late) {
        if self.late.len() == REMEMBERED {
            self.late.pop_front();
        }
        let place = self.late.partition_point(|other| other.sent <= late.sent);
        self.late.insert(place, late);
    }

    /// Returns the waits for messages that were sent after a message which is received only now, and
    /// forgets them.
    pub(super) fn overtaken_by(&mut self, sent: SimTime) -> Vec<Late> {
        let place = self.late.partition_point(|other| other.sent <= sent);
        self.late.drain(place..).collect()
    }
}
