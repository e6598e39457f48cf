//! Processes of a communicator.

use super::{AsCommunicator, Communicator, Rank, SimpleCommunicator};
use crate::api::{
    ANY_SOURCE, PROC_NULL,
    collective::Root,
    point_to_point::{Destination, Source},
};

/// One process of a communicator, or the null process.
#[derive(Clone, Copy)]
pub struct Process<'a> {
    comm: &'a SimpleCommunicator,
    rank: Rank,
}

/// The wildcard source `MPI_ANY_SOURCE` on a communicator.
#[derive(Clone, Copy)]
pub struct AnyProcess<'a>(&'a SimpleCommunicator);

impl<'a> Process<'a> {
    pub(super) fn new(comm: &'a SimpleCommunicator, rank: Rank) -> Self {
        Self { comm, rank }
    }

    /// Returns its rank.
    pub fn rank(&self) -> Rank {
        self.rank
    }

    /// Reports whether it is the calling process.
    pub fn is_self(&self) -> bool {
        self.rank == self.comm.rank()
    }

    /// Reports whether it is the null process.
    pub fn is_null(&self) -> bool {
        self.rank == PROC_NULL
    }
}

impl<'a> AnyProcess<'a> {
    pub(super) fn new(comm: &'a SimpleCommunicator) -> Self {
        Self(comm)
    }
}

impl AsCommunicator for Process<'_> {
    type Out = SimpleCommunicator;
    fn as_communicator(&self) -> &SimpleCommunicator {
        self.comm
    }
}

impl AsCommunicator for AnyProcess<'_> {
    type Out = SimpleCommunicator;
    fn as_communicator(&self) -> &SimpleCommunicator {
        self.0
    }
}

impl Destination for Process<'_> {
    fn destination_rank(&self) -> Rank {
        self.rank
    }
}

impl Source for Process<'_> {
    fn source_rank(&self) -> Rank {
        self.rank
    }
}

impl Source for AnyProcess<'_> {
    fn source_rank(&self) -> Rank {
        ANY_SOURCE
    }
}

impl Root for Process<'_> {
    fn root_rank(&self) -> Rank {
        self.rank
    }
}
