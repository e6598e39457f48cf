//! `star`: node 0 in the middle of all others.

use super::{BadSizes, Plan, Shape, Sizes, TopologyDescription, TopologyKind, shape::on_circle};

/// The topology `star`: node 0 is adjacent to all others.
#[derive(Debug)]
pub(super) struct Star;

impl TopologyKind for Star {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "star",
            syntax: "star[:NODES]",
            sizes: "NODES",
            summary: "node 0 in the middle of all others",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let nodes = sizes.one()?.unwrap_or(needed);
        Ok(Plan::new(nodes, nodes.into(), move || Hub { nodes }))
    }
}

/// Node 0 is the hub.
#[derive(Debug)]
struct Hub {
    nodes: u32,
}

impl Shape for Hub {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        if vertex == 0 { (1..self.nodes).collect() } else { vec![0] }
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        if at == 0 { target } else { 0 }
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some(match (source, target) {
            (a, b) if a == b => 0,
            (0, _) | (_, 0) => 1,
            _ => 2,
        })
    }

    fn bisection(&self) -> Option<u64> {
        Some(u64::from(self.nodes / 2))
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        if vertex == 0 { (0.0, 0.0) } else { on_circle(vertex, self.nodes) }
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{check, verify};

    #[test]
    fn closed_forms() {
        for p in [2u32, 5, 16] {
            let mean = 2.0 * f64::from(p - 1) / f64::from(p);
            let diameter = if p > 2 { 2 } else { 1 };
            check(&format!("star:{p}"), u64::from(p) - 1, p - 1, diameter, mean, u64::from(p / 2));
        }
    }

    #[test]
    fn routes() {
        verify(&["star:1", "star:2", "star:5"]);
    }
}
