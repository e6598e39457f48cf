//! `file`: any connected graph of nodes, from a list of cables.

use super::{
    BadSizes, Graph, Plan, Shape, Sizes, TopologyDescription, TopologyKind, kind::NODES_MAX,
};

/// Largest number of nodes of an edge list, since a next hop is stored for every pair of nodes.
pub(crate) const LISTED_MAX: u32 = 1 << 13;
/// Marks a node that has no next hop yet.
const NONE: u16 = u16::MAX;

/// A list of cables: one line `a b` for each; `#` starts a comment.
#[derive(Clone, Debug)]
pub struct EdgeList {
    nodes: u32,
    cables: Vec<(u32, u32)>,
}

/// Why a text is not a valid edge list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EdgeListError {
    /// A line, counted from 1, is malformed.
    #[error("line {0}: expected two different node numbers")]
    Line(usize),
    /// There are more nodes than routes can be stored for.
    #[error("the edge list has {0} nodes, and at most {LISTED_MAX} are possible")]
    TooLong(u32),
    /// The graph is not connected.
    #[error("the edge list is not connected: node {0} cannot be reached from node 0")]
    Disconnected(u32),
}

impl EdgeList {
    /// Reads an edge list. Nodes are numbered from 0 to the largest number in the list.
    ///
    /// # Errors
    /// Returns an error if a line is malformed, or the graph is too large or not connected.
    pub fn parse(text: &str) -> Result<Self, EdgeListError> {
        let mut cables = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let ends: Option<Vec<u32>> =
                line.split_whitespace().map(|end| end.parse().ok()).collect();
            match ends.as_deref() {
                Some([a, b]) if a != b && *a < NODES_MAX && *b < NODES_MAX => cables.push((*a, *b)),
                _ => return Err(EdgeListError::Line(number + 1)),
            }
        }
        let nodes = cables.iter().map(|(a, b)| a.max(b) + 1).max();
        let list = Self { nodes: nodes.ok_or(EdgeListError::Line(1))?, cables };
        if list.nodes > LISTED_MAX {
            return Err(EdgeListError::TooLong(list.nodes));
        }
        match list.graph().distances(0).iter().position(|distance| *distance == u32::MAX) {
            Some(node) => Err(EdgeListError::Disconnected(node as u32)),
            None => Ok(list),
        }
    }

    fn graph(&self) -> Graph {
        let mut neighbours = vec![Vec::new(); self.nodes as usize];
        for (a, b) in &self.cables {
            neighbours[*a as usize].push(*b);
            neighbours[*b as usize].push(*a);
        }
        Graph::new(self.nodes, |node| neighbours[node as usize].clone())
    }
}

impl TopologyKind for EdgeList {
    fn description(&self) -> TopologyDescription {
        TopologyDescription {
            name: "file",
            syntax: "file:PATH",
            sizes: "PATH",
            summary: "the graph of an edge list, a line `a b` for each cable; shortest routes",
        }
    }

    fn plan(&self, _: Sizes, _: u32) -> Result<Plan, BadSizes> {
        let list = self.clone();
        Ok(Plan::new(self.nodes, self.nodes.into(), move || Listed::new(list.graph(), list.nodes)))
    }
}

/// Shortest routes over any graph, from a table.
#[derive(Debug)]
struct Listed {
    graph: Graph,
    nodes: u32,
    /// The next hop from `from` to `to`, at `to * nodes + from`.
    next: Vec<u16>,
}

impl Listed {
    /// Computes the routes: backwards from each target, in breadth-first order, a node's next hop
    /// is the first neighbour that was reached.
    fn new(graph: Graph, nodes: u32) -> Self {
        let size = nodes as usize;
        let mut next = vec![NONE; size * size];
        for target in 0..nodes {
            let row = &mut next[target as usize * size..(target as usize + 1) * size];
            row[target as usize] = target as u16;
            for at in graph.breadth_first(target) {
                for from in graph.neighbours(at) {
                    let hop = &mut row[*from as usize];
                    if *hop == NONE {
                        *hop = at as u16;
                    }
                }
            }
        }
        Self { graph, nodes, next }
    }
}

impl Shape for Listed {
    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        self.graph.neighbours(vertex).to_vec()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        self.next[target as usize * self.nodes as usize + at as usize].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{Topology, TopologySpec};

    fn build(text: &str) -> Result<Topology, EdgeListError> {
        let spec = TopologySpec::from(EdgeList::parse(text)?);
        Ok(spec.build(1).expect("it fits"))
    }

    #[test]
    fn the_petersen_graph() {
        // 3-regular, diameter 2, 6 of 9 others at distance 2.
        let list = "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n";
        let topology = build(list).expect("an edge list");
        topology.verify().expect("sound");
        assert_eq!(topology.name(), "file:10");
        let s = topology.structure();
        assert_eq!((s.nodes, s.links, s.degree, s.diameter), (10, 15, 3, 2));
        assert!((s.mean_hops - 15.0 / 9.0).abs() < 1e-9);
    }

    #[test]
    fn routes_of_equal_length_go_by_the_neighbour_that_a_search_from_the_target_reaches_first() {
        // Two routes around a square: from 0 to 3 via 1 or via 2.
        let square = build("0 1\n0 2\n1 3\n2 3\n").expect("an edge list");
        assert_eq!([square.shape().next_hop(0, 3), square.shape().next_hop(3, 0)], [1, 1]);
    }

    #[test]
    fn malformed_lists_are_refused_with_their_line() {
        let error = |text| build(text).map(drop);
        assert_eq!(error("0 1\n1 x\n"), Err(EdgeListError::Line(2)));
        assert_eq!(error("0 1\n\n# x\n2 2\n"), Err(EdgeListError::Line(4)), "a loop");
        assert_eq!(error("0 1 2\n"), Err(EdgeListError::Line(1)));
        assert_eq!(error("# nothing\n"), Err(EdgeListError::Line(1)));
        assert_eq!(error("0 1\n2 3\n"), Err(EdgeListError::Disconnected(2)));
        assert_eq!(error("0 9000\n"), Err(EdgeListError::TooLong(9001)));
        let ring = build("0 1\n1 2 # a comment\n2 0\n").expect("a ring");
        assert_eq!(ring.structure().diameter, 1);
    }
}
