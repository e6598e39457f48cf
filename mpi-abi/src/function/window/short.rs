//! The short path of accesses whose buffers are blocks of one basic type, at the origin and at the target.
//!
//! As for messages (`function/short.rs`), each function here returns `None`, before it has had any effect, if
//! anything is unusual; the general path then handles the call.

use std::{ffi::c_int, rc::Rc};

use mpi_api::{
    call::{Access, Action, Payload, Runs, WindowCall},
    finding::CallPlace,
    object::{op::Op, signature::Primitive},
};

use super::{
    super::{block::Block, guard, operation, owned::Owned},
    buffers::{Blocks, Buffers},
    end_if_endless, finish,
};
use crate::{
    constant::Handle,
    state::{Mpi, Number, PendingAccess, State, Window, here, quiet},
};

/// The arguments of a buffer: address, count and type.
type Buffer<N> = (usize, N, Handle);

/// The arguments that name memory of a target: rank, displacement, count and type.
type Target<N> = (c_int, i64, N, Handle);

#[inline(always)]
fn block<N: Number>((address, count, datatype): Buffer<N>) -> Option<Block> {
    Block::new(address, count.wide(), datatype)
}

/// Returns the block of a buffer that has the type and the number of elements of the target.
#[inline(always)]
fn alike<N: Number>(buffer: Buffer<N>, target: &Target<N>) -> Option<Block> {
    let same = buffer.2 == target.3 && buffer.1.wide() == target.2.wide();
    block(buffer).filter(|_| same)
}

/// Starts an access with these blocks. The bytes at the target are as many as those of any of them.
#[inline(always)]
fn start(
    state: &State,
    window: Handle,
    (rank, displacement): (c_int, i64),
    (blocks, bytes): (Blocks, usize),
    (action, payload): (Action, Payload),
    call: &'static str,
) -> Option<c_int> {
    let found = state.windows.borrow().get(window).cloned()?;
    let target = u32::try_from(rank).ok().filter(|rank| *rank < found.size())?;
    if are_unusual(state, &blocks) {
        return None;
    }
    let site = here();
    let ticket = found.next_ticket();
    let access = Access {
        target,
        at: displacement,
        runs: Runs::One(0, bytes as u64),
        action,
        payload,
        ticket,
        strided: false,
    };
    let done = begin(state, &found, CallPlace { call, site }, blocks, access);
    Some(finish(state, site, (window, &found), done))
}

/// Reports whether the result would be written to the data, or any block is memory of a window.
#[inline(always)]
fn are_unusual(state: &State, blocks: &Blocks) -> bool {
    let all = blocks.all();
    let meets = |block: &Block| all[0].overlaps(*block);
    all.iter().any(|block| block.is_in_window(state)) || blocks.fills && all[1..].iter().any(meets)
}

#[inline(always)]
fn begin(state: &State, window: &Rc<Window>, by: CallPlace, blocks: Blocks, access: Access) -> Mpi {
    let (owned, clash) = Owned::of_blocks(state, by, blocks.all(), blocks.fills);
    if clash.is_some() {
        guard::tell(state, by, clash)?;
        end_if_endless(state, by, window)?;
    }
    let (target, ticket) = (access.target, access.ticket);
    let call = WindowCall::Access(window.id(), Box::new(access));
    if let Err(fault) = state.kernel_calmly(by.site, call) {
        owned.release_blocks(state, blocks.all(), blocks.fills);
        return Err(fault);
    }
    let access = PendingAccess { target, ticket, buffers: Buffers::Blocks(blocks), owned };
    window.pending.borrow_mut().push(access);
    Ok(())
}

/// `MPI_Put`.
#[inline(always)]
pub(super) fn put<N: Number>(from: Buffer<N>, target: Target<N>, window: Handle) -> Option<c_int> {
    let (state, from) = (quiet()?, alike(from, &target)?);
    let sized = (Blocks::read([Some(from)]), from.bytes);
    start(state, window, (target.0, target.1), sized, (Action::Put, from.payload()), "MPI_Put")
}

/// `MPI_Get`.
#[inline(always)]
pub(super) fn get<N: Number>(into: Buffer<N>, target: Target<N>, window: Handle) -> Option<c_int> {
    let (state, into) = (quiet()?, alike(into, &target)?);
    let sized = (filled(into, [])?, into.bytes);
    start(state, window, (target.0, target.1), sized, (Action::Get, Payload::EMPTY), "MPI_Get")
}

/// Returns the blocks of an access with a result. One without bytes is left to the general path.
#[inline(always)]
fn filled<const N: usize>(into: Block, from: [Option<Block>; N]) -> Option<Blocks> {
    (into.bytes > 0).then(|| Blocks::filled(into, from))
}

/// Returns the action of an accumulate operation on a type, and whether it has data.
#[inline(always)]
fn update(state: &State, op: Handle, primitive: Primitive, fetch: bool) -> Option<(Action, bool)> {
    let (op, primitive) = operation::accumulating_basic(state, op, primitive)?;
    let has_data = !matches!(op, Op::NoOp);
    Some((Action::Update { op, primitive, fetch }, has_data))
}

/// `MPI_Accumulate`.
#[inline(always)]
pub(super) fn accumulate<N: Number>(
    from: Buffer<N>,
    (target, op): (Target<N>, Handle),
    window: Handle,
) -> Option<c_int> {
    let (state, from) = (quiet()?, alike(from, &target)?);
    let (action, has_data) = update(state, op, from.primitive, false)?;
    if !has_data {
        return None;
    }
    let sized = (Blocks::read([Some(from)]), from.bytes);
    let what = (action, from.payload());
    start(state, window, (target.0, target.1), sized, what, "MPI_Accumulate")
}

/// `MPI_Get_accumulate`, and `MPI_Fetch_and_op` with one element; `call` says which.
#[inline(always)]
pub(super) fn get_accumulate<N: Number>(
    (from, into): (Buffer<N>, Buffer<N>),
    (target, op): (Target<N>, Handle),
    window: Handle,
    call: &'static str,
) -> Option<c_int> {
    let (state, into) = (quiet()?, alike(into, &target)?);
    let (action, has_data) = update(state, op, into.primitive, true)?;
    let from = if has_data { Some(alike(from, &target)?) } else { None };
    let sized = (filled(into, [from])?, into.bytes);
    let payload = from.map_or(Payload::EMPTY, Block::payload);
    start(state, window, (target.0, target.1), sized, (action, payload), call)
}

/// `MPI_Compare_and_swap` of one element of a type.
#[inline(always)]
pub(super) fn compare_and_swap(
    [new, expected, into]: [usize; 3],
    datatype: Handle,
    target: (c_int, i64),
    window: Handle,
) -> Option<c_int> {
    let state = quiet()?;
    let one = |address| Block::new(address, 1, datatype);
    let (new, expected, into) = (one(new)?, one(expected)?, one(into)?);
    if new.bytes > PLAIN_MAX {
        return None;
    }
    let mut both = [0; 2 * PLAIN_MAX];
    both[..new.bytes].copy_from_slice(expected.data());
    both[new.bytes..2 * new.bytes].copy_from_slice(new.data());
    let payload = Payload::from_slice(&both[..2 * new.bytes]);
    let sized = (filled(into, [Some(new), Some(expected)])?, new.bytes);
    let what = (Action::Swap(new.primitive), payload);
    start(state, window, target, sized, what, "MPI_Compare_and_swap")
}

/// Most bytes of a number that is compared and swapped here.
const PLAIN_MAX: usize = 16;
