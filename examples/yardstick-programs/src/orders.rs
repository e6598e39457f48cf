//! Orders of messages: races, reliance on buffering, cycles of waiting.

use windtunnel::mpi::{point_to_point::Source, request, topology::Process, traits::*};

use crate::cases::{Cases, Element, with_each_type};

/// Adds all programs about orders.
pub(crate) fn add(cases: &mut Cases) {
    for ranks in [3, 4] {
        with_each_type!(races(cases, ranks));
        with_each_type!(cycles(cases, ranks));
    }
}

fn ring<C: Communicator>(comm: &C) -> (Process<'_>, Process<'_>) {
    let (rank, size) = (comm.rank(), comm.size());
    (comm.process_at_rank((rank + 1) % size), comm.process_at_rank((rank + size - 1) % size))
}

fn races<T: Element>(cases: &mut Cases, ranks: u32) {
    let race = &["message-race"];
    cases.add(("orders", "the first answer decides"), ranks, race, |world| {
        if world.rank() != 0 {
            return world.process_at_rank(0).send(&T::of(world.rank() as u8));
        }
        let (first, _) = world.any_process().receive::<T>(); // here
        assert!(first == T::of(1), "rank 1 was not first");
        for _ in 2..world.size() {
            world.any_process().receive::<T>();
        }
    });
    cases.add(("orders", "any rank before a certain one"), ranks, race, |world| {
        match world.rank() {
            0 => {
                world.any_process().receive::<T>(); // here
                world.process_at_rank(1).receive::<T>();
            }
            1 | 2 => world.process_at_rank(0).send(&T::of(1)),
            _ => {}
        }
    });
    cases.add(("orders", "a probe of any rank, then a receive of any"), ranks, race, |world| {
        if world.rank() != 0 {
            let count = world.rank() as usize;
            return world.process_at_rank(0).send(&vec![T::of(1); count][..]);
        }
        for _ in 1..world.size() {
            let status = world.any_process().probe();
            let mut data = vec![T::default(); status.count(T::equivalent_datatype()) as usize];
            let taken = world.any_process().receive_into(&mut data[..]); // here
            assert_eq!(taken.source_rank(), status.source_rank());
        }
    });
}

fn cycles<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("orders", "a ring of sends"), ranks, &["buffering"], |world| {
        let (right, left) = ring(world);
        right.send(&[T::of(1); 4]); // here
        left.receive_into(&mut [T::default(); 4]);
    });
    cases.add(("orders", "a ring of receives"), ranks, &["deadlock"], |world| {
        let (right, left) = ring(world);
        left.receive_into(&mut [T::default(); 4]); // here
        right.send(&[T::of(1); 4]);
    });
    cases.add(("orders", "a barrier before the receive"), ranks, &["deadlock"], |world| {
        if world.rank() == 0 {
            world.process_at_rank(1).synchronous_send(&T::of(1));
        }
        world.barrier(); // here
        if world.rank() == 1 {
            world.process_at_rank(0).receive::<T>();
        }
    });
    cases.add(("orders", "a test that never succeeds"), ranks, &["deadlock"], |world| {
        if world.rank() == 0 {
            let mut data = T::default();
            request::scope(|scope| {
                let from = world.process_at_rank(1);
                let mut request = Some(from.immediate_receive_into(scope, &mut data));
                while let Some(pending) = request.take() {
                    request = pending.test().err(); // here
                }
            });
        }
    });
    cases.add(("orders", "a ready send too early"), ranks, &["request-lifecycle"], |world| {
        if world.rank() == 0 {
            world.process_at_rank(1).ready_send(&T::of(1)); // here
        }
        world.barrier();
        if world.rank() == 1 {
            world.process_at_rank(0).receive::<T>();
        }
    });
    cases.add(("orders", "a message too few"), ranks, &["deadlock"], |world| {
        if world.rank() == 0 {
            for _ in 0..world.size() {
                world.any_process().receive::<T>(); // here
            }
        } else {
            world.process_at_rank(0).send(&T::of(1));
        }
    });
}
