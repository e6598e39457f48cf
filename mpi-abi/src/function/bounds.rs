//! Compares the buffers of calls with the variables and heap blocks of the program that hold them, in
//! runs that ask for it: their length, and the type of the memory.

use std::ops::Range;

use guest::{
    memory::{self, Class, Object},
    site::Site as Place,
};
use mpi_api::{
    call::Site,
    check::{
        memory_type::{self, Compared, Holder},
        short_buffer::{self, Does, Extent, Shape},
    },
    finding::{Code, Finding, Origin},
    object::{
        datatype::{Combiner, Datatype},
        primitive::{Kind, Primitive},
    },
};

use super::{
    status::Status,
    transfer::{Part, SENTINEL_MAX},
};
use crate::{
    memory::Looked,
    state::{State, here},
};

/// Most basic elements of a buffer that are compared one by one.
const NUMBERS_MAX: usize = 256;
/// Most basic elements of one element of a datatype that is compared one by one.
const TYPE_MAP_MAX: u64 = 1 << 12;

/// A buffer of a call.
#[derive(Clone, Copy)]
pub(super) struct Buffer<'a> {
    pub(super) address: usize,
    pub(super) count: i64,
    pub(super) datatype: &'a Datatype,
    /// Whether the call may write to it.
    pub(super) writes: bool,
}

/// Returns what a buffer of a call differs in from the objects that hold it.
#[cold]
pub(super) fn find(rank: u32, origin: Origin, buffer: Buffer) -> Option<Finding> {
    too_short(rank, origin, buffer).or_else(|| other_type(rank, origin, buffer))
}

/// Looks at an argument that a call reads or writes, apart from its buffers.
pub(crate) fn look(Looked { address, count, size, writes }: Looked) {
    let bytes = count * size;
    let Some((state, compared)) = State::current().and_then(|it| Some((it, it.compared.as_ref()?)))
    else {
        return;
    };
    if !compared.is_new(address, bytes) {
        return;
    }
    let Some((object, left)) = too_few(address, bytes as u64) else { return };
    let (site, holder) = (here(), holder(&object));
    if compared.is_first(Code::ShortBuffer, holder.place.unwrap_or(site)) {
        let origin = (site.call_or("a call"), site);
        let extent = Extent { does: Does::to_argument(writes), bytes: bytes as u64, left };
        let of_status = size == size_of::<Status>();
        let shape = Shape { count: count as u64, of_status };
        let finding = short_buffer::of_argument(state.number(), origin, shape, extent, &holder);
        state.keep_finding(compared, finding);
    }
}

/// Compares memory that a call is given, for a window or as an attached buffer, with the object that it lies in.
pub(super) fn look_at_memory(state: &State, origin: Origin, address: usize, bytes: u64) {
    let Some(compared) = state.compared.as_ref().filter(|_| bytes > 0 && address > SENTINEL_MAX)
    else {
        return;
    };
    compared.recall();
    let Some((object, left)) = too_few(address, bytes) else { return };
    if compared.is_first(Code::ShortBuffer, origin.1) {
        let rank = state.number();
        let finding = short_buffer::of_memory(rank, origin, (bytes, left), &holder(&object));
        state.keep_finding(compared, finding);
    }
}

/// Compares the blocks of a buffer of a collective with the object that the first of them lies in. One by one, those
/// that begin beyond it would be taken for parts of another object.
pub(super) fn look_at_blocks(blocks: &[Part], writes: bool) {
    let Some((state, compared)) = State::current().and_then(|it| Some((it, it.compared.as_ref()?)))
    else {
        return;
    };
    let used = || blocks.iter().filter(|part| part.bytes() > 0 && part.address > SENTINEL_MAX);
    let (Some(first), Some(_)) = (used().next(), used().nth(1)) else { return };
    if used().any(|part| spans_objects(&part.datatype)) {
        return;
    }
    let (mut low, mut high) = (usize::MAX, 0);
    for part in used() {
        let Range { start, end } = part.datatype.span(part.count as usize);
        low = low.min(part.address.wrapping_add_signed(start as isize));
        high = high.max(part.address.wrapping_add_signed(end as isize));
    }
    compared.recall();
    let Some((object, left)) = too_few(low, (high - low) as u64) else { return };
    let site = here();
    if compared.is_first(Code::ShortBuffer, site) {
        let does = Does::to_argument(writes);
        let extent = Extent { does, bytes: (high - low) as u64, left };
        let elements = (used().map(|part| part.count).sum(), name_of(&first.datatype));
        let origin = (site.call_or("a collective"), site);
        let finding =
            short_buffer::of_call(state.number(), origin, elements, extent, &holder(&object));
        state.keep_finding(compared, finding);
    }
}

/// Returns the object that memory begins in, and how many bytes it has from there on, if these are certain to be fewer
/// than are needed.
fn too_few(address: usize, needed: u64) -> Option<(Object, u64)> {
    let object = memory::object_at(address)?;
    let left = object.too_few(address, needed)?;
    Some((object, left))
}

fn holder(object: &Object) -> Holder {
    let Place { file, line, column, .. } = object.place;
    Holder {
        name: object.name.to_string(),
        bytes: object.bytes,
        place: (line > 0).then(|| Site::at(file, line, column.max(1))),
    }
}

/// Returns the finding about a buffer that is longer than the rest of the object it begins in.
fn too_short(rank: u32, origin: Origin, buffer: Buffer) -> Option<Finding> {
    let Buffer { address, count, datatype, writes } = buffer;
    let span = datatype.span(count as usize);
    let [low, high] = [span.start, span.end].map(|at| (address as i64).wrapping_add(at));
    let over = |(from, to): (i64, i64)| {
        let needed = (to - from) as u64;
        too_few(from as usize, needed).map(|(object, left)| (object, left, needed))
    };
    let (object, left, bytes) = match spans_objects(datatype) {
        false => over((low, high))?,
        // Neighbours may be variables of their own, so that each basic element is one.
        true => {
            let place = |(primitive, at): (Primitive, i64)| {
                let from = address as i64 + at;
                (from, from + primitive.size() as i64)
            };
            numbers(buffer).map(place).find_map(over)?
        }
    };
    let extent = Extent { does: Does::to_argument(writes), bytes, left };
    let elements = (count, name_of(datatype));
    Some(short_buffer::of_call(rank, origin, elements, extent, &holder(&object)))
}

/// Reports whether a datatype is made with displacements in bytes: programs take them from the
/// addresses of unrelated variables.
fn spans_objects(datatype: &Datatype) -> bool {
    let envelope = datatype.envelope();
    match envelope.combiner {
        Combiner::Struct | Combiner::Hindexed | Combiner::HindexedBlock => true,
        Combiner::Named
        | Combiner::Dup
        | Combiner::Contiguous
        | Combiner::Vector
        | Combiner::Hvector
        | Combiner::Indexed
        | Combiner::IndexedBlock
        | Combiner::Subarray
        | Combiner::Darray
        | Combiner::Resized => envelope.datatypes.iter().any(spans_objects),
    }
}

/// Returns the first basic elements of a buffer with their distances from its address in bytes; none of a
/// datatype with very many.
fn numbers(buffer: Buffer) -> impl Iterator<Item = (Primitive, i64)> {
    let map = match buffer.datatype.elements() {
        ..=TYPE_MAP_MAX => buffer.datatype.type_map(),
        _ => Vec::new(),
    };
    let extent = buffer.datatype.extent();
    let most = map.len().saturating_mul(buffer.count as usize).min(NUMBERS_MAX);
    (0..most).map(move |number| {
        let (primitive, at) = map[number % map.len()];
        (primitive, at + (number / map.len()) as i64 * extent)
    })
}

fn name_of(datatype: &Datatype) -> &'static str {
    datatype.primitive().map_or("a derived datatype", Primitive::name)
}

/// Returns the finding about the first number of a buffer whose type in memory differs from the
/// datatype.
fn other_type(rank: u32, origin: Origin, buffer: Buffer) -> Option<Finding> {
    let mut held: Option<Object> = None;
    for (primitive, at) in numbers(buffer) {
        let Some((class, bytes)) = number_of(primitive) else { continue };
        let address = buffer.address.wrapping_add_signed(at as isize);
        let end = |object: &Object| object.start + object.bytes as usize;
        let is_inside = |object: &Object| (object.start..end(object)).contains(&address);
        if !held.as_ref().is_some_and(is_inside) {
            held = memory::object_at(address);
        }
        let Some(object) = held.as_ref() else { continue };
        // A number that begins between two members may end in the next one.
        let last = bytes - 1;
        let begun = object.number(address);
        let found = begun.or_else(|| {
            let (number, inside) = object.number(address + last as usize)?;
            Some((number, inside.wrapping_sub(last)))
        });
        let Some((number, inside)) = found else { continue };
        if (number.class, number.bytes, inside) != (class, bytes, 0) {
            let compared = Compared {
                memory: &number.name,
                datatype: primitive.name(),
                distance: at.max(0) as u64,
                misplaced: (number.class, number.bytes) == (class, bytes),
            };
            return Some(memory_type::of_call(rank, origin, compared, &holder(object)));
        }
    }
    None
}

/// Returns class and size in bytes of the number that a basic type begins with; `None` for bytes,
/// characters and formats that C has no type for.
fn number_of(primitive: Primitive) -> Option<(Class, u64)> {
    let bytes = primitive.size() as u64;
    match primitive.kind() {
        _ if bytes == 1 => None,
        Kind::Signed | Kind::Unsigned | Kind::FortranInteger | Kind::Address | Kind::Logical => {
            Some((Class::Integer, bytes))
        }
        Kind::Float => Some((Class::Float, bytes)),
        Kind::Complex => Some((Class::Float, bytes / 2)),
        Kind::Byte | Kind::Character | Kind::Pair | Kind::Opaque | Kind::Packed => None,
    }
}
