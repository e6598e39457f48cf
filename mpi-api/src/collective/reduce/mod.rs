//! Reduce: all contributions combined, on the root.

pub mod binomial;
pub mod linear;
