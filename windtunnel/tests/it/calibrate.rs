//! The command `windtunnel calibrate`.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use super::c_programs::compile;

fn calibrate(words: &[&str], folder: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("windtunnel").expect("it is built");
    let output =
        command.arg("calibrate").args(words).current_dir(folder).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Runs the benchmarks of `c/curves.c` on a machine and keeps their output in files.
fn measure(machine: &str, program: &str, folder: &Path) -> [&'static str; 3] {
    let tests = [("latency", "2", "1"), ("bandwidth", "2", "1"), ("pairs", "4", "2")];
    for (test, ranks, on_a_node) in tests {
        let mut command = Command::cargo_bin("windtunnel").expect("it is built");
        let words = ["mpiexec", "-n", ranks, "--ranks-per-node", on_a_node, "--machine", machine];
        let words = [&words[..], &["--network", "link", program, test]].concat();
        let output = command.args(words).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::write(folder.join(test), output.stdout).expect("it is written");
    }
    ["latency", "bandwidth", "pairs"]
}

fn number(machine: &Value, section: &str, key: &str) -> f64 {
    machine[section][key]["value"].as_f64().expect("a number")
}

#[test]
fn c_benchmarks_on_a_machine_give_it_back() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("curves.c", &folder);
    for name in ["slingshot", "ethernet-25g", "infiniband-hdr"] {
        let files = measure(name, &program, folder.path());
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/machines");
        let text = fs::read_to_string(source.join(format!("{name}.json"))).expect("a machine");
        let known: Value = serde_json::from_str(&text).expect("JSON");
        let topology = known["default_topology"].as_str().expect("a name");
        let words = ["--name", "again", "--topology", topology, "--report", "page.html", "--json"];
        let (code, out, err) = calibrate(&[&files[..], &words].concat(), folder.path());
        assert_eq!(code, Some(0), "{err}");
        let told: Value = serde_json::from_str(&out).expect("an object");
        assert_eq!(told["schema"], "windtunnel.calibrate/1");
        for table in told["tables"].as_array().expect("a list") {
            for line in table["lines"].as_array().expect("a list") {
                let error = line["error_percent"].as_f64().expect("a number");
                assert!(error.abs() < 1.0, "{name} {}: {line}", table["benchmark"]);
            }
        }
        let text = fs::read_to_string(folder.path().join("again.json")).expect("it is written");
        let again: Value = serde_json::from_str(&text).expect("JSON");
        let sums: [(&str, fn(&Value) -> f64); 5] = [
            ("port", |m| number(m, "network", "byte_time_ps")),
            ("copy", |m| number(m, "costs", "copy_per_byte_ps")),
            ("eager limit", |m| number(m, "buffering", "eager_limit_bytes")),
            ("overheads", |m| number(m, "costs", "send_ns") + number(m, "costs", "receive_ns")),
            ("latency", |m| {
                number(m, "network", "latency_ns") + 2.0 * number(m, "network", "hop_ns")
            }),
        ];
        for (what, sum) in sums {
            let (found, wanted) = (sum(&again), sum(&known));
            assert!((found / wanted - 1.0).abs() < 0.01, "{name} {what}: {found}, not {wanted}");
        }
        assert_eq!(again["network"]["byte_time_ps"]["provenance"], "fitted");
        let page = fs::read_to_string(folder.path().join("page.html")).expect("it is written");
        assert!(page.contains("<circle") && page.contains("ping-pong (latency), fitted"));
        // The machine can be used, and the same command may write it again.
        let file = folder.path().join("again.json").display().to_string();
        let (code, _, err) =
            super::windtunnel(&format!("run allgather-ring -n 4 --machine {file}"));
        assert_eq!(code, 0, "{err}");
    }
}

#[test]
fn wrong_measurements_are_told_with_file_and_line() {
    let folder = TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("it is written");
    };
    write("good.csv", "size,time_us\n1,1.5\n1000,2.5\n");
    write("empty", "");
    write("with space.txt", "# OSU MPI Latency Test v7\n# Size Latency (us)\n1 -2\n");
    write("one.csv", "size,time_us\n1,1.5\n");
    write("other.json", "[]");
    write("large", &"x".repeat(17 << 20));
    for (words, told) in [
        (
            &["empty", "--name", "a"][..],
            "empty: in no known format; allowed is the output of an OSU",
        ),
        (&["with space.txt", "--name", "a"], "with space.txt: line 3: `-2` is not a measurement"),
        (&["one.csv", "--name", "a"], "the measurements is `1 size of a ping-pong`"),
        (&["missing", "--name", "a"], "missing: No such file"),
        (&["large", "--name", "a"], "large: longer than"),
        (&["good.csv"], "--name"),
        (&["good.csv", "--name", ""], "1 to 100 characters"),
        (&["good.csv", "--name", "a", "-o", "other.json"], "is something else"),
        (&["good.csv", "--name", "a", "-o", "no/a.json"], "no/a.json"),
        (&["good.csv", "--name", "a", "--topology", "rng"], "did you mean `ring`"),
        (&["good.csv", "--name", "a", "--network", "lnk"], "no network model is called `lnk`"),
        (&["good.csv", "--name", "a", "--ranks-per-node", "0"], "0"),
        (&["good.csv", "--name", "a", "--time-unit", "h"], "s, ms, us or ns"),
    ] {
        let (code, out, err) = calibrate(words, folder.path());
        assert_eq!(code, Some(2), "{words:?}: {out}{err}");
        assert!(err.contains(told), "{words:?}: {err}");
        assert!(!folder.path().join("a.json").exists(), "{words:?}");
    }
    let (code, out, err) = calibrate(&["good.csv", "--name", "a"], folder.path());
    assert_eq!(code, Some(0), "{err}");
    assert!(out.contains("wrote a.json") && out.contains("are a convention"), "{out}");
}

#[test]
fn values_that_noise_hides_are_warned_of() {
    let folder = TempDir::new().expect("a folder");
    // Times with errors of up to 20 %, in a fixed order.
    let error = |power: u32| [0.9, 1.15, 0.82, 1.2, 1.0, 0.88, 1.1][(power * 5 % 7) as usize];
    let line = |power: u32| {
        let n = f64::from(1 << power);
        let time = if power <= 14 { 1250.0 + 0.1308 * n } else { 3070.0 + 0.0408 * n };
        format!("{n},{}\n", time * error(power))
    };
    let write = |name: &str, sizes: std::ops::Range<u32>| {
        let text = format!("size,time_ns\n{}", sizes.map(line).collect::<String>());
        fs::write(folder.path().join(name), text).expect("it is written");
    };
    write("noisy.csv", 0..23);
    let (code, out, err) = calibrate(&["noisy.csv", "--name", "a", "--json"], folder.path());
    assert_eq!(code, Some(0), "{err}");
    assert!(err.contains("warning: the measurements do not determine"), "{err}");
    let told: Value = serde_json::from_str(&out).expect("an object");
    let estimates = told["estimates"].as_array().expect("a list");
    for estimate in estimates {
        let [low, high] = [0, 1].map(|at| estimate["interval"][at].as_f64().expect("a number"));
        let value = estimate["value"].as_f64().expect("a number");
        assert!(low <= value && value <= high && low < high, "{estimate}");
        let warned = err.contains(estimate["name"].as_str().expect("text"));
        assert_eq!(estimate["determined"], !warned, "{estimate}: {err}");
    }
    let byte = estimates.iter().find(|one| one["name"] == "time per byte").expect("it is fitted");
    assert!(byte["value"].as_f64().is_some_and(|value| (0.03..0.06).contains(&value)), "{byte}");
    // Short messages say nothing about a byte.
    write("short.csv", 0..10);
    let (code, _, err) = calibrate(&["short.csv", "--name", "b"], folder.path());
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the noise of the measurements is `"), "{err}");
    assert!(!folder.path().join("b.json").exists());
}
