//! Datatypes and collectives of Walker's paper.

use mpi_api::{
    api::{
        collective::UserOperation,
        datatype::{DatatypeRef, UserDatatype},
        initialize,
        topology::SimpleCommunicator,
        traits::*,
    },
    object::signature::Primitive,
};

use super::super::Row;

const CHAR: DatatypeRef<'static> = DatatypeRef::system(Primitive::Char);
const DOUBLE: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float64);
const FLOAT: DatatypeRef<'static> = DatatypeRef::system(Primitive::Float32);

pub(super) fn rows() -> Vec<Row> {
    let mut rows = maps();
    rows.extend(collectives());
    rows
}

fn maps() -> Vec<Row> {
    const PLACE: &str = "Walker, Parallel Computing 20 (1994), section 3.3.2";
    vec![
        Row::safe("W.dt1", PLACE, "three in a row", &[1], "copies are an extent apart", || {
            let _universe = initialize().expect("once");
            let three = UserDatatype::contiguous(3, &pair());
            assert_eq!(places(&three), [0, 8, 16, 24, 32, 40]);
        }),
        Row::safe("W.dt2", PLACE, "a vector", &[1], "the stride counts extents", || {
            let _universe = initialize().expect("once");
            let vector = UserDatatype::vector(2, 3, 4, &pair());
            assert_eq!(places(&vector), [0, 8, 16, 24, 32, 40, 64, 72, 80, 88, 96, 104]);
        }),
        Row::safe(
            "W.dt3",
            PLACE,
            "indexed blocks",
            &[1],
            "the printed map belongs to a displacement of 4 items; the printed 64 is in bytes",
            || {
                let _universe = initialize().expect("once");
                let printed = [64, 72, 80, 88, 96, 104, 0, 8];
                let items = UserDatatype::indexed(&[3, 1], &[4, 0], &pair());
                assert_eq!(places(&items), printed);
                let bytes = UserDatatype::heterogeneous_indexed(&[3, 1], &[64, 0], &pair());
                assert_eq!(places(&bytes), printed);
                let far = UserDatatype::indexed(&[3, 1], &[64, 0], &pair());
                assert_eq!(places(&far)[0], 1024);
            },
        ),
        Row::safe("W.dt4", PLACE, "a structure", &[1], "each block has its own type", || {
            let _universe = initialize().expect("once");
            let pair = pair();
            let types = [FLOAT, pair.as_ref(), CHAR];
            let all = UserDatatype::structured(&[2, 1, 3], &[0, 16, 26], &types);
            assert_eq!(places(&all), [0, 4, 16, 24, 26, 27, 28]);
        }),
    ]
}

fn collectives() -> Vec<Row> {
    vec![
        Row::safe(
            "W.gat",
            "Walker, Parallel Computing 20 (1994), section 3.4.1",
            "a gather of different types with one signature",
            &[3],
            "what each sends repeats an integer and a real",
            gather,
        ),
        Row::safe(
            "W.red",
            "Walker, Parallel Computing 20 (1994), equation 1",
            "a reduction in rank order",
            &[1, 2, 3, 5, 8],
            "the operation need not commute",
            || {
                in_order(|world, mine, op| {
                    let mut all = (0, 0);
                    world.all_reduce_into(mine, &mut all, op);
                    (all, world.size())
                });
            },
        ),
        Row::safe(
            "W.scan",
            "Walker, Parallel Computing 20 (1994), equation 2",
            "prefixes in rank order",
            &[1, 2, 3, 5, 8],
            "the paper leaves the own value out; the standard's MPI_Scan includes it, its \
                 MPI_Exscan does not",
            || {
                in_order(|world, mine, op| {
                    let mut prefix = (0, 0);
                    world.scan_into(mine, &mut prefix, op);
                    (prefix, world.rank() + 1)
                });
            },
        ),
    ]
}

fn pair() -> UserDatatype {
    UserDatatype::structured(&[1, 1], &[0, 8], &[DOUBLE, CHAR])
}

fn places(datatype: &UserDatatype) -> Vec<isize> {
    datatype.type_map().into_iter().map(|(_, place)| place).collect()
}

/// Rank r has 4 - r pairs; ranks 1 and 2 send three and two of them.
fn gather() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let root = world.process_at_rank(0);
    let mine: Vec<(i32, f32)> =
        (0..4 - world.rank()).map(|at| (10 * world.rank() + at, 0.5)).collect();
    if world.rank() > 0 {
        return root.gather_varcount_into(&mine);
    }
    let mut all = [(-1, 0.0f32); 9];
    let (lengths, starts) = ([4, 3, 2], [0, 4, 7]);
    let mut parts = mpi_api::api::datatype::PartitionMut::new(&mut all[..], lengths, starts);
    root.gather_varcount_into_root(&mine, &mut parts);
    let numbers: Vec<i32> = all.iter().map(|pair| pair.0).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 10, 11, 12, 20, 21]);
}

/// x -> a x + b, composed from left to right: it does not commute.
type Affine = (i64, i64);

fn composed(first: Affine, then: Affine) -> Affine {
    (first.0.wrapping_mul(then.0), first.1.wrapping_mul(then.0).wrapping_add(then.1))
}

fn of(rank: i32) -> Affine {
    (i64::from(rank) + 2, i64::from(rank) * 3 + 1)
}

/// Checks a result that is made of the values of the first this many ranks.
fn in_order(
    reduce: impl FnOnce(&SimpleCommunicator, &Affine, &UserOperation<'_>) -> (Affine, i32),
) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let op = UserOperation::associative(|x, y| {
        let (x, y) = (x.downcast::<Affine>(), y.downcast::<Affine>());
        for (x, y) in x.expect("pairs").iter().zip(y.expect("pairs")) {
            *y = composed(*x, *y);
        }
    });
    let (result, ranks) = reduce(&world, &of(world.rank()), &op);
    let expected = (1..ranks).map(of).fold(of(0), composed);
    assert_eq!(result, expected);
}
