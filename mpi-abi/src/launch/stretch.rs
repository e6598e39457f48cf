//! Reports ranks that compute for a long time without calling MPI.

use sim_core::ProcessId;

use super::part::RUN;
use guest::{
    libc::{Stream, write_past_ranks},
    running,
};

/// Seconds of computing without a call after which a note is printed.
const LONG: u32 = 5;

/// Prints on standard error where a rank is that has computed for `seconds` without a call: either
/// a long computation or an endless loop. A rank with several threads is reported earlier, because
/// its other threads run only when it calls, or is in a loop that changes nothing: any other loop that
/// waits for one of them never ends.
///
/// Intended as the argument of [`sim_core::interrupt::tell_long_stretches`].
pub fn tell_stretch(process: ProcessId, address: usize, seconds: u32) {
    let others = running::other_threads();
    if seconds < LONG && others == 0 {
        return;
    }
    let number = running::number().unwrap_or(process.0);
    let place = RUN.with_borrow(|run| {
        let mut parts = run.iter().flat_map(|run| &run.parts);
        parts.find_map(|part| part.images.locate(address))
    });
    let at = match place {
        Some((_, site)) if site.line > 0 => format!(" at {}:{}", site.file, site.line),
        Some((_, site)) if !site.function.is_empty() => format!(" in {}", site.function),
        _ => String::new(),
    };
    let mut text = format!(
        "note: rank {number} has computed for {seconds} s on this machine without a call{at}\n"
    );
    if others > 0 {
        let s = if others == 1 { "" } else { "s" };
        text.push_str(&format!(
            "  its {others} other thread{s} can go on only when it calls MPI or the C library: a loop \
             that waits for one of them and changes something itself, as a counter, does not end\n"
        ));
    }
    // A note that cannot be written is dropped.
    let _ = write_past_ranks(Stream::Error, text.as_bytes());
}
