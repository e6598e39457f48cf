//! Programs that close and redirect their descriptors: the simulator goes on printing.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::c_programs::compile;

/// Runs a command; its code and its output.
fn windtunnel(folder: &TempDir, words: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::cargo_bin("windtunnel").expect("the program is built");
    command.env("WINDTUNNEL_CACHE", folder.path().join("cache"));
    let output = command.args(words).write_stdin(input).output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn no_rank_silences_the_simulator_or_another_rank() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("closes.c", &folder);
    let data = folder.path().join("data").display().to_string();
    for (how, printed) in [
        ("before", "result 0 result 1 result 2"),
        ("range", "result 0 result 1 result 2"),
        ("all", ""),
        ("quiet", "result 0"),
        ("file", "result 1 result 2"),
        ("raw", "result 0 result 1 result 2"),
    ] {
        let words = ["check", &program, "-n", "3", "--", how, &data];
        let (code, text) = windtunnel(&folder, &words, "");
        assert_eq!(code, Some(0), "{how}: {text}");
        assert!(text.ends_with("VERDICT: ok\n"), "{how}: {text}");
        let (code, text) = windtunnel(&folder, &["mpiexec", "-n", "3", &program, how, &data], "");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!((code, lines.join(" ").as_str()), (Some(0), printed), "{how}");
        if fs::exists(&data).expect("a folder") {
            let expected = if how == "file" { "result 0\n" } else { "" };
            assert_eq!(fs::read_to_string(&data).expect("the data"), expected, "{how}");
        }
    }
}

#[test]
fn the_first_rank_alone_reads_through_streams_of_cxx() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("reads.cpp", &folder);
    for words in [&["mpiexec", "-n", "3", &program][..], &["mpiexec", "-n", "3", &program, "x"]] {
        let (code, text) = windtunnel(&folder, words, "12 rest\nthe line\nmore\n");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!((code, lines), (Some(0), vec!["-1  1", "-1  1", "12 the line 0"]));
    }
}
