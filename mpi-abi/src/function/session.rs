//! Sessions (MPI section 11.3): the process sets `mpi://WORLD` and `mpi://SELF`.

use std::ffi::{c_char, c_int};

use mpi_api::{call::Operation, object::group::Group};

use super::{communicator, group, info, request::peek, text};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Info, Mpi, State, always, put},
};

/// The only session handles there are count upwards from here.
const FIRST: Handle = 0x0010_0000;

const SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];

pub(super) extern "C" fn init(_info: Handle, _errors: Handle, session: *mut Handle) -> c_int {
    always(|state, _| {
        let number = state.sessions.get() + 1;
        state.sessions.set(number);
        put(session, FIRST + 16 * number as Handle)
    })
}

fn known(state: &State, session: Handle) -> Mpi {
    if session >= FIRST && state.sessions.get() > 0 {
        return Ok(());
    }
    Err(Fault::new(class::SESSION, "the session is null or was finalized"))
}

/// The number of a session.
pub(super) fn number(state: &State, session: Handle) -> Mpi<u32> {
    known(state, session)?;
    Ok(((session - FIRST) / 16) as u32)
}

pub(super) extern "C" fn finalize(session: *mut Handle) -> c_int {
    always(|state, _| {
        known(state, peek(session)?)?;
        state.sessions.set(state.sessions.get() - 1);
        put(session, handle::SESSION_NULL)
    })
}

pub(super) extern "C" fn get_num_psets(session: Handle, _info: Handle, count: *mut c_int) -> c_int {
    always(|state, _| {
        known(state, session)?;
        put(count, SETS.len() as c_int)
    })
}

pub(super) extern "C" fn get_nth_pset(
    session: Handle,
    _info: Handle,
    at: c_int,
    length: *mut c_int,
    name: *mut c_char,
) -> c_int {
    always(|state, _| {
        known(state, session)?;
        let found = usize::try_from(at).ok().and_then(|at| SETS.get(at));
        let found = found.ok_or_else(|| Fault::new(class::ARG, format!("no process set {at}")))?;
        let room = super::read_number(length)?;
        if room > 0 {
            let kept = &found[..found.len().min(room as usize - 1)];
            text::copy(kept, name)?;
        }
        put(length, found.len() as c_int + 1)
    })
}

/// The members of a process set.
fn members(state: &State, name: &str) -> Mpi<Group> {
    match name {
        "mpi://WORLD" => Ok(Group::range(0, state.world_ranks)),
        "mpi://SELF" => Ok(Group::range(state.world_rank(), 1)),
        _ => Err(Fault::new(class::ARG, format!("there is no process set {name}"))),
    }
}

pub(super) extern "C" fn get_pset_info(
    session: Handle,
    name: *const c_char,
    place: *mut Handle,
) -> c_int {
    always(|state, _| {
        known(state, session)?;
        let size = members(state, &text::read(name)?)?.size();
        put(place, info::add(state, Info(vec![("mpi_size".into(), size.to_string())])))
    })
}

pub(super) extern "C" fn get_info(session: Handle, place: *mut Handle) -> c_int {
    always(|state, _| {
        known(state, session)?;
        let level = ("thread_level".into(), "MPI_THREAD_MULTIPLE".into());
        put(place, info::add(state, Info(vec![level])))
    })
}

pub(super) extern "C" fn group_from_pset(
    session: Handle,
    name: *const c_char,
    place: *mut Handle,
) -> c_int {
    always(|state, site| {
        known(state, session)?;
        let made = group::add(state, site, members(state, &text::read(name)?)?);
        state.group_sessions.borrow_mut().insert(made, session);
        put(place, made)
    })
}

/// A number for a name, the same on all ranks.
fn tag_of(name: &str) -> i32 {
    let mixed = name.bytes().fold(5381u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    (mixed & 0x3fff_ffff) as i32
}

pub(super) extern "C" fn comm_create_from_group(
    group_handle: Handle,
    string: *const c_char,
    _info: Handle,
    _errors: Handle,
    place: *mut Handle,
) -> c_int {
    always(|state, site| {
        let members = group::of(state, group_handle)?;
        if members.rank_of(state.world_rank()).is_none() {
            return put(place, handle::COMM_NULL);
        }
        let parent = state.comm(handle::COMM_WORLD)?;
        let tag = tag_of(&text::read(string)?);
        let create = Operation::CreateGroupComm(parent.info.id, members, tag);
        let reply = state.kernel(site, create)?;
        let made = communicator::finish(state, site, reply, &parent, place)?;
        let session = state.group_sessions.borrow().get(&group_handle).copied();
        session.map_or(Ok(()), |session| {
            let number = number(state, session)?;
            state.join_session(site, made, number)
        })
    })
}

pub(super) extern "C" fn intercomm_create_from_groups(
    local: Handle,
    local_leader: c_int,
    remote: Handle,
    remote_leader: c_int,
    string: *const c_char,
    _info: Handle,
    _errors: Handle,
    place: *mut Handle,
) -> c_int {
    always(|state, site| {
        let members = group::of(state, local)?;
        let parent = state.comm(handle::COMM_WORLD)?;
        let tag = tag_of(&text::read(string)?);
        let create = Operation::CreateGroupComm(parent.info.id, members.clone(), tag);
        let mut half = handle::COMM_NULL;
        let reply = state.kernel(site, create)?;
        communicator::finish(state, site, reply, &parent, &raw mut half)?;
        let own = state.comm(half)?;
        let leader = u32::try_from(local_leader).ok().filter(|rank| *rank < own.size());
        let local_leader =
            leader.ok_or_else(|| Fault::new(class::RANK, format!("leader {local_leader}")))?;
        let peer = if own.info.rank == local_leader {
            let others = group::of(state, remote)?;
            let rank = u32::try_from(remote_leader).ok().filter(|rank| *rank < others.size());
            let rank =
                rank.ok_or_else(|| Fault::new(class::RANK, format!("leader {remote_leader}")))?;
            Some((parent.info.id, others.world_rank(rank)))
        } else {
            None
        };
        let comm = own.info.id;
        let create = Operation::CreateIntercomm { comm, local_leader, peer, tag };
        let reply = state.kernel(site, create)?;
        communicator::finish(state, site, reply, &parent, place)?;
        state.kernel(site, Operation::FreeComm(comm))?;
        state.comms.borrow_mut().remove(half);
        Ok(())
    })
}
