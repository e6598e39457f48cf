//! Scatter: one block of the root's for each rank.

pub mod binomial;
pub mod linear;
