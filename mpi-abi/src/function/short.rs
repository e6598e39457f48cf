//! The short path of the most frequent calls: blocking sends and receives of basic types, in a rank
//! in which nothing unusual is under way.
//!
//! Each function here returns `None`, before it has had any effect, if anything is unusual: a
//! derived type, an operation that owns memory, an invalid argument. The general path then handles
//! the call, so that errors are reported in one place only.
#![allow(unsafe_code, reason = "reads and writes the memory of programs")]

use std::{ffi::c_int, ptr, slice};

use mpi_api::{
    call::{Incoming, Layout, MessageCall, Mode, Outgoing, Payload, Reply, Source},
    object::signature::{Kind, Primitive, Signature},
};

use super::{point_to_point::finish_reply, status::Status, transfer::SENTINEL_MAX};
use crate::{
    constant::{Handle, handle, number},
    state::{Comm, Fault, State, here, primitive_of},
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

    /// Builds the kernel's arguments of a standard send of the block, without the data.
    #[inline(always)]
    fn outgoing(self, comm: &Comm, dest: c_int, tag: c_int) -> Option<Outgoing> {
        let dest = u32::try_from(dest).ok().filter(|dest| *dest < comm.peers())?;
        (tag >= 0).then_some(Outgoing {
            comm: comm.info.id,
            dest: Some(dest),
            tag,
            mode: Mode::Standard,
            payload: Payload::EMPTY,
            signature: self.signature(),
            layout: Layout::Dense,
        })
    }

    /// Builds the kernel's arguments of a receive into the block.
    #[inline(always)]
    fn incoming(self, comm: &Comm, source: c_int, tag: c_int) -> Option<Incoming> {
        let source = match source {
            number::ANY_SOURCE => Source::Any,
            rank => Source::Rank(u32::try_from(rank).ok().filter(|rank| *rank < comm.peers())?),
        };
        let tag = match tag {
            number::ANY_TAG => None,
            tag if tag >= 0 => Some(tag),
            _ => return None,
        };
        Some(Incoming {
            comm: comm.info.id,
            source,
            tag,
            capacity: self.bytes as u64,
            signature: self.signature(),
            layout: Layout::Dense,
        })
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

/// Returns the state of the running rank, if nothing unusual is under way in it.
#[inline(always)]
fn calm<'a>() -> Option<&'a State> {
    if watch::is_watching() {
        return None;
    }
    State::current().filter(|state| state.is_calm())
}

/// `MPI_Send`.
#[inline(always)]
pub(super) fn send(
    from: Option<Block>,
    (dest, tag): (c_int, c_int),
    comm: Handle,
) -> Option<c_int> {
    let (state, from) = (calm()?, from?);
    let site = here();
    let comms = state.comms.borrow();
    let mut message = from.outgoing(comms.get(comm)?, dest, tag)?;
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
    let (state, into) = (calm()?, into?);
    let site = here();
    let comms = state.comms.borrow();
    let room = into.incoming(comms.get(comm)?, source, tag)?;
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
    let (state, from, into) = (calm()?, from?, into?);
    if from.overlaps(into) {
        return None;
    }
    let site = here();
    let comms = state.comms.borrow();
    let known = comms.get(comm)?;
    let mut message = from.outgoing(known, dest, send_tag)?;
    let room = into.incoming(known, source, receive_tag)?;
    drop(comms);
    message.payload = from.payload();
    let reply = state.kernel_calmly(site, MessageCall::SendReceive(message, room));
    match into.finish(reply, status) {
        Ok(()) => Some(0),
        Err(fault) => Some(state.fail(site, comm, fault)),
    }
}
