//! Programs of `ctest` on coroutines: contents page.

mod collective;
mod contained;
mod coverage;
mod each_rank;
mod errors;
mod fault;
mod files;
mod fortran;
mod harness;
mod image;
mod language;
mod libc;
mod mpi;
mod names;
mod object;
mod one_sided;
mod openmp;
mod process;
mod sequences;
mod site;
mod spawn;
mod thread;
mod wrapper;
