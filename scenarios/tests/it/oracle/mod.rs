//! The differential oracle: random programs whose results are known run on every kind of machine.
//!
//! Reading order: [`plan`] (a program as data), [`generate`] (a plan from a seed), [`reference`]
//! (what must come out), [`interpret`] (the plan as a program), [`sweep`] (the machines),
//! [`judge`] (whether it did), [`shrink`] (the smallest plan that still goes wrong).

mod generate;
mod interpret;
mod judge;
mod layout;
mod plan;
mod reference;
mod shrink;
mod sweep;
mod values;

pub(crate) use generate::generate;
pub(crate) use shrink::shrink;
pub(crate) use sweep::{Thoroughness, examine};
