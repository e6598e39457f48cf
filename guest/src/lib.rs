//! Runs compiled programs as processes of `sim-core`: unmodified C, C++ and Fortran executables,
//! many at once in one process. Of MPI it knows only the names in [`interface`].
//!
//! Every rank is an image of the program and runs on a coroutine. `loader` creates images, `libc`
//! gives each rank its own C library state, `site` finds the source line of a call, `memory` the
//! variable or heap block that holds an address, `watch` closes pages while a program runs, `openmp`
//! takes the place of the run-time library of OpenMP, and `wrapper` is the compiler command that
//! builds such programs. The functions that a program may call beyond the C library are given by the
//! owner as [`loader::Exports`], and the services that the C library needs (time, output, threads) as
//! [`libc::Host`].
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

mod debugger;
pub mod interface;
pub mod libc;
pub mod loader;
pub mod memory;
mod openmp;
mod own_source;
mod replacement;
pub mod running;
pub mod site;
mod statement;
mod std_clock;
pub mod watch;
pub mod wrapper;

pub use replacement::Replacements;
pub use statement::{arguments as arguments_of_call, is_fortran, is_temporary};

/// Returns all functions of this crate that take the place of functions of the C library and of OpenMP.
pub fn replacements() -> Replacements {
    let waiting = libc::waiting().into_iter().chain(openmp::waiting());
    let others = libc::replacements().chain(openmp::replacements());
    Replacements { waiting: waiting.collect(), others: others.collect() }
}
