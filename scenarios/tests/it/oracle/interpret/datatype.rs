//! Layouts as datatypes.

use mpi_api::{
    call::Layout as Cost,
    object::{
        datatype::{Datatype, Order},
        signature::Signature,
    },
};

use crate::oracle::layout::{Layout, Shape};

/// The datatype of one element.
fn element(layout: &Layout) -> Datatype {
    let types: Vec<Datatype> =
        layout.fields.iter().map(|(primitive, _)| Datatype::predefined(*primitive)).collect();
    let places: Vec<i64> = layout.fields.iter().map(|(_, at)| *at).collect();
    let unit = if layout.is_basic() {
        types[0].clone()
    } else {
        let lengths = vec![1; types.len()];
        Datatype::structure(&lengths, &places, &types)
            .and_then(|unit| unit.resized(0, layout.extent))
            .expect("a struct")
    };
    let split = |list: &[(u64, i64)]| -> (Vec<i64>, Vec<i64>) {
        list.iter().map(|(length, at)| (*length as i64, *at)).unzip()
    };
    let signed = |pair: [u64; 2]| pair.map(|value| value as i64);
    let made = match &layout.shape {
        Shape::One => Ok(unit),
        Shape::Row(units) => Datatype::contiguous(*units as i64, &unit),
        Shape::Vector { count, length, stride } => {
            Datatype::vector(*count as i64, *length as i64, *stride, &unit)
        }
        Shape::Hvector { count, length, stride } => {
            Datatype::hvector(*count as i64, *length as i64, *stride, &unit)
        }
        Shape::Indexed(list) => {
            let (lengths, places) = split(list);
            Datatype::indexed(&lengths, &places, &unit)
        }
        Shape::Hindexed(list) => {
            let (lengths, places) = split(list);
            Datatype::hindexed(&lengths, &places, &unit)
        }
        Shape::Block(length, places) => Datatype::indexed_block(*length as i64, places, &unit),
        Shape::Box { sizes, subsizes, starts, fortran } => {
            let order = if *fortran { Order::Fortran } else { Order::C };
            Datatype::subarray(&signed(*sizes), &signed(*subsizes), &signed(*starts), order, &unit)
        }
    };
    made.expect("a datatype")
}

/// The data in memory, dense, with their types and whether gathering them costs time.
pub(super) fn pack(layout: &Layout, memory: &[u8]) -> (Vec<u8>, Signature, Cost) {
    let (datatype, count) = (element(layout), layout.elements);
    let mut data = Vec::new();
    datatype
        .pack_slice(memory, layout.memory().0, count as usize, &mut data)
        .expect("inside the memory");
    (data, datatype.signature_of(count), cost(&datatype))
}

/// Room in bytes, with its types and whether filling it costs time.
pub(super) fn room(layout: &Layout) -> (u64, Signature, Cost) {
    let datatype = element(layout);
    let bytes = datatype.size() * layout.elements;
    (bytes, datatype.signature_of(layout.elements), cost(&datatype))
}

/// Dense data put into memory.
pub(super) fn unpack(layout: &Layout, data: &[u8], memory: &mut [u8]) {
    let used = element(layout)
        .unpack_slice(data, memory, layout.memory().0, layout.elements as usize)
        .expect("inside the memory");
    assert_eq!(used, data.len());
}

fn cost(datatype: &Datatype) -> Cost {
    if datatype.is_contiguous() { Cost::Dense } else { Cost::Strided }
}
