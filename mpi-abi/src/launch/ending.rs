//! Turns the ends of rank programs into findings and an exit code.

use mpi_api::{
    call::Site,
    check::{exit_code, not_finalized, panicked, signal},
    finding::{CallSite, Finding, ranks_text},
    text::intern,
};

use super::part::Left;
use guest::{
    libc::{Ending, signal_name},
    site,
};

pub(super) fn at(rank: u32, site: site::Site, label: &str) -> CallSite {
    let known = Site::at(site.file, site.line, site.column.max(1));
    CallSite::new(rank, "program", known.known(), label.into())
}

/// Ranks grouped by identical ends of their programs, in order of the first rank of each group.
#[derive(Default)]
pub(super) struct Alike(Vec<Group>);

/// Ranks whose programs ended alike, and how the first of them ended itself, if it did.
struct Group {
    ending: Ending,
    ranks: Vec<u32>,
    left_at: Option<Left>,
}

impl Alike {
    /// Records the end of one rank's program.
    pub(super) fn add(&mut self, rank: u32, ending: &Ending, left_at: Option<Left>) {
        match self.0.iter_mut().find(|group| is_alike(&group.ending, ending)) {
            Some(group) => group.ranks.push(rank),
            None => self.0.push(Group { ending: ending.clone(), ranks: vec![rank], left_at }),
        }
    }

    /// Returns the findings that these ends lead to.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.0.iter().filter_map(failure)
    }
}

/// Reports whether two ends belong in one group. Texts that name the rank may differ.
fn is_alike(one: &Ending, other: &Ending) -> bool {
    match (one, other) {
        (Ending::Exited(one), Ending::Exited(other)) => one & 0xff == other & 0xff,
        (Ending::Signalled(one), Ending::Signalled(other)) => one == other,
        (
            Ending::Assertion { file, line, .. },
            Ending::Assertion { file: other_file, line: other_line, .. },
        ) => (file, line) == (other_file, other_line),
        (Ending::Uncaught { site, .. }, Ending::Uncaught { site: other, .. }) => site == other,
        (Ending::Refused(one), Ending::Refused(other)) => one == other,
        (
            Ending::Exited(_)
            | Ending::Signalled(_)
            | Ending::Assertion { .. }
            | Ending::Uncaught { .. }
            | Ending::Refused(_),
            _,
        ) => false,
    }
}

/// Returns the finding for the ranks of a group; `None` for a normal end.
fn failure(Group { ending, ranks, left_at }: &Group) -> Option<Finding> {
    let (rank, who) = (*ranks.first()?, ranks_text(ranks));
    let left = |label: &str| {
        let (place, label) = match (*left_at)? {
            Left::By(place) => (place, label),
            Left::Main(place) => (place, exit_code::MAIN),
        };
        (place.line > 0).then(|| at(rank, place, label))
    };
    let finding = match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => {
            exit_code::of_ranks(&who, code & 0xff, ranks, left(exit_code::LABEL))
        }
        Ending::Signalled(signal) => {
            signal::ended((&who, ranks), &signal_name(*signal), left(signal::ABORTS))
        }
        Ending::Assertion { condition, file, line, .. } => {
            let place = site::Site { file: intern(file), line: *line, column: 1, function: "" };
            panicked::by_assertion(&who, condition, ranks, at(rank, place, panicked::ASSERTION))
        }
        Ending::Uncaught { what, site } => {
            let place = (site.line > 0).then(|| at(rank, *site, panicked::THROWN));
            panicked::by_exception(&who, what, ranks, place)
        }
        Ending::Refused(why) => panicked::refused((&who, ranks), why, left(panicked::REFUSED)),
    };
    Some(Finding { count: ranks.len() as u32, ..finding })
}

/// Returns the exit code of an abnormal end, as a shell reports it.
pub(super) fn exit_code(ending: &Ending) -> Option<i32> {
    Some(ending.code()).filter(|code| *code != 0)
}

/// Returns the finding for ranks that ended without calling `missing`, a function they must call;
/// `None` if `ranks`, with the places at which they ended themselves, is empty.
pub(super) fn unfinished(ranks: Vec<(u32, Option<Left>)>, missing: &str) -> Option<Finding> {
    let place = ranks.iter().find_map(|(rank, left)| match (*left)? {
        Left::By(place) => (place.line > 0).then(|| at(*rank, place, exit_code::LABEL)),
        Left::Main(place) => (place.line > 0).then(|| at(*rank, place, not_finalized::MAIN)),
    });
    let ranks: Vec<u32> = ranks.into_iter().map(|(rank, _)| rank).collect();
    (!ranks.is_empty()).then(|| not_finalized::ended_without(missing, ranks, place))
}
