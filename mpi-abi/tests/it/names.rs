//! Every name of MPI 5.0 is there, for C and Fortran.

use std::{fmt::Write as _, fs, sync::Arc};

use guest::wrapper::Language;
use mpi_abi::launch::{Compiled, Output};
use mpi_api::{outcome::Ending, settings::Buffering};
use tempfile::TempDir;

use crate::{
    coverage::declared,
    fortran::{can_run, compiler},
    mpi::simulate,
};

#[test]
fn a_program_of_c_links_with_every_function() {
    let mut text = String::from("#include <mpi.h>\ntypedef void any(void);\nany *all[] = {\n");
    for name in declared() {
        let _ = writeln!(text, "(any *)&{name}, (any *)&P{name},");
    }
    text.push_str("};\nint main(void) { return sizeof all == 0; }\n");
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("all.c"), text).expect("a file");
    crate::mpi::compile_file(&folder.path().join("all.c"), &folder.path().join("all"), &[]);
}

/// Whether Fortran has a function too: conversions of handles and statuses are C's alone.
fn is_of_fortran(name: &str) -> bool {
    let conversions = ["toint", "fromint", "f2c", "c2f", "c2f08", "f082c"];
    !name.starts_with("MPI_T_") && !conversions.iter().any(|end| name.ends_with(end))
}

/// A program of Fortran that names all of `names` in statements that begin with `word`.
fn fortran(word: &str, names: &[&str]) {
    let mut text = String::from("program p\n");
    for name in names {
        for prefix in ["", "P"] {
            let _ = writeln!(text, "{word}{prefix}{name}");
        }
    }
    let externals = word.starts_with("external");
    if externals {
        for name in names {
            let _ = writeln!(text, "call touch({name})\ncall touch(P{name})");
        }
    }
    text.push_str("end program\n");
    if externals {
        text.push_str("subroutine touch(x)\nexternal :: x\nend subroutine\n");
    }
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("p.f90"), text).expect("a file");
    compiler(Language::Fortran, folder.path(), &["-w", "p.f90", "-o", "p"]);
}

#[test]
fn a_program_of_fortran_links_with_every_procedure() {
    if !can_run() {
        return;
    }
    let all: Vec<&str> = declared().into_iter().filter(|name| is_of_fortran(name)).collect();
    fortran("external :: ", &all);
    // Those that tell the address have one name in common with the form with large counts.
    let generic = ["detach_c", "detach_buffer_c"];
    let told = |name: &&str| !generic.iter().any(|end| name.ends_with(end));
    let named: Vec<&str> = all.iter().copied().filter(told).collect();
    fortran("use mpi_f08, only: ", &named);
    let modern = ["MPI_Status_f2f08", "MPI_Status_f082f"];
    let small = |name: &&str| !name.ends_with("_c") && !modern.contains(name);
    let old: Vec<&str> = all.iter().copied().filter(small).collect();
    fortran("use mpi, only: ", &old);
}

#[test]
fn constants_of_windows_and_files_are_those_of_the_abi() {
    let lines = "MPI_WIN_NULL == (MPI_Win)0x110 && MPI_FILE_NULL == (MPI_File)0x118\n\
        MPI_MODE_CREATE == 2 && MPI_MODE_RDONLY == 16 && MPI_MODE_WRONLY == 256\n\
        MPI_MODE_NOCHECK == 1024 && MPI_MODE_NOSUCCEED == 16384\n\
        MPI_LOCK_EXCLUSIVE == 301 && MPI_LOCK_SHARED == 302\n\
        MPI_SEEK_CUR == 401 && MPI_SEEK_END == 402 && MPI_SEEK_SET == 403\n\
        MPI_WIN_BASE == 601 && MPI_WIN_MODEL == 605 && MPI_WIN_FLAVOR_SHARED == 314\n\
        MPI_DISPLACEMENT_CURRENT == -1 && MPI_ERR_RMA_SYNC == 50 && MPI_ERR_NO_SUCH_FILE == 42\n\
        MPI_Win_c2f(MPI_WIN_NULL) == 0x110 && MPI_File_f2c(0x118) == MPI_FILE_NULL\n";
    let mut text = String::from("#include <mpi.h>\nint main(void) {\n");
    for (at, line) in lines.lines().enumerate() {
        let _ = writeln!(text, "if (!({line})) return {};", at + 1);
    }
    text.push_str("MPI_Init(0, 0);\nMPI_Finalize();\nreturn 0;\n}\n");
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("values.c"), text).expect("a file");
    let path = folder.path().join("values");
    crate::mpi::compile_file(&folder.path().join("values.c"), &path, &[]);
    let mut compiled = Compiled::new(Output::Print);
    compiled.add(&path, &[], 1).expect("a program");
    let result = simulate(&(Arc::new(compiled) as _), 1, Buffering::infinite());
    assert_eq!(result.ending, Ending::Completed, "{:?}", result.findings);
}

#[test]
fn each_function_is_absent_or_modelled() {
    let modelled = mpi_abi::function::exports();
    for known in mpi_functions::absent() {
        let times = modelled.iter().filter(|(name, _)| *name == known.name).count();
        assert_eq!(times, 1, "{}", known.name);
    }
}
