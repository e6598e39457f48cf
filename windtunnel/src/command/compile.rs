//! The commands `windtunnel cc`, `cxx` and `fc`.

use std::{env, ffi::OsString};

use guest::wrapper::{self, Kit, Language};
use mpi_abi::{
    function::fortran,
    launch::{HEADER, function_names},
};
use scenarios::error::Error;

fn failed(what: &str, reason: &dyn std::fmt::Display) -> Error {
    Error::BadFile { path: what.into(), reason: reason.to_string() }
}

/// The header in folders with names of MPI libraries: on some systems programs include it from there, and would get that of
/// the system.
const FORWARD: &str = "#include \"../mpi.h\"\n";

/// Replaces this process by the compiler, or prints the compiler's command line.
///
/// # Errors
/// Returns an error if there is no compiler, or no folder for the headers.
pub(crate) fn compile(language: Language, words: &[OsString]) -> Result<u8, Error> {
    let names = function_names().map_err(|error| failed("the functions of MPI", &error))?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let own = env::current_exe().map_err(|error| failed("windtunnel", &error))?;
    let (fixed, module) = (fortran::header(), fortran::module());
    let modern = fortran::modern_module();
    let headers = [
        ("mpi.h", HEADER),
        ("mpi/mpi.h", FORWARD),
        ("mpich/mpi.h", FORWARD),
        ("openmpi/mpi.h", FORWARD),
        ("mpif.h", &*fixed),
        ("mpi.f90", &*module),
        ("mpi_f08.f90", &*modern),
    ];
    let kit = Kit { headers: &headers, functions: &names, launcher: &own };
    let text = wrapper::run(language, words, &kit).map_err(|error| failed("compiler", &error))?;
    println!("{}", text.trim_end());
    Ok(0)
}
