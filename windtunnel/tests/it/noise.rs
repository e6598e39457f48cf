//! Noise of the operating system, and repetitions.

use std::fs;

use serde_json::Value;

use super::windtunnel;

fn object(words: &str) -> Value {
    let (code, out, err) = windtunnel(words);
    assert_eq!(code, 0, "{words}: {err}");
    serde_json::from_str(&out).expect("an object")
}

const PROGRAM: &str = "allgather-ring-nonblocking -n 16 --machine infiniband-hdr";

#[test]
fn noise_delays_a_run_and_its_seed_decides_how() {
    let quiet = object(&format!("run {PROGRAM} --json"));
    assert_eq!((&quiet["noise"], &quiet["repetitions"]), (&Value::Null, &Value::Null));
    let noisy = |more: &str| object(&format!("run {PROGRAM} --json --noise {more}"));
    for noise in ["fixed:2us,500ns", "exponential:2us,500ns"] {
        let (first, again) = (noisy(noise), noisy(noise));
        assert_eq!(first, again, "{noise}");
        assert_eq!(first["noise"], noise);
        assert!(first["makespan_ns"].as_f64() > quiet["makespan_ns"].as_f64(), "{noise}");
        let other = noisy(&format!("{noise} --seed 1"));
        assert_ne!(other["digest"], first["digest"], "{noise}");
    }
    // Collectives are delayed, too, and so is computing.
    let words = "run jacobi-neighbor -n 4 --json --machine infiniband-hdr";
    let slower = object(&format!("{words} --noise exponential:2us,500ns"));
    assert!(slower["makespan_ns"].as_f64() > object(words)["makespan_ns"].as_f64());
}

#[test]
fn repetitions_have_consecutive_seeds_and_their_statistics() {
    let words = format!("run {PROGRAM} --noise exponential:2us,500ns --seed 5 --repeat 12");
    let told = object(&format!("{words} --json"));
    let repetitions = &told["repetitions"];
    let runs = repetitions["runs"].as_array().expect("a list");
    assert_eq!((runs.len(), &runs[0]["seed"], &runs[11]["seed"]), (12, &5.into(), &16.into()));
    assert_eq!(runs[0]["makespan_ns"], told["makespan_ns"]);
    let number = |key: &str| repetitions[key].as_f64().expect("a number");
    let mean = runs.iter().filter_map(|run| run["makespan_ns"].as_f64()).sum::<f64>() / 12.0;
    assert!((number("mean_ns") / mean - 1.0).abs() < 1e-9);
    assert!(number("confidence_low_ns") < mean && mean < number("confidence_high_ns"));
    assert_eq!(repetitions["constant"], false);
    // A run with one of the seeds is that run.
    let one = object(&format!("run {PROGRAM} --noise exponential:2us,500ns --seed 9 --json"));
    assert_eq!(one["makespan_ns"], runs[4]["makespan_ns"]);
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html").display().to_string();
    let (code, out, err) = windtunnel(&format!("{words} --report {page}"));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("12 runs, seeds 5 to 16: mean"), "{out}");
    assert!(out.contains("disturbed by  noise exponential:2us,500ns, seed 5"), "{out}");
    let page = fs::read_to_string(page).expect("it is written");
    assert!(page.contains("Repetitions") && page.contains("seed 16"));
}

#[test]
fn a_run_without_noise_repeats_itself_and_says_so() {
    let (code, out, err) = windtunnel(&format!("run {PROGRAM} --repeat 1000"));
    assert_eq!(code, 0, "{err}");
    assert!(
        out.contains("nothing random has happened in this run: all 1000 repetitions take"),
        "{out}"
    );
    let told = object(&format!("run {PROGRAM} --repeat 3 --json"));
    assert_eq!(told["repetitions"]["constant"], true);
    assert_eq!(told["repetitions"]["mean_ns"], told["makespan_ns"]);
}

#[test]
fn paths_of_messages_are_drawn_from_the_seed() {
    let routed =
        "run alltoall -n 8 -p bytes=4000 --topology ring:8 --network packet:routing=valiant";
    let several = object(&format!("{routed} --repeat 3 --json"));
    assert_eq!(several["repetitions"]["constant"], false);
    let own = object(&format!("{routed}:seed=3 --repeat 3 --json"));
    assert_eq!(own["repetitions"]["constant"], true);
    let third = object(&format!("{routed} --seed 3 --json"));
    assert_eq!(third["makespan_ns"], own["makespan_ns"]);
}

#[test]
fn none_turns_off_what_a_scenario_file_asks_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("noisy.json").display().to_string();
    let noisy = r#"{"program": "allreduce", "ranks": 8, "noise": "fixed:2us,500ns", "background": "uniform:0.5"}"#;
    fs::write(&file, noisy).expect("it is written");
    let calm = object("run allreduce -n 8 --json");
    assert_ne!(object(&format!("run {file} --json"))["digest"], calm["digest"]);
    let off = object(&format!("run {file} --noise none --background none --json"));
    assert_eq!(off["digest"], calm["digest"]);
    let rows = object("compare allreduce -n 8 --axis background=none,uniform:0.5 --json");
    assert_eq!(rows["rows"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_measured_trace_and_a_scenario_file_can_have_noise() {
    let folder = tempfile::tempdir().expect("a folder");
    let inside = |name: &str| folder.path().join(name).display().to_string();
    fs::write(inside("os.txt"), "# us us\n0 0.3\n1.5 0.5\n4 0.1\n").expect("it is written");
    let scenario = r#"{"program": "allgather-ring-nonblocking", "ranks": 16,
        "machine": "infiniband-hdr", "noise": "trace:os.txt"}"#;
    fs::write(inside("noisy.json"), scenario).expect("it is written");
    let from_file = object(&format!("run {} --json", inside("noisy.json")));
    let quiet = object(&format!("run {PROGRAM} --json"));
    assert!(from_file["makespan_ns"].as_f64() > quiet["makespan_ns"].as_f64());
    let same = object(&format!("run {PROGRAM} --noise trace:{} --json", inside("os.txt")));
    assert_eq!(same["digest"], from_file["digest"]);
    fs::write(inside("bad.txt"), "0 1\nx 2\n").expect("it is written");
    let bad = |words: &str, told: &str| {
        let (code, _, err) = windtunnel(&format!("run {PROGRAM} {words}"));
        assert!(code == 2 && err.contains(told), "{words}: {err}");
    };
    bad(&format!("--noise trace:{}", inside("bad.txt")), "bad.txt: line 2: begin and duration");
    bad(&format!("--noise trace:{}", inside("none.txt")), "No such file");
    bad("--noise fixed:1us,1us", "noise is fixed:PERIOD,DURATION");
    bad("--noise fixed:1us", "noise is fixed:PERIOD,DURATION");
    bad("--repeat 0", "1..=100000");
    bad("--repeat -3", "1..=100000");
    bad("--repeat 2 --seed 18446744073709551615", "--seed");
    fs::write(inside("noisy.json"), scenario.replace("trace:os.txt", "white")).expect("written");
    let (code, _, err) = windtunnel(&format!("run {}", inside("noisy.json")));
    assert!(code == 2 && err.contains("/noise") && err.contains("noise is fixed"), "{err}");
}

#[test]
fn traffic_of_others_delays_a_run_under_every_model() {
    let words = "run allgather-ring-nonblocking -n 16 --topology torus:4x4 --json";
    for model in ["loggp", "link", "fluid", "packet", "flit"] {
        let makespan = |more: &str| {
            let told = object(&format!("{words} --network {model} {more}"));
            (told["makespan_ns"].as_f64().expect("a number"), told["background"].clone())
        };
        let (alone, none) = makespan("");
        let (beside, written) = makespan("--background uniform:0.6");
        assert!(beside > alone && none.is_null(), "{model}: {beside} and {alone}");
        assert_eq!(written, "uniform:0.6:4096", "{model}");
    }
    // What others have under way when the run ends has not crossed the links.
    for model in ["link", "fluid"] {
        let told = object(&format!(
            "run bcast -n 8 --machine infiniband-hdr --topology ring --background uniform:0.5:100000 -p bytes=1000 --seed 6 --network {model} --json"
        ));
        let (link, makespan) = (&told["hottest_link"], told["makespan_ns"].as_f64());
        let number = |name: &str| link[name].as_f64().expect("a number");
        // Ports and links carry 24.5 bytes in a nanosecond.
        let carried = number("bytes") / 24.5 / makespan.expect("a time") * 100.0;
        assert!((carried - number("busy_percent")).abs() < 0.1, "{model}: {told}");
        assert!(carried < 60.0, "{model}: three messages in four microseconds: {told}");
    }
    // A program that deadlocks is told, although the others go on.
    let (code, out, err) =
        windtunnel("run crossed-receives -n 4 --topology ring:4 --background uniform:0.6");
    assert!(code == 1 && (out + &err).contains("deadlock"), "{err}");
}

#[test]
fn traffic_of_others_that_no_link_carries_is_told_before_the_run() {
    let run = |more: &str| {
        let words =
            "run bcast -n 4 --machine infiniband-hdr -p bytes=1 --topology crossbar:256 --json";
        let (code, _, err) = windtunnel(&format!("{words} {more}"));
        assert_eq!(code, 0, "{err}");
        err
    };
    let told = run("--background hotspot:0.05");
    let text = "note: the traffic of others (hotspot:0.05:4096) offers 157 GB/s to the links to node 0, which carry 24.5 GB/s: \
        its messages pile up, and the run may take long; the links carry a load of at most 0.0078\n";
    assert_eq!(told, text);
    assert_eq!(run("--background hotspot:0.0078"), "");
    // Whatever the routes are, all messages have to come in over the links of the node.
    let told =
        run("--background hotspot:0.05 --topology torus:16x16 --network packet:routing=valiant");
    assert!(
        told.contains(" offers 157 GB/s to the links to node 0 (0,0), which carry 98.0 GB/s: "),
        "{told}"
    );
    // Along the topology's routes one link is told.
    let told = run("--background tornado:0.5 --topology ring:64");
    assert!(
        told.contains(" to link node ") && told.contains(", which carries 24.5 GB/s: "),
        "{told}"
    );
    // Models without links carry everything that leaves the nodes.
    assert_eq!(run("--background hotspot:0.05 --network loggp"), "");
}
