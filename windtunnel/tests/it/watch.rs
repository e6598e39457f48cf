//! `check --watch`: a program that is built again is checked again.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// A process that ends with the test.
struct Watching(Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_is_built_again_is_checked_again() {
    let folder = TempDir::new().expect("a folder");
    let sources = TempDir::new().expect("a folder");
    let other = compile("lines.c", &sources);
    let program = folder.path().join("program");
    fs::copy(&other, &program).expect("a copy");
    let mut command = Command::new(cargo_bin("windtunnel"));
    command.arg("check").arg(&program).args(["-n", "2", "--watch"]).arg(folder.path());
    command.args(["--", "other_count_in_a_gather"]).current_dir(sources.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut child = Watching(child);
    let mut lines = BufReader::new(child.0.stdout.take().expect("piped")).lines();
    let mut verdict = || {
        let is_verdict = |line: &String| line.starts_with("VERDICT: ");
        lines.by_ref().map_while(Result::ok).find(is_verdict).expect("it goes on")
    };
    assert_eq!(verdict(), "VERDICT: parameter-matching");
    // Files of other kinds do not matter; a program of another size does.
    fs::write(folder.path().join("notes"), "x").expect("a file");
    let mut bytes = fs::read(&other).expect("the program");
    bytes.push(0);
    fs::write(&program, bytes).expect("a new program");
    assert_eq!(verdict(), "VERDICT: parameter-matching");
}

#[test]
fn a_folder_to_watch_must_exist() {
    let folder = TempDir::new().expect("a folder");
    let options = ["check", "allgather-ring", "--watch", "nowhere"];
    let (code, text) = windtunnel(&options, folder.path());
    assert_eq!(code, Some(2), "{text}");
}
