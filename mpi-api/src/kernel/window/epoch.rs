//! [`Epochs`]: the access and exposure epochs of one rank on one window (MPI section 12.5).

use std::collections::BTreeMap;

use crate::{
    call::{Assertions, LockType},
    check::epoch_misuse::{Broken, Shown},
    finding::CallPlace,
};

/// The kind of epoch that allows an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// By `MPI_Win_fence`, the number of which is given.
    Fence(u64),
    /// By `MPI_Win_start`.
    Start,
    /// By `MPI_Win_lock` or `MPI_Win_lock_all`.
    Lock,
}

/// A call that does not fit the epochs that are open, or the assertions that ranks made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misuse {
    pub(crate) text: String,
    pub(crate) broken: Broken,
    pub(crate) beside: Option<Beside>,
}

/// Another call, which shows why a call does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Beside {
    /// The rank of the run that made it, if it is another one.
    pub(crate) rank: Option<u32>,
    pub(crate) by: CallPlace,
    pub(crate) shown: Shown,
}

impl Misuse {
    /// A call that does not fit the epochs, and the one that opened the epoch in its way with its rank.
    pub(crate) fn of_epochs(
        broken: Broken,
        text: impl Into<String>,
        opened: Option<(Option<u32>, CallPlace)>,
    ) -> Self {
        let beside = opened.map(|(rank, by)| Beside { rank, by, shown: Shown::Epoch });
        Self { text: text.into(), broken, beside }
    }

    /// A call by which an assertion is not true, and another one that shows it.
    pub(crate) fn of_assertions(text: impl Into<String>, beside: Option<Beside>) -> Self {
        Self { text: text.into(), broken: Broken::Assertions, beside }
    }
}

/// What a rank has locked.
#[derive(Clone, Copy, Debug)]
struct Locked {
    kind: LockType,
    /// Whether the lock was taken without asking (`MPI_MODE_NOCHECK`).
    unchecked: bool,
    by: CallPlace,
}

/// What a rank gives back when it unlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unlocked {
    pub(crate) kind: LockType,
    pub(crate) unchecked: bool,
}

/// Whether the last calls that began epochs assert `MPI_MODE_NOCHECK`.
#[derive(Clone, Copy, Debug, Default)]
struct Unchecked {
    access: bool,
    exposure: bool,
}

/// The epochs of one rank on one window.
#[derive(Debug, Default)]
pub(crate) struct Epochs {
    /// Number of fences.
    fences: u64,
    /// The last fence, if it opened an epoch.
    fence: Option<CallPlace>,
    /// The last fence, if it said that no access would follow.
    promised_none: Option<CallPlace>,
    /// The first access since the last fence that needed it.
    used: Option<CallPlace>,
    /// The first write of the rank to its own memory since its last synchronisation of any kind.
    stored: Option<CallPlace>,
    started: Option<(Vec<u32>, CallPlace)>,
    /// The last call of [`Self::start`].
    last_start: Option<CallPlace>,
    posted: Option<(Vec<u32>, CallPlace)>,
    unchecked: Unchecked,
    /// Number of exposures by `MPI_Win_post`.
    exposures: u64,
    locked: BTreeMap<u32, Locked>,
    locked_all: Option<Locked>,
}

fn misuse<T>(
    broken: Broken,
    text: impl Into<String>,
    opened: Option<CallPlace>,
) -> Result<T, Misuse> {
    Err(Misuse::of_epochs(broken, text, opened.map(|by| (None, by))))
}

fn untrue<T>(text: impl Into<String>, by: CallPlace, shown: Shown) -> Result<T, Misuse> {
    Err(Misuse::of_assertions(text, Some(Beside { rank: None, by, shown })))
}

impl Epochs {
    /// Returns the epoch in which an access to a target is made.
    pub(crate) fn access(&mut self, target: u32, by: CallPlace) -> Result<Opened, Misuse> {
        if self.locked_all.is_some() || self.locked.contains_key(&target) {
            return Ok(Opened::Lock);
        }
        if let Some((group, opened)) = &self.started {
            if group.contains(&target) {
                return Ok(Opened::Start);
            }
            let text = format!("rank {target} of the window is not in the group of this epoch");
            return misuse(Broken::NotInGroup, text, Some(*opened));
        }
        if self.fence.is_some() {
            self.used.get_or_insert(by);
            return Ok(Opened::Fence(self.fences));
        }
        if let Some(promised) = self.promised_none {
            let text = "an access after a fence that asserted MPI_MODE_NOSUCCEED";
            return untrue(text, promised, Shown::Assertion);
        }
        if let Some((_, locked)) = self.locked.first_key_value() {
            let text = format!("an access to rank {target} of the window, which is not locked");
            return misuse(Broken::NotLocked, text, Some(locked.by));
        }
        misuse(Broken::Outside, "an access outside any epoch", None)
    }

    /// Checks an access with a request, which needs a passive target.
    pub(crate) fn access_with_request(
        &mut self,
        target: u32,
        by: CallPlace,
    ) -> Result<Opened, Misuse> {
        let opened = self.access(target, by)?;
        let text = "an access with a request outside an epoch of a passive target";
        match opened {
            Opened::Lock => Ok(opened),
            Opened::Fence(_) => misuse(Broken::RequestNeedsLock, text, self.fence),
            Opened::Start => {
                misuse(Broken::RequestNeedsLock, text, self.started.as_ref().map(|(_, by)| *by))
            }
        }
    }

    /// Enters a fence: the epoch before it ends, and the next one begins.
    pub(crate) fn fence(&mut self, by: CallPlace, asserts: Assertions) -> Result<(), Misuse> {
        self.none_open("a fence", true)?;
        if let Some(used) = self.used.filter(|_| asserts.no_precede) {
            let text = "a fence that asserts MPI_MODE_NOPRECEDE though an access precedes it";
            return untrue(text, used, Shown::Access);
        }
        self.fences += 1;
        self.used = None;
        (self.fence, self.promised_none) =
            if asserts.no_succeed { (None, Some(by)) } else { (Some(by), None) };
        Ok(())
    }

    /// Enters a write of the rank to its own memory, by the program or by a call.
    pub(crate) fn store(&mut self, by: CallPlace) {
        self.stored.get_or_insert(by);
    }

    /// Enters a call that synchronises the rank's memory with the window.
    ///
    /// The standard does not say which synchronisation is the last one that `MPI_MODE_NOSTORE` means, so each counts.
    pub(crate) fn synchronise(&mut self) {
        self.stored = None;
    }

    /// Enters a call that offers the rank's memory to others; returns what is wrong with `MPI_MODE_NOSTORE`.
    pub(crate) fn offer(&mut self, asserts: Assertions) -> Option<Misuse> {
        let stored = self.stored.take().filter(|_| asserts.no_store)?;
        let text = "MPI_MODE_NOSTORE is asserted though the rank has written to its memory";
        let beside = Beside { rank: None, by: stored, shown: Shown::Store };
        Some(Misuse::of_assertions(text, Some(beside)))
    }

    /// Returns the number of the last fence, if it opened an epoch.
    pub(crate) fn open_fence(&self) -> Option<u64> {
        self.fence.map(|_| self.fences)
    }

    /// Returns the number of fences entered.
    pub(crate) fn fences(&self) -> u64 {
        self.fences
    }

    /// Opens an access epoch to a group of ranks.
    pub(crate) fn start(
        &mut self,
        group: Vec<u32>,
        by: CallPlace,
        assertions: Assertions,
    ) -> Result<(), Misuse> {
        if let Some((_, opened)) = &self.started {
            let text = "an access epoch is started inside another one";
            return misuse(Broken::Nested, text, Some(*opened));
        }
        self.no_locks(Broken::Nested, || "an access epoch is started while a lock is held".into())?;
        self.end_idle_fence("an access epoch is started inside an epoch of a fence")?;
        self.started = Some((group, by));
        self.last_start = Some(by);
        self.unchecked.access = assertions.no_check;
        self.synchronise();
        Ok(())
    }

    /// Ends the epoch of [`Self::start`]; returns its group.
    pub(crate) fn complete(&mut self) -> Result<Vec<u32>, Misuse> {
        self.synchronise();
        match self.started.take() {
            Some((group, _)) => Ok(group),
            None => misuse(Broken::NotBegun, "MPI_Win_complete without MPI_Win_start", None),
        }
    }

    /// Returns the call that started the epoch of [`Self::start`], if one is open whose group contains this rank.
    pub(crate) fn started_for(&self, target: u32) -> Option<CallPlace> {
        let open = self.started.as_ref().filter(|(group, _)| group.contains(&target));
        open.map(|(_, by)| *by)
    }

    /// Returns the last call of [`Self::start`], whether its epoch is open or not.
    pub(crate) fn last_start(&self) -> Option<CallPlace> {
        self.last_start
    }

    /// Reports whether an epoch of [`Self::start`] is open.
    pub(crate) fn is_started(&self) -> bool {
        self.started.is_some()
    }

    /// Opens an exposure epoch to a group of ranks.
    pub(crate) fn post(
        &mut self,
        group: Vec<u32>,
        by: CallPlace,
        assertions: Assertions,
    ) -> Result<(), Misuse> {
        if let Some((_, opened)) = &self.posted {
            let text = "an exposure epoch is posted inside another one";
            return misuse(Broken::Nested, text, Some(*opened));
        }
        self.end_idle_fence("an exposure epoch is posted inside an epoch of a fence")?;
        self.posted = Some((group, by));
        self.unchecked.exposure = assertions.no_check;
        self.exposures += 1;
        Ok(())
    }

    /// Reports an access epoch that asserts `MPI_MODE_NOCHECK` where the exposure epoch of a rank that it accesses does
    /// not, or the other way round (MPI 5.0, section 12.5.5).
    pub(crate) fn check_agrees(&self, rank: u32, exposing: &Self) -> Result<(), Misuse> {
        let [started, posted] = match (self.unchecked.access, exposing.unchecked.exposure) {
            (true, false) => ["with", "without"],
            (false, true) => ["without", "with"],
            (true, true) | (false, false) => return Ok(()),
        };
        let text = format!(
            "an epoch is started {started} MPI_MODE_NOCHECK, and rank {rank} posts {posted} it"
        );
        let beside = |by| Beside { rank: Some(rank), by, shown: Shown::Post };
        Err(Misuse::of_assertions(text, exposing.exposure().map(beside)))
    }

    /// Returns the group of the exposure epoch.
    pub(crate) fn exposed(&self) -> Result<&[u32], Misuse> {
        match &self.posted {
            Some((group, _)) => Ok(group),
            None => {
                misuse(Broken::NotBegun, "a wait for an exposure epoch that was not posted", None)
            }
        }
    }

    /// Ends the exposure epoch.
    pub(crate) fn end_exposure(&mut self) {
        self.synchronise();
        self.posted = None;
    }

    /// Returns the call that opened the exposure epoch, if one is open.
    pub(crate) fn exposure(&self) -> Option<CallPlace> {
        self.posted.as_ref().map(|(_, by)| *by)
    }

    /// Returns the number of exposure epochs so far.
    pub(crate) fn exposures(&self) -> u64 {
        self.exposures
    }

    /// Locks one target or all.
    pub(crate) fn lock(
        &mut self,
        target: Option<u32>,
        (kind, unchecked): (LockType, bool),
        by: CallPlace,
    ) -> Result<(), Misuse> {
        if let Some(all) = &self.locked_all {
            let text = "a lock inside an epoch of MPI_Win_lock_all";
            return misuse(Broken::Nested, text, Some(all.by));
        }
        if let Some((_, opened)) = &self.started {
            let text = "a lock inside an epoch of MPI_Win_start";
            return misuse(Broken::Nested, text, Some(*opened));
        }
        self.end_idle_fence("a lock inside an epoch of a fence")?;
        self.synchronise();
        let locked = Locked { kind, unchecked, by };
        match target {
            None => {
                self.no_locks(Broken::Nested, || "MPI_Win_lock_all while a lock is held".into())?;
                self.locked_all = Some(locked);
            }
            Some(target) => {
                if let Some(held) = self.locked.get(&target) {
                    let text = format!("rank {target} of the window is locked twice");
                    return misuse(Broken::Nested, text, Some(held.by));
                }
                self.locked.insert(target, locked);
            }
        }
        Ok(())
    }

    /// Unlocks one target or all.
    pub(crate) fn unlock(&mut self, target: Option<u32>) -> Result<Unlocked, Misuse> {
        self.synchronise();
        let held = match target {
            None => self.locked_all.take(),
            Some(target) => self.locked.remove(&target),
        };
        match (held, target) {
            (Some(Locked { kind, unchecked, .. }), _) => Ok(Unlocked { kind, unchecked }),
            (None, None) => {
                misuse(Broken::NotBegun, "MPI_Win_unlock_all without MPI_Win_lock_all", None)
            }
            (None, Some(target)) => {
                let text = format!("rank {target} of the window is unlocked but not locked");
                misuse(Broken::NotBegun, text, None)
            }
        }
    }

    /// Returns the call that took the lock of a target or of all.
    pub(crate) fn holder(&self, target: Option<u32>) -> Option<CallPlace> {
        let held = target.and_then(|target| self.locked.get(&target));
        held.or(self.locked_all.as_ref())
            .or_else(|| self.locked.values().next())
            .map(|held| held.by)
    }

    /// Returns the call that took a lock of a target or of all without asking (`MPI_MODE_NOCHECK`), if one did.
    pub(crate) fn asserted(&self, target: Option<u32>) -> Option<CallPlace> {
        let locked = self.locked.iter().filter(|(held, _)| target.is_none_or(|on| on == **held));
        let mut held = self.locked_all.iter().chain(locked.map(|(_, held)| held));
        held.find(|held| held.unchecked).map(|held| held.by)
    }

    /// Returns the type of the lock of a target or of all; `None` without a lock.
    pub(crate) fn holds(&self, target: Option<u32>) -> Option<LockType> {
        let held = match target {
            None => self.locked_all.as_ref(),
            Some(target) => self.locked.get(&target),
        };
        held.map(|held| held.kind)
    }

    /// Returns the type of the lock under which a target is accessed.
    pub(crate) fn held(&self, target: u32) -> Option<LockType> {
        let held = self.locked.get(&target).or(self.locked_all.as_ref());
        held.map(|held| held.kind)
    }

    /// Returns the locks that are held, each with its target; `None` stands for all.
    pub(super) fn locks(&self) -> impl Iterator<Item = (Option<u32>, LockType)> {
        let all = self.locked_all.iter().map(|locked| (None, locked));
        let some = self.locked.iter().map(|(target, locked)| (Some(*target), locked));
        all.chain(some).map(|(target, locked)| (target, locked.kind))
    }

    /// Enters a flush, which needs a lock.
    pub(crate) fn flush(&mut self, target: Option<u32>) -> Result<(), Misuse> {
        let locked = match target {
            Some(target) => self.locked.contains_key(&target),
            None => !self.locked.is_empty(),
        };
        if locked || self.locked_all.is_some() {
            self.synchronise();
            return Ok(());
        }
        if let (Some(target), Some(held)) = (target, self.locked.values().next()) {
            let text = format!("a flush of rank {target} of the window, which is not locked");
            return misuse(Broken::NotLocked, text, Some(held.by));
        }
        let opened =
            self.started.as_ref().map(|(_, by)| *by).or(self.fence.filter(|_| self.used.is_some()));
        misuse(Broken::FlushNeedsLock, "a flush outside an epoch of a passive target", opened)
    }

    /// Checks that no epoch is open when the window is freed.
    pub(crate) fn free(&self) -> Result<(), Misuse> {
        self.none_open("the window is freed", false)?;
        match self.used {
            Some(used) => misuse(
                Broken::Open,
                "the window is freed inside an epoch of a fence: no fence follows this access",
                Some(used),
            ),
            None => Ok(()),
        }
    }

    fn none_open(&self, what: &str, fence: bool) -> Result<(), Misuse> {
        if let Some((_, opened)) = &self.started {
            let text = format!("{what} inside an access epoch: MPI_Win_complete is missing");
            return misuse(Broken::Open, text, Some(*opened));
        }
        if let Some((_, opened)) = &self.posted {
            let text = format!("{what} inside an exposure epoch: MPI_Win_wait is missing");
            return misuse(Broken::Open, text, Some(*opened));
        }
        let when = if fence { "while a lock is held" } else { "while it is locked" };
        self.no_locks(Broken::Open, || format!("{what} {when}"))
    }

    fn no_locks(&self, broken: Broken, text: impl FnOnce() -> String) -> Result<(), Misuse> {
        let held = self.locked_all.as_ref().or_else(|| self.locked.values().next());
        held.map_or(Ok(()), |held| misuse(broken, text(), Some(held.by)))
    }

    /// Ends the epoch of a fence in which nothing was accessed, so that another kind may begin.
    fn end_idle_fence(&mut self, text: &str) -> Result<(), Misuse> {
        if self.used.is_some() {
            return misuse(Broken::Nested, text, self.fence);
        }
        self.fence = None;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY: CallPlace = CallPlace { call: "MPI_Win_fence", site: crate::call::Site::NOWHERE };
    const NONE: Assertions = Assertions {
        no_check: false,
        no_store: false,
        no_put: false,
        no_precede: false,
        no_succeed: false,
    };

    #[test]
    fn an_access_needs_an_epoch_that_covers_its_target() {
        let mut epochs = Epochs::default();
        assert!(epochs.access(0, BY).is_err());
        epochs.fence(BY, NONE).expect("nothing is open");
        assert_eq!(epochs.access(0, BY), Ok(Opened::Fence(1)));
        assert!(epochs.access_with_request(0, BY).is_err());
        epochs.fence(BY, Assertions { no_succeed: true, ..NONE }).expect("the epoch ends");
        assert!(epochs.access(0, BY).is_err());
        epochs.start(vec![2], BY, NONE).expect("nothing is open");
        assert_eq!(epochs.access(2, BY), Ok(Opened::Start));
        assert!(epochs.access(1, BY).is_err());
        assert_eq!(epochs.complete(), Ok(vec![2]));
        epochs.lock(Some(3), (LockType::Exclusive, false), BY).expect("nothing is open");
        assert_eq!(epochs.access_with_request(3, BY), Ok(Opened::Lock));
        assert!(epochs.access(2, BY).is_err());
        assert_eq!(
            epochs.unlock(Some(3)),
            Ok(Unlocked { kind: LockType::Exclusive, unchecked: false })
        );
    }

    #[test]
    fn epochs_are_neither_nested_nor_mixed() {
        let mut epochs = Epochs::default();
        epochs.fence(BY, NONE).expect("nothing is open");
        epochs.access(0, BY).expect("an epoch of a fence");
        assert!(
            epochs.lock(None, (LockType::Shared, false), BY).is_err(),
            "the fence's epoch is in use"
        );
        assert!(
            epochs.post(vec![0], BY, NONE).is_err() && epochs.start(vec![0], BY, NONE).is_err()
        );
        assert!(epochs.free().is_err(), "the access is not completed");
        assert!(epochs.fence(BY, Assertions { no_precede: true, ..NONE }).is_err());
        epochs.fence(BY, NONE).expect("the end of the epoch");
        epochs
            .lock(None, (LockType::Shared, false), BY)
            .expect("a fence without accesses is no epoch");
        assert!(epochs.lock(Some(0), (LockType::Shared, false), BY).is_err());
        assert!(epochs.fence(BY, NONE).is_err() && epochs.free().is_err());
        assert!(epochs.flush(Some(1)).is_ok() && epochs.flush(None).is_ok());
        assert!(epochs.unlock(None).is_ok() && epochs.unlock(None).is_err());
        assert!(epochs.flush(None).is_err() && epochs.complete().is_err());
        epochs.post(vec![1], BY, NONE).expect("nothing is open");
        assert!(epochs.post(vec![1], BY, NONE).is_err() && epochs.free().is_err());
        assert_eq!(epochs.exposed(), Ok(&[1][..]));
        epochs.end_exposure();
        assert!(epochs.exposed().is_err() && epochs.free().is_ok());
    }

    #[test]
    fn no_store_is_asserted_of_the_time_since_the_last_synchronisation() {
        const NO_STORE: Assertions = Assertions { no_store: true, ..NONE };
        let mut epochs = Epochs::default();
        assert_eq!(epochs.offer(NO_STORE), None, "nothing was written");
        epochs.store(BY);
        let misuse = epochs.offer(NO_STORE).expect("the rank has written");
        assert_eq!(misuse.broken, Broken::Assertions);
        assert_eq!(misuse.beside, Some(Beside { rank: None, by: BY, shown: Shown::Store }));
        epochs.store(BY);
        assert_eq!(epochs.offer(NONE), None, "nothing is asserted");
        assert_eq!(epochs.offer(NO_STORE), None, "the call before has synchronised");
        epochs.store(BY);
        epochs.lock(None, (LockType::Shared, false), BY).expect("nothing is open");
        epochs.unlock(None).expect("it is locked");
        assert_eq!(epochs.offer(NO_STORE), None, "the lock has synchronised");
    }
}
