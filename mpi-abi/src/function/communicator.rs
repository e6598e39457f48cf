//! Communicators (MPI sections 7.4 and 7.6).
#![allow(unsafe_code, reason = "reads and writes names of programs")]

use std::ffi::{c_char, c_int};

use mpi_api::{
    call::{CommId, CommInfo, Operation, Reply, Site},
    object::{graph::Reorder, group::Group},
};

use super::{
    attribute, group,
    request::{self, Work, peek},
    text,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, HandlePlace, Heritage, Info, Mpi, State, always, call, local, put},
};

pub(super) extern "C" fn comm_size(comm: Handle, size: *mut c_int) -> c_int {
    call(comm, |state, _| put(size, state.comm(comm)?.size() as c_int))
}

pub(super) extern "C" fn comm_rank(comm: Handle, rank: *mut c_int) -> c_int {
    call(comm, |state, _| put(rank, state.comm(comm)?.info.rank as c_int))
}

pub(super) extern "C" fn comm_remote_size(comm: Handle, size: *mut c_int) -> c_int {
    call(comm, |state, _| {
        let comm = state.comm(comm)?;
        let remote = comm.info.remote.as_ref();
        let remote = remote.ok_or_else(|| Fault::new(class::COMM, "not an intercommunicator"))?;
        put(size, remote.size() as c_int)
    })
}

pub(super) extern "C" fn comm_test_inter(comm: Handle, flag: *mut c_int) -> c_int {
    call(comm, |state, _| put(flag, c_int::from(state.comm(comm)?.info.remote.is_some())))
}

pub(super) extern "C" fn comm_compare(first: Handle, second: Handle, result: *mut c_int) -> c_int {
    call(first, |state, _| {
        let (a, b) = (state.comm(first)?, state.comm(second)?);
        let compared = match (&a.info.remote, &b.info.remote) {
            _ if first == second => number::IDENT,
            (None, None) => group::compare(&a.info.group, &b.info.group),
            (Some(x), Some(y)) => {
                group::compare(&a.info.group, &b.info.group).max(group::compare(x, y))
            }
            _ => number::UNEQUAL,
        };
        // The same members in the same order are congruent unless it is one communicator.
        let same = compared == number::IDENT && first != second;
        put(result, if same { number::CONGRUENT } else { compared })
    })
}

/// A rank of an intracommunicator that leads an operation.
pub(super) fn root_of(comm: &Comm, root: c_int) -> Mpi<u32> {
    let known = u32::try_from(root).ok().filter(|rank| *rank < comm.size());
    known.ok_or_else(|| Fault::new(class::ROOT, format!("root {root} is not a rank")))
}

fn made(reply: Reply) -> Mpi<Option<Box<CommInfo>>> {
    match reply {
        Reply::Comm(info) => Ok(info),
        _ => Err(Fault::new(class::INTERN, "no communicator")),
    }
}

/// Gives a new communicator its handle.
pub(super) fn finish(
    state: &State,
    site: Site,
    reply: Reply,
    heritage: Heritage,
    place: *mut Handle,
) -> Mpi<Handle> {
    let handle = match made(reply)? {
        Some(info) => state.add_comm(site, *info, heritage)?,
        None => handle::COMM_NULL,
    };
    put(place, handle)?;
    Ok(handle)
}

/// What a duplicate takes over: attributes, topology and error handler, not hints (MPI 7.4.2).
fn heritage(state: &State, comm: Handle, parent: &Comm, hints: Info) -> Mpi<Heritage> {
    let attributes = attribute::copied(state, comm, parent)?;
    let topology = parent.topology.borrow().clone();
    Ok(Heritage { attributes, topology, hints, ..Heritage::of(parent) })
}

fn dup(comm: Handle, info: Handle, place: *mut Handle) -> c_int {
    call(comm, |state, site| {
        let parent = state.comm(comm)?;
        let hints = super::info::of(state, info)?;
        let heritage = heritage(state, comm, &parent, hints)?;
        let reply = state.kernel(site, Operation::DuplicateComm(parent.info.id))?;
        if let Some(info) = made(reply)? {
            put(place, state.add_comm(site, *info, heritage)?)?;
        }
        Ok(())
    })
}

pub(super) extern "C" fn comm_dup(comm: Handle, place: *mut Handle) -> c_int {
    dup(comm, handle::INFO_NULL, place)
}

pub(super) extern "C" fn comm_dup_with_info(
    comm: Handle,
    info: Handle,
    place: *mut Handle,
) -> c_int {
    dup(comm, info, place)
}

pub(super) extern "C" fn comm_idup(
    comm: Handle,
    place: *mut Handle,
    request: *mut Handle,
) -> c_int {
    duplicate(comm, handle::INFO_NULL, HandlePlace::Pointer(place), request)
}

/// As `MPI_Comm_idup_with_info`, for any language. What is copied is what there is now.
pub(super) fn duplicate(
    comm: Handle,
    info: Handle,
    place: HandlePlace,
    request: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.comm(comm)?;
        let hints = super::info::of(state, info)?;
        let heritage = heritage(state, comm, &parent, hints)?;
        let reply = state.kernel(site, Operation::StartDuplicateComm(parent.info.id))?;
        let at = (comm, (site, "MPI_Comm_idup"));
        let work = Work::Duplicate { place, heritage };
        request::started(state, reply, at, work, request)
    })
}

pub(super) extern "C" fn comm_idup_with_info(
    comm: Handle,
    info: Handle,
    place: *mut Handle,
    request: *mut Handle,
) -> c_int {
    duplicate(comm, info, HandlePlace::Pointer(place), request)
}

/// Splits by colour, which is not negative, or `MPI_UNDEFINED`.
pub(super) fn split(
    state: &State,
    site: Site,
    comm: &Comm,
    (color, key): (Option<u32>, c_int),
    place: *mut Handle,
) -> Mpi<Handle> {
    let operation = Operation::SplitComm { comm: comm.info.id, color, key, cart: None };
    let reply = state.kernel(site, operation)?;
    finish(state, site, reply, Heritage::of(comm), place)
}

/// The ranks that have a place in a topology: in their order, or numbered anew by what they will
/// say to each other.
pub(super) fn split_places(
    state: &State,
    site: Site,
    comm: &Comm,
    (places, reorder): (u32, Option<Reorder>),
    place: *mut Handle,
) -> Mpi<Handle> {
    let Some(reorder) = reorder else {
        let inside = comm.info.rank < places;
        let choice = (inside.then_some(0), comm.info.rank as c_int);
        return split(state, site, comm, choice, place);
    };
    let reorder = Box::new(reorder);
    let operation = Operation::ReorderComm { comm: comm.info.id, cart: None, reorder };
    let reply = state.kernel(site, operation)?;
    finish(state, site, reply, Heritage::of(comm), place)
}

/// The rank that the calling process would have if ranks were numbered anew.
pub(super) fn map(state: &State, site: Site, comm: &Comm, reorder: Reorder) -> Mpi<c_int> {
    let operation = Operation::MapRank(comm.info.id, Box::new(reorder));
    match state.kernel(site, operation)? {
        Reply::Place(Some(place)) => Ok(place as c_int),
        _ => Ok(number::UNDEFINED),
    }
}

pub(super) extern "C" fn comm_split(
    comm: Handle,
    color: c_int,
    key: c_int,
    place: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.comm(comm)?;
        let color = match color {
            number::UNDEFINED => None,
            color if color >= 0 => Some(color as u32),
            _ => return Err(Fault::new(class::ARG, format!("the colour {color} is negative"))),
        };
        split(state, site, &parent, (color, key), place).map(|_| ())
    })
}

/// The colour of a rank in a split by kind of resource (MPI 7.4.2).
fn resource(state: &State, parent: &Comm, kind: c_int, info: Handle) -> Mpi<Option<u32>> {
    let hints = super::info::of(state, info)?;
    let hint = |key: &str| hints.0.iter().find(|(known, _)| known == key).map(|(_, value)| value);
    let shared = |name: &String| super::environment::RESOURCES.contains(&name.as_str());
    Ok(match kind {
        number::UNDEFINED => None,
        number::COMM_TYPE_SHARED => Some(state.node()),
        number::COMM_TYPE_HW_GUIDED => {
            hint("mpi_hw_resource_type").filter(|name| shared(name)).map(|_| state.node())
        }
        number::COMM_TYPE_RESOURCE_GUIDED => match hint("mpi_pset_name").map(String::as_str) {
            Some("mpi://WORLD") => Some(0),
            Some("mpi://SELF") => Some(parent.info.rank),
            _ => hint("mpi_hw_resource_type").filter(|name| shared(name)).map(|_| state.node()),
        },
        number::COMM_TYPE_HW_UNGUIDED => Some(state.node()),
        _ => return Err(Fault::new(class::ARG, format!("there is no split type {kind}"))),
    })
}

pub(super) extern "C" fn comm_split_type(
    comm: Handle,
    kind: c_int,
    key: c_int,
    info: Handle,
    place: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.intra(comm)?;
        let color = resource(state, &parent, kind, info)?;
        let made = split(state, site, &parent, (color, key), place)?;
        // Unguided, it is strictly smaller than its parent, or none (MPI 7.4.2).
        if kind != number::COMM_TYPE_HW_UNGUIDED || state.comm(made)?.size() < parent.size() {
            return Ok(());
        }
        state.kernel(site, Operation::FreeComm(state.comm(made)?.info.id))?;
        state.comms.borrow_mut().remove(made);
        put(place, handle::COMM_NULL)
    })
}

/// Every member is one of the communicator.
fn part_of(group: &Group, parent: &Comm) -> Mpi {
    if group.to_vec().iter().any(|world| parent.info.group.rank_of(*world).is_none()) {
        return Err(Fault::new(class::GROUP, "the group is not part of the communicator's"));
    }
    Ok(())
}

pub(super) extern "C" fn comm_create(
    comm: Handle,
    group_handle: Handle,
    place: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.comm(comm)?;
        let group = group::of(state, group_handle)?;
        part_of(&group, &parent)?;
        let reply = state.kernel(site, Operation::CreateComm(parent.info.id, group))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(super) extern "C" fn comm_create_group(
    comm: Handle,
    group_handle: Handle,
    tag: c_int,
    place: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.intra(comm)?;
        let group = group::of(state, group_handle)?;
        if tag < 0 {
            return Err(Fault::new(class::TAG, format!("tag {tag} is negative")));
        }
        part_of(&group, &parent)?;
        if group.rank_of(state.number()).is_none() {
            return put(place, handle::COMM_NULL);
        }
        let reply = state.kernel(site, Operation::CreateGroupComm(parent.info.id, group, tag))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(super) extern "C" fn intercomm_create(
    comm: Handle,
    local_leader: c_int,
    peer_comm: Handle,
    remote_leader: c_int,
    tag: c_int,
    place: *mut Handle,
) -> c_int {
    call(comm, |state, site| {
        let parent = state.intra(comm)?;
        if tag < 0 {
            return Err(Fault::new(class::TAG, format!("tag {tag} is negative")));
        }
        let leader = u32::try_from(local_leader).ok().filter(|rank| *rank < parent.size());
        let local_leader = leader
            .ok_or_else(|| Fault::new(class::RANK, format!("local leader {local_leader}")))?;
        let peer = if parent.info.rank == local_leader {
            let peer = state.comm(peer_comm)?;
            let remote = u32::try_from(remote_leader).ok().filter(|rank| *rank < peer.peers());
            let remote = remote
                .ok_or_else(|| Fault::new(class::RANK, format!("remote leader {remote_leader}")))?;
            let other = peer.info.remote.as_ref().unwrap_or(&peer.info.group).world_rank(remote);
            if parent.info.group.rank_of(other).is_some() {
                let text = format!("remote leader {remote} is in the local group too");
                return Err(Fault::new(class::RANK, text));
            }
            Some((peer.info.id, remote))
        } else {
            None
        };
        let comm = parent.info.id;
        let create = Operation::CreateIntercomm { comm, local_leader, peer, tag };
        let reply = state.kernel(site, create)?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(super) extern "C" fn intercomm_merge(comm: Handle, high: c_int, place: *mut Handle) -> c_int {
    call(comm, |state, site| {
        let parent = state.comm(comm)?;
        if parent.info.remote.is_none() {
            return Err(Fault::new(class::COMM, "not an intercommunicator"));
        }
        let reply = state.kernel(site, Operation::MergeIntercomm(parent.info.id, high != 0))?;
        finish(state, site, reply, Heritage::of(&parent), place).map(|_| ())
    })
}

pub(super) extern "C" fn comm_free(comm: *mut Handle) -> c_int {
    release(comm, Operation::FreeComm)
}

pub(super) extern "C" fn comm_disconnect(comm: *mut Handle) -> c_int {
    release(comm, Operation::DisconnectComm)
}

/// Nothing of a communicator outlives its handle.
fn release(comm: *mut Handle, how: fn(CommId) -> Operation) -> c_int {
    let given = peek(comm).unwrap_or(handle::COMM_NULL);
    call(given, |state, site| {
        let freed = state.comm(given)?;
        if given < handle::FIRST {
            return Err(Fault::new(class::COMM, "a predefined communicator cannot be freed"));
        }
        attribute::delete_all(state, given, &freed)?;
        state.kernel(site, how(freed.info.id))?;
        state.comms.borrow_mut().remove(given);
        if state.parent.get() == given {
            state.parent.set(handle::COMM_NULL);
        }
        put(comm, handle::COMM_NULL)
    })
}

pub(super) extern "C" fn comm_set_name(comm: Handle, name: *const c_char) -> c_int {
    call(comm, |state, _| {
        let name = text::read(name)?;
        let found = state.comm(comm)?;
        found.name.replace(text::shortened(name, number::MAX_OBJECT_NAME - 1));
        Ok(())
    })
}

pub(super) extern "C" fn comm_get_name(
    comm: Handle,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        if comm == handle::COMM_NULL {
            return text::write("MPI_COMM_NULL", name, length);
        }
        let known = state.comm(comm)?.name.borrow().clone();
        text::write(&known, name, length)
    })
}

pub(super) extern "C" fn comm_get_parent(parent: *mut Handle) -> c_int {
    local(|state, _| put(parent, state.parent.get()))
}

pub(super) extern "C" fn comm_set_info(comm: Handle, info: Handle) -> c_int {
    call(comm, |state, _| {
        let found = state.comm(comm)?;
        let given = super::info::of(state, info)?;
        // What is not said stays as it was (MPI 7.4.4).
        found.hints.borrow_mut().update(given);
        Ok(())
    })
}

pub(super) extern "C" fn comm_get_info(comm: Handle, info: *mut Handle) -> c_int {
    call(comm, |state, _| {
        let hints = state.comm(comm)?.hints.borrow().clone();
        put(info, super::info::add(state, hints))
    })
}

/// `MPI_Comm_toint` and its kin: handles fit an integer.
pub(super) extern "C" fn to_int(given: Handle) -> c_int {
    given as c_int
}

/// `MPI_Comm_fromint` and its kin.
pub(super) extern "C" fn from_int(given: c_int) -> Handle {
    given as u32 as Handle
}

pub(super) extern "C" fn version(version: *mut c_int, subversion: *mut c_int) -> c_int {
    always(|_, _| {
        put(version, 5)?;
        put(subversion, 0)
    })
}
