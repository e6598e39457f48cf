//! Broadcast: the root's bytes on every rank.

use super::{Shape, blocks::single};

pub mod binomial;
pub mod linear;
pub mod scatter_allgather;

/// Bytes broadcast: the root says so in `send`, the others in `receive`.
pub(super) fn bytes(shape: &Shape) -> u64 {
    single(if shape.rank == shape.root { &shape.send } else { &shape.receive })
}
