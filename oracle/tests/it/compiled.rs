//! Random programs in C and Fortran are the same as their interpretation through every command.
//!
//! `WINDTUNNEL_ORACLE_PROGRAMS=10000` tries this many in every form instead of a few in one each.

use std::{env, ops::Range, process::Command};

use oracle::{Form, Plan, Theme, Tool, examine_in_all, examine_in_one, generate};

fn all_are_the_same(seeds: Range<u64>, theme: Theme, forms: &[Form]) {
    let tool = Tool::new(env!("CARGO_BIN_EXE_oracle"));
    let asked = env::var("WINDTUNNEL_ORACLE_PROGRAMS").ok().and_then(|text| text.parse().ok());
    let many = asked.map(|count: u64| seeds.start..seeds.start + count);
    let plans = |seeds: Range<u64>| seeds.map(|seed| generate(seed, theme)).collect::<Vec<Plan>>();
    let examined = match many {
        Some(seeds) => examine_in_all(&plans(seeds), forms, &tool),
        None => examine_in_one(&plans(seeds), forms, &tool),
    };
    if let Err(failures) = examined {
        panic!("{}", failures.join("\n"));
    }
}

#[test]
fn random_c_programs_are_the_same_as_their_interpretation() {
    all_are_the_same(0..40, Theme::Messages, &Form::C);
}

#[test]
fn random_c_programs_with_windows_are_the_same_as_their_interpretation() {
    all_are_the_same(0..14, Theme::Windows, &Form::C);
}

/// Seeds whose programs once failed.
#[test]
fn programs_that_failed_before_are_the_same_as_their_interpretation() {
    // A split in which a rank gets no communicator.
    let plans = [500_010].map(|seed| generate(seed, Theme::Messages));
    let tool = Tool::new(env!("CARGO_BIN_EXE_oracle"));
    if let Err(failures) = examine_in_all(&plans, &Form::C, &tool) {
        panic!("{}", failures.join("\n"));
    }
}

/// Compares Fortran programs, where there is a compiler for them.
fn all_in_fortran_are_the_same(seeds: Range<u64>, theme: Theme) {
    if Command::new("gfortran").arg("--version").output().is_err() {
        println!("skipped: there is no gfortran");
        return;
    }
    all_are_the_same(seeds, theme, &Form::FORTRAN);
}

#[test]
fn random_fortran_programs_are_the_same_as_their_interpretation() {
    all_in_fortran_are_the_same(20_000..20_020, Theme::Messages);
}

#[test]
fn random_fortran_programs_with_windows_are_the_same_as_their_interpretation() {
    all_in_fortran_are_the_same(20_000..20_010, Theme::Windows);
}
