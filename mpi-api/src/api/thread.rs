//! Several threads of control in one rank (MPI section 11.6): they share its communicators, and
//! a message for the rank is received by whichever of them receives it.
//!
//! A thread that is blocked in a call blocks no other. Threads run at the same simulated time,
//! each on a processor of its own; where the time of a rank is told, it is its main thread's.

use std::{cell::Cell, rc::Rc};

use super::Context;
use crate::call::{Operation, Reply, Site, ThreadBody};

/// A thread that was started; [`JoinHandle::join`] waits for its end.
pub struct JoinHandle<T> {
    context: Context,
    number: u32,
    result: Rc<Cell<Option<T>>>,
}

/// Starts a further thread of the calling rank. Which of its calls are allowed depends on the
/// level given to [`initialize_with_threading`](super::initialize_with_threading).
///
/// Order: the new thread begins after the caller's next call of MPI or at once, always the same.
///
/// # Panics
/// Outside of a program, or before it has initialized MPI.
#[track_caller]
pub fn spawn<T: 'static>(body: impl FnOnce() -> T + 'static) -> JoinHandle<T> {
    let context = Context::current().expect("threads are started between init and finalize");
    let result = Rc::new(Cell::new(None));
    let (mine, place) = (context.clone(), Rc::clone(&result));
    let run = move |port| {
        mine.enter_thread(port);
        place.set(Some(body()));
        mine.leave_thread();
    };
    let body = ThreadBody(Box::new(run), false);
    let level = context.level().get();
    let number = match context.call(Site::here(), Operation::SpawnThread(level, body)) {
        Some(Reply::Object(number)) => number,
        _ => 0,
    };
    JoinHandle { context, number, result }
}

impl<T> JoinHandle<T> {
    /// Waits until the thread has ended; what its body returned. Only the calling thread waits.
    ///
    /// # Panics
    /// While the run is being ended, when there is nothing to wait for any more.
    #[track_caller]
    pub fn join(self) -> T {
        self.context.call(Site::here(), Operation::JoinThread(self.number));
        self.result.take().expect("a thread that has ended has a result")
    }

    /// Its number in the rank, from 1; the main thread is 0. Findings name it.
    pub fn number(&self) -> u32 {
        self.number
    }
}

/// `MPI_Is_thread_main`: whether the calling thread is the one that initialized MPI.
pub fn is_main() -> bool {
    Context::current().is_some_and(|context| context.is_main_thread())
}
