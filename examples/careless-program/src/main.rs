//! A program that treats its process as its own: it counts in a static variable, reads standard
//! input, prints a hash table in iteration order, and may exit early. `CARELESS` selects which.
#![allow(clippy::disallowed_types, reason = "shows that the order of a hash table repeats itself")]

use std::{
    collections::HashMap,
    env, io, process,
    sync::atomic::{AtomicU32, Ordering},
};

use windtunnel::mpi::{topology::SimpleCommunicator, traits::*};

static BEGUN: AtomicU32 = AtomicU32::new(0);

fn main() -> process::ExitCode {
    windtunnel::main_with("careless", careless)
}

fn careless(world: &SimpleCommunicator) {
    let begun = BEGUN.fetch_add(1, Ordering::Relaxed);
    assert!(begun < world.size() as u32, "an earlier execution has left {begun} behind");
    let mut text = String::new();
    if world.rank() == 0 {
        io::stdin().read_line(&mut text).expect("input");
        println!("read {}", text.trim());
    }
    let mut length = text.trim().len() as i32;
    world.process_at_rank(0).broadcast_into(&mut length);
    match env::var("CARELESS").as_deref() {
        Ok("hashes") => {
            let table: HashMap<i32, i32> = (0..30).map(|key| (key, key * key)).collect();
            println!("order {:?}", table.keys().collect::<Vec<_>>());
            world.barrier();
        }
        Ok("exits") if world.rank() == 1 => process::exit(0),
        Ok("fails") if world.rank() == 1 => process::exit(3),
        Ok("all exit") => {
            world.barrier();
            // What a command-line library does after printing its help.
            process::exit(0)
        }
        _ => world.barrier(),
    }
    assert_eq!(length, 5, "the input is there in every execution");
}
