//! The differential oracle: random programs whose results are known.
//!
//! A plan is run on every kind of machine by an interpreter in Rust, and written out as a program
//! in C or Fortran, which `windtunnel run`, `check` and `mpiexec` must give the same data, times
//! and verdicts.
//!
//! Reading order: `plan` (a program as data), `generate` (a plan from a seed), `reference`
//! (what must come out), `interpret` (the plan as a program), `sweep` (the machines),
//! `judge` (whether it did), `written` (the plan as source text), `compiled` (what the
//! command line makes of that), `shrink` (the smallest plan that still goes wrong).

mod compiled;
mod generate;
mod interpret;
mod judge;
mod layout;
mod plan;
mod reference;
mod shrink;
mod sweep;
mod values;
mod written;

pub use compiled::{AS_WINDTUNNEL, Form, Tool, examine_in_all, examine_in_one, source};
pub use generate::generate;
pub use plan::Plan;
pub use shrink::shrink;
pub use sweep::{Complaint, Thoroughness, examine};
pub use written::Language;
