//! How far it scales: time and memory of 100,000 and 1,000,000 ranks, each measured in a process
//! of its own. Usage: `cargo bench -p mpi-api --bench scale [-- ranks [sum]]`.

#![allow(clippy::disallowed_types, reason = "a benchmark reads the clock")]

use std::{process::Command, time::Instant};

mod common;
use common::{barrier, simulate};

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    match arguments.first().and_then(|ranks| ranks.parse().ok()) {
        Some(ranks) => measure(ranks, arguments.get(1).is_some_and(|what| what == "sum")),
        None => {
            for (ranks, what) in [("100000", "sum"), ("1000000", "barrier")] {
                let own = std::env::current_exe().expect("a benchmark has its executable");
                let status = Command::new(own).args([ranks, what]).status();
                assert!(status.is_ok_and(|status| status.success()), "{ranks} ranks");
            }
        }
    }
}

fn measure(ranks: u32, sum: bool) {
    let start = Instant::now();
    let result = simulate(ranks, &barrier(sum));
    let seconds = start.elapsed().as_secs_f64();
    let what = if sum { "barrier and allreduce" } else { "barrier" };
    println!(
        "{ranks} ranks, {what}: {seconds:.2} s, {} messages, peak memory {} MiB",
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
