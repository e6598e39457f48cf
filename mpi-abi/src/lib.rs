//! C, C++ and Fortran programs, unmodified: the MPI-5.0 standard ABI on `mpi-api`.
//!
//! Every rank is an image of the program in one process, run on the coroutine of its rank.
//! `loader` makes images, `libc` keeps the state of the C library apart, `site` finds the source
//! line of a call, `wrapper` is the compiler command that builds such programs.
//!
//! A run: [`loader::Program::open`] reads the program once, [`loader::Images::new`] makes room for
//! the ranks of one simulation, [`loader::Images::create`] and [`loader::Image::run`] are called on
//! the coroutine of each rank (`Limits::foreign` of `sim-core`), [`loader::Images::locate`] tells
//! where a signal struck, and [`loader::Images::close`] gives back what abandoned ranks held.
//!
//! A function offered to programs is `extern "C"`, asks [`site::caller`] before anything else,
//! suspends only through [`libc::suspend`], lets no panic out (nothing can unwind through it into
//! a program), and ends a program by [`libc::end`] with nothing of its own left on the stack.
//!
//! All of it is for x86-64 Linux with glibc.

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
mod watch;
pub mod wrapper;
