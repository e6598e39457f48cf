//! Sound programs that look wrong to a checker that is not careful.

use std::cell::RefCell;

use windtunnel::mpi::{
    collective::{SystemOperation, UserOperation},
    point_to_point::{self, Destination, Source},
    request::{self, StaticScope},
    topology::{Color, SimpleCommunicator},
    traits::*,
};

use crate::cases::{Cases, Element, with_each_type};

/// Adds all sound programs.
pub(crate) fn add(cases: &mut Cases) {
    for ranks in [2, 3, 4] {
        with_each_type!(buffers(cases, ranks));
        with_each_type!(requests(cases, ranks));
        with_each_type!(lives(cases, ranks));
        with_each_type!(orders(cases, ranks));
        with_each_type!(collectives(cases, ranks));
    }
}

fn neighbors(world: &SimpleCommunicator) -> (i32, i32) {
    let (rank, size) = (world.rank(), world.size());
    ((rank + size - 1) % size, (rank + 1) % size)
}

fn buffers<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("sound", "a ring of heap buffers"), ranks, &["ok"], |world| {
        let (left, right) = neighbors(world);
        let (from, to) = (world.process_at_rank(left), world.process_at_rank(right));
        let (sent, mut got) = (vec![T::of(1); 4], vec![T::default(); 4]);
        point_to_point::send_receive_into(&sent[..], &to, &mut got[..], &from);
        assert!(got == sent);
    });
    cases.add(("sound", "one buffer sent and received"), ranks, &["ok"], |world| {
        let (left, right) = neighbors(world);
        let (from, to) = (world.process_at_rank(left), world.process_at_rank(right));
        let mut data = [T::of(world.rank() as u8); 4];
        point_to_point::send_receive_replace_into(&mut data[..], &to, &from);
        assert!(data[0] == T::of(left as u8));
    });
    cases.add(("sound", "a thread-local buffer"), ranks, &["ok"], |world| {
        thread_local! {
            static KEPT: RefCell<[i32; 4]> = const { RefCell::new([7; 4]) };
        }
        // All ranks run on one thread and share it: nobody else writes to it.
        let data = KEPT.with_borrow(|kept| *kept);
        match world.rank() {
            0 => world.process_at_rank(1).send(&data),
            1 => drop(world.process_at_rank(0).receive_into(&mut [0; 4])),
            _ => {}
        }
    });
    cases.add(("sound", "a structure with a gap"), ranks, &["ok"], |world| {
        #[derive(Clone, Copy, Default, PartialEq, Equivalence)]
        struct Particle {
            class: u8,
            place: [f64; 2],
        }
        let sent = [Particle { class: 3, place: [0.5, 1.5] }; 2];
        match world.rank() {
            0 => world.process_at_rank(1).send(&sent[..]),
            1 => {
                let mut got = [Particle::default(); 2];
                world.process_at_rank(0).receive_into(&mut got[..]);
                assert!(got == sent);
            }
            _ => {}
        }
    });
    cases.add(("sound", "nothing is sent"), ranks, &["ok"], |world| {
        let nothing: [T; 0] = [];
        match world.rank() {
            0 => world.process_at_rank(1).send(&nothing[..]),
            1 => {
                let (got, status) = world.process_at_rank(0).receive_vec::<T>();
                assert!(got.is_empty() && status.bytes() == 0);
            }
            _ => {}
        }
    });
    cases.add(("sound", "a chain with ends"), ranks, &["ok"], |world| {
        let (rank, last) = (world.rank(), world.size() - 1);
        let left = if rank == 0 { world.null_process() } else { world.process_at_rank(rank - 1) };
        let right =
            if rank == last { world.null_process() } else { world.process_at_rank(rank + 1) };
        let mut got = [T::default(); 2];
        request::scope(|scope| {
            let receive = left.immediate_receive_into(scope, &mut got);
            right.send(&[T::of(1); 2]);
            receive.wait();
        });
    });
}

fn requests<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("sound", "waits for any"), ranks, &["ok"], |world| {
        if world.rank() != 0 {
            return world.process_at_rank(0).synchronous_send(&T::of(1));
        }
        let mut got = vec![T::default(); world.size() as usize - 1];
        request::multiple_scope(got.len(), |scope, all| {
            for (from, place) in (1..).zip(&mut got) {
                all.add(world.process_at_rank(from).immediate_receive_into(scope, place));
            }
            while all.incomplete() > 0 {
                assert!(all.wait_any().is_some());
            }
        });
    });
    cases.add(("sound", "waits for some"), ranks, &["ok"], |world| {
        if world.rank() != 0 {
            return world.process_at_rank(0).send(&T::of(1));
        }
        let mut got = vec![T::default(); world.size() as usize - 1];
        request::multiple_scope(got.len(), |scope, all| {
            for place in &mut got {
                all.add(world.any_process().immediate_receive_into(scope, place));
            }
            let mut done = Vec::new();
            while all.incomplete() > 0 {
                all.wait_some(&mut done);
            }
        });
    });
    cases.add(("sound", "tests until done"), ranks, &["ok"], |world| {
        if world.rank() == 0 {
            let mut got = T::default();
            request::scope(|scope| {
                let from = world.process_at_rank(1);
                let mut request = Some(from.immediate_receive_into(scope, &mut got));
                while let Some(pending) = request.take() {
                    request = pending.test().err();
                }
            });
        } else if world.rank() == 1 {
            world.process_at_rank(0).send(&T::of(1));
        }
    });
}

fn lives<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("sound", "a request freed while active"), ranks, &["ok"], |world| {
        match world.rank() {
            0 => {
                let data: &'static [T] = vec![T::of(1); 4].leak();
                world.process_at_rank(1).immediate_send(StaticScope, data).free();
                world.process_at_rank(1).receive::<i32>();
            }
            1 => {
                world.process_at_rank(0).receive_into(&mut [T::default(); 4]);
                world.process_at_rank(0).send(&1);
            }
            _ => {}
        }
    });
    cases.add(("sound", "a receive that is cancelled"), ranks, &["ok"], |world| {
        let mut got = T::default();
        request::scope(|scope| {
            let receive = world.any_process().immediate_receive_into_with_tag(scope, &mut got, 9);
            receive.cancel();
            assert!(receive.wait().is_cancelled());
        });
    });
    cases.add(("sound", "a persistent exchange in rounds"), ranks, &["ok"], |world| {
        let (left, right) = neighbors(world);
        let (data, mut got) = ([T::of(1); 4], [T::default(); 4]);
        let mut send = world.process_at_rank(right).send_init(&data, 3);
        let mut receive = world.process_at_rank(left).receive_init(&got, 3);
        for _ in 0..3 {
            receive.start();
            send.start_with(&data);
            receive.wait_into(&mut got);
            send.wait_active();
        }
        send.free();
        receive.free();
    });
}

fn orders<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("sound", "a sum of messages in any order"), ranks, &["ok"], |world| {
        if world.rank() != 0 {
            return world.process_at_rank(0).send(&i64::from(world.rank()));
        }
        let sum: i64 = (1..world.size()).map(|_| world.any_process().receive::<i64>().0).sum();
        assert_eq!(sum, i64::from(world.size() * (world.size() - 1) / 2));
    });
    cases.add(("sound", "a probe, then its message"), ranks, &["ok"], |world| {
        if world.rank() != 0 {
            let count = world.rank() as usize;
            return world.process_at_rank(0).send(&vec![T::of(1); count][..]);
        }
        for _ in 1..world.size() {
            let (data, status) = world.any_process().matched_probe().matched_receive_vec::<T>();
            assert_eq!(data.len() as i32, status.source_rank());
        }
    });
    cases.add(("sound", "tags that tell messages apart"), ranks, &["ok"], |world| {
        match world.rank() {
            0 => {
                world.process_at_rank(1).buffered_send_with_tag(&T::of(1), 1);
                world.process_at_rank(1).buffered_send_with_tag(&T::of(2), 2);
            }
            1 => {
                let (second, _) = world.process_at_rank(0).receive_with_tag::<T>(2);
                let (first, _) = world.process_at_rank(0).receive_with_tag::<T>(1);
                assert!(second == T::of(2) && first == T::of(1));
            }
            _ => {}
        }
    });
    cases.add(("sound", "a ready send after a barrier"), ranks, &["ok"], |world| {
        let mut got = T::default();
        request::scope(|scope| match world.rank() {
            0 => {
                world.barrier();
                world.process_at_rank(1).ready_send(&T::of(1));
            }
            1 => {
                let receive = world.process_at_rank(0).immediate_receive_into(scope, &mut got);
                world.barrier();
                receive.wait();
            }
            _ => world.barrier(),
        });
    });
}

fn collectives<T: Element>(cases: &mut Cases, ranks: u32) {
    cases.add(("sound", "an operation of the program"), ranks, &["ok"], |world| {
        let larger = UserOperation::commutative(|from, into| {
            let from: &[i64] = from.downcast().expect("the type of the call");
            let into: &mut [i64] = into.downcast().expect("the type of the call");
            into.iter_mut().zip(from).for_each(|(into, from)| *into = (*into).max(*from));
        });
        let mut most = 0;
        world.all_reduce_into(&i64::from(world.rank()), &mut most, &larger);
        assert_eq!(most, i64::from(world.size()) - 1);
    });
    cases.add(("sound", "two halves that talk"), ranks, &["ok"], |world| {
        let own = world.rank() % 2;
        let half = world.split_by_color(Color::with_value(own)).expect("a colour");
        let between = half.create_intercommunicator(0, Some((world, 1 - own)), 5);
        let between = between.expect("both halves");
        let mut sum = 0;
        between.all_reduce_into(&1, &mut sum, SystemOperation::sum());
        assert_eq!(sum, between.remote_size());
    });
    cases.add(("sound", "a broadcast during another operation"), ranks, &["ok"], |world| {
        let (mine, mut most, mut data) = ([T::of(1); 4], [T::default(); 4], [T::of(2); 4]);
        request::scope(|scope| {
            let reduction =
                world.immediate_all_reduce_into(scope, &mine, &mut most, SystemOperation::max());
            world.process_at_rank(0).broadcast_into(&mut data);
            reduction.wait();
        });
        assert!(most[0] == T::of(1));
    });
    cases.add(("sound", "each rank is its own world"), ranks, &["ok"], |_| {
        let own = SimpleCommunicator::self_comm();
        own.this_process().buffered_send(&T::of(1));
        own.this_process().receive::<T>();
        own.barrier();
    });
    cases.add(("sound", "neighbours on a ring"), ranks, &["ok"], |world| {
        let ring = world.create_cartesian_communicator(&[world.size()], &[true], true);
        let ring = ring.expect("every rank has a place");
        let shift = ring.shift(0, 1);
        let (left, right) = (shift.0.expect("a ring"), shift.1.expect("a ring"));
        let (to, from) = (ring.process_at_rank(right), ring.process_at_rank(left));
        let (got, _): (T, _) = point_to_point::send_receive(&T::of(ring.rank() as u8), &to, &from);
        assert!(got == T::of(left as u8));
    });
}
