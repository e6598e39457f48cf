//! Runs the differential oracle over a range of seeds: `oracle FIRST COUNT [quick]`.
//!
//! Every seed is one random program, run on every combination of network, buffering and collective
//! algorithms and through the safety check. Seeds that fail are told at once, with the smallest
//! program that still fails; the exit status says whether there were any. `oracle SEED` alone
//! prints the program of a seed.

#[path = "../tests/it/oracle/mod.rs"]
mod oracle;

use std::{
    collections::BTreeMap,
    process::ExitCode,
    sync::atomic::{AtomicU64, Ordering},
};

use oracle::{Thoroughness, examine, generate, shrink};
use rayon::prelude::*;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).filter_map(|text| text.parse::<u64>().ok());
    let first = numbers.next().unwrap_or(0);
    let Some(count) = numbers.next() else {
        println!("{}", generate(first));
        return ExitCode::SUCCESS;
    };
    let quick = std::env::args().any(|text| text == "quick");
    let how = if quick { Thoroughness::Quick } else { Thoroughness::Full };
    let (runs, failures) = (AtomicU64::new(0), AtomicU64::new(0));
    (first..first + count).into_par_iter().for_each(|seed| {
        let plan = generate(seed);
        match examine(&plan, how) {
            Ok(made) => {
                runs.fetch_add(made, Ordering::Relaxed);
            }
            Err(complaint) => {
                failures.fetch_add(1, Ordering::Relaxed);
                let first = complaint.clone();
                let (smallest, last) = shrink(&plan, how, complaint);
                println!("seed {seed}: {first}\nsmallest: {last}\n{smallest}");
            }
        }
    });
    let (runs, failures) = (runs.into_inner(), failures.into_inner());
    println!("{count} programs, {runs} runs, {failures} failures");
    for (name, programs) in faults(first, count) {
        println!("{programs:9} {name}");
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many programs there are of each fault.
fn faults(first: u64, count: u64) -> BTreeMap<&'static str, u64> {
    let mut numbers = BTreeMap::new();
    for seed in first..first + count {
        *numbers.entry(generate(seed).fault_name()).or_default() += 1;
    }
    numbers
}
