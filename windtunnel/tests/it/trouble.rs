//! A full disk, too little memory, damaged and misnamed files: each a plain message and exit code 2.

use std::{fs, path::Path, process::Command};

use assert_cmd::cargo::cargo_bin;
use tempfile::TempDir;

use super::c_programs::compile;

/// Runs a line of the shell, in which `W` is the program.
fn shell(line: &str, folder: &Path) -> (Option<i32>, String, String) {
    let own = cargo_bin("windtunnel").display().to_string();
    let output = Command::new("sh")
        .args(["-c", &line.replace("W ", &format!("{own} "))])
        .env("WINDTUNNEL_CACHE", folder.join("cache"))
        .env("RUST_BACKTRACE", "1")
        .current_dir(folder)
        .output()
        .expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// That a line is refused with one plain line that holds the parts.
fn refused(line: &str, folder: &Path, parts: &[&str]) {
    let (code, _, error) = shell(line, folder);
    assert_eq!(code, Some(2), "{line}: {error}");
    assert!(error.starts_with("error: ") && !error.contains("backtrace"), "{line}: {error}");
    for part in parts {
        assert!(error.contains(part), "{part} is not in\n{error}");
    }
}

#[test]
fn full_standard_output_is_told() {
    let folder = TempDir::new().expect("a folder");
    for command in [
        "list",
        "list functions --json",
        "explain WT0003",
        "check allgather-ring -n 4",
        "check allgather-ring -n 4 --json",
        "run allgather-ring -n 4",
        "run allgather-ring -n 4 --quiet",
        "compare allgather-ring -n 4",
        "mpiexec -help",
        "mpiexec -version",
        "--help",
        "man",
    ] {
        refused(&format!("W {command} >/dev/full"), folder.path(), &["standard output"]);
    }
}

#[test]
fn too_little_memory_is_told_before_the_run() {
    let folder = TempDir::new().expect("a folder");
    let limited = |kilobytes: u32, command: &str| format!("ulimit -v {kilobytes}; W {command}");
    let numbers = ["at most ", " of address space (ulimit -v), of which ", "are left"];
    for command in ["run allgather-ring -n 100000", "check allgather-ring -n 100000"] {
        refused(&limited(1_000_000, command), folder.path(), &numbers);
    }
    let program = compile("hello.c", &folder);
    let command = format!("mpiexec -n 100000 {program}");
    refused(&limited(4_000_000, &command), folder.path(), &numbers);
    let (code, _, error) = shell(&limited(4_000_000, "run allgather-ring -n 64"), folder.path());
    assert_eq!(code, Some(0), "what fits runs: {error}");
}

#[test]
fn memory_that_ends_in_the_middle_of_a_run_is_told_with_the_numbers() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("floods.c", &folder);
    let limited = |command: &str| format!("ulimit -v 1000000; W {command} {program} -n 2");
    let numbers = ["out of memory: ", " KiB more do not fit into the 1000000 KiB", "ulimit -v"];
    refused(&limited("run"), folder.path(), &numbers);
    let mpiexec = format!("ulimit -v 1000000; W mpiexec -n 2 {program}");
    refused(&mpiexec, folder.path(), &numbers);
    let (code, out, error) = shell(&limited("check"), folder.path());
    assert_eq!(code, Some(1), "{out}{error}");
    assert!(out.contains("the system refused an execution: out of memory"), "{out}{error}");
    assert!(!out.contains("panicked") && !error.contains("panicked"), "{out}{error}");
}

#[test]
fn endless_files_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let recorded = "W run allgather-ring -n 2 --compute recorded:/dev/zero";
    refused(recorded, folder.path(), &["/dev/zero: longer than"]);
    let program = compile("hello.c", &folder);
    refused(&format!("W mpiexec -n 2 {program} >/dev/full"), folder.path(), &["standard output"]);
    refused("W run /dev/zero", folder.path(), &["/dev/zero"]);
    refused("W check allgather-ring --baseline /dev/full", folder.path(), &["/dev/full"]);
}

#[test]
fn a_report_does_not_replace_another_file() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("hello.c", &folder);
    let source = folder.path().join("hello.c");
    fs::write(&source, "int main(void) { return 0; }\n").expect("writable");
    let scenario = folder.path().join("study.json");
    fs::write(&scenario, r#"{"program": "allgather-ring", "ranks": 4}"#).expect("writable");
    let before = fs::read(&program).expect("readable");
    for (line, file) in [
        (format!("W run {program} -n 2 --report {program}"), &*program),
        (format!("W run {program} -n 2 --report hello.c"), "hello.c"),
        ("W run study.json --trace study.json".into(), "study.json"),
        ("W compare study.json --report study.json".into(), "study.json"),
    ] {
        refused(&line, folder.path(), &[file, "is not overwritten"]);
    }
    assert_eq!(fs::read(&program).expect("readable"), before);
    let study = r#"{"scenario": {"program": "allgather-ring"}, "axes": ["ranks=2,4"]}"#;
    fs::write(folder.path().join("ranks.json"), study).expect("writable");
    for line in [
        "W run allgather-ring --trace a --report a",
        "touch b; ln -s b c; W run allgather-ring --trace c --report ./b",
        "W check allgather-ring --baseline a --report a",
        "W sweep ranks.json --out a --csv a",
        &format!("W mpiexec -n 2 -outfile-pattern a --record a {program}"),
    ] {
        refused(line, folder.path(), &["a file of its own"]);
        assert!(!folder.path().join("a").exists(), "{line}");
    }
    refused("W sweep ranks.json --out /dev/full", folder.path(), &["is no plain file"]);
    refused("W mpiexec -configfile /dev/zero", folder.path(), &["longer than"]);
    refused("W run allgather-ring --report -", folder.path(), &["a file needs a name"]);
    for _ in 0..2 {
        let line = "W run allgather-ring --trace a.json --report a.html";
        assert_eq!(shell(line, folder.path()).0, Some(0), "its own kind is replaced");
    }
}

#[test]
fn a_run_that_is_killed_leaves_no_parts() {
    let folder = TempDir::new().expect("a folder");
    let line = "W run jacobi-sendrecv -n 4096 -p iterations=10000 --report a.html & \
                sleep 0.3; kill -9 $!; wait; ls";
    let (_, files, _) = shell(line, folder.path());
    assert_eq!(files, "", "it was killed in the middle");
}

#[test]
fn a_damaged_cache_is_built_again() {
    let folder = TempDir::new().expect("a folder");
    let source =
        "#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); }\n";
    fs::write(folder.path().join("a.c"), source).expect("writable");
    let compiles = || {
        let (code, _, error) = shell("W cc a.c -o a && W mpiexec ./a", folder.path());
        assert_eq!(code, Some(0), "{error}");
    };
    compiles();
    let find = |name: &str| {
        let line = format!("find cache -path '*/{name}'");
        folder.path().join(shell(&line, folder.path()).1.trim())
    };
    for name in ["include/mpi.h", "libmpi_abi.so.1"] {
        let file = find(name);
        assert!(file.is_file(), "{name}");
        fs::write(&file, "damaged").expect("writable");
        compiles();
    }
}

#[test]
fn names_do_not_steer_the_terminal() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("exits.c", &folder);
    let evil = folder.path().join("e\u{1b}[31mvil");
    fs::copy(&program, &evil).expect("copied");
    for line in [
        "W run ./e*vil -n 2 -- exit",
        "W check ./e*vil -n 2 -- exit",
        "W mpiexec -n 2 ./e*vil exit",
        "W run ./no$(printf '\\033')[31mthing",
        "W mpiexec -n 2 ./no$(printf '\\033')[31mthing",
        "W run allgather-ring --machine $(printf '\\033')[31m",
        "W explain $(printf '\\033')[31m",
        "W mpiexec -$(printf '\\033')[31m",
    ] {
        let (_, out, error) = shell(line, folder.path());
        assert!(!(out + &error).contains('\u{1b}'), "{line}");
    }
}

#[test]
fn machines_of_one_name_are_told_apart() {
    let folder = TempDir::new().expect("a folder");
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios/machines/sp2.json");
    let machine = fs::read_to_string(own).expect("a machine");
    for file in ["one.json", "two.json"] {
        fs::write(folder.path().join(file), &machine).expect("writable");
    }
    let line = "W compare allgather-ring -n 4 --topologies ring,ring --machines one.json,two.json";
    let (_, out, error) = shell(line, folder.path());
    assert!(out.contains("(one.json)") && out.contains("(two.json)"), "{out}{error}");
    assert_eq!(out.matches("ring:4  ").count(), 2, "the same row is not told twice: {out}");
}

#[test]
fn stacks_that_cannot_be_mapped_in_the_middle_of_a_run_are_told_with_the_numbers() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("crowds.c", &folder);
    let limited = format!("ulimit -v 3000000; W mpiexec -n 1 {program}");
    let numbers = ["out of memory: ", " KiB more do not fit into the 3000000 KiB", "ulimit -v"];
    refused(&limited, folder.path(), &numbers);
}

/// What is known when the time or the memory is over is told, and the rest is named.
#[test]
fn results_of_other_runs_are_not_lost() {
    let folder = TempDir::new().expect("a folder");
    let program = compile("computes_by_argument.c", &folder);
    let told = |line: &str, code: i32, parts: &[&str]| {
        let (ended, out, error) = shell(line, folder.path());
        assert_eq!(ended, Some(code), "{line}: {out}{error}");
        for part in parts {
            assert!(out.contains(part), "{line}: {part} is not in\n{out}{error}");
        }
    };
    let line = format!(
        "W compare {program} -n 1 --topology crossbar --axis args=0,1,2,3,4,5,6,7,8,9 --max-wall 3s"
    );
    told(&line, 1, &["0 ps", "stopped before there was a result"]);
    let noise = "--noise exponential:50us,5us --repeat 100000 --max-wall 1s";
    told(
        &format!("W run allreduce -n 16 --machine infiniband-hdr {noise}"),
        1,
        &["runs, seeds 0 to", "; stopped after "],
    );
    let memory = "-p blocksize=4096 --max-memory 500MB";
    told(
        &format!("W compare allgather-ring --topology ring --ranks-list 4,1024 {memory}"),
        1,
        &["ring:4", "of memory or more; 476 MiB is what --max-memory allows"],
    );
    told(
        &format!("W check allgather-ring -n 4,1024 {memory}"),
        2,
        &["allgather-ring on 4 ranks", "VERDICT: buffering"],
    );
    told(
        "timeout --preserve-status -s INT 2 W traffic --topology torus:8x8 --network flit --load 0.1,0.9",
        1,
        &["torus:8x8", "stopped before"],
    );
}
