//! Profiling layers: one that counts calls, bytes and time, and over it one that measures how long
//! ranks wait for each other, which communicates itself.

mod support;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use mpi_api::api::{
    self as mpi,
    collective::SystemOperation,
    profile::{Answer, Call, Layer, SimDuration},
    topology::SimpleCommunicator,
    traits::*,
};

/// What is known of one function: calls, bytes handed to MPI, time.
type Line = (u32, u64, SimDuration);

/// Counts while it is on.
struct Tally {
    on: Cell<bool>,
    lines: RefCell<BTreeMap<&'static str, Line>>,
    report: RefCell<Vec<String>>,
}

impl Tally {
    fn new() -> Self {
        Self { on: Cell::new(true), lines: RefCell::default(), report: RefCell::default() }
    }

    fn calls(&self, function: &str) -> u32 {
        self.lines.borrow().get(function).map_or(0, |(calls, ..)| *calls)
    }
}

impl Layer for Tally {
    fn after(&self, call: &Call, answer: &Answer<'_>) {
        if self.on.get() {
            let mut lines = self.lines.borrow_mut();
            let (calls, bytes, time) = lines.entry(call.function).or_default();
            *calls += 1;
            *bytes += call.bytes;
            *time += answer.took;
        }
    }

    fn control(&self, level: i32) {
        self.on.set(level > 0);
        if level == 2 {
            let lines = self.lines.take();
            let text = lines.iter().map(|(function, (calls, bytes, time))| {
                format!("{function}: {calls} calls, {bytes} bytes, {time}")
            });
            self.report.borrow_mut().extend(text);
        }
    }
}

/// Has ranks meet before a reduction, so that waiting for the last one is told from reducing.
struct Balance {
    world: SimpleCommunicator,
    waited: Cell<f64>,
}

impl Layer for Balance {
    fn before(&self, call: &Call) {
        if call.function == "MPI_Allreduce" {
            let start = mpi::time();
            self.world.barrier();
            self.waited.set(self.waited.get() + mpi::time() - start);
        }
    }
}

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let tally: Rc<Tally> = mpi::profile::push(Tally::new());
    let balance = mpi::profile::push(Balance { world: universe.world(), waited: Cell::new(0.0) });

    let mut sum = 0;
    for step in 0..3 {
        world.compute(1e-3 * f64::from(rank));
        world.all_reduce_into(&(rank + step), &mut sum, SystemOperation::sum());
    }
    // What the upper level calls is a call to the lower one: a barrier and the clock, twice.
    assert_eq!((tally.calls("MPI_Allreduce"), tally.calls("MPI_Barrier")), (3, 3));
    assert_eq!(tally.calls("MPI_Wtime"), 6);
    let behind = f64::from(size - 1 - rank) * 3e-3;
    assert!((balance.waited.get() - behind).abs() < 1e-4, "{} s", balance.waited.get());

    mpi::profile::control(0);
    world.barrier();
    mpi::profile::control(2);
    let report = tally.report.borrow();
    assert_eq!(report.len(), 3, "{report:?}");
    assert!(report[0].starts_with("MPI_Allreduce: 3 calls, 12 bytes, "), "{report:?}");
    assert!(report[1].starts_with("MPI_Barrier: 3 calls, 0 bytes, "), "{report:?}");
}

pub(crate) fn main() {
    support::simulate(4, program);
}
