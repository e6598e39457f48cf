//! Pairwise all-to-all (Thakur, Rabenseifner, Gropp 2005, section 4.2; textbook).

use crate::collective::{Schedule, Shape};

/// In round k each rank exchanges with the one whose number differs in the bits of k; if the number
/// of ranks is not a power of two, the rounds are those of the ring algorithm.
///
/// Cost: (p - 1) (alpha + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    if !shape.size.is_power_of_two() {
        return super::ring::schedule(shape);
    }
    super::one_by_one(shape, |round| (shape.rank ^ round, shape.rank ^ round))
}
