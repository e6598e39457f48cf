//! Collectives that are made once and started again and again, with and without a root.

use mpi_api::{
    api::{
        collective::{SystemOperation, UserOperation},
        datatype::{Partition, PartitionMut},
        initialize,
        request::{StaticScope, start_all},
        topology::SimpleCommunicator,
        traits::*,
    },
    error::ErrorClass,
    error::ErrorHandler,
};

use crate::holds;

const ROUNDS: i32 = 3;

fn with_world(program: impl FnOnce(&SimpleCommunicator)) {
    let universe = initialize().expect("once");
    program(&universe.world());
}

#[test]
fn blocks_go_round_every_time() {
    holds(4, || {
        with_world(|world| {
            let (me, size) = (world.rank(), world.size());
            let (mut all, mut dealt) = ([0; 4], [0; 4]);
            let mut gather = world.all_gather_init(&me, &all[..]);
            let mut deal = world.all_to_all_init(&[0; 4][..], &dealt[..]);
            let mut barrier = world.barrier_init();
            for round in 0..ROUNDS {
                let out: Vec<i32> = (0..size).map(|to| 100 * round + 10 * me + to).collect();
                gather.start_with(&(me + round));
                deal.start_with(&out[..]);
                deal.wait_into(&mut dealt[..]);
                gather.wait_into(&mut all[..]);
                barrier.start();
                barrier.wait_active();
                assert!((0..size).all(|from| all[from as usize] == from + round));
                let sent = |from: i32| dealt[from as usize] == 100 * round + 10 * from + me;
                assert!((0..size).all(sent));
            }
            [gather, deal, barrier].into_iter().for_each(|request| request.free());
        });
    });
}

#[test]
fn parts_go_where_they_belong() {
    holds(3, || {
        with_world(|world| {
            let me = world.rank();
            let mine = vec![me; me as usize];
            let mut all = [-1; 6];
            let (counts, displs) = (vec![0, 1, 2], vec![5, 3, 0]);
            let parts = PartitionMut::new(&mut all[..], counts.clone(), displs.clone());
            let mut gather = world.all_gather_varcount_init(&mine[..], &parts);
            let each = vec![1, 1, 1];
            let (out, mut dealt) = ([10 * me, 10 * me + 1, 10 * me + 2], [0; 3]);
            let from = Partition::new(&out[..], each.clone(), vec![0, 1, 2]);
            let reversed = PartitionMut::new(&mut dealt[..], each.clone(), vec![2, 1, 0]);
            let mut deal = world.all_to_all_varcount_init(&from, &reversed);
            for _ in 0..ROUNDS {
                gather.start_with(&mine[..]);
                deal.start_with_parts(&from);
                gather.wait_into_parts(&mut PartitionMut::new(
                    &mut all[..],
                    counts.clone(),
                    displs.clone(),
                ));
                deal.wait_into_parts(&mut PartitionMut::new(
                    &mut dealt[..],
                    each.clone(),
                    vec![2, 1, 0],
                ));
                assert_eq!(all, [2, 2, -1, 1, -1, -1]);
                assert_eq!(dealt, [20 + me, 10 + me, me]);
            }
            gather.free();
            deal.free();
        });
    });
}

#[test]
fn reductions_keep_rank_order() {
    holds(4, || {
        with_world(|world| {
            let me = world.rank();
            let last = UserOperation::associative(|_, _| {});
            let (mut sum, mut prefix, mut before, mut share) = (0, 0, -1, 0);
            let add = SystemOperation::sum;
            let mut requests = [
                world.all_reduce_init(&me, &sum, &last),
                world.scan_init(&me, &prefix, add()),
                world.exclusive_scan_init(&me, &before, add()),
                world.reduce_scatter_block_init(&[0; 4][..], &share, add()),
                world.reduce_scatter_init(&[0; 4][..], &[1; 4], &share, add()),
            ];
            for round in 0..ROUNDS {
                let [all, scan, exclusive, block, parts] = &mut requests;
                for single in [&mut *all, &mut *scan, &mut *exclusive] {
                    single.start_with(&(me + round));
                }
                for scattered in [&mut *block, &mut *parts] {
                    scattered.start_with(&[round, 1, 2, 3][..]);
                }
                parts.wait_into(&mut share);
                assert_eq!(share, if me == 0 { 4 * round } else { 4 * me });
                block.wait_into(&mut share);
                assert_eq!(share, if me == 0 { 4 * round } else { 4 * me });
                exclusive.wait_into(&mut before);
                let sum_before = (0..me).map(|rank| rank + round).sum();
                assert_eq!(before, if me == 0 { -1 } else { sum_before });
                scan.wait_into(&mut prefix);
                assert_eq!(prefix, (0..=me).map(|rank| rank + round).sum::<i32>());
                all.wait_into(&mut sum);
                assert_eq!(sum, 3 + round, "the operand of the last rank");
            }
            requests.into_iter().for_each(|request| request.free());
        });
    });
}

#[test]
fn roots_give_and_take() {
    holds(3, || {
        with_world(|world| {
            let me = world.rank();
            let root = world.process_at_rank(1);
            let at_root = me == 1;
            let (mut all, mut value, mut total) = ([0; 3], 0, 0);
            let add = SystemOperation::sum;
            let mut broadcast = root.broadcast_init(&mut value);
            let (mut gather, mut scatter, mut reduce) = if at_root {
                (
                    root.gather_root_init(&me, &all[..]),
                    root.scatter_root_init(&all[..], &value),
                    root.reduce_root_init(&me, &total, add()),
                )
            } else {
                (root.gather_init(&me), root.scatter_init(&value), root.reduce_init(&me, add()))
            };
            for round in 0..ROUNDS {
                if at_root {
                    broadcast.start_with(&(7 + round));
                } else {
                    broadcast.start();
                }
                broadcast.wait_into(&mut value);
                assert_eq!(value, 7 + round);
                gather.start_with(&(me + round));
                gather.wait_into(&mut all[..]);
                if at_root {
                    assert_eq!(all, [round, 1 + round, 2 + round]);
                    scatter.start_with(&all[..]);
                } else {
                    scatter.start();
                }
                scatter.wait_into(&mut value);
                assert_eq!(value, me + round);
                reduce.start_with(&value);
                reduce.wait_into(&mut total);
                assert_eq!(total, if at_root { 3 + 3 * round } else { 0 });
            }
            [broadcast, gather, scatter, reduce].into_iter().for_each(|request| request.free());
        });
    });
}

#[test]
fn roots_give_and_take_parts() {
    holds(3, || {
        with_world(|world| {
            let me = world.rank();
            let root = world.process_at_rank(0);
            let mine = vec![me; 1 + me as usize];
            let (counts, displs) = (vec![1, 2, 3], vec![0, 1, 3]);
            let (mut all, mut back) = ([9; 6], vec![0; 1 + me as usize]);
            let (mut gather, mut scatter) = if me == 0 {
                let parts = PartitionMut::new(&mut all[..], counts.clone(), displs.clone());
                let gather = root.gather_varcount_root_init(&mine[..], &parts);
                let parts = Partition::new(&all[..], counts.clone(), displs.clone());
                (gather, root.scatter_varcount_root_init(&parts, &back[..]))
            } else {
                (root.gather_varcount_init(&mine[..]), root.scatter_varcount_init(&back[..]))
            };
            for _ in 0..ROUNDS {
                gather.start_with(&mine[..]);
                if me == 0 {
                    let mut parts = PartitionMut::new(&mut all[..], counts.clone(), displs.clone());
                    gather.wait_into_parts(&mut parts);
                    assert_eq!(all, [0, 1, 1, 2, 2, 2]);
                    let parts = Partition::new(&all[..], counts.clone(), displs.clone());
                    scatter.start_with_parts(&parts);
                } else {
                    gather.wait_active();
                    scatter.start();
                }
                scatter.wait_into(&mut back[..]);
                assert_eq!(back, mine);
            }
            gather.free();
            scatter.free();
        });
    });
}

#[test]
fn any_order_of_starts_will_do() {
    holds(2, || {
        with_world(|world| {
            let (mut sum, mut all) = (0, [0; 2]);
            let mut reduce = world.all_reduce_init(&0, &sum, SystemOperation::sum());
            let mut gather = world.all_gather_init(&0, &all[..]);
            let me = world.rank();
            if me == 0 {
                start_all(&mut [(&mut reduce, Some(&1)), (&mut gather, Some(&1))]);
            } else {
                start_all(&mut [(&mut gather, Some(&2)), (&mut reduce, Some(&2))]);
            }
            reduce.wait_into(&mut sum);
            gather.wait_into(&mut all[..]);
            assert_eq!((sum, all), (3, [1, 2]));
            reduce.free();
            gather.free();
        });
    });
}

#[test]
fn an_immediate_reduce_scatter_gives_each_its_part() {
    holds(3, || {
        with_world(|world| {
            let (counts, mut part) = ([2, 0, 1], vec![0; [2, 0, 1][world.rank() as usize]]);
            static VALUES: [i32; 3] = [1, 2, 3];
            mpi_api::api::request::scope(|scope| {
                let add = SystemOperation::sum();
                let part = &mut part[..];
                world.immediate_reduce_scatter_into(scope, &VALUES[..], &counts, part, add).wait();
            });
            assert_eq!(part, [vec![3, 6], vec![], vec![9]][world.rank() as usize]);
            let barrier = world.immediate_barrier();
            barrier.shrink_scope_to(StaticScope).wait();
        });
    });
}

#[test]
fn what_does_not_fit_is_refused_when_it_is_made() {
    holds(2, || {
        with_world(|world| {
            world.set_error_handler(ErrorHandler::Return);
            let request = world.all_gather_init(&[1, 2][..], &[0; 2][..]);
            assert_eq!(world.take_error().map(|error| error.class), Some(ErrorClass::Truncate));
            request.free();
        });
    });
}

#[test]
fn every_round_has_buffers_like_those_of_the_request() {
    holds(2, || {
        with_world(|world| {
            world.set_error_handler(ErrorHandler::Return);
            let class = || world.take_error().map(|error| error.class);
            let (four, mut floats) = ([1; 4], [0.5_f32; 4]);
            let mut sum = world.all_reduce_init(&[0; 4][..], &[0; 4][..], SystemOperation::sum());
            sum.start_with(&floats[..]);
            assert_eq!(class(), Some(ErrorClass::Type));
            sum.start_with(&four[..3]);
            assert_eq!(class(), Some(ErrorClass::Count));
            sum.start();
            assert_eq!(class(), Some(ErrorClass::Count));
            sum.start_with(&four[..]);
            sum.wait_into(&mut floats[..]);
            assert_eq!((class(), floats), (Some(ErrorClass::Type), [0.5; 4]));
            sum.start_with(&four[..]);
            sum.wait_into(&mut [0; 2][..]);
            assert_eq!(class(), Some(ErrorClass::Count));
            sum.free();
        });
    });
}

#[test]
fn every_round_has_parts_of_the_sizes_of_the_request() {
    holds(2, || {
        with_world(|world| {
            world.set_error_handler(ErrorHandler::Return);
            let class = || world.take_error().map(|error| error.class);
            let (data, mut into) = ([1, 2, 3, 4], [0; 4]);
            let counts = [[2, 2], [3, 1]];
            let from = |counts: [i32; 2]| Partition::new(&data[..], counts, [0, counts[0]]);
            let mut deal = world.all_to_all_varcount_init(
                &from(counts[0]),
                &PartitionMut::new(&mut into[..], counts[0], [0, 2]),
            );
            deal.start_with_parts(&from(counts[1]));
            assert_eq!(class(), Some(ErrorClass::Count));
            deal.start_with_parts(&from(counts[0]));
            deal.wait_into_parts(&mut PartitionMut::new(&mut into[..], counts[1], [0, 3]));
            assert_eq!((class(), into), (Some(ErrorClass::Count), [0; 4]));
            deal.start_with_parts(&from(counts[0]));
            deal.wait_into_parts(&mut PartitionMut::new(&mut into[..], counts[0], [0, 2]));
            let mine = if world.rank() == 0 { [1, 2, 1, 2] } else { [3, 4, 3, 4] };
            assert_eq!((class(), into), (None, mine));
            deal.free();
        });
    });
}

#[test]
fn thousands_are_started_in_any_order() {
    const MANY: i32 = 4200;
    holds(2, || {
        with_world(|world| {
            let me = world.rank();
            let mut values = vec![[-1; 2]; MANY as usize];
            let mut requests: Vec<_> =
                values.iter().map(|value| world.all_gather_init(&me, &value[..])).collect();
            let mut order: Vec<i32> = (0..MANY).collect();
            if me == 1 {
                order.reverse();
            }
            for i in order {
                requests[i as usize].start_with(&(2 * i + me));
            }
            for (request, value) in requests.iter_mut().zip(&mut values) {
                request.wait_into(&mut value[..]);
            }
            requests.into_iter().for_each(|request| request.free());
            let right = |(i, value): (i32, &[i32; 2])| *value == [2 * i, 2 * i + 1];
            assert!((0..).zip(&values).all(right));
        });
    });
}
