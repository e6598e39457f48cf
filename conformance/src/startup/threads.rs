//! Several threads in a rank: which MPI calls they may make concurrently.

use mpi_api::{
    api::{Threading, initialize, initialize_with_threading, thread, traits::*},
    call::{
        self, CommId, Completing, Incoming, Layout, MessageCall, ProcessCall, Reply, RequestCall,
        Site, ThreadCall,
    },
    finding::Code,
    object::signature::{Primitive, Signature},
    raw::Raw,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    let mut rows = two_threads();
    rows.extend(languages());
    rows
}

fn two_threads() -> Vec<Row> {
    vec![
        Row::new(
            "D12.2",
            super::DRAFT,
            "one thread sends to its own process, another receives",
            vec![
                Case::safe(
                    &[1, 2],
                    "a call blocks its own thread alone, so the receive happens in any case",
                    to_itself,
                ),
                Case::new(
                    &[1],
                    |_| Expect::buffering(4, 1),
                    "one thread that sends before it receives needs the message buffered",
                    to_itself_alone,
                )
                .named("single-threaded"),
            ],
        ),
        Row::new(
            "D12.thr",
            super::DRAFT,
            "two threads wait for one request",
            vec![Case::new(
                &[2],
                |_| Expect::wrong(Code::ThreadMisuse),
                "a request is completed by one thread",
                wait_twice,
            )],
        ),
    ]
}

fn languages() -> Vec<Row> {
    vec![
        Row::safe(
            "D12.7",
            super::DRAFT,
            "one thread in each address space calls a library that uses MPI",
            &[3],
            "one thread needs no more than MPI_Init gives",
            one_thread_each,
        ),
        Row::new(
            "D12.8",
            super::DRAFT,
            "many threads, of which the main one calls a library that uses MPI",
            vec![
                Case::safe(
                    &[3],
                    "MPI_THREAD_FUNNELED lets the main thread call, whatever the others compute",
                    || main_calls(false),
                ),
                Case::new(
                    &[2],
                    |_| Expect::wrong(Code::ThreadMisuse),
                    "under MPI_THREAD_FUNNELED no other thread may call",
                    || main_calls(true),
                )
                .named("another-calls"),
            ],
        ),
    ]
}

fn to_itself() {
    let (universe, level) = initialize_with_threading(Threading::Multiple).expect("once");
    assert_eq!(level, Threading::Multiple);
    let (world, other) = (universe.world(), universe.world());
    let sender = thread::spawn(move || other.this_process().send(&12));
    let (value, status) = world.this_process().receive::<i32>();
    assert_eq!((value, status.source_rank()), (12, world.rank()));
    sender.join();
}

fn to_itself_alone() {
    let universe = initialize().expect("once");
    let world = universe.world();
    world.this_process().send(&12);
    assert_eq!(world.this_process().receive::<i32>().0, 12);
}

fn wait_twice() {
    let raw = Raw::take().expect("once");
    let site = Site::here();
    if raw.world().rank == 0 {
        let incoming = Incoming {
            comm: CommId::WORLD,
            source: call::Source::Rank(1),
            tag: Some(0),
            capacity: 4,
            signature: Signature::of(Primitive::Int, 1),
            layout: Layout::Dense,
        };
        let reply = raw.call(site, MessageCall::StartReceive(incoming));
        let Some(Reply::Request(request)) = reply else { panic!("no request: {reply:?}") };
        let wait = move |raw: &Raw| {
            raw.call(Site::here(), RequestCall::Wait(vec![request], Completing::All));
        };
        let second = raw.spawn(site, Threading::Multiple, move |raw| wait(&raw));
        wait(&raw);
        raw.call(site, ThreadCall::Join(second.unwrap_or_default()));
    }
    raw.call(site, ProcessCall::Finalize);
}

/// Stands for the library: a sum over all ranks.
fn library(world: &impl CommunicatorCollectives) -> i32 {
    let mut sum = 0;
    let plus = mpi_api::api::collective::SystemOperation::sum();
    world.all_reduce_into(&1, &mut sum, plus);
    sum
}

fn one_thread_each() {
    let universe = initialize().expect("once");
    assert_eq!(universe.threading_support(), Threading::Single);
    let world = universe.world();
    assert_eq!(library(&world), world.size());
}

fn main_calls(another_too: bool) {
    let (universe, level) = initialize_with_threading(Threading::Funneled).expect("once");
    assert!(level >= Threading::Funneled);
    let work = move |seconds| {
        let world = mpi_api::api::topology::SimpleCommunicator::world();
        world.compute(seconds);
        if another_too {
            library(&world);
        }
    };
    let others: Vec<_> =
        [1e-6, 2e-6].into_iter().map(|seconds| thread::spawn(move || work(seconds))).collect();
    assert!(thread::is_main());
    let world = universe.world();
    assert_eq!(library(&world), world.size());
    others.into_iter().for_each(thread::JoinHandle::join);
}
