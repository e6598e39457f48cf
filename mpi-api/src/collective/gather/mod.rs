//! Gather: every rank's block on the root, in rank order.

pub mod binomial;
pub mod linear;
