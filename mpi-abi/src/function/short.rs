//! The short path of the most frequent calls: blocking sends and receives of basic types, in a rank
//! in which nothing unusual is under way.
//!
//! Each function here returns `None`, before it has had any effect, if anything is unusual: a
//! derived type, an operation that owns memory, an invalid argument. The general path then handles
//! the call, so that errors are reported in one place only.
#![allow(unsafe_code, reason = "writes the handle of a request to the memory of a program")]

use std::{
    cell::Cell,
    ffi::c_int,
    mem::{self, ManuallyDrop},
};

use mpi_api::{
    call::{
        Incoming, Layout, MessageCall, Mode, Outgoing, Payload, Reply, RequestId, Site, Source,
    },
    finding::CallPlace,
    object::{datatype::Comb, signature::Signature},
};

use super::{
    block::Block,
    finish::finish_reply,
    guard, request,
    status::Status,
    transfer::{SENTINEL_MAX, message_of},
};
use crate::{
    constant::{Handle, class, handle, number},
    purpose::Purpose,
    state::{Fault, Mpi, Peers, State, checked, quiet},
};
use guest::{libc::Plain, site};

impl Block {
    #[inline(always)]
    fn room(self) -> Room {
        Room { bytes: self.bytes as u64, signature: self.signature(), layout: Layout::Dense }
    }

    /// Completes a receive into the block; returns what the MPI function returns. Nothing that has to be
    /// dropped is left of the reply, which is read where it is.
    #[inline(always)]
    fn finish(
        self,
        (state, site, comm): (&State, &Site, Handle),
        reply: &mut Place,
        status: *mut Status,
    ) -> c_int {
        let Some(Reply::Received(received)) = reply.get_mut() else {
            return self.finish_unusual((state, *site, comm), reply.take(), status);
        };
        let data = received.payload.as_slice();
        self.put(data);
        if !status.is_null() {
            let (source, tag) = (received.source as c_int, received.tag);
            Status::received(source, tag, received.payload.bytes()).store(status);
        }
        if !received.payload.is_inline() {
            drop(reply.take());
        }
        0
    }

    /// Like [`Block::finish`], for a receive with an error or of a message with a request.
    #[inline(never)]
    fn finish_unusual(
        self,
        (state, site, comm): (&State, Site, Handle),
        reply: Option<Reply>,
        status: *mut Status,
    ) -> c_int {
        let done =
            checked(reply).and_then(|reply| finish_reply(reply, |data| self.put(data), status));
        done.map_or_else(|fault| state.fail(site, comm, fault), |()| 0)
    }
}

/// The place of a reply, which is read where it was written.
type Place = Cell<Option<Reply>>;

/// Returns an empty place. It is not dropped: the usual replies own nothing, and dropping them would be
/// a call.
#[inline(always)]
fn place() -> ManuallyDrop<Place> {
    ManuallyDrop::new(Place::default())
}

/// The size, types and layout of a buffer.
struct Room {
    bytes: u64,
    signature: Signature,
    layout: Layout,
}

impl Room {
    /// Builds the kernel's arguments of a standard send of these data.
    // Its arguments were checked before, so that the call is written once, where it waits: an
    // `Option` of it would be copied.
    #[inline(always)]
    fn outgoing(self, comm: Peers, dest: Option<u32>, tag: i32, payload: Payload) -> Outgoing {
        let Self { signature, layout, .. } = self;
        Outgoing { comm: comm.id, dest, tag, mode: Mode::Standard, payload, signature, layout }
    }

    /// Builds the kernel's arguments of a receive into the buffer.
    #[inline(always)]
    fn incoming(self, comm: Peers, source: Source, tag: Option<i32>) -> Incoming {
        let Self { bytes: capacity, signature, layout } = self;
        Incoming { comm: comm.id, source, tag, capacity, signature, layout }
    }
}

/// Returns the rank that a program addresses, if there is such a rank.
#[inline(always)]
fn peer(comm: Peers, rank: c_int) -> Option<u32> {
    u32::try_from(rank).ok().filter(|rank| *rank < comm.count)
}

/// Returns the source of a receive, if it is a rank or any.
#[inline(always)]
fn source_of(comm: Peers, source: c_int) -> Option<Source> {
    match source {
        number::ANY_SOURCE => Some(Source::Any),
        rank => peer(comm, rank).map(Source::Rank),
    }
}

/// Returns the tag of a receive, if it is valid.
#[inline(always)]
fn wanted_tag(tag: c_int) -> Option<Option<i32>> {
    match tag {
        number::ANY_TAG => Some(None),
        tag => (tag >= 0).then_some(Some(tag)),
    }
}

/// The memory of a nonblocking operation.
struct Strip {
    comb: Option<Comb>,
    room: Room,
}

impl Strip {
    /// No memory.
    const EMPTY: Self = Self {
        comb: None,
        room: Room { bytes: 0, signature: Signature::EMPTY, layout: Layout::Dense },
    };

    /// Sets the memory of a nonblocking operation; false if its arguments are invalid, or its elements
    /// neither of a basic type nor a comb.
    // A value that is returned is copied twice, 40 instructions.
    #[inline(always)]
    fn set(&mut self, state: &State, (address, count, datatype): (usize, i64, Handle)) -> bool {
        let Some(block) = Block::new(address, count, datatype) else {
            return self.set_derived(state, (address, count, datatype));
        };
        if block.is_in_window(state) {
            return false;
        }
        self.comb = block.comb();
        // The value before owns nothing, and dropping it would be a call.
        mem::forget(mem::replace(&mut self.room, block.room()));
        true
    }

    /// Like [`Strip::set`], for a type that the program has made.
    #[inline(never)]
    fn set_derived(
        &mut self,
        state: &State,
        (address, count, datatype): (usize, i64, Handle),
    ) -> bool {
        if datatype < handle::FIRST || address <= SENTINEL_MAX {
            return false;
        }
        let types = state.types.borrow();
        let Some(known) = types.get(datatype).filter(|known| known.committed.get()) else {
            return false;
        };
        let Some(comb) = known.datatype.comb(address as i64, count) else { return false };
        let (start, end) = comb.range();
        if state.provides(start, end) {
            return false;
        }
        self.comb = Some(comb);
        let dense = known.datatype.is_contiguous();
        self.room = Room {
            bytes: comb.bytes(),
            signature: known.datatype.signature_of(count as u64),
            layout: if dense { Layout::Dense } else { Layout::Strided },
        };
        true
    }
}

/// `MPI_Send`.
#[inline(always)]
pub(super) fn send(
    from: Option<Block>,
    (dest, tag): (c_int, c_int),
    comm: Handle,
) -> Option<c_int> {
    let (state, from) = (quiet()?, from?);
    let peers = state.peers(comm)?;
    let dest = peer(peers, dest)?;
    if tag < 0 || !from.is_free(state, Purpose::Read) {
        return None;
    }
    let library = Plain::save()?;
    let site = site::caller();
    let payload = from.message(|| state.carried());
    let mut reply = place();
    state.kernel_plainly(
        (library, &site),
        &reply,
        #[inline(always)]
        || MessageCall::Send(from.room().outgoing(peers, Some(dest), tag, payload)),
    );
    match reply.get_mut() {
        Some(Reply::Done) => Some(0),
        _ => Some(sent_unusual(state, (site, comm), reply.take())),
    }
}

/// Ends a send with an error or with a request.
#[inline(never)]
fn sent_unusual(state: &State, (site, comm): (Site, Handle), reply: Option<Reply>) -> c_int {
    checked(reply).map_or_else(|fault| state.fail(site, comm, fault), |_| 0)
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
    let peers = state.peers(comm)?;
    let (source, tag) = (source_of(peers, source)?, wanted_tag(tag)?);
    if !into.is_free(state, Purpose::Write) {
        return None;
    }
    let library = Plain::save()?;
    let site = site::caller();
    let mut reply = place();
    state.kernel_plainly(
        (library, &site),
        &reply,
        #[inline(always)]
        || MessageCall::Receive(into.room().incoming(peers, source, tag)),
    );
    Some(into.finish((state, &site, comm), &mut reply, status))
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
    let peers = state.peers(comm)?;
    let dest = peer(peers, dest)?;
    let (source, receive_tag) = (source_of(peers, source)?, wanted_tag(receive_tag)?);
    let unusual = send_tag < 0 || from.overlaps(into);
    if unusual || !from.is_free(state, Purpose::Read) || !into.is_free(state, Purpose::Write) {
        return None;
    }
    let library = Plain::save()?;
    let site = site::caller();
    let payload = from.message(|| state.carried());
    let mut reply = place();
    state.kernel_plainly(
        (library, &site),
        &reply,
        #[inline(always)]
        || {
            let message = from.room().outgoing(peers, Some(dest), send_tag, payload);
            MessageCall::SendReceive(message, into.room().incoming(peers, source, receive_tag))
        },
    );
    Some(into.finish((state, &site, comm), &mut reply, status))
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
    if request.is_null() || tag < 0 {
        return None;
    }
    let mut strip = Strip::EMPTY;
    if !strip.set(state, buffer) {
        return None;
    }
    let Strip { comb, room } = strip;
    let peers = state.peers(comm)?;
    // An operation with the null process has no effect: its buffer stays the program's (MPI 5.0, 3.10).
    let (dest, comb) = match dest {
        number::PROC_NULL => (None, None),
        dest => (Some(peer(peers, dest)?), comb),
    };
    let library = Plain::save()?;
    let payload = message_of(comb, || state.carried());
    let digest = guard::digest_of(&payload);
    let site = site::caller();
    let mut reply = place();
    state.kernel_plainly(
        (library, &site),
        &reply,
        #[inline(always)]
        || MessageCall::StartSend(room.outgoing(peers, dest, tag, payload)),
    );
    let at = (comm, CallPlace { call: "MPI_Isend", site });
    let begun =
        requested(&mut reply).and_then(|id| request::begun(state, id, at, (comb, false), digest));
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
    let mut strip = Strip::EMPTY;
    if !strip.set(state, buffer) {
        return None;
    }
    let Strip { comb, room } = strip;
    let peers = state.peers(comm)?;
    let (source, comb) = match source {
        number::PROC_NULL => (Source::Null, None),
        source => (source_of(peers, source)?, comb),
    };
    let tag = wanted_tag(tag)?;
    let library = Plain::save()?;
    let site = site::caller();
    let mut reply = place();
    state.kernel_plainly(
        (library, &site),
        &reply,
        #[inline(always)]
        || MessageCall::StartReceive(room.incoming(peers, source, tag)),
    );
    let at = (comm, CallPlace { call: "MPI_Irecv", site });
    let begun =
        requested(&mut reply).and_then(|id| request::begun(state, id, at, (comb, true), None));
    Some(posted(state, at, request, begun))
}

/// Returns the request of a nonblocking operation that was started.
#[inline(always)]
fn requested(reply: &mut Place) -> Mpi<RequestId> {
    if let Some(Reply::Request(id)) = reply.get_mut() {
        return Ok(*id);
    }
    checked(reply.take())?;
    Err(Fault::new(class::INTERN, "no request"))
}

/// Ends the call of a nonblocking operation: sets the program's handle.
#[inline(always)]
fn posted(
    state: &State,
    (comm, CallPlace { call: _, site }): (Handle, CallPlace),
    request: *mut Handle,
    begun: Mpi<Handle>,
) -> c_int {
    let made = begun.as_ref().map_or(handle::REQUEST_NULL, |made| *made);
    // SAFETY: the program passes the address of a handle.
    unsafe { *request = made };
    begun.map_or_else(|fault| state.fail(site, comm, fault), |_| 0)
}
