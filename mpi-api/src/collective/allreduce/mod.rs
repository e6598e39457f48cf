//! Allreduce: all contributions combined, on every rank.

pub mod linear;
pub mod rabenseifner;
pub mod recursive_doubling;
pub mod reduce_broadcast;
pub mod ring;
