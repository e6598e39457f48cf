//! Ring all-to-all (textbook).

use crate::collective::{Schedule, Shape};

/// In round k each rank sends to the rank k after it and receives from the rank k before it.
///
/// Cost: (p - 1) (alpha + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    super::one_by_one(shape, |round| (shape.after(round), shape.before(round)))
}
