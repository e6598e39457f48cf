//! Particles on a ring of ranks: a library whose communication is tested with Windtunnel.

use tunnel::mpi::{point_to_point::send_receive, topology::SimpleCommunicator, traits::*};

/// A particle on a line.
#[derive(Clone, Copy, Debug, PartialEq, Equivalence)]
pub struct Particle {
    /// Position on the line.
    pub place: f64,
    /// Kind of particle.
    pub kind: u8,
}

/// Sends a particle to the next rank of the ring, and returns the one from the previous rank.
pub fn shift(world: &SimpleCommunicator, particle: Particle) -> Particle {
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let previous = world.process_at_rank((rank + size - 1) % size);
    send_receive(&particle, &next, &previous).0
}

/// Like [`shift`], with a mistake: each send waits for a receive that comes later.
pub fn shift_unsafely(world: &SimpleCommunicator, particle: Particle) -> Particle {
    let (rank, size) = (world.rank(), world.size());
    world.process_at_rank((rank + 1) % size).send(&particle);
    world.process_at_rank((rank + size - 1) % size).receive().0
}
