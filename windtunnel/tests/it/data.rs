//! `--data`: runs that carry sizes instead of data.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// Returns makespan and digest of a run.
fn run(folder: &Path, words: &[&str]) -> (Value, Value) {
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    let output =
        command.current_dir(folder).arg("run").arg("--json").args(words).output().expect("starts");
    assert_eq!(output.status.code(), Some(0), "{words:?}: {output:?}");
    let value: Value = serde_json::from_slice(&output.stdout).expect("an object");
    (value["makespan_ns"].clone(), value["digest"].clone())
}

#[test]
fn runs_without_data_take_the_same_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for program in [
        "allgather-ring-sendrecv",
        "allgather-ring-persistent",
        "allgather-cube-any",
        "allgather-tree",
        "alltoall-cube",
        "jacobi-waitall",
        "jacobi-neighborw-persistent",
    ] {
        let block = ["-p", "blocksize=500"];
        let sized: &[&str] = if program.starts_with("all") { &block } else { &[] };
        for machine in ["aries", "paragon"] {
            let words = [&[program, "-n", "8", "--machine", machine][..], sized].concat();
            let without = [&words[..], &["--data", "none"]].concat();
            assert_eq!(run(here, &words), run(here, &without), "{program} on {machine}");
        }
    }
}

#[test]
fn compiled_programs_keep_what_decides() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/farm.c");
    let mut compiler = Command::cargo_bin("windtunnel").expect("it is built");
    compiler.current_dir(here).args(["cc", "-O1", source, "-o", "farm"]).assert().success();
    let all = run(here, &["./farm", "-n", "5"]);
    assert_eq!(run(here, &["./farm", "-n", "5", "--data", "none"]), all);
    assert_eq!(run(here, &["./farm", "-n", "5", "--data", "1K"]), all);
}

/// Returns makespan and digest of a run of the compiled program.
fn compiled(folder: &Path, words: &[&str]) -> (Value, Value) {
    run(folder, &[&["./sent"][..], words].concat())
}

#[test]
fn compiled_programs_do_not_read_what_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/sent.c");
    let mut compiler = Command::cargo_bin("windtunnel").expect("it is built");
    compiler.current_dir(here).args(["cc", "-O1", source, "-o", "sent"]).assert().success();
    for way in ["bcast", "ibcast", "allreduce", "send", "isend", "sendrecv", "persistent", "vector"]
    {
        // The same times and calls as with data, those of large messages and of small ones.
        for bytes in ["8", "100000"] {
            let words = ["-n", "4", "--machine", "aries", "--", way, bytes];
            let none = [&["--data", "none"][..], &words].concat();
            assert_eq!(compiled(here, &none), compiled(here, &words), "{way} of {bytes} bytes");
        }
        // Nobody touches these two gigabytes, so that they take no memory unless they are read or written.
        let limit = ["--max-memory", "700MB", "--data", "none", "-n", "2"];
        compiled(here, &[&limit[..], &["--", way, "2000000000"]].concat());
    }
}

#[test]
fn large_messages_fit_into_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    // Two gibibytes for each of 64 ranks, if they were there.
    let words = ["allgather-ring-sendrecv", "-n", "64", "-p", "blocksize=8388608"];
    let (makespan, _) = run(folder.path(), &[&words[..], &["--data", "none"]].concat());
    assert!(makespan.as_f64().is_some_and(|time| time > 0.0));
}

#[test]
fn other_words_are_refused() {
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    let output =
        command.args(["run", "allgather-ring", "--data", "some"]).output().expect("starts");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("data is all, none, or the largest size of messages"), "{told}");
}
