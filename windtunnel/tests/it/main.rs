//! The program as its users meet it.

mod advice;
mod alarms;
mod bad_programs;
mod binding;
mod broken_links;
mod build_systems;
mod c_programs;
mod calibrate;
mod circles;
mod computing;
mod data;
mod debugger;
mod decisions;
mod derive;
mod descriptors;
mod diff;
mod documents;
mod executions;
mod faults;
mod files;
mod formats;
mod fortran_programs;
mod heterogeneity;
mod input;
mod keeps;
mod lasting;
mod left_errors;
mod memory;
mod models;
mod mpiexec;
mod names;
mod networks;
mod noise;
mod objects;
mod openmp;
mod ordered;
mod own_clock;
mod pages;
mod policies;
mod portability;
mod profile;
mod readers;
mod readings;
mod recipes;
mod replay;
mod right_lines;
mod right_names;
mod rsmpi;
mod rust_files;
mod schedules;
mod slurm;
mod spawn;
mod strictness;
mod surroundings;
mod sweeps;
mod testing;
mod told;
mod traces;
mod traffic;
mod trouble;
mod tuning;
mod unawaited;
mod unsafety;
mod watch;
mod watched;

use assert_cmd::Command;
use serde_json::Value;

fn windtunnel(arguments: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("windtunnel").expect("the program is built");
    let output = command.args(arguments.split_whitespace()).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn verdict(program: &str, ranks: u32) -> String {
    let (_, out, err) = windtunnel(&format!("check {program} -n {ranks} --quiet"));
    out.trim().strip_prefix("VERDICT: ").unwrap_or(&err).to_string()
}

#[test]
fn the_ring_leans_on_one_block_at_one_rank() {
    let (code, out, _) = windtunnel("check allgather-ring -n 8 --json");
    let report: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(code, 1);
    assert_eq!(report["schema"], "windtunnel.check/1");
    assert_eq!(report["verdict"], "buffering");
    assert_eq!(report["buffering"]["minimum_bytes_per_rank"], 4);
    assert_eq!(report["buffering"]["minimum_total_bytes"], 4);
    assert_eq!(report["buffering"]["ranks_that_must_buffer"], 1);
    assert_eq!(report["findings"][0]["cycle"], serde_json::json!([0, 1, 2, 3, 4, 5, 6, 7]));
    assert_eq!(report["findings"][0]["sites"][0]["call"], "send");
}

#[test]
fn the_help_of_check_leaves_out_what_it_refuses() {
    let (_, help, _) = windtunnel("check --help");
    for option in ["--buffering", "--eager-limit"] {
        assert!(!help.contains(&format!("{option} <")), "{option}");
        let (_, help, _) = windtunnel("run --help");
        assert!(help.contains(&format!("{option} <")), "{option}");
        let (code, _, err) = windtunnel(&format!("check allgather-ring {option} 64"));
        assert!(code == 2 && err.contains("the check tries zero and unlimited"), "{err}");
    }
}

#[test]
fn the_help_lists_the_command_for_the_manual_page() {
    let (code, help, _) = windtunnel("help");
    assert!(code == 0 && help.contains("  man ") && help.contains("manual page"), "{help}");
    let (_, page, _) = windtunnel("man");
    assert!(page.starts_with(".ie") && page.contains("WINDTUNNEL MAN"), "{page}");
}

#[test]
fn the_diagnostic_shows_the_source_line() {
    let (_, out, _) = windtunnel("check allgather-ring -n 8");
    for part in ["error[WT0003]", "ring.successor().send(", "0 -> 1 -> 2", "VERDICT: buffering"] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn schemas_are_listed_and_printed() {
    let (code, names, _) = windtunnel("schema");
    assert!(code == 0 && names.lines().any(|name| name == "run"), "{names}");
    for name in names.lines() {
        let (code, text, _) = windtunnel(&format!("schema {name}"));
        let schema: Value = serde_json::from_str(&text).expect("one JSON object");
        assert!(code == 0 && schema["$schema"].is_string(), "{name}");
    }
    let (code, _, why) = windtunnel("schema runs");
    assert!(code == 2 && why.contains("did you mean `run`"), "{why}");
}

#[test]
fn verdicts_of_the_textbook_programs() {
    for variant in
        ["sendrecv", "evenodd", "nonblocking", "persistent", "buffered", "synchronous", "ready"]
    {
        assert_eq!(verdict(&format!("allgather-ring-{variant}"), 8), "ok", "{variant}");
    }
    assert_eq!(verdict("allgather-cube", 8), "buffering");
    assert_eq!(verdict("allgather-cube-sendrecv", 8), "ok");
    assert_eq!(verdict("allgather-cube-nonblocking", 8), "ok");
    assert_eq!(verdict("jacobi-naive", 1), "ok");
    for ranks in 2..6 {
        assert_eq!(verdict("jacobi-naive", ranks), "buffering");
    }
    for variant in ["evenodd", "sendrecv", "procnull", "nonblocking", "waitall", "persistent"] {
        for ranks in 1..6 {
            assert_eq!(verdict(&format!("jacobi-{variant}"), ranks), "ok", "{variant} {ranks}");
        }
    }
    assert_eq!(verdict("crossed-receives", 2), "deadlock");
    assert_eq!(verdict("lost-receive", 3), "deadlock");
}

#[test]
fn examples_and_their_variants_are_checked_by_name() {
    assert_eq!(verdict("D12.6", 2), "ok");
    assert_eq!(verdict("D12.6:as-printed", 2), "local-concurrency");
    let (code, _, error) = windtunnel("check D12.6:as-painted -n 2");
    assert!(code == 2 && error.contains("did you mean `as-printed`"), "{error}");
}

#[test]
fn minimum_buffering_of_chain_and_cube() {
    let minimum = |arguments: &str| {
        let (_, out, _) = windtunnel(&format!("check {arguments} --json"));
        let report: Value = serde_json::from_str(&out).expect("one JSON object");
        report["buffering"]["ranks_that_must_buffer"].as_u64()
    };
    // Every second rank of the chain; one parity of the cube.
    for ranks in 2..8 {
        assert_eq!(minimum(&format!("jacobi-naive -n {ranks}")), Some(ranks / 2));
    }
    assert_eq!(minimum("allgather-cube -n 8"), Some(4));
}

#[test]
fn the_same_run_is_the_same_to_the_byte() {
    let arguments = "run jacobi-sendrecv -n 16 --machine paragon --topology mesh:4x4 --json";
    let (code, first, _) = windtunnel(arguments);
    assert_eq!(code, 0);
    assert_eq!(first, windtunnel(arguments).1);
    let other = windtunnel(&format!("{arguments} -p iterations=5")).1;
    let digest = |text: &str| {
        serde_json::from_str::<Value>(text).expect("one JSON object")["digest"].clone()
    };
    assert_ne!(digest(&first), digest(&other), "another run has another digest");
}

#[test]
fn compare_ranks_the_topologies() {
    let (code, out, _) =
        windtunnel("compare allgather-cube-sendrecv -n 16 --topologies ring,hypercube --json");
    let report: Value = serde_json::from_str(&out).expect("one JSON object");
    assert_eq!(code, 0);
    let names: Vec<&str> = report["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .filter_map(|r| r["topology"].as_str())
        .collect();
    assert_eq!(names, ["hypercube:4", "ring:16"]);
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"));
    let (_, printed, _) = windtunnel("check allgather-ring -n 8");
    let readme = readme.expect("the readme");
    let shown = readme.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    assert_eq!(shown, Some(printed.trim_end()));
}

#[test]
fn the_dependencies_are_those_of_the_plan() {
    const ALLOWED: [(&str, &[&str]); 20] = [
        ("sim-core", &[]),
        ("network-models", &["sim-core"]),
        ("mpi-api", &["network-models", "sim-core"]),
        ("mpi-api/derive", &[]),
        ("guest", &["sim-core"]),
        ("mpi-abi", &["guest", "mpi-api", "mpi-functions", "sim-core"]),
        ("mpi-abi/functions", &[]),
        ("workers", &[]),
        ("scenarios", &["mpi-api", "network-models", "sim-core", "workers"]),
        ("conformance", &["mpi-api", "scenarios"]),
        ("replay", &["mpi-api", "sim-core"]),
        ("reports", &["mpi-api", "network-models", "sim-core"]),
        (
            "windtunnel",
            &[
                "conformance",
                "guest",
                "mpi-abi",
                "mpi-api",
                "mpi-derive",
                "mpi-functions",
                "network-models",
                "replay",
                "reports",
                "scenarios",
                "sim-core",
                "workers",
            ],
        ),
        ("oracle", &["mpi-api", "scenarios", "sim-core", "windtunnel"]),
        ("examples/own-program", &["windtunnel"]),
        ("examples/own-network", &["windtunnel"]),
        ("examples/careless-program", &["windtunnel"]),
        ("examples/moved-program", &["windtunnel"]),
        ("examples/tested-library", &["windtunnel"]),
        ("examples/yardstick-programs", &["windtunnel"]),
    ];
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let workspace = std::fs::read_to_string(format!("{root}/Cargo.toml")).expect("a manifest");
    let members = workspace.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
    for member in members.expect("members").split(',').map(|word| word.trim().trim_matches('"')) {
        let known = ALLOWED.iter().any(|(name, _)| *name == member);
        assert!(known || member.is_empty(), "{member} has no place in the plan");
    }
    for (name, allowed) in ALLOWED {
        let text =
            std::fs::read_to_string(format!("{root}/{name}/Cargo.toml")).expect("a manifest");
        let section = text.split("[dependencies]").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        for line in section.lines() {
            let word = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let ours = ALLOWED.iter().any(|(known, _)| *known == word);
            assert!(!ours || allowed.contains(&word), "{name} must not use {word}");
        }
    }
}

#[test]
fn every_mpi_function_is_listed_with_its_section() {
    let (code, text, _) = windtunnel("list functions --json");
    assert_eq!(code, 0);
    let list: Value = serde_json::from_str(&text).expect("one object");
    let rows = list["functions"].as_array().expect("an array");
    let row = |name: &str| rows.iter().find(|row| row["name"] == name).expect("listed");
    assert_eq!(row("MPI_Send")["status"], "supported");
    assert_eq!(row("MPI_Comm_spawn")["status"], "supported");
    assert_eq!(row("MPI_Comm_join")["status"], "refused");
    assert_eq!(row("MPI_Win_create")["status"], "supported");
    assert_eq!(row("MPI_File_open")["status"], "supported");
    assert!(row("MPI_Send")["standard"].as_str().is_some_and(|text| text.ends_with("3.2")));
}

#[test]
fn functions_are_listed_by_edition() {
    let names = |edition: &str| -> Vec<String> {
        let (code, text, error) = windtunnel(&format!("list functions --json --edition {edition}"));
        assert_eq!(code, 0, "{error}");
        let list: Value = serde_json::from_str(&text).expect("one object");
        let rows = list["functions"].as_array().expect("an array");
        rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()).collect()
    };
    let (old, new) = (names("2.2"), names("3.1"));
    assert!(old.iter().any(|name| name == "MPI_Type_struct"));
    assert!(!new.iter().any(|name| name == "MPI_Type_struct" || name == "MPI_Bcast_init"));
    assert!(new.iter().any(|name| name == "MPI_Ibcast"));
    let (code, text, _) = windtunnel("list functions --edition 3.0");
    assert_eq!(code, 0);
    let line = text.lines().find(|line| line.contains("MPI_Attr_put ")).expect("listed");
    assert!(line.ends_with("since 1.0, deprecated in 2.0"), "{line}");
    let (code, _, error) = windtunnel("list functions --edition 3.2");
    assert!(code == 2 && error.contains("3.1"), "{error}");
    let (code, _, error) = windtunnel("list machines --edition 3.1");
    assert!(code == 2 && error.contains("functions"), "{error}");
}
