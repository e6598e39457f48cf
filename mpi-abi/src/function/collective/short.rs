//! The short path of the most frequent blocking collectives: basic types, predefined operations and
//! an intracommunicator, in a rank in which nothing unusual is under way.
//!
//! As for messages (`function/short.rs`), each function here returns `None`, before it has had any
//! effect, if anything is unusual; the general path then handles the call.

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    mem::ManuallyDrop,
};

use mpi_api::call::{
    CollectiveCall, CollectiveEntry, CollectiveKind as Kind, Counts, Reduction, Reply,
};

use super::reduction::Reduced;
use crate::{
    constant::Handle,
    function::{block::Block, operation, transfer::IN_PLACE},
    purpose::Purpose,
    state::{Number, Peers, State, checked, quiet},
};
use guest::{libc::Plain, site};

/// One rank's part in a collective operation: the block that it sends, if any, and the block in which
/// it receives the result, if it gets one.
struct Part {
    call: Box<CollectiveCall>,
    from: Option<Block>,
    into: Option<Block>,
}

impl Part {
    /// Executes the operation; returns what the MPI function returns.
    #[inline(always)]
    fn run(self, state: &State, comm: Handle) -> Option<c_int> {
        let Self { mut call, from, into } = self;
        let library = Plain::save()?;
        let site = site::caller();
        if let Some(from) = from {
            let limit = state.carried();
            call.give(from.bytes as u64, limit, || from.data().to_vec());
        }
        // Usually nothing is left of the reply that has to be dropped.
        let reply = ManuallyDrop::new(Cell::default());
        state.kernel_plainly(
            (library, &site),
            &reply,
            #[inline(always)]
            || CollectiveEntry::Blocking(call),
        );
        match reply.take() {
            Some(Reply::Data(data)) => {
                if let Some(into) = into {
                    into.put(&data[..data.len().min(into.bytes)]);
                }
                Some(0)
            }
            other => Some(checked(other).map_or_else(|fault| state.fail(site, comm, fault), |_| 0)),
        }
    }
}

/// Returns a rank of an intracommunicator that a program names as root, if there is such a rank.
#[inline(always)]
fn root_of(peers: Peers, root: c_int) -> Option<u32> {
    u32::try_from(root).ok().filter(|root| *root < peers.count)
}

/// `MPI_Barrier`.
pub(super) fn barrier(comm: Handle) -> Option<c_int> {
    let state = quiet()?;
    let (peers, _) = state.own_group(comm)?;
    let call = CollectiveCall::boxed(peers.id, Kind::Barrier);
    Part { call, from: None, into: None }.run(state, comm)
}

/// `MPI_Bcast`.
pub(super) fn bcast<N: Number>(
    (buffer, count, datatype): (*mut c_void, N, Handle),
    root: c_int,
    comm: Handle,
) -> Option<c_int> {
    let (state, block) = (quiet()?, Block::new(buffer as usize, count.wide(), datatype)?);
    let (peers, me) = state.own_group(comm)?;
    let root = root_of(peers, root)?;
    if !block.is_free(state, Purpose::written_if(me != root)) {
        return None;
    }
    let mut call = CollectiveCall::boxed(peers.id, Kind::Broadcast);
    let bytes = Counts::Uniform(block.bytes as u64);
    call.root = root;
    call.signature = block.signature();
    (call.send, call.receive) = (bytes.clone(), bytes);
    Part { call, from: Some(block), into: (me != root).then_some(block) }.run(state, comm)
}

/// `MPI_Reduce` with a root, else `MPI_Allreduce`.
pub(super) fn reduce<N: Number>(
    (send, receive, count, datatype, op): Reduced<N>,
    root: Option<c_int>,
    comm: Handle,
) -> Option<c_int> {
    let state = quiet()?;
    let (peers, me) = state.own_group(comm)?;
    let root = match root {
        Some(root) => Some(root_of(peers, root)?),
        None => None,
    };
    let block = |buffer| Block::new(buffer, count.wide(), datatype).filter(|own| own.bytes > 0);
    let into = match root {
        Some(root) if root != me => None,
        _ => Some(block(receive as usize)?),
    };
    let in_place = into.filter(|_| send as usize == IN_PLACE);
    let from = in_place.or_else(|| block(send as usize))?;
    let apart = into.is_none_or(|into| in_place.is_some() || !from.overlaps(into));
    let free = (in_place.is_some() || from.is_free(state, Purpose::Read))
        && into.is_none_or(|into| into.is_free(state, Purpose::Write));
    if !apart || !free {
        return None;
    }
    let (op, primitive) = operation::predefined_for(state, op, from.primitive)?;
    let kind = if root.is_some() { Kind::Reduce } else { Kind::Allreduce };
    let mut call = CollectiveCall::boxed(peers.id, kind);
    call.root = root.unwrap_or(0);
    call.in_place = in_place.is_some();
    let element_bytes = from.primitive.size() as u64;
    call.reduction = Some(Reduction { op, primitive, element_bytes });
    call.signature = from.signature();
    let bytes = Counts::Uniform(from.bytes as u64);
    (call.send, call.receive) = (bytes.clone(), bytes);
    Part { call, from: Some(from), into }.run(state, comm)
}
