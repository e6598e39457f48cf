//! OpenMP programs through the command line, with the variables of their environment.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::windtunnel;

/// A program of the tests of `mpi-abi`, compiled.
struct Program {
    folder: TempDir,
    path: String,
}

impl Program {
    fn new(name: &str) -> Self {
        Self::compiled(name, "-fopenmp")
    }

    fn compiled(name: &str, flag: &str) -> Self {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mpi-abi/ctest/openmp");
        Self::of(&sources.join(name), flag)
    }

    fn of(source: &Path, flag: &str) -> Self {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("program");
        let (source, path) = (source.display().to_string(), path.display().to_string());
        let words = ["cc", "-g", "-O1", flag, &source, "-o", &path, "-lm"];
        let (code, text) = windtunnel(&words, folder.path());
        assert_eq!(code, Some(0), "{text}");
        Self { folder, path }
    }

    /// The exit code, standard output and standard error of a command on the program, with variables.
    fn with(&self, variables: &[(&str, &str)], words: &str) -> (i32, String, String) {
        let words = words.replace('@', &self.path);
        let output = Command::new(cargo_bin("windtunnel"))
            .args(words.split_whitespace())
            .env("WINDTUNNEL_CACHE", self.folder.path().join("cache"))
            .env_remove("OMP_NUM_THREADS")
            .envs(variables.iter().copied())
            .current_dir(self.folder.path())
            .output()
            .expect("the program");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
    }

    /// The makespan in nanoseconds of a run that ends well.
    fn makespan(&self, variables: &[(&str, &str)], words: &str) -> f64 {
        let (code, text, errors) = self.with(variables, &format!("{words} --json"));
        assert_eq!(code, 0, "{text}{errors}");
        let run: Value = serde_json::from_str(&text).expect("JSON");
        run["makespan_ns"].as_f64().expect("a number")
    }
}

#[test]
fn the_environment_says_how_many_threads_there_are() {
    let program = Program::new("heat.c");
    let time = |variables: &[(&str, &str)]| program.makespan(variables, "run @ -n 1");
    assert_eq!(time(&[]), 960_000.0, "20 steps of 48 rows, 1 us each");
    assert_eq!(time(&[("OMP_NUM_THREADS", "4")]), 240_000.0);
    assert_eq!(time(&[("OMP_NUM_THREADS", "4"), ("OMP_THREAD_LIMIT", "2")]), 480_000.0);
    for schedule in ["static", "guided,2", "auto", "monotonic:dynamic,3"] {
        let time = time(&[("OMP_NUM_THREADS", "4"), ("OMP_SCHEDULE", schedule)]);
        assert!((239_999.0..=320_000.0).contains(&time), "{schedule}: {time}");
    }
    let (code, text, errors) = program.with(&[("OMP_NUM_THREADS", "3")], "check @ -n 2");
    assert_eq!(code, 0, "{text}{errors}");
    assert!(text.contains("VERDICT: ok"), "{text}");
}

#[test]
fn values_that_are_not_allowed_are_named_once() {
    let program = Program::new("heat.c");
    let variables = [("OMP_NUM_THREADS", "some"), ("OMP_STACKSIZE", "4X")];
    let (code, _, errors) = program.with(&variables, "run @ -n 3");
    assert_eq!(code, 0, "{errors}");
    let expected = "windtunnel: OMP_NUM_THREADS=some is ignored: a list of positive numbers such as 4 \
                    or 4,2 is allowed";
    assert_eq!(errors.matches(expected).count(), 1, "{errors}");
    assert_eq!(errors.matches("OMP_STACKSIZE=4X is ignored").count(), 1, "{errors}");
    let (_, _, errors) = program.with(&[("OMP_DISPLAY_ENV", "true")], "run @ -n 2");
    assert_eq!(errors.matches("OPENMP DISPLAY ENVIRONMENT BEGIN").count(), 2, "{errors}");
    assert!(errors.contains("OMP_NUM_THREADS = '1'"), "{errors}");
}

#[test]
fn constructs_are_cancelled_where_that_is_allowed() {
    let program = Program::new("cancelled.c");
    let (code, text, errors) = program.with(&[("OMP_CANCELLATION", "true")], "run @ -n 2");
    assert_eq!(code, 0, "{text}{errors}");
    let (code, _, errors) = program.with(&[], "run @ -n 1");
    assert_eq!(code, 1, "{errors}");
}

#[test]
fn priorities_of_tasks_count_up_to_the_largest() {
    let program = Program::new("tasks.c");
    let variables = [("OMP_NUM_THREADS", "2"), ("OMP_MAX_TASK_PRIORITY", "9")];
    let (code, text, errors) = program.with(&variables, "run @ -n 2");
    assert_eq!(code, 0, "{text}{errors}");
}

#[test]
fn a_thread_computes_as_long_as_measured() {
    let program = Program::new("heat.c");
    let variables = [("OMP_NUM_THREADS", "4")];
    let (code, text, errors) = program.with(&variables, "run @ -n 2 --compute measured");
    assert_eq!(code, 0, "{text}{errors}");
}

/// Writes a machine with nodes of two sockets with 8 cores each; returns the path of its file.
fn machine_with_cores(program: &Program) -> PathBuf {
    let (_, text, _) = program.with(&[], "machine show infiniband-hdr");
    let mut machine: Value = serde_json::from_str(&text).expect("a machine");
    let number =
        |value: f64| serde_json::json!({ "value": value, "provenance": "seen", "source": "-" });
    machine["node"] = serde_json::json!({
        "sockets": number(2.0),
        "cores_per_socket": number(8.0),
        "other_socket_latency_ns": number(500.0),
        "other_socket_bandwidth_bytes_per_s": number(1e10),
    });
    let path = program.folder.path().join("machine.json");
    std::fs::write(&path, machine.to_string()).expect("a file");
    path
}

#[test]
fn the_cores_of_a_node_are_divided_among_its_ranks() {
    let program = Program::new("processors.c");
    let path = machine_with_cores(&program);
    let on = format!("--machine {}", path.display());
    for (words, processors) in [
        (format!("run @ -n 4 {on} --ranks-per-node 4"), 4),
        (format!("run @ -n 2 {on}"), 16),
        ("run @ -n 2".to_string(), 3),
    ] {
        let (code, text, errors) = program.with(&[("OMP_NUM_THREADS", "3")], &words);
        assert_eq!(code, 0, "{text}{errors}");
        assert!(text.contains(&format!("processors {processors}\n")), "{words}: {text}");
    }
    // Nor does a placement file put more ranks on a node than it has cores.
    let file = program.folder.path().join("nodes");
    std::fs::write(&file, "0\n".repeat(17)).expect("a file");
    let words = format!("run @ -n 17 {on} --placement file:{}", file.display());
    let (code, _, errors) = program.with(&[], &words);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("`17`; allowed is 1 to 16, the cores of a node"), "{errors}");
}

#[test]
fn the_processors_of_a_rank_are_those_of_the_machine_on_every_host() {
    let program =
        Program::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/affinity.c"), "-pthread");
    let machine = machine_with_cores(&program);
    let on = format!("--machine {}", machine.display());
    for (words, processors) in [
        (format!("run @ -n 4 {on} --ranks-per-node 4"), 4),
        (format!("check @ -n 2 {on}"), 16),
        ("check @ -n 2".to_string(), 1),
    ] {
        let (code, text, errors) = program.with(&[], &format!("{words} -- {processors}"));
        assert_eq!(code, 0, "{words}: {text}{errors}");
    }
}

#[test]
fn regions_of_openacc_are_executed_on_the_host() {
    let program = Program::compiled("processors.c", "-fopenacc");
    let (code, text, errors) = program.with(&[], "run @ -n 2");
    assert_eq!(code, 0, "{text}{errors}");
}

#[test]
fn threads_that_hinder_each_other_are_told_by_their_cause() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/threads_at_odds.c");
    let program = Program::of(&source, "-fopenmp");
    let (code, text, errors) = program.with(&[], "check @ -n 2 -- together");
    assert_eq!(code, 1, "{text}{errors}");
    assert!(text.contains("error[WT0028]") && !text.contains("WT0024"), "{text}");
    assert!(text.contains("help: ask for MPI_THREAD_MULTIPLE"), "{text}");
    let (code, text, errors) = program.with(&[], "check @ -n 2 -- relocks");
    assert_eq!(code, 1, "{text}{errors}");
    let told = "the thread holds this lock already";
    assert!(text.contains("waits for itself") && text.contains(told), "{text}");
    assert!(!text.contains("another rank"), "{text}");
}

/// Tasks that nothing orders begin in reverse order in some executions.
#[test]
fn tasks_without_a_dependence_are_tried_in_another_order() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/task_order.c");
    let program = Program::of(&source, "-fopenmp");
    let (code, text, errors) = program.with(&[], "check @ -n 3");
    assert_eq!(code, 1, "{text}{errors}");
    assert!(text.contains("error[WT0004]") && text.contains("tasks by `depend`"), "{text}");
    let (code, text, errors) = program.with(&[], "check @ -n 3 -- ordered");
    assert_eq!(code, 0, "{text}{errors}");
}

/// A blocking call owns its buffer for the other threads of its rank.
#[test]
fn threads_that_use_the_buffer_of_a_blocking_call_are_found() {
    for (name, wanted) in [("master_receives.c", [23, 31]), ("master_writes.c", [16, 21])] {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(name);
        let program = Program::of(&source, "-fopenmp");
        let threads = [("OMP_NUM_THREADS", "3")];
        let (code, text, errors) = program.with(&threads, "check @ -n 2 --json");
        assert_eq!(code, 1, "{text}{errors}");
        let report: Value = serde_json::from_str(&text).expect("an object");
        let findings = report["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "{report}");
        assert_eq!(findings[0]["code"], "WT0024", "{report}");
        let sites = findings[0]["sites"].as_array().expect("a list");
        let lines: Vec<_> = sites.iter().map(|site| &site["line"]).collect();
        assert_eq!(lines, wanted, "{report}");
        let (code, text, errors) = program.with(&threads, "check @ -n 2 -- waits");
        assert_eq!(code, 0, "{text}{errors}");
    }
}
