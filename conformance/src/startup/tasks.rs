//! A thread that receives work, and tasks that compute it and send the results.

use mpi_api::{
    api::{
        Threading, address_space, environment, initialize_with_threading, thread,
        topology::SimpleCommunicator, traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "D12.3",
            super::DRAFT,
            "the main thread receives from anybody, tasks compute and send",
            vec![
                Case::new(
                    &[3],
                    |_| Expect::safe().reaching(&["1, 2", "2, 1"]),
                    "whose work comes first is open; what ends the loop is not in the text: here \
                     a number of items",
                    one_master,
                ),
                Case::new(
                    &[3],
                    |_| Expect::wrong(Code::Aborted),
                    "without MPI_THREAD_MULTIPLE the program aborts",
                    one_master,
                )
                .named("level-too-low")
                .with(|request| request.policies.push("thread-levels=none".into())),
            ],
        ),
        Row::new(
            "D12.4",
            super::DRAFT,
            "as D12.3 with two processes in each address space and a master for each",
            vec![
                Case::safe(
                    &[4],
                    "threads that are no main thread of a process skip the communication",
                    many_masters,
                )
                .with(|request| {
                    request.ranks_per_process = 2;
                    request.policies.push("address-space-key=MPI_ENV_ASP".into());
                }),
            ],
        ),
    ]
}

/// Begins with what the tasks need, or ends the program.
fn begin() -> environment::Universe {
    let (universe, level) = initialize_with_threading(Threading::Multiple).expect("once");
    if level != Threading::Multiple {
        universe.world().abort(0);
    }
    universe
}

/// Computes for one item in a task of its own and sends the result.
fn task(item: i32, to: i32) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let world = SimpleCommunicator::world();
        world.compute(1e-6);
        world.process_at_rank(to).send(&(10 * item));
    })
}

/// Rank 0 deals the work out and takes the results in.
fn one_master() {
    let universe = begin();
    let world = universe.world();
    if world.rank() == 0 {
        let dealing: Vec<_> = (1..world.size()).map(|rank| task(rank, rank)).collect();
        let mut order = Vec::new();
        for _ in 1..world.size() {
            let (result, status) = world.any_process().receive_with_tag::<i32>(0);
            assert_eq!(result, 100 * status.source_rank());
            order.push(status.source_rank().to_string());
        }
        declare(order.join(", "));
        dealing.into_iter().for_each(thread::JoinHandle::join);
    } else {
        let (item, _) = world.any_process().receive_with_tag::<i32>(0);
        task(item, 0).join();
    }
}

const WORKERS: u32 = 1;

/// Every rank passes an item on to the next; in each, a second thread belongs to the team and
/// has no part in the communication.
fn many_masters() {
    let _universe = begin();
    let spaces = environment::info();
    let listed = spaces.iter().find(|(key, _)| *key == "MPI_ENV_ASP").map(|(_, value)| value);
    let inside: u32 = listed.and_then(|value| value.parse().ok()).expect("the policy has the key");
    assert_eq!(inside, address_space::number_and_size().1);
    let threads = 2 * inside;
    assert!(threads >= inside + WORKERS, "too few threads");
    let team = || {
        if !(environment::initialized() && thread::is_main()) {
            return 0;
        }
        let world = SimpleCommunicator::world();
        let next = (world.rank() + 1) % world.size();
        let sending = task(world.rank(), next);
        let (item, status) = world.any_process().receive_with_tag::<i32>(0);
        assert_eq!(item, 10 * status.source_rank());
        sending.join();
        1
    };
    let other = thread::spawn(team);
    assert_eq!(team() + other.join(), 1);
}
