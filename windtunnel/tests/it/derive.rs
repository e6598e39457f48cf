//! Datatypes of structures, derived.

use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};

#[derive(Clone, Debug, Default, PartialEq, Equivalence)]
struct Particle {
    class: u8,
    place: [f64; 3],
    charge: (i16, bool),
}

/// The same fields under other names, in another order of memory.
#[derive(Debug, Default, PartialEq, Equivalence)]
#[repr(C)]
struct Unnamed(u8, [f64; 3], (i16, bool));

#[derive(Debug, Default, PartialEq, Equivalence)]
struct Pair<T> {
    first: T,
    second: Particle,
}

#[derive(Equivalence)]
struct Nothing;

fn particle(n: u8) -> Particle {
    Particle { class: n, place: [f64::from(n), 0.5, -1.0], charge: (-i16::from(n), n > 1) }
}

fn sent_and_received(world: &SimpleCommunicator) {
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        other.send(&[particle(1), particle(2)][..]);
        other.send(&particle(3));
        other.send(&Pair { first: 7u16, second: particle(4) });
        other.send(&Nothing);
    } else {
        let (two, status) = other.receive_vec::<Particle>();
        assert_eq!((two, status.bytes()), (vec![particle(1), particle(2)], 2 * 28));
        let (unnamed, _) = other.receive::<Unnamed>();
        assert_eq!(unnamed, Unnamed(3, [3.0, 0.5, -1.0], (-3, true)));
        let (pair, status) = other.receive::<Pair<u16>>();
        assert_eq!(pair, Pair { first: 7, second: particle(4) });
        assert_eq!(status.bytes(), 30);
        assert_eq!(other.receive::<Nothing>().1.bytes(), 0);
    }
}

#[test]
fn structures_are_their_fields() {
    let report = windtunnel::check(2, sent_and_received);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}
