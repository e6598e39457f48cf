//! Strided all-to-all: everything posted at once, in an order that uses links of all directions at any time.
//!
//! In the order of the linear algorithm all ranks begin with the links to one side, and the last messages are the only ones
//! for the links to the other: on a torus this takes up to half as long again. Programs on Blue Gene/L sent in a random
//! order for that reason (Kumar, Sabharwal, Garg, Heidelberger 2008); multiples of a stride need no randomness.

use crate::collective::{Schedule, Shape};

/// One round, as in the linear algorithm. From one message to the next each rank goes on by a stride near the golden
/// section of the ranks, whose multiples are spread evenly.
///
/// Cost: alpha + (p - 1) (o_s + o_r + m beta), m bytes a block.
pub fn schedule(shape: &Shape) -> Schedule {
    let (size, stride) = (u64::from(shape.size), u64::from(stride(shape.size)));
    super::at_once(shape, |turn| (u64::from(turn) * stride % size) as u32)
}

/// Returns the smallest number from 0.382 `size` on that shares no factor with `size`: its multiples reach every rank.
fn stride(size: u32) -> u32 {
    let least = (u64::from(size) * 382 / 1000).max(1) as u32;
    let is_coprime = |stride: &u32| {
        let (mut a, mut b) = (*stride, size);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a == 1
    };
    (least..size).find(is_coprime).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_multiples_of_a_stride_reach_every_rank() {
        assert_eq!([1, 2, 3, 4, 6, 64, 1000].map(stride), [1, 1, 1, 1, 5, 25, 383]);
        for size in 1..200 {
            let mut reached: Vec<u32> = (0..size).map(|turn| turn * stride(size) % size).collect();
            reached.sort_unstable();
            assert_eq!(reached, (0..size).collect::<Vec<_>>());
        }
    }
}
