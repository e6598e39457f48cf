//! Runs the differential oracle over a range of seeds.
//!
//! Every seed is one random program. With `--in rust` it runs on every combination of network,
//! buffering and collective algorithms and through the safety check; with `--in c` it is compiled,
//! and the results of `run`, `check` and `mpiexec` are compared with its interpretation. A failing
//! seed is reported at once, with the smallest program that still fails; the exit status says
//! whether there were any.

use std::{collections::BTreeMap, env, process::ExitCode};

use clap::{Parser, ValueEnum};
use oracle::{
    AS_WINDTUNNEL, Form, Language, Plan, Theme, Thoroughness, Tool, examine, examine_in_all,
    examine_in_one, generate, shrink, source,
};
use rayon::prelude::*;

/// The allocator of `windtunnel`, because this program also acts as that command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Number of programs between two lines of progress.
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
    door: Door,
    /// Programs with one-sided communication, every second one of which is wrong.
    #[arg(long)]
    windows: bool,
    /// Not every combination of machine choices; of compiled programs, each at one level of
    /// optimisation, the levels in turn.
    #[arg(long)]
    quick: bool,
    /// Prints the programs instead of running them.
    #[arg(long)]
    print: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Door {
    /// Interpreted.
    Rust,
    /// Written out in C and compiled.
    C,
    /// Written out in Fortran and compiled.
    Fortran,
}

fn main() -> ExitCode {
    if env::var_os(AS_WINDTUNNEL).is_some() {
        return windtunnel::main();
    }
    let options = Options::parse();
    let seeds = options.seed..options.seed + options.count;
    let theme = if options.windows { Theme::Windows } else { Theme::Messages };
    let plans: Vec<Plan> = seeds.map(|seed| generate(seed, theme)).collect();
    if options.print {
        print(&plans, options.door);
        return ExitCode::SUCCESS;
    }
    let failures = match options.door {
        Door::Rust => interpreted(&plans, options.quick),
        Door::C => compiled(&plans, &Form::C, options.quick),
        Door::Fortran => compiled(&plans, &Form::FORTRAN, options.quick),
    };
    println!("{} programs, {failures} failures", plans.len());
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    plans.iter().for_each(|plan| *faults.entry(plan.fault_name()).or_default() += 1);
    for (name, programs) in faults {
        println!("{programs:9} {name}");
    }
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(plans: &[Plan], door: Door) {
    match door {
        Door::Rust => plans.iter().for_each(|plan| println!("{plan}")),
        Door::C => println!("{}", source(plans, Language::C)),
        Door::Fortran => println!("{}", source(plans, Language::Fortran)),
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

fn compiled(plans: &[Plan], forms: &[Form], quick: bool) -> usize {
    let examine_them = if quick { examine_in_one } else { examine_in_all };
    let tool = Tool::new(env::current_exe().expect("this program has a path"));
    let mut failed = 0;
    for (number, batch) in plans.chunks(BATCH).enumerate() {
        if let Err(failures) = examine_them(batch, forms, &tool) {
            failed += failures.len();
            failures.iter().for_each(|text| println!("{text}"));
        }
        eprintln!("{} of {}, {failed} failures", number * BATCH + batch.len(), plans.len());
    }
    failed
}
