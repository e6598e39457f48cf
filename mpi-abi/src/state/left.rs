//! [`Left`]: errors of wrong calls that the error handlers of a run have left to the program.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    mem,
};

use mpi_api::finding::Finding;

thread_local! {
    /// Those of the run on this thread. Ranks that the run has ended have no state any more.
    static LEFT: RefCell<Left> = RefCell::default();
}

/// What is known of the errors that were left to the ranks of a run, besides the first one of each rank, which is told at
/// once.
#[derive(Default)]
pub(crate) struct Left {
    /// Ranks that have communicated since the last error: that error is not why they end.
    pub(crate) gone_on: BTreeSet<u32>,
    ranks: BTreeMap<u32, Errors>,
}

#[derive(Default)]
struct Errors {
    /// What is to be told of the last error of each function.
    of_function: BTreeMap<&'static str, Finding>,
    /// The function with the last of all errors, unless that was at the place of the first one.
    last: Option<&'static str>,
}

impl Left {
    /// Takes what is known of the run on this thread.
    pub(crate) fn take() -> Self {
        LEFT.take()
    }

    /// Returns what is to be told of errors that were not, in the order of ranks.
    pub(crate) fn into_findings(self) -> impl Iterator<Item = Finding> {
        self.ranks.into_values().flat_map(|errors| errors.of_function.into_values())
    }
}

/// Notes that a rank communicates.
pub(super) fn note_going_on(rank: u32) {
    LEFT.with_borrow_mut(|left| left.gone_on.insert(rank));
}

/// Notes an error: what is to be told of it, unless that was told.
pub(super) fn note_error(rank: u32, untold: Option<Finding>) {
    LEFT.with_borrow_mut(|left| {
        left.gone_on.remove(&rank);
        let function = untold.as_ref().and_then(|finding| finding.sites.first()).map(|at| at.call);
        if untold.is_none() && !left.ranks.contains_key(&rank) {
            return;
        }
        let errors = left.ranks.entry(rank).or_default();
        errors.last = function;
        errors.of_function.extend(function.zip(untold));
    });
}

/// Takes what is to be told of the last error of a rank.
pub(super) fn take_last(rank: u32) -> Option<Box<Finding>> {
    LEFT.with_borrow_mut(|left| {
        let errors = left.ranks.get_mut(&rank)?;
        mem::take(&mut errors.last).and_then(|last| errors.of_function.remove(last)).map(Box::new)
    })
}
