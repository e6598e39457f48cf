//! Meters: the time that processes compute between their calls, supplied from outside because the
//! engine has no clock.

use crate::{id::ProcessId, time::SimDuration};

/// Measures what processes compute: notified when a process begins or is resumed, and when it has
/// made a call (`C`) or ended.
///
/// The call or end takes effect later by the time that [`Meter::end`] returns. Without a meter,
/// everything between two calls takes no simulated time.
pub trait Meter<C> {
    /// Called when the process is about to begin or be resumed.
    fn begin(&self, process: ProcessId);

    /// Returns the time that the process computed since `begin`, when it has made this call or ended
    /// (`None`). Returns `None` if the time is unknown, which ends the run with
    /// [`Outcome::Stopped`](crate::Outcome::Stopped).
    fn end(&self, process: ProcessId, call: Option<&C>) -> Option<SimDuration>;

    /// Discards what was measured for the running process so far: it was not work of its program.
    fn restart(&self) {}
}
