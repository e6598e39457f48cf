//! The MPI-5.0 standard ABI on top of `mpi-api`, for unmodified C, C++ and Fortran programs.
//!
//! The crate `guest` loads and runs the programs; this crate exports the functions of MPI to them.
//! `function` converts the arguments of a call and makes the calls of `mpi-api`, `state` keeps the
//! objects that a rank's handles refer to, `constant` holds the values of `mpi.h`, and `launch`
//! runs programs in a simulation.

pub mod constant;
pub mod function;
mod header;
pub mod host_file;
pub mod launch;
mod memory;
mod purpose;
mod state;
pub mod std_process;
