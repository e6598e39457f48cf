//! Random programs in C are the same as their interpretation through every command.

use oracle::{Plan, Tool, examine_compiled, generate};

fn all_are_the_same(seeds: std::ops::Range<u64>) {
    let plans: Vec<Plan> = seeds.map(generate).collect();
    let tool = Tool::new(env!("CARGO_BIN_EXE_oracle"));
    if let Err(failures) = examine_compiled(&plans, &tool) {
        panic!("{}", failures.join("\n"));
    }
}

#[test]
fn random_c_programs_are_the_same_as_their_interpretation() {
    all_are_the_same(0..200);
}
