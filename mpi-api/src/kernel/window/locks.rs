//! [`Locks`]: who holds and who awaits the locks of one window (MPI section 12.5.3).

use std::collections::{BTreeMap, VecDeque};

use crate::call::LockType;

/// A request for a lock, or a lock that is held. Ranks are those of the window's group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lock {
    /// The rank that locks.
    pub(crate) origin: u32,
    /// The rank that is locked; `None` is all (`MPI_Win_lock_all`).
    pub(crate) target: Option<u32>,
    /// Whether others may hold a lock on the target.
    pub(crate) kind: LockType,
}

/// The locks of one window. Requests are granted in the order in which they come, except that one may
/// overtake others that it does not conflict with.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    /// The holder of each exclusive lock, by target.
    exclusive: BTreeMap<u32, u32>,
    /// The number of shared locks, by target.
    shared: BTreeMap<u32, Vec<u32>>,
    /// The ranks that hold a shared lock on all targets.
    all: Vec<u32>,
    waiting: VecDeque<Lock>,
    /// Locks that are held while the message that gives them back is on its way: for the program they
    /// are free.
    returning: Vec<Lock>,
}

fn conflict(one: &Lock, other: &Lock) -> bool {
    let together = match (one.target, other.target) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    };
    together && (one.is_exclusive() || other.is_exclusive())
}

impl Lock {
    /// Reports whether nobody else may hold a lock on the target.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.kind == LockType::Exclusive
    }
}

impl Locks {
    /// Takes a request: true if it is granted at once.
    pub(crate) fn request(&mut self, lock: Lock) -> bool {
        if self.waiting.iter().any(|earlier| conflict(earlier, &lock)) || !self.is_free(&lock) {
            self.waiting.push_back(lock);
            return false;
        }
        self.hold(lock);
        true
    }

    /// Records that the program has given a lock back.
    pub(crate) fn give_back(&mut self, lock: Lock) {
        self.returning.push(lock);
    }

    /// Records that a lock is held, without asking whether it is free (`MPI_MODE_NOCHECK`). Returns the
    /// holder of a lock that it conflicts with.
    pub(crate) fn assert_free(&mut self, lock: Lock) -> Option<u32> {
        let holder = self.keepers(&lock).next();
        if holder.is_none() {
            self.hold(lock);
        }
        holder
    }

    /// Returns the holders of locks that conflict with this one and that the program has not given back.
    pub(crate) fn keepers(&self, lock: &Lock) -> impl Iterator<Item = u32> {
        let returns = |holder: &u32| {
            let mut returning = self.returning.iter();
            returning.any(|other| other.origin == *holder && conflict(other, lock))
        };
        let holders = if self.is_free(lock) { Vec::new() } else { self.holders(lock) };
        holders.into_iter().filter(move |holder| !returns(holder))
    }

    /// Releases a lock and returns the requests that are granted now, in order.
    pub(crate) fn release(&mut self, lock: Lock) -> Vec<Lock> {
        let drop_one = |list: &mut Vec<u32>| {
            if let Some(place) = list.iter().position(|origin| *origin == lock.origin) {
                list.swap_remove(place);
            }
        };
        match (lock.target, lock.kind) {
            (None, _) => drop_one(&mut self.all),
            (Some(target), LockType::Exclusive) => {
                // It may have been taken since without asking.
                if self.exclusive.get(&target) == Some(&lock.origin) {
                    self.exclusive.remove(&target);
                }
            }
            (Some(target), LockType::Shared) => {
                self.shared.get_mut(&target).into_iter().for_each(drop_one)
            }
        }
        if let Some(place) = self.returning.iter().position(|other| *other == lock) {
            self.returning.remove(place);
        }
        let mut granted = Vec::new();
        let mut left: VecDeque<Lock> = VecDeque::new();
        for lock in std::mem::take(&mut self.waiting) {
            if self.is_free(&lock) && !left.iter().any(|earlier| conflict(earlier, &lock)) {
                self.hold(lock);
                granted.push(lock);
            } else {
                left.push_back(lock);
            }
        }
        self.waiting = left;
        granted
    }

    /// Returns the ranks for which a request of this kind has to wait: those that hold locks in its
    /// way, else those whose requests came earlier.
    pub(crate) fn in_the_way(&self, lock: &Lock) -> Vec<u32> {
        let holders = self.holders(lock);
        if !holders.is_empty() {
            return holders;
        }
        let earlier = self.waiting.iter().take_while(|waiting| *waiting != lock);
        earlier.filter(|earlier| conflict(earlier, lock)).map(|earlier| earlier.origin).collect()
    }

    fn holders(&self, lock: &Lock) -> Vec<u32> {
        let on = |target: &u32| lock.target.is_none_or(|wanted| wanted == *target);
        let alone =
            self.exclusive.iter().filter(|(target, _)| on(target)).map(|(_, origin)| *origin);
        let shared = self.shared.iter().filter(|(target, _)| lock.is_exclusive() && on(target));
        let shared = shared.flat_map(|(_, origins)| origins.iter().copied());
        let all = self.all.iter().copied().filter(|_| lock.is_exclusive());
        alone.chain(shared).chain(all).collect()
    }

    fn is_free(&self, lock: &Lock) -> bool {
        let Some(target) = lock.target else { return self.exclusive.is_empty() };
        let alone = self.exclusive.contains_key(&target);
        let shared = || self.shared.get(&target).is_some_and(|origins| !origins.is_empty());
        !alone && (!lock.is_exclusive() || !shared() && self.all.is_empty())
    }

    fn hold(&mut self, lock: Lock) {
        match (lock.target, lock.kind) {
            (None, _) => self.all.push(lock.origin),
            (Some(target), LockType::Exclusive) => {
                self.exclusive.insert(target, lock.origin);
            }
            (Some(target), LockType::Shared) => {
                self.shared.entry(target).or_default().push(lock.origin)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shared(origin: u32, target: u32) -> Lock {
        Lock { origin, target: Some(target), kind: LockType::Shared }
    }

    fn exclusive(origin: u32, target: u32) -> Lock {
        Lock { origin, target: Some(target), kind: LockType::Exclusive }
    }

    #[test]
    fn requests_are_granted_in_order_and_readers_together() {
        let mut locks = Locks::default();
        assert!(locks.request(shared(0, 5)));
        assert!(locks.request(shared(1, 5)));
        assert!(!locks.request(exclusive(2, 5)), "two readers hold it");
        assert!(!locks.request(shared(3, 5)), "a writer waits: it is not overtaken");
        assert!(locks.request(exclusive(4, 6)), "another target");
        assert_eq!(locks.in_the_way(&exclusive(2, 5)), [0, 1]);
        assert_eq!(locks.in_the_way(&shared(3, 5)), [2], "only the earlier request");
        assert!(locks.release(shared(0, 5)).is_empty());
        assert_eq!(locks.release(shared(1, 5)), [exclusive(2, 5)]);
        assert_eq!(locks.in_the_way(&shared(3, 5)), [2]);
        assert_eq!(locks.release(exclusive(2, 5)), [shared(3, 5)]);
    }

    #[test]
    fn a_lock_of_all_is_shared() {
        let mut locks = Locks::default();
        let all = |origin| Lock { origin, target: None, kind: LockType::Shared };
        assert!(locks.request(all(0)) && locks.request(all(1)) && locks.request(shared(2, 1)));
        assert!(!locks.request(exclusive(3, 0)));
        assert!(!locks.request(all(4)), "it would overtake the writer");
        assert!(locks.release(all(0)).is_empty());
        assert_eq!(locks.release(all(1)), [exclusive(3, 0)]);
        assert_eq!(locks.release(exclusive(3, 0)), [all(4)]);
    }

    #[test]
    fn an_unchecked_lock_names_the_holder_that_it_conflicts_with() {
        let mut locks = Locks::default();
        assert!(locks.request(exclusive(7, 0)));
        assert_eq!(locks.assert_free(shared(1, 0)), Some(7));
        assert_eq!(locks.assert_free(shared(1, 2)), None);
        locks.give_back(exclusive(7, 0));
        assert_eq!(locks.assert_free(exclusive(1, 0)), None, "it is free for the program");
        assert!(locks.release(exclusive(7, 0)).is_empty());
        assert_eq!(locks.assert_free(shared(2, 0)), Some(1));
    }
}
