//! Whether ranks have changed variables of the C library that the process has once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether any rank of this process has ever changed the environment, the directory or the locale, or
/// has loaded the C++ library.
static CHANGED: AtomicBool = AtomicBool::new(false);

/// Records that one of these values is about to change.
pub(super) fn note_change() {
    CHANGED.store(true, Ordering::Relaxed);
}

/// Reports whether any of these values has ever changed.
#[inline(always)]
pub(super) fn were_made() -> bool {
    CHANGED.load(Ordering::Relaxed)
}
