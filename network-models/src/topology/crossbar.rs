//! `crossbar`: all nodes around one switch.

use super::{
    BadSizes, Graph, LinkId, Plan, Shape, Sizes, TopologyDescription, TopologyKind,
    shape::on_circle,
};

/// The topology `crossbar`: all nodes around one ideal switch.
#[derive(Debug)]
pub(super) struct Crossbar;

impl TopologyKind for Crossbar {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "crossbar",
            syntax: "crossbar[:NODES]",
            sizes: "NODES",
            summary: "all nodes around one ideal switch",
        }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let nodes = sizes.one()?.unwrap_or(needed);
        Ok(Plan::new(nodes, nodes.into(), move || Switch { nodes }))
    }
}

/// The vertex after the nodes is the switch.
#[derive(Debug)]
struct Switch {
    nodes: u32,
}

impl Shape for Switch {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn vertices(&self) -> u32 {
        self.nodes + 1
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        if vertex == self.nodes { (0..self.nodes).collect() } else { vec![self.nodes] }
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        if at == self.nodes { target } else { self.nodes }
    }

    /// The crossbar is the most frequent topology, so its route is computed without searching for
    /// links: the one link of each node comes before those of the switch.
    fn route(&self, _: &Graph, source: u32, target: u32, route: &mut Vec<LinkId>) {
        if source != target {
            route.extend([LinkId(source), LinkId(self.nodes + target)]);
        }
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        Some(if source == target { 0 } else { 2 })
    }

    fn is_equidistant(&self) -> bool {
        true
    }

    fn bisection(&self) -> Option<u64> {
        Some(u64::from(self.nodes / 2))
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        if vertex == self.nodes { (0.0, 0.0) } else { on_circle(vertex, self.nodes) }
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::testing::{check, verify};

    #[test]
    fn closed_forms() {
        for p in [2u32, 5, 16] {
            check(&format!("crossbar:{p}"), p.into(), p, 2, 2.0, u64::from(p / 2));
        }
    }

    #[test]
    fn routes() {
        verify(&["crossbar:1", "crossbar:2", "crossbar:6"]);
    }
}
