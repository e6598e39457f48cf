//! Tests that the example has Windtunnel's command line, with its own program as the default.

use std::process::Command;

fn run(words: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_own-program")).args(words).output();
    let output = output.expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn it_is_checked_and_run_without_being_named() {
    let (code, text) = run(&["check", "-n", "5"]);
    assert_eq!(code, Some(0));
    assert!(text.ends_with("VERDICT: ok\n"), "{text}");
    let (code, text) = run(&["run", "-n", "8", "--machine", "sp2"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("pi"), "{text}");
}

#[test]
fn the_built_in_programs_are_there_too() {
    let (code, text) = run(&["check", "allgather-ring", "-n", "4"]);
    assert_eq!(code, Some(1));
    assert!(text.ends_with("VERDICT: buffering\n"), "{text}");
    let (code, text) = run(&["list", "programs"]);
    assert_eq!(code, Some(0));
    assert!(text.lines().any(|line| line.trim().starts_with("pi ")), "{text}");
    assert!(text.contains("allgather-ring"), "{text}");
}
