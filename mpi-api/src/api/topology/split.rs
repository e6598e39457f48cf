//! Communicators of parts of another one's ranks (MPI section 7.4.2).

use super::SimpleCommunicator;
use crate::{
    api::point_to_point::accepted,
    call::{Operation, Site},
    error::{ErrorClass, MpiError},
};

/// Orders the ranks of one colour in a split.
pub type Key = i32;

/// Which part of a split a rank goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(Option<i32>);

impl Color {
    /// A part; not negative.
    pub fn with_value(value: i32) -> Self {
        Self(Some(value))
    }

    /// None (`MPI_UNDEFINED`).
    pub fn undefined() -> Self {
        Self(None)
    }
}

/// `MPI_Comm_split`.
pub(super) fn split(
    comm: &SimpleCommunicator,
    color: Color,
    key: Key,
    site: Site,
) -> Option<SimpleCommunicator> {
    let negative = |color| MpiError::new(ErrorClass::Arg, format!("colour {color} is negative"));
    let checked = color.0.map(|color| u32::try_from(color).map_err(|_| negative(color)));
    let color = accepted(comm, site, checked.transpose())?;
    let comm_id = comm.info.id;
    let (cart, blueprint) = (None, None);
    comm.make(site, Operation::SplitComm { comm: comm_id, color, key, cart, blueprint })
}

/// `MPI_Comm_split_type` with `MPI_COMM_TYPE_SHARED`.
pub(super) fn split_shared(comm: &SimpleCommunicator, key: Key, site: Site) -> SimpleCommunicator {
    let node = Color::with_value(comm.context.node() as i32);
    let function = (site, "MPI_Comm_split_type", comm.info.id);
    let shared = comm.context.as_one(function, || split(comm, node, key, site));
    shared.unwrap_or_else(|| comm.alias())
}
