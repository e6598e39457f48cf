//! Conversion of functions over a communicator to programs of the simulator.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mpi_api::{
    api::{ending::finalize_for_program, initialize, topology::SimpleCommunicator, traits::*},
    run::Program,
};

/// Returns a program in which every rank initializes MPI, calls `program` with the communicator of
/// all ranks, and finalizes MPI.
pub(crate) fn over_world(program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static) -> Program {
    Arc::new(move || {
        let universe = initialize().expect("nothing was initialised before");
        finalize_for_program();
        program(&universe.world());
    })
}

/// The values that the ranks of one run have returned so far, by rank.
pub(super) struct Values<T>(Arc<Mutex<Vec<Option<T>>>>);

impl<T: Send + 'static> Values<T> {
    /// Returns the program of `function`, and the values that its ranks will return.
    pub(super) fn of(
        function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
    ) -> (Program, Self) {
        let values = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&values);
        let program = over_world(move |world| {
            let value = function(world);
            let rank = world.rank() as usize;
            let mut kept = locked(&kept);
            if kept.len() <= rank {
                kept.resize_with(world.size() as usize, || None);
            }
            kept[rank] = Some(value);
        });
        (program, Self(values))
    }

    /// Takes the values of the ranks that have returned one, by rank.
    pub(super) fn take(self) -> Vec<T> {
        mem::take(&mut *locked(&self.0)).into_iter().flatten().collect()
    }
}

/// Locks the values. A poisoned lock is usable: no rank panics while it holds it, so the values are
/// consistent.
fn locked<T>(values: &Mutex<T>) -> MutexGuard<'_, T> {
    values.lock().unwrap_or_else(PoisonError::into_inner)
}
