//! [`Layer`]: what a program puts between itself and MPI.

use super::call::{Answer, Call};

/// A profiling layer between a program and MPI. Each hook may call MPI; the layers below see that
/// call.
///
/// Threads of a rank share its layers, and while one waits in a hook another may enter it.
pub trait Layer {
    /// Called before a call goes down to the next layer.
    fn before(&self, call: &Call) {
        let _ = call;
    }

    /// Called after a call has returned; not called if the call ends the run.
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        let _ = (call, answer);
    }

    /// Called when the program sets a level of detail with [`control`](super::control).
    fn control(&self, level: i32) {
        let _ = level;
    }
}
