//! The kinds of Fortran arguments that follow from declarations in C.

use super::{Function, Parameter};

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

impl Function {
    /// Reports whether MPI keeps a buffer beyond the call (MPI 19.1.17): operations that are started or initialised,
    /// attached memory, addresses, and one-sided communication (chapter 12).
    pub fn keeps_buffers(&self) -> bool {
        let is_nonblocking = || {
            let mut letters = self.name.trim_start_matches("MPI_").chars();
            letters.next() == Some('I') && letters.next().is_some_and(char::is_lowercase)
        };
        let ends =
            ["_init", "_attach", "_attach_buffer", "Get_address", "MPI_Address", "_begin", "_end"];
        let small = self.name.strip_suffix("_c").unwrap_or(&self.name);
        let is_of_file = || small.contains("_iread") || small.contains("_iwrite");
        is_nonblocking()
            || ends.iter().any(|end| small.ends_with(end))
            || is_of_file()
            || self.section.starts_with("12.")
    }
}

#[cfg(test)]
mod tests {
    use crate::functions;

    #[test]
    fn buffers_of_operations_that_go_on_are_kept() {
        let kept = [
            "MPI_Isend",
            "MPI_Irecv_c",
            "MPI_Psend_init",
            "MPI_Comm_attach_buffer_c",
            "MPI_Put_c",
            "MPI_File_iread_at",
            "MPI_File_write_all_end",
        ];
        let others = ["MPI_Send", "MPI_Recv_c", "MPI_File_read", "MPI_Reduce_local"];
        let found = |name: &str| functions().iter().find(|known| known.name == name);
        let is_kept = |name: &str| found(name).expect("a function of MPI").keeps_buffers();
        for name in kept {
            assert!(is_kept(name), "{name}");
        }
        for name in others {
            assert!(!is_kept(name), "{name}");
        }
    }
}
