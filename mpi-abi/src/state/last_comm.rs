//! [`LastComm`]: the communicator of the last message.

use mpi_api::call::{CommId, CommInfo};

use crate::constant::Handle;

/// What a message needs to know of its communicator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peers {
    pub(crate) id: CommId,
    /// Number of ranks that can be addressed.
    pub(crate) count: u32,
}

/// A communicator that is found without a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastComm {
    pub(super) handle: Handle,
    pub(super) peers: Peers,
    /// The own rank in an intracommunicator; `None` for an intercommunicator.
    pub(super) rank: Option<u32>,
}

impl LastComm {
    /// No communicator: no table gives this handle, and no rank can be addressed.
    pub(super) const NONE: Self =
        Self { handle: Handle::MAX, peers: Peers { id: CommId(0), count: 0 }, rank: None };

    /// Creates the record of a communicator in which this many ranks can be addressed.
    pub(super) fn of(handle: Handle, info: &CommInfo, count: u32) -> Self {
        let rank = info.remote.is_none().then_some(info.rank);
        Self { handle, peers: Peers { id: info.id, count }, rank }
    }
}
