//! Communicators of clients and servers, and of the ranks that share an address space.

use std::cell::RefCell;

use mpi_api::{
    api::{address_space, initialize, traits::*},
    call::{CommCall, CommId, CommInfo, Operation, ProcessCall, Reply, Site},
    finding::Code,
    raw::Raw,
};

use super::super::{Case, Expect, Row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "D6.s",
            super::DRAFT,
            "an intercommunicator of clients and servers split into one for each server",
            vec![
                Case::safe(
                    &[6, 5],
                    "ranks of one colour on both sides come together, in the order of their keys",
                    clients_and_servers,
                ),
                Case::new(
                    &[6],
                    |_| Expect::wrong(Code::InvalidArgument),
                    "earlier editions split communicators of one group only",
                    clients_and_servers,
                )
                .named("refused")
                .with(|request| {
                    request.policies.push("split-intercommunicator=refused".into());
                }),
            ],
        ),
        Row::new(
            "D6.3",
            super::DRAFT,
            "one rank of each address space makes a buffer that all ranks in it read",
            vec![
                Case::safe(
                    &[6, 5],
                    "the barrier orders the write before the reads; the ranks of one space see \
                     one buffer",
                    shared_buffer,
                )
                .with(|request| request.ranks_per_process = 3),
                Case::safe(&[3], "with one rank in each space each sees its own", shared_buffer)
                    .named("alone"),
            ],
        ),
    ]
}

const SERVERS: u32 = 2;

/// Returns a call that makes a communicator.
fn made(raw: &Raw, operation: impl Into<Operation>) -> CommInfo {
    match raw.call(Site::here(), operation) {
        Some(Reply::Comm(Some(info))) => *info,
        other => panic!("no communicator: {other:?}"),
    }
}

fn clients_and_servers() {
    let raw = Raw::take().expect("once");
    let (me, size) = (raw.world().rank, raw.world().group.size());
    let serves = me < SERVERS;
    let split = |comm, color| {
        let color = Some(color);
        CommCall::Split { comm, color, key: 0, cart: None, blueprint: None }
    };
    let mine = made(&raw, split(CommId::WORLD, u32::from(serves)));
    let other = if serves { SERVERS } else { 0 };
    let both = made(
        &raw,
        CommCall::CreateInter {
            comm: mine.id,
            local_leader: 0,
            peer: Some((CommId::WORLD, other)),
            tag: 1,
        },
    );
    let color = both.rank % SERVERS;
    let served = made(&raw, split(both.id, color));
    let clients: Vec<u32> = (SERVERS..size).filter(|c| (c - SERVERS) % SERVERS == color).collect();
    let (local, remote) = (served.group.to_vec(), served.remote.expect("two sides").to_vec());
    let sides = if serves { (vec![color], clients) } else { (clients, vec![color]) };
    assert_eq!((local, remote), sides);
    for comm in [served.id, both.id, mine.id] {
        raw.call(Site::here(), CommCall::Free(comm));
    }
    raw.call(Site::here(), ProcessCall::Finalize);
}

/// What stands for the program's global pointer to a buffer.
type Buffer = RefCell<Vec<i32>>;

fn shared_buffer() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let space = address_space::split(&world, 0).expect("every rank is in one");
    let (number, size) = address_space::number_and_size();
    assert_eq!(space.size(), size as i32);
    if space.rank() == 0 {
        address_space::global::<Buffer>().borrow_mut().extend([number as i32; 4]);
    }
    space.barrier();
    assert_eq!(*address_space::global::<Buffer>().borrow(), [number as i32; 4]);
}
