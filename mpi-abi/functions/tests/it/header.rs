//! The prototypes in `mpi.h`.

use mpi_functions::{Function, Parameter, functions};

use crate::{fresh, wrapped};

const BEGIN: &str = "/* Functions: written from functions/data/functions.json. */\n";
const END: &str = "/* End of the functions. */\n";

/// Returns the declaration in C; `prefix` is `P` for the profiling name.
fn prototype(function: &Function, prefix: &str) -> String {
    let Function { name, returns, parameters, .. } = function;
    let space = if returns.ends_with('*') { "" } else { " " };
    let start = format!("{returns}{space}{prefix}{name}(");
    let end = if parameters.is_empty() { "void);" } else { ");" };
    wrapped(start, parameters.iter().map(Parameter::declaration), end, 98)
}

/// Returns the header with today's prototypes between the two lines that mark their place.
fn header(kept: &str) -> String {
    let (before, rest) = kept.split_once(BEGIN).expect("a line begins the functions");
    let (_, after) = rest.split_once(END).expect("a line ends the functions");
    let mut text = before.to_string() + BEGIN;
    for function in functions() {
        let profiled = function.name.starts_with("MPI_");
        for prefix in ["", "P"].iter().take(1 + usize::from(profiled)) {
            text += &prototype(function, prefix);
            text.push('\n');
        }
    }
    text + END + after
}

#[test]
fn the_header_is_fresh() {
    fresh("include/mpi.h", header);
}

#[test]
fn prototypes_are_those_of_the_standard() {
    let find = |name: &str| functions().iter().find(|known| known.name == name).expect("known");
    assert_eq!(
        prototype(find("MPI_File_get_type_extent_c"), "P"),
        "int PMPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count *extent);"
    );
    assert_eq!(prototype(find("MPI_Wtime"), ""), "double MPI_Wtime(void);");
    assert_eq!(
        prototype(find("MPI_Isend"), ""),
        "int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, \
         MPI_Comm comm,\n    MPI_Request *request);"
    );
    assert_eq!(
        prototype(find("MPI_Group_range_incl"), ""),
        "int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup);"
    );
}
