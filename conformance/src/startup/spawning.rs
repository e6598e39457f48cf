//! A manager that starts its workers.

use mpi_api::{
    api::{
        environment::Universe,
        initialize,
        spawn::Command,
        topology::{InterCommunicator, Rank},
        traits::*,
    },
    finding::Code,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let with_room = |case: Case| case.with(|request| request.universe = Some(5));
    vec![Row::new(
        "D10.5",
        super::DRAFT,
        "a manager starts as many workers as the universe has room for",
        vec![
            with_room(Case::safe(
                &[1],
                "the document breaks off inside it: what manager and workers say to each other is \
                 ours, a task and its result for each",
                || manage(worker),
            )),
            with_room(Case::new(
                &[2],
                |_| Expect::wrong(Code::Aborted),
                "the manager is to be started alone",
                || manage(worker),
            ))
            .named("two-managers"),
            Case::new(
                &[1],
                |_| Expect::wrong(Code::Aborted),
                "the universe has no room for workers",
                || manage(worker),
            )
            .named("no-room"),
            with_room(Case::new(
                &[1],
                |_| Expect::wrong(Code::DeadlockCycle),
                "workers that wait for a second task wait for ever, and the manager for them",
                || {
                    manage(|| {
                        let universe = initialize().expect("once");
                        let manager = universe.world().parent().expect("a manager");
                        let tasks = [(); 2].map(|()| manager.process_at_rank(0).receive::<i32>().0);
                        manager.process_at_rank(0).send(&tasks[1]);
                    });
                },
            ))
            .named("one-task-short"),
        ],
    )]
}

fn manage(worker: fn()) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let Some(workers) = start(&universe, worker) else { world.abort(1) };
    let count = workers.remote_size();
    assert_eq!(count, 4);
    for number in 0..count {
        workers.process_at_rank(number).send(&(number + 10));
    }
    for number in 0..count {
        let (square, _) = workers.process_at_rank(number).receive::<i32>();
        assert_eq!(square, (number + 10) * (number + 10));
    }
}

/// The workers, unless there is more than one manager or no room.
fn start(universe: &Universe, worker: fn()) -> Option<InterCommunicator> {
    let world = universe.world();
    let workers = universe.size()? as Rank - 1;
    if world.size() != 1 || workers == 0 {
        return None;
    }
    world.process_at_rank(0).spawn(&Command::new(worker), workers).ok()
}

fn worker() {
    let universe = initialize().expect("once");
    let manager = universe.world().parent().expect("a manager");
    assert_eq!(manager.remote_size(), 1);
    let (task, _) = manager.process_at_rank(0).receive::<i32>();
    manager.process_at_rank(0).send(&(task * task));
}
