//! Turns the ends of rank programs into findings and an exit code.

use mpi_api::{
    call::Site,
    finding::{CallSite, Code, Finding, ranks_text},
};

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

/// Ranks whose programs ended alike, and where the first of them called `exit`, if it did.
struct Group {
    ending: Ending,
    ranks: Vec<u32>,
    left_at: Option<site::Site>,
}

impl Alike {
    /// Records the end of one rank's program.
    pub(super) fn add(&mut self, rank: u32, ending: &Ending, left_at: Option<site::Site>) {
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
    let mut sites = Vec::new();
    let (rank, who) = (*ranks.first()?, ranks_text(ranks));
    let were = if ranks.len() > 1 { "were" } else { "was" };
    let message = match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => {
            if let Some(place) = left_at.filter(|place| place.line > 0) {
                sites.push(at(rank, place, "it ends itself here"));
            }
            format!("{who} ended with exit code {}", code & 0xff)
        }
        Ending::Signalled(signal) => {
            format!("{who} {were} ended by {}", signal_name(*signal))
        }
        Ending::Assertion { condition, file, line, .. } => {
            let file: &'static str = Box::leak(file.clone().into_boxed_str());
            let place = site::Site { file, line: *line, column: 1, function: "" };
            sites.push(at(rank, place, "this assertion"));
            format!("{who}: the assertion `{condition}` does not hold")
        }
        Ending::Uncaught { what, site } => {
            if site.line > 0 {
                sites.push(at(rank, *site, "thrown here"));
            }
            format!("{who}: an exception was not caught: {what}")
        }
        Ending::Refused(why) => format!("{who}: {why}"),
    };
    let code = match ending {
        Ending::Signalled(_) => Code::Signal,
        Ending::Exited(_) => Code::ExitCode,
        _ => Code::Panicked,
    };
    let count = ranks.len() as u32;
    Some(Finding { count, ..Finding::error(code, message, ranks.to_vec(), sites) })
}

/// Returns the exit code of an abnormal end, as a shell reports it.
pub(super) fn exit_code(ending: &Ending) -> Option<i32> {
    Some(ending.code()).filter(|code| *code != 0)
}

/// Returns the finding for ranks that ended without calling `missing`, a function they must call;
/// `None` if `ranks` is empty.
pub(super) fn unfinished(ranks: Vec<u32>, missing: &str) -> Option<Finding> {
    let message = format!("{} ended without {missing}", ranks_text(&ranks));
    let count = ranks.len() as u32;
    let finding = Finding::error(Code::NotFinalized, message, ranks, Vec::new())
        .help(format!("call {missing} on every rank before it ends"));
    (count > 0).then_some(Finding { count, ..finding })
}
