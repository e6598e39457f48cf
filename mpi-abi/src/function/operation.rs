//! Reduction operations (MPI section 6.9).
#![allow(unsafe_code, reason = "calls functions of programs on their memory")]

use std::{
    cell::Cell,
    ffi::{c_int, c_void},
    ops::RangeInclusive,
    rc::Rc,
    slice,
};

use mpi_api::{
    call::Site,
    check::{combining, short_buffer},
    finding::CallPlace,
    object::{datatype::Datatype, op::Op, signature::Primitive},
};

use super::{
    guard::{self, Memory},
    request::peek,
    transfer::Part,
};
use crate::{
    constant::{Handle, class, handle},
    state::{Fault, Mpi, Number, OwnOperation, State, creating, local, put, wanted},
};
use guest::{
    libc::{Lent, Returned},
    site,
};

/// `MPI_User_function` or `MPI_User_function_c`.
type Function<N> = extern "C-unwind" fn(*mut c_void, *mut c_void, *mut N, *mut Handle);

fn predefined(op: Handle) -> Option<Op> {
    Some(match op {
        0x21 => Op::Sum,
        0x22 => Op::Min,
        0x23 => Op::Max,
        0x24 => Op::Product,
        0x28 => Op::BitAnd,
        0x29 => Op::BitOr,
        0x2a => Op::BitXor,
        0x30 => Op::LogicalAnd,
        0x31 => Op::LogicalOr,
        0x32 => Op::LogicalXor,
        0x38 => Op::MinLoc,
        0x39 => Op::MaxLoc,
        0x3c => Op::Replace,
        0x3d => Op::NoOp,
        _ => return None,
    })
}

/// An operation as a handle names it.
enum Named {
    Predefined(Op),
    Own(OwnOperation),
}

fn any(state: &State, op: Handle) -> Mpi<Named> {
    let own = || state.rare().ops.borrow().get(op).map(|(own, _)| Named::Own(own.clone()));
    let found = predefined(op).map(Named::Predefined).or_else(own);
    found.ok_or_else(|| Fault::new(class::OP, "the operation is null or was freed"))
}

/// Returns an operation ready to combine packed elements of a type, and the primitive type that it
/// uses for them.
pub(super) fn of(state: &State, op: Handle, datatype: &Datatype) -> Mpi<(Op, Primitive)> {
    let OwnOperation { commutative, function, place } = match any(state, op)? {
        Named::Predefined(op) => return defined(state, op, datatype),
        Named::Own(own) => own,
    };
    let primitive = datatype.primitive().or_else(|| datatype.signature().uniform());
    let datatype = datatype.clone();
    let function = Rc::new(move |left: &[u8], right: &mut [u8]| {
        TYPE.with_borrow_mut(|place| *place = Some(datatype.clone()));
        function(left, right);
        TYPE.with_borrow_mut(|place| *place = None);
    });
    Ok((Op::user_at(commutative, function, place), primitive.unwrap_or(Primitive::Byte)))
}

/// Reports whether an operation is for one-sided communication only (MPI 12.3.4).
fn only_accumulates(op: &Op) -> bool {
    matches!(op, Op::Replace | Op::NoOp)
}

/// Like [`of`], for a basic type; `None` unless the operation is predefined and defined for it.
pub(super) fn predefined_for(
    state: &State,
    op: Handle,
    primitive: Primitive,
) -> Option<(Op, Primitive)> {
    let found = predefined(op).filter(|found| !only_accumulates(found))?;
    let taken = found.type_for(primitive, state.policies())?;
    Some((found, taken))
}

/// Like [`accumulating`], for a basic type; `None` unless the operation is predefined and defined for it.
pub(super) fn accumulating_basic(
    state: &State,
    op: Handle,
    primitive: Primitive,
) -> Option<(Op, Primitive)> {
    let found = predefined(op)?;
    let taken = found.type_for(primitive, state.policies())?;
    Some((found, taken))
}

/// Like [`of`], for a predefined operation.
fn defined(state: &State, found: Op, datatype: &Datatype) -> Mpi<(Op, Primitive)> {
    if only_accumulates(&found) {
        let text = format!("{found:?} is for one-sided communication only");
        return Err(Fault::new(class::OP, text));
    }
    let taken = found.defined_for(datatype.primitive(), state.policies())?;
    Ok((found, taken))
}

/// Returns the operation of an accumulate function and the type of each element: the operation is
/// predefined, and all elements have one predefined type (MPI section 12.3.4).
pub(super) fn accumulating(state: &State, op: Handle, datatype: &Datatype) -> Mpi<(Op, Primitive)> {
    let Named::Predefined(found) = any(state, op)? else {
        let text = "an accumulate operation must be predefined";
        return Err(Fault::new(class::OP, text));
    };
    let primitive = datatype.primitive().or_else(|| datatype.signature().uniform());
    let primitive = primitive.ok_or_else(|| {
        Fault::new(class::TYPE, "the elements of the datatype are not all of one predefined type")
    })?;
    let taken = found.defined_for(Some(primitive), state.policies())?;
    Ok((found, taken))
}

thread_local! {
    /// The type of the elements that a user function is about to combine.
    static TYPE: std::cell::RefCell<Option<Datatype>> = const { std::cell::RefCell::new(None) };
}

/// Memory with elements laid out as a datatype requires.
struct Laid {
    /// The memory, aligned like that of `malloc`, and behind it room that the function must leave as it is.
    words: Vec<u128>,
    /// Number of the bytes that the elements are in.
    used: usize,
    /// What the room is filled with.
    untouched: u128,
    part: Part,
}

/// What the room behind the two operands is filled with: unlike values, so that a function that combines what it finds there
/// changes it. They change places from call to call for the sake of functions that keep one of the two.
const UNTOUCHED: [u128; 2] =
    [0x5ea1_ed00_5ea1_ed00_5ea1_ed00_5ea1_ed00, 0x3e5e_1200_3e5e_1200_3e5e_1200_3e5e_1200];

/// Least and most words of the room behind the elements: a function that takes their number for bytes writes as many
/// times farther as an element has bytes.
const ROOM: RangeInclusive<usize> = 64..=1 << 12;

impl Laid {
    fn new(datatype: &Datatype, bytes: &[u8], untouched: u128) -> Self {
        let size = datatype.size().max(1);
        let count = bytes.len() as u64 / size;
        let span = datatype.span(count as usize);
        // A function may copy a structure with the padding at its end, which the extent holds and the span does not.
        let padded = datatype.lb() + count as i64 * datatype.extent();
        let used = (span.end.max(padded) - span.start.min(0)).max(0) as usize;
        let words = used.div_ceil(16);
        let room = words.saturating_mul(32).clamp(*ROOM.start(), *ROOM.end());
        let mut words = vec![untouched; words + room];
        words[..used / 16].fill(0);
        if !used.is_multiple_of(16) {
            let mut bytes = untouched.to_ne_bytes();
            bytes[..used % 16].fill(0);
            words[used / 16] = u128::from_ne_bytes(bytes);
        }
        let start = words.as_ptr() as usize;
        let address = start.wrapping_add_signed(-(span.start.min(0)) as isize);
        let part = Part { address, count: count as i64, datatype: datatype.clone() };
        part.unpack(bytes);
        Self { words, used, untouched, part }
    }

    /// Returns the elements as they are now.
    fn packed(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.part.pack(&mut bytes);
        bytes
    }

    /// Reports whether the function has written behind the elements.
    fn is_overrun(&self) -> bool {
        let (first, inside) = (self.used / 16, self.used % 16);
        let is_changed = |word: &u128, from: usize| {
            word.to_ne_bytes()[from..] != self.untouched.to_ne_bytes()[from..]
        };
        let mut room = self.words[first..].iter();
        room.next().is_some_and(|word| is_changed(word, inside))
            || room.any(|word| is_changed(word, 0))
    }
}

fn user<N: Number>(function: Function<N>, commutative: bool, site: Site) -> OwnOperation {
    let is_told = Cell::new(false);
    let untouched = Cell::new(UNTOUCHED);
    let owner: *const State = State::current().map_or(std::ptr::null(), |state| state);
    let program = Lent::current();
    let combine = move |left: &[u8], right: &mut [u8]| {
        let Some(datatype) = TYPE.with_borrow(Clone::clone) else { return };
        // SAFETY: the state outlives the operations made with it, and reductions of its rank run
        // while it lives.
        let Some(state) = (unsafe { owner.as_ref() }) else { return };
        let _running = state.enter();
        let [given, result] = untouched.get();
        untouched.set([result, given]);
        let given = Laid::new(&datatype, left, given);
        let result = Laid::new(&datatype, right, result);
        let mut type_handle = state.handle_of_type(&datatype);
        let Some(mut length) = N::narrow(given.part.count) else { return };
        let (given_at, result_at) = (given.part.address, result.part.address);
        if Lent::current().is_some() {
            // A local reduction runs on the rank's own stack.
            let place = |address: usize| address as *mut c_void;
            function(place(given_at), place(result_at), &raw mut length, &raw mut type_handle);
        } else if let Some(program) = program.filter(|_| state.may_combine()) {
            let (count, kind) = (&raw mut length as usize, &raw mut type_handle as usize);
            let words = [given_at, result_at, count, kind];
            state.set_combining(true);
            // SAFETY: the rank lives as long as its state, and the function belongs to its program.
            let returned = unsafe { program.call(function as usize, words) };
            state.set_combining(false);
            match returned {
                Returned::Well => {}
                Returned::Threw(exception) => state.threw_combining(exception),
                Returned::Never => state.ended_combining(),
            }
        }
        let made = result.packed();
        let is_swapped = *right == *made && *right != *left && given.packed() != left;
        right.copy_from_slice(&made);
        let created = CallPlace::at(site, "MPI_Op_create");
        let finding = if given.is_overrun() || result.is_overrun() {
            short_buffer::of_operation(state.number(), created, given.part.count)
        } else if is_swapped {
            combining::result_in_operand(state.number(), created)
        } else {
            return;
        };
        if !is_told.replace(true) {
            state.tell_of_function(site, finding);
        }
    };
    let place = site::address_in_file(function as usize);
    OwnOperation { commutative, function: Rc::new(combine), place }
}

pub(super) extern "C-unwind" fn op_create<N: Number>(
    function: Option<Function<N>>,
    commute: c_int,
    op: *mut Handle,
) -> c_int {
    creating(handle::COMM_NULL, (op, handle::OP_NULL), |state, site| {
        let function = function.ok_or_else(|| Fault::new(class::ARG, "the function is null"))?;
        wanted(op)?;
        let made = user(function, commute != 0, site);
        let made = state.rare().ops.borrow_mut().insert((made, site));
        put(op, made)
    })
}

pub(super) extern "C-unwind" fn op_free(op: *mut Handle) -> c_int {
    local(|state, _| {
        let given = peek(op)?;
        if given == handle::OP_NULL {
            return Err(Fault::new(class::OP, "the operation is null"));
        }
        let freed = state.rare().ops.borrow_mut().remove(given);
        freed.ok_or_else(|| Fault::new(class::OP, "only operations the program made are freed"))?;
        put(op, handle::OP_NULL)
    })
}

pub(super) extern "C-unwind" fn op_commutative(op: Handle, commute: *mut c_int) -> c_int {
    local(|state, _| {
        let commutes = match any(state, op)? {
            Named::Predefined(op) => op.is_commutative(),
            Named::Own(own) => own.commutative,
        };
        put(commute, c_int::from(commutes))
    })
}

pub(super) extern "C-unwind" fn reduce_local<N: Number>(
    left: *const c_void,
    right: *mut c_void,
    count: N,
    datatype: Handle,
    op: Handle,
) -> c_int {
    local(|state, site| {
        let from = Part::new(state, left as usize, count.wide(), datatype)?;
        let into = Part::new(state, right as usize, count.wide(), datatype)?;
        let (op, primitive) = of(state, op, &into.datatype)?;
        let memory = Memory { reads: slice::from_ref(&from), writes: slice::from_ref(&into) };
        guard::pass(state, CallPlace::at(site, "MPI_Reduce_local"), memory)?;
        if guard::overlap(slice::from_ref(&from), slice::from_ref(&into)) {
            return Err(Fault::new(class::BUFFER, "the buffers overlap"));
        }
        let (mut a, mut b) = (Vec::new(), Vec::new());
        from.pack(&mut a);
        into.pack(&mut b);
        op.apply(primitive, &a, &mut b);
        into.unpack(&b);
        Ok(())
    })
}
