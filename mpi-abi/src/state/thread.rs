//! Several threads of one rank: each makes kernel calls through a handle of its own (`Raw`).
#![allow(unsafe_code, reason = "a thread finds the state of its rank")]

use std::rc::Rc;

use mpi_api::{
    call::{ClockCall, Operation, Parking, Reply, Site, ThreadCall, Threading},
    raw::Raw,
};
use sim_core::{SimDuration, SimTime};

use super::{
    fault::Mpi,
    rank::{CURRENT, Stage, State},
};
use crate::constant::number;
use guest::libc::{Wait, present_thread};

/// The site of kernel calls made by the C library's functions, not by an MPI call.
pub(crate) const NOWHERE: Site = Site::NOWHERE;

impl State {
    /// Makes a kernel call from the running thread.
    #[inline]
    pub(super) fn call_out(&self, site: Site, operation: Operation) -> Option<Reply> {
        if self.raw.is_current() {
            return self.raw.call(site, operation);
        }
        self.call_out_of_thread(site, operation)
    }

    /// Like [`State::call_out`], in a thread that is not the first.
    #[cold]
    fn call_out_of_thread(&self, site: Site, operation: Operation) -> Option<Reply> {
        let door = self.doors.borrow().iter().find(|door| door.is_current()).cloned()?;
        door.call(site, operation)
    }

    /// Records that MPI is initialized in the calling thread, which becomes the main thread.
    pub(crate) fn begin_threads(&self, site: Site) -> Mpi {
        self.main_thread.set(present_thread());
        if self.has_one_thread() {
            return Ok(());
        }
        self.kernel(site, ThreadCall::SetLevel(self.threading())).map(|_| ())
    }

    /// Reports whether the rank has no other thread than the first.
    pub(crate) fn has_one_thread(&self) -> bool {
        self.doors.borrow().is_empty()
    }

    /// Reports whether the calling thread is the one that initialized MPI.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.main_thread.get() == present_thread()
    }

    /// Returns the thread level that the program must respect. Without `MPI_Init` every use is
    /// allowed, as with sessions.
    pub(crate) fn threading(&self) -> Threading {
        match (self.stage.get(), self.thread_level.get()) {
            (Stage::Running, number::THREAD_SINGLE) => Threading::Single,
            (Stage::Running, number::THREAD_FUNNELED) => Threading::Funneled,
            (Stage::Running, number::THREAD_SERIALIZED) => Threading::Serialized,
            _ => Threading::Multiple,
        }
    }

    /// Tells the kernel of a call by a thread that may make none: it knows only of calls in which it takes part.
    #[cold]
    pub(super) fn announce_call(&self, site: Site) {
        let may_call = match self.threading() {
            Threading::Single | Threading::Funneled => self.is_main_thread(),
            Threading::Serialized | Threading::Multiple => true,
        };
        // A function that the kernel calls, as that of a reduction, runs in no thread of its own.
        if !may_call && !self.has_one_thread() && !self.combining.get() {
            // The run has ended.
            let _ = self.kernel(site, ThreadCall::Announce);
        }
    }

    /// Starts another thread and returns its number.
    pub(crate) fn spawn_thread(&self, body: Box<dyn FnOnce()>) -> Option<u32> {
        let own: *const Self = self;
        let body = self.raw.thread(move |door| {
            // SAFETY: the state of a rank outlives its threads.
            unsafe { &*own }.run_thread(door, body);
        });
        let operation = ThreadCall::Spawn(self.threading(), body);
        match self.kernel(NOWHERE, operation) {
            Ok(Reply::Object(number)) => Some(number),
            _ => None,
        }
    }

    fn run_thread(&self, door: Raw, body: Box<dyn FnOnce()>) {
        self.doors.borrow_mut().push(Rc::new(door));
        self.note_quiet();
        CURRENT.set(self);
        self.with_memory_closed(body);
        self.doors.borrow_mut().retain(|door| !door.is_current());
        self.note_quiet();
    }

    /// Blocks the calling thread until another one wakes it. Returns false if its time limit passed
    /// first.
    pub(crate) fn park(&self, wait: Wait) -> bool {
        let until = wait.within.map(|within| {
            let nanoseconds = u64::try_from(within.as_nanos()).unwrap_or(u64::MAX / 1000);
            let now = self.raw.now().as_ps();
            SimTime::from_ps(now.saturating_add(nanoseconds.saturating_mul(1000)))
        });
        let until = until.filter(|until| *until < SimTime::MAX);
        let parking = Parking { call: wait.call, holder: wait.holder, until, idle: wait.idle };
        !matches!(self.kernel(wait.site, ThreadCall::Park(parking)), Ok(Reply::NotYet))
    }

    /// Records that the program has ended in the calling thread: no other thread of the rank continues.
    pub(crate) fn desert(&self) {
        // The reply carries no information.
        let _ = self.kernel(NOWHERE, ThreadCall::EndRank);
        self.over.set(true);
        self.set_owes(true);
    }

    /// Stops this thread for good if the program has ended in another one.
    pub(super) fn end_if_over(&self) {
        while self.over.get() {
            // The kernel does not reply: the run ends at some later time.
            self.call_out(NOWHERE, ClockCall::Compute(SimDuration::ZERO).into());
        }
    }
}
