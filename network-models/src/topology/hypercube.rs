//! `hypercube`: 2^d nodes, joined where their numbers differ in one bit.

use super::{
    Axes, AxisMetric, BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
};

/// Largest dimension.
const DIMENSION_MAX: u32 = 22;

/// The topology `hypercube`: nodes are adjacent if their numbers differ in one bit.
#[derive(Debug)]
pub(super) struct Hypercube;

impl TopologyKind for Hypercube {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "hypercube",
            syntax: "hypercube[:DIMENSION]",
            sizes: "DIMENSION, up to 22",
            summary: "2^d nodes, e-cube routing",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let dimension = match sizes.0 {
            Some("0") => 0,
            _ => sizes.one()?.unwrap_or(u32::BITS - (needed - 1).leading_zeros()),
        };
        if dimension > DIMENSION_MAX && sizes.0.is_some() {
            return Err(BadSizes);
        }
        Ok(Plan::new(dimension, 1 << dimension, move || Cube { dimension }))
    }
}

/// Routing is e-cube: differing bits are corrected from the lowest up.
#[derive(Debug)]
struct Cube {
    dimension: u32,
}

impl Shape for Cube {
    fn nodes(&self) -> u32 {
        1 << self.dimension
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        (0..self.dimension).map(|bit| vertex ^ (1 << bit)).collect()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        at ^ (1 << (at ^ target).trailing_zeros())
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some((source ^ target).count_ones())
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        (0..self.dimension).rev().map(|bit| node >> bit & 1).collect()
    }

    fn axes(&self) -> Option<Axes> {
        Some(Axes { sizes: vec![2; self.dimension as usize], metric: AxisMetric::Lines })
    }

    fn bisection(&self) -> Option<u64> {
        Some(if self.dimension == 0 { 0 } else { 1 << (self.dimension - 1) })
    }

    /// Draws each bit as a step to the right or up, slightly slanted from the third bit on.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (mut x, mut y) = (0.0, 0.0);
        for bit in (0..self.dimension).filter(|bit| vertex >> bit & 1 == 1) {
            let reach = 1.0 + 1.35 * f64::from(bit / 2 * (bit / 2 + 1) / 2 + bit / 2);
            let lean = 0.28 * f64::from(bit / 2);
            let (right, up) = if bit % 2 == 0 { (reach, lean) } else { (lean, reach) };
            x += right;
            y += up;
        }
        (x, y)
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{build, check, different, verify};

    #[test]
    fn closed_forms() {
        for d in [1u32, 2, 3, 6, 10] {
            let nodes = 1u32 << d;
            let links = u64::from(nodes / 2 * d);
            let mean = different(f64::from(d) / 2.0, nodes);
            check(&format!("hypercube:{d}"), links, d, d, mean, u64::from(nodes / 2));
        }
        check("hypercube:0", 0, 0, 0, 0.0, 0);
    }

    #[test]
    fn routes_correct_the_lowest_bit_first() {
        verify(&["hypercube:0", "hypercube:1", "hypercube:4"]);
        let cube = build("hypercube:3");
        let path = |at, target| cube.shape().next_hop(at, target);
        assert_eq!([path(0, 6), path(2, 6), path(5, 6)], [2, 6, 4]);
    }
}
