//! The commands, one module each; every command returns its exit code.

mod calibrate;
mod check;
mod compare;
mod compile;
mod explain;
mod functions;
mod list;
mod machine;
mod man;
mod mpiexec;
mod policies;
mod profiling;
pub(crate) mod program;
mod recording;
mod repetitions;
mod replay;
mod run;
mod schema;
pub(crate) mod trace;
mod trace_file;
mod traffic;
mod tune;
mod validate;
mod what_if;
mod wrappers;

pub(crate) use calibrate::calibrate;
pub(crate) use check::check;
pub(crate) use compare::{Study, compare};
pub(crate) use compile::compile;
pub(crate) use explain::explain;
pub(crate) use list::list;
pub(crate) use machine::machine;
pub(crate) use man::man;
pub(crate) use mpiexec::{mpiexec, srun};
pub(crate) use replay::replay;
pub(crate) use run::run;
#[cfg(test)]
pub(crate) use schema::SCHEMAS;
pub(crate) use schema::schema;
pub(crate) use traffic::traffic;
pub(crate) use tune::tune;
pub(crate) use validate::validate;
pub(crate) use wrappers::{command_of, wrappers};
