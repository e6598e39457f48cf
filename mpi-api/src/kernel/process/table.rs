//! The processes of a run: ranks from its start, and what begins later.

use std::{cell::RefCell, rc::Rc};

use rustc_hash::FxHashMap;
use sim_core::ProcessId;

use crate::outcome::Started;

/// The bodies of processes that have not begun, by number.
pub(crate) type Bodies<B> = Rc<RefCell<FxHashMap<u32, B>>>;

/// Maps processes to ranks and threads, and keeps what begins during the run.
pub(crate) struct Processes<B> {
    /// Number of ranks at the start of the run: their processes have their numbers.
    initial: u32,
    /// Rank and thread number of each process that began later, in order.
    further: Vec<(u32, u32)>,
    started: Vec<Started>,
    /// Number of address spaces so far.
    spaces: u32,
    bodies: Bodies<B>,
}

impl<B> Processes<B> {
    /// Creates the processes of `initial` ranks, of which `each` share an address space.
    pub(crate) fn new(initial: u32, each: u32) -> Self {
        Self {
            initial,
            further: Vec::new(),
            started: Vec::new(),
            spaces: initial.div_ceil(each.max(1)),
            bodies: Rc::default(),
        }
    }

    /// Reports whether any process began later: then the numbers of processes differ from those of
    /// ranks.
    #[inline]
    pub(crate) fn are_more_than_ranks(&self) -> bool {
        !self.further.is_empty()
    }

    /// Returns the rank and the thread of a process.
    pub(crate) fn owner(&self, process: ProcessId) -> (u32, u32) {
        match process.0.checked_sub(self.initial) {
            Some(further) => self.further[further as usize],
            None => (process.0, 0),
        }
    }

    /// Records that the next process is a thread of a rank.
    pub(crate) fn add(&mut self, rank: u32, thread: u32) {
        self.further.push((rank, thread));
    }

    /// Stores what a process runs when it begins.
    pub(crate) fn give_body(&self, process: ProcessId, body: B) {
        self.bodies.borrow_mut().insert(process.0, body);
    }

    /// Returns the bodies of processes that have not begun.
    pub(crate) fn bodies(&self) -> Bodies<B> {
        Rc::clone(&self.bodies)
    }

    /// Returns the number of the next address space.
    pub(crate) fn next_space(&self) -> u32 {
        self.spaces
    }

    /// Counts address spaces that have been taken.
    pub(crate) fn take_spaces(&mut self, count: u32) {
        self.spaces += count;
    }

    /// Records ranks that were started.
    pub(crate) fn note(&mut self, started: Started) {
        self.started.push(started);
    }

    /// Returns the ranks that were started, in order.
    pub(crate) fn into_started(self) -> Vec<Started> {
        self.started
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_begin_later_belong_to_ranks_and_threads() {
        let mut processes: Processes<()> = Processes::new(4, 1);
        assert!(!processes.are_more_than_ranks());
        assert_eq!(processes.owner(ProcessId(3)), (3, 0));
        processes.add(1, 1);
        processes.add(4, 0);
        assert!(processes.are_more_than_ranks());
        let owners = [1, 4, 5].map(|process| processes.owner(ProcessId(process)));
        assert_eq!(owners, [(1, 0), (1, 1), (4, 0)]);
    }

    #[test]
    fn address_spaces_are_numbered_on() {
        let mut processes: Processes<()> = Processes::new(7, 3);
        assert_eq!(processes.next_space(), 3);
        processes.take_spaces(2);
        assert_eq!(processes.next_space(), 5);
    }

    #[test]
    fn a_body_waits_for_its_process() {
        let processes = Processes::new(1, 1);
        processes.give_body(ProcessId(1), "a thread");
        assert_eq!(processes.bodies().borrow_mut().remove(&1), Some("a thread"));
    }
}
