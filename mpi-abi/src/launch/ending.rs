//! What the end of a rank's program was worth.

use mpi_api::{
    call::Site,
    finding::{CallSite, Code, Finding},
};

use crate::{
    libc::{Ending, signal_name},
    site,
};

pub(super) fn at(rank: u32, site: site::Site, label: &str) -> CallSite {
    let known = Site { file: site.file, line: site.line, column: site.column.max(1) };
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

/// What is wrong with the end of a rank's program.
pub(super) fn failure(rank: u32, ending: &Ending) -> Option<Finding> {
    let mut sites = Vec::new();
    let message = match ending {
        Ending::Exited(0) => return None,
        Ending::Exited(code) => format!("rank {rank} ended with exit code {}", code & 0xff),
        Ending::Signalled(signal) => {
            format!("rank {rank} was ended by {}", signal_name(*signal))
        }
        Ending::Assertion { condition, file, line, .. } => {
            let file: &'static str = Box::leak(file.clone().into_boxed_str());
            let place = site::Site { file, line: *line, column: 1, function: "" };
            sites.push(at(rank, place, "this assertion"));
            format!("rank {rank}: the assertion `{condition}` does not hold")
        }
        Ending::Uncaught { what, site } => {
            if site.line > 0 {
                sites.push(at(rank, *site, "thrown here"));
            }
            format!("rank {rank}: an exception was not caught: {what}")
        }
        Ending::Refused(why) => format!("rank {rank}: {why}"),
    };
    let code = match ending {
        Ending::Signalled(_) => Code::Signal,
        Ending::Exited(_) => Code::ExitCode,
        _ => Code::Panicked,
    };
    Some(Finding::error(code, message, vec![rank], sites))
}

/// What a shell would tell of an end that was not well.
pub(super) fn exit_code(ending: &Ending) -> Option<i32> {
    Some(ending.code()).filter(|code| *code != 0)
}

pub(super) fn unfinished(rank: u32, missing: &str) -> Finding {
    let message = format!("rank {rank} ended without {missing}");
    Finding::error(Code::NotFinalized, message, vec![rank], Vec::new())
        .help(format!("call {missing} on every rank before it ends"))
}
