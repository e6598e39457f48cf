//! The kinds of Fortran arguments that follow from declarations in C.

use super::Parameter;

/// Types of handles.
const HANDLES: [&str; 11] = [
    "MPI_Comm",
    "MPI_Datatype",
    "MPI_Errhandler",
    "MPI_File",
    "MPI_Group",
    "MPI_Info",
    "MPI_Message",
    "MPI_Op",
    "MPI_Request",
    "MPI_Session",
    "MPI_Win",
];

/// Returns the kind of argument for a parameter whose type still has its placeholders; `None` if
/// it must be given. Arrays of handles have as many elements as the first argument says.
pub(super) fn kind(parameter: &Parameter) -> Option<String> {
    let whole = parameter.type_name();
    let kind = match whole.as_str() {
        "int *" if parameter.name == "flag" => "FlagOut",
        "int" => "Int",
        "COUNT" => "Value<N>",
        "MPI_Aint" | "MPI_Count" | "MPI_Offset" | "EXTENT" => "Long",
        "const void *" => "Input",
        "void *" => "Output",
        "int *" => "Give<c_int>",
        "COUNT *" => "Give<N>",
        "MPI_Aint *" | "MPI_Count *" | "MPI_Offset *" | "EXTENT *" => "Give<i64>",
        "const int[]" => "Take<c_int>",
        "const COUNT[]" | "const UNIT[]" => "Take<N>",
        "const MPI_Aint[]" | "const EXTENT[]" => "Take<i64>",
        "const int[][3]" | "int[][3]" => "Take<[c_int; 3]>",
        "int[]" => "GiveMany<c_int>",
        "MPI_Aint[]" | "MPI_Count[]" => "GiveMany<i64>",
        "MPI_Status *" => "StatusOut",
        "const MPI_Status *" => "StatusIn",
        "MPI_Status[]" => "Statuses",
        "const char *" | "const char[]" => "Text",
        _ => of_names(parameter)?,
    };
    Some(kind.to_string())
}

/// Returns the kind of a handle, of an array of handles or of a function.
fn of_names(parameter: &Parameter) -> Option<&'static str> {
    let Parameter { kind, dimensions, .. } = parameter;
    let base = kind.trim_start_matches("const ").trim_end_matches(['*', ' ']);
    if HANDLES.contains(&base) {
        return Some(match (dimensions.is_empty(), kind.ends_with('*')) {
            (true, false) => "Object",
            (true, true) => "Variable",
            (false, _) if kind.starts_with("const ") => "Objects<0>",
            (false, _) => "Variables<0>",
        });
    }
    ["_function", "_function_N"].iter().any(|end| base.ends_with(end)).then_some("Procedure")
}
