//! Tests of the safety check on a Rust program that treats its process as its own.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

/// Returns exit code, JSON object and standard error of the check.
fn check(mode: &str) -> (Option<i32>, Value, String) {
    json("check", mode)
}

/// Returns exit code, JSON object and standard error of a command.
fn json(subcommand: &str, mode: &str) -> (Option<i32>, Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_careless-program"));
    command.args([subcommand, "-n", "3", "--json"]).env("CARELESS", mode);
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = streams.spawn().expect("it runs");
    running.stdin.take().expect("a pipe").write_all(b"words\n").expect("it is read");
    let output = running.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let object = serde_json::from_slice(&output.stdout);
    let object = object.unwrap_or_else(|error| panic!("{mode}: {error}: {errors}"));
    (output.status.code(), object, errors)
}

#[test]
fn statics_and_input_are_fresh_in_every_execution() {
    let (code, object, errors) = check("");
    assert_eq!((code, &object["verdict"]), (Some(0), &"ok".into()), "{object}");
    assert_eq!(errors, "read words\n", "the output of one execution");
}

#[test]
fn hash_tables_have_the_same_order_in_every_run() {
    let orders = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_careless-program"));
        command.args(["run", "-n", "3"]).env("CARELESS", "hashes").stdin(Stdio::piped());
        let mut running = command.stdout(Stdio::piped()).spawn().expect("it runs");
        running.stdin.take().expect("a pipe").write_all(b"words\n").expect("it is read");
        let output = running.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines()
            .filter(|line| line.starts_with("order ["))
            .map(str::to_string)
            .collect::<Vec<_>>()
    };
    let first = orders();
    assert_eq!(first.len(), 3, "{first:?}");
    assert_eq!((orders(), orders()), (first.clone(), first));
}

#[test]
fn an_exit_in_the_middle_is_a_finding() {
    for (mode, exit_code) in [("exits", 0), ("fails", 3)] {
        let (code, object, _) = check(mode);
        assert_eq!((code, &object["verdict"]), (Some(1), &"error".into()), "{mode}");
        let finding = &object["findings"][0];
        let said = format!("rank 1 ended the whole process with exit code {exit_code}");
        assert_eq!((&finding["message"], &finding["code"]), (&said.into(), &"WT0027".into()));
    }
}

#[test]
fn an_exit_ends_its_rank_and_the_run_is_reported() {
    let (code, object, errors) = json("run", "fails");
    assert_eq!((code, &object["schema"]), (Some(3), &"windtunnel.run/1".into()), "{errors}");
    let finding = &object["findings"][0];
    let said = "rank 1 ended with exit code 3";
    assert_eq!((&finding["message"], &finding["code"]), (&said.into(), &"WT0027".into()));
    assert_eq!(object["findings"].as_array().map(Vec::len), Some(1), "{object}");
    // Without an error of its own, the others are left waiting for it.
    let (code, object, _) = json("run", "exits");
    assert_eq!(code, Some(1));
    let finding = &object["findings"][0];
    assert_eq!((&finding["code"], &finding["ranks"]), (&"WT0022".into(), &[0, 2][..].into()));
    assert_eq!(object["findings"].as_array().map(Vec::len), Some(1), "{object}");
    // All ranks end so, and have nothing left to do.
    let (code, object, errors) = json("run", "all exit");
    assert_eq!((code, &object["schema"]), (Some(0), &"windtunnel.run/1".into()), "{errors}");
}
