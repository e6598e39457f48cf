//! The compiler commands.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use guest::wrapper::{Kit, Language, Places, Request};

use crate::harness::{EXPORTS, compile};

fn command(words: &[&str]) -> (Vec<String>, Option<String>) {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let places = Places {
        include: PathBuf::from("/i n"),
        library: PathBuf::from("/lib"),
        fortran: Vec::new(),
        of_gcc: true,
    };
    let request = Request::of(&words);
    let command = request.command(Language::C, &places);
    let shown = request.question().map(|part| part.text("cc", &command));
    let all = command.all().iter().map(|word| word.to_string_lossy().into_owned()).collect();
    (all, shown)
}

#[test]
fn flags_to_link_are_given_only_when_linking() {
    let has = |words: &[&str], flag: &str| command(words).0.iter().any(|word| word == flag);
    assert!(has(&["a.c", "-o", "a"], "-lmpi_abi"));
    assert!(has(&["a.o", "b.c"], "-pie"));
    assert!(has(&["a.o"], "-Wl,-z,noseparate-code"));
    assert!(!has(&["a.o", "-fuse-ld=gold"], "-Wl,-z,noseparate-code"));
    for stop in ["-c", "-S", "-E", "-MM"] {
        assert!(!has(&[stop, "a.c"], "-lmpi_abi"));
        assert!(has(&[stop, "a.c"], "-g"));
    }
    assert!(!has(&["-shared", "a.o"], "-pie"));
    assert!(has(&["-shared", "a.o"], "-lmpi_abi"));
    assert!(!has(&["-static-libgfortran", "a.o"], "-static-libgfortran"));
}

#[test]
fn questions_to_the_compiler_are_left_alone() {
    assert_eq!(command(&["--version"]).0, ["--version"]);
    assert_eq!(command(&["-o", "a", "-I", "b"]).0, ["-o", "a", "-I", "b"]);
}

#[test]
fn options_for_long_integers_are_found_where_fortran_is_compiled() {
    let found = |words: &[&str]| {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        Request::of(&words).lengthens_integers()
    };
    for option in ["-fdefault-integer-8", "-i8", "-qintsize=8"] {
        assert_eq!(found(&[option, "-c", "a.f90"]), Some(option));
        assert_eq!(found(&["a.F", option]), Some(option));
        assert_eq!(found(&[option, "a.o"]), None, "what is linked is compiled");
        assert_eq!(found(&["-show", option, "a.f90"]), None);
        assert_eq!(found(&["-o", option, "a.f90"]), None);
    }
    assert_eq!(found(&["-fdefault-real-8", "a.f90"]), None);
}

#[test]
fn the_command_can_be_shown() {
    let (_, shown) = command(&["-show", "a.c"]);
    let shown = shown.expect("a line");
    assert!(shown.starts_with("cc -g -fPIE"), "{shown}");
    assert!(shown.contains(" '-I/i n' a.c -pie -L/lib "), "{shown}");
    let compile = command(&["-compile-info"]).1.expect("a line");
    assert!(compile.contains("'-I/i n'") && !compile.contains("-lmpi_abi"), "{compile}");
    let link = command(&["-link-info"]).1.expect("a line");
    assert!(link.contains("-lmpi_abi") && !link.contains("-I"), "{link}");
}

#[test]
fn a_program_by_itself_asks_the_simulator() {
    let program = compile("sites.c", &[]);
    let launcher = program.folder().join("launcher");
    fs::write(&launcher, "#!/bin/sh\necho \"$@\"\nexit 7\n").expect("a file");
    let chmod = Command::new("chmod").arg("+x").arg(&launcher).status().expect("chmod runs");
    assert!(chmod.success());
    let output = Command::new(&program.path)
        .args(["one", "two words"])
        .env("WINDTUNNEL", &launcher)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(7));
    let expected = format!("mpiexec -n 1 {} one two words\n", program.path.display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn many_may_install_at_once() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let names: Vec<&str> = EXPORTS.names().collect();
    let headers = [("mpi.h", "int MPI_Barrier(void *);\n")];
    let kit = Kit { headers: &headers, functions: &names, launcher: Path::new("/bin/true") };
    let include = || kit.install_below(folder.path()).expect("it is written").include;
    let first = std::thread::scope(|scope| {
        let all: Vec<_> = (0..6).map(|_| scope.spawn(include)).collect();
        all.into_iter().map(|one| one.join().expect("no panic")).reduce(|one, other| {
            assert_eq!(one, other);
            one
        })
    });
    let header = first.expect("a folder").join("mpi.h");
    assert_eq!(fs::read_to_string(header).expect("a header"), headers[0].1);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    assert_eq!(include(), kit.install_below(folder.path()).expect("it is there").include);
}
