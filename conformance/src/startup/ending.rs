//! Events during `MPI_Finalize`, and after it.

use std::{cell::RefCell, rc::Rc};

use mpi_api::api::{
    environment::finalized,
    initialize,
    topology::{AttributeKey, SimpleCommunicator},
    traits::*,
};

use super::super::{Case, Expect, Row, declare};

pub(super) fn rows() -> Vec<Row> {
    vec![
        Row::new(
            "D8.12",
            super::DRAFT,
            "rank 0 goes on after finalize",
            vec![Case::new(
                &[3],
                |_| Expect::safe().reaching(&["rank 0 writes the results"]),
                "at least the process of rank 0 returns from finalize",
                goes_on,
            )],
        ),
        Row::safe(
            "D8.cb",
            super::DRAFT,
            "delete functions of attributes of MPI_COMM_SELF",
            &[1, 2],
            "finalize runs them first, the last one set first, and MPI is not finalized yet",
            callbacks,
        ),
    ]
}

fn goes_on() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let me = world.rank();
    world.barrier();
    drop(universe);
    if me == 0 {
        declare("rank 0 writes the results");
    }
}

fn callbacks() {
    let universe = initialize().expect("once");
    let own = SimpleCommunicator::self_comm();
    let called = Rc::new(RefCell::new(Vec::new()));
    for name in ["first", "second", "third"] {
        let (called, world) = (Rc::clone(&called), universe.world());
        let key = AttributeKey::new().with_delete(move |name: &&'static str| {
            assert!(!finalized());
            world.barrier();
            called.borrow_mut().push(*name);
        });
        own.set_attribute(&key, name);
    }
    drop(universe);
    assert!(finalized());
    assert_eq!(*called.borrow(), ["third", "second", "first"]);
}
