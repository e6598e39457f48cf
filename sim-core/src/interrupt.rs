//! Stops simulations from outside: a signal handler makes a request, and the engine stops between
//! two events.
//!
//! A process that does not make another call cannot be stopped between events. So the first signal
//! also starts a timer, and if that expires while a process runs, the process is abandoned and the
//! run ends with [`Outcome::Interrupted`](crate::Outcome). A third signal from outside has the
//! system's default effect.

use std::sync::atomic::{AtomicU32, Ordering};

/// Number of requests since the last [`clear`].
static REQUESTS: AtomicU32 = AtomicU32::new(0);

/// Asks the simulations of this process to stop. Safe to call in a signal handler.
///
/// Returns the number of requests before this one.
pub fn request() -> u32 {
    REQUESTS.fetch_add(1, Ordering::Relaxed)
}

/// Reports whether the simulations of this process are asked to stop.
#[inline]
pub fn requested() -> bool {
    REQUESTS.load(Ordering::Relaxed) > 0
}

/// Withdraws all requests.
pub fn clear() {
    REQUESTS.store(0, Ordering::Relaxed);
}

pub use crate::process::{StretchHook, after, stop_at, tell_long_stretches};
