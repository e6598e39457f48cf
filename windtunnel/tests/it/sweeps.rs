//! Studies of many configurations (`windtunnel sweep`), through the command line.

use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with a study of twelve configurations.
struct Place(TempDir);

impl Place {
    fn new(study: &Value) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("study.json"), study.to_string()).expect("it is there");
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn sweep(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
        command.current_dir(self.0.path()).args(["sweep", "study.json"]).args(words);
        command.output().expect("the program starts")
    }

    /// Runs `sweep`, which has to succeed.
    fn done(&self, words: &[&str]) -> String {
        let out = self.sweep(words);
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(0), "{words:?}: {err}");
        String::from_utf8(out.stdout).expect("UTF-8")
    }

    /// Returns the results in a file, without its header.
    fn rows(&self, name: &str) -> Vec<Value> {
        let text = self.text(name);
        text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }
}

fn study() -> Value {
    json!({
        "scenario": { "program": "allreduce", "network": "link" },
        "axes": ["topology=ring,hypercube", "ranks=4,8,16", "bytes=8,8K"]
    })
}

#[test]
fn the_fastest_is_named_by_what_varies() {
    let axes = json!(["topology=ring,hypercube", "ranks=8", "bytes=8K"]);
    let scenario = json!({ "program": "allreduce", "network": "link" });
    let text = Place::new(&json!({ "scenario": scenario, "axes": axes })).done(&[]);
    let fastest = text.lines().find(|line| line.starts_with("fastest")).expect("a line");
    assert!(fastest.contains(": topology=") && !fastest.contains("ranks"), "{text}");
    let axes = json!(["ranks=8"]);
    let text = Place::new(&json!({ "scenario": scenario, "axes": axes })).done(&[]);
    let fastest = text.lines().find(|line| line.starts_with("fastest")).expect("a line");
    assert!(fastest.ends_with("us (number 0)"), "{text}");
}

#[test]
fn every_configuration_is_run_once_and_what_was_stopped_goes_on() {
    let place = Place::new(&study());
    let text = place.done(&["--csv", "a.csv"]);
    assert!(text.contains("12 of 12 configurations: 12 completed"), "{text}");
    assert!(text.contains("fastest") && text.contains("hypercube"), "{text}");
    let rows = place.rows("study.results.jsonl");
    let numbers: BTreeSet<u64> = rows.iter().filter_map(|row| row["number"].as_u64()).collect();
    assert_eq!((rows.len(), numbers), (12, (0..12).collect()));
    let table = place.text("a.csv");
    assert_eq!(table.lines().count(), 13);
    assert!(
        table.starts_with("number,seed,topology,ranks,axis.bytes,outcome,makespan_ns,"),
        "{table}"
    );

    // The results are those of single runs.
    let last = rows.iter().find(|row| row["number"] == 11).expect("it is there");
    let single = Command::new(env!("CARGO_BIN_EXE_windtunnel"))
        .args(
            "run allreduce -n 16 --topology hypercube --network link -p bytes=8192 --json"
                .split(' '),
        )
        .output()
        .expect("the program starts");
    let single: Value = serde_json::from_slice(&single.stdout).expect("JSON");
    assert_eq!(last["digest"], single["digest"]);
    assert_eq!(last["makespan_ns"], single["makespan_ns"]);

    // A killed process leaves an incomplete line.
    let whole = place.text("study.results.jsonl");
    let keep: Vec<&str> = whole.lines().take(5).collect();
    let cut = format!("{}\n{{\"number\":11,\"settin", keep.join("\n"));
    fs::write(place.path("study.results.jsonl"), cut).expect("writable");
    place.done(&["--csv", "b.csv"]);
    assert_eq!(place.rows("study.results.jsonl").len(), 12);
    assert!(place.text("study.results.jsonl").starts_with(&keep.join("\n")));
    assert_eq!(place.text("b.csv"), table);

    // Nothing is left to do.
    let before = place.text("study.results.jsonl");
    let object: Value = serde_json::from_str(&place.done(&["--json"])).expect("JSON");
    assert_eq!((&object["done"], &object["completed"]), (&12.into(), &12.into()));
    assert_eq!(object["axes"][1]["values"][2]["value"], "16");
    assert_eq!(place.text("study.results.jsonl"), before);
}

#[test]
fn shares_together_are_the_study() {
    let place = Place::new(&study());
    place.done(&["--csv", "whole.csv", "--out", "whole.jsonl"]);
    for share in ["0/3", "1/3", "2/3"] {
        let text = place.done(&["--out", "r.jsonl", "--share", share]);
        assert!(text.contains("4 of 12 configurations"), "{text}");
    }
    place.done(&["--out", "r.jsonl", "--csv", "r.csv"]);
    assert_eq!(place.text("r.csv"), place.text("whole.csv"));
    // One share is lost: what it has done is run again.
    fs::remove_file(place.path("r.jsonl")).expect("it is there");
    fs::remove_file(place.path("r.jsonl.part-1-of-3")).expect("it is there");
    place.done(&["--out", "r.jsonl", "--csv", "r.csv"]);
    assert_eq!(place.text("r.csv"), place.text("whole.csv"));
}

/// A stand-in for Slurm's `sbatch`, which runs the tasks of a job at once.
const SBATCH: &str = r#"#!/bin/sh
array=0
for word; do
    case "$word" in
        --array=*) last=${word##*-}; array=$(seq 0 "$last") ;;
        --refuse) echo "sbatch: error: invalid partition" >&2; exit 1 ;;
    esac
    script=$word
done
echo "$*" >> "$SBATCH_LOG"
for SLURM_ARRAY_TASK_ID in $array; do
    export SLURM_ARRAY_TASK_ID
    sh -c "$script" || exit 1
done
echo 4711
"#;

#[test]
fn jobs_of_slurm_give_the_same_results() {
    let place = Place::new(&study());
    let tools = place.path("it's tools");
    fs::create_dir(&tools).expect("writable");
    let sbatch = tools.join("sbatch");
    fs::write(&sbatch, SBATCH).expect("writable");
    fs::set_permissions(&sbatch, PermissionsExt::from_mode(0o755)).expect("ours");
    let submit = |words: &[&str], path: &Path| {
        let old = env::var("PATH").unwrap_or_default();
        let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
        command.current_dir(place.0.path()).env("SBATCH_LOG", place.path("log"));
        command.env("PATH", format!("{}:{old}", path.display()));
        command.args(["sweep", "study.json"]).args(words).output().expect("the program starts")
    };
    let words =
        ["--out", "it's here.jsonl", "--csv", "s.csv", "--slurm", "4", "--slurm-option=--time=5"];
    let out = submit(&words, &tools);
    let told = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&out.stderr));
    assert!(told.contains("4 tasks as job 4711"), "{told}");
    let log = place.text("log");
    let jobs: Vec<&str> = log.lines().collect();
    assert!(jobs[0].contains("--array=0-3 --time=5 --wrap"), "{log}");
    assert!(jobs[1].contains("--dependency=afterany:4711 --time=5 --wrap"), "{log}");
    place.done(&["--out", "local.jsonl", "--csv", "local.csv"]);
    assert_eq!(place.text("s.csv"), place.text("local.csv"));

    let out = submit(&["--slurm", "2", "--slurm-option=--refuse"], &tools);
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && told.contains("invalid partition"), "{told}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
    command.current_dir(place.0.path()).env("PATH", "/nowhere");
    let out = command.args(["sweep", "study.json", "--slurm", "2"]).output().expect("it starts");
    let told = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && told.contains("sbatch"), "{told}");
}

#[test]
fn a_table_in_parquet_is_the_same_again() {
    let place = Place::new(&study());
    place.done(&["--csv", "a.csv", "--parquet", "a.parquet"]);
    let bytes = fs::read(place.path("a.parquet")).expect("it is there");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    place.done(&["--parquet", "b.parquet"]);
    assert_eq!(fs::read(place.path("b.parquet")).expect("it is there"), bytes);
    let out = place.sweep(&["--parquet", "study.json"]);
    assert_eq!(out.status.code(), Some(2), "another kind of file stays");
    let out = place.sweep(&["--csv", "c", "--parquet", "c"]);
    assert_eq!(out.status.code(), Some(2), "one file cannot be both");
}

/// Returns the processes that a process has begun.
fn children(process: u32) -> Vec<String> {
    let path = format!("/proc/{process}/task/{process}/children");
    let text = fs::read_to_string(path).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_run_that_is_killed_from_outside_has_no_result() {
    let place = Place::new(&json!({
        "scenario": { "program": "jacobi-sendrecv", "ranks": 64, "network": "packet" },
        "axes": ["iterations=20000,20001"]
    }));
    for signal in ["-TERM", "-KILL"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
        command.current_dir(place.0.path()).args(["sweep", "study.json", "--quiet"]);
        let sweep = command.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
        // Each run takes seconds: its process is there as soon as any is.
        let mut killed = 0;
        while killed < 2 {
            for child in children(sweep.id()) {
                std::thread::sleep(std::time::Duration::from_millis(200));
                killed += usize::from(
                    Command::new("kill").args([signal, &child]).status().expect("kill").success(),
                );
            }
        }
        let out = sweep.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{signal}: {told}");
        assert!(told.contains("the same command goes on"), "{signal}: {told}");
        assert!(place.rows("study.results.jsonl").is_empty(), "{signal}");
    }
}

#[test]
fn failures_are_results_and_misfits_are_told() {
    let place = Place::new(&json!({
        "scenario": { "program": "allgather-ring", "buffering": "zero" },
        "axes": ["ranks=4,6", "topology=hypercube:2,ring:8"],
        "design": "grid"
    }));
    let out = place.sweep(&["--csv", "rows.csv"]);
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(text.contains("0 completed, 3 stalled, 0 failed, 1 impossible"), "{text}");
    assert!(text.contains("impossible   number 2: topology `hypercube:2` has 4 nodes"), "{text}");
    let rows = place.rows("study.results.jsonl");
    let impossible = rows.iter().find(|row| row["outcome"] == "impossible").expect("one");
    assert_eq!(impossible["settings"]["ranks"], "6");
    assert!(impossible["reason"].as_str().is_some_and(|why| why.contains('6')), "{impossible}");
    let table = place.text("rows.csv");
    assert!(table.lines().any(|line| line.contains(",impossible,,,,,,,,,")), "{table}");
    let stalled = rows.iter().find(|row| row["outcome"] == "stalled").expect("three");
    assert_eq!(stalled["findings"], json!(["WT0001"]));
    assert_eq!(stalled["makespan_ns"], Value::Null);
}

/// Writes the file of a machine whose nodes have four cores.
fn with_cores(place: &Place) {
    let mut show = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
    let shown = show.args(["machine", "show", "ideal"]).output().expect("it starts").stdout;
    let mut machine: Value = serde_json::from_slice(&shown).expect("a machine");
    let number = |value: f64| json!({ "value": value, "provenance": "defined" });
    machine["node"] = json!({
        "sockets": number(2.0),
        "cores_per_socket": number(2.0),
        "other_socket_latency_ns": number(500.0),
        "other_socket_bandwidth_bytes_per_s": number(1e10),
    });
    fs::write(place.path("cores.json"), machine.to_string()).expect("writable");
}

#[test]
fn the_first_combination_may_be_impossible_but_not_all() {
    let of = |scenario: Value, axes: Value| {
        let mut study = json!({
            "scenario": { "program": "allreduce", "ranks": 8, "machine": "cores.json" },
            "axes": axes
        });
        let own = scenario.as_object().expect("an object").clone();
        study["scenario"].as_object_mut().expect("an object").extend(own);
        let place = Place::new(&study);
        with_cores(&place);
        place
    };
    let text = of(json!({}), json!(["ranks-per-node=8,4,2"])).done(&[]);
    assert!(text.contains("2 completed, 0 stalled, 0 failed, 1 impossible"), "{text}");
    assert!(text.contains("number 0: the number of ranks on a node is `8`"), "{text}");
    // Nor need what the scenario has in place of the axes fit.
    let text = of(json!({ "ranks_per_node": 8 }), json!(["ranks-per-node=4,2"])).done(&[]);
    assert!(text.contains("2 completed, 0 stalled, 0 failed, 0 impossible"), "{text}");
    for (axes, told) in [
        (json!(["ranks-per-node=8"]), "the only configuration of the study is impossible: the n"),
        (
            json!(["ranks-per-node=8,16"]),
            "all 2 configurations of the study are impossible, the first: ",
        ),
        (
            json!(["ranks-per-node=8", "bytes=8,16"]),
            "all 2 configurations of the study are impossible: ",
        ),
    ] {
        let place = of(json!({}), axes.clone());
        let out = place.sweep(&[]);
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{axes}: {err}");
        assert!(err.contains(told), "{axes}: {err}");
        assert!(!place.path("study.results.jsonl").exists(), "{axes}: {err}");
    }
}

#[test]
fn a_value_that_no_configuration_can_have_is_told_before_anything_runs() {
    for (axes, told) in [
        (json!(["topology=torus,tours"]), "did you mean `torus`"),
        (json!(["topology=torus,torus:0x4"]), "`0x4`"),
        (json!(["topology=torus,file:nope.edges"]), "nope.edges"),
        (json!(["machine=ideal,infiniband-hdd"]), "`infiniband-hdr`"),
        (json!(["topology=torus", "machine=ideal,nope.json"]), "nope.json"),
        (json!(["network=link,linkk"]), "did you mean `link`"),
        (json!(["network=link,link:routing=ugly"]), "`ugly`"),
        (json!(["placement=block,blok"]), "did you mean `block`"),
        (json!(["placement=block,file:nope.txt"]), "nope.txt"),
        (json!(["collectives=allreduce=ring,allreduce=rng"]), "`rng`"),
        (json!(["bytes=8,-8"]), "`-8`"),
        (json!(["bytes=8,99999999999999"]), "from 1 to"),
        (json!(["ranks=4,99999999"]), "99999999"),
        // The first combination does not fit, which must not hide the wrong value.
        (json!(["topology=ring:2,torus", "placement=block,blok"]), "did you mean `block`"),
    ] {
        let place = Place::new(&json!({ "scenario": { "program": "allreduce" }, "axes": axes }));
        let out = place.sweep(&[]);
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{axes}: {err}");
        assert!(err.contains(told), "{axes}: {err}");
        assert!(!place.path("study.results.jsonl").exists(), "{axes}");
    }
    // Once the file is there, the study runs on it.
    let place = Place::new(&json!({
        "scenario": { "program": "allreduce" },
        "axes": ["placement=block,file:mine.txt", "ranks=4"]
    }));
    assert_eq!(place.sweep(&[]).status.code(), Some(2));
    fs::write(place.path("mine.txt"), "3\n2\n1\n0\n").expect("writable");
    let text = place.done(&[]);
    assert!(text.contains("2 of 2 configurations: 2 completed"), "{text}");
    // Results of the file as it was are no results of the file as it is.
    fs::write(place.path("mine.txt"), "3\n1\n2\n0\n").expect("writable");
    let out = place.sweep(&[]);
    let err = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && err.contains("of a file that it reads"), "{err}");
    fs::write(place.path("mine.txt"), "3\n2\n1\n0\n").expect("writable");
    assert!(place.done(&[]).contains("2 of 2 configurations"));
}

#[test]
fn repetitions_have_seeds_of_their_own() {
    let place = Place::new(&json!({
        "scenario": { "program": "jacobi-sendrecv", "ranks": 4, "noise": "exponential:10us,1us", "seed": 7 },
        "axes": ["latency=x1,x4,x16,x64"],
        "design": { "latin-hypercube": 2 },
        "seed": 3,
        "repetitions": 5
    }));
    place.done(&[]);
    let rows = place.rows("study.results.jsonl");
    assert_eq!(rows.len(), 10);
    let seeds: BTreeSet<u64> = rows.iter().filter_map(|row| row["seed"].as_u64()).collect();
    assert_eq!(seeds, (7..12).collect());
    let digests: BTreeSet<&str> = rows.iter().filter_map(|row| row["digest"].as_str()).collect();
    assert_eq!(digests.len(), 10, "noise differs from seed to seed");
}

#[test]
fn mistakes_are_told_before_anything_runs() {
    for (key, value, told) in [
        ("axes", json!(["topolgy=ring"]), "`topology`"),
        ("axes", json!(["topology"]), "NAME=VALUE"),
        ("axes", json!(["ranks=4", "ranks=8"]), "each axis once"),
        ("axes", json!(["args=1,2"]), "no arguments"),
        ("axes", json!([]), "at least one axis"),
        ("desing", json!("grid"), "`design`"),
        ("design", json!({ "random": 0 }), "at least one"),
        ("scenario", json!({ "program": "allreduc" }), "`allreduce`"),
        ("scenario", json!({ "program": "allreduce", "machine": "idael" }), "`ideal`"),
        ("design", json!({ "random": 4_000_000_000u32 }), "at most 10000000"),
    ] {
        let mut study = study();
        study[key] = value;
        let place = Place::new(&study);
        let out = place.sweep(&[]);
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{study}: {err}");
        assert!(err.contains(told), "{study}: {err}");
        assert!(!place.path("study.results.jsonl").exists(), "{study}");
    }
    let place = Place::new(&study());
    place.done(&[]);
    let mut other = study();
    other["axes"][2] = "bytes=16".into();
    fs::write(place.path("study.json"), other.to_string()).expect("writable");
    let out = place.sweep(&[]);
    let err = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.code() == Some(2) && err.contains("another study"), "{err}");
    for words in [["--share", "3/3"], ["--slurm", "0"], ["--csv", "study.json"]] {
        assert_eq!(place.sweep(&words).status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn the_example_of_the_document_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let example: Value = serde_json::from_str(
        &fs::read_to_string(root.join("docs/examples/study.json")).expect("it is there"),
    )
    .expect("JSON");
    let page = fs::read_to_string(root.join("docs/studies.md")).expect("it is there");
    let shown = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown: Value = serde_json::from_str(shown.expect("a study")).expect("JSON");
    assert_eq!(shown, example, "the document shows the file");
    let out = Command::new(env!("CARGO_BIN_EXE_windtunnel"))
        .current_dir(&root)
        .args(["sweep", "docs/examples/study.json", "--out"])
        .arg(folder.path().join("results.jsonl"))
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{text}");
    assert!(text.contains("144 of 144 configurations"), "{text}");
}

#[test]
fn paths_on_axes_are_relative_to_the_study() {
    let place = Place::new(&json!({
        "scenario": { "program": "allreduce", "ranks": 4, "network": "link" },
        "axes": [
            "topology=file:near.edges,ring",
            "placement=block,file:back.txt",
            "machine=ideal,mine.json",
            "noise=none,trace:detours.txt"
        ]
    }));
    fs::write(place.path("near.edges"), "0 1\n1 2\n2 3\n").expect("writable");
    fs::write(place.path("back.txt"), "3\n2\n1\n0\n").expect("writable");
    fs::write(place.path("detours.txt"), "1 1\n").expect("writable");
    let machine = include_str!("../../../scenarios/machines/aries.json");
    fs::write(place.path("mine.json"), machine).expect("writable");
    let elsewhere = tempfile::tempdir().expect("a folder");
    let study = place.path("study.json").display().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_windtunnel"));
    let out = command.current_dir(elsewhere.path()).args(["sweep", &study]).output();
    let out = out.expect("the program starts");
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(text.contains("16 of 16 configurations: 16 completed"), "{out:?}");
    // Results have the values as they are written, so that they are the same wherever the study lies.
    let rows = place.rows("study.results.jsonl");
    let settings = |row: &Value| row["settings"]["topology"].as_str().map(str::to_owned);
    let topologies: BTreeSet<_> = rows.iter().filter_map(settings).collect();
    assert_eq!(topologies, ["file:near.edges", "ring"].map(str::to_owned).into());
}

#[test]
fn mistakes_of_a_study_have_their_place() {
    for (scenario, axes, told) in [
        (
            "",
            "\"bytes=8\",\n\"topology=tours\"",
            "study.json:4:1: at /axes/1: no topology is called",
        ),
        ("", "\"bytes=8\",\n\"ranks=8..4\"", "study.json:4:1: at /axes/1: a value of axis `ranks`"),
        ("", "\"bytes=8\",\n\"bytes=9\"", "study.json:4:1: at /axes/1: an axis is `bytes`"),
        ("", "\"placement=file:nope.txt\"", "study.json:3:1: at /axes/0: nope.txt: "),
        (",\n\"topology\": \"tours\"", "\"bytes=8\"", "study.json:2:1: at /scenario/topology: no"),
    ] {
        let text = format!(
            "{{\"scenario\": {{\"program\": \"allreduce\"{scenario}}},\n\"axes\": [\n{axes}]}}"
        );
        let place = Place::new(&study());
        fs::write(place.path("study.json"), text).expect("writable");
        let out = place.sweep(&[]);
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{err}");
        assert!(err.contains(told), "{err}");
    }
}
