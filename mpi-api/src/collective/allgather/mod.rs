//! Allgather: every rank's block on every rank, in rank order.

pub mod bruck;
pub mod linear;
pub mod recursive_doubling;
pub mod ring;
