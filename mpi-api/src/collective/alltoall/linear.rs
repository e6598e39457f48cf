//! Linear all-to-all: everything posted at once (Thakur, Rabenseifner, Gropp 2005, section 4.2).

use crate::collective::{Schedule, Shape};

/// One round; each rank begins with its right neighbour to spread the load.
///
/// Cost: alpha + (p - 1) (o_s + o_r + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    super::at_once(shape, |turn| turn)
}
