//! Identities of datatype constructors.

use mpi_api::api::{
    datatype::{DatatypeRef, MutView, UserDatatype, View},
    initialize,
    traits::*,
};
use mpi_api::object::signature::Primitive;

use super::{Row, row};

const REAL: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);
const CHAR: DatatypeRef<'static> = DatatypeRef::system(Primitive::Char);

pub(super) fn rows() -> Vec<Row> {
    vec![
        row(
            "Q.1",
            "MPI: The Complete Reference, section 3.3.2",
            "contiguous is a vector with blocks of one, or of one block",
            &[1],
            || {
                same(|old| {
                    [
                        UserDatatype::contiguous(5, old),
                        UserDatatype::vector(5, 1, 1, old),
                        UserDatatype::vector(1, 5, -7, old),
                    ]
                });
            },
        ),
        row(
            "Q.2",
            "MPI: The Complete Reference, section 3.3.4",
            "a vector is indexed blocks at multiples of the stride",
            &[1],
            || {
                same(|old| {
                    let vector = UserDatatype::vector(3, 2, 4, old);
                    let indexed = UserDatatype::indexed(&[2; 3], &[0, 4, 8], old);
                    [vector, indexed, UserDatatype::indexed_block(2, &[0, 4, 8], old)]
                });
            },
        ),
        row(
            "Q.3",
            "MPI: The Complete Reference, section 3.3.6",
            "indexed in bytes is a structure of one type",
            &[1],
            || {
                same(|old| {
                    let (lengths, places) = ([2, 1, 3], [100, 0, 200]);
                    let types = [old.as_ref(), old.as_ref(), old.as_ref()];
                    [
                        UserDatatype::heterogeneous_indexed(&lengths, &places, old),
                        UserDatatype::structured(&lengths, &places, &types),
                        UserDatatype::heterogeneous_indexed(&lengths, &places, old),
                    ]
                });
            },
        ),
        row(
            "Q.4",
            "MPI: The Complete Reference, section 3.4.3",
            "several elements are one element of a contiguous type",
            &[2],
            several_or_one,
        ),
        row(
            "Q.5",
            "MPI: The Complete Reference, section 3.8",
            "a packed unit is one message of all its types",
            &[2],
            packed,
        ),
    ]
}

/// Three types from one old one have the same map and the same extent.
fn same(make: fn(&UserDatatype) -> [UserDatatype; 3]) {
    let _universe = initialize().expect("once");
    let old = UserDatatype::structured(&[1, 1], &[0, 8], &[REAL, CHAR]);
    let [first, second, third] = make(&old);
    for other in [&second, &third] {
        assert_eq!(first.type_map(), other.type_map());
        assert_eq!((first.extent(), first.size()), (other.extent(), other.size()));
    }
}

fn several_or_one() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    let pairs = UserDatatype::vector(2, 1, 2, &REAL);
    let six = UserDatatype::contiguous(6, &pairs);
    let data: Vec<f64> = (0..40).map(f64::from).collect();
    let mut got = [[0.0; 40]; 2];
    for (room, as_one) in got.iter_mut().zip([false, true]) {
        let (count, datatype) = if as_one { (1, &six) } else { (6, &pairs) };
        if world.rank() == 0 {
            other.send(&View::checked(&data, count, datatype).expect("inside"));
        } else {
            let (count, datatype) = if as_one { (6, &pairs) } else { (1, &six) };
            let mut room = MutView::checked(&mut room[..], count, datatype).expect("inside");
            other.receive_into(&mut room);
        }
    }
    assert_eq!(got[0], got[1]);
    assert!(world.rank() == 0 || got[0][3] == 3.0);
}

#[allow(unsafe_code, reason = "packed bytes seen as MPI_PACKED")]
fn packed() {
    const PACKED: DatatypeRef<'static> = DatatypeRef::system(Primitive::Packed);
    let universe = initialize().expect("once");
    let world = universe.world();
    let other = world.process_at_rank(1 - world.rank());
    if world.rank() == 0 {
        let mut unit = world.pack(&7i32);
        unit.extend(world.pack(&[1.5f64, 2.5][..]));
        // SAFETY: as many bytes as there are.
        let out = unsafe { View::with_count_and_datatype(&unit[..], unit.len() as i32, &PACKED) };
        other.send(&out);
    } else {
        let mut room = (0i32, [0.0f64; 2]);
        other.receive_into(&mut room);
        assert_eq!(room, (7, [1.5, 2.5]));
    }
}
