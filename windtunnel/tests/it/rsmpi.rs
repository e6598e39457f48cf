//! Programs for the unmodified crate `mpi`, built with Windtunnel's `mpicc`.
//!
//! Building the crate takes its time, and wants libclang and the registry: the test is run by name
//! (`cargo test -p windtunnel --test it -- --ignored rsmpi`) and does nothing but say so where one
//! of them is not there.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/projects/rsmpi");
/// What a build says that cannot be done here.
const EXCUSES: [&str; 5] = [
    "Unable to find libclang",
    "'stddef.h' file not found",
    "failed to download",
    "failed to get `mpi`",
    "no matching package",
];

fn windtunnel() -> Command {
    Command::new(env!("CARGO_BIN_EXE_windtunnel"))
}

fn text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// The folder of the programs, built; `None`, and a line, if that cannot be done here.
fn built() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rsmpi");
    let wrappers = here.join("wrappers");
    let linked = windtunnel().arg("wrappers").arg(&wrappers).output().expect("it runs");
    assert!(linked.status.success(), "{}", text(&linked));
    let build = Command::new(env!("CARGO"))
        .args(["build", "--manifest-path", &format!("{PROJECT}/Cargo.toml"), "--target-dir"])
        .arg(&here)
        .env("MPICC", wrappers.join("mpicc"))
        .env("RUSTFLAGS", "-C force-frame-pointers=yes")
        // Findings tell the lines of these programs, also where the tests themselves are built without debug information.
        .env("CARGO_PROFILE_DEV_DEBUG", "full")
        .output()
        .expect("cargo runs");
    if build.status.success() {
        return Some(here.join("debug"));
    }
    let said = text(&build);
    let excuse = EXCUSES.iter().find(|excuse| said.contains(**excuse));
    eprintln!("skipped: the crate mpi cannot be built here: {}", excuse.expect(&said));
    None
}

fn json(folder: &Path, command: &str, program: &str) -> Value {
    let mut words = windtunnel();
    words.arg(command).arg(folder.join(program)).args(["-n", "2", "--json"]);
    let output = words.output().expect("it runs");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output)))
}

#[test]
#[ignore = "builds the crate mpi, which takes minutes"]
fn they_run_unmodified() {
    let Some(folder) = built() else { return };

    let mut ring = windtunnel();
    ring.args(["mpiexec", "-n", "3"]).arg(folder.join("ring")).arg("word");
    let printed = text(&ring.output().expect("it runs"));
    for rank in 0..3 {
        let line = format!("word: rank {rank} of 3, sum 3, 1000 s");
        assert!(printed.contains(&line), "{printed}");
    }
    assert_eq!(json(&folder, "check", "ring")["verdict"], "ok");

    let kept = json(&folder, "check", "structures");
    let finding = &kept["findings"][0];
    assert_eq!((&kept["verdict"], &finding["severity"]), (&"ok".into(), &"note".into()), "{kept}");
    assert_eq!(finding["code"], "WT0017");
    assert!(finding["sites"][0]["file"].as_str().is_some_and(|f| f.ends_with("structures.rs")));

    let cycle = json(&folder, "check", "cycle");
    assert_eq!(cycle["verdict"], "deadlock");
    for site in cycle["findings"][0]["sites"].as_array().expect("both calls") {
        let file = site["file"].as_str().expect("it is known");
        assert!(file.ends_with("src/bin/cycle.rs"), "{file}");
        let source = include_str!("../projects/rsmpi/src/bin/cycle.rs");
        let line = source.lines().nth(site["line"].as_u64().expect("a number") as usize - 1);
        assert!(line.is_some_and(|line| line.contains("both wait here")), "{site}");
    }

    let mut family = windtunnel();
    family.args(["mpiexec", "-n", "1"]).arg(folder.join("family"));
    let printed = text(&family.output().expect("it runs"));
    for line in ["parent 0 of 3", "child 1 of 3", "child 2 of 3"] {
        assert!(printed.contains(line), "{printed}");
    }
}
