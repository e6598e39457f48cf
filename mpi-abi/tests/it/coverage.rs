//! Every function that `mpi.h` declares is called by a program of `ctest`, by its name in the
//! source.

use std::{collections::BTreeSet, fs, path::Path};

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

/// The C and C++ sources below a folder, without comments.
fn read(folder: &Path, into: &mut String) {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            read(&path, into);
        } else if path.extension().is_some_and(|kind| kind == "c" || kind == "cpp" || kind == "h") {
            let text = fs::read_to_string(&path).expect("a source");
            for piece in text.split("/*") {
                into.push_str(piece.split_once("*/").map_or(piece, |(_, code)| code));
            }
        }
    }
}

fn called() -> BTreeSet<String> {
    let mut text = String::new();
    read(&sources(), &mut text);
    calls(&text).into_iter().map(str::to_string).collect()
}

#[test]
fn every_function_is_called_by_a_program() {
    let called = called();
    let declared = declared().into_iter();
    let missing: Vec<_> = declared.filter(|name| !called.contains(*name)).collect();
    assert!(missing.is_empty(), "no program of ctest calls {missing:?}");
}

#[test]
fn calls_are_found() {
    let found = calls("MPI_Send (a), CHECK(MPI_Recv(b) == 0); MPI_Barrier;");
    assert_eq!(found, BTreeSet::from(["MPI_Send", "CHECK", "MPI_Recv"]));
}
