//! WT0027: a rank ended with an error of its own.

use crate::finding::{CallSite, Code, Finding};

/// Label of the call of `exit`.
pub const LABEL: &str = "it ends itself here";

/// Label of the beginning of `main`, where the code is its value.
pub const MAIN: &str = "`main`, which returns the code, begins here";

/// Returns the finding about ranks, `who`, that ended with an exit code, at the place of the call if
/// it is known.
pub fn of_ranks(who: &str, code: i32, ranks: &[u32], place: Option<CallSite>) -> Finding {
    let text = format!("{who} ended with exit code {code}");
    Finding::error(Code::ExitCode, text, ranks.to_vec(), place.into_iter().collect())
}

/// Returns the finding about an execution whose process was ended by the program; `place` says
/// where, if it is known.
pub fn of_process(place: &str, code: i32) -> Finding {
    let who = if place.is_empty() { "the program" } else { place };
    let text = format!("{who} ended the whole process with exit code {code}");
    Finding::error(Code::ExitCode, text, Vec::new(), Vec::new())
        .note("all ranks are in one process: its end is the end of every rank")
        .help("return from the function that the ranks run, or panic")
}
