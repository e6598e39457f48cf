//! Programs that close and redirect their descriptors: the simulator goes on printing.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::c_programs::{compile, compile_by};

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

/// What the C library keeps in variables of the program is the program's, and wide characters reach its streams.
#[test]
fn wide_characters_and_variables_of_the_library_are_those_of_the_rank() {
    let folder = TempDir::new().expect("a folder");
    let program = compile_by("", &["-O0", "-lm"], "left_in_library.c", &folder);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    let words = ["mpiexec", "-n", "2", &program, "minus"];
    let (code, text) = windtunnel(&folder, &words, "süß now\n");
    let expected = [
        "bytes 1|text é",
        "bytes 1|text é",
        "rank 0: gamma(-0.5) = -3.5449, größer",
        "rank 1: gamma(0.5) = 1.7725, größer",
        "read süß, then  ",
    ];
    assert_eq!((code, sorted(&text)), (Some(0), expected.map(str::to_owned).to_vec()));
    let mut command = Command::cargo_bin("windtunnel").expect("the program is built");
    command.env("WINDTUNNEL_CACHE", folder.path().join("cache"));
    let output = command.args(words).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("program: not here: No such file or directory"), "{text}");
    assert!(text.contains("program, 1 message"), "{text}");
    let program = compile("wide_streams.cpp", &folder);
    let (code, text) = windtunnel(&folder, &["mpiexec", "-n", "2", &program], "12 drei\n");
    let expected = ["rank 0 größer", "rank 1 größer", "read 12 and drei"];
    assert_eq!((code, sorted(&text)), (Some(0), expected.map(str::to_owned).to_vec()));
    let (code, text) = windtunnel(&folder, &["check", &program, "-n", "2"], "12 drei\n");
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn the_global_locale_of_cxx_and_its_handler_are_those_of_the_rank() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("globals.cpp", &folder);
    let (code, text) = windtunnel(&folder, &["mpiexec", "-n", "3", &program], "");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    let expected = [
        "C: C.UTF-8",
        "before: C",
        "rank 0: 2.5 C",
        "rank 0: caught",
        "rank 0: no memory",
        "rank 1: 2,5 *",
        "rank 1: caught",
        "rank 2: 2.5 C.UTF-8",
        "rank 2: caught",
        "rank 2: no memory",
    ];
    assert_eq!((code, lines), (Some(0), expected.to_vec()));
    let (code, text) = windtunnel(&folder, &["check", &program, "-n", "3"], "");
    assert_eq!(code, Some(0), "{text}");
}
