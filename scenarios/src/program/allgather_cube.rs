//! Hypercube allgather (Pacheco, chapter 13): log2 p exchanges of doubling size, through a vector
//! datatype for each stage.

use mpi_api::{
    api::{SimpleCommunicator, View, ViewMut, initialize, send_receive_into, traits::*},
    object::datatype::Layout,
};

use super::{BuiltIn, Values};

const BLOCK: &[(&str, usize)] = &[("blocksize", 16)];

pub(super) fn programs() -> Vec<BuiltIn> {
    let program = |name, summary, body| BuiltIn {
        name,
        summary,
        parameters: BLOCK,
        power_of_two: true,
        body,
    };
    vec![
        program("allgather-cube", "hypercube allgather, partners both send first", plain),
        program("allgather-cube-sendrecv", "hypercube allgather with sendrecv", sendrecv),
        program("allgather-cube-nonblocking", "hypercube allgather, isend and irecv", nonblocking),
    ]
}

/// One stage of the exchange.
struct Stage {
    partner: i32,
    send_at: usize,
    receive_at: usize,
    layout: Layout,
}

fn stages(comm: &SimpleCommunicator, block: usize) -> Vec<Stage> {
    let (rank, size) = (comm.rank() as usize, comm.size() as usize);
    let dimension = size.trailing_zeros() as usize;
    (0..dimension)
        .map(|stage| {
            let partner = rank ^ (1 << (dimension - 1 - stage));
            let mask = (1 << (dimension - stage)) - 1;
            Stage {
                partner: partner as i32,
                send_at: (rank & mask) * block,
                receive_at: (partner & mask) * block,
                layout: Layout::vector(1 << stage, block, (1 << (dimension - stage)) * block),
            }
        })
        .collect()
}

fn begin(comm: &SimpleCommunicator, values: &Values) -> (usize, Vec<f32>) {
    let block = values.get("blocksize");
    let rank = comm.rank() as usize;
    let mut y = vec![0.0; block * comm.size() as usize];
    y[rank * block..(rank + 1) * block].fill(rank as f32);
    (block, y)
}

fn check(block: usize, y: &[f32]) {
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
        let held = world.create_type();
        partner.send(&View { memory: &y[stage.send_at..], layout: &stage.layout });
        let memory = &mut y[stage.receive_at..];
        partner.receive_into(&mut ViewMut { memory, layout: &stage.layout });
        drop(held);
    }
    check(block, &y);
}

fn sendrecv(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    for stage in stages(&world, block) {
        let partner = world.process_at_rank(stage.partner);
        let held = world.create_type();
        let out: Vec<f32> = stage.layout.positions().map(|at| y[stage.send_at + at]).collect();
        let dense = Layout::contiguous(out.len());
        let send = View { memory: &out, layout: &dense };
        let memory = &mut y[stage.receive_at..];
        let mut room = ViewMut { memory, layout: &stage.layout };
        send_receive_into(&send, &partner, &mut room, &partner);
        drop(held);
    }
    check(block, &y);
}

fn nonblocking(values: &Values) {
    let universe = initialize().expect("once");
    let world = universe.world();
    let (block, mut y) = begin(&world, values);
    for stage in stages(&world, block) {
        let partner = world.process_at_rank(stage.partner);
        let held = world.create_type();
        let out: Vec<f32> = stage.layout.positions().map(|at| y[stage.send_at + at]).collect();
        let dense = Layout::contiguous(out.len());
        let view = View { memory: &out, layout: &dense };
        let send = partner.immediate_send(&view, 0);
        let memory = &mut y[stage.receive_at..];
        let mut room = ViewMut { memory, layout: &stage.layout };
        let receive = partner.immediate_receive_into(&mut room, Some(0));
        send.wait();
        receive.wait();
        drop(held);
    }
    check(block, &y);
}
