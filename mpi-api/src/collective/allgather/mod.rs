//! Allgather: every rank's block on every rank, in rank order.

pub mod bruck;
pub mod gather_broadcast;
pub mod linear;
pub mod neighbor_exchange;
pub mod recursive_doubling;
pub mod ring;
