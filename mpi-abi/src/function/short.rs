//! The short path of the most frequent calls: blocking sends and receives of basic types, in a rank
//! in which nothing unusual is under way.
//!
//! Each function here returns `None`, before it has had any effect, if anything is unusual: a
//! derived type, an operation that owns memory, an invalid argument. The general path then handles
//! the call, so that errors are reported in one place only.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, ptr, slice};

use mpi_api::{
    call::{Incoming, Layout, MessageCall, Mode, Outgoing, Payload, Reply, RequestId, Source},
    object::{
        datatype::Comb,
        signature::{Kind, Primitive, Signature},
    },
};

use super::{
    guard,
    point_to_point::finish_reply,
    request,
    status::Status,
    transfer::{SENTINEL_MAX, payload_of},
};
use crate::{
    constant::{Handle, class, handle, number},
    state::{Comm, Fault, Mpi, State, here, primitive_of},
};
use guest::watch;

/// Handles of predefined types are below this value.
const BASIC_END: usize = handle::FIRST;
/// Handles of predefined types are not below this value.
const BASIC_BEGIN: usize = 0x200;

/// The basic types by handle. Pair types are missing: their values consist of two basic types.
static BASIC: [Option<Primitive>; BASIC_END - BASIC_BEGIN] = {
    let mut table = [None; BASIC_END - BASIC_BEGIN];
    let mut at = 0;
    while at < table.len() {
        if let Some(primitive) = primitive_of(BASIC_BEGIN + at)
            && !matches!(primitive.kind(), Kind::Pair)
        {
            table[at] = Some(primitive);
        }
        at += 1;
    }
    table
};

/// A block of elements of a basic type in the program's memory.
#[derive(Clone, Copy)]
pub(super) struct Block {
    address: usize,
    bytes: usize,
    primitive: Primitive,
    count: u64,
}

impl Block {
    /// Creates the block from the buffer, count and datatype arguments of a function, if they are
    /// valid and the datatype is a basic type.
    #[inline(always)]
    pub(super) fn new(address: usize, count: i64, datatype: Handle) -> Option<Self> {
        let primitive = (*BASIC.get(datatype.wrapping_sub(BASIC_BEGIN))?)?;
        let count = u64::try_from(count).ok()?;
        let bytes = count.checked_mul(primitive.size() as u64)?;
        if bytes > i64::MAX as u64 || (bytes > 0 && address <= SENTINEL_MAX) {
            return None;
        }
        Some(Self { address, bytes: bytes as usize, primitive, count })
    }

    fn signature(self) -> Signature {
        // The same as `Signature::of` returns for a type that is not a pair.
        Signature::One(self.primitive, self.count)
    }

    #[inline(always)]
    fn payload(self) -> Payload {
        if self.bytes == 0 {
            return Payload::EMPTY;
        }
        // SAFETY: the standard has the program pass memory that holds `count` elements.
        Payload::from_slice(unsafe { slice::from_raw_parts(self.address as *const u8, self.bytes) })
    }

    /// Reports whether a blocking operation may use the block: no pending operation owns it.
    #[inline(always)]
    fn is_free(self, state: &State, writes: bool) -> bool {
        let claims = state.claims.borrow();
        claims.is_empty() || {
            let start = self.address as i64;
            claims.leave_free(Comb::block(start, start.wrapping_add(self.bytes as i64)), writes)
        }
    }

    /// Reports whether the two blocks share a byte.
    fn overlaps(self, other: Self) -> bool {
        self.address < other.address.wrapping_add(other.bytes)
            && other.address < self.address.wrapping_add(self.bytes)
    }

    /// Stores received data, which are not longer than the block.
    #[inline(always)]
    fn put(self, data: &[u8]) {
        let to = self.address as *mut u8;
        // SAFETY: the standard has the program pass memory for `count` elements, and the kernel gives
        // no more bytes than there is room for.
        unsafe {
            match data.len() {
                0 => {}
                // Single numbers, by far the most frequent sizes, are copied as words.
                4 => ptr::copy_nonoverlapping(data.as_ptr(), to, 4),
                8 => ptr::copy_nonoverlapping(data.as_ptr(), to, 8),
                bytes => ptr::copy_nonoverlapping(data.as_ptr(), to, bytes),
            }
        }
    }

    #[inline(always)]
    fn room(self) -> Room {
        Room { bytes: self.bytes as u64, signature: self.signature(), layout: Layout::Dense }
    }

    /// Completes a receive into the block.
    #[inline(always)]
    fn finish(self, reply: Result<Reply, Fault>, status: *mut Status) -> Result<(), Fault> {
        match reply? {
            Reply::Received(received) => {
                let data = received.payload.as_slice();
                self.put(data);
                if !status.is_null() {
                    let (source, tag) = (received.source as c_int, received.tag);
                    Status::received(source, tag, data.len() as u64).store(status);
                }
                Ok(())
            }
            reply => finish_reply(reply, |data| self.put(data), status),
        }
    }
}

/// The size, types and layout of a buffer.
struct Room {
    bytes: u64,
    signature: Signature,
    layout: Layout,
}

impl Room {
    /// Builds the kernel's arguments of a standard send from the buffer, without the data.
    #[inline(always)]
    fn outgoing(self, comm: &Comm, dest: c_int, tag: c_int) -> Option<Outgoing> {
        let dest = u32::try_from(dest).ok().filter(|dest| *dest < comm.peers())?;
        self.to(comm, Some(dest), tag)
    }

    #[inline(always)]
    fn to(self, comm: &Comm, dest: Option<u32>, tag: c_int) -> Option<Outgoing> {
        (tag >= 0).then_some(Outgoing {
            comm: comm.info.id,
            dest,
            tag,
            mode: Mode::Standard,
            payload: Payload::EMPTY,
            signature: self.signature,
            layout: self.layout,
        })
    }

    /// Builds the kernel's arguments of a receive into the buffer.
    #[inline(always)]
    fn incoming(self, comm: &Comm, source: c_int, tag: c_int) -> Option<Incoming> {
        let source = match source {
            number::ANY_SOURCE => Source::Any,
            rank => Source::Rank(u32::try_from(rank).ok().filter(|rank| *rank < comm.peers())?),
        };
        self.from(comm, source, tag)
    }

    #[inline(always)]
    fn from(self, comm: &Comm, source: Source, tag: c_int) -> Option<Incoming> {
        let tag = match tag {
            number::ANY_TAG => None,
            tag if tag >= 0 => Some(tag),
            _ => return None,
        };
        Some(Incoming {
            comm: comm.info.id,
            source,
            tag,
            capacity: self.bytes,
            signature: self.signature,
            layout: self.layout,
        })
    }
}

/// Returns the memory of a nonblocking operation, if its arguments are valid and its elements are of
/// a basic type or form a comb.
#[inline(always)]
fn strip(
    state: &State,
    (address, count, datatype): (usize, i64, Handle),
) -> Option<(Option<Comb>, Room)> {
    match Block::new(address, count, datatype) {
        Some(block) => {
            let start = address as i64;
            Some((Comb::block(start, start.wrapping_add(block.bytes as i64)), block.room()))
        }
        None => strip_of_derived(state, (address, count, datatype)),
    }
}

/// Like [`strip`], for a type that the program has made.
fn strip_of_derived(
    state: &State,
    (address, count, datatype): (usize, i64, Handle),
) -> Option<(Option<Comb>, Room)> {
    if datatype < handle::FIRST || address <= SENTINEL_MAX {
        return None;
    }
    let types = state.types.borrow();
    let known = types.get(datatype).filter(|known| known.committed.get())?;
    let comb = known.datatype.comb(address as i64, count)?;
    let dense = known.datatype.is_contiguous();
    let room = Room {
        bytes: comb.bytes(),
        signature: known.datatype.signature_of(count as u64),
        layout: if dense { Layout::Dense } else { Layout::Strided },
    };
    Some((Some(comb), room))
}

/// Returns the state of the running rank, if nothing unusual is under way in it.
#[inline(always)]
pub(super) fn quiet<'a>() -> Option<&'a State> {
    if watch::is_watching() {
        return None;
    }
    State::current().filter(|state| state.is_quiet())
}

/// `MPI_Send`.
#[inline(always)]
pub(super) fn send(
    from: Option<Block>,
    (dest, tag): (c_int, c_int),
    comm: Handle,
) -> Option<c_int> {
    let (state, from) = (quiet()?, from?);
    if !from.is_free(state, false) {
        return None;
    }
    let site = here();
    let comms = state.comms.borrow();
    let mut message = from.room().outgoing(comms.get(comm)?, dest, tag)?;
    drop(comms);
    message.payload = from.payload();
    match state.kernel_calmly(site, MessageCall::Send(message)) {
        Ok(_) => Some(0),
        Err(fault) => Some(state.fail(site, comm, fault)),
    }
}

/// `MPI_Recv`.
#[inline(always)]
pub(super) fn recv(
    into: Option<Block>,
    (source, tag): (c_int, c_int),
    comm: Handle,
    status: *mut Status,
) -> Option<c_int> {
    let (state, into) = (quiet()?, into?);
    if !into.is_free(state, true) {
        return None;
    }
    let site = here();
    let comms = state.comms.borrow();
    let room = into.room().incoming(comms.get(comm)?, source, tag)?;
    drop(comms);
    let reply = state.kernel_calmly(site, MessageCall::Receive(room));
    match into.finish(reply, status) {
        Ok(()) => Some(0),
        Err(fault) => Some(state.fail(site, comm, fault)),
    }
}

/// `MPI_Sendrecv`.
#[inline(always)]
pub(super) fn sendrecv(
    (from, dest, send_tag): (Option<Block>, c_int, c_int),
    (into, source, receive_tag): (Option<Block>, c_int, c_int),
    comm: Handle,
    status: *mut Status,
) -> Option<c_int> {
    let (state, from, into) = (quiet()?, from?, into?);
    if from.overlaps(into) || !from.is_free(state, false) || !into.is_free(state, true) {
        return None;
    }
    let site = here();
    let comms = state.comms.borrow();
    let known = comms.get(comm)?;
    let mut message = from.room().outgoing(known, dest, send_tag)?;
    let room = into.room().incoming(known, source, receive_tag)?;
    drop(comms);
    message.payload = from.payload();
    let reply = state.kernel_calmly(site, MessageCall::SendReceive(message, room));
    match into.finish(reply, status) {
        Ok(()) => Some(0),
        Err(fault) => Some(state.fail(site, comm, fault)),
    }
}

/// `MPI_Isend`.
#[inline(always)]
pub(super) fn isend(
    buffer: (usize, i64, Handle),
    (dest, tag): (c_int, c_int),
    comm: Handle,
    request: *mut Handle,
) -> Option<c_int> {
    let state = quiet()?;
    if request.is_null() {
        return None;
    }
    let (comb, room) = strip(state, buffer)?;
    let comms = state.comms.borrow();
    let known = comms.get(comm)?;
    let mut message = match dest {
        number::PROC_NULL => room.to(known, None, tag)?,
        dest => room.outgoing(known, dest, tag)?,
    };
    drop(comms);
    message.payload = payload_of(comb);
    let digest = guard::digest_of(message.payload.as_slice());
    let site = here();
    let reply = state.kernel_calmly(site, MessageCall::StartSend(message));
    let at = (comm, (site, "MPI_Isend"));
    let begun =
        requested(reply).and_then(|id| request::begun(state, id, at, (comb, false), Some(digest)));
    Some(posted(state, at, request, begun))
}

/// `MPI_Irecv`.
#[inline(always)]
pub(super) fn irecv(
    buffer: (usize, i64, Handle),
    (source, tag): (c_int, c_int),
    comm: Handle,
    request: *mut Handle,
) -> Option<c_int> {
    let state = quiet()?;
    if request.is_null() {
        return None;
    }
    let (comb, room) = strip(state, buffer)?;
    let comms = state.comms.borrow();
    let known = comms.get(comm)?;
    let room = match source {
        number::PROC_NULL => room.from(known, Source::Null, tag)?,
        source => room.incoming(known, source, tag)?,
    };
    drop(comms);
    let site = here();
    let reply = state.kernel_calmly(site, MessageCall::StartReceive(room));
    let at = (comm, (site, "MPI_Irecv"));
    let begun = requested(reply).and_then(|id| request::begun(state, id, at, (comb, true), None));
    Some(posted(state, at, request, begun))
}

/// Returns the request of a nonblocking operation that was started.
#[inline(always)]
fn requested(reply: Mpi<Reply>) -> Mpi<RequestId> {
    match reply? {
        Reply::Request(id) => Ok(id),
        _ => Err(Fault::new(class::INTERN, "no request")),
    }
}

/// Ends the call of a nonblocking operation: sets the program's handle.
#[inline(always)]
fn posted(
    state: &State,
    (comm, (site, _)): (Handle, request::Origin),
    request: *mut Handle,
    begun: Mpi<Handle>,
) -> c_int {
    let made = begun.as_ref().map_or(handle::REQUEST_NULL, |made| *made);
    // SAFETY: the program passes the address of a handle.
    unsafe { *request = made };
    begun.map_or_else(|fault| state.fail(site, comm, fault), |_| 0)
}
