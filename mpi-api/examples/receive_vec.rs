//! Messages of unknown length: a matched probe tells how much room they need.

mod support;

use mpi_api::api::{self as mpi, traits::*};

fn program() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    if world.rank() > 0 {
        let numbers: Vec<i32> = (0..world.rank()).collect();
        world.process_at_rank(0).send(&numbers[..]);
        return;
    }
    let (first, status) = world.any_process().receive_vec::<i32>();
    assert_eq!(first.len() as i32, status.source_rank());

    let (message, status) = world.any_process().matched_probe();
    assert_eq!(status.count(i32::equivalent_datatype()), status.source_rank());
    let mut room = [-1; 5];
    let status = message.matched_receive_into(&mut room[..]);
    assert_eq!(room[status.source_rank() as usize], -1, "the rest is as it was");

    let found = loop {
        if let Some(found) = world.any_process().immediate_matched_probe() {
            break found;
        }
    };
    let (last, _) = found.matched_receive_vec::<i32>();
    assert_eq!(first.len() + last.len() + status.source_rank() as usize, 1 + 2 + 3);
}

pub(crate) fn main() {
    support::simulate(4, program);
}
