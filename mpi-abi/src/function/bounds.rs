//! Compares the buffers of calls with the variables and heap blocks of the program that hold them, in
//! runs that ask for it: their length, and the type of the memory.

use std::ops::Range;

use guest::{
    memory::{self, Class, Misfit, Number, Object, Storage},
    site::Site as Place,
};
use mpi_api::{
    call::Site,
    check::{
        memory_type::{self, Compared, Difference, Holder, Within},
        short_buffer::{self, Begin, Does, Element, Extent, Shape},
    },
    finding::{CallPlace, Code, Finding},
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
    memory::{Looked, Room},
    purpose::Purpose,
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
    /// What the call uses it for.
    pub(super) purpose: Purpose,
}

/// Returns what a buffer of a call differs in from the objects that hold it.
#[cold]
pub(super) fn find(rank: u32, origin: CallPlace, buffer: Buffer) -> Option<Finding> {
    memory::in_one_look(|| {
        beside_named(rank, origin, buffer)
            .or_else(|| too_short(rank, origin, buffer))
            .or_else(|| other_type(rank, origin, buffer))
    })
}

/// Returns the finding about the only buffer of a call that begins outside of the array of which the source names an element.
fn beside_named(rank: u32, origin: CallPlace, buffer: Buffer) -> Option<Finding> {
    let misfit = memory::outside_named(origin.call, mpi_functions::buffer_of, buffer.address)?;
    let Range { start, end } = buffer.datatype.span(buffer.count as usize);
    Some(outside(rank, origin, buffer, (&misfit, (end - start) as u64)))
}

/// Looks at an argument that a call reads or writes, apart from its buffers.
pub(crate) fn look(Looked { address, count, size, purpose, room }: Looked) {
    let bytes = count * size;
    let Some((state, compared)) = State::current().and_then(|it| Some((it, it.compared.as_ref()?)))
    else {
        return;
    };
    if bytes == 0 || !compared.is_new(address, bytes) {
        return;
    }
    let Some(misfit) = memory::misfit(address, bytes as u64) else { return };
    let (site, holder) = (here(), holder(&misfit.object));
    if compared.is_first(Code::ShortBuffer, holder.place.unwrap_or(site)) {
        let origin = CallPlace::at(site, "a call");
        let extent = Extent { does: purpose.into(), bytes: bytes as u64, begin: begin(&misfit) };
        let of = match room {
            Some(Room { constant, written }) => Element::Character { constant, written },
            None if size == size_of::<Status>() => Element::Status,
            None => Element::Other,
        };
        let shape = Shape { count: count as u64, of };
        let finding = short_buffer::of_argument(state.number(), origin, shape, extent, &holder);
        state.keep_finding(compared, finding);
    }
}

/// Compares memory that a call is given, for a window or as an attached buffer, with the object that it lies in.
pub(super) fn look_at_memory(state: &State, origin: CallPlace, address: usize, bytes: u64) {
    look_at_given(state, origin, (address, bytes), (Does::Takes, memory::misfit));
}

/// Looks whether memory that a window or the process has been given, and that a call gives back, is still there.
pub(super) fn look_at_end(state: &State, origin: CallPlace, address: usize, bytes: u64) {
    look_at_given(state, origin, (address, bytes), (Does::GivesBack, |at, _| memory::freed(at)));
}

fn look_at_given(
    state: &State,
    origin: CallPlace,
    (address, bytes): (usize, u64),
    (does, find): (Does, fn(usize, u64) -> Option<Misfit>),
) {
    let Some(compared) = state.compared.as_ref().filter(|_| bytes > 0 && address > SENTINEL_MAX)
    else {
        return;
    };
    compared.recall();
    let Some(misfit) = find(address, bytes) else { return };
    if compared.is_first(Code::ShortBuffer, origin.site) {
        let extent = Extent { does, bytes, begin: begin(&misfit) };
        let holder = holder(&misfit.object);
        let finding = short_buffer::of_memory(state.number(), origin, extent, &holder);
        state.keep_finding(compared, finding);
    }
}

/// Returns the finding that a buffer, which an earlier call was given, has been freed since.
#[cold]
pub(super) fn find_freed(rank: u32, origin: CallPlace, buffer: Buffer) -> Option<Finding> {
    let Range { start, end } = buffer.datatype.span(buffer.count as usize);
    let misfit = memory::freed(buffer.address.wrapping_add_signed(start as isize))?;
    Some(outside(rank, origin, buffer, (&misfit, (end - start) as u64)))
}

/// Returns the finding about bytes of a buffer that are not all in one object.
fn outside(
    rank: u32,
    origin: CallPlace,
    buffer: Buffer,
    (misfit, bytes): (&Misfit, u64),
) -> Finding {
    let Buffer { count, datatype, purpose, .. } = buffer;
    let extent = Extent { does: purpose.into(), bytes, begin: begin(misfit) };
    let elements = (count, name_of(datatype));
    short_buffer::of_call(rank, origin, elements, extent, &holder(&misfit.object))
}

/// Compares the blocks of a buffer of a collective with the object that the first of them lies in. One by one, those
/// that begin beyond it would be taken for parts of another object. `base` is the buffer's address, unless displacements of
/// blocks in other objects are allowed.
pub(super) fn look_at_blocks(blocks: &[Part], base: Option<usize>, purpose: Purpose) {
    let Some((state, compared)) = State::current().and_then(|it| Some((it, it.compared.as_ref()?)))
    else {
        return;
    };
    let used = || blocks.iter().filter(|part| part.bytes() > 0 && part.address > SENTINEL_MAX);
    let Some(first) = used().next().filter(|_| base.is_some() || used().nth(1).is_some()) else {
        return;
    };
    if used().any(|part| spans_objects(&part.datatype)) {
        return;
    }
    let (mut low, mut high) = (base.unwrap_or(usize::MAX), 0);
    for part in used() {
        let Range { start, end } = part.datatype.span(part.count as usize);
        low = low.min(part.address.wrapping_add_signed(start as isize));
        high = high.max(part.address.wrapping_add_signed(end as isize));
    }
    compared.recall();
    let Some(misfit) = memory::misfit(low, (high - low) as u64) else { return };
    let site = here();
    if compared.is_first(Code::ShortBuffer, site) {
        let extent =
            Extent { does: purpose.into(), bytes: (high - low) as u64, begin: begin(&misfit) };
        let elements = (used().map(|part| part.count).sum(), name_of(&first.datatype));
        let origin = CallPlace::at(site, "a collective");
        let holder = holder(&misfit.object);
        let finding = short_buffer::of_call(state.number(), origin, elements, extent, &holder);
        state.keep_finding(compared, finding);
    }
}

/// Returns where memory begins.
fn begin(misfit: &Misfit) -> Begin {
    match misfit.begin {
        memory::Begin::Inside { left } => Begin::Inside { left },
        memory::Begin::Reserved { left } => Begin::Reserved { left },
        memory::Begin::Before { bytes } => Begin::Before { bytes },
        memory::Begin::Behind { bytes } => Begin::Behind { bytes },
        memory::Begin::Dead => Begin::Dead,
        memory::Begin::Freed { place } => Begin::Freed { place: site_of(place) },
    }
}

/// Returns the site in a source; `None` if the place is not known.
fn site_of(place: Place) -> Option<Site> {
    let Place { file, line, column, .. } = place;
    (line > 0).then(|| Site::at(file, line, column.max(1)))
}

fn holder(object: &Object) -> Holder {
    Holder { name: object.name.to_string(), bytes: object.bytes, place: site_of(object.place) }
}

/// Returns the finding about a buffer that is not all in one object.
fn too_short(rank: u32, origin: CallPlace, buffer: Buffer) -> Option<Finding> {
    let Buffer { count, datatype, .. } = buffer;
    let found = match spans_objects(datatype) {
        false => {
            let span = datatype.span(count as usize);
            let find = |first, bytes| {
                memory::misfit_by(buffer.address, first, bytes)
                    .or_else(|| memory::dead(buffer.address, bytes))
            };
            over(buffer, (span.start, span.end), find)?
        }
        true => over_in_parts(buffer)?,
    };
    Some(outside(rank, origin, buffer, (&found.0, found.1)))
}

/// Returns what `find` tells of bytes of a buffer, from one displacement to another: how they do not fit into the object that
/// the first of them is in. And returns their number.
fn over(
    buffer: Buffer,
    (from, to): (i64, i64),
    find: impl Fn(usize, u64) -> Option<Misfit>,
) -> Option<(Misfit, u64)> {
    let from = (buffer.address as i64).wrapping_add(from);
    let to = (buffer.address as i64).wrapping_add(to);
    let bytes = u64::try_from(to - from).ok().filter(|bytes| *bytes > 0)?;
    find(from as usize, bytes).map(|misfit| (misfit, bytes))
}

/// Like [`over`], for all bytes of a buffer whose datatype may reach several objects: neighbours in an element may be
/// variables of their own, but each of them is an array of as many numbers as there are elements.
fn over_in_parts(buffer: Buffer) -> Option<(Misfit, u64)> {
    let (element, (low, high)) = repeated(buffer.datatype);
    let behind = (buffer.count - 1).saturating_mul(buffer.datatype.extent());
    let series = |(primitive, at): (Primitive, i64)| {
        (at + low + behind.min(0), at + high + behind.max(0) + primitive.size() as i64)
    };
    let all: Vec<(i64, i64)> = map_of(&element).into_iter().take(NUMBERS_MAX).map(series).collect();
    let (first, found) =
        all.iter().find_map(|part| Some((part.0, over(buffer, *part, memory::misfit)?)))?;
    let memory::Begin::Inside { left } = found.0.begin else { return Some(found) };
    // What begins in the same object is one array of structures.
    let end = first + left as i64;
    let inside = end - found.0.object.bytes as i64..end;
    let together = all.into_iter().filter(|part| inside.contains(&part.0));
    let hull = together.reduce(|hull, part| (hull.0.min(part.0), hull.1.max(part.1)));
    hull.and_then(|hull| over(buffer, hull, memory::misfit)).or(Some(found))
}

/// Returns the datatype that one with a regular or indexed layout repeats, and the displacements of its first and last place,
/// bytes.
fn repeated(datatype: &Datatype) -> (Datatype, (i64, i64)) {
    let (mut element, mut places) = (datatype.clone(), (0, 0));
    while !has_byte_displacements(element.envelope().combiner)
        && let [inner] = &element.envelope().datatypes[..]
    {
        let inner = inner.clone();
        let end = |datatype: &Datatype| datatype.true_lb() + datatype.true_extent();
        places.0 += element.true_lb() - inner.true_lb();
        places.1 += end(&element) - end(&inner);
        element = inner;
    }
    (element, places)
}

/// Reports whether a datatype is made with displacements in bytes: programs take them from the
/// addresses of unrelated variables.
fn spans_objects(datatype: &Datatype) -> bool {
    let envelope = datatype.envelope();
    has_byte_displacements(envelope.combiner) || envelope.datatypes.iter().any(spans_objects)
}

fn has_byte_displacements(combiner: Combiner) -> bool {
    match combiner {
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
        | Combiner::Resized => false,
    }
}

/// Returns the basic elements of a datatype with their displacements in bytes; none of one with very many.
fn map_of(datatype: &Datatype) -> Vec<(Primitive, i64)> {
    match datatype.elements() {
        ..=TYPE_MAP_MAX => datatype.type_map(),
        _ => Vec::new(),
    }
}

/// Returns the first basic elements of a buffer with their distances from its address in bytes; none of a
/// datatype with very many.
fn numbers(buffer: Buffer) -> impl Iterator<Item = (Primitive, i64)> {
    let map = map_of(buffer.datatype);
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
fn other_type(rank: u32, origin: CallPlace, buffer: Buffer) -> Option<Finding> {
    let (mut held, mut looked): (Option<Object>, bool) = (None, false);
    // Elsewhere other objects lie behind what the buffer begins in, which may be longer than is known.
    let may_leave = spans_objects(buffer.datatype);
    let is_mixed = buffer.datatype.signature().uniform().is_none();
    for (primitive, at) in numbers(buffer) {
        let Some((class, bytes)) = number_of(primitive) else { continue };
        let address = buffer.address.wrapping_add_signed(at as isize);
        let end = |object: &Object| object.start + object.bytes as usize;
        let is_inside = |object: &Object| (object.start..end(object)).contains(&address);
        if !held.as_ref().is_some_and(is_inside) {
            if looked && !may_leave {
                return None;
            }
            held = memory::object_at(address);
            looked = true;
        }
        let Some(object) = held.as_ref() else { continue };
        let Some((place, number, difference)) = differing(object, address, (class, bytes)) else {
            continue;
        };
        if is_mixed && object.may_be_headed() || memory::is_used_otherwise(object, place) {
            held = held.take().map(Object::with_anything);
            continue;
        }
        let compared = Compared {
            memory: &number.name,
            datatype: primitive.name(),
            distance: at.max(0) as u64,
            difference,
        };
        return Some(memory_type::of_call(rank, origin, compared, &holder(object)));
    }
    None
}

/// Returns a number of an object that differs from the one that a datatype has at an address, with an address of its own
/// bytes, and how it differs.
fn differing(
    object: &Object,
    address: usize,
    (class, bytes): (Class, u64),
) -> Option<(usize, &Number, Difference)> {
    // A number that begins between two members may end in the next one.
    let last = bytes - 1;
    let begun = object.number(address).map(|(number, inside)| (address, number, inside));
    let (place, number, inside) = begun.or_else(|| {
        let place = address + last as usize;
        let (number, inside) = object.number(place)?;
        Some((place, number, inside.wrapping_sub(last)))
    })?;
    let difference = difference(object, (number, inside), (class, bytes))?;
    Some((place, number, difference))
}

/// Returns how what the memory of an object holds differs from the number that a datatype has there, which begins at an
/// offset in it. Addresses are data of integers with their size, which programs use for them.
fn difference(
    object: &Object,
    (number, inside): (&Number, u64),
    (class, bytes): (Class, u64),
) -> Option<Difference> {
    let is_alike = (number.class, number.bytes) == (class, bytes);
    match number.class {
        Class::Integer | Class::Float if is_alike => (inside != 0).then_some(Difference::Place),
        Class::Integer | Class::Float => Some(Difference::Type),
        Class::Pointer | Class::Code
            if inside != 0 || (class, bytes) == (Class::Integer, number.bytes) =>
        {
            None
        }
        Class::Pointer if object.is_pointer() => Some(Difference::Pointer(Within::Variable)),
        Class::Pointer if object.storage == Storage::Heap => {
            Some(Difference::Pointer(Within::Block))
        }
        Class::Pointer => Some(Difference::Pointer(Within::Larger)),
        Class::Code => Some(Difference::Code),
    }
}

/// Returns class and size in bytes of the number that a basic type begins with; `None` for bytes, which programs may take for
/// any memory, characters and formats that C has no type for.
pub(super) fn number_of(primitive: Primitive) -> Option<(Class, u64)> {
    let bytes = primitive.size() as u64;
    match primitive.kind() {
        Kind::Logical => Some((Class::Integer, bytes)),
        _ if bytes == 1 => None,
        Kind::Signed | Kind::Unsigned | Kind::FortranInteger | Kind::Address => {
            Some((Class::Integer, bytes))
        }
        Kind::Float => Some((Class::Float, bytes)),
        Kind::Complex => Some((Class::Float, bytes / 2)),
        Kind::Byte | Kind::Character | Kind::Pair | Kind::Opaque | Kind::Packed => None,
    }
}
