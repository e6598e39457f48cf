//! The time that processes take between their calls, told from outside: the engine has no clock.

use crate::{kernel::ProcessId, time::SimDuration};

/// Told whenever a process begins or goes on, and whenever it has made a call (`C`) or ended.
///
/// What a process did then takes the time that is answered: its call is made, or its end comes,
/// that much later. A simulation without a meter takes all of it to be done in no time.
pub trait Meter<C> {
    /// The process is about to go on.
    fn begin(&self, process: ProcessId);

    /// It has made this call, or ended (`None`); how long what it did since takes. `None` ends the
    /// run with [`Outcome::Stopped`](crate::Outcome::Stopped): there is nothing to go by.
    fn end(&self, process: ProcessId, call: Option<&C>) -> Option<SimDuration>;

    /// What the running process has done so far is none of its program's work.
    fn restart(&self) {}
}
