//! `--max-memory`: what does not fit is told before the run, or stops it, with the numbers and exit code 2.

use std::{fs, process::Command};

use serde_json::json;
use tempfile::TempDir;

use super::c_programs::compile;

/// Runs the command in a folder and returns exit code, standard output and standard error.
fn ran(folder: &TempDir, words: &str) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_windtunnel"))
        .args(words.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn refused(folder: &TempDir, words: &str, parts: &[&str]) {
    let (code, _, error) = ran(folder, words);
    assert_eq!(code, Some(2), "{words}: {error}");
    assert!(error.starts_with("error: "), "{words}: {error}");
    for part in parts {
        assert!(error.contains(part), "{words}: {part} is not in\n{error}");
    }
}

#[test]
fn what_would_not_fit_is_not_started() {
    let folder = TempDir::new().expect("a folder");
    let program = "allgather-ring -n 64 -p blocksize=65536 --max-memory";
    let parts = ["would take 1.0 GiB", "488 MiB is what --max-memory allows", "help: --data none"];
    refused(&folder, &format!("run {program} 512MB"), &parts);
    refused(&folder, &format!("check {program} 512MB"), &parts);
    refused(&folder, &format!("compare {program} 512MB --topologies ring"), &parts);
    refused(&folder, &format!("run {program} 512MB --repeat 2"), &parts);
    refused(&folder, "run barrier.c --max-memory 4X", &["512MB, 4GiB"]);
    let report = "run jacobi-sendrecv -n 64 -p iterations=4000 --max-memory 50M --report a.html";
    refused(&folder, report, &["events for the report", "help: no report"]);
    let none = format!("run {program} 512MB --data none");
    assert_eq!(ran(&folder, &none).0, Some(0), "only sizes fit");
    assert!(fs::read_dir(folder.path()).expect("readable").next().is_none(), "no file is left");
}

#[test]
fn a_run_that_grows_is_stopped() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("floods.c", &folder);
    let parts = ["was stopped: it took more than 190 MiB", "--max-memory allows", "help: "];
    refused(&folder, &format!("run {program} -n 2 --max-memory 200MB"), &parts);
    refused(&folder, &format!("mpiexec -n 2 -max-memory 200MB {program}"), &parts);
    refused(&folder, &format!("check {program} -n 2 --max-memory 200MB"), &parts);
}

/// Memory is looked at while ranks compute, too.
#[test]
fn ranks_that_touch_too_much_between_calls_are_stopped() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("touches.c", &folder);
    let parts = ["was stopped: it took more than 476 MiB", "--max-memory allows", "help: "];
    for words in ["", " -- all"] {
        refused(&folder, &format!("run {program} -n 64 --max-memory 500MB{words}"), &parts);
        refused(&folder, &format!("check {program} -n 64 --max-memory 500MB{words}"), &parts);
    }
    refused(&folder, &format!("mpiexec -n 64 -max-memory 500MB {program}"), &parts);
}

#[test]
fn the_limit_changes_no_digest() {
    let folder = TempDir::new().expect("a folder");
    let of = |words: &str| ran(&folder, &format!("run jacobi-sendrecv -n 64 --json{words}")).1;
    let digest = |text: &str| {
        text.lines().find(|line| line.contains("digest")).expect("a digest").to_owned()
    };
    assert_eq!(digest(&of("")), digest(&of(" --max-memory 1GiB")));
}

#[test]
fn configurations_that_do_not_fit_wait_for_more_memory() {
    let folder = TempDir::new().expect("a folder");
    let study = json!({
        "scenario": { "program": "allgather-ring", "ranks": 64 },
        "axes": ["blocksize=1,65536"]
    });
    fs::write(folder.path().join("study.json"), study.to_string()).expect("writable");
    let (code, out, error) = ran(&folder, "sweep study.json --max-memory 512MB");
    assert_eq!(code, Some(1), "{error}");
    assert!(out.contains("1 of 2 configurations"), "{out}");
    assert!(error.contains("1 configuration did not fit into memory"), "{error}");
    assert!(error.contains("number 1: allgather-ring on 64 ranks"), "{error}");
    let (code, out, error) = ran(&folder, "sweep study.json --max-memory 8GiB");
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("2 of 2 configurations: 2 completed"), "{out}");
}

#[test]
fn blocks_that_are_not_carried_take_no_memory() {
    let folder = TempDir::new().expect("a folder");
    // A gibibyte is sent, and as much received.
    let words = "run alltoall -n 32 -p bytes=1M --data none --max-memory 300MB --quiet";
    let (code, out, error) = ran(&folder, words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
}

#[test]
fn buffers_beyond_the_counts_of_mpi_are_refused() {
    let folder = TempDir::new().expect("a folder");
    for (program, ranks) in [("alltoall", 128), ("allgather", 32)] {
        refused(
            &folder,
            &format!("run {program} -n {ranks} -p bytes=64M --data none"),
            &[&format!("the number of ranks of {program} is `{ranks}`"), "end at 2147483647"],
        );
    }
    let words = "compare alltoall -n 64 --axis bytes=1K,64M --data none --quiet";
    let (code, out, error) = ran(&folder, words);
    assert_eq!(code, Some(0), "{error}");
    assert!(out.contains("1K"), "{out}");
}

#[test]
fn ranks_without_a_stack_are_not_estimated_with_one() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("idle.goal"), "num_ranks 100000\n").expect("a file");
    let (code, out, error) = ran(&folder, "replay idle.goal --max-memory 700MB --quiet");
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
}
