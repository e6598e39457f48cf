//! Functions of MPI that leave something in the process of the simulator, which another execution in it could notice.

/// Beginnings of their names: files, ports, other programs, tools, and memory that ranks share.
const OUTER: [&str; 10] = [
    "MPI_File_",
    "MPI_Register_datarep",
    "MPI_Comm_spawn",
    "MPI_Open_port",
    "MPI_Publish_name",
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_join",
    "MPI_Win_allocate_shared",
    "MPI_T_",
];

/// Reports whether a function reaches beyond the simulation.
pub(super) fn reaches_out(name: &str) -> bool {
    OUTER.iter().any(|outer| is_of(name, outer))
}

/// Reports whether a name is that of a function of MPI whose name in C begins like this: in C or Fortran, or of its
/// profiling interface.
pub(super) fn is_of(name: &str, function: &str) -> bool {
    let plain = name.strip_prefix(['P', 'p']).unwrap_or(name);
    plain.get(..function.len()).is_some_and(|start| start.eq_ignore_ascii_case(function))
}

#[cfg(test)]
mod tests {
    use super::reaches_out;

    #[test]
    fn what_reaches_beyond_the_simulation_is_known_by_its_name() {
        for name in [
            "PMPI_File_open",
            "MPI_Win_allocate_shared",
            "MPI_T_init_thread",
            "mpi_file_open_",
            "pmpi_comm_spawn_",
        ] {
            assert!(reaches_out(name), "{name}");
        }
        for name in ["MPI_Send", "PMPI_Win_allocate", "printf", "mpi_send_"] {
            assert!(!reaches_out(name), "{name}");
        }
    }
}
