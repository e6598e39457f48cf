//! [`Course`]: how a link changes during a run.

use sim_core::SimTime;

use crate::{
    topology::{LinkId, Timeline, Topology},
    units::Bandwidth,
};

/// The rates of a link from given times on; `None` is a link that is cut. Empty for a link that does not
/// change.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    changes: Box<[(SimTime, Option<Bandwidth>)]>,
}

impl Course {
    /// Creates the course of a link from its changes in order of time.
    pub(super) fn new(changes: Box<[(SimTime, Option<Bandwidth>)]>) -> Self {
        Self { changes }
    }

    /// Returns the course of a link of a topology whose links have the rate `machine` unless they
    /// have their own.
    pub(super) fn of(timeline: &Timeline, link: LinkId, machine: Bandwidth) -> Self {
        let base = timeline.base().link_bandwidth(link, machine);
        let state = |topology: &Topology| {
            (!topology.is_cut(link)).then(|| topology.link_bandwidth(link, machine))
        };
        let changes = timeline.changes().iter().map(|(time, topology)| (*time, state(topology)));
        let changes: Box<[_]> = changes.collect();
        let is_idle = changes.iter().all(|(_, rate)| *rate == Some(base));
        if is_idle { Self::default() } else { Self::new(changes) }
    }

    /// Returns what holds at a time; `None` before the first change.
    fn at(&self, time: SimTime) -> Option<Option<Bandwidth>> {
        let count = self.changes.partition_point(|(from, _)| *from <= time);
        self.changes[..count].last().map(|(_, rate)| *rate)
    }

    /// Returns the rate at a time, if the link has changed and is not cut.
    pub(super) fn rate(&self, time: SimTime) -> Option<Bandwidth> {
        self.at(time).flatten()
    }

    /// Returns whether the link is cut at a time.
    pub(super) fn is_cut(&self, time: SimTime) -> bool {
        self.at(time) == Some(None)
    }

    /// Returns the first time after `time` at which the link is cut.
    pub(super) fn next_cut(&self, time: SimTime) -> Option<SimTime> {
        let cuts = self.changes.iter().filter(|(_, rate)| rate.is_none());
        cuts.map(|(from, _)| *from).find(|from| *from > time)
    }
}
