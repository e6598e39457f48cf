//! Single collectives with a size, to compare their algorithms.
//!
//! `bytes` is the size of a rank's input; of a broadcast, a gather or an all-to-all that of the data that
//! go to or come from one rank.

use mpi_api::api::{
    collective::SystemOperation, initialize, topology::SimpleCommunicator, traits::*,
};

use super::{BuiltIn, Values, Volume, all_pairs, all_stages, product};

const SIZES: &[(&str, usize)] = &[("bytes", 8), ("repeats", 1)];

pub(super) fn programs() -> Vec<BuiltIn> {
    type Size = fn(&Values, u64) -> Volume;
    let program = |name, summary, body, volume: Size| BuiltIn {
        name,
        summary,
        parameters: SIZES,
        power_of_two: false,
        body,
        volume,
    };
    let bcast_volume: Size = |values, ranks| volume(values, ranks, ranks);
    let allgather_volume: Size = |values, ranks| Volume {
        largest: blocks(values, ranks),
        ..volume(values, product(&[ranks, ranks]), all_stages(ranks))
    };
    let alltoall_volume: Size = |values, ranks| Volume {
        largest: blocks(values, ranks),
        ..volume(values, product(&[2, ranks, ranks]), all_pairs(ranks))
    };
    vec![
        program("bcast", "a broadcast of `bytes`, `repeats` times", bcast, bcast_volume),
        program("reduce", "a reduction of `bytes`, `repeats` times", reduce, bcast_volume),
        program(
            "allreduce",
            "an allreduce of `bytes`, `repeats` times",
            allreduce,
            |values, ranks| volume(values, product(&[2, ranks]), all_stages(ranks)),
        ),
        program(
            "allgather",
            "an allgather of `bytes` from each rank, `repeats` times",
            allgather,
            allgather_volume,
        ),
        program(
            "alltoall",
            "an all-to-all of `bytes` between any two ranks, `repeats` times",
            alltoall,
            alltoall_volume,
        ),
    ]
}

/// Returns the bytes of a block of each rank together.
fn blocks(values: &Values, ranks: u64) -> u64 {
    product(&[ranks, values.get("bytes") as u64])
}

/// Returns the volume of collectives whose ranks hold this many arrays of `bytes` together.
fn volume(values: &Values, held: u64, messages: u64) -> Volume {
    let [bytes, repeats] = ["bytes", "repeats"].map(|name| values.get(name) as u64);
    let (carried, messages) = (product(&[held, bytes]), product(&[repeats, messages]));
    Volume { carried, messages, ..Volume::default() }
}

/// Calls `body` with the ranks and the number of bytes, as often as asked for.
fn repeat(values: &Values, mut body: impl FnMut(&SimpleCommunicator, usize)) {
    let universe = initialize().expect("once");
    let world = universe.world();
    for _ in 0..values.get("repeats") {
        body(&world, values.get("bytes"));
    }
}

/// Data that are zero need no memory until they are written.
fn zeros(bytes: usize) -> Vec<u8> {
    vec![0; bytes]
}

fn bcast(values: &Values) {
    repeat(values, |world, bytes| world.process_at_rank(0).broadcast_into(&mut zeros(bytes)[..]));
}

fn reduce(values: &Values) {
    repeat(values, |world, bytes| {
        let (root, given) = (world.process_at_rank(0), zeros(bytes));
        if world.rank() == 0 {
            root.reduce_into_root(&given[..], &mut zeros(bytes)[..], SystemOperation::max());
        } else {
            root.reduce_into(&given[..], SystemOperation::max());
        }
    });
}

fn allreduce(values: &Values) {
    repeat(values, |world, bytes| {
        world.all_reduce_into(&zeros(bytes)[..], &mut zeros(bytes)[..], SystemOperation::max());
    });
}

fn allgather(values: &Values) {
    repeat(values, |world, bytes| {
        let mut all = zeros(bytes * world.size() as usize);
        world.all_gather_into(&zeros(bytes)[..], &mut all[..]);
    });
}

fn alltoall(values: &Values) {
    repeat(values, |world, bytes| {
        let all = bytes * world.size() as usize;
        world.all_to_all_into(&zeros(all)[..], &mut zeros(all)[..]);
    });
}
