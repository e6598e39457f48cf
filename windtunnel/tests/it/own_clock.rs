//! The clocks and sleeps of the standard library in ranks that are Rust functions.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "it is about them")]

use std::{
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use windtunnel::{Run, mpi::traits::*};

#[test]
fn sleep_takes_simulated_time_alone() {
    let begun = Instant::now();
    let finished = Run::new(4).run(|world| {
        let start = Instant::now();
        thread::sleep(Duration::from_secs(1000 * (1 + world.rank() as u64)));
        let slept = start.elapsed();
        world.barrier();
        (slept, world.wtime())
    });
    for (rank, (slept, time)) in (1..).zip(&finished.values) {
        assert_eq!(*slept, Duration::from_secs(1000 * rank));
        assert!((4000.0..4000.1).contains(time), "{time}");
    }
    assert!((4000.0..4000.1).contains(&finished.makespan.as_secs_f64()));
    assert!(begun.elapsed() < Duration::from_secs(60), "nobody waited for it");
}

#[test]
fn dates_are_the_same_in_every_run() {
    let date = || Run::new(2).run(|_| SystemTime::now().duration_since(UNIX_EPOCH).expect("later"));
    let dates = date().values;
    assert_eq!(dates[0].as_secs(), 946_684_800);
    assert_eq!(date().values, dates);
}

#[test]
fn who_waits_by_reading_a_clock_gets_there() {
    let finished = Run::new(2).run(|world| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(30) {}
        world.barrier();
        world.wtime()
    });
    for time in &finished.values {
        assert!((0.030..0.031).contains(time), "{time}");
    }
    assert!((0.030..0.031).contains(&finished.ranks[0].compute.as_secs_f64()));
}

#[test]
fn elsewhere_clocks_are_the_hosts() {
    let year = 365 * 24 * 3600;
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).expect("later").as_secs();
    assert!(now() > 40 * year);
    let helper = Run::new(1).run(move |_| thread::spawn(now).join().expect("it ends"));
    assert!(helper.values[0] > 40 * year);
    let begun = Instant::now();
    thread::sleep(Duration::from_millis(20));
    assert!(begun.elapsed() >= Duration::from_millis(20));
}
