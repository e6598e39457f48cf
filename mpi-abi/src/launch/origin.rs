//! How a program of the run was started, as its ranks can query it.

use std::path::PathBuf;

/// The placement that a launcher or a spawn asked for; programs can query it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the host.
    pub host: Option<String>,
    /// The architecture.
    pub arch: Option<String>,
    /// A file with further placement information (key `file` of MPI section 11.8.4).
    pub file: Option<String>,
    /// The working folder of the program, if it differs from the simulator's.
    pub folder: Option<PathBuf>,
    /// Environment variables that differ from the simulator's; `None` removes one.
    pub variables: Vec<(String, Option<String>)>,
}

/// The start of one program of the run, as its ranks can query it.
#[derive(Clone, Default)]
pub(crate) struct Start {
    /// Position among the programs started together (`MPI_APPNUM`).
    pub(crate) number: i32,
    pub(crate) command: String,
    /// Largest number of ranks that was requested, and the list of acceptable numbers (key `soft`),
    /// if the program was spawned.
    pub(crate) asked: Option<(u32, String)>,
    /// Number of its `MPI_COMM_WORLD`; 0 is the one that the launcher started.
    pub(crate) group: u32,
    pub(crate) origin: Origin,
}
