//! Weak progress: what needs its target's processor waits until the target is in a call of MPI (MPI section
//! 12.7.3), and takes the processor's time there.

use sim_core::{SimDuration, SimTime};

use super::flight::{Flight, Said, Stage};
use crate::{
    call::{Layout, Operation},
    check::livelock,
    kernel::{Event, MpiKernel, Sched, observe::is_in_mpi, request::completion::Blocked},
    observation::WindowDelay,
    settings::Progress,
};

/// Number of times in a row that a rank may compute while accesses to its memory wait, before it is taken
/// for one that waits for them.
const COMPUTES_MAX: u32 = 4_000_000;

impl MpiKernel {
    /// Prepares a run with windows: calls are looked at if targets have to be in one.
    pub(super) fn begin_progress(&mut self) {
        if self.settings.progress == Progress::Weak {
            self.attentive = true;
        }
    }

    /// Reports whether what has arrived at a rank may take effect now. If not, it comes again when the
    /// rank's processor has worked for it.
    pub(super) fn is_served(&mut self, flight: u32, rank: u32, s: &mut Sched) -> bool {
        if self.settings.progress == Progress::Strong || self.ranks[rank as usize].finished {
            return true;
        }
        let waits =
            |blocked: Option<&Blocked>| blocked.is_some_and(|blocked| !blocked.is_outside_mpi());
        if !self.ranks[rank as usize].calls().any(|call| waits(call.blocked)) {
            self.windows.unserved.entry(rank).or_default().push(flight);
            return false;
        }
        self.wait_until(rank, s.now());
        let at = self.work_for(flight, rank);
        if at > s.now() {
            s.schedule(at, Event::Window(flight));
        }
        at <= s.now()
    }

    /// Lets a rank's processor work for something that has arrived; returns when that is done.
    fn work_for(&mut self, flight: u32, rank: u32) -> SimTime {
        let cost = self.service(flight, rank);
        match self.windows.flights.get_mut(flight) {
            Some(Flight::Access(access)) => access.stage = Stage::Served,
            Some(Flight::Signal(signal)) => signal.served = true,
            Some(Flight::Vacant) | None => {}
        }
        self.charge(rank, cost)
    }

    /// Returns the processor time of a rank for something that has arrived: that of receiving a message, of combining its
    /// data with those in memory and, if there is an answer with data, that of sending one.
    fn service(&mut self, flight: u32, rank: u32) -> SimDuration {
        let (bytes, combined, back) = match self.windows.flights.get(flight) {
            Some(Flight::Access(flight)) => {
                let action = &flight.access.action;
                let back = action.fetches().then(|| flight.access.runs.bytes());
                let bytes = flight.access.payload.bytes();
                (bytes, if action.combines() { bytes } else { 0 }, back)
            }
            Some(Flight::Signal(_) | Flight::Vacant) | None => (0, 0, None),
        };
        let mut cost = self.settings.costs.receive + self.taking(bytes, Layout::Dense, false);
        cost += self.settings.costs.reduce.time_for(combined);
        if let Some(back) = back {
            cost += self.settings.costs.post_send + self.preparation_of(rank, back, Layout::Dense);
        }
        cost
    }

    /// Serves what has arrived at a rank while it computed, in the order of arrival: it has called MPI. The
    /// call itself begins when that is done.
    #[cold]
    pub(in crate::kernel) fn make_progress(
        &mut self,
        rank: u32,
        operation: &Operation,
        s: &mut Sched,
    ) {
        if self.windows.unserved.is_empty() {
            return;
        }
        if !is_in_mpi(operation) {
            if self.windows.unserved.contains_key(&rank) {
                self.watch_computing(rank, s);
            }
            return;
        }
        self.windows.computed.remove(&rank);
        for flight in self.windows.unserved.remove(&rank).unwrap_or_default() {
            if let Some(from) = self.windows.flights.get(flight).and_then(Flight::origin) {
                self.tell_delay_ended(from, WindowDelay::Progress, s.now());
            }
            let at = self.work_for(flight, rank);
            if at > s.now() {
                s.schedule(at, Event::Window(flight));
            } else {
                self.window_event(flight, s);
            }
        }
    }

    /// Ends the run if a rank only computes while accesses to its memory wait for it, and nothing else can
    /// happen.
    fn watch_computing(&mut self, rank: u32, s: &mut Sched) {
        if s.pending() > 0 {
            return;
        }
        let computed = self.windows.computed.entry(rank).or_default();
        *computed += 1;
        if *computed < COMPUTES_MAX {
            return;
        }
        let mut origins: Vec<u32> = Vec::new();
        for flight in self.windows.unserved.get(&rank).into_iter().flatten() {
            let Some(flight) = self.windows.flights.get(*flight) else { continue };
            let Some((window, origin)) = flight.origin() else { continue };
            origins.extend(self.windows.get(window).map(|window| window.number(origin)));
        }
        origins.sort_unstable();
        origins.dedup();
        let here = self.present_site(rank, livelock::computes(rank));
        let others = origins.iter().filter(|origin| **origin != rank);
        let others =
            others.map(|origin| self.present_site(*origin, livelock::waits(*origin, rank)));
        let sites = std::iter::once(here).chain(others).collect();
        self.fail(livelock::of_computing(rank, sites), s);
    }
}

impl Said {
    /// Reports whether it takes the receiver's processor: else the receiver waits for it anyway.
    pub(super) fn needs_service(self) -> bool {
        match self {
            Self::Request(_) | Self::Released(_) => true,
            Self::Granted(_) | Self::Posted | Self::Ended => false,
        }
    }
}
