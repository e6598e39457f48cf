//! C programs through the command line: compiled, run, checked.

use std::{
    path::Path,
    process::{Command, Output},
};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

/// The functions of `c/verdicts.c` and the verdict on three ranks.
const CASES: [(&str, &str); 56] = [
    ("all_receive_first", "deadlock"),
    ("all_send_first", "buffering"),
    ("wrong_tag", "deadlock"),
    ("different_collectives", "call-ordering"),
    ("collective_missing_on_one_rank", "call-ordering"),
    ("different_roots", "parameter-matching"),
    ("different_operations", "parameter-matching"),
    ("different_counts", "parameter-matching"),
    ("different_types", "parameter-matching"),
    ("different_blocks", "parameter-matching"),
    ("merged_in_two_orders", "parameter-matching"),
    ("receive_of_another_type", "parameter-matching"),
    ("receive_too_short", "parameter-matching"),
    ("no_such_rank", "invalid-argument"),
    ("negative_tag", "invalid-argument"),
    ("negative_count", "invalid-argument"),
    ("null_communicator", "invalid-argument"),
    ("type_not_committed", "invalid-argument"),
    ("no_such_root", "invalid-argument"),
    ("null_buffer", "invalid-argument"),
    ("freed_communicator", "invalid-argument"),
    ("operation_not_for_type", "invalid-argument"),
    ("send_never_waited_for", "request-lifecycle"),
    ("receive_never_waited_for", "request-lifecycle"),
    ("persistent_request_kept", "resource-leak"),
    ("started_twice", "request-lifecycle"),
    ("communicator_kept", "resource-leak"),
    ("type_kept", "resource-leak"),
    ("group_kept", "resource-leak"),
    ("relies_on_order", "message-race"),
    ("one_order_deadlocks", "message-race"),
    ("send_buffer_changed", "local-concurrency"),
    ("receive_buffer_written", "local-concurrency"),
    ("receive_buffers_overlap", "local-concurrency"),
    ("buffers_aliased", "invalid-argument"),
    ("aborts", "error"),
    ("bad_pointer", "error"),
    ("exit_code", "error"),
    ("never_finalizes", "call-ordering"),
    ("initialises_twice", "call-ordering"),
    ("call_after_finalize", "call-ordering"),
    ("polls_for_ever", "deadlock"),
    ("exchange", "ok"),
    ("gather_by_hand", "ok"),
    ("message_never_received", "call-ordering"),
    ("put_outside_an_epoch", "epoch-lifecycle"),
    ("window_kept", "resource-leak"),
    ("name_kept", "resource-leak"),
    ("puts_in_one_epoch", "global-concurrency"),
    ("puts_read_too_early", "global-concurrency"),
    ("sums_in_one_epoch", "ok"),
    ("loaded_while_put", "global-concurrency"),
    ("loaded_before_put", "global-concurrency"),
    ("stored_while_put", "global-concurrency"),
    ("neighbour_used_while_put", "ok"),
    ("polled_while_put", "ok"),
];

pub(super) fn windtunnel(words: &[&str], folder: &Path) -> (Option<i32>, String) {
    windtunnel_with(&[], words, folder)
}

fn windtunnel_with(
    variables: &[(&str, &str)],
    words: &[&str],
    folder: &Path,
) -> (Option<i32>, String) {
    let output = output_of(variables, words, folder);
    let bytes = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&bytes).into_owned())
}

fn output_of(variables: &[(&str, &str)], words: &[&str], folder: &Path) -> Output {
    Command::new(cargo_bin("windtunnel"))
        .args(words)
        .env("WINDTUNNEL_CACHE", folder.join("cache"))
        .envs(variables.iter().copied())
        .output()
        .expect("windtunnel runs")
}

/// Like [`windtunnel`], with the one object that the command prints. Standard error is not part of it: a
/// note there says that a long simulation goes on.
pub(super) fn object(words: &[&str], folder: &Path) -> (Option<i32>, Value) {
    let output = output_of(&[], words, folder);
    let object = serde_json::from_slice(&output.stdout);
    let object = object.unwrap_or_else(|error| panic!("{words:?}: {error}: {output:?}"));
    (output.status.code(), object)
}

/// Compiles a source of `c` into `folder`; the path of the program.
pub(super) fn compile(name: &str, folder: &TempDir) -> String {
    compile_at("-O0", name, folder)
}

/// As [`compile`], at a level of optimisation.
pub(super) fn compile_at(level: &str, name: &str, folder: &TempDir) -> String {
    compile_by("", &[level], name, folder)
}

/// As [`compile`], by the compilers of Clang or the standard ones (an empty name), with these options.
pub(super) fn compile_by(maker: &str, options: &[&str], name: &str, folder: &TempDir) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name);
    let path = folder.path().join("program").display().to_string();
    let compiler = if name.ends_with(".cpp") { "cxx" } else { "cc" };
    let variables: &[_] = match maker {
        "clang" => &[("WINDTUNNEL_CC", "clang"), ("WINDTUNNEL_CXX", "clang++")],
        _ => &[],
    };
    let source = source.display().to_string();
    let words = [&[compiler, "-w", &source, "-o", &path], options].concat();
    let (code, text) = windtunnel_with(variables, &words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    path
}

/// The compilers that are there, as [`compile_by`] takes them.
pub(super) fn makers() -> Vec<&'static str> {
    let has_clang = Command::new("clang++").arg("--version").output().is_ok();
    if !has_clang {
        eprintln!("skipped: clang is not installed");
    }
    [""].into_iter().chain(has_clang.then_some("clang")).collect()
}

#[test]
fn every_wrong_program_gets_its_verdict_and_no_right_one_does() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("verdicts.c", &folder);
    for (case, expected) in CASES {
        let words = ["check", &program, "-n", "3", "--json", "--", case];
        let (code, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], expected, "{case}: {report}");
        assert_eq!(code, Some(i32::from(expected != "ok")), "{case}");
    }
}

#[test]
fn a_thread_outside_mpi_disturbs_no_call_of_another_one() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("beats.c", &folder);
    for how in ["yields", "sleeps", "computes", "looks"] {
        let words = ["check", &program, "-n", "2", "--json", "--", how];
        let (_, report) = object(&words, folder.path());
        assert_eq!(report["verdict"], "ok", "{how}: {report}");
    }
}

#[test]
fn functions_may_keep_any_number_in_place_of_a_frame_pointer() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("frames.c", &folder);
    let (_, report) = object(&["check", &program, "-n", "3", "--json"], folder.path());
    assert_eq!(report["verdict"], "ok", "{report}");
}

#[test]
fn a_program_runs_and_prints_through_mpiexec() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("hello.c", &folder);
    let words = ["mpiexec", "-label", "-n", "2", &program, "one", ":", "-n", "1", &program, "two"];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["[0] one: 0 of 3", "[1] one: 1 of 3", "[2] two: 2 of 3"]);
    let (code, text) = windtunnel(&["run", &program, "-n", "2", "--", "word"], folder.path());
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("word: 1 of 2") && text.contains("digest"), "{text}");
}

#[test]
fn a_report_begins_on_a_line_of_its_own() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("sleeps.c", &folder);
    let (_, text) = windtunnel(&["run", &program, "-n", "1"], folder.path());
    assert!(text.starts_with("1 tick\nprogram "), "{text}");
    // The program's output is not shown.
    let (_, text) = windtunnel(&["run", &program, "-n", "1", "--quiet"], folder.path());
    assert_eq!(text.lines().count(), 1, "{text}");
}

#[test]
fn no_sleep_looks_shorter_than_it_was_asked_to_be() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("slept.c", &folder);
    let (_, text) = windtunnel(&["run", &program, "-n", "1"], folder.path());
    assert!(text.contains("0 of 2000 sleeps are too short"), "{text}");
}

#[test]
fn a_static_program_is_refused_before_it_is_linked() {
    let folder = TempDir::new().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/hello.c");
    let source = source.display().to_string();
    let output = folder.path().join("output").display().to_string();
    for option in ["-static", "-static-pie"] {
        let (code, text) = windtunnel(&["cc", option, &source, "-o", &output], folder.path());
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("cannot be simulated") && text.contains(option), "{text}");
        let words = ["cc", option, "-c", &source, "-o", &output];
        assert_eq!(windtunnel(&words, folder.path()).0, Some(0), "{option}: nothing is linked");
    }
}

#[test]
fn what_cannot_be_run_is_bad_input() {
    let folder = TempDir::new().expect("a folder");
    for program in ["/no/such/file", "/bin/true", "./"] {
        let (code, text) = windtunnel(&["check", program, "-n", "2"], folder.path());
        assert_eq!(code, Some(2), "{program}: {text}");
    }
}

#[test]
fn a_signal_in_a_function_of_a_library_is_told_with_the_call_of_the_program() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("library.c", &folder);
    let source = include_str!("../c/library.c");
    for (case, damaged) in [
        ("strlen", false),
        ("atoi", false),
        ("fscanf", false),
        ("fclose", false),
        ("printf", false),
        ("free", true),
        ("twice", true),
        ("beyond", true),
    ] {
        let words = ["check", &program, "-n", "2", "--json", "--", case];
        let (_, report) = object(&words, folder.path());
        let finding = &report["findings"][0];
        let comment = format!("/* {case} */");
        let line = source.lines().position(|line| line.contains(&comment)).map(|at| at + 1);
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(1), "{case}: {report}");
        assert_eq!(finding["code"], "WT0026", "{case}: {report}");
        assert_eq!(finding["sites"][0]["line"].as_u64(), line.map(|line| line as u64), "{report}");
        assert_eq!(finding["sites"][0]["function"], "misuse", "{report}");
        let notes = finding["notes"].as_array().expect("notes");
        let told = notes
            .iter()
            .filter_map(Value::as_str)
            .any(|note| note.contains("finds memory damaged"));
        assert_eq!(told, damaged, "{case}: {report}");
    }
}
