//! Dependences between the tasks that one task creates (OpenMP 5.2, section 15.9.5).

use std::collections::BTreeMap;

/// How a task uses an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::openmp) enum Use {
    In,
    /// `out`, `inout`, and `mutexinoutset`: exclusive tasks are executed in the order of their creation.
    Out,
    InOutSet,
}

/// The tasks that use one address: those of the present kind, and those before them.
struct Users<T> {
    kind: Use,
    present: Vec<T>,
    before: Vec<T>,
}

/// What is known of the addresses that tasks depend on.
pub(in crate::openmp) struct Dependences<T>(BTreeMap<usize, Users<T>>);

impl<T> Default for Dependences<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Clone> Dependences<T> {
    /// Adds a task that uses an address; returns those that it must wait for, without those that are
    /// `over`.
    pub(in crate::openmp) fn add(
        &mut self,
        (address, kind): (usize, Use),
        task: Option<&T>,
        over: impl Fn(&T) -> bool,
    ) -> Vec<T> {
        let none = || Users { kind, present: Vec::new(), before: Vec::new() };
        let users = self.0.entry(address).or_insert_with(none);
        users.present.retain(|user| !over(user));
        users.before.retain(|user| !over(user));
        let joins = users.kind == kind && kind != Use::Out;
        let awaited = if joins { &users.before } else { &users.present };
        let awaited = awaited.clone();
        let Some(task) = task else { return awaited };
        if !joins {
            users.before = awaited.clone();
            users.present.clear();
            users.kind = kind;
        }
        users.present.push(task.clone());
        awaited
    }

    pub(in crate::openmp) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_wait_for_the_writer_and_the_next_writer_for_them() {
        let mut all = Dependences::default();
        let mut add = |task: u32, kind| all.add((8, kind), Some(&task), |_| false);
        assert_eq!(add(1, Use::Out), []);
        assert_eq!(add(2, Use::In), [1]);
        assert_eq!(add(3, Use::In), [1]);
        assert_eq!(add(4, Use::InOutSet), [2, 3]);
        assert_eq!(add(5, Use::InOutSet), [2, 3]);
        assert_eq!(add(6, Use::Out), [4, 5]);
        assert_eq!(add(7, Use::Out), [6]);
        assert_eq!(all.add((16, Use::Out), Some(&8), |_| false), []);
    }

    #[test]
    fn tasks_that_are_over_are_forgotten() {
        let mut all = Dependences::default();
        all.add((8, Use::Out), Some(&1), |_| false);
        assert_eq!(all.add((8, Use::In), None, |_| true), []);
        assert_eq!(all.add((8, Use::Out), Some(&2), |task| *task == 1), []);
        assert_eq!(all.add((8, Use::In), Some(&3), |_| false), [2]);
    }
}
