//! A plan as the source text of a program: the calls that [`interpret`](crate::interpret) makes for
//! each rank, as statements that [`c`] and [`fortran`] print.
//!
//! The statements of a rank compare what it received themselves, so that a difference ends the
//! program with exit code 3 wherever it runs.

mod c;
mod collective;
mod datatype;
mod exchange;
mod fortran;
mod making;
mod many;
mod message;
mod routine;
mod statement;
mod window;

use crate::plan::Plan;

/// The language of a generated program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C11.
    C,
    /// Fortran 2008 with the module `mpi`.
    Fortran,
}

/// Returns the source of a program that runs the plan whose seed is its argument.
pub(crate) fn program(plans: &[Plan], language: Language) -> String {
    match language {
        Language::C => format!("{}{}", include_str!("prelude.c"), c::program(plans)),
        Language::Fortran => fortran::program(plans),
    }
}

/// Returns the C source that Fortran programs are linked with.
pub(crate) fn helpers() -> String {
    format!("{}{}", include_str!("prelude.c"), include_str!("fortran.c"))
}

/// Returns the name of a plan's routine for one rank.
fn routine_name(plan: &Plan, rank: u32) -> String {
    format!("plan_{}_rank_{rank}", plan.seed)
}
