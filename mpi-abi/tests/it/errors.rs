//! Files that are no programs for us, and what is said about them.

use std::{fs, path::Path};

use guest::loader::{LoadError, Program};

use crate::harness::{EXPORTS, compile, compile_library, plain};

fn refusal(path: &Path) -> LoadError {
    Program::open(path, &EXPORTS).map(|_| ()).expect_err("the file is refused")
}

#[test]
fn files_that_are_no_programs() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let missing = refusal(&folder.path().join("missing"));
    assert!(matches!(missing, LoadError::Unreadable { .. }), "{missing}");
    for (text, kind) in [
        (&b"#!/bin/sh\n"[..], "a script"),
        (b"", "empty"),
        (b"int main(void);\n", "a text"),
        (b"!<arch>\n", "a static library"),
        (b"\x7fELG\xff\xfe", "something else"),
    ] {
        let file = folder.path().join("file");
        fs::write(&file, text).expect("a file");
        let error = refusal(&file);
        assert!(matches!(error, LoadError::NotElf { found, .. } if found == kind), "{error}");
    }
    let error = refusal(folder.path());
    assert!(error.to_string().contains("is a folder, not a compiled program"), "{error}");
    // What would never end if it were read.
    let error = refusal(Path::new("/dev/zero"));
    assert!(error.to_string().contains("no plain file"), "{error}");
}

#[test]
fn what_is_not_linked_or_has_no_beginning_is_told_so() {
    let object = compile("true.c", &["-c"]).refusal();
    assert!(matches!(object, LoadError::NotLinked { .. }), "{object}");
    let library = plain("counter.c", &["-shared", "-fPIC", "-nostdlib"]).refusal();
    assert!(matches!(library, LoadError::NoMain { .. }), "{library}");
}

#[test]
fn damaged_files_are_refused() {
    let program = compile("globals.c", &[]);
    let good = fs::read(&program.path).expect("the program");
    let damaged = program.folder().join("damaged");
    for length in [5, 40, 70, 200, 1000, 5000, good.len() / 2] {
        fs::write(&damaged, &good[..length]).expect("a file");
        refusal(&damaged);
    }
}

#[test]
fn other_processors_are_refused() {
    let program = compile("globals.c", &[]);
    let mut bytes = fs::read(&program.path).expect("the program");
    let other = program.folder().join("other");
    for (place, byte, part) in [
        (18, 183, "aarch64"),
        (18, 243, "RISC-V"),
        (4, 1, "a 32-bit processor"),
        (5, 2, "a big-endian processor"),
    ] {
        let good = std::mem::replace(&mut bytes[place], byte);
        fs::write(&other, &bytes).expect("a file");
        bytes[place] = good;
        let error = refusal(&other);
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn programs_linked_otherwise_are_refused() {
    let error = plain("true.c", &["-no-pie"]).refusal();
    assert!(matches!(error, LoadError::NotPositionIndependent { .. }), "{error}");
    let error = plain("true.c", &["-static-pie"]).refusal();
    assert!(matches!(error, LoadError::Static { .. }), "{error}");
    let error = plain("true.c", &[]).refusal();
    assert!(matches!(error, LoadError::NotMpi { .. }), "{error}");
}

#[test]
fn another_mpi_is_named() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = compile_library("counter.c", folder.path(), "libmpich.so.12");
    let program = plain("true.c", &["-Wl,--no-as-needed", library.to_str().expect("a name")]);
    let error = program.refusal();
    assert!(error.to_string().contains("libmpich.so.12"), "{error}");
}

#[test]
fn every_missing_name_is_said_at_once() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = compile_library("future.c", folder.path(), "libmpi_abi.so.1");
    let program = plain("uses_future.c", &[library.to_str().expect("a plain name")]);
    let LoadError::Unresolved { names, .. } = program.refusal() else { panic!("it is loaded") };
    assert_eq!(names, ["MPI_Future_one", "MPI_Future_two"]);
}

#[test]
fn a_missing_library_is_named() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let library = compile_library("counter.c", folder.path(), "libgone.so");
    let program = compile("with_library.c", &[library.to_str().expect("a plain name")]);
    fs::remove_file(library).expect("the library was there");
    let error = program.refusal();
    assert!(matches!(&error, LoadError::MissingLibrary { .. }), "{error}");
    assert!(error.to_string().contains("libgone.so"), "{error}");
}

#[test]
fn thread_local_variables_out_of_reach_are_refused() {
    let error = compile("globals.c", &["-mtls-direct-seg-refs"]).refusal();
    assert!(matches!(error, LoadError::ThreadLocal { .. }), "{error}");
}

#[test]
fn changed_bytes_never_break_the_loader() {
    let program = compile("globals.c", &[]);
    let good = fs::read(&program.path).expect("the program");
    let dynamic = good.len() * 2 / 3;
    let damaged = program.folder().join("damaged");
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..1500 {
        let mut bytes = good.clone();
        for _ in 0..=next() % 4 {
            // Headers at the beginning, dynamic tables after them, section headers at the end.
            let place = match next() % 3 {
                0 => next() % 0x1000,
                1 => next() % dynamic,
                _ => bytes.len() - 1 - next() % 0xa00,
            };
            bytes[place] = next() as u8;
        }
        fs::write(&damaged, bytes).expect("a file");
        // Some changes do no harm; none may bring us down.
        let _ = Program::open(&damaged, &EXPORTS);
    }
}
