//! The program starts itself.

use std::process::Command;

use mpi::{topology::MergeOrder, traits::*};

fn main() {
    let universe = mpi::initialize().unwrap();
    let world = universe.world();
    if let Some(parent) = world.parent() {
        let all = parent.merge(MergeOrder::High);
        println!("child {} of {}", all.rank(), all.size());
        return;
    }
    let program = std::env::current_exe().unwrap();
    let children = world.process_at_rank(0).spawn(&Command::new(program), 2).unwrap();
    let all = children.merge(MergeOrder::Low);
    println!("parent {} of {}", all.rank(), all.size());
}
