//! Communicators. State: `table` finds them by number, `mapping` keeps the numberings of new
//! topologies. Steps: `peer` checks the ranks that calls name, `reorder` numbers the ranks of new
//! topologies, `local` has the calls that only one rank takes part in.

use crate::{
    call::{CommCall, CommId, GroupTag, TypeCall},
    kernel::{MpiKernel, Sched, collective::template::EntryMode},
};

mod local;
pub(in crate::kernel) mod mapping;
pub(in crate::kernel) mod peer;
pub(in crate::kernel) mod reorder;
pub(in crate::kernel) mod table;

impl MpiKernel {
    /// Executes a call that makes, numbers or frees a communicator.
    pub(super) fn comm_call(&mut self, rank: u32, call: CommCall, s: &mut Sched) {
        match call {
            CommCall::Duplicate(comm) => self.duplicate(rank, comm, EntryMode::Blocking, s),
            CommCall::StartDuplicate(comm) => self.start_duplicate(rank, comm, s),
            CommCall::Create(comm, group) => self.create_comm(rank, comm, &group, s),
            CommCall::CreateFromGroup(comm, group, tag) => {
                self.create_group_comm(rank, comm, group, GroupTag::Number(tag), s);
            }
            CommCall::CreateFromNamedGroup(group, text) => {
                self.create_group_comm(rank, CommId::WORLD, group, GroupTag::Text(text), s);
            }
            CommCall::CreateInter { comm, local_leader, peer, tag } => {
                self.create_intercomm(rank, (comm, local_leader), peer, tag, s);
            }
            CommCall::MergeInter(comm, high) => self.merge_intercomm(rank, comm, high, s),
            CommCall::Split { comm, color, key, cart, blueprint } => {
                self.split(rank, comm, (color, key), (cart, blueprint), s);
            }
            CommCall::Reorder { comm, cart, reorder, blueprint } => {
                self.reorder_comm(rank, comm, *reorder, (cart, blueprint), s);
            }
            CommCall::MapRank(comm, reorder) => self.map_rank(rank, comm, *reorder, s),
            CommCall::Free(comm) => self.free_comm(rank, comm, s),
            CommCall::Disconnect(comm, pending) => self.disconnect(rank, comm, &pending, s),
            CommCall::SetInfo(comm) => self.set_info(rank, comm, s),
        }
    }

    /// Executes a call about derived datatypes.
    pub(super) fn type_call(&mut self, rank: u32, call: TypeCall, s: &mut Sched) {
        match call {
            TypeCall::Create => self.create_type(rank, s),
            TypeCall::Commit(_) => self.commit_type(rank, s),
            TypeCall::Free(id) => self.free_type(rank, id, s),
        }
    }
}
