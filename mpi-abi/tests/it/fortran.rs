//! Fortran programs: those of `ctest/fortran` check their own results.

use std::{ffi::OsString, path::Path, process::Command, sync::Arc};

use guest::wrapper::{Kit, Language, Places, Request};
use mpi_abi::{
    function::fortran,
    launch::{Compiled, HEADER, Output, function_names},
};
use mpi_api::{
    finding::{Code, are_clean},
    outcome::{Ending, RunResult},
    run::Program,
    settings::{Buffering, Environment},
};
use tempfile::TempDir;

use crate::{
    harness::{has_fortran, kits, sources},
    mpi::{simulate, simulate_in},
};

/// Whether a test can run; says why not.
pub(crate) fn can_run() -> bool {
    if !has_fortran() {
        eprintln!("skipped: gfortran is not installed");
    }
    has_fortran()
}

/// Headers, library and modules.
pub(crate) fn places() -> Places {
    let names = function_names().expect("executable memory");
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (fixed, module) = (fortran::header(), fortran::module());
    let modern = fortran::modern_module();
    let headers =
        [("mpi.h", HEADER), ("mpif.h", &*fixed), ("mpi.f90", &*module), ("mpi_f08.f90", &*modern)];
    let kit = Kit { headers: &headers, functions: &names, launcher: Path::new("/bin/true") };
    let mut places = kit.install_below(&kits()).expect("a kit");
    places.add_module(&Language::Fortran.compiler()).expect("a module");
    places
}

/// Runs the compiler command of `language` in `folder`.
pub(crate) fn compiler(language: Language, folder: &Path, words: &[&str]) {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let arguments = Request::of(&words).command(language, &places()).all();
    let mut command = Command::new(language.compiler());
    let output = command.args(arguments).current_dir(folder).output().expect("a compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn source(name: &str) -> String {
    sources().join("fortran").join(name).display().to_string()
}

/// A program of `ctest/fortran`, with arguments.
fn program(name: &str, arguments: &[&str], folder: &TempDir) -> Program {
    let flags = ["-Wall", "-O2", "-fcheck=bounds", &source(name), "-o", "program"];
    compiler(Language::Fortran, folder.path(), &flags);
    loaded(folder, arguments)
}

pub(crate) fn loaded(folder: &TempDir, arguments: &[&str]) -> Program {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let mut compiled = Compiled::new(Output::Print);
    compiled.add(&folder.path().join("program"), &arguments, 1).expect("a program");
    Arc::new(compiled)
}

fn well(result: &RunResult, what: &str) {
    assert_eq!(result.ending, Ending::Completed, "{what}: {:?}", result.findings);
    assert!(are_clean(&result.findings), "{what}: {:?}", result.findings);
}

/// The program ends well on any number of ranks, without buffering too.
fn holds(name: &str) {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = program(name, &[], &folder);
    for ranks in 1..=4 {
        for buffering in [Buffering::zero(), Buffering::infinite()] {
            well(&simulate(&program, ranks, buffering), &format!("{name} on {ranks}"));
        }
    }
}

#[test]
fn point_to_point() {
    holds("point_to_point.f90");
}

#[test]
fn windows() {
    holds("windows.f90");
}

#[test]
fn files() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = program("files.f90", &[], &folder);
    let root = folder.path().join("room").display().to_string();
    for ranks in 1..=4 {
        let files = Some(root.clone().into());
        let environment = Environment { files, ..Environment::default() };
        let result = simulate_in(&program, ranks, Buffering::zero(), environment);
        well(&result, &format!("files.f90 on {ranks}"));
    }
}

#[test]
fn partitions_buffers_and_precision() {
    holds("partitioned.f90");
}

#[test]
fn collectives() {
    holds("collective.f90");
}

#[test]
fn programs_that_start_others() {
    holds("spawn.f90");
}

#[test]
fn objects() {
    holds("object.f90");
}

#[test]
fn datatypes() {
    holds("datatype.f90");
}

#[test]
fn the_module_of_2008() {
    holds("modern.f90");
}

#[test]
fn large_counts_of_the_module_of_2008() {
    holds("large.f90");
}

#[test]
fn sections_of_arrays_as_buffers() {
    holds("sections.f90");
}

#[test]
fn buffers_of_optimized_programs() {
    holds("optimized.f90");
}

#[test]
fn the_library_of_the_language() {
    holds("library.f90");
}

#[test]
fn names_of_mpi_1_in_fixed_form() {
    holds("old.f");
}

#[test]
fn a_fault_has_lines_of_the_source() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let program = program("faulty.f90", &[], &folder);
    let result = simulate(&program, 2, Buffering::infinite());
    let finding = result.findings.first().expect("a fault");
    assert_eq!(finding.code, Code::Truncation);
    let sites: Vec<(&str, u32)> = finding
        .sites
        .iter()
        .filter_map(|site| site.site.map(|site| (site.file, site.line)))
        .collect();
    let file = source("faulty.f90");
    assert_eq!(
        sites,
        [(&*file, 9), (&*file, 8)],
        "the receive, which goes over two lines; the send"
    );
}

#[test]
fn a_program_ends_as_its_language_says() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let told = |how: &str| {
        let program = program("ending.f90", &[how], &folder);
        let result = simulate(&program, 2, Buffering::infinite());
        let first = result.findings.first().map(|finding| (finding.code, finding.message.clone()));
        (result.ending, first)
    };
    let exited = |code: u32| {
        let message = format!("rank 1 ended with exit code {code}");
        (Ending::Failed, Some((Code::ExitCode, message)))
    };
    assert_eq!(told("well"), (Ending::Completed, None));
    assert_eq!(told("stop"), exited(7));
    assert_eq!(told("error"), exited(9));
    assert_eq!(told("bounds"), exited(2));
    assert_eq!(told("deadlock").1.map(|(code, _)| code), Some(Code::DeadlockCycle));
}

#[test]
fn objects_of_c_and_fortran_meet_in_one_program() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let path = folder.path();
    compiler(Language::C, path, &["-Wall", "-Werror", "-c", &source("mixed.c"), "-o", "c.o"]);
    let words = ["-Wall", &source("mixed.f90"), "c.o", "-o", "program"];
    compiler(Language::Fortran, path, &words);
    well(&simulate(&loaded(&folder, &[]), 3, Buffering::zero()), "C and Fortran");
}

#[test]
fn a_profiling_library_can_stand_between() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let words = ["-Wall", &source("profile.f90"), "-o", "program"];
    compiler(Language::Fortran, folder.path(), &words);
    well(&simulate(&loaded(&folder, &[]), 2, Buffering::zero()), "profiling");
}

#[test]
fn the_module_finds_wrong_arguments() {
    if !can_run() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let text = "program p\nuse mpi\ninteger :: e\ncall MPI_Barrier(MPI_COMM_WORLD)\nend program\n";
    std::fs::write(folder.path().join("p.f90"), text).expect("a file");
    let words: Vec<OsString> = ["-c", "p.f90"].map(OsString::from).to_vec();
    let arguments = Request::of(&words).command(Language::Fortran, &places()).all();
    let mut command = Command::new(Language::Fortran.compiler());
    let output = command.args(arguments).current_dir(folder.path()).output().expect("a compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("ierror"), "{said}");
}

#[test]
fn every_procedure_has_its_profiling_name() {
    let names = function_names().expect("executable memory");
    let has = |name: &str| names.binary_search(&name.to_string()).is_ok();
    let own: Vec<&String> = names.iter().filter(|name| name.starts_with("mpi_")).collect();
    assert!(own.len() > 300, "{} procedures", own.len());
    assert!(own.iter().all(|name| has(&format!("p{name}"))));
    // What C has, Fortran has, but for conversions of handles and statuses, which are C's alone.
    let in_c = names.iter().filter(|name| name.starts_with("MPI_") && !name.starts_with("MPI_T_"));
    let missing: Vec<&String> = in_c
        .filter(|name| !has(&format!("{}_", name.to_lowercase())))
        .filter(|name| {
            let conversions = ["toint", "fromint", "f2c", "c2f", "c2f08", "f082c"];
            !conversions.iter().any(|end| name.ends_with(end))
        })
        .collect();
    assert!(missing.is_empty(), "no Fortran for {missing:?}");
}
