//! The functions that threads run, on the side of the ranks.

use sim_core::Port;

use super::{Call, Reply, ThreadBody};
use crate::numbered::Table;

/// The function that a thread runs.
type Function = Box<dyn FnOnce(Port<Call, Reply>)>;

thread_local! {
    static FUNCTIONS: Table<Function> = const { Table::new() };
}

impl ThreadBody {
    /// Stores the function until the thread begins.
    pub fn new(outlives: bool, function: impl FnOnce(Port<Call, Reply>) + 'static) -> Self {
        Self { number: FUNCTIONS.with(|functions| functions.keep(Box::new(function))), outlives }
    }

    /// Runs the function in the process of the thread.
    pub(crate) fn run(self, port: Port<Call, Reply>) {
        if let Some(function) = FUNCTIONS.with(|functions| functions.take(self.number)) {
            function(port);
        }
    }

    /// Drops the functions of threads that never began.
    pub(crate) fn forget() {
        FUNCTIONS.with(Table::clear);
    }
}
