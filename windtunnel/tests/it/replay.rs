//! `run --record` and `windtunnel replay`.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Runs the command in a folder; returns exit code, standard output and standard error.
fn windtunnel(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    let output = command.current_dir(folder).args(words).output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Returns makespan and digest of a run, given the words of the command.
fn result(folder: &Path, words: &[&str]) -> (Value, Value) {
    let (code, out, err) = windtunnel(folder, &[words, &["--json"]].concat());
    assert_eq!(code, 0, "{words:?}: {err}");
    let value: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(value["schema"], "windtunnel.run/1");
    (value["makespan_ns"].clone(), value["digest"].clone())
}

#[test]
fn a_replay_is_the_recorded_run_again() {
    let folder = folder();
    let here = folder.path();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/farm.c");
    let (code, _, err) = windtunnel(here, &["cc", "-O1", "-g", source, "-o", "farm"]);
    assert_eq!(code, 0, "{err}");
    for machine in ["aries", "paragon"] {
        let on = ["--machine", machine];
        let run = [&["run", "./farm", "-n", "6", "--record", "farm.rec"][..], &on].concat();
        let recorded = result(here, &run);
        assert_eq!(result(here, &[&["run", "./farm", "-n", "6"][..], &on].concat()), recorded);
        assert_eq!(result(here, &[&["replay", "farm.rec"][..], &on].concat()), recorded);
    }
    // The last recording is that of the Paragon: it suits other machines, too.
    for machine in ["aries", "sp2"] {
        let (code, out, err) = windtunnel(here, &["replay", "farm.rec", "--machine", machine]);
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("farm.rec on 6 ranks"), "{out}");
    }
    let (code, out, err) = windtunnel(here, &["check", "farm.rec"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.ends_with("VERDICT: ok\n"), "{out}");
}

/// The run is over when it is known that a recording cannot hold it: its other results stay.
#[test]
fn a_run_that_is_not_recorded_leaves_its_report() {
    let folder = folder();
    let here = folder.path();
    let source = "#include <mpi.h>\n\
        int main(int argc, char **argv) {\n\
        MPI_File file;\n\
        MPI_Init(&argc, &argv);\n\
        MPI_File_open(MPI_COMM_WORLD, \"data\", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);\n\
        MPI_File_close(&file);\n\
        return MPI_Finalize();\n\
        }\n";
    fs::write(here.join("opens.c"), source).expect("a file");
    assert_eq!(windtunnel(here, &["cc", "opens.c", "-o", "opens"]).0, 0);
    let words = ["run", "./opens", "-n", "2", "--record", "r.rec", "--report", "r.html"];
    let (code, _, err) = windtunnel(here, &words);
    assert!(code == 2 && err.contains("it was not recorded"), "{err}");
    assert!(here.join("r.html").exists() && !here.join("r.rec").exists(), "{err}");
}

#[test]
fn launchers_record_too() {
    let folder = folder();
    let here = folder.path();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/farm.c");
    assert_eq!(windtunnel(here, &["cc", source, "-o", "farm"]).0, 0);
    let words = ["mpiexec", "-n", "3", "-record", "farm.rec", "-machine", "aries", "./farm"];
    let (code, out, err) = windtunnel(here, &words);
    assert_eq!((code, out.lines().count()), (0, 3), "{err}");
    let run = result(here, &["run", "./farm", "-n", "3", "--machine", "aries"]);
    assert_eq!(result(here, &["replay", "farm.rec", "--machine", "aries"]), run);
}

#[test]
fn a_deadlock_is_recorded_until_it_happens() {
    let folder = folder();
    let here = folder.path();
    let (code, _, err) = windtunnel(here, &["run", "crossed-receives", "-n", "2", "--record", "c"]);
    assert_eq!(code, 1, "{err}");
    let (code, out, _) = windtunnel(here, &["replay", "c"]);
    assert_eq!(code, 1);
    assert!(out.contains("deadlock"), "{out}");
}

/// A ring of four ranks in GOAL.
const RING: &str = "num_ranks 4
rank 0 {\nl1: send 1024b to 1 tag 0\nl2: recv 1024b from 3 tag 0\nl3: calc 1000\nl3 requires l2\n}
rank 1 {\nl1: send 1024b to 2 tag 0\nl2: recv 1024b from 0 tag 0\n}
rank 2 {\nl1: send 1024b to 3 tag 0\nl2: recv 1024b from 1 tag 0\n}
rank 3 {\nl1: send 1024b to 0 tag 0\nl2: recv 1024b from 2 tag 0\n}
";

#[test]
fn schedules_in_goal_run_and_are_compared() {
    let folder = folder();
    let here = folder.path();
    fs::write(here.join("ring.goal"), RING).expect("it is written");
    let (_, digest) = result(here, &["replay", "ring.goal", "--machine", "infiniband-edr"]);
    assert_eq!(result(here, &["run", "ring.goal", "--machine", "infiniband-edr"]).1, digest);
    fs::write(here.join("marked.goal"), format!("\u{feff}{RING}")).expect("it is written");
    assert_eq!(result(here, &["run", "marked.goal", "--machine", "infiniband-edr"]).1, digest);
    let words = ["compare", "ring.goal", "--topologies", "ring,mesh", "--json"];
    let (code, out, err) = windtunnel(here, &words);
    assert_eq!(code, 0, "{err}");
    let value: Value = serde_json::from_str(&out).expect("an object");
    assert_eq!(value["rows"].as_array().map(Vec::len), Some(2), "{out}");
    fs::write(here.join("bad.goal"), RING.replace("l3 requires", "l3 require")).expect("written");
    let (code, _, err) = windtunnel(here, &["replay", "bad.goal"]);
    assert_eq!(code, 2);
    assert!(err.starts_with("error: bad.goal: line 6: `l3 require l2` is neither"), "{err}");
}

#[test]
fn time_independent_traces_are_one_file_or_a_list() {
    let folder = folder();
    let here = folder.path();
    let ranks = [
        "0 init\n0 compute 3e6\n0 send 1 0 100 1\n0 finalize\n",
        "1 init\n1 recv 0 0 100 1\n1 finalize\n",
    ];
    fs::write(here.join("all.trace"), format!("\u{feff}{}", ranks.concat())).expect("written");
    fs::create_dir(here.join("parts")).expect("a folder");
    for (rank, text) in ranks.iter().enumerate() {
        fs::write(here.join(format!("parts/{rank}.txt")), text).expect("it is written");
    }
    fs::write(here.join("list.trace"), "parts/0.txt\nparts/1.txt\n").expect("it is written");
    let slow = ["-p", "flops_per_s=1e6"];
    let one = result(here, &[&["replay", "all.trace"][..], &slow].concat());
    assert_eq!(result(here, &[&["replay", "list.trace"][..], &slow].concat()), one);
    assert!(one.0.as_f64().is_some_and(|time| time >= 3e9), "three seconds: {}", one.0);
}

#[test]
fn the_help_says_what_a_replay_takes() {
    let (code, out, _) = windtunnel(folder().path(), &["help", "replay"]);
    assert_eq!(code, 0);
    assert!(out.contains("Number of ranks: that of the file"), "{out}");
    assert!(!out.contains("[default: 4") && !out.contains("--keep-files"), "{out}");
}

#[test]
fn mistakes_are_told() {
    let folder = folder();
    let here = folder.path();
    assert_eq!(windtunnel(here, &["run", "allgather-ring", "-n", "4", "--record", "r"]).0, 0);
    fs::write(here.join("cut"), &fs::read(here.join("r")).expect("it is there")[..200])
        .expect("it is written");
    fs::write(here.join("text"), "four score and seven years ago\n").expect("it is written");
    fs::write(here.join("t.trace"), "0 init\n0 sned 1 0 5\n").expect("it is written");
    for (words, told) in [
        (
            &["replay", "r", "-n", "8"][..],
            "the number of ranks is `8`; allowed is 4: r has so many",
        ),
        (&["replay", "r", "-p", "a=1"], "only time-independent traces take one, flops_per_s"),
        (&["replay", "r", "--", "7"], "allowed is nothing: a recording or trace makes the calls"),
        (&["replay", "cut"], "cut: it is damaged: its checksum is wrong, or its end is missing"),
        (&["replay", "text"], "text: it is neither a recording, nor a schedule in GOAL"),
        (&["replay", "none"], "none: No such file"),
        (&["replay", "t.trace"], "error: t.trace: line 2: `sned` is no action"),
        (&["run", "allgather-ring", "--record", "text"], "it is not overwritten"),
        (&["run", "allgather-ring", "--record", "x", "--trace", "x"], "a file of its own"),
        (&["check", "allgather-ring", "--record", "x"], "one of `windtunnel run`"),
        (&["compare", "allgather-ring", "--record", "x"], "one of `windtunnel run`"),
    ] {
        let (code, _, err) = windtunnel(here, words);
        assert!(code == 2 && err.contains(told), "{words:?}: {code}: {err}");
    }
}
