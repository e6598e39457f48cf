//! How far it scales: time and memory of deep queues and many ranks, each measured in a process
//! of its own. Usage: `cargo bench -p mpi-api --bench scale [-- WHAT RANKS]`.

#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock")]

use std::{process::Command, time::Instant};

mod common;
use common::{all_to_all, barrier, ring, simulate};

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    match arguments.as_slice() {
        [what, ranks] => measure(what, ranks.parse().expect("a number of ranks")),
        _ => {
            let runs = [
                ("posted", "1024"),
                ("unexpected", "1024"),
                ("reduce", "100000"),
                ("barrier", "1000000"),
            ];
            for (what, ranks) in runs {
                let own = std::env::current_exe().expect("a benchmark has its executable");
                let status = Command::new(own).args([what, ranks]).status();
                assert!(status.is_ok_and(|status| status.success()), "{what} with {ranks} ranks");
            }
        }
    }
}

fn measure(what: &str, ranks: u32) {
    let program = match what {
        "posted" | "unexpected" => all_to_all(what == "posted"),
        "reduce" | "barrier" => barrier(what == "reduce"),
        "ring" => ring(1024),
        other => panic!("no program '{other}': posted, unexpected, reduce, barrier or ring"),
    };
    let start = Instant::now();
    let result = simulate(ranks, &program);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{what}, {ranks} ranks: {seconds:.2} s, {} messages, peak memory {} MiB",
        result.messages,
        peak_memory() / 1024
    );
}

/// Peak resident memory, KiB; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
