//! `windtunnel list functions`: every MPI function, whether it is there, and where the standard
//! defines it. What is there is what programs can link with.

use mpi_abi::function::exports;
use serde_json::{Value, json};

/// Functions that programs may look for in vain: other processes cannot be started.
const ABSENT: [(&str, &str); 10] = [
    ("MPI_Comm_accept", "MPI 5.0, 11.9"),
    ("MPI_Comm_connect", "MPI 5.0, 11.9"),
    ("MPI_Comm_join", "MPI 5.0, 11.10"),
    ("MPI_Comm_spawn", "MPI 5.0, 11.8"),
    ("MPI_Comm_spawn_multiple", "MPI 5.0, 11.8"),
    ("MPI_File_open", "MPI 5.0, 14"),
    ("MPI_Get", "MPI 5.0, 12"),
    ("MPI_Put", "MPI 5.0, 12"),
    ("MPI_T_init_thread", "MPI 5.0, 15.3"),
    ("MPI_Win_create", "MPI 5.0, 12"),
];

/// Beginnings of names, the longest that fits first, with the section of MPI 5.0.
const SECTIONS: [(&str, &str); 62] = [
    ("MPI_Abi_", "20"),
    ("MPI_Abort", "9.3"),
    ("MPI_Add_error", "9.5"),
    ("MPI_Address", "MPI 1, 3.12"),
    ("MPI_Aint", "5.1.5"),
    ("MPI_All", "6.7-6.9"),
    ("MPI_Alloc_mem", "9.2"),
    ("MPI_Attr_", "MPI 1, 5.7"),
    ("MPI_Barrier", "6.3"),
    ("MPI_Bcast", "6.4"),
    ("MPI_Bsend", "3.4"),
    ("MPI_Buffer_", "3.6"),
    ("MPI_Cancel", "3.8.4"),
    ("MPI_Cart", "8.5"),
    ("MPI_Comm_", "7.4"),
    ("MPI_Comm_create_keyval", "7.7"),
    ("MPI_Comm_create_errhandler", "9.3"),
    ("MPI_Comm_set_errhandler", "9.3"),
    ("MPI_Comm_get_errhandler", "9.3"),
    ("MPI_Dims_create", "8.5.2"),
    ("MPI_Dist_graph", "8.5.4"),
    ("MPI_Errhandler_", "9.3"),
    ("MPI_Error_", "9.4"),
    ("MPI_Exscan", "6.11"),
    ("MPI_Finalize", "11.2"),
    ("MPI_Free_mem", "9.2"),
    ("MPI_Gather", "6.5"),
    ("MPI_Get_", "5.1"),
    ("MPI_Get_count", "3.2.5"),
    ("MPI_Get_processor_name", "9.1"),
    ("MPI_Get_version", "9.1"),
    ("MPI_Get_library_version", "9.1"),
    ("MPI_Graph", "8.5.3"),
    ("MPI_Grequest_", "13.2"),
    ("MPI_Group_", "7.3"),
    ("MPI_I", "6.12"),
    ("MPI_Info_", "10"),
    ("MPI_Init", "11.2"),
    ("MPI_Intercomm_", "7.6"),
    ("MPI_Iprobe", "3.8"),
    ("MPI_Irecv", "3.7"),
    ("MPI_Isend", "3.7"),
    ("MPI_Keyval_", "MPI 1, 5.7"),
    ("MPI_M", "3.8.2"),
    ("MPI_Neighbor_", "8.6"),
    ("MPI_Op_", "6.9.5"),
    ("MPI_Pack", "5.2"),
    ("MPI_Pcontrol", "15.2"),
    ("MPI_Probe", "3.8"),
    ("MPI_R", "6.9"),
    ("MPI_Recv", "3.2"),
    ("MPI_Request_", "3.7"),
    ("MPI_Rsend", "3.4"),
    ("MPI_S", "6.6"),
    ("MPI_Send", "3.2"),
    ("MPI_Session_", "11.3"),
    ("MPI_Ssend", "3.4"),
    ("MPI_Start", "3.9"),
    ("MPI_Status_", "3.2.5"),
    ("MPI_T", "3.7"),
    ("MPI_Type_", "5.1"),
    ("MPI_W", "3.7"),
];

/// One function.
pub(super) struct Function {
    pub(super) name: String,
    pub(super) status: &'static str,
    pub(super) standard: String,
}

fn section(name: &str) -> String {
    let fitting = SECTIONS.iter().filter(|(start, _)| name.starts_with(start));
    let found = fitting.max_by_key(|(start, _)| start.len()).map_or("", |(_, section)| section);
    let section = match name {
        "MPI_Unpack" | "MPI_Unpack_c" | "MPI_Unpack_external" | "MPI_Unpack_external_c" => "5.2",
        "MPI_Wtime" | "MPI_Wtick" => "9.6",
        "MPI_Topo_test" => "8.5.5",
        "MPI_Query_thread" => "11.6",
        "MPI_Is_thread_main" => "11.6",
        _ => found,
    };
    if section.starts_with("MPI ") { section.into() } else { format!("MPI 5.0, {section}") }
}

/// All of them, by name.
pub(super) fn all() -> Vec<Function> {
    let there = exports().into_iter().map(|(name, _)| name).filter(|name| name.starts_with("MPI_"));
    let mut functions: Vec<Function> = there
        .map(|name| Function { name: name.into(), status: "supported", standard: section(name) })
        .collect();
    functions.extend(ABSENT.iter().map(|(name, standard)| Function {
        name: (*name).into(),
        status: "absent",
        standard: (*standard).into(),
    }));
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    functions
}

/// As scripts see them.
pub(super) fn json() -> Value {
    let rows: Vec<Value> = all()
        .iter()
        .map(|function| {
            json!({
                "name": function.name,
                "status": function.status,
                "standard": function.standard,
            })
        })
        .collect();
    Value::Array(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_is_listed_once_with_its_section() {
        let functions = all();
        assert!(functions.windows(2).all(|pair| pair[0].name != pair[1].name), "once each");
        for function in &functions {
            assert!(function.standard.len() > "MPI 5.0, ".len() - 3, "{}", function.name);
            assert!(!function.standard.ends_with(", "), "{} has no section", function.name);
        }
    }
}
