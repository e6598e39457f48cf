//! Sessions (MPI section 11.3): the process sets `mpi://WORLD` and `mpi://SELF`.

use std::{
    cell::Cell,
    ffi::{c_char, c_int},
    rc::Rc,
};

use mpi_api::{
    call::{CommCall, CommId, ProcessCall, Site},
    object::group::Group,
};

use super::{communicator, error, group, info, request::peek, text};
use crate::{
    constant::{Handle, class, handle},
    memory::get,
    state::{
        Fault, HandlerOf, Heritage, Info, Mpi, Session, Source, Stage, State, always, here, put,
    },
};

const SETS: [&str; 2] = ["mpi://WORLD", "mpi://SELF"];

/// A process set (MPI 11.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessSet {
    /// The set `mpi://WORLD`.
    World,
    /// The set `mpi://SELF`.
    Own,
}

/// Returns the process set of this name. Names are compared without regard to case (MPI 11.3.2).
pub(super) fn set_of(name: &str) -> Option<ProcessSet> {
    let sets = [ProcessSet::World, ProcessSet::Own];
    SETS.iter().zip(sets).find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, set)| set)
}

pub(super) extern "C-unwind" fn init(given: Handle, errors: Handle, session: *mut Handle) -> c_int {
    always(|state, _| {
        put(session, handle::SESSION_NULL)?;
        error::known(state, errors, HandlerOf::Session)?;
        let made = Session { handler: Cell::new(errors), hints: info::of(state, given)? };
        put(session, state.rare().sessions.borrow_mut().insert(Rc::new(made)))
    })
}

fn known(state: &State, session: Handle) -> Mpi<Rc<Session>> {
    let found = state.rare().sessions.borrow().get(session).cloned();
    found.ok_or_else(|| Fault::new(class::SESSION, "the session is null or was finalized"))
}

/// Runs the body of a function that reports errors through a session.
fn of(session: Handle, body: impl FnOnce(&State, Site, &Session) -> Mpi) -> c_int {
    always(|state, site| {
        let found = known(state, session)?;
        // A handler may return the code; it must not be raised a second time.
        match body(state, site, &found) {
            Ok(()) => Ok(()),
            Err(fault) => {
                Err(state.hear(site, found.handler.get(), (session, CommId::SELF), fault))
            }
        }
    })
}

/// Returns the number of a session, which is its handle and fits a Fortran integer.
pub(super) fn number(state: &State, session: Handle) -> Mpi<u32> {
    known(state, session)?;
    Ok(session as u32)
}

pub(super) extern "C-unwind" fn finalize(session: *mut Handle) -> c_int {
    always(|state, site| {
        let given = peek(session)?;
        known(state, given)?;
        state.rare().sessions.borrow_mut().remove(given);
        state.rare().ended_session.set(true);
        // What is left belongs to sessions that have ended (MPI 11.3.1), and to the world if that has; otherwise
        // `MPI_Finalize` tells of it.
        if state.stage.get() != Stage::Running && !state.has_session() {
            state.report_leaks(site)?;
            state.kernel(site, ProcessCall::EndSessions)?;
        }
        put(session, handle::SESSION_NULL)
    })
}

pub(super) extern "C-unwind" fn set_errhandler(session: Handle, errors: Handle) -> c_int {
    of(session, |state, _, found| {
        error::known(state, errors, HandlerOf::Session)?;
        found.handler.set(errors);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn get_errhandler(session: Handle, place: *mut Handle) -> c_int {
    of(session, |state, _, found| error::give(state, found.handler.get(), place))
}

pub(super) extern "C-unwind" fn call_errhandler(session: Handle, code: c_int) -> c_int {
    let site = here();
    always(|state, _| {
        let found = known(state, session)?;
        state.call_handler(site, found.handler.get(), (session, CommId::SELF), code);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn get_num_psets(
    session: Handle,
    info: Handle,
    count: *mut c_int,
) -> c_int {
    of(session, |state, _, _| {
        info::known(state, info)?;
        put(count, SETS.len() as c_int)
    })
}

pub(super) extern "C-unwind" fn get_nth_pset(
    session: Handle,
    info: Handle,
    at: c_int,
    length: *mut c_int,
    name: *mut c_char,
) -> c_int {
    of(session, |state, _, _| {
        info::known(state, info)?;
        let found = usize::try_from(at).ok().and_then(|at| SETS.get(at));
        let found = found.ok_or_else(|| Fault::new(class::ARG, format!("no process set {at}")))?;
        let room = get(length, "the address of a number")?;
        if room > 0 {
            let kept = &found[..found.len().min(room as usize - 1)];
            text::copy(kept, name)?;
        }
        put(length, found.len() as c_int + 1)
    })
}

/// Returns the members of a process set.
fn members(state: &State, name: &str) -> Mpi<Group> {
    match set_of(name) {
        Some(ProcessSet::World) => Ok(state.world_group()),
        Some(ProcessSet::Own) => Ok(Group::range(state.number(), 1)),
        None => Err(Fault::new(class::ARG, format!("there is no process set {name}"))),
    }
}

pub(super) extern "C-unwind" fn get_pset_info(
    session: Handle,
    name: *const c_char,
    place: *mut Handle,
) -> c_int {
    of(session, |state, _, _| {
        let size = members(state, &text::read(name)?)?.size();
        put(place, info::add(state, Info(vec![("mpi_size".into(), size.to_string())])))
    })
}

pub(super) extern "C-unwind" fn get_info(session: Handle, place: *mut Handle) -> c_int {
    of(session, |state, _, found| {
        let mut hints = found.hints.recognised();
        hints.set("thread_level".into(), info::thread_level(state));
        let hints = info::with_memory_kinds(hints);
        put(place, info::add(state, hints))
    })
}

pub(super) extern "C-unwind" fn group_from_pset(
    session: Handle,
    name: *const c_char,
    place: *mut Handle,
) -> c_int {
    of(session, |state, site, _| {
        // The call returns a null group if there is no such set (MPI 7.3.2).
        put(place, handle::GROUP_NULL)?;
        let members = members(state, &text::read(name)?)?;
        let source = Source::Session(number(state, session)?);
        put(place, group::add(state, site, members, Some(source)))
    })
}

/// Returns a number for a string tag, the same on all ranks.
fn tag_of(name: &str) -> i32 {
    let mixed = name.bytes().fold(5381u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    (mixed & 0x3fff_ffff) as i32
}

/// Runs the body of a function that creates a communicator from groups, with its hints and the
/// error handler that handles errors of the call.
fn making(
    (errors, hints): (Handle, Handle),
    place: *mut Handle,
    body: impl FnOnce(&State, Site, Heritage) -> Mpi,
) -> c_int {
    always(|state, site| {
        communicator::none_yet(place)?;
        error::known(state, errors, HandlerOf::Comm)?;
        let made = info::of(state, hints)
            .and_then(|hints| body(state, site, Heritage { hints, ..Heritage::handler(errors) }));
        made.map_err(|fault| state.hear(site, errors, (handle::COMM_SELF, CommId::SELF), fault))
    })
}

pub(super) extern "C-unwind" fn comm_create_from_group(
    group_handle: Handle,
    string: *const c_char,
    hints: Handle,
    errors: Handle,
    place: *mut Handle,
) -> c_int {
    making((errors, hints), place, |state, site, heritage| {
        let members = group::of(state, group_handle)?;
        let text = text::read(string)?;
        if members.rank_of(state.number()).is_none() {
            return Ok(());
        }
        let heritage = Heritage { source: source_of(state, group_handle)?, ..heritage };
        let create = CommCall::CreateFromNamedGroup(members, text);
        let reply = state.kernel(site, create)?;
        let made = communicator::finish(state, site, reply, heritage, place)?;
        state.tell_handler(site, &*state.comm(made)?)
    })
}

/// Returns what a communicator of a group is derived from; an error if that session was finalized.
fn source_of(state: &State, group: Handle) -> Mpi<Source> {
    let source = group::source_of(state, group).unwrap_or_default();
    source.session().map_or(Ok(source), |session| known(state, session as Handle).map(|_| source))
}

fn leader(group: &Group, rank: c_int) -> Mpi<u32> {
    let known = u32::try_from(rank).ok().filter(|rank| *rank < group.size());
    known.ok_or_else(|| Fault::new(class::RANK, format!("leader {rank} is not in the group")))
}

pub(super) extern "C-unwind" fn intercomm_create_from_groups(
    local: Handle,
    local_leader: c_int,
    remote: Handle,
    remote_leader: c_int,
    string: *const c_char,
    hints: Handle,
    errors: Handle,
    place: *mut Handle,
) -> c_int {
    making((errors, hints), place, |state, site, heritage| {
        let (members, others) = group::pair(state, local, remote)?;
        let local_leader = leader(&members, local_leader)?;
        let other = others.world_rank(leader(&others, remote_leader)?);
        if others.to_vec().iter().any(|world| members.rank_of(*world).is_some()) {
            return Err(Fault::new(class::GROUP, "the two groups have members in common"));
        }
        if members.rank_of(state.number()).is_none() {
            return Err(Fault::new(class::GROUP, "this process is not in the local group"));
        }
        let heritage = Heritage { source: source_of(state, local)?, ..heritage };
        let text = text::read(string)?;
        let tag = tag_of(&text);
        let create = CommCall::CreateFromNamedGroup(members.clone(), text);
        let mut half = handle::COMM_NULL;
        let reply = state.kernel(site, create)?;
        communicator::finish(state, site, reply, heritage.clone(), &raw mut half)?;
        state.tell_handler(site, &*state.comm(half)?)?;
        let comm = state.comm(half)?.info.id;
        let leads = members.rank_of(state.number()) == Some(local_leader);
        let peer = leads.then_some((CommId::WORLD, other));
        let create = CommCall::CreateInter { comm, local_leader, peer, tag };
        let reply = state.kernel(site, create)?;
        communicator::finish(state, site, reply, heritage, place)?;
        state.kernel(site, CommCall::Free(comm))?;
        state.remove_comm(half);
        Ok(())
    })
}
