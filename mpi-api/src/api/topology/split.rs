//! Splitting of communicators (MPI section 7.4.2).

use std::cell::Cell;

use super::SimpleCommunicator;
use crate::{
    api::point_to_point::accepted,
    call::{CommCall, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
    object::blueprint::{Blueprint, ResourceType},
};

/// The key that orders the ranks of one colour in a split.
pub type Key = i32;

/// The colour of a rank in a split, which selects its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(Option<i32>);

impl Color {
    /// Creates a colour; the value must not be negative.
    pub fn with_value(value: i32) -> Self {
        Self(Some(value))
    }

    /// Returns `MPI_UNDEFINED`: the rank joins no part.
    pub fn undefined() -> Self {
        Self(None)
    }
}

/// Splits a communicator by colour and key (`MPI_Comm_split`).
pub(super) fn split(
    comm: &SimpleCommunicator,
    color: Color,
    key: Key,
    site: Site,
) -> Option<SimpleCommunicator> {
    split_as(comm, (color, key, None), site)
}

/// Splits a communicator by colour and key; the blueprint names the function if it is not `MPI_Comm_split`.
fn split_as(
    comm: &SimpleCommunicator,
    (color, key, blueprint): (Color, Key, Option<Blueprint>),
    site: Site,
) -> Option<SimpleCommunicator> {
    let negative = |color| MpiError::new(ErrorClass::Arg, format!("colour {color} is negative"));
    let checked = color.0.map(|color| u32::try_from(color).map_err(|_| negative(color)));
    let color = accepted(comm, CallPlace { call: "split", site }, checked.transpose())?;
    let comm_id = comm.info.id;
    let blueprint = blueprint.map(Box::new);
    comm.make(site, CommCall::Split { comm: comm_id, color, key, cart: None, blueprint })
}

thread_local! {
    static BY_NODE: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the program splits a communicator by node: what it does depends on how many ranks a node has.
pub(crate) fn note_by_node() {
    BY_NODE.set(true);
}

/// Returns whether a communicator was split by node since the last call.
pub(crate) fn take_by_node() -> bool {
    BY_NODE.take()
}

/// Splits a communicator by node (`MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED`).
pub(super) fn split_shared(comm: &SimpleCommunicator, key: Key, site: Site) -> SimpleCommunicator {
    note_by_node();
    let node = Color::with_value(comm.context.node() as i32);
    let function = (site, "MPI_Comm_split_type", comm.info.id);
    let choice = (node, key, Some(Blueprint::Resource(Some(ResourceType::Memory))));
    let shared = comm.context.as_one(function, || split_as(comm, choice, site));
    shared.unwrap_or_else(|| comm.alias())
}
