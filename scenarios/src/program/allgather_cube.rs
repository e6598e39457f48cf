//! Hypercube allgather (Pacheco, chapter 13): log2 p exchanges of doubling size, through a vector
//! datatype for each stage.

use mpi_api::api::{
    datatype::{MutView, UserDatatype, View},
    environment::carries_all_data,
    initialize,
    point_to_point::send_receive_into,
    request::scope,
    topology::SimpleCommunicator,
    traits::*,
};

use super::{BuiltIn, Values, all_stages, of_allgather};

const BLOCK: &[(&str, usize)] = &[("blocksize", 16)];

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: BLOCK,
        power_of_two: true,
        body,
        volume: |values, ranks| of_allgather(values, ranks, 2, all_stages(ranks)),
    };
    vec![
        program("allgather-cube", "hypercube allgather, partners both send first", plain),
        program("allgather-cube-sendrecv", "hypercube allgather with sendrecv", sendrecv),
        program("allgather-cube-nonblocking", "hypercube allgather, isend and irecv", nonblocking),
        BuiltIn {
            power_of_two: false,
            ..program("allgather-cube-any", "hypercube allgather for any number of ranks", any)
        },
    ]
}

/// One stage of the hypercube exchange, as seen by one rank.
pub struct Stage {
    /// The rank that the stage exchanges with.
    pub partner: i32,
    /// Index of the first element that this rank sends.
    pub send_at: usize,
    /// Index of the first element that this rank receives.
    pub receive_at: usize,
    /// Blocks of the stage and the distance between them, in elements.
    blocks: (i32, i32),
}

impl Stage {
    /// Returns a vector type of the blocks that the stage moves, with `block` elements each.
    pub fn datatype(&self, block: usize) -> UserDatatype {
        let (count, stride) = self.blocks;
        UserDatatype::vector(count, block as i32, stride, &f32::equivalent_datatype())
    }
}

const INSIDE: &str = "the blocks of a stage are inside the result";

fn stages(comm: &SimpleCommunicator, block: usize) -> Vec<Stage> {
    stages_of(comm.rank() as usize, comm.size() as usize, block)
}

/// Returns the stages of one rank, starting with the partner across the highest dimension.
pub fn stages_of(rank: usize, size: usize, block: usize) -> Vec<Stage> {
    let dimension = size.trailing_zeros() as usize;
    (0..dimension)
        .map(|stage| {
            let partner = rank ^ (1 << (dimension - 1 - stage));
            let mask = (1 << (dimension - stage)) - 1;
            Stage {
                partner: partner as i32,
                send_at: (rank & mask) * block,
                receive_at: (partner & mask) * block,
                blocks: (1 << stage, ((1 << (dimension - stage)) * block) as i32),
            }
        })
        .collect()
}

fn begin(comm: &SimpleCommunicator, values: &Values) -> (usize, Vec<f32>) {
    let block = values.get("blocksize");
    let rank = comm.rank() as usize;
    let mut y = vec![0.0; block * comm.size() as usize];
    // Memory that is never written takes none of this computer's.
    if carries_all_data() {
        y[rank * block..(rank + 1) * block].fill(rank as f32);
    }
    (block, y)
}

fn check(block: usize, y: &[f32]) {
    if !carries_all_data() {
        return;
    }
    for (position, value) in y.iter().enumerate() {
        assert_eq!(*value, (position / block) as f32, "element {position} is wrong");
    }
}

fn plain(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    for stage in stages(&world, block) {
        let partner = world.process_at_rank(stage.partner);
        let datatype = stage.datatype(block);
        partner.send(&View::checked(&y[stage.send_at..], 1, &datatype).expect(INSIDE));
        let memory = &mut y[stage.receive_at..];
        partner.receive_into(&mut MutView::checked(memory, 1, &datatype).expect(INSIDE));
    }
    check(block, &y);
}

fn sendrecv(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    for stage in stages(&world, block) {
        let partner = world.process_at_rank(stage.partner);
        let datatype = stage.datatype(block);
        let before = y.clone();
        let out = View::checked(&before[stage.send_at..], 1, &datatype).expect(INSIDE);
        let memory = &mut y[stage.receive_at..];
        let mut room = MutView::checked(memory, 1, &datatype).expect(INSIDE);
        send_receive_into(&out, &partner, &mut room, &partner);
    }
    check(block, &y);
}

fn nonblocking(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    for stage in stages(&world, block) {
        let partner = world.process_at_rank(stage.partner);
        let datatype = stage.datatype(block);
        let before = y.clone();
        let out = View::checked(&before[stage.send_at..], 1, &datatype).expect(INSIDE);
        let memory = &mut y[stage.receive_at..];
        let mut room = MutView::checked(memory, 1, &datatype).expect(INSIDE);
        scope(|scope| {
            let send = partner.immediate_send(scope, &out);
            let receive = partner.immediate_receive_into_with_tag(scope, &mut room, 0);
            send.wait();
            receive.wait();
        });
    }
    check(block, &y);
}

/// Lets ranks beyond the largest hypercube send their block first and receive the result last.
fn any(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    let (rank, size) = (world.rank() as usize, world.size() as usize);
    let inside = 1 << size.ilog2();
    let at = |rank: usize| rank * block..(rank + 1) * block;
    if rank >= inside {
        let inner = world.process_at_rank((rank - inside) as i32);
        inner.send(&y[at(rank)]);
        inner.receive_into(&mut y[..]);
        return check(block, &y);
    }
    let outer = (rank + inside < size).then(|| world.process_at_rank((rank + inside) as i32));
    if let Some(outer) = &outer {
        outer.receive_into(&mut y[at(rank + inside)]);
    }
    for stage in stages_of(rank, inside, block) {
        let partner = world.process_at_rank(stage.partner);
        let before = y.clone();
        let out = part(rank, stage.partner as usize, size, inside, block);
        let out = View::checked(&before, 1, &out).expect(INSIDE);
        let room = part(stage.partner as usize, rank, size, inside, block);
        let mut room = MutView::checked(&mut y, 1, &room).expect(INSIDE);
        send_receive_into(&out, &partner, &mut room, &partner);
    }
    if let Some(outer) = &outer {
        outer.send(&y[..]);
    }
    check(block, &y);
}

/// Returns the type of the blocks that `rank` has before it meets `partner`: those of the inner
/// ranks with the same bits below that stage, and of the outer ranks attached to these.
fn part(rank: usize, partner: usize, size: usize, inside: usize, block: usize) -> UserDatatype {
    let below = (rank ^ partner) * 2 - 1;
    let inner = (0..inside).filter(|other| other & below == rank & below);
    let ranks = inner.flat_map(|other| [other, other + inside]).filter(|other| *other < size);
    let places: Vec<i32> = ranks.map(|other| (other * block) as i32).collect();
    UserDatatype::indexed_block(block as i32, &places, &f32::equivalent_datatype())
}
