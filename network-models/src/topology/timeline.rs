//! [`Timeline`]: a topology that changes during a run.

use std::sync::Arc;

use sim_core::SimTime;

use super::Topology;

/// A topology whose routes and link rates change at given times. Its graph stays the same: links keep
/// their numbers, and no route after a change leads over a link that was cut.
#[derive(Clone, Debug)]
pub struct Timeline {
    base: Arc<Topology>,
    /// What holds from each time on, in order of time.
    changes: Vec<(SimTime, Arc<Topology>)>,
}

impl Timeline {
    /// Creates a topology that never changes.
    pub fn constant(topology: Arc<Topology>) -> Self {
        Self { base: topology, changes: Vec::new() }
    }

    /// Adds a change, which is later than all others.
    pub(crate) fn add(&mut self, from: SimTime, topology: Arc<Topology>) {
        self.changes.push((from, topology));
    }

    /// Returns the topology as it is without changes.
    pub fn base(&self) -> &Arc<Topology> {
        &self.base
    }

    /// Returns the topology at a time.
    #[inline]
    pub fn at(&self, time: SimTime) -> &Arc<Topology> {
        match self.changes.partition_point(|(from, _)| *from <= time) {
            0 => &self.base,
            count => &self.changes[count - 1].1,
        }
    }

    /// Returns the first change at a time or later.
    pub fn change_from(&self, time: SimTime) -> Option<SimTime> {
        let place = self.changes.partition_point(|(from, _)| *from < time);
        self.changes.get(place).map(|(from, _)| *from)
    }

    /// Returns the changes with their times, in order of time.
    pub fn changes(&self) -> &[(SimTime, Arc<Topology>)] {
        &self.changes
    }

    /// Returns the topologies that hold at a time or later.
    pub fn from(&self, time: SimTime) -> impl Iterator<Item = &Arc<Topology>> {
        let past = self.changes.partition_point(|(from, _)| *from <= time);
        self.topologies().skip(past)
    }

    /// Returns whether nothing changes.
    pub fn is_constant(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns whether rate and delay of every link are the machine's at all times.
    pub(crate) fn is_uniform(&self) -> bool {
        self.topologies().all(|topology| topology.is_uniform())
    }

    /// Returns the topologies one after the other.
    pub fn topologies(&self) -> impl Iterator<Item = &Arc<Topology>> {
        std::iter::once(&self.base).chain(self.changes.iter().map(|(_, topology)| topology))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::flit_testing::topology;

    #[test]
    fn a_change_holds_from_its_time_on() {
        let names = ["ring:4", "ring:5", "ring:6"];
        let mut timeline = Timeline::constant(topology(names[0]));
        assert!(timeline.is_constant());
        let time = SimTime::from_ps;
        timeline.add(time(0), topology(names[1]));
        timeline.add(time(7), topology(names[2]));
        assert_eq!([0, 6, 7, 9].map(|at| timeline.at(time(at)).nodes()), [5, 5, 6, 6]);
        let from =
            |at| timeline.from(time(at)).map(|topology| topology.nodes()).collect::<Vec<_>>();
        assert_eq!([0, 6, 7].map(from), [vec![5, 6], vec![5, 6], vec![6]]);
        let change = |at| timeline.change_from(time(at)).map(SimTime::as_ps);
        assert_eq!([0, 1, 7, 8].map(change), [Some(0), Some(7), Some(7), None]);
        assert!(timeline.topologies().map(|topology| topology.name()).eq(names));
    }
}
