//! A structure of its own is broadcast, twice.

use mpi::{traits::*, Address};

#[derive(Clone, Copy, Debug, Default, PartialEq, Equivalence)]
struct Particle {
    place: [f64; 3],
    kind: u8,
}

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    for step in 1..3 {
        let mut particle = Particle::default();
        if world.rank() == 0 {
            particle = Particle { place: [f64::from(step); 3], kind: 7 };
        }
        world.process_at_rank(0).broadcast_into(&mut particle);
        assert_eq!(particle, Particle { place: [f64::from(step); 3], kind: 7 });
    }
    let _: Address = 0;
}
