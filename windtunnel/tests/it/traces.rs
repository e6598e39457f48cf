//! Trace files: compressed, and of a part of a run.

use std::{fs, process::Command};

use serde_json::Value;
use tempfile::TempDir;

use super::windtunnel;

/// Runs a small program with a trace of this name and returns the bytes of the file.
fn trace(folder: &TempDir, name: &str, options: &str) -> Vec<u8> {
    let path = folder.path().join(name);
    let run = "run allgather-ring -n 8 --network link --quiet";
    let (code, out, err) = windtunnel(&format!("{run} --trace {} {options}", path.display()));
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    fs::read(path).expect("the trace")
}

fn events(bytes: &[u8]) -> Vec<Value> {
    let trace: Value = serde_json::from_slice(bytes).expect("JSON");
    trace["traceEvents"].as_array().expect("a list").clone()
}

fn micros(event: &Value, key: &str) -> f64 {
    event[key].as_f64().unwrap_or_default()
}

#[test]
fn a_compressed_trace_holds_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = trace(&folder, "a.json", "");
    let packed = trace(&folder, "a.json.gz", "");
    assert!(packed.len() * 5 < plain.len(), "{} of {}", packed.len(), plain.len());
    let path = folder.path().join("a.json.gz");
    let unpacked = Command::new("gzip").arg("-dc").arg(&path).output().expect("gzip");
    assert!(unpacked.stdout == plain, "unpacked it is the plain trace");
    // A trace may replace a trace, but nothing else.
    assert_eq!(trace(&folder, "a.json.gz", ""), packed);
    fs::write(&path, "\x1f\x08 an archive of someone").expect("writable");
    let (code, _, err) = windtunnel(&format!("run allgather-ring --trace {}", path.display()));
    assert!(code == 2 && err.contains("is not overwritten"), "{code}: {err}");
}

#[test]
fn a_trace_of_a_part_holds_what_overlaps() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = events(&trace(&folder, "a.json", ""));
    let end = whole.iter().map(|event| micros(event, "ts")).fold(0.0, f64::max);
    let [from, to] = [end * 0.25, end * 0.5];
    let options = format!("--trace-window {from}us..{to}us --trace-ranks 2..3,7");
    let part = events(&trace(&folder, "b.json", &options));

    let is_slice = |event: &&Value| event["ph"] == "X";
    let of_rank = |event: &&Value| event["pid"] == 1;
    let tracks: Vec<u64> = [3, 4, 8].into();
    let expected: Vec<&Value> = whole
        .iter()
        .filter(is_slice)
        .filter(|event| {
            !of_rank(event) || tracks.contains(&event["tid"].as_u64().expect("a track"))
        })
        .filter(|event| {
            let start = micros(event, "ts");
            start < to && (start + micros(event, "dur") > from || start >= from)
        })
        .collect();
    let shown: Vec<&Value> = part.iter().filter(is_slice).collect();
    assert!(shown.len() > 10 && shown.len() < whole.len() / 3, "{} slices", shown.len());
    assert_eq!(shown, expected);
    let named: Vec<&str> = part
        .iter()
        .filter(|event| event["name"] == "thread_name" && event["pid"] == 1)
        .map(|event| event["args"]["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(named, ["rank 2", "rank 3", "rank 7"]);
    let arrows: Vec<&Value> = part.iter().filter(|event| event["ph"] == "s").collect();
    assert!(!arrows.is_empty());
    assert!(arrows.iter().all(|event| event["args"]["from"] == 2 && event["args"]["to"] == 3));
}

#[test]
fn a_window_or_ranks_that_are_none_are_refused() {
    for (options, told) in [
        ("--trace-window 1us..2us", "--trace"),
        ("--trace x.json --trace-window 2us..1us", "as in 1us..2us"),
        ("--trace x.json --trace-window 1..2", "with its unit"),
        ("--trace x.json --trace-ranks 3..1", "as in 1..3"),
        ("--trace x.json --trace-window 1us..1us", "not empty"),
        ("--trace x.json --trace-ranks 3-1", "such as 0,4..7,32"),
    ] {
        let (code, _, err) = windtunnel(&format!("run allgather-ring {options}"));
        assert!(code == 2 && err.contains(told), "{options}: {code}: {err}");
    }
}

#[test]
fn ranks_that_the_run_does_not_have_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    for (ranks, told) in [
        ("0,9", "--trace-ranks names rank 9, but the run has 0 to 3"),
        ("2..4", "--trace-ranks names rank 4, but the run has 0 to 3"),
        ("5,7", "the trace is empty"),
        ("0..3", ""),
    ] {
        let file = folder.path().join(format!("{ranks}.json"));
        let options = format!("-n 4 --trace {} --trace-ranks {ranks}", file.display());
        let (code, _, err) = windtunnel(&format!("run allgather-ring {options}"));
        assert_eq!(code, 0, "{ranks}: {err}");
        assert!(err.contains(told) && (told.is_empty() != err.contains("note:")), "{ranks}: {err}");
    }
}
