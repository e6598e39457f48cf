//! The differential oracle as a fuzz target: an input is the seed of a random program, which has to
//! give the same data on every kind of machine and the verdict it was built for.
//!
//! `cargo +nightly fuzz run oracle`
#![no_main]

use libfuzzer_sys::fuzz_target;
use oracle::{Thoroughness, examine, generate, shrink};

fuzz_target!(|seed: u64| {
    let plan = generate(seed);
    if let Err(complaint) = examine(&plan, Thoroughness::Quick) {
        let (smallest, last) = shrink(&plan, complaint, |plan| {
            examine(plan, Thoroughness::Quick).map(|_| ())
        });
        panic!("seed {seed}: {last}\n{smallest}");
    }
});
