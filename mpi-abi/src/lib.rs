//! Runs unmodified C, C++ and Fortran programs: the MPI-5.0 standard ABI on top of `mpi-api`.
//!
//! Every rank is an image of the program in one process and runs on the coroutine of its rank.
//! `loader` creates images, `libc` gives each rank its own C library state, `site` finds the source
//! line of a call, and `wrapper` is the compiler command that builds such programs.
//!
//! The steps of a run: [`loader::Program::open`] reads the program once, [`loader::Images::new`]
//! reserves memory for the ranks of one simulation, [`loader::Images::create`] and
//! [`loader::Image::run`] are called on the coroutine of each rank (`Limits::foreign` of
//! `sim-core`), [`loader::Images::locate`] finds the rank and line of an address where a signal
//! arrived, and [`loader::Images::close`] releases the memory of abandoned ranks.
//!
//! A function exported to programs is `extern "C"`, calls [`site::caller`] before anything else,
//! suspends only through [`libc::suspend`], and never lets a panic escape, because a panic cannot
//! unwind through it into a program. It ends a program with [`libc::end`], at a point where its own
//! frame owns nothing.
//!
//! The crate supports x86-64 Linux with glibc only.

pub mod constant;
pub mod function;
pub mod launch;
pub mod libc;
pub mod loader;
mod own_source;
pub mod site;
mod state;
mod statement;
mod std_clock;
pub mod std_process;
mod watch;
pub mod wrapper;
