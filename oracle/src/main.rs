//! Runs the differential oracle over a range of seeds.
//!
//! Every seed is one random program. With `--in rust` it is run on every combination of network,
//! buffering and collective algorithms and through the safety check; with `--in c` it is compiled
//! and given to `run`, `check` and `mpiexec` beside its interpretation. Seeds that fail are told at
//! once, with the smallest program that still fails; the exit status says whether there were any.

use std::{collections::BTreeMap, env, process::ExitCode};

use clap::{Parser, ValueEnum};
use oracle::{
    AS_WINDTUNNEL, Plan, Thoroughness, Tool, examine, examine_compiled, generate, shrink, source,
};
use rayon::prelude::*;

/// The allocator of `windtunnel`, which this program stands in for.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Programs that are examined between two lines of progress.
const BATCH: usize = 500;

/// Random programs whose results are known, through every door of Windtunnel.
#[derive(Parser)]
struct Options {
    /// How many programs.
    #[arg(default_value_t = 1000)]
    count: u64,
    /// The first seed; the others follow it.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// What the programs are run as.
    #[arg(long = "in", value_enum, default_value = "c")]
    language: Language,
    /// Not every combination of machine choices.
    #[arg(long)]
    quick: bool,
    /// Prints the programs instead of running them.
    #[arg(long)]
    print: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Language {
    /// Interpreted.
    Rust,
    /// Compiled.
    C,
}

fn main() -> ExitCode {
    if env::var_os(AS_WINDTUNNEL).is_some() {
        return windtunnel::main();
    }
    let options = Options::parse();
    let seeds = options.seed..options.seed + options.count;
    let plans: Vec<Plan> = seeds.map(generate).collect();
    if options.print {
        print(&plans, options.language);
        return ExitCode::SUCCESS;
    }
    let failures = match options.language {
        Language::Rust => interpreted(&plans, options.quick),
        Language::C => compiled(&plans),
    };
    println!("{} programs, {failures} failures", plans.len());
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    plans.iter().for_each(|plan| *faults.entry(plan.fault_name()).or_default() += 1);
    for (name, programs) in faults {
        println!("{programs:9} {name}");
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(plans: &[Plan], language: Language) {
    match language {
        Language::Rust => plans.iter().for_each(|plan| println!("{plan}")),
        Language::C => println!("{}", source(plans)),
    }
}

fn interpreted(plans: &[Plan], quick: bool) -> usize {
    let how = if quick { Thoroughness::Quick } else { Thoroughness::Full };
    let failed = plans.par_iter().filter(|plan| match examine(plan, how) {
        Ok(_) => false,
        Err(complaint) => {
            let first = complaint.clone();
            let again = |plan: &Plan| examine(plan, how).map(|_| ());
            let (smallest, last) = shrink(plan, complaint, again);
            println!("{first}\nsmallest: {last}\n{smallest}");
            true
        }
    });
    failed.count()
}

fn compiled(plans: &[Plan]) -> usize {
    let tool = Tool::new(env::current_exe().expect("this program has a path"));
    let mut failed = 0;
    for (number, batch) in plans.chunks(BATCH).enumerate() {
        if let Err(failures) = examine_compiled(batch, &tool) {
            failed += failures.len();
            failures.iter().for_each(|text| println!("{text}"));
        }
        eprintln!("{} of {}, {failed} failures", number * BATCH + batch.len(), plans.len());
    }
    failed
}
