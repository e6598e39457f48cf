//! Sends and receives (MPI chapter 3).

use std::{
    ffi::{c_int, c_void},
    slice,
};

use mpi_api::{
    call::{Incoming, MessageCall, Mode, Outgoing, Payload, Site, Source},
    finding::CallPlace,
};
use smallvec::smallvec;

use super::{
    asserted,
    block::Block,
    finish::finish,
    guard::{self, Memory},
    request::{self, Filling, Work},
    short,
    status::Status,
    transfer::Part,
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, Mpi, Number, State, argument, call, creating, wanted},
};

/// Returns what an operation with another rank uses of its buffer: nothing if that is the null process, with which an operation
/// has no effect (MPI 5.0, 3.10).
fn used(part: Part, peer: c_int) -> Part {
    if peer == number::PROC_NULL { Part { count: 0, ..part } } else { part }
}

pub(super) fn destination(comm: &Comm, dest: c_int) -> Mpi<Option<u32>> {
    if dest == number::PROC_NULL {
        return Ok(None);
    }
    argument::rank("destination rank", dest, comm.peers()).map(Some)
}

pub(super) fn origin(comm: &Comm, source: c_int) -> Mpi<Source> {
    match source {
        number::PROC_NULL => Ok(Source::Null),
        number::ANY_SOURCE => Ok(Source::Any),
        rank => argument::rank("source rank", rank, comm.peers()).map(Source::Rank),
    }
}

fn accepted(tag: c_int) -> Mpi<Option<i32>> {
    match tag {
        number::ANY_TAG => Ok(None),
        tag => argument::tag(tag).map(|()| Some(tag)),
    }
}

/// Returns what a receive or probe matches.
pub(super) fn matching(
    state: &State,
    comm: &Comm,
    (source, tag): (c_int, c_int),
) -> Mpi<(Source, Option<i32>)> {
    let (source, tag) = (origin(comm, source)?, accepted(tag)?);
    asserted::check_wildcards(state, comm, source, tag)?;
    Ok((source, tag))
}

/// Builds the kernel's arguments of a send, without the data.
fn outgoing(
    state: &State,
    part: &Part,
    (dest, tag): (c_int, c_int),
    comm: Handle,
    mode: Mode,
) -> Mpi<Outgoing> {
    let comm = state.comm(comm)?;
    part.check_message()?;
    argument::tag(tag)?;
    Ok(Outgoing {
        comm: comm.info.id,
        dest: destination(&comm, dest)?,
        tag,
        mode,
        payload: Payload::EMPTY,
        signature: part.signature(),
        layout: part.layout(),
    })
}

/// Checks that a datatype may be received into: one that names a byte twice may be sent, but not
/// received into (MPI section 5.1.11).
pub(super) fn receivable(part: &Part) -> Mpi {
    part.check_message()?;
    if part.datatype.overlaps(part.count as u64) && !guard::may_overlap() {
        return Err(Fault::new(class::TYPE, "entries of the receive datatype overlap"));
    }
    Ok(())
}

fn incoming(
    state: &State,
    part: &Part,
    (source, tag): (c_int, c_int),
    comm: Handle,
) -> Mpi<Incoming> {
    let comm = state.comm(comm)?;
    receivable(part)?;
    let (source, tag) = matching(state, &comm, (source, tag))?;
    Ok(Incoming {
        comm: comm.info.id,
        source,
        tag,
        capacity: part.bytes(),
        signature: part.signature(),
        layout: part.layout(),
    })
}

macro_rules! sends {
    ($($mode:ident: $blocking:ident $immediate:ident $init:ident
        $blocking_name:literal $name:literal $init_name:literal;)*) => {$(
        pub(super) extern "C-unwind" fn $blocking<N: Number>(
            buffer: *const c_void,
            count: N,
            datatype: Handle,
            dest: c_int,
            tag: c_int,
            comm: Handle,
        ) -> c_int {
            if matches!(Mode::$mode, Mode::Standard) {
                let block = Block::new(buffer as usize, count.wide(), datatype);
                if let Some(code) = short::send(block, (dest, tag), comm) {
                    return code;
                }
            }
            call(comm, |state, site| {
                let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
                let mut message = outgoing(state, &part, (dest, tag), comm, Mode::$mode)?;
                let part = used(part, dest);
                guard::during(state, CallPlace { call: $blocking_name, site }, Memory::read(&part), || {
                    message.payload = part.message(state.carried());
                    state.kernel(site, MessageCall::Send(message)).map(|_| ())
                })
            })
        }

        pub(super) extern "C-unwind" fn $immediate<N: Number>(
            buffer: *const c_void,
            count: N,
            datatype: Handle,
            dest: c_int,
            tag: c_int,
            comm: Handle,
            request: *mut Handle,
        ) -> c_int {
            if matches!(Mode::$mode, Mode::Standard) {
                let from = (buffer as usize, count.wide(), datatype);
                if let Some(code) = short::isend(from, (dest, tag), comm, request) {
                    return code;
                }
            }
            creating(comm, (request, handle::REQUEST_NULL), |state, site| {
                wanted(request)?;
                let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
                let mut message = outgoing(state, &part, (dest, tag), comm, Mode::$mode)?;
                let part = used(part, dest);
                let at = (comm, CallPlace { call: $name, site });
                guard::compare(state, at.1, Memory::read(&part))?;
                message.payload = part.message(state.carried());
                let digest = guard::digest_of(&message.payload);
                let reply = state.kernel(site, MessageCall::StartSend(message))?;
                request::sending(state, reply, at, (part, digest), request)
            })
        }

        pub(super) extern "C-unwind" fn $init<N: Number>(
            buffer: *const c_void,
            count: N,
            datatype: Handle,
            dest: c_int,
            tag: c_int,
            comm: Handle,
            request: *mut Handle,
        ) -> c_int {
            creating(comm, (request, handle::REQUEST_NULL), |state, site| {
                wanted(request)?;
                let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
                let message = outgoing(state, &part, (dest, tag), comm, Mode::$mode)?;
                let reply = state.kernel(site, MessageCall::InitSend(message))?;
                let at = (comm, CallPlace { call: $init_name, site });
                let work = Work::Send(smallvec![used(part, dest)]);
                request::persistent(state, reply, at, work, request)
            })
        }
    )*};
}

sends! {
    Standard: send isend send_init "MPI_Send" "MPI_Isend" "MPI_Send_init";
    Buffered: bsend ibsend bsend_init "MPI_Bsend" "MPI_Ibsend" "MPI_Bsend_init";
    Synchronous: ssend issend ssend_init "MPI_Ssend" "MPI_Issend" "MPI_Ssend_init";
    Ready: rsend irsend rsend_init "MPI_Rsend" "MPI_Irsend" "MPI_Rsend_init";
}

pub(super) extern "C-unwind" fn recv<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    source: c_int,
    tag: c_int,
    comm: Handle,
    status: *mut Status,
) -> c_int {
    let block = Block::new(buffer as usize, count.wide(), datatype);
    if let Some(code) = short::recv(block, (source, tag), comm, status) {
        return code;
    }
    call(comm, |state, site| {
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let room = incoming(state, &part, (source, tag), comm)?;
        let part = used(part, source);
        let memory = Memory::written(&part);
        let reply = guard::during(state, CallPlace { call: "MPI_Recv", site }, memory, || {
            state.kernel(site, MessageCall::Receive(room))
        })?;
        finish((state, site, comm), &part, reply, status)
    })
}

pub(super) extern "C-unwind" fn irecv<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    source: c_int,
    tag: c_int,
    comm: Handle,
    request: *mut Handle,
) -> c_int {
    let into = (buffer as usize, count.wide(), datatype);
    if let Some(code) = short::irecv(into, (source, tag), comm, request) {
        return code;
    }
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let room = incoming(state, &part, (source, tag), comm)?;
        let reply = state.kernel(site, MessageCall::StartReceive(room))?;
        let at = (comm, CallPlace { call: "MPI_Irecv", site });
        let work = Work::filling(smallvec![used(part, source)]);
        request::started(state, reply, at, work, request)
    })
}

pub(super) extern "C-unwind" fn recv_init<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    source: c_int,
    tag: c_int,
    comm: Handle,
    request: *mut Handle,
) -> c_int {
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let room = incoming(state, &part, (source, tag), comm)?;
        let reply = state.kernel(site, MessageCall::InitReceive(room))?;
        let at = (comm, CallPlace { call: "MPI_Recv_init", site });
        let work = Work::filling(smallvec![used(part, source)]);
        request::persistent(state, reply, at, work, request)
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn sendrecv<N: Number>(
    send: *const c_void,
    send_count: N,
    send_type: Handle,
    dest: c_int,
    send_tag: c_int,
    receive: *mut c_void,
    receive_count: N,
    receive_type: Handle,
    source: c_int,
    receive_tag: c_int,
    comm: Handle,
    status: *mut Status,
) -> c_int {
    let from = Block::new(send as usize, send_count.wide(), send_type);
    let into = Block::new(receive as usize, receive_count.wide(), receive_type);
    let (from, into) = ((from, dest, send_tag), (into, source, receive_tag));
    if let Some(code) = short::sendrecv(from, into, comm, status) {
        return code;
    }
    call(comm, |state, site| {
        let from = Part::new(state, send as usize, send_count.wide(), send_type)?;
        let into = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
        apart((&from, dest), (&into, source))?;
        exchange(state, site, comm, (from, dest, send_tag), (into, source, receive_tag), status)
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn sendrecv_replace<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    dest: c_int,
    send_tag: c_int,
    source: c_int,
    receive_tag: c_int,
    comm: Handle,
    status: *mut Status,
) -> c_int {
    call(comm, |state, site| {
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let from = (part.clone(), dest, send_tag);
        exchange(state, site, comm, from, (part, source, receive_tag), status)
    })
}

/// Checks that the two buffers of an exchange share no memory, if both are used (MPI section 3.10).
fn apart((from, dest): (&Part, c_int), (into, source): (&Part, c_int)) -> Mpi {
    let used = dest != number::PROC_NULL && source != number::PROC_NULL;
    let [from, into] = [from, into].map(slice::from_ref);
    if used && guard::overlap(from, into) {
        let text = "the buffers overlap; MPI_Sendrecv_replace has one buffer";
        return Err(guard::overlapping(from, into, text));
    }
    Ok(())
}

/// Builds the kernel's arguments of both halves of an exchange.
fn halves(
    state: &State,
    (comm, by): (Handle, CallPlace),
    (from, dest, send_tag): (&Part, c_int, c_int),
    (into, source, receive_tag): (&Part, c_int, c_int),
) -> Mpi<(Outgoing, Incoming)> {
    let mut message = outgoing(state, from, (dest, send_tag), comm, Mode::Standard)?;
    let room = incoming(state, into, (source, receive_tag), comm)?;
    if dest != number::PROC_NULL {
        guard::compare(state, by, Memory::read(from))?;
        message.payload = from.message(state.carried());
    }
    Ok((message, room))
}

fn exchange(
    state: &State,
    site: Site,
    comm: Handle,
    (from, dest, send_tag): (Part, c_int, c_int),
    (into, source, receive_tag): (Part, c_int, c_int),
    status: *mut Status,
) -> Mpi {
    let (send, receive) = ((&from, dest, send_tag), (&into, source, receive_tag));
    let origin = CallPlace::at(site, "MPI_Sendrecv");
    let (message, room) = halves(state, (comm, origin), send, receive)?;
    let (from, into) = (used(from, dest), used(into, source));
    guard::pass(state, origin, Memory::read(&from))?;
    guard::pass(state, origin, Memory::written(&into))?;
    let (from, written) = (slice::from_ref(&from), slice::from_ref(&into));
    let memory = Memory { reads: from, writes: written };
    let reply = guard::owning(state, origin, memory, || {
        state.kernel(site, MessageCall::SendReceive(message, room))
    })?;
    finish((state, site, comm), &into, reply, status)
}

/// A nonblocking send-receive: a send and a receive under way together, with one request.
#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn isendrecv<N: Number>(
    send: *const c_void,
    send_count: N,
    send_type: Handle,
    dest: c_int,
    send_tag: c_int,
    receive: *mut c_void,
    receive_count: N,
    receive_type: Handle,
    source: c_int,
    receive_tag: c_int,
    comm: Handle,
    request: *mut Handle,
) -> c_int {
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let from = Part::new(state, send as usize, send_count.wide(), send_type)?;
        let into = Part::new(state, receive as usize, receive_count.wide(), receive_type)?;
        apart((&from, dest), (&into, source))?;
        both(state, site, comm, (from, dest, send_tag), (into, source, receive_tag), request)
    })
}

#[allow(clippy::too_many_arguments, reason = "the standard's")]
pub(super) extern "C-unwind" fn isendrecv_replace<N: Number>(
    buffer: *mut c_void,
    count: N,
    datatype: Handle,
    dest: c_int,
    send_tag: c_int,
    source: c_int,
    receive_tag: c_int,
    comm: Handle,
    request: *mut Handle,
) -> c_int {
    creating(comm, (request, handle::REQUEST_NULL), |state, site| {
        wanted(request)?;
        let part = Part::new(state, buffer as usize, count.wide(), datatype)?;
        let from = (part.clone(), dest, send_tag);
        both(state, site, comm, from, (part, source, receive_tag), request)
    })
}

fn both(
    state: &State,
    site: Site,
    comm: Handle,
    (from, dest, send_tag): (Part, c_int, c_int),
    (into, source, receive_tag): (Part, c_int, c_int),
    request: *mut Handle,
) -> Mpi {
    let (send, receive) = ((&from, dest, send_tag), (&into, source, receive_tag));
    let at = (comm, CallPlace { call: "MPI_Isendrecv", site });
    let (message, room) = halves(state, at, send, receive)?;
    let reply = state.kernel(site, MessageCall::StartSendReceive(message, Box::new(room)))?;
    let (from, into) = (used(from, dest), used(into, source));
    let is_one = from.address == into.address && into.count > 0;
    let from = if is_one { smallvec![] } else { smallvec![from] };
    request::started_with(state, reply, at, (smallvec![into], from, Filling::Exchange), request)
}
