//! Processes that are started, or met, after the beginning (MPI sections 11.8 to 11.10).
//!
//! A simulated run has the processes it began with: what asks for others fails and says so. A port
//! cannot be opened, so no name of one is valid, and no service is published.

use std::ffi::{c_char, c_int, c_void};

use super::communicator::root_of;
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, State, array, call, local, put},
};

/// Functions that are there and always fail.
pub const REFUSED: [&str; 10] = [
    "MPI_Comm_spawn",
    "MPI_Comm_spawn_multiple",
    "MPI_Open_port",
    "MPI_Close_port",
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_join",
    "MPI_Publish_name",
    "MPI_Unpublish_name",
    "MPI_Lookup_name",
];

fn refused(class: i32, function: &str, why: &str) -> Mpi {
    Err(Fault::new(class, format!("{function}: {why}")))
}

const NO_PROCESSES: &str = "a simulated run has the processes it began with";
const NO_PORTS: &str = "processes of a simulated run have no ports: there is no other run to meet";

/// No communicator and, if wanted, the reason for each process.
fn nobody(count: i64, made: *mut Handle, codes: *mut c_int) -> Mpi {
    put(made, handle::COMM_NULL)?;
    let wanted = if codes.is_null() { 0 } else { count };
    (0..wanted as usize).try_for_each(|at| put(codes.wrapping_add(at), class::SPAWN))
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C" fn comm_spawn(
    _command: *const c_char,
    _arguments: *mut c_void,
    most: c_int,
    _info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
    codes: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        root_of(&*state.intra(comm)?, root)?;
        if most < 0 {
            return Err(Fault::new(class::ARG, format!("{most} processes")));
        }
        nobody(i64::from(most), made, codes)?;
        refused(class::SPAWN, "MPI_Comm_spawn", NO_PROCESSES)
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C" fn comm_spawn_multiple(
    count: c_int,
    _commands: *mut c_void,
    _arguments: *mut c_void,
    most: *const c_int,
    _infos: *const c_void,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
    codes: *mut c_int,
) -> c_int {
    call(comm, |state, _| {
        let parent = state.intra(comm)?;
        let root = root_of(&parent, root)?;
        // The lists count at the root only.
        let total = if parent.info.rank == root { total(count, most)? } else { 0 };
        nobody(total, made, codes)?;
        refused(class::SPAWN, "MPI_Comm_spawn_multiple", NO_PROCESSES)
    })
}

fn total(count: c_int, most: *const c_int) -> Mpi<i64> {
    let list = array(most, i64::from(count))?;
    match list.iter().find(|most| **most < 0) {
        Some(most) => Err(Fault::new(class::ARG, format!("{most} processes"))),
        None => Ok(list.iter().map(|most| i64::from(*most)).sum()),
    }
}

pub(super) extern "C" fn open_port(_info: Handle, _name: *mut c_char) -> c_int {
    local(|_, _| refused(class::UNSUPPORTED_OPERATION, "MPI_Open_port", NO_PORTS))
}

pub(super) extern "C" fn close_port(_name: *const c_char) -> c_int {
    local(|_, _| refused(class::PORT, "MPI_Close_port", NO_PORTS))
}

fn meet(state: &State, function: &str, (comm, root): (Handle, c_int), made: *mut Handle) -> Mpi {
    root_of(&*state.intra(comm)?, root)?;
    put(made, handle::COMM_NULL)?;
    refused(class::PORT, function, NO_PORTS)
}

pub(super) extern "C" fn comm_accept(
    _name: *const c_char,
    _info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
) -> c_int {
    call(comm, |state, _| meet(state, "MPI_Comm_accept", (comm, root), made))
}

pub(super) extern "C" fn comm_connect(
    _name: *const c_char,
    _info: Handle,
    root: c_int,
    comm: Handle,
    made: *mut Handle,
) -> c_int {
    call(comm, |state, _| meet(state, "MPI_Comm_connect", (comm, root), made))
}

pub(super) extern "C" fn comm_join(_descriptor: c_int, made: *mut Handle) -> c_int {
    local(|_, _| {
        put(made, handle::COMM_NULL)?;
        refused(class::UNSUPPORTED_OPERATION, "MPI_Comm_join", NO_PORTS)
    })
}

const NO_SERVICES: &str = "a simulated run has no name service";

pub(super) extern "C" fn publish_name(
    _service: *const c_char,
    _info: Handle,
    _port: *const c_char,
) -> c_int {
    local(|_, _| refused(class::UNSUPPORTED_OPERATION, "MPI_Publish_name", NO_SERVICES))
}

pub(super) extern "C" fn unpublish_name(
    _service: *const c_char,
    _info: Handle,
    _port: *const c_char,
) -> c_int {
    local(|_, _| refused(class::SERVICE, "MPI_Unpublish_name", NO_SERVICES))
}

pub(super) extern "C" fn lookup_name(
    _service: *const c_char,
    _info: Handle,
    _port: *mut c_char,
) -> c_int {
    local(|_, _| refused(class::NAME, "MPI_Lookup_name", NO_SERVICES))
}
