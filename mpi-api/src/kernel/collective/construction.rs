//! [`CommConstruction`]: what a collective that constructs a communicator needs beyond its data.

use sim_core::SimDuration;

use crate::{
    call::CommId,
    kernel::collective::agreement::ConstructionArguments,
    object::{cart::Cart, graph::Reorder},
    spawn::Launch,
};

/// A rank's arguments to a collective that constructs communicators.
#[derive(Clone, Debug)]
pub(crate) enum CommConstruction {
    /// The collective constructs none.
    Nothing,
    /// A place in a new communicator: ranks of one colour form one, ordered by key.
    Place {
        /// The colour; `None` if the rank joins no communicator.
        color: Option<u32>,
        /// Order within the colour; equal keys keep the order of ranks.
        key: i64,
        /// Topology of the result.
        cart: Option<Cart>,
        /// The rank's communication pattern, if ranks may be reordered by it.
        reorder: Option<Reorder>,
        /// Arguments that other ranks have to give alike.
        given: ConstructionArguments,
    },
    /// A spawn; at its root, the commands to start.
    Spawn(Option<Vec<Launch>>),
    /// A connection through a port; at the root, the port and the timeout.
    Port(Option<(String, Option<SimDuration>)>),
    /// An intercommunicator and its tag; at the local leader, the communicator and rank of the
    /// other leader.
    Bridge(Option<(CommId, u32)>, i32),
}

impl CommConstruction {
    pub(super) fn together(key: i64) -> Self {
        Self::at(Some(0), key, ConstructionArguments::Nothing)
    }

    pub(super) fn at(color: Option<u32>, key: i64, given: ConstructionArguments) -> Self {
        Self::Place { color, key, cart: None, reorder: None, given }
    }
}
