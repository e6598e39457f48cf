//! [`Keeper`]: keeps the records that a trace shows, about 15 bytes each.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use mpi_api::{
    observation::Observation,
    trace::{Record, TraceSink},
};
use network_models::LinkId;
use sim_core::SimTime;

use super::Selection;
use crate::records::Stream;

/// A sink that keeps what a trace shows, and passes every record on.
pub struct Keeper {
    kept: Rc<RefCell<Kept>>,
    next: Option<Box<dyn TraceSink>>,
}

/// Gives the records of a [`Keeper`] after the run.
pub struct KeeperHandle(Rc<RefCell<Kept>>);

impl Keeper {
    /// Creates a keeper of the records in `selection`, and the handle that gives them. `next` gets
    /// all records.
    pub fn new(selection: Selection, next: Option<Box<dyn TraceSink>>) -> (Self, KeeperHandle) {
        let kept = Rc::new(RefCell::new(Kept { selection, ..Kept::default() }));
        (Self { kept: Rc::clone(&kept), next }, KeeperHandle(kept))
    }
}

impl KeeperHandle {
    /// Returns what was kept. The keeper starts again with nothing.
    pub fn finish(self) -> Kept {
        let mut kept = self.0.take();
        // The threads of a rank end their intervals in any order.
        kept.slices.values_mut().for_each(|list| list.sort_unstable());
        kept
    }
}

impl TraceSink for Keeper {
    fn record(&mut self, record: Record) {
        self.kept.borrow_mut().push(&record);
        if let Some(next) = &mut self.next {
            next.record(record);
        }
    }

    fn observe(&mut self, observation: Observation) {
        if let Some(next) = &mut self.next {
            next.observe(observation);
        }
    }

    fn finish(self: Box<Self>) -> Vec<Record> {
        self.next.map(TraceSink::finish).unwrap_or_default()
    }
}

/// The records that a trace shows, packed.
#[derive(Default)]
pub struct Kept {
    pub(super) selection: Selection,
    records: Stream,
    /// The links that were busy.
    pub(super) links: BTreeSet<LinkId>,
    /// Start and end of the intervals of each rank that are not empty.
    pub(super) slices: BTreeMap<u32, Vec<(SimTime, SimTime)>>,
}

impl Kept {
    /// Keeps a record if a trace shows it and it is selected.
    fn push(&mut self, record: &Record) {
        if !self.selection.has(record) {
            return;
        }
        match *record {
            Record::Interval { rank, start, end, .. } => {
                if start < end {
                    self.slices.entry(rank).or_default().push((start, end));
                }
            }
            Record::Link { link, .. } => {
                self.links.insert(link);
            }
            Record::Message { .. } => {}
            Record::Pair { .. } | Record::Handshake { .. } | Record::Undelivered { .. } => return,
        }
        self.records.push(record);
    }

    /// Returns the kept records, in order.
    pub(super) fn records(&self) -> impl Iterator<Item = Record> + '_ {
        self.records.iter()
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::trace::Activity;

    use super::*;

    #[test]
    fn a_window_shows_what_overlaps_with_it() {
        let at = SimTime::from_ps;
        let selection =
            Selection { window: Some((at(100), at(200))), ranks: Some(vec![(0, 1), (5, 5)]) };
        let shown = |rank, start, end| {
            selection.has(&Record::Interval {
                rank,
                activity: Activity::Compute,
                call: "compute",
                site: None,
                start: at(start),
                end: at(end),
            })
        };
        assert!(shown(0, 0, 101) && shown(5, 199, 300) && shown(1, 0, 900) && shown(0, 100, 100));
        assert!(!shown(0, 0, 100) && !shown(0, 200, 300) && !shown(2, 120, 130));
    }
}
