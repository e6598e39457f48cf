//! The differential oracle: random programs whose results are known.
//!
//! A plan describes a program. An interpreter in Rust runs it on every kind of machine. The same
//! plan is also written as a program in C or Fortran, for which `windtunnel run`, `check` and
//! `mpiexec` must give the same data, times and verdicts.
//!
//! Reading order: `plan` (a program as data), `generate` (a plan from a seed), `reference` (the
//! expected results), `interpret` (the plan as a program), `sweep` (the machines), `judge` (the
//! checks of a run), `written` (the plan as source text), `compiled` (the command line on the
//! compiled plan), `shrink` (the smallest plan that still fails).

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
pub use generate::{Theme, generate};
pub use plan::Plan;
pub use shrink::shrink;
pub use sweep::{Complaint, Thoroughness, examine};
pub use written::Language;
