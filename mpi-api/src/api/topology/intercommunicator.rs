//! Intercommunicators: two groups, each of which addresses the other (MPI section 7.6).

use super::{Communicator, Rank, SimpleCommunicator, UserGroup, duplicate::duplicate};
use crate::{
    api::{Tag, point_to_point::accepted},
    call::{CommCall, Site},
    error::{ErrorClass, MpiError},
    finding::CallPlace,
};

/// A communicator that sends to and receives from another group.
///
/// Its rank and size are those of the local group; the processes at its ranks are the remote ones.
pub struct InterCommunicator(SimpleCommunicator);

/// The order of the groups when an intercommunicator is merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MergeOrder {
    /// The ranks of the calling group come first.
    Low,
    /// The ranks of the other group come first.
    High,
}

impl Communicator for InterCommunicator {
    fn as_simple(&self) -> &SimpleCommunicator {
        &self.0
    }
}

impl InterCommunicator {
    pub(super) fn create(
        comm: &SimpleCommunicator,
        local_leader: Rank,
        peer: Option<(&SimpleCommunicator, Rank)>,
        tag: Tag,
        site: Site,
    ) -> Option<Self> {
        let no_rank = |rank| {
            let text = format!("leader {rank} is no rank");
            MpiError::new(ErrorClass::Rank, text)
        };
        let place = |rank: Rank| u32::try_from(rank).map_err(|_| no_rank(rank));
        let local_leader = accepted(
            comm,
            CallPlace { call: "create_intercommunicator", site },
            place(local_leader),
        )?;
        let peer = match peer {
            Some((peer, leader)) => Some((
                peer.info.id,
                accepted(
                    comm,
                    CallPlace { call: "create_intercommunicator", site },
                    place(leader),
                )?,
            )),
            None => None,
        };
        let comm_id = comm.info.id;
        let operation = CommCall::CreateInter { comm: comm_id, local_leader, peer, tag };
        comm.make(site, operation).map(Self)
    }

    pub(crate) fn of(comm: SimpleCommunicator) -> Self {
        Self(comm)
    }

    /// Disconnects the groups (`MPI_Comm_disconnect`); collective over both.
    #[track_caller]
    pub fn disconnect(self) {
        self.0.disconnect();
    }

    /// Returns the number of remote processes (`MPI_Comm_remote_size`).
    pub fn remote_size(&self) -> Rank {
        self.0.target_size()
    }

    /// Returns the group of the calling process.
    pub fn local_group(&self) -> UserGroup {
        self.0.group()
    }

    /// Returns the remote group (`MPI_Comm_remote_group`).
    pub fn remote_group(&self) -> UserGroup {
        let remote = self.0.info.remote.clone();
        UserGroup::new(remote.unwrap_or_else(|| self.0.info.group.clone()), u32::MAX)
    }

    /// Merges both groups into one communicator (`MPI_Intercomm_merge`).
    #[track_caller]
    pub fn merge(&self, order: MergeOrder) -> Option<SimpleCommunicator> {
        let high = order == MergeOrder::High;
        self.0.make(Site::here(), CommCall::MergeInter(self.0.info.id, high))
    }

    /// Duplicates the intercommunicator (`MPI_Comm_dup`).
    #[track_caller]
    pub fn duplicate(&self) -> Option<Self> {
        duplicate(&self.0, None, Site::here()).map(Self)
    }
}
