//! Fortran programs through the command line: compiled, run, checked.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::c_programs::{object, windtunnel};

/// The cases of `fortran/verdicts.f90` and the verdict on three ranks.
const CASES: [(&str, &str); 10] = [
    ("all_receive_first", "deadlock"),
    ("all_send_first", "buffering"),
    ("wrong_type", "parameter-matching"),
    ("different_roots", "parameter-matching"),
    ("request_forgotten", "request-lifecycle"),
    ("type_kept", "resource-leak"),
    ("buffer_changed", "local-concurrency"),
    ("no_such_rank", "invalid-argument"),
    ("race", "message-race"),
    ("exchange", "ok"),
];

/// Compiles a program of the folder `fortran`, if there is a compiler.
pub(super) fn compile(name: &str, folder: &TempDir) -> Option<String> {
    compile_with(&[], name, folder)
}

/// Like [`compile`], with these options of the compiler.
pub(super) fn compile_with(options: &[&str], name: &str, folder: &TempDir) -> Option<String> {
    if !can_run() {
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran").join(name);
    let program = folder.path().join("fortran").display().to_string();
    let source = source.display().to_string();
    let words = [&["fc", "-w"], options, &[source.as_str(), "-o", program.as_str()]].concat();
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    Some(program)
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran/verdicts.f90")
}

/// Whether a test can run; says why not.
fn can_run() -> bool {
    let there = std::process::Command::new("gfortran").arg("--version").output().is_ok();
    if !there {
        eprintln!("skipped: gfortran is not installed");
    }
    there
}

/// The line of the source with the mark of a case.
fn marked(case: &str) -> Option<u64> {
    let text = std::fs::read_to_string(source()).expect("the source");
    let place = text.lines().position(|line| line.ends_with(&format!("! {case}")))?;
    Some(place as u64 + 1)
}

#[test]
fn every_mistake_gets_its_verdict_and_its_line() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program").display().to_string();
    let words = ["fc", "-w", &source().display().to_string(), "-o", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    for (case, expected) in CASES {
        let words = ["check", &program, "-n", "3", "--json", "--", case];
        let (code, text) = windtunnel(&words, folder.path());
        let start = text.find('{').unwrap_or(0);
        let mut reports = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let report =
            reports.next().and_then(Result::ok).unwrap_or_else(|| panic!("{case}: {text}"));
        assert_eq!(report["verdict"], expected, "{case}: {text}");
        assert_eq!(code, Some(i32::from(expected != "ok")), "{case}");
        let line = report["findings"][0]["sites"][0]["line"].as_u64();
        assert_eq!(line, marked(case), "{case}: {text}");
        let call = report["findings"][0]["sites"][0]["call"].as_str();
        if let Some(call) = call.filter(|call| *call != "program") {
            let rest = call.strip_prefix("MPI_").unwrap_or_else(|| panic!("{case}: {call}"));
            let (first, others) = rest.split_at(1);
            let as_written = first.to_uppercase() == first && others.to_lowercase() == others;
            assert!(as_written, "{case}: {call} is spelled as in the standard");
        }
    }
}

#[test]
fn sections_are_buffers_of_one_module_and_copies_with_the_other() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = compile_with(&["-cpp", "-g"], "sections.f90", &folder) else { return };
    let (code, text) = windtunnel(&["check", &program, "-n", "3"], folder.path());
    assert!(code == Some(0) && text.contains("VERDICT: ok"), "{text}");
    assert!(!text.contains("nothing was received"), "{text}");

    compile_with(&["-cpp", "-g", "-DOLD"], "sections.f90", &folder);
    let (code, text) = windtunnel(&["check", &program, "-n", "3"], folder.path());
    assert_eq!(code, Some(1), "{text}");
    let said = "error[WT0024]: rank 0: the buffer of MPI_Irecv is a copy that ends with the call";
    assert!(text.contains(said) && text.contains("sections.f90:26"), "{text}");
}

/// Sections in reductions that go on, sections of constant data, and `EQUIVALENCE`.
#[test]
fn storage_that_is_shared_is_used_where_it_is() {
    let folder = TempDir::new().expect("a folder");
    for options in [&["-g"][..], &["-g", "-O2"]] {
        let Some(program) = compile_with(options, "shared_storage.f90", &folder) else { return };
        let (code, text) = windtunnel(&["check", &program, "-n", "3"], folder.path());
        assert!(code == Some(0) && text.contains("VERDICT: ok"), "{options:?}: {text}");
    }
}

#[test]
fn the_command_shows_what_it_would_do() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let (code, text) = windtunnel(&["fc", "-show", "p.f90"], folder.path());
    assert!(code == Some(0) && text.starts_with("gfortran "), "{text}");
    assert!(
        text.contains(" -I") && text.contains(" -lmpi_abi") && text.contains(" p.f90 "),
        "{text}"
    );
    let (_, text) = windtunnel(&["fc", "-compile-info"], folder.path());
    assert!(text.contains(" -I") && !text.contains("-lmpi_abi"), "{text}");
    let (_, text) = windtunnel(&["fc", "-link-info"], folder.path());
    assert!(text.contains("-lmpi_abi"), "{text}");
}

/// Forms of old compilers: buffers of different types to one procedure, and a hexadecimal constant
/// that begins with X. `mpif90` of other MPI libraries compiles both.
const OLD: &str = "      program old
      implicit none
      include 'mpif.h'
      integer error, number
      integer*8 mask
      double precision value
      data mask/X'00003FFFFFFFFFFF'/
      number = 1
      value = 0.5d0
      call mpi_init(error)
      call mpi_bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
      call other(number)
      call other(value)
      print *, 'mask', mask
      call mpi_finalize(error)
      end
";

#[test]
fn forms_of_old_compilers_are_compiled() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("old.f");
    let rest = "      subroutine other(word)\n      integer word\n      word = word\n      end\n";
    std::fs::write(&source, [OLD, rest].concat()).expect("a source");
    let program = folder.path().join("old").display().to_string();
    let words = ["fc", "-w", &source.display().to_string(), "-o", &program];
    let (code, text) = windtunnel(&words, folder.path());
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = windtunnel(&["mpiexec", "-n", "2", &program], folder.path());
    assert_eq!((code, text.matches("70368744177663").count()), (Some(0), 2), "{text}");
}

#[test]
fn flags_that_a_compiler_does_not_know_are_not_passed_to_it() {
    use std::os::unix::fs::PermissionsExt;
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    // As older versions of gfortran, which answer `--version` whatever else they are told.
    let compiler = folder.path().join("gfortran-9");
    let script = "#!/bin/sh\ncase \"$*\" in\n*--version*) ;;\n\
                  *-fallow-*) echo 'unrecognized command-line option' >&2; exit 1;;\n\
                  esac\nexec gfortran \"$@\"\n";
    std::fs::write(&compiler, script).expect("a script");
    let runs = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&compiler, runs).expect("a script that runs");
    let source = folder.path().join("plain.f90");
    std::fs::write(&source, "use mpi\ninteger i\ncall mpi_init(i)\ncall mpi_finalize(i)\nend\n")
        .expect("a source");
    let output = std::process::Command::new(assert_cmd::cargo::cargo_bin("windtunnel"))
        .args(["fc".as_ref(), source.as_os_str(), "-o".as_ref()])
        .arg(folder.path().join("plain"))
        .env("WINDTUNNEL_FC", &compiler)
        .env("WINDTUNNEL_CACHE", folder.path().join("cache"))
        .output()
        .expect("windtunnel runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_signal_in_the_library_of_fortran_is_told_with_the_statement() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = compile_with(&["-g"], "printed.f90", &folder) else { return };
    let (_, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    let site = &report["findings"][0]["sites"][0];
    assert_eq!((&site["line"], &site["rank"]), (&12.into(), &1.into()), "{report}");
    assert_eq!(report["findings"][0]["code"], "WT0026", "{report}");
}

#[test]
fn programs_that_stop_are_told_at_the_statement() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = compile("stops.f90", &folder) else { return };
    let text = include_str!("../fortran/stops.f90");
    for (how, code) in
        [("error_stop", "WT0027"), ("stop_with_code", "WT0027"), ("stop_too_early", "WT0023")]
    {
        let (_, report) =
            object(&["check", &program, "-n", "2", "--json", "--", how], folder.path());
        let place = text.lines().position(|line| line.ends_with(&format!("! {how}")));
        let line = place.expect("a marked line") as u64 + 1;
        let finding = &report["findings"][0];
        assert_eq!(finding["code"], code, "{report}");
        assert_eq!(finding["sites"][0]["line"], line, "{report}");
    }
    let (_, report) = object(&["check", &program, "-n", "2", "--json"], folder.path());
    assert_eq!(report["verdict"], "ok", "{report}");
}

/// The cases of `fortran/passed.f90`, and what the code and the first finding of a check on two ranks say.
const PASSED: [(&str, Option<&str>, &str); 7] = [
    (
        "several_ignored_as_one",
        Some("WT0011"),
        "MPI_STATUS_IGNORE is given where only MPI_STATUSES_IGNORE has a meaning",
    ),
    (
        "one_ignored_as_several",
        Some("WT0011"),
        "MPI_STATUSES_IGNORE is given where only MPI_STATUS_IGNORE has a meaning",
    ),
    ("statuses_ignored", None, ""),
    ("no_error_code", Some("WT0026"), "pass a variable for the error code (ierror)"),
    ("no_argument", Some("WT0026"), "compare the arguments with those of the procedure"),
    ("null_pointer", Some("WT0026"), "\"help\":null"),
    (
        "default_integer_as_displacement",
        Some("WT0011"),
        "the lower half of the displacement, 1, would be inside: a displacement has 8 bytes (MPI_Aint, in Fortran INTEGER(KIND=MPI_ADDRESS_KIND))",
    ),
];

#[test]
fn arguments_that_no_interface_checks_are_told() {
    let folder = TempDir::new().expect("a folder");
    let Some(program) = compile_with(&["-g"], "passed.f90", &folder) else { return };
    for (case, code, says) in PASSED {
        let (_, report) =
            object(&["check", &program, "-n", "2", "--json", "--", case], folder.path());
        let first = &report["findings"][0];
        assert_eq!(first["code"].as_str(), code, "{case}: {report}");
        assert!(first.to_string().contains(says), "{case}: {report}");
    }
}
