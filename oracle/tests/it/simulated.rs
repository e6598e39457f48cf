//! Random programs give what the standard says they must, on every kind of machine.

use rayon::prelude::*;

use oracle::{Theme, Thoroughness, examine, generate, shrink};

fn all_give_what_they_must(seeds: std::ops::Range<u64>, theme: Theme, how: Thoroughness) {
    let failures: Vec<String> = seeds
        .into_par_iter()
        .filter_map(|seed| {
            let plan = generate(seed, theme);
            let complaint = examine(&plan, how).err()?;
            let (smallest, complaint) =
                shrink(&plan, complaint, |plan| examine(plan, how).map(|_| ()));
            Some(format!("{complaint}\n{smallest}"))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn random_programs_give_what_they_must() {
    all_give_what_they_must(0..800, Theme::Messages, Thoroughness::Quick);
}

#[test]
fn random_windows_give_what_they_must() {
    all_give_what_they_must(0..200, Theme::Windows, Thoroughness::Quick);
}

#[test]
fn a_few_give_it_on_every_combination_of_machines() {
    all_give_what_they_must(1_000_000..1_000_016, Theme::Messages, Thoroughness::Full);
}

#[test]
#[ignore = "takes minutes: run it with --release"]
fn ten_thousand_programs_give_what_they_must() {
    all_give_what_they_must(0..10_000, Theme::Messages, Thoroughness::Full);
}
