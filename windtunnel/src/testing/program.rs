//! Functions over the communicator as programs of the simulator.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use mpi_api::{
    api::{initialize, topology::SimpleCommunicator, traits::*},
    run::Program,
};

/// A program in which every rank initializes MPI, calls `program` with the communicator of all
/// ranks, and finalizes.
pub(crate) fn over_world(program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static) -> Program {
    Arc::new(move || {
        let universe = initialize().expect("nothing was initialised before");
        program(&universe.world());
    })
}

/// The values that the ranks of one run have returned so far, by rank.
pub(super) struct Values<T>(Arc<Mutex<Vec<Option<T>>>>);

impl<T: Send + 'static> Values<T> {
    /// The program of `function`, and the place where its values arrive.
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

    /// The values; of ranks that have returned one.
    pub(super) fn take(self) -> Vec<T> {
        mem::take(&mut *locked(&self.0)).into_iter().flatten().collect()
    }
}

/// No rank panics while it holds the lock, so a poisoned one holds nothing half-made.
fn locked<T>(values: &Mutex<T>) -> MutexGuard<'_, T> {
    values.lock().unwrap_or_else(PoisonError::into_inner)
}
