//! Programs that start others, from the command line to reports and traces.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::{compile, object, windtunnel};

fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn a_manager_starts_as_many_workers_as_there_is_room_for() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("manager.c", &folder);
    let words = ["mpiexec", "-n", "1", "-usize", "4", "-label", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    let expected = [
        "[0] all 3 have worked",
        "[1] worker 0 on node1",
        "[2] worker 1 on node2",
        "[3] worker 2 on node3",
    ];
    assert_eq!(lines(&text), expected);
    let words = ["mpiexec", "-n", "3", "-usize", "2", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the size of the universe"), "{text}");
}

#[test]
fn the_check_starts_them_anew_in_every_run() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("manager.c", &folder);
    let words = ["check", &program, "-n", "1", "--universe", "3"];
    let (code, text) = windtunnel(&words, folder.path());
    assert!(code == Some(0) && text.contains("VERDICT: ok"), "{text}");
    let (code, text) = windtunnel(&["check", &program, "-n", "1"], folder.path());
    assert_ne!(code, Some(0), "{text}");
    assert!(text.contains("MPI_ERR_SPAWN: 0 processes are asked for"), "{text}");
}

#[test]
fn reports_and_traces_have_them() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("manager.c", &folder);
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (trace, page) = (place("trace.json"), place("page.html"));
    let mut words = vec!["run", &program, "-n", "1", "--universe", "3"];
    words.extend(["--trace", &trace, "--report", &page]);
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    let told = |words: &str| text.lines().any(|line| line.ends_with(words));
    assert!(told("on 1 rank and 2 more"), "{text}");
    assert!(text.contains("ranks 1 to 2 were started by rank 0, "), "{text}");
    let read = |path: &str| fs::read_to_string(path).expect("a file");
    let trace: Value = serde_json::from_str(&read(&trace)).expect("JSON");
    let tracks = trace["traceEvents"].as_array().expect("events").iter();
    let named = |name: &str| tracks.clone().any(|event| event["args"]["name"] == name);
    assert!(named("rank 0") && named("rank 1") && named("rank 2") && !named("rank 3"));
    assert!(read(&page).contains("ranks 1 to 2 were started by rank 0"));
    let words = ["run", &program, "-n", "1", "--universe", "3", "--json"];
    let (_, result) = object(&words, folder.path());
    assert_eq!(result["per_rank"].as_array().map(Vec::len), Some(3));
    let family = &result["started"][0];
    assert_eq!(
        (&family["first"], &family["ranks"], &family["by"]),
        (&1.into(), &2.into(), &0.into())
    );
    assert_eq!(family["line"], 24);
}
