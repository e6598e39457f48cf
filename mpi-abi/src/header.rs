//! The C header that programs include.

/// The text of `mpi.h`.
pub const HEADER: &str = include_str!("../include/mpi.h");
