//! Tests of the library's communication: its results, its safety and its timing.

use tested_library::{Particle, shift, shift_unsafely};
use tunnel::{
    Buffering, Run, Verdict,
    mpi::{topology::SimpleCommunicator, traits::*},
    to_csv,
};

fn mine(world: &SimpleCommunicator) -> Particle {
    Particle { place: f64::from(world.rank()), kind: world.rank() as u8 }
}

#[test]
fn particles_move_on() {
    let finished = Run::new(8).buffering(Buffering::Zero).run(|world| shift(world, mine(world)));
    assert_eq!(finished.values[0], Particle { place: 7.0, kind: 7 });
    assert_eq!(finished.messages, 8);
}

#[test]
fn shifting_is_safe() {
    Run::new(8).check(|world| shift(world, mine(world))).assert_clean();
}

#[test]
fn the_mistake_is_found() {
    let report = Run::new(8).check(|world| shift_unsafely(world, mine(world)));
    assert_eq!(report.verdict, Verdict::Buffering, "{report}");
}

#[test]
fn a_ring_suits_a_torus() {
    let rows: Vec<_> = ["torus:4x4", "hypercube:4", "crossbar:16"]
        .map(|topology| Run::new(16).machine("infiniband-edr").topology(topology))
        .iter()
        .map(|run| run.run(|world| shift(world, mine(world))).row().clone())
        .collect();
    assert!(rows.iter().all(|row| row.makespan_ns < 10_000.0));
    println!("{}", to_csv(&rows).expect("flat rows"));
}
