//! `run --gdb`: a debugger stops a rank at the call of a finding.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// Runs a program under gdb, which carries out these commands; `None` if there is no gdb.
fn debugged(commands: &str, options: &[&str], folder: &TempDir) -> Option<String> {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed");
        return None;
    }
    let mut command = Command::new(cargo_bin("windtunnel"));
    command.arg("run").args(options).current_dir(folder.path()).env("HOME", folder.path());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(commands.as_bytes()).expect("it reads commands");
    drop(input);
    let out = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr))
}

#[test]
fn gdb_stops_at_the_call_of_a_finding() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("stops.c", &folder);
    let commands = "bt 2\nprint round\nup\nprint rank\nquit\n";
    let Some(text) = debugged(commands, &["--gdb", "1", &program, "-n", "4"], &folder) else {
        return;
    };
    assert!(text.contains("error[WT0001]"), "{text}");
    assert!(text.contains("Rank 1:"), "{text}");
    assert!(text.contains("#0  exchange (peer=0, round=2)"), "{text}");
    assert!(text.contains("$1 = 2") && text.contains("$2 = 1"), "{text}");
    // The second round of rank 0 was not it.
    let options = ["--gdb=0", "--schedule", "zero", &program, "-n", "2"];
    let text = debugged("print round\nquit\n", &options, &folder).expect("gdb");
    assert!(text.contains("#0  exchange (peer=1, round=2)"), "{text}");
}

#[test]
fn gdb_stops_at_main_where_nothing_is_found() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("stops.c", &folder);
    let options = ["--gdb", "3", &program, "-n", "4", "--", "sound"];
    let Some(text) = debugged("bt 1\nquit\n", &options, &folder) else { return };
    assert!(text.contains("rank 3 stops at main"), "{text}");
    assert!(text.contains("main (argc=2"), "{text}");
}

#[test]
fn only_ranks_of_compiled_programs_are_debugged() {
    let folder = TempDir::new().expect("a folder");
    let (code, text) = windtunnel(&["run", "--gdb", "1", "allreduce"], folder.path());
    assert_eq!(code, Some(2), "{text}");
    let program = compile("stops.c", &folder);
    let (code, text) = windtunnel(&["run", "--gdb", "4", &program, "-n", "4"], folder.path());
    assert_eq!((code, text.contains("allowed is 0 to 3")), (Some(2), true), "{text}");
}
