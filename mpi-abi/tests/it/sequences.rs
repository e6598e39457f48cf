//! Random calls of the C library by ranks that interleave give each rank what a process of its own
//! gets. `PROPTEST_CASES` says how many cases are tried.

use std::{fs, path::Path, process::Command};

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};
use tempfile::TempDir;

use crate::harness::{Compiled, compile, plain, run_in_own_process};

/// Cases without `PROPTEST_CASES`.
const CASES: u32 = 64;

/// The functions in the table of `ctest/sequences.c`.
fn calls() -> Vec<&'static str> {
    let source = include_str!("../../ctest/sequences.c");
    let table = source.split("} calls[] = {").nth(1).and_then(|rest| rest.split("};").next());
    let entries = table.expect("a table").split("{\"").skip(1);
    entries.filter_map(|entry| entry.split('"').next()).collect()
}

/// What each rank calls, each with a number.
type Sequences = Vec<Vec<(&'static str, u16)>>;

fn sequences() -> impl Strategy<Value = Sequences> {
    let call = (prop::sample::select(calls()), 0u16..1000);
    // A few kinds of calls in a case meet each other more often than all of them.
    let few = prop::collection::vec(prop::sample::select(calls()), 1..5).prop_flat_map(|kinds| {
        let call = (prop::sample::select(kinds), 0u16..1000);
        prop::collection::vec(prop::collection::vec(call, 0..20), 2..4)
    });
    prop_oneof![prop::collection::vec(prop::collection::vec(call, 0..30), 2..4), few]
}

fn words(folder: &Path, rank: i32, sequences: &Sequences) -> Vec<String> {
    fs::create_dir_all(folder).expect("a folder");
    let mut words = vec![folder.display().to_string(), rank.to_string()];
    for sequence in sequences {
        words.extend(sequence.iter().map(|(name, number)| format!("{name}:{number}")));
        words.push("/".into());
    }
    words
}

/// What each rank prints in a process of its own.
fn alone(program: &Compiled, folder: &Path, sequences: &Sequences) -> Vec<String> {
    let one = |rank: usize| {
        let words = words(folder, rank as i32, sequences);
        let output = Command::new(&program.path).args(words).output().expect("it runs");
        assert!(output.status.success(), "{:?} alone", output.status);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    (0..sequences.len()).map(one).collect()
}

/// Folder, mask and environment belong to the process: other tests would see what the ranks set.
#[test]
fn ranks_that_interleave_get_what_each_gets_alone() {
    run_in_own_process("sequences::in_a_process_of_its_own");
}

#[test]
#[ignore = "ranks_that_interleave_get_what_each_gets_alone runs it"]
fn in_a_process_of_its_own() {
    let together = compile("sequences.c", &["-lm"]);
    let single = plain("sequences.c", &["-DALONE", "-O1", "-lm"]);
    let config = Config {
        cases: std::env::var("PROPTEST_CASES").map_or(CASES, |text| text.parse().unwrap_or(CASES)),
        failure_persistence: None,
        ..Config::default()
    };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, random).run(&sequences(), |sequences| {
        let folder = TempDir::new().expect("a folder");
        let expected = alone(&single, &folder.path().join("alone"), &sequences);
        let words = words(&folder.path().join("together"), -1, &sequences);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let found = together.run(sequences.len() as u32, &words);
        prop_assert_eq!(found.output, expected);
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, smallest)) => panic!("{reason}\nsmallest: {smallest:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}
