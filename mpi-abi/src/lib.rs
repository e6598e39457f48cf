//! C, C++ and Fortran programs, unmodified: the MPI-5.0 standard ABI on `mpi-api`.
//!
//! Every rank is an image of the program in one process, run on the coroutine of its rank.
//! `loader` makes images, `libc` keeps the state of the C library apart, `site` finds the source
//! line of a call, `wrapper` is the compiler command that builds such programs.
//!
//! All of it is for x86-64 Linux with glibc.

pub mod libc;
pub mod loader;
pub mod site;

pub mod wrapper;
