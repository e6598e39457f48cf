//! The table of Fortran procedures.

use mpi_functions::{Function, Parameter, Procedure, Status, functions};

use crate::{fresh, wrapped};

const START: &str = "\
//! The procedures of Fortran: names, arguments, and the functions that implement them. An argument
//! whose kind does not give what the function takes does not compile.
//!
//! Written from `functions/data/functions.json` by the tests of `mpi-functions`.

use std::ffi::c_int;

use super::{Row, argument::*, entry::Wrap};
use crate::function::*;

procedures! {
";

/// Returns what stands after the arguments of a procedure: whether MPI keeps its buffers.
fn kept(function: &Function) -> &'static str {
    if function.keeps_buffers() { " kept" } else { "" }
}

/// Returns the row of a procedure that is modelled.
fn modelled(function: &Function, procedure: &Procedure) -> String {
    let arguments = procedure.arguments.iter().map(|(name, kind)| format!("{name}: {kind}"));
    let end = format!("){} = {};", kept(function), procedure.implementation);
    wrapped(format!("    \"{}\"(", function.name), arguments, &end, 98)
}

/// Returns the declaration in the modules of a parameter of a function that is not modelled.
fn shape(Parameter { kind, name, .. }: &Parameter) -> &'static str {
    let plain = kind.trim_start_matches("const ").trim_end_matches(['*', ' ']);
    match plain {
        "void" if ["extra_state", "attribute_val"].contains(&&**name) => "Plain(\"integer(8)\")",
        "void" => "Buffer",
        "char" => "Plain(\"character(*)\")",
        "int" if name == "flag" => "Plain(\"logical\")",
        "int" => "Plain(\"integer\")",
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" => "Plain(\"integer(8)\")",
        "MPI_Status" => "Status",
        _ if plain.contains("_function") => "Plain(\"external\")",
        _ => "Handle",
    }
}

/// Returns the row of a procedure that is not modelled; its arguments follow from those of C.
fn absent(function: &Function) -> String {
    let arguments = function
        .parameters
        .iter()
        .map(|parameter| format!("{}: {}", parameter.name, shape(parameter)));
    wrapped(format!("    \"{}\"[", function.name), arguments, &format!("]{};", kept(function)), 98)
}

#[test]
fn the_procedures_are_fresh() {
    fresh("src/function/fortran/table.rs", |_| {
        let rows = functions().iter().filter_map(|function| {
            let row = match &function.procedure {
                Some(procedure) => modelled(function, procedure),
                None if function.status == Status::Absent => absent(function),
                None => return None,
            };
            Some(row.replace("\n    ", "\n        ") + "\n")
        });
        START.to_string() + &rows.collect::<String>() + "}\n"
    });
}
