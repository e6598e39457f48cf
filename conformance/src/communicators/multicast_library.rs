//! A library that multicasts along a tree which is not known in advance: a process learns from the
//! message itself who sent it. Four ways to separate its messages from those of the user.

use std::cell::Cell;

use mpi_api::api::{
    initialize,
    topology::{AttributeKey, SimpleCommunicator},
    traits::*,
};

/// The root's value to everybody, by messages of one tag from any source.
///
/// Each process is told how many leaves it has to serve, and then the value.
pub(super) fn multicast(comm: &SimpleCommunicator, root: i32, value: &mut i32) {
    with_tags(comm, root, value, 0, 0);
}

/// The same with a tag to send and a tag to receive.
pub(super) fn with_tags(
    comm: &SimpleCommunicator,
    root: i32,
    value: &mut i32,
    send_tag: i32,
    receive_tag: i32,
) {
    let size = comm.size();
    let mut leaves = size - 1;
    if comm.rank() != root {
        leaves = comm.any_process().receive_with_tag::<i32>(receive_tag).0;
        comm.any_process().receive_into_with_tag(value, receive_tag);
    }
    while leaves > 0 {
        let child = comm.process_at_rank((comm.rank() + (leaves + 1) / 2) % size);
        let its_leaves = leaves / 2;
        child.send_with_tag(&its_leaves, send_tag);
        child.send_with_tag(value, send_tag);
        leaves -= its_leaves + 1;
    }
}

/// A private communicator for each call.
pub(super) fn in_a_duplicate(comm: &SimpleCommunicator, root: i32, value: &mut i32) {
    multicast(&comm.duplicate(), root, value);
}

/// What the caching library keeps with the user's communicator.
pub(super) struct Private {
    comm: SimpleCommunicator,
    /// Tag of the next call.
    tag: Cell<i32>,
}

/// Returns the private communicator, made at the first call and kept with the user's.
fn cached(comm: &SimpleCommunicator, key: &AttributeKey<Private>) -> std::rc::Rc<Private> {
    if comm.attribute(key).is_none() {
        let private = Private { comm: comm.duplicate(), tag: Cell::new(0) };
        comm.set_attribute(key, private);
    }
    comm.attribute(key).expect("it was just set")
}

/// One private communicator for all calls.
pub(super) fn in_a_cached_one(
    comm: &SimpleCommunicator,
    key: &AttributeKey<Private>,
    root: i32,
    value: &mut i32,
) {
    multicast(&cached(comm, key).comm, root, value);
}

/// One private communicator, and a new tag for each call.
pub(super) fn with_new_tags(
    comm: &SimpleCommunicator,
    key: &AttributeKey<Private>,
    root: i32,
    value: &mut i32,
    send_with_them: bool,
) {
    let private = cached(comm, key);
    let tag = private.tag.replace(private.tag.get() + 1);
    with_tags(&private.comm, root, value, if send_with_them { tag } else { 0 }, tag);
}

/// Runs a body between initialize and finalize.
pub(super) fn program(body: impl FnOnce(&SimpleCommunicator)) {
    let universe = initialize().expect("once");
    let world = universe.world();
    body(&world);
}
