//! [`Compared`]: what a run keeps that compares the memory which calls use with the objects of the program.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use guest::site::Recorded;
use mpi_api::{
    call::{ReportCall, Site},
    finding::{Code, Finding},
};
use rustc_hash::FxHashSet;

use super::rank::State;

/// Most arguments that are remembered.
const SEEN_MAX: usize = 1 << 16;

/// What has been compared, and what was found.
#[derive(Default)]
pub(crate) struct Compared {
    /// What has been reported: the code, and the file, line and column that it is about.
    reported: RefCell<BTreeSet<(Code, &'static str, u32, u32)>>,
    /// The record of the running call; `None` if the rank has several threads, which may all be in one.
    running: Cell<Option<Recorded>>,
    /// Arguments that have been looked at: the record of the call, address and size.
    seen: RefCell<FxHashSet<(Recorded, usize, usize)>>,
    /// Places of calls whose source has been read.
    read: RefCell<FxHashSet<(&'static str, u32, u32)>>,
    /// Findings about arguments that have not been told.
    found: RefCell<Vec<Finding>>,
}

impl Compared {
    /// Reports whether a finding is the first of its kind about this place.
    pub(crate) fn is_first(&self, code: Code, about: Site) -> bool {
        self.reported.borrow_mut().insert((code, about.file, about.line, about.column))
    }

    /// Notes that the source of a call is read; reports whether it was not before.
    pub(crate) fn is_unread(&self, site: Site) -> bool {
        self.read.borrow_mut().insert((site.file, site.line, site.column))
    }

    /// Notes that a call of this rank is running, whose only thread makes it or one of several.
    pub(super) fn enter(&self, alone: bool) {
        self.running.set(alone.then(Recorded::last));
    }

    /// Makes the running call of this rank the one that was recorded last, as it was before other ranks made calls, and
    /// returns its record; `None` if it is not known.
    pub(crate) fn recall(&self) -> Option<Recorded> {
        let known = [Recorded::last(), self.running.get()?];
        let call = known.into_iter().find(|call| call.is_present())?;
        call.restore();
        Some(call)
    }

    /// Reports whether an argument of the running call has not been looked at.
    pub(crate) fn is_new(&self, address: usize, bytes: usize) -> bool {
        let Some(call) = self.recall() else { return false };
        let mut seen = self.seen.borrow_mut();
        if seen.len() >= SEEN_MAX {
            seen.clear();
        }
        seen.insert((call, address, bytes))
    }

    fn has_found(&self) -> bool {
        !self.found.borrow().is_empty()
    }
}

impl State {
    /// Keeps a finding about an argument until the call ends: the caller may be in the middle of a change.
    pub(crate) fn keep_finding(&self, compared: &Compared, finding: Finding) {
        compared.found.borrow_mut().push(finding);
        self.note_quiet();
    }

    /// Reports whether there are findings to be told when the call ends.
    pub(super) fn has_findings(&self) -> bool {
        self.compared.as_ref().is_some_and(Compared::has_found)
    }

    /// Tells what was found about arguments.
    pub(crate) fn tell_findings(&self, site: Site) {
        let Some(compared) = &self.compared else { return };
        let found = compared.found.take();
        if found.is_empty() {
            return;
        }
        self.note_quiet();
        for finding in found {
            // The run may be over: then nobody reads the finding.
            let _ = self.kernel(site, ReportCall::Finding(Box::new(finding)));
        }
    }
}
