//! What the end of a rank's program was worth.

use mpi_api::{
    call::Site,
    finding::{CallSite, Code, Finding, ranks_text},
};

use crate::{
    libc::{Ending, signal_name},
    site,
};

pub(super) fn at(rank: u32, site: site::Site, label: &str) -> CallSite {
    let known = Site::at(site.file, site.line, site.column.max(1));
    CallSite::new(rank, "program", known.known(), label.into())
}

/// Whether this follows from the end of a rank in the middle of its program: a launcher would have
/// ended the others with it.
pub(super) fn is_consequence(code: Code) -> bool {
    matches!(
        code,
        Code::DeadlockCycle
            | Code::NeverMatched
            | Code::PeerFinished
            | Code::UnreceivedMessage
            | Code::Livelock
    )
}

/// Ranks whose programs ended alike, each group once and in order of its first rank.
#[derive(Default)]
pub(super) struct Alike(Vec<(Ending, Vec<u32>)>);

impl Alike {
    /// A rank's program has ended.
    pub(super) fn add(&mut self, rank: u32, ending: &Ending) {
        match self.0.iter_mut().find(|(known, _)| is_alike(known, ending)) {
            Some((_, ranks)) => ranks.push(rank),
            None => self.0.push((ending.clone(), vec![rank])),
        }
    }

    /// What is wrong with these ends.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.0.iter().filter_map(|(ending, ranks)| failure(ranks, ending))
    }
}

/// Whether two ends are told as one: what ranks say of theirs may differ.
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

/// What is wrong with the end of these ranks' programs, the first of which ended so.
fn failure(ranks: &[u32], ending: &Ending) -> Option<Finding> {
    let mut sites = Vec::new();
    let (rank, who) = (*ranks.first()?, ranks_text(ranks));
    let were = if ranks.len() > 1 { "were" } else { "was" };
    let message = match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => format!("{who} ended with exit code {}", code & 0xff),
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

/// What a shell would tell of an end that was not well.
pub(super) fn exit_code(ending: &Ending) -> Option<i32> {
    Some(ending.code()).filter(|code| *code != 0)
}

/// Ranks that ended without calling a function that they must call; none if there are none.
pub(super) fn unfinished(ranks: Vec<u32>, missing: &str) -> Option<Finding> {
    let message = format!("{} ended without {missing}", ranks_text(&ranks));
    let count = ranks.len() as u32;
    let finding = Finding::error(Code::NotFinalized, message, ranks, Vec::new())
        .help(format!("call {missing} on every rank before it ends"));
    (count > 0).then_some(Finding { count, ..finding })
}
