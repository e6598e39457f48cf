//! Four ways to lay out the data of a hypercube exchange, with the same result.

use mpi_api::api::{
    datatype::{MutView, UserDatatype, View},
    initialize,
    point_to_point::send_receive_into,
    topology::SimpleCommunicator,
    traits::*,
};

use super::super::{Case, Row};
use scenarios::program::{
    allgather_cube::{Stage, stages_of},
    by_name,
};

const WHY: &str = "only the way through memory differs, and with it the simulated time";

pub(super) fn rows() -> Vec<Row> {
    let case = |name, body| Case::safe(&[2, 4, 8], WHY, body).named(name);
    vec![Row::new(
        "P13.3v",
        "Pacheco, Parallel Programming with MPI, section 13.2.1",
        "a datatype for each stage, packing, sorting at the end, datatypes made before",
        vec![
            case("", || by_name("allgather-cube-sendrecv")),
            case("packed", packed),
            case("sorted", sorted),
            case("made-before", made_before),
        ],
    )]
}

const BLOCK: usize = 3;

fn begin(world: &SimpleCommunicator) -> (Vec<Stage>, Vec<f32>) {
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let mut y = vec![0.0; BLOCK * size];
    y[rank * BLOCK..(rank + 1) * BLOCK].fill(rank as f32);
    (stages_of(rank, size, BLOCK), y)
}

fn check(y: &[f32]) {
    for (position, value) in y.iter().enumerate() {
        assert_eq!(*value, (position / BLOCK) as f32, "element {position} is wrong");
    }
}

#[allow(unsafe_code, reason = "rsmpi's unpack_into trusts the bytes to be of the right types")]
fn packed() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (stages, mut y) = begin(&world);
    for stage in stages {
        let datatype = stage.datatype(BLOCK);
        let out = View::checked(&y[stage.send_at..], 1, &datatype).expect("inside the result");
        let out = world.pack(&out);
        let mut coming = vec![0u8; out.len()];
        let partner = world.process_at_rank(stage.partner);
        send_receive_into(&out, &partner, &mut coming, &partner);
        let room = &mut y[stage.receive_at..];
        let mut room = MutView::checked(room, 1, &datatype).expect("inside the result");
        // SAFETY: the bytes are the floats that the partner packed for this stage.
        unsafe { world.unpack_into(&coming, &mut room, 0) };
    }
    check(&y);
}

fn sorted() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (stages, y) = begin(&world);
    let rank = world.rank() as usize;
    let mut order = vec![rank];
    let mut data = y[rank * BLOCK..(rank + 1) * BLOCK].to_vec();
    for stage in stages {
        let partner = world.process_at_rank(stage.partner);
        let mut coming = vec![0.0; data.len()];
        send_receive_into(&data, &partner, &mut coming, &partner);
        let bits = rank ^ stage.partner as usize;
        order.extend(order.iter().map(|from| from ^ bits).collect::<Vec<_>>());
        data.extend(coming);
    }
    let mut y = vec![0.0; y.len()];
    for (from, block) in order.iter().zip(data.chunks(BLOCK)) {
        y[from * BLOCK..(from + 1) * BLOCK].copy_from_slice(block);
    }
    check(&y);
}

fn made_before() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (stages, mut y) = begin(&world);
    let datatypes: Vec<UserDatatype> = stages.iter().map(|stage| stage.datatype(BLOCK)).collect();
    for (stage, datatype) in stages.iter().zip(&datatypes) {
        let partner = world.process_at_rank(stage.partner);
        let before = y.clone();
        let out = View::checked(&before[stage.send_at..], 1, datatype).expect("inside the result");
        let room = &mut y[stage.receive_at..];
        let mut room = MutView::checked(room, 1, datatype).expect("inside the result");
        send_receive_into(&out, &partner, &mut room, &partner);
    }
    check(&y);
}
