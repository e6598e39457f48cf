//! Scatter: the root distributes one block to each rank.

pub mod binomial;
pub mod linear;
