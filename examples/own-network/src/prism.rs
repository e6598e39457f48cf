//! `prism`: two rings, one inside the other, whose nodes are joined in pairs.

use std::f64::consts::TAU;

use windtunnel::network::{
    BadSizes, Labels, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
};

/// The topology `prism`: two rings joined by spokes.
#[derive(Debug)]
pub struct Prism;

impl TopologyKind for Prism {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "prism",
            syntax: "prism[:SIDES]",
            sizes: "SIDES, at least 3",
            summary: "two rings of SIDES nodes joined by spokes; the spoke first",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let sides = sizes.one()?.unwrap_or(needed.div_ceil(2).max(3));
        if sides < 3 {
            return Err(BadSizes);
        }
        Ok(Plan::new(sides, 2 * u64::from(sides), move || Rings { sides }))
    }
}

/// Nodes below `sides` form the outer ring, the others the inner one.
#[derive(Debug)]
struct Rings {
    sides: u32,
}

impl Rings {
    /// Returns the ring, 0 or 1, and the position on it.
    fn place(&self, node: u32) -> (u32, u32) {
        (node / self.sides, node % self.sides)
    }

    fn node(&self, ring: u32, place: u32) -> u32 {
        ring * self.sides + place % self.sides
    }
}

impl Shape for Rings {
    fn nodes(&self) -> u32 {
        2 * self.sides
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let (ring, place) = self.place(vertex);
        vec![
            self.node(ring, place + 1),
            self.node(ring, place + self.sides - 1),
            self.node(1 - ring, place),
        ]
    }

    /// Returns the node across the spoke first, then follows the shorter way round; ties go up.
    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let ((ring, here), (other, there)) = (self.place(at), self.place(target));
        if ring != other {
            return self.node(other, here);
        }
        let ahead = (there + self.sides - here) % self.sides;
        self.node(ring, here + if 2 * ahead <= self.sides { 1 } else { self.sides - 1 })
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let ((ring, here), (other, there)) = (self.place(source), self.place(target));
        let apart = here.abs_diff(there);
        Some(apart.min(self.sides - apart) + u32::from(ring != other))
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        let (ring, place) = self.place(node);
        vec![ring, place]
    }

    /// Cuts both rings.
    fn bisection(&self) -> Option<u64> {
        Some(4.min(u64::from(self.sides)))
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (ring, place) = self.place(vertex);
        let radius = f64::from(self.sides) / TAU + if ring == 0 { 1.0 } else { 0.0 };
        let angle = TAU * f64::from(place) / f64::from(self.sides);
        (radius * angle.sin(), radius * angle.cos())
    }

    fn labels(&self) -> Labels {
        Labels::Nowhere
    }
}

#[cfg(test)]
mod tests {
    use windtunnel::network::{Catalog, Topology};

    use super::*;

    fn build(text: &str) -> Topology {
        let mut catalog = Catalog::standard();
        catalog.add_topology(Prism).expect("the name is free");
        catalog.topology(text).expect("a prism").build(1).expect("it fits")
    }

    #[test]
    fn graph_and_routes_agree() {
        for sides in [3, 4, 5, 8, 11] {
            build(&format!("prism:{sides}")).verify().unwrap_or_else(|fault| panic!("{fault}"));
        }
    }

    #[test]
    fn structure_has_its_closed_forms() {
        for sides in [5u32, 8] {
            let structure = build(&format!("prism:{sides}")).structure();
            assert_eq!((structure.links, structure.degree), (3 * u64::from(sides), 3));
            assert_eq!((structure.diameter, structure.bisection), (sides / 2 + 1, 4));
        }
    }

    #[test]
    fn two_sides_are_no_prism() {
        let mut catalog = Catalog::standard();
        catalog.add_topology(Prism).expect("the name is free");
        let error = catalog.topology("prism:2").expect_err("too few").to_string();
        assert_eq!(error, "the size `2` of topology `prism` is not of the form SIDES, at least 3");
    }
}
