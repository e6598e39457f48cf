//! A plan as the source of a program: what each rank of [`interpret`](crate::interpret) calls,
//! written down as statements that [`c`] and [`fortran`] print.
//!
//! The statements of a rank check what it received themselves, so that a difference ends the
//! program with exit code 3 wherever it runs.

mod c;
mod collective;
mod datatype;
mod exchange;
mod making;
mod many;
mod message;
mod routine;
mod statement;

pub(crate) use c::program as c_program;

use crate::plan::Plan;

/// The name of a plan's routine for one rank.
fn routine_name(plan: &Plan, rank: u32) -> String {
    format!("plan_{}_rank_{rank}", plan.seed)
}
