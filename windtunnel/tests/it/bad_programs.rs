//! Files that are no programs for us: every command says what the file is and ends with 2.

use std::{fs, path::Path, process::Command};

use tempfile::TempDir;

use super::c_programs::{compile, windtunnel};

/// Runs a command that has to succeed in a folder.
fn must(folder: &Path, words: &[&str]) {
    let output = Command::new(words[0]).args(&words[1..]).current_dir(folder).output();
    let output = output.expect("it is installed");
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Compiles with the wrapper in a folder.
fn wrapped(folder: &Path, words: &[&str]) {
    let path = |word: &&str| match word.strip_prefix('@') {
        Some(name) => folder.join(name).display().to_string(),
        None => (*word).to_string(),
    };
    let words: Vec<String> = ["cc", "-w"].iter().chain(words).map(path).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, text) = windtunnel(&words, folder);
    assert_eq!(code, Some(0), "{text}");
}

/// The folder with the files.
fn files() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let here = folder.path();
    let good = fs::read(compile("hello.c", &folder)).expect("a program");
    let put = |name: &str, bytes: &[u8]| fs::write(here.join(name), bytes).expect("writable");
    put("empty", b"");
    put("script", b"#!/bin/sh\necho hello\n");
    for name in ["text", "text.c", "text.cpp", "text.f90"] {
        put(name, b"int main(void) { return 0; }\n");
    }
    put("begun", &good[..300]);
    for (name, place, byte) in [("arm", 18, 183), ("short", 4, 1), ("big", 5, 2)] {
        let mut other = good.clone();
        other[place] = byte;
        put(name, &other);
    }
    fs::create_dir(here.join("folder")).expect("a folder");
    for (flag, name) in [("-pie", "plain"), ("-static", "static"), ("-no-pie", "fixed")] {
        must(here, &["cc", flag, "text.c", "-o", name]);
    }
    put("library.c", b"int gone(void) { return 0; }\n");
    put(
        "needs.c",
        b"#include <mpi.h>\nint gone(void);\nint main(void) { MPI_Init(0, 0); return gone(); }\n",
    );
    must(
        here,
        &["cc", "-shared", "-fPIC", "library.c", "-Wl,-soname,libgone.so", "-o", "libgone.so"],
    );
    wrapped(here, &["@needs.c", "@libgone.so", "-o", "@needs"]);
    fs::remove_file(here.join("libgone.so")).expect("it was there");
    wrapped(here, &["-c", "@needs.c", "-o", "@object.o"]);
    // Functions that a library is missing are found out only when all of it is there.
    let future = b"#include <mpi.h>\nint MPI_Dream(void); int MPI_Wish(void);\n\
                   int main(void) { MPI_Init(0, 0); return MPI_Wish() + MPI_Dream(); }\n";
    put("future.c", future);
    wrapped(here, &["-shared", "-fPIC", "@future.c", "-o", "@future"]);
    folder
}

#[test]
fn every_file_that_cannot_run_is_told_for_what_it_is() {
    let folder = files();
    for (name, parts) in [
        ("nosuch", &["nosuch"][..]),
        ("empty", &["is empty, not a compiled program"]),
        ("script", &["is a script, not a compiled program"]),
        ("text", &["is a text, not a compiled program"]),
        ("text.c", &["is source code, not a compiled program", "`windtunnel cc`"]),
        ("text.cpp", &["is source code", "`windtunnel cxx`"]),
        ("text.f90", &["is source code", "`windtunnel fc`"]),
        ("folder", &["is a folder, not a compiled program"]),
        ("begun", &["is a damaged ELF file"]),
        ("arm", &["is for aarch64", "x86-64"]),
        ("short", &["is for a 32-bit processor", "x86-64"]),
        ("big", &["is for a big-endian processor", "x86-64"]),
        ("plain", &["not built with `windtunnel cc`"]),
        ("static", &["rebuild it with `windtunnel cc`", "without -static"]),
        ("fixed", &["rebuild it with `windtunnel cc`", "-no-pie"]),
        ("object.o", &["is an object file that is not linked"]),
        ("needs", &[" needs libgone.so, which cannot be loaded", "LD_LIBRARY_PATH"]),
        ("future", &["MPI_Dream, MPI_Wish"]),
    ] {
        let path = folder.path().join(name).display().to_string();
        for command in [&["run"][..], &["check"], &["compare"], &["mpiexec", "-n", "2"]] {
            let words: Vec<&str> = command.iter().copied().chain([path.as_str()]).collect();
            let (code, text) = windtunnel(&words, folder.path());
            assert_eq!(code, Some(2), "{words:?}: {text}");
            assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
            for part in parts {
                assert!(text.contains(part), "{words:?}: {part} is not in {text}");
            }
            assert!(text.matches(&path).count() <= 1, "the name once: {text}");
        }
    }
}
