//! Every function that `mpi.h` declares and that is modelled is called by a program of `ctest`.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use mpi_abi::launch::HEADER;

use crate::harness::sources;

/// Words that are followed by an opening parenthesis.
fn calls(text: &str) -> BTreeSet<&str> {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let before = |at: usize| {
        let text = text[..at].trim_end();
        let start = text.rfind(|letter| !part(letter)).map_or(0, |place| place + 1);
        &text[start..]
    };
    text.match_indices('(').map(|(at, _)| before(at)).filter(|word| !word.is_empty()).collect()
}

/// The functions of the header, without the profiling names and the types of callbacks.
pub(crate) fn declared() -> BTreeSet<&'static str> {
    let is_function = |word: &&str| {
        let kind = word.ends_with("_function") || word.ends_with("_function_c");
        word.starts_with("MPI_") && !kind && !word.ends_with("_fn")
    };
    let lines = HEADER.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(calls).filter(is_function).collect()
}

/// The C sources below a folder.
fn programs(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            programs(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "c") {
            into.push(path);
        }
    }
}

/// What the programs' own lines are when their macros are expanded: names may be put together there.
///
/// One command of the compiler reads all of them.
fn expanded(programs: &[PathBuf]) -> String {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut compiler = Command::new("cc");
    compiler.args(["-E", "-I"]).arg(header).arg("-I").arg(sources()).args(programs);
    let output = compiler.output().unwrap_or_else(|error| panic!("cc does not start: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cc ended with {}: {errors}", output.status);
    let text = String::from_utf8(output.stdout).expect("a text");
    let mut own = true;
    let lines = text.lines().filter(|line| {
        // `# 12 "file"` says where the lines after it come from.
        if line.starts_with("# ") {
            own = line.contains("/ctest/");
        }
        own
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_function_is_called_by_a_program() {
    let mut paths = Vec::new();
    programs(&sources(), &mut paths);
    let text = expanded(&paths);
    let called = calls(&text);
    let absent = |name: &str| mpi_functions::absent().any(|known| known.name == name);
    let modelled = declared().into_iter().filter(|name| !absent(name));
    let missing: Vec<_> = modelled.filter(|name| !called.contains(name)).collect();
    assert!(missing.is_empty(), "no program of ctest calls {missing:?}");
}

#[test]
fn calls_are_found() {
    let found = calls("MPI_Send (a), CHECK(MPI_Recv(b) == 0); MPI_Barrier;");
    assert_eq!(found, BTreeSet::from(["MPI_Send", "CHECK", "MPI_Recv"]));
}
