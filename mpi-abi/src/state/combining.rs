//! The functions of user-defined reduction operations, which run while their rank is suspended.

use mpi_api::{
    call::{ClockCall, ErrorCall, Operation, ProcessCall, Reply, ReportCall, Site, ThreadCall},
    finding::Finding,
};

use super::{
    fault::{Fault, Mpi},
    rank::{CURRENT, State},
};
use crate::constant::class;
use guest::libc::{Exception, end_late, give_up, rethrow, suspend};

impl State {
    /// Reports whether functions of operations may be called: none has ended the program, and none
    /// has thrown an exception that the rank has not received yet.
    pub(crate) fn may_combine(&self) -> bool {
        !self.ended.get() && self.thrown.get().is_none()
    }

    /// Handles a kernel call made inside a function of an operation (MPI section 6.9.5): the time
    /// is returned, and the end of the run takes place as soon as the rank is resumed.
    #[cold]
    #[inline(never)]
    pub(super) fn outside_the_rank(&self, site: Site, operation: Operation) -> Mpi<Reply> {
        match operation {
            Operation::Clock(ClockCall::Now(_)) => Ok(Reply::Time(self.raw.now())),
            Operation::Report(ReportCall::Finding(_))
            | Operation::Clock(ClockCall::Compute(_))
            | Operation::Thread(ThreadCall::Unpark(..)) => {
                self.defer(site, operation);
                Ok(Reply::Done)
            }
            Operation::Process(ProcessCall::Abort(..))
            | Operation::Error(ErrorCall::Raise { .. })
            | Operation::Report(ReportCall::Fatal(_)) => {
                self.defer(site, operation);
                give_up()
            }
            _ if self.handling.get() => Err(Fault::new(
                class::OTHER,
                "a signal handler communicates while its rank waits in an MPI call, and MPI need not \
                 be signal safe (MPI 5.0, 2.9.2)",
            )),
            _ => Err(Fault::new(
                class::OTHER,
                "the function of an operation communicates, which it must not (MPI 5.0, 6.9.5)",
            )),
        }
    }

    /// Tells what was found about the function of an operation, as soon as the rank is resumed.
    #[cold]
    pub(crate) fn tell_of_function(&self, site: Site, finding: Finding) {
        self.defer(site, Operation::Report(ReportCall::Finding(Box::new(finding))));
    }

    fn defer(&self, site: Site, operation: Operation) {
        self.deferred.borrow_mut().push((site, operation));
        self.set_owes(true);
    }

    /// Records that a function of an operation did not return: the rank ends as soon as it is
    /// resumed.
    pub(crate) fn ended_combining(&self) {
        self.ended.set(true);
        self.set_owes(true);
    }

    /// Records that a function of an operation threw an exception, which is thrown again in the
    /// rank as soon as it is resumed.
    pub(crate) fn threw_combining(&self, exception: Exception) {
        self.thrown.set(Some(exception));
        self.set_owes(true);
    }

    /// Carries out what functions of operations have deferred.
    #[cold]
    #[inline(never)]
    pub(super) fn catch_up(&self) {
        self.end_if_over();
        self.set_owes(false);
        for (site, operation) in self.deferred.take() {
            suspend(|| self.call_out(site, operation));
            CURRENT.set(self);
        }
        end_late();
        if let Some(thrown) = self.thrown.take() {
            rethrow(thrown);
        }
    }
}
