//! Messages of derived datatypes, and of packed data.

use mpi_api::api::{
    datatype::{DatatypeRef, MutView, UserDatatype, View},
    topology::SimpleCommunicator,
    traits::*,
};
use mpi_api::object::signature::Primitive;
use proptest::prelude::*;

use super::{agree, programs};

const INT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Int32);
const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);
const PACKED: DatatypeRef<'static> = DatatypeRef::system(Primitive::Packed);

/// A vector: blocks, their length, and how far it is from one to the next.
type Shape = (i32, i32, i32);

fn shape() -> impl Strategy<Value = Shape> {
    (1..4_i32, 1..4_i32, 0..3_i32).prop_map(|(count, length, gap)| (count, length, length + gap))
}

/// Several of a type, or one of the contiguous type of this many.
fn either(count: i32, at_once: bool, (blocks, length, stride): Shape) -> (i32, UserDatatype) {
    let one = UserDatatype::vector(blocks, length, stride, &INT);
    if at_once { (1, UserDatatype::contiguous(count, &one)) } else { (count, one) }
}

/// A part of a packed unit.
#[derive(Clone, Debug)]
enum Part {
    Ints(Vec<i32>),
    Reals(Vec<f64>),
}

impl Part {
    fn pack(&self, world: &SimpleCommunicator) -> Vec<u8> {
        match self {
            Self::Ints(values) => world.pack(&values[..]),
            Self::Reals(values) => world.pack(&values[..]),
        }
    }

    fn shape(&self) -> (i32, DatatypeRef<'static>, usize) {
        match self {
            Self::Ints(values) => (values.len() as i32, INT, 4),
            Self::Reals(values) => (values.len() as i32, REAL, 8),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Ints(values) => values.iter().flat_map(|value| value.to_ne_bytes()).collect(),
            Self::Reals(values) => values.iter().flat_map(|value| value.to_ne_bytes()).collect(),
        }
    }
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let part = prop_oneof![
        prop::collection::vec(any::<i32>(), 0..5).prop_map(Part::Ints),
        prop::collection::vec(-1e3..1e3, 0..5).prop_map(Part::Reals),
    ];
    prop::collection::vec(part, 1..5)
}

/// The parts in memory, each on a multiple of its alignment, and the type that describes them.
fn in_memory(parts: &[Part]) -> (Vec<u8>, UserDatatype) {
    let (mut memory, mut lengths, mut places, mut types) = (vec![], vec![], vec![], vec![]);
    for part in parts {
        let (count, datatype, align) = part.shape();
        memory.resize(memory.len().next_multiple_of(align), 0xee);
        lengths.push(count);
        places.push(memory.len() as isize);
        types.push(datatype);
        memory.extend(part.bytes());
    }
    (memory, UserDatatype::structured(&lengths, &places, &types))
}

/// Rank 0 packs and sends, rank 1 receives typed; then the other way round.
#[allow(unsafe_code, reason = "bytes seen as the types that lie in them")]
fn packed_and_typed(world: &SimpleCommunicator, parts: &[Part]) {
    let other = world.process_at_rank(1 - world.rank());
    let unit: Vec<u8> = parts.iter().flat_map(|part| part.pack(world)).collect();
    let (memory, datatype) = in_memory(parts);
    let mut room = vec![0xee; memory.len()];
    if world.rank() == 0 {
        // SAFETY: as many bytes as there are.
        let out = unsafe { View::with_count_and_datatype(&unit[..], unit.len() as i32, &PACKED) };
        other.send(&out);
        // SAFETY: the type was made for this memory.
        other.send(&unsafe { View::with_count_and_datatype(&memory[..], 1, &datatype) });
    } else {
        // SAFETY: the room is like the memory; all its types take any bytes.
        let mut into = unsafe { MutView::with_count_and_datatype(&mut room[..], 1, &datatype) };
        other.receive_into(&mut into);
        assert_eq!(room, memory);
        let (mut got, length) = (vec![0u8; unit.len()], unit.len() as i32);
        // SAFETY: as many bytes as there are.
        let mut into = unsafe { MutView::with_count_and_datatype(&mut got[..], length, &PACKED) };
        let status = other.receive_into(&mut into);
        assert_eq!((got, status.bytes()), (unit, length as usize));
    }
}

proptest! {
    #![proptest_config(programs())]

    /// Q.4: sent and received in either form.
    #[test]
    fn several_elements_are_one_of_a_contiguous_type(
        shape in shape(), count in 1..5_i32, out in any::<bool>(), into in any::<bool>()
    ) {
        agree(2, move |world| {
            let other = world.process_at_rank(1 - world.rank());
            let places = (count * shape.0 * shape.2) as usize;
            let data: Vec<i32> = (0..places as i32).collect();
            let mut rooms = [vec![-1; places], vec![-1; places]];
            for (room, (out, into)) in rooms.iter_mut().zip([(out, into), (!out, !into)]) {
                if world.rank() == 0 {
                    let (count, datatype) = either(count, out, shape);
                    other.send(&View::checked(&data, count, &datatype).expect("inside"));
                } else {
                    let (count, datatype) = either(count, into, shape);
                    let mut room = MutView::checked(&mut room[..], count, &datatype);
                    other.receive_into(room.as_mut().expect("inside"));
                }
            }
            assert_eq!(rooms[0], rooms[1]);
            assert!(world.rank() == 0 || rooms[0][0] == 0);
        })?;
    }

    /// Q.5.
    #[test]
    fn a_packed_unit_is_one_message_of_all_its_types(parts in parts()) {
        agree(2, move |world| packed_and_typed(world, &parts))?;
    }
}
