//! The end of a rank that is a Rust function, before the function returns.

use super::{Context, entering};
use crate::call::{Call, ProcessCall, Site};

/// Ends the calling rank with an exit code, as `exit` ends a process: what the rank owns is not
/// dropped, and the other ranks go on. Returns if no rank that is a Rust function runs on this
/// thread.
pub fn exit_rank(code: i32) {
    if let Some(entry) = entering().filter(|entry| entry.port.is_current()) {
        entry.port.abandon();
        let operation = ProcessCall::Exit { code, unfinished: false }.into();
        entry.port.call(Call { site: Site::NOWHERE, operation });
    } else if let Some(context) = Context::current().filter(Context::is_running) {
        context.port().abandon();
        let unfinished = context.must_finalize();
        context.call_below(Site::NOWHERE, ProcessCall::Exit { code, unfinished }.into());
    }
}

/// Records that the code that calls the running rank's program has initialized MPI and finalizes
/// it: the program may end without.
pub fn finalize_for_program() {
    if let Some(context) = Context::current() {
        context.finalize_for_it();
    }
}
