//! Which calls the epochs of a rank allow (MPI section 12.5).

use std::collections::BTreeMap;

use crate::plan::window::Deed;

/// A call that the open epochs do not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misuse;

/// The epochs that one rank has opened on a window.
#[derive(Clone, Debug, Default)]
pub(super) struct Epochs {
    /// Whether the last fence may be followed by accesses; once there is one, it has opened an epoch.
    fenced: Option<Used>,
    /// The group of `MPI_Win_start`.
    started: Option<Vec<u32>>,
    /// The group of `MPI_Win_post`.
    posted: Option<Vec<u32>>,
    /// Locked ranks, each with whether its lock is exclusive.
    locked: BTreeMap<u32, bool>,
    locked_all: bool,
}

/// Whether an access has followed a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Used {
    No,
    Yes,
}

impl Epochs {
    /// Returns the lock that the rank holds on a target: whether it is exclusive.
    pub(super) fn lock_on(&self, target: u32) -> Option<bool> {
        let shared = self.locked_all.then_some(false);
        self.locked.get(&target).copied().or(shared)
    }

    /// Returns the group to which the rank's memory is exposed.
    pub(super) fn exposed_to(&self) -> Option<&[u32]> {
        self.posted.as_deref()
    }

    /// Returns whether a fence may have opened an epoch.
    pub(super) fn is_fenced(&self) -> bool {
        self.fenced.is_some()
    }

    /// Returns the group of the rank's access epoch.
    pub(super) fn accesses_to(&self) -> Option<&[u32]> {
        self.started.as_deref()
    }

    /// Enters an access to a target, which has a request or not.
    pub(super) fn access(&mut self, target: u32, request: bool) -> Result<(), Misuse> {
        if self.lock_on(target).is_some() {
            return Ok(());
        }
        // The forms with requests are for passive targets.
        if request {
            return Err(Misuse);
        }
        match (&self.started, self.fenced) {
            (Some(group), _) if group.contains(&target) => Ok(()),
            (None, Some(_)) => {
                self.fenced = Some(Used::Yes);
                Ok(())
            }
            (Some(_), _) | (None, None) => Err(Misuse),
        }
    }

    /// Enters a fence with its assertions.
    pub(super) fn fence(&mut self, first: bool, last: bool) -> Result<(), Misuse> {
        self.nothing_but_fences()?;
        if first && self.fenced == Some(Used::Yes) {
            return Err(Misuse);
        }
        self.fenced = (!last).then_some(Used::No);
        Ok(())
    }

    /// Checks that the window may be freed.
    pub(super) fn free(&self) -> Result<(), Misuse> {
        self.nothing_but_fences()?;
        if self.fenced == Some(Used::Yes) { Err(Misuse) } else { Ok(()) }
    }

    fn nothing_but_fences(&self) -> Result<(), Misuse> {
        let locks = self.locked_all || !self.locked.is_empty();
        let open = self.started.is_some() || self.posted.is_some() || locks;
        if open { Err(Misuse) } else { Ok(()) }
    }

    /// A fence without an access after it has opened no epoch, so that another one may be opened.
    fn leave_fence(&mut self) -> Result<(), Misuse> {
        if self.fenced == Some(Used::Yes) {
            return Err(Misuse);
        }
        self.fenced = None;
        Ok(())
    }

    /// Enters another call of one rank.
    pub(super) fn call(&mut self, deed: &Deed) -> Result<(), Misuse> {
        let allowed = |allowed: bool| if allowed { Ok(()) } else { Err(Misuse) };
        match deed {
            Deed::Lock(target, exclusive) => {
                let twice = self.locked_all || self.locked.contains_key(target);
                allowed(!twice && self.started.is_none())?;
                self.leave_fence()?;
                self.locked.insert(*target, *exclusive);
                Ok(())
            }
            Deed::LockAll => {
                let held = self.locked_all || !self.locked.is_empty();
                allowed(!held && self.started.is_none())?;
                self.leave_fence()?;
                self.locked_all = true;
                Ok(())
            }
            Deed::Unlock(target) => allowed(self.locked.remove(target).is_some()),
            Deed::UnlockAll => allowed(std::mem::take(&mut self.locked_all)),
            Deed::Flush(target) | Deed::FlushLocal(target) => allowed(
                self.locked_all
                    || match target {
                        Some(target) => self.locked.contains_key(target),
                        None => !self.locked.is_empty(),
                    },
            ),
            Deed::Start(group) => {
                let locks = self.locked_all || !self.locked.is_empty();
                allowed(self.started.is_none() && !locks)?;
                self.leave_fence()?;
                self.started = Some(group.clone());
                Ok(())
            }
            Deed::Complete => allowed(self.started.take().is_some()),
            Deed::Post(group, _) => {
                allowed(self.posted.is_none())?;
                self.leave_fence()?;
                self.posted = Some(group.clone());
                Ok(())
            }
            Deed::Wait { .. } => allowed(self.posted.take().is_some()),
            // An access has its own entry; the others concern no epoch.
            Deed::Access(_)
            | Deed::Finish(_)
            | Deed::Sync
            | Deed::Compute(_)
            | Deed::Load(..)
            | Deed::Store(..)
            | Deed::Peek(_)
            | Deed::Spoil(_) => Ok(()),
        }
    }
}
