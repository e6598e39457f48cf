//! Programs that read clocks often: who measures sees no time pass where none is modelled, and who
//! waits gets there soon.
#![allow(clippy::disallowed_types, clippy::disallowed_methods, reason = "it is about them")]

use std::time::{Duration, Instant};

use tempfile::TempDir;
use windtunnel::{Run, mpi::traits::*};

use super::c_programs::{compile_at, windtunnel};

/// The lines that a part of `c/readings.c` prints on some ranks, compiled with and without
/// optimisation.
fn lines(part: &str, ranks: u32) -> Vec<Vec<String>> {
    let folder = TempDir::new().expect("a folder");
    let levels = ["-O0", "-O2"].map(|level| {
        let program = compile_at(level, "readings.c", &folder);
        let words = ["mpiexec", "-n", &ranks.to_string(), &program, part];
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(0), "{text}");
        text.lines().map(str::to_string).collect::<Vec<String>>()
    });
    levels.to_vec()
}

#[test]
fn timing_many_pieces_of_work_takes_no_time() {
    for printed in lines("measures", 1) {
        assert_eq!(printed, ["0"; 5]);
    }
}

#[test]
fn waiting_by_reading_a_clock_comes_to_its_end() {
    for printed in lines("waits", 1) {
        assert_eq!(printed, ["there"; 5]);
    }
}

#[test]
fn counting_while_waiting_comes_to_its_end() {
    for printed in lines("counts", 1) {
        assert_eq!(printed, ["there"; 3]);
    }
}

#[test]
fn computing_for_a_given_time_takes_that_time() {
    for printed in lines("overlaps", 2) {
        assert!(printed[0].starts_with("there"), "{printed:?}");
    }
}

#[test]
fn rust_programs_that_measure_and_wait() {
    let finished = Run::new(1).run(|world| {
        let mut spent = Duration::ZERO;
        let mut field = vec![1.0_f64; 20_000];
        for i in 0..field.len() {
            let start = Instant::now();
            field[i] += field[i / 2];
            spent += start.elapsed();
            let start = world.wtime();
            field[i] *= 0.5;
            spent += Duration::from_secs_f64(world.wtime() - start);
        }
        assert!(field.iter().all(|value| *value > 0.0));
        let start = world.wtime();
        while world.wtime() < start + 1.0 {}
        let begun = Instant::now();
        let mut count = 0_u64;
        while begun.elapsed() < Duration::from_secs(1) {
            count += 1;
        }
        world.barrier();
        (spent, count, world.wtime())
    });
    let (spent, count, time) = finished.values[0];
    assert_eq!(spent, Duration::ZERO);
    assert!(count > 0);
    assert!((2.0..2.1).contains(&time), "{time}");
}
