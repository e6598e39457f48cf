//! WT0026: a rank was struck by a signal.

use sim_core::words::in_number;

use crate::finding::{CallSite, Code, Finding};

/// Returns the finding about the process `name` of a rank, at its last call if it has made any.
pub fn struck(
    (name, rank): (&str, u32),
    signal: &str,
    cause: Option<&str>,
    last: Option<CallSite>,
) -> Finding {
    let why = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
    let text = format!("{name} was struck by {signal}{why}");
    Finding::error(Code::Signal, text, vec![rank], last.into_iter().collect())
}

/// The label of the instruction that raised the signal.
pub const HERE: &str = "the signal struck here";

/// The label of the call of a library's function in which the signal was raised.
pub const IN_CALL: &str = "the signal struck in the function that is called here";

/// The note about a signal by which a library ends a program.
pub const DAMAGED: &str = "the C library ends a program so if it finds memory damaged: something was written beyond the end of a \
                           block or an array, or memory was freed twice or without having been allocated. All ranks \
                           share one heap, so that another rank may have done it";

/// The note about an access to a constant.
pub const AT_CONSTANT: &str = "the memory belongs to a constant, such as a string literal";

/// The help for a Fortran procedure that was struck at the address of its error code.
pub const NO_ERROR_CODE: &str = "pass a variable for the error code (ierror) as the last argument, which seems to be missing here: only with \
                                 `use mpi_f08` may it be left out";

/// The help for a Fortran procedure that was struck at the address of another argument.
pub const NO_ARGUMENT: &str =
    "compare the arguments with those of the procedure: one seems to be missing here";

/// Returns the note about the static variable near the memory that was accessed: its size, and how
/// far behind its end the memory lies, if it does.
pub fn near(name: &str, bytes: u64, beyond: Option<u64>) -> String {
    let size = bytes_text(bytes);
    match beyond {
        None => format!("the memory belongs to the static variable `{name}` ({size})"),
        Some(0) => format!("the memory begins where the static variable `{name}` ends ({size})"),
        Some(beyond) => {
            let distance = bytes_text(beyond);
            format!("the last static variable before it is `{name}` ({size}), {distance} away")
        }
    }
}

/// Returns the label of the call that freed the window to which the memory belonged.
pub fn freed_window(rank: u32) -> String {
    format!("the memory belonged to a window that rank {rank} frees here")
}

/// Returns `1 byte` or `7 bytes`.
pub(super) fn bytes_text(bytes: u64) -> String {
    format!("{bytes} {}", in_number(bytes, "byte"))
}

/// The label of the place where a program calls `abort`.
pub const ABORTS: &str = "it aborts here";

/// Returns the finding about ranks, `who`, that were ended by a signal, at the place where the first one
/// aborted, if it did.
pub fn ended((who, ranks): (&str, &[u32]), signal: &str, place: Option<CallSite>) -> Finding {
    let were = if ranks.len() > 1 { "were" } else { "was" };
    let text = format!("{who} {were} ended by {signal}");
    Finding::error(Code::Signal, text, ranks.to_vec(), place.into_iter().collect())
}

/// Returns the finding about an execution whose process waited for a lock that nothing would release.
pub fn stuck() -> Finding {
    let text = "the process of all ranks did not go on and was killed";
    Finding::error(Code::Signal, text.to_string(), Vec::new(), Vec::new())
        .note("the program has damaged memory that is not its own: it writes beyond an array or a block")
        .help("compile the program with -fsanitize=address or run it under valgrind with another MPI library")
}

/// Returns the finding about an execution whose process was killed; 9 is `SIGKILL`.
pub fn killed(signal: i32) -> Finding {
    let text = format!("the process of all ranks was killed by signal {signal}");
    let finding = Finding::error(Code::Signal, text, Vec::new(), Vec::new());
    match signal {
        9 => finding.note("the system does this when it runs out of memory"),
        _ => finding,
    }
}
