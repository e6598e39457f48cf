//! Probes, and receives of matched messages (MPI section 3.8).

use std::ffi::{c_int, c_void};

use mpi_api::{
    call::{CommId, Incoming, MatchedId, ProbeCall, Reply, Source},
    finding::CallPlace,
    object::status::Status as Seen,
};

use smallvec::smallvec;

use super::{
    finish::{completed, finish},
    guard::{self, Memory},
    point_to_point::{matching, receivable},
    request::{self, Work},
    status::{Status, leave_undefined},
    transfer::Part,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Matched, Mpi, Number, State, call, creating, put, wanted},
};

/// Writes the status of a message that was found.
fn tell(state: &State, seen: &Seen, status: *mut Status) {
    Status::probed(seen, state.compared.is_some()).store(status);
}

pub(super) extern "C-unwind" fn probe(
    source: c_int,
    tag: c_int,
    comm: Handle,
    status: *mut Status,
) -> c_int {
    call(comm, |state, site| {
        let place = state.comm(comm)?;
        let (source, tag) = matching(state, &place, (source, tag))?;
        let ask = ProbeCall::Blocking(place.info.id, source, tag);
        let completion = completed(state.kernel(site, ask)?);
        tell(state, &completion.status, status);
        Ok(())
    })
}

pub(super) extern "C-unwind" fn iprobe(
    source: c_int,
    tag: c_int,
    comm: Handle,
    flag: *mut c_int,
    status: *mut Status,
) -> c_int {
    call(comm, |state, site| {
        let place = state.comm(comm)?;
        let (source, tag) = matching(state, &place, (source, tag))?;
        let ask = ProbeCall::Immediate(place.info.id, source, tag);
        match state.kernel(site, ask)? {
            Reply::Completed(completion) => {
                tell(state, &completion.status, status);
                put(flag, 1)
            }
            _ => {
                leave_undefined(state, status, 1);
                put(flag, 0)
            }
        }
    })
}

fn found(
    state: &State,
    (reply, comm): (Reply, Handle),
    message: *mut Handle,
    status: *mut Status,
) -> Mpi<bool> {
    let Reply::Matched(id, seen) = reply else {
        leave_undefined(state, status, 1);
        return Ok(false);
    };
    let made = if id == MatchedId::NO_PROC {
        handle::MESSAGE_NO_PROC
    } else {
        state.rare().messages.borrow_mut().insert(Matched { id, comm })
    };
    put(message, made)?;
    tell(state, &seen, status);
    Ok(true)
}

pub(super) extern "C-unwind" fn mprobe(
    source: c_int,
    tag: c_int,
    comm: Handle,
    message: *mut Handle,
    status: *mut Status,
) -> c_int {
    creating(comm, (message, handle::MESSAGE_NULL), |state, site| {
        let place = state.comm(comm)?;
        wanted(message)?;
        let (source, tag) = matching(state, &place, (source, tag))?;
        let ask = ProbeCall::Matched(place.info.id, source, tag);
        let reply = state.kernel(site, ask)?;
        found(state, (reply, comm), message, status).map(|_| ())
    })
}

pub(super) extern "C-unwind" fn improbe(
    source: c_int,
    tag: c_int,
    comm: Handle,
    flag: *mut c_int,
    message: *mut Handle,
    status: *mut Status,
) -> c_int {
    creating(comm, (message, handle::MESSAGE_NULL), |state, site| {
        let place = state.comm(comm)?;
        wanted(flag)?;
        wanted(message)?;
        let (source, tag) = matching(state, &place, (source, tag))?;
        let ask = ProbeCall::ImmediateMatched(place.info.id, source, tag);
        let reply = state.kernel(site, ask)?;
        put(flag, c_int::from(found(state, (reply, comm), message, status)?))
    })
}

/// Returns the communicator of a message, whose error handler handles errors of its receive.
fn comm_of(message: *const Handle) -> Handle {
    let found = || {
        let given = request::peek(message).ok()?;
        State::current()?.rare().messages.borrow().get(given).map(|matched| matched.comm)
    };
    found().unwrap_or(handle::COMM_NULL)
}

/// Takes the message of a handle, which becomes null, and returns its number and the receive to
/// perform.
fn take(state: &State, message: *mut Handle, part: &Part) -> Mpi<(MatchedId, Incoming)> {
    receivable(part)?;
    let (id, comm) = match request::peek(message)? {
        handle::MESSAGE_NO_PROC => (MatchedId::NO_PROC, CommId::WORLD),
        other => {
            let taken = state.rare().messages.borrow_mut().remove(other);
            let text = "the message is null or was received";
            let taken = taken.ok_or_else(|| Fault::new(class::REQUEST, text))?;
            // The communicator may have been freed since the probe.
            let comm = state.comm(taken.comm).map_or(CommId::WORLD, |comm| comm.info.id);
            (taken.id, comm)
        }
    };
    put(message, handle::MESSAGE_NULL)?;
    let room = Incoming {
        comm,
        source: Source::Any,
        tag: None,
        capacity: part.bytes(),
        signature: part.signature(),
        layout: part.layout(),
    };
    Ok((id, room))
}

pub(super) extern "C-unwind" fn mrecv<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    message: *mut Handle,
    status: *mut Status,
) -> c_int {
    let comm = comm_of(message);
    call(comm, |state, site| {
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let (id, room) = take(state, message, &part)?;
        let reply = guard::during(
            state,
            CallPlace { call: "MPI_Mrecv", site },
            Memory::written(&part),
            || state.kernel(site, ProbeCall::Receive(id, room)),
        )?;
        finish((state, site, comm), &part, reply, status)
    })
}

pub(super) extern "C-unwind" fn imrecv<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    message: *mut Handle,
    request: *mut Handle,
) -> c_int {
    let comm = comm_of(message);
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let (id, room) = take(state, message, &part)?;
        let reply = state.kernel(site, ProbeCall::StartReceive(id, room))?;
        let at = (comm, CallPlace { call: "MPI_Imrecv", site });
        request::started(state, reply, at, Work::filling(smallvec![part]), request)
    })
}
