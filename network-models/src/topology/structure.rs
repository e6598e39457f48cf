//! The cost of a topology, and the distances between its nodes.

use super::{Topology, bisection::bisection};

/// Most nodes from which distances are measured.
const SOURCES_MAX: u32 = 1024;

/// Cost and distances of a topology.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Structure {
    /// Number of nodes.
    pub nodes: u32,
    /// Number of switches.
    pub switches: u32,
    /// Number of cables, each of which carries both directions, or one if the shape says so.
    pub links: u64,
    /// Largest number of cables at one vertex.
    pub degree: u32,
    /// Largest number of hops between two nodes.
    pub diameter: u32,
    /// Mean number of hops over all pairs of different nodes.
    pub mean_hops: f64,
    /// Number of cables between two halves that differ by one node at most: the fewest of all halves,
    /// or, of large shapes without a formula, the fewest that were found. The cables of nodes count.
    pub bisection: u64,
}

impl Topology {
    /// Measures cost and distances, by breadth-first search from up to 1,024 nodes spread evenly:
    /// exact up to that size, and close to it above.
    pub fn structure(&self) -> Structure {
        let sources = self.nodes().min(SOURCES_MAX);
        let (mut diameter, mut hops, mut pairs) = (0, 0u64, 0u64);
        for number in 0..u64::from(sources) {
            let source = (number * u64::from(self.nodes()) / u64::from(sources)) as u32;
            for distance in self.distances(source) {
                diameter = diameter.max(distance);
                hops += u64::from(distance);
                pairs += u64::from(distance > 0);
            }
        }
        Structure {
            nodes: self.nodes(),
            switches: self.vertices() - self.nodes(),
            links: u64::from(self.link_count()) / if self.has_one_way_cables() { 1 } else { 2 },
            degree: self.degree(),
            diameter,
            mean_hops: if pairs == 0 { 0.0 } else { hops as f64 / pairs as f64 },
            bisection: bisection(self.shape(), self.graph()),
        }
    }

    /// Reports whether each cable carries one direction only, as those of a butterfly do.
    pub fn has_one_way_cables(&self) -> bool {
        self.shape().is_one_way()
    }

    /// Returns the largest number of cables at one vertex.
    fn degree(&self) -> u32 {
        let mut cables: Vec<u32> =
            (0..self.vertices()).map(|vertex| self.graph().leaving(vertex).len() as u32).collect();
        if self.has_one_way_cables() {
            self.graph().pairs().for_each(|(_, to)| cables[to as usize] += 1);
        }
        cables.into_iter().max().unwrap_or(0)
    }
}
