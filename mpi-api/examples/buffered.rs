//! Buffered sends complete at once; the buffer has to be large enough for all of them.

mod support;

use mpi_api::api::{self as mpi, BSEND_OVERHEAD, time, traits::*};

fn program() {
    let mut universe = mpi::initialize().unwrap();
    let world = universe.world();
    let each = size_of::<u64>() + BSEND_OVERHEAD as usize;
    universe.set_buffer_size(each * world.size() as usize);

    let began = time();
    let value = world.rank() as u64 + 10;
    for to in 0..world.size() {
        world.process_at_rank(to).buffered_send(&value);
    }
    assert_eq!(time(), began, "nobody was waited for");
    for from in 0..world.size() {
        let (got, _) = world.process_at_rank(from).receive::<u64>();
        assert_eq!(got, from as u64 + 10);
    }
    assert_eq!(universe.detach_buffer(), each * world.size() as usize);
    assert_eq!(universe.buffer_size(), 0);
}

pub(crate) fn main() {
    support::simulate(3, program);
}
