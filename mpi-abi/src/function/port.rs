//! Establishing communication between processes (MPI section 11.9): ports and published names.

use std::ffi::{c_char, c_int};

use mpi_api::{
    call::{PortCall, ProcessCall, Reply, Site},
    object::info::Info,
};
use sim_core::SimDuration;

use super::{communicator::finish, info, text};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Fault, Heritage, Mpi, State, argument, creating, local, put},
};

/// Performs a call that returns no name.
fn plain(state: &State, site: Site, operation: PortCall) -> Mpi {
    state.kernel(site, operation).map(|_| ())
}

/// Performs a call that returns the name of a port.
fn named(state: &State, site: Site, operation: PortCall, place: *mut c_char) -> Mpi {
    match state.kernel(site, operation)? {
        Reply::Name(name) => {
            let name = text::shortened(name, number::MAX_PORT_NAME - 1);
            text::copy_into(&name, text::PORT_NAME, place)
        }
        _ => Err(Fault::new(class::INTERN, "no port")),
    }
}

pub(super) extern "C-unwind" fn open_port(info: Handle, name: *mut c_char) -> c_int {
    local(|state, site| {
        info::known(state, info)?;
        named(state, site, PortCall::Open, name)
    })
}

pub(super) extern "C-unwind" fn close_port(name: *const c_char) -> c_int {
    local(|state, site| plain(state, site, PortCall::Close(text::read(name)?)))
}

/// Returns how long a group waits at a port, from the hint `timeout` in seconds.
fn timeout_of(hints: &Info) -> Mpi<Option<SimDuration>> {
    let hint = hints.0.iter().find(|(key, _)| key == "timeout");
    let Some((_, text)) = hint else { return Ok(None) };
    let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
    match seconds {
        Some(seconds) => Ok(Some(SimDuration::from_ps((seconds * 1e12) as u64))),
        None => {
            Err(Fault::new(class::INFO_VALUE, format!("timeout {text:?} is no time in seconds")))
        }
    }
}

/// Performs a collective call; name and hints are significant only at the root.
fn meet(
    (state, site): (&State, Site),
    (comm, root): (Handle, c_int),
    (name, hints, accepts): (*const c_char, Handle, bool),
    made: *mut Handle,
) -> Mpi {
    let group = state.intra(comm)?;
    let root = argument::root(root, group.size())?;
    let (mut port, mut timeout) = (None, None);
    if group.info.rank == root {
        timeout = timeout_of(&info::of(state, hints)?)?;
        port = Some(text::read(name)?);
    }
    let operation = ProcessCall::MeetAtPort { comm: group.info.id, root, port, accepts, timeout };
    put(made, handle::COMM_NULL)?;
    let reply = state.kernel(site, operation)?;
    finish(state, site, reply, Heritage::of(&group), made).map(|_| ())
}

pub(super) extern "C-unwind" fn comm_accept(
    name: *const c_char,
    info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
) -> c_int {
    creating(comm, (made, handle::COMM_NULL), |state, site| {
        meet((state, site), (comm, root), (name, info, true), made)
    })
}

pub(super) extern "C-unwind" fn comm_connect(
    name: *const c_char,
    info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
) -> c_int {
    creating(comm, (made, handle::COMM_NULL), |state, site| {
        meet((state, site), (comm, root), (name, info, false), made)
    })
}

/// Implements `MPI_Comm_join`, which always fails: sockets lead out of a simulated run.
pub(super) extern "C-unwind" fn comm_join(_descriptor: c_int, made: *mut Handle) -> c_int {
    creating(handle::COMM_NULL, (made, handle::COMM_NULL), |_, _| {
        put(made, handle::COMM_NULL)?;
        let text = "MPI_Comm_join: nobody of a simulated run is at the other end of a socket";
        Err(Fault::new(class::UNSUPPORTED_OPERATION, text))
    })
}

pub(super) extern "C-unwind" fn publish_name(
    service: *const c_char,
    info: Handle,
    port: *const c_char,
) -> c_int {
    local(|state, site| {
        info::known(state, info)?;
        let (service, port) = (text::read(service)?, text::read(port)?);
        plain(state, site, PortCall::Publish(service, port))
    })
}

pub(super) extern "C-unwind" fn unpublish_name(
    service: *const c_char,
    info: Handle,
    port: *const c_char,
) -> c_int {
    local(|state, site| {
        info::known(state, info)?;
        let (service, port) = (text::read(service)?, text::read(port)?);
        plain(state, site, PortCall::Unpublish(service, port))
    })
}

pub(super) extern "C-unwind" fn lookup_name(
    service: *const c_char,
    info: Handle,
    port: *mut c_char,
) -> c_int {
    local(|state, site| {
        info::known(state, info)?;
        named(state, site, PortCall::Lookup(text::read(service)?), port)
    })
}
