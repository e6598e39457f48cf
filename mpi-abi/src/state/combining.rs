//! Functions of the program's own operations, which run while their rank is suspended.

use mpi_api::call::{Operation, Reply, Site};

use super::{CURRENT, Fault, Mpi, State};
use crate::{
    constant::class,
    libc::{end_late, give_up, rethrow, suspend},
};

impl State {
    /// Whether functions of operations may be called: none has ended the program, and none has thrown
    /// what the rank does not know of yet.
    pub(crate) fn may_combine(&self) -> bool {
        !self.ended.get() && self.thrown.get() == 0
    }

    /// What a function of an operation may ask of the kernel (MPI 6.9.5): the time, and the end of
    /// the run, which comes as soon as the rank goes on.
    pub(super) fn outside_the_rank(&self, site: Site, operation: Operation) -> Mpi<Reply> {
        match operation {
            Operation::Now => Ok(Reply::Time(self.raw.now())),
            Operation::Report(_) | Operation::Compute(_) => {
                self.defer(site, operation);
                Ok(Reply::Done)
            }
            Operation::Abort(..) | Operation::Raise(..) | Operation::Fail(_) => {
                self.defer(site, operation);
                give_up()
            }
            _ => Err(Fault::new(
                class::OTHER,
                "the function of an operation communicates, which it must not (MPI 6.9.5)",
            )),
        }
    }

    fn defer(&self, site: Site, operation: Operation) {
        self.deferred.borrow_mut().push((site, operation));
        self.owes.set(true);
    }

    /// A function of an operation has not returned: the rank ends as soon as it goes on.
    pub(crate) fn ended_combining(&self) {
        self.ended.set(true);
        self.owes.set(true);
    }

    /// A function of an operation has thrown an exception, which the rank gets as soon as it goes on.
    pub(crate) fn threw_combining(&self, exception: usize) {
        self.thrown.set(exception);
        self.owes.set(true);
    }

    /// Does what functions of operations have left to do.
    pub(super) fn catch_up(&self) {
        self.end_if_over();
        self.owes.set(false);
        for (site, operation) in self.deferred.take() {
            suspend(|| self.call_out(site, operation));
            CURRENT.set(self);
        }
        end_late();
        let thrown = self.thrown.take();
        if thrown != 0 {
            rethrow(thrown);
        }
    }
}
