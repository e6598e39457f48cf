//! Reduce-scatter: all contributions combined, one block of the result on each rank.

pub mod linear;
pub mod pairwise;
pub mod reduce_then_scatter;
