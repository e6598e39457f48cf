//! Communicators (MPI sections 7.4 and 7.6).

mod create;
mod duplicate;
mod split;

use std::ffi::{c_char, c_int};

use mpi_api::call::{CommCall, CommId, CommInfo, Reply, RequestId, Site};

pub(super) use self::{
    create::{comm_create, comm_create_group, intercomm_create, intercomm_merge},
    duplicate::{comm_dup, comm_dup_with_info, comm_idup, comm_idup_with_info, duplicate},
    split::{comm_split, map, split, split_places},
};
use super::{attribute, group, request::peek, text};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Heritage, Mpi, State, always, call, creating, local, must_agree, put},
};

pub(super) extern "C-unwind" fn comm_size(comm: Handle, size: *mut c_int) -> c_int {
    call(comm, |state, _| put(size, state.comm(comm)?.size() as c_int))
}

pub(super) extern "C-unwind" fn comm_rank(comm: Handle, rank: *mut c_int) -> c_int {
    call(comm, |state, _| put(rank, state.comm(comm)?.info.rank as c_int))
}

pub(super) extern "C-unwind" fn comm_remote_size(comm: Handle, size: *mut c_int) -> c_int {
    call(comm, |state, _| {
        let comm = state.comm(comm)?;
        let remote = comm.info.remote.as_ref();
        let remote = remote.ok_or_else(|| Fault::new(class::COMM, "not an intercommunicator"))?;
        put(size, remote.size() as c_int)
    })
}

pub(super) extern "C-unwind" fn comm_test_inter(comm: Handle, flag: *mut c_int) -> c_int {
    call(comm, |state, _| put(flag, c_int::from(state.comm(comm)?.info.remote.is_some())))
}

pub(super) extern "C-unwind" fn comm_compare(
    first: Handle,
    second: Handle,
    result: *mut c_int,
) -> c_int {
    call(first, |state, _| {
        let (a, b) = (state.comm(first)?, state.comm(second)?);
        must_agree(state.policies(), [Some(a.source.get()), Some(b.source.get())])?;
        let compared = match (&a.info.remote, &b.info.remote) {
            _ if first == second => number::IDENT,
            (None, None) => group::compare(&a.info.group, &b.info.group),
            (Some(x), Some(y)) => {
                group::compare(&a.info.group, &b.info.group).max(group::compare(x, y))
            }
            _ => number::UNEQUAL,
        };
        // Equal groups in the same order are congruent, and identical only if it is one
        // communicator.
        let same = compared == number::IDENT && first != second;
        put(result, if same { number::CONGRUENT } else { compared })
    })
}

fn made(reply: Reply) -> Mpi<Option<Box<CommInfo>>> {
    match reply {
        Reply::Comm(info) => Ok(info),
        _ => Err(Fault::new(class::INTERN, "no communicator")),
    }
}

/// Writes the null handle, so that a failing constructor leaves no communicator.
pub(super) fn none_yet(place: *mut Handle) -> Mpi {
    put(place, handle::COMM_NULL)
}

/// Creates the handle of a new communicator.
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

pub(super) extern "C-unwind" fn comm_free(comm: *mut Handle) -> c_int {
    release(comm, |_, _, id| CommCall::Free(id))
}

pub(super) extern "C-unwind" fn comm_disconnect(comm: *mut Handle) -> c_int {
    release(comm, |state, comm, id| CommCall::Disconnect(id, pending_on(state, comm)))
}

/// Returns the requests of operations on a communicator that the program has not completed.
fn pending_on(state: &State, comm: Handle) -> Vec<RequestId> {
    let requests = state.requests.borrow();
    let pending = requests.iter().filter(|request| request.active && request.comm == comm);
    pending.map(|request| request.id).collect()
}

/// Frees the handle and everything attached to the communicator.
fn release(comm: *mut Handle, how: fn(&State, Handle, CommId) -> CommCall) -> c_int {
    let given = peek(comm).unwrap_or(handle::COMM_NULL);
    call(given, |state, site| {
        let freed = state.comm(given)?;
        if given < handle::FIRST {
            return Err(Fault::new(class::COMM, "a predefined communicator cannot be freed"));
        }
        attribute::delete_all(state, given, &freed)?;
        state.kernel(site, how(state, given, freed.info.id))?;
        state.give_back_buffer_of(freed.info.id);
        state.remove_comm(given);
        if state.parent.get() == given {
            state.parent.set(handle::COMM_NULL);
        }
        put(comm, handle::COMM_NULL)
    })
}

pub(super) extern "C-unwind" fn comm_set_name(comm: Handle, name: *const c_char) -> c_int {
    call(comm, |state, _| {
        let name = text::read(name)?;
        let found = state.comm(comm)?;
        found.name.replace(text::shortened(name, number::MAX_OBJECT_NAME - 1));
        Ok(())
    })
}

pub(super) extern "C-unwind" fn comm_get_name(
    comm: Handle,
    name: *mut c_char,
    length: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        if comm == handle::COMM_NULL {
            return text::write("MPI_COMM_NULL", text::OBJECT_NAME, name, length);
        }
        let known = state.comm(comm)?.name.borrow().clone();
        text::write(&known, text::OBJECT_NAME, name, length)
    })
}

pub(super) extern "C-unwind" fn comm_get_parent(parent: *mut Handle) -> c_int {
    local(|state, _| put(parent, state.parent.get()))
}

pub(super) extern "C-unwind" fn comm_set_info(comm: Handle, info: Handle) -> c_int {
    call(comm, |state, site| {
        let found = state.comm(comm)?;
        let given = super::info::of(state, info)?;
        state.kernel(site, CommCall::SetInfo(found.info.id))?;
        state.learn_of_comm(site, &found, &given);
        // Hints that are not given keep their values (MPI 7.4.4).
        found.hints.borrow_mut().update(given);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn comm_get_info(comm: Handle, info: *mut Handle) -> c_int {
    creating(comm, (info, handle::INFO_NULL), |state, _| {
        let hints = super::info::with_memory_kinds(state.comm(comm)?.hints.borrow().recognised());
        put(info, super::info::add(state, hints))
    })
}

/// Implements `MPI_Comm_toint` and the same function of other handles: handles fit an integer.
pub(super) extern "C-unwind" fn to_int(given: Handle) -> c_int {
    given as c_int
}

/// Implements `MPI_Comm_fromint` and the same function of other handles.
pub(super) extern "C-unwind" fn from_int(given: c_int) -> Handle {
    given as u32 as Handle
}

pub(super) extern "C-unwind" fn version(version: *mut c_int, subversion: *mut c_int) -> c_int {
    always(|_, _| {
        let edition = mpi_api::api::environment::version();
        put(version, edition.0)?;
        put(subversion, edition.1)
    })
}
