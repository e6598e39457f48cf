//! Reduce: all contributions combined, on the root.

pub mod binomial;
pub(super) mod halving;
pub mod linear;
pub mod rabenseifner;
