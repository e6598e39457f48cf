//! Scan and exclusive scan: the contributions of the ranks up to, or before, each rank.

use super::{Shape, blocks::single};
use crate::call::CollectiveKind;

pub mod direct;
pub mod linear;
pub mod recursive_doubling;

/// Reports whether a rank's own contribution is part of its result.
pub(super) fn inclusive(shape: &Shape) -> bool {
    shape.kind != CollectiveKind::Exscan
}

/// Returns the size of the result in bytes: rank 0 of an exclusive scan has none.
pub(super) fn result_bytes(shape: &Shape) -> u64 {
    if inclusive(shape) || shape.rank > 0 { single(&shape.send) } else { 0 }
}
