//! The tasks of a team that can begin: those of a higher priority first, then in the order in which
//! they became ready, or in reverse.

use std::{cmp::Reverse, collections::BTreeMap, rc::Rc};

use super::Task;

/// Tasks that can begin.
#[derive(Default)]
pub(in crate::openmp) struct Queue {
    tasks: BTreeMap<(Reverse<u32>, u64), Rc<Task>>,
    next: u64,
}

impl Queue {
    /// Adds a task, before those of its priority that are there if `reversed`.
    pub(in crate::openmp) fn push(&mut self, task: Rc<Task>, reversed: bool) {
        let place = if reversed { u64::MAX - self.next } else { self.next };
        self.tasks.insert((Reverse(task.priority), place), task);
        self.next += 1;
    }

    /// Removes the first task that `fits`.
    pub(in crate::openmp) fn take(&mut self, fits: impl Fn(&Task) -> bool) -> Option<Rc<Task>> {
        let key = *self.tasks.iter().find(|(_, task)| fits(task))?.0;
        self.tasks.remove(&key)
    }

    pub(in crate::openmp) fn len(&self) -> usize {
        self.tasks.len()
    }
}
