//! Several threads in one rank (MPI section 11.6): they share its communicators, and a message for
//! the rank can be received by any of them.
//!
//! A thread that is blocked in a call blocks no other thread. Threads run at the same simulated
//! time, each on its own processor; where the time of a rank is reported, it is that of its main
//! thread.

use std::{cell::Cell, rc::Rc};

use super::Context;
use crate::call::{Reply, Site, ThreadBody, ThreadCall};

/// A handle of a started thread; [`JoinHandle::join`] waits for its end.
pub struct JoinHandle<T> {
    context: Context,
    number: u32,
    result: Rc<Cell<Option<T>>>,
}

/// Starts an additional thread of the calling rank. The level given to
/// [`initialize_with_threading`](super::initialize_with_threading) decides which of its calls are
/// allowed.
///
/// The order is deterministic: the new thread begins after the caller's next MPI call or at once.
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
    let body = ThreadBody::new(false, run);
    let level = context.level().get();
    let number = match context.call(Site::here(), ThreadCall::Spawn(level, body)) {
        Some(Reply::Object(number)) => number,
        _ => 0,
    };
    JoinHandle { context, number, result }
}

impl<T> JoinHandle<T> {
    /// Waits until the thread has ended and returns the result of its body. Only the calling thread
    /// waits.
    ///
    /// # Panics
    /// While the run is being aborted, because the thread will never end.
    #[track_caller]
    pub fn join(self) -> T {
        self.context.call(Site::here(), ThreadCall::Join(self.number));
        self.result.take().expect("a thread that has ended has a result")
    }

    /// Returns its number in the rank, from 1; the main thread is 0. Findings use it.
    pub fn number(&self) -> u32 {
        self.number
    }
}

/// Reports whether the calling thread is the one that initialized MPI (`MPI_Is_thread_main`).
pub fn is_main() -> bool {
    Context::current().is_some_and(|context| context.is_main_thread())
}
