//! Reports ranks that compute for a long time without calling MPI.

use sim_core::ProcessId;

use super::part::RUN;
use crate::libc::{Rank, Stream, stdio};

/// Seconds of computing without a call after which a note is printed.
const LONG: u32 = 5;

/// Prints on standard error where a rank is that has computed for `seconds` without a call: either
/// a long computation or an endless loop. A rank with several threads is reported earlier, because
/// its other threads run only when it calls, so that a loop that waits for one of them never ends.
///
/// Intended as the argument of [`sim_core::interrupt::tell_long_stretches`].
pub fn tell_stretch(process: ProcessId, address: usize, seconds: u32) {
    let rank = Rank::current();
    let others = rank.map_or(0, |rank| rank.threads.others());
    if seconds < LONG && others == 0 {
        return;
    }
    let number = rank.map_or(process.0, Rank::number);
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
             that waits for one of them does not end\n"
        ));
    }
    // A note that cannot be written is dropped.
    let _ = stdio::kept::write(Stream::Error, text.as_bytes());
}
