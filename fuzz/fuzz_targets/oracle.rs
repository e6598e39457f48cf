//! The differential oracle as a fuzz target: an input is the seed of a random program, which has to
//! give the same data on every kind of machine and the verdict it was built for.
//!
//! `cargo +nightly fuzz run oracle`
#![no_main]

use libfuzzer_sys::fuzz_target;
use oracle::{Theme, Thoroughness, examine, generate, shrink};

fuzz_target!(|seed: u64| {
    for theme in [Theme::Messages, Theme::Windows] {
        let plan = generate(seed, theme);
        if let Err(complaint) = examine(&plan, Thoroughness::Quick) {
            let (smallest, last) =
                shrink(&plan, complaint, |plan| examine(plan, Thoroughness::Quick).map(|_| ()));
            panic!("seed {seed} of {theme:?}: {last}\n{smallest}");
        }
    }
});
