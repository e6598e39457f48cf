//! Pairwise all-to-all (Thakur, Rabenseifner, Gropp 2005, section 4.2; textbook).

use crate::collective::{Schedule, Shape};

/// Requires a power of two of ranks. In round k each rank exchanges with the one whose number differs in
/// the bits of k.
///
/// Cost: (p - 1) (alpha + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    super::one_by_one(shape, |round| (shape.rank ^ round, shape.rank ^ round))
}
