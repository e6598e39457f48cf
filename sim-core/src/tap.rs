//! Taps: observers of the calls of all processes and of the replies to them.

use crate::{id::ProcessId, time::SimDuration};

/// Observes the calls (`C`) of processes and the replies (`R`) to them, for a recording of the run.
///
/// A tap changes nothing: neither times nor the digest of the run.
pub trait Tap<C, R> {
    /// Called before a process is resumed with this reply, or begins (`None`).
    fn resumed(&self, process: ProcessId, reply: Option<&R>);

    /// Called when a process has made this call, or ended (`None`), after computing for `computed`
    /// by the meter of the run.
    fn called(&self, process: ProcessId, computed: SimDuration, call: Option<&C>);
}
