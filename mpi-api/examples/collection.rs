//! Many requests at once, taken as they complete.

mod support;

use mpi_api::api::{self as mpi, request::multiple_scope, traits::*};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let others: Vec<i32> = (0..size).filter(|other| *other != rank).collect();

    let mut received = vec![-1; others.len()];
    multiple_scope(2 * others.len(), |scope, requests| {
        for (other, place) in others.iter().zip(&mut received) {
            requests.add(world.process_at_rank(*other).immediate_receive_into(scope, place));
        }
        for other in &others {
            requests.add(world.process_at_rank(*other).immediate_send(scope, &rank));
        }
        let (first, ..) = requests.wait_any().unwrap();
        let mut done = vec![first];
        let mut some = Vec::new();
        requests.wait_some(&mut some);
        done.extend(some.iter().map(|(place, ..)| *place));
        while requests.incomplete() > 0 {
            if let Some((place, _, value)) = requests.test_any() {
                let expected = others.get(place).unwrap_or(&rank);
                assert_eq!(value, expected);
                done.push(place);
            }
        }
        done.sort_unstable();
        assert!(done.into_iter().eq(0..2 * others.len()));
    });
    assert_eq!(received, others);

    multiple_scope(10, |_, barriers| {
        (0..10).for_each(|_| {
            barriers.add(world.immediate_barrier());
        });
        assert_eq!(barriers.incomplete(), 10);
    });
}

pub(crate) fn main() {
    support::simulate(4, program);
}
