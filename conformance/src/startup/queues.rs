//! Threads that only receive, only send, or only compute, with queues between them.

use std::{cell::RefCell, collections::VecDeque, rc::Rc};

use mpi_api::{
    api::{Threading, initialize_with_threading, thread, topology::SimpleCommunicator, traits::*},
    finding::Code,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::safe(
            "D12.5",
            super::DRAFT,
            "dedicated receivers, senders and workers",
            &[2, 3],
            "needs MPI_THREAD_MULTIPLE; the text compares with a level that does not exist, \
                 and sends another variable than it has taken out of the queue",
            || farm(Joining::All),
        ),
        Row::new(
            "D12.6",
            super::DRAFT,
            "the same with threads that are started and joined",
            vec![
                Case::safe(&[2, 3], "every thread is joined before finalize", || {
                    farm(Joining::All)
                }),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::ThreadMisuse),
                    "three loops fill one array, so only the threads of the last are joined and \
                     finalize comes while others run",
                    || farm(Joining::Last),
                )
                .named("as-printed"),
            ],
        ),
    ]
}

/// Which threads the main thread waits for.
#[derive(Clone, Copy, PartialEq)]
enum Joining {
    All,
    /// Those of the last loop that started some.
    Last,
}

/// What one role of a process takes out of.
type Queue = Rc<RefCell<VecDeque<i32>>>;

const ITEMS: usize = 3;

/// Takes out what is there, and computes a while when nothing is.
fn dequeue(queue: &Queue) -> i32 {
    let world = SimpleCommunicator::world();
    loop {
        if let Some(item) = queue.borrow_mut().pop_front() {
            return item;
        }
        world.compute(1e-6);
    }
}

fn receiver(work: &Queue) {
    let world = SimpleCommunicator::world();
    for _ in 0..ITEMS {
        let (item, _) = world.any_process().receive_with_tag::<i32>(0);
        work.borrow_mut().push_back(item);
    }
}

fn worker(work: &Queue, done: &Queue) {
    for _ in 0..ITEMS {
        let item = dequeue(work);
        SimpleCommunicator::world().compute(1e-6);
        done.borrow_mut().push_back(2 * item);
    }
}

fn sender(done: &Queue) {
    let world = SimpleCommunicator::world();
    for _ in 0..ITEMS {
        let item = dequeue(done);
        world.compute(1e-5);
        world.process_at_rank((world.rank() + 1) % world.size()).send_with_tag(&item, 1);
    }
}

/// Every rank works on items for its neighbour, which hands them out and takes the results.
fn farm(joining: Joining) {
    let (universe, level) = initialize_with_threading(Threading::Multiple).expect("once");
    assert_eq!(level, Threading::Multiple);
    let world = universe.world();
    let [work, done]: [Queue; 2] = Default::default();
    let (from, into) = (Rc::clone(&work), Rc::clone(&work));
    let (out, results) = (Rc::clone(&done), Rc::clone(&done));
    let mut threads = vec![
        thread::spawn(move || receiver(&into)),
        thread::spawn(move || sender(&results)),
        thread::spawn(move || worker(&from, &out)),
    ];
    let (me, size) = (world.rank(), world.size());
    let next = world.process_at_rank((me + 1) % size);
    (0..ITEMS as i32).for_each(|item| next.send_with_tag(&(10 * me + item), 0));
    if joining == Joining::Last {
        threads.drain(..2);
    } else {
        // Two steps around the ring of ranks.
        let origin = (me + size - 2 + size) % size;
        let previous = world.process_at_rank((me + size - 1) % size);
        for item in 0..ITEMS as i32 {
            let (result, _) = previous.receive_with_tag::<i32>(1);
            assert_eq!(result, 2 * (10 * origin + item));
        }
    }
    threads.into_iter().for_each(thread::JoinHandle::join);
}
