//! Broadcast: the root's bytes on every rank.

use super::{Shape, blocks::single};

pub mod binomial;
pub mod linear;
mod parts;
pub mod pipelined_chain;
pub mod scatter_recursive_doubling;
pub mod scatter_ring;

/// Returns the bytes broadcast, which the root gives in `send` and the others in `receive`.
pub(super) fn bytes(shape: &Shape) -> u64 {
    single(if shape.rank == shape.root { &shape.send } else { &shape.receive })
}
