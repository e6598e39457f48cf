//! Communicators made of one group or of two groups (MPI sections 7.4.2 and 7.6.2).

use std::ffi::c_int;

use mpi_api::{call::CommCall, object::group::Group};

use super::{super::group, finish, none_yet};
use crate::{
    constant::{Handle, class, handle},
    state::{Comm, Fault, Heritage, Mpi, State, argument, creating, must_agree},
};

/// Returns a group of which every member belongs to the communicator.
fn part_of(state: &State, group: Handle, parent: &Comm) -> Mpi<Group> {
    must_agree(state.policies(), [Some(parent.source.get()), group::source_of(state, group)])?;
    let group = group::of(state, group)?;
    if group.to_vec().iter().any(|world| parent.info.group.rank_of(*world).is_none()) {
        return Err(Fault::new(class::GROUP, "the group is not part of the communicator's"));
    }
    Ok(group)
}

pub(in crate::function) extern "C-unwind" fn comm_create(
    comm: Handle,
    group_handle: Handle,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        let group = part_of(state, group_handle, &parent)?;
        none_yet(place)?;
        let reply = state.kernel(site, CommCall::Create(parent.info.id, group))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(in crate::function) extern "C-unwind" fn comm_create_group(
    comm: Handle,
    group_handle: Handle,
    tag: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        argument::tag(tag)?;
        let group = part_of(state, group_handle, &parent)?;
        none_yet(place)?;
        if group.rank_of(state.number()).is_none() {
            return Ok(());
        }
        let reply = state.kernel(site, CommCall::CreateFromGroup(parent.info.id, group, tag))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(in crate::function) extern "C-unwind" fn intercomm_create(
    comm: Handle,
    local_leader: c_int,
    peer_comm: Handle,
    remote_leader: c_int,
    tag: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.intra(comm)?;
        argument::tag(tag)?;
        let local_leader = argument::rank("local leader", local_leader, parent.size())?;
        let peer = if parent.info.rank == local_leader {
            let peer = state.comm(peer_comm)?;
            must_agree(state.policies(), [Some(parent.source.get()), Some(peer.source.get())])?;
            let remote = argument::rank("remote leader", remote_leader, peer.peers())?;
            let other = peer.info.remote.as_ref().unwrap_or(&peer.info.group).world_rank(remote);
            if parent.info.group.rank_of(other).is_some() {
                let text = format!("remote leader {remote} is in the local group too");
                return Err(Fault::new(class::RANK, text));
            }
            Some((peer.info.id, remote))
        } else {
            None
        };
        none_yet(place)?;
        let comm = parent.info.id;
        let create = CommCall::CreateInter { comm, local_leader, peer, tag };
        let reply = state.kernel(site, create)?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(in crate::function) extern "C-unwind" fn intercomm_merge(
    comm: Handle,
    high: c_int,
    place: *mut Handle,
) -> c_int {
    creating(comm, (place, handle::COMM_NULL), |state, site| {
        let parent = state.comm(comm)?;
        if parent.info.remote.is_none() {
            return Err(Fault::new(class::COMM, "not an intercommunicator"));
        }
        none_yet(place)?;
        let reply = state.kernel(site, CommCall::MergeInter(parent.info.id, high != 0))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}
