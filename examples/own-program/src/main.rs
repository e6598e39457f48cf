//! Pi by counting random points in a circle, each rank with points of its own: a program of your
//! own with Windtunnel's command line.

use std::process::ExitCode;

use windtunnel::mpi::{collective::SystemOperation, topology::SimpleCommunicator, traits::*};

const POINTS: u64 = 20_000;

/// The program that every rank runs.
fn pi(world: &SimpleCommunicator) {
    let mut state = world.rank() as u64 + 1;
    let mut next = || {
        // The constants are those of Knuth's MMIX generator, whose upper bits are good enough here.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let inside = (0..POINTS).filter(|_| next().powi(2) + next().powi(2) < 1.0).count() as u64;
    let mut all = 0u64;
    world.all_reduce_into(&inside, &mut all, SystemOperation::sum());
    let pi = 4.0 * all as f64 / (POINTS * world.size() as u64) as f64;
    assert!((pi - std::f64::consts::PI).abs() < 0.1, "{pi}");
}

fn main() -> ExitCode {
    windtunnel::main_with("pi", pi)
}
