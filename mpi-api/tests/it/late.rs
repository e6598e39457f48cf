//! Ranks that are delayed.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use mpi_api::{
    api::{initialize, spawn::Command, traits::*},
    outcome::Ending,
    settings::{Buffering, Environment, Settings},
};
use sim_core::SimDuration;

use super::{go, settings};

/// Tells its parents who it is.
fn child() {
    let universe = initialize().expect("once");
    let world = universe.world();
    let parent = world.parent().expect("others have started it");
    parent.process_at_rank(0).send(&world.rank());
}

/// Which of two children a parent hears of first, if this rank is late.
fn first_heard(late: Option<u32>) -> u32 {
    let heard = Arc::new(AtomicU32::new(u32::MAX));
    let place = Arc::clone(&heard);
    let environment = Environment { universe: Some(3), nodes: 3, ..Environment::default() };
    let late = late.map(|rank| (rank, SimDuration::from_us(1000)));
    let result =
        go(Settings { environment, late, ..settings(1, Buffering::infinite()) }, move || {
            let universe = initialize().expect("once");
            let world = universe.world();
            let children = world.process_at_rank(0).spawn(&Command::new(child), 2);
            let children = children.expect("there is room");
            let (first, _) = children.any_process().receive::<i32>();
            let (second, _) = children.any_process().receive::<i32>();
            assert_eq!(first + second, 1);
            place.store(first as u32, Ordering::Relaxed);
        });
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
    heard.load(Ordering::Relaxed)
}

#[test]
fn ranks_that_others_start_are_delayed_after_their_beginning() {
    assert_eq!(first_heard(None), 0);
    assert_eq!(first_heard(Some(1)), 1, "the first child is late");
    assert_eq!(first_heard(Some(2)), 0, "the second child is late");
}
