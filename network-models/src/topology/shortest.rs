//! Freedom from deadlock of all shortest paths together, whatever is chosen among them.

use super::{ChannelCycle, Dependencies, Distances, Graph, LinkId, Topology};

impl Topology {
    /// Returns a cycle of the channel dependency graph of all shortest paths between nodes with one
    /// virtual channel, or `None` if any choice among them is free from deadlock.
    ///
    /// Complexity: proportional to the number of switches with nodes and nodes that forward packets,
    /// times the links, times the cables at a vertex.
    pub fn shortest_paths_cycle(&self) -> Option<ChannelCycle> {
        let distances = self.all_distances();
        Dependencies::of_shortest_paths(&self.graph, &distances, self.nodes()).cycle(self)
    }

    /// Returns whether any choice among shortest paths is known to be free from deadlock with one
    /// virtual channel.
    pub(crate) fn has_free_shortest_paths(&self) -> bool {
        Dependencies::is_free(&self.graph, &self.all_distances(), self.nodes())
    }
}

impl Dependencies {
    /// Creates the graph of all shortest paths between nodes, with one virtual channel.
    fn of_shortest_paths(graph: &Graph, distances: &Distances, nodes: u32) -> Self {
        let mut dependencies = Self::new(graph, 1);
        // A path to a node with one cable continues one to the vertex at its other end; it adds
        // dependencies on the last cable only, and nothing depends on that one.
        for target in distances.ends(nodes).into_keys() {
            for at in distances.visited(graph, nodes, target) {
                distances.nearer(graph, at, target, |link| {
                    let (_, to) = graph.ends(LinkId(link));
                    if to.0 != target {
                        distances.nearer(graph, to.0, target, |next| {
                            dependencies.depend(link, next);
                        });
                    }
                });
            }
        }
        dependencies
    }

    /// Returns whether any choice among the shortest paths between nodes is free from deadlock with
    /// one virtual channel; `false` also if there is too much to look at.
    pub(super) fn is_free(graph: &Graph, distances: &Distances, nodes: u32) -> bool {
        const WORK_MAX: u64 = 1 << 26;
        let work = distances.ends(nodes).len() as u64 * u64::from(graph.link_count());
        work <= WORK_MAX && !Self::of_shortest_paths(graph, distances, nodes).is_cyclic()
    }
}

#[cfg(test)]
mod tests {
    use crate::topology::{GraphFile, TopologySpec, testing::build};

    #[test]
    fn a_cycle_among_all_shortest_paths_is_named() {
        let listed = |text: &str| {
            let file = GraphFile::parse(text, "test").expect("an edge list");
            TopologySpec::from(file).build(1).expect("it fits")
        };
        let ring = listed("0 1\n1 2\n2 3\n3 4\n4 0\n");
        let cycle = ring.shortest_paths_cycle().expect("a cycle");
        assert_eq!(
            cycle.to_string(),
            "node 0 -> node 4, waits for node 4 -> node 3, waits for node 3 -> node 2, waits for \
             node 2 -> node 1, waits for node 1 -> node 0, waits for the first"
        );
        assert_eq!(listed("0 1\n1 2\n1 3\n").shortest_paths_cycle(), None, "a star");
        let free = |name| build(name).shortest_paths_cycle().is_none();
        assert!(free("fat-tree:4x3") && free("tree:2x4") && free("crossbar:5"));
        assert!(!free("mesh:3x3") && !free("hypercube:3") && !free("ring:5"));
    }
}
