//! One file a command; each returns the exit code.

mod check;
mod compare;
mod compile;
mod functions;
mod list;
mod mpiexec;
mod program;
mod run;
mod validate;

pub(crate) use check::check;
pub(crate) use compare::compare;
pub(crate) use compile::compile;
pub(crate) use list::{explain, list};
pub(crate) use mpiexec::mpiexec;
pub(crate) use run::run;
pub(crate) use validate::validate;
