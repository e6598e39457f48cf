//! The table of exported functions, with the types of C.

use mpi_functions::{Function, Parameter, functions};

use crate::{fresh, wrapped};

const START: &str = "\
//! The functions that programs may call, with the types of their arguments: a function whose
//! signature is not that of `mpi.h` does not compile.
//!
//! Written from `functions/data/functions.json` by the tests of `mpi-functions`.

use std::ffi::{c_char, c_int, c_void};

use super::*;
use crate::constant::Handle;

exports! {
";

/// Returns the Rust type of a C type without pointers. A function that the program passes may have
/// any type.
fn base(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "void" => "c_void",
        "char" => "c_char",
        "int" | "MPI_Fint" => "c_int",
        "double" => "f64",
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" => "i64",
        "MPI_T_cb_safety" | "MPI_T_source_order" => "c_int",
        "MPI_Status" | "MPI_F08_status" => "status::Status",
        handle if handle.starts_with("MPI_") && !handle.ends_with("_function") => "Handle",
        _ => return None,
    })
}

/// Returns the Rust type of a parameter.
fn rust(parameter: &Parameter) -> String {
    let Parameter { kind, dimensions, .. } = parameter;
    let (constant, plain) = match kind.strip_prefix("const ") {
        Some(rest) => (true, rest),
        None => (false, kind.as_str()),
    };
    let stars = plain.matches('*').count();
    let name = plain.trim_end_matches(['*', ' ']);
    if name.contains("_function") {
        return "_".to_string();
    }
    let base = base(name).unwrap_or_else(|| panic!("no Rust type for `{kind}`"));
    // MPI only reads arrays of two dimensions, of which C cannot say so.
    let constant = constant || dimensions.contains("[3]");
    let element =
        dimensions.matches("[3]").fold(base.to_string(), |base, _| format!("[{base}; 3]"));
    let depth = stars + dimensions.matches("[]").count();
    let pointer = if constant { "*const " } else { "*mut " };
    pointer.repeat(depth) + &element
}

/// Returns one row of the table.
fn row(function: &Function, path: &str) -> String {
    let returns = match function.returns.as_str() {
        "void" => String::new(),
        other => format!(
            " -> {}",
            rust(&Parameter {
                kind: other.to_string(),
                name: String::new(),
                dimensions: String::new(),
            })
        ),
    };
    let parameters = function.parameters.iter().take(function.takes);
    let parameters = parameters.filter(|parameter| parameter.kind != "...");
    let start = format!("    \"{}\" = {path}: (", function.name);
    wrapped(start, parameters.map(rust), &format!("){returns};"), 98)
}

#[test]
fn the_exports_are_fresh() {
    fresh("src/function/table.rs", |_| {
        let rows = functions().iter().map(|function| {
            let row = match &function.implementation {
                Some(path) => row(function, path),
                None => format!("    \"{}\" = unmodelled::stop: () -> c_int;", function.name),
            };
            row.replace("\n    ", "\n        ") + "\n"
        });
        START.to_string() + &rows.collect::<String>() + "}\n"
    });
}
