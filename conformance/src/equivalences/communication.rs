//! Communication calls that are equivalent to combinations of others.

use mpi_api::api::{
    collective::SystemOperation,
    datatype::Partition,
    initialize,
    point_to_point::{Status, send_receive_into},
    request::{Request, Scope, multiple_scope, scope},
    topology::SimpleCommunicator,
    traits::*,
};

use super::{Row, row};
use scenarios::program::by_name;

const RANKS: &[u32] = &[1, 2, 4];

pub(super) fn rows() -> Vec<Row> {
    let mut rows = requests();
    rows.extend(modes());
    rows.extend(collectives());
    rows
}

fn requests() -> Vec<Row> {
    vec![
        row(
            "Q.6",
            "MPI: The Complete Reference, section 2.8.3",
            "a test that is true is a wait",
            RANKS,
            || {
                in_ring(|world, from| {
                    let (mut one, mut two) = (-1, -1);
                    let sources = scope(|scope| {
                        let from = world.process_at_rank(from);
                        let first = from.immediate_receive_into(scope, &mut one);
                        let second = from.immediate_receive_into(scope, &mut two);
                        [tested(first).source_rank(), second.wait().source_rank()]
                    });
                    assert_eq!(sources, [from; 2]);
                    [one, two]
                });
            },
        ),
        row(
            "Q.7",
            "MPI: The Complete Reference, section 2.9",
            "a wait for all is waits in any order",
            RANKS,
            || {
                in_ring(|world, from| {
                    let mut got = [-1; 2];
                    let [one, two] = &mut got;
                    multiple_scope(2, |scope, requests| {
                        let from = world.process_at_rank(from);
                        requests.add(from.immediate_receive_into(scope, one));
                        requests.add(from.immediate_receive_into(scope, two));
                        requests.wait_all(&mut Vec::new());
                    });
                    got
                });
            },
        ),
        row(
            "Q.8",
            "MPI: The Complete Reference, section 2.11",
            "a persistent request that is started is a nonblocking call",
            RANKS,
            || {
                in_ring(|world, from| {
                    let mut got = [-1; 2];
                    let mut request = world.process_at_rank(from).receive_init(&got[0], 0);
                    for room in &mut got {
                        request.start();
                        request.wait_into(room);
                    }
                    request.free();
                    got
                });
            },
        ),
    ]
}

fn modes() -> Vec<Row> {
    vec![
        row(
            "Q.9",
            "MPI: The Complete Reference, section 2.6",
            "a sendrecv is a nonblocking send and receive, both waited for",
            RANKS,
            sendrecv,
        ),
        row(
            "Q.10",
            "MPI: The Complete Reference, section 2.13",
            "a right program with ready sends gives the same with standard ones",
            &[2, 3],
            || by_name("allgather-ring-nonblocking"),
        ),
        row(
            "Q.20",
            "Pacheco, Parallel Programming with MPI, section 13.7.1",
            "a program that finishes with synchronous sends is safe",
            &[2, 3, 4],
            || by_name("allgather-ring-synchronous"),
        ),
    ]
}

fn collectives() -> Vec<Row> {
    vec![
        row(
            "Q.11",
            "MPI: The Complete Reference, sections 4.6 to 4.9",
            "an allgather is a gather to every rank; an alltoall is sends of blocks",
            RANKS,
            gathers,
        ),
        row(
            "Q.12",
            "MPI: The Complete Reference, section 4.10.5",
            "a reduce-scatter is a reduction and a scatter of its parts",
            RANKS,
            reduce_then_scatter,
        ),
        row(
            "Q.13",
            "MPI: The Complete Reference, section 4.11",
            "an inclusive prefix is the exclusive one and the own value",
            RANKS,
            prefixes,
        ),
    ]
}

/// Tests until it is true.
fn tested<'a, S: Scope<'a>>(mut request: Request<'a, i32, S>) -> Status {
    loop {
        match request.test() {
            Ok(status) => return status,
            Err(open) => request = open,
        }
    }
}

/// Rank 0 has the last rank's two values, rank 1 those of rank 0, and so on.
fn in_ring(receive: impl FnOnce(&SimpleCommunicator, i32) -> [i32; 2]) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let (next, before) = ((rank + 1) % size, (rank + size - 1) % size);
    let mine = [10 * rank, 10 * rank + 1];
    scope(|scope| {
        let to = world.process_at_rank(next);
        let sends = mine.each_ref().map(|value| to.immediate_send(scope, value));
        assert_eq!(receive(&world, before), [10 * before, 10 * before + 1]);
        sends.into_iter().for_each(|send| _ = send.wait());
    });
}

fn sendrecv() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let next = world.process_at_rank((rank + 1) % size);
    let before = world.process_at_rank((rank + size - 1) % size);
    let (mut at_once, mut in_parts) = (-1, -1);
    let one = send_receive_into(&rank, &next, &mut at_once, &before);
    let other = scope(|scope| {
        let send = next.immediate_send(scope, &rank);
        let status = before.immediate_receive_into(scope, &mut in_parts).wait();
        send.wait();
        status
    });
    assert_eq!(at_once, in_parts);
    assert_eq!((one.source_rank(), one.tag()), (other.source_rank(), other.tag()));
}

fn gathers() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size() as usize);
    let (mut all, mut one_by_one) = (vec![-1; size], vec![-1; size]);
    world.all_gather_into(&rank, &mut all);
    for root in 0..world.size() {
        let root = world.process_at_rank(root);
        if root.is_self() {
            root.gather_into_root(&rank, &mut one_by_one);
        } else {
            root.gather_into(&rank);
        }
    }
    assert_eq!(all, one_by_one);
    let out: Vec<i32> = (0..world.size()).map(|to| 100 * rank + to).collect();
    let (mut got, mut sent) = (vec![-1; size], vec![-1; size]);
    world.all_to_all_into(&out, &mut got);
    scope(|scope| {
        let sends: Vec<_> = (0..)
            .zip(&out)
            .map(|(to, value)| world.process_at_rank(to).immediate_send(scope, value))
            .collect();
        for (from, place) in (0..).zip(&mut sent) {
            world.process_at_rank(from).receive_into(place);
        }
        sends.into_iter().for_each(|send| _ = send.wait());
    });
    assert_eq!(got, sent);
}

fn reduce_then_scatter() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (rank, size) = (world.rank(), world.size());
    let counts: Vec<i32> = (0..size).map(|rank| rank + 1).collect();
    let starts: Vec<i32> = (0..size as usize).map(|at| counts[..at].iter().sum()).collect();
    let total: i32 = counts.iter().sum();
    let mine: Vec<i32> = (0..total).map(|place| rank * 7 + place).collect();
    let (mut at_once, mut in_steps) = (vec![-1; rank as usize + 1], vec![-1; rank as usize + 1]);
    world.reduce_scatter_into(&mine, &counts, &mut at_once, SystemOperation::sum());
    let root = world.process_at_rank(0);
    if rank == 0 {
        let mut sum = vec![0; total as usize];
        root.reduce_into_root(&mine, &mut sum, SystemOperation::sum());
        root.scatter_varcount_into_root(&Partition::new(&sum, counts, starts), &mut in_steps);
    } else {
        root.reduce_into(&mine, SystemOperation::sum());
        root.scatter_varcount_into(&mut in_steps);
    }
    assert_eq!(at_once, in_steps);
}

fn prefixes() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let mine = 3 * world.rank() + 1;
    let (mut inclusive, mut exclusive) = (0, 0);
    world.scan_into(&mine, &mut inclusive, SystemOperation::sum());
    world.exclusive_scan_into(&mine, &mut exclusive, SystemOperation::sum());
    assert_eq!(inclusive, exclusive + mine);
}
