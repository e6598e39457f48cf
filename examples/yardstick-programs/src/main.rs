//! Programs in Rust, right and wrong, for the yardstick of the safety check (`docs/yardstick.md`).
//!
//! `yardstick-programs cases` prints what there is as JSON: an array of objects with the family and the variant of
//! each program, its number of ranks, the verdicts that are right, and the line that a finding must name, or 0.
//! `yardstick-programs check -n RANKS -- NUMBER` checks one of them, like any program with Windtunnel's command line.

mod cases;
mod collectives;
mod files;
mod messages;
mod objects;
mod orders;
mod sound;
mod windows;

use std::{env, process::ExitCode, sync::Arc};

use windtunnel::mpi;

use crate::cases::Cases;

/// Bytes of the buffer that every rank attaches for buffered sends.
const ATTACHED: usize = 1 << 16;

fn cases() -> Cases {
    let mut cases = Cases::default();
    messages::add(&mut cases);
    collectives::add(&mut cases);
    objects::add(&mut cases);
    orders::add(&mut cases);
    windows::add(&mut cases);
    files::add(&mut cases);
    sound::add(&mut cases);
    cases
}

/// Runs on every rank the case that the first argument numbers.
fn run_chosen(cases: &Cases) {
    let universe = mpi::initialize().expect("MPI is initialized once");
    let number = windtunnel::arguments().nth(1).and_then(|word| word.parse().ok());
    let case = number.and_then(|number: usize| cases.get(number)).expect("the number of a case");
    universe.attach_buffer(ATTACHED);
    case.run(&universe.world());
    universe.detach_buffer();
}

fn main() -> ExitCode {
    let cases = cases();
    if env::args().nth(1).as_deref() == Some("cases") {
        println!("{}", cases.to_json());
        return ExitCode::SUCCESS;
    }
    windtunnel::main_of("yardstick-programs", Arc::new(move || run_chosen(&cases)))
}
