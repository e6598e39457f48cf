//! [`Fabric`]: routers, and the channels between them and the nodes.

use crate::{
    network::NodeId,
    topology::{LinkId, Topology, VertexId},
};

/// What is at an end of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A node, which sends or consumes flits.
    Node(NodeId),
    /// A port of a router, numbered among those of its direction.
    Router { router: u32, port: u32 },
}

/// A directed channel, which carries one flit in each cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) from: End,
    pub(super) to: End,
    /// Cycles that a flit is on the way.
    pub(super) wire: u32,
}

impl Channel {
    /// Returns whether one of its ends is a node.
    pub(super) fn is_of_node(&self) -> bool {
        matches!((self.from, self.to), (End::Node(_), _) | (_, End::Node(_)))
    }
}

/// The channels at the ports of a router.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
}

/// The channels of a topology. The first ones are its links, with their numbers; the others join
/// the nodes that forward packets to the routers inside them.
///
/// A switch is a router. A node is a router, too, unless it is a host ([`Topology::is_host`]): then
/// its cable brings its flits to the router of the switch.
#[derive(Debug)]
pub(super) struct Fabric {
    pub(super) channels: Vec<Channel>,
    pub(super) routers: Vec<Ports>,
    /// The vertex of each router.
    pub(super) vertices: Vec<VertexId>,
    /// For each node: the channel by which its flits enter the network.
    pub(super) entries: Vec<u32>,
    /// For each node: the channel from the router inside it, if it has one.
    pub(super) exits: Vec<Option<u32>>,
}

impl Fabric {
    /// Creates the fabric of a topology whose links are as many cycles long as `wire` returns. The
    /// channels inside nodes are one cycle long.
    pub(super) fn new(topology: &Topology, wire: impl Fn(LinkId) -> u32) -> Self {
        let nodes = topology.nodes();
        let is_router = |vertex: u32| vertex >= nodes || !topology.is_host(NodeId(vertex));
        let mut numbers = vec![None; topology.vertices() as usize];
        let vertices: Vec<VertexId> =
            (0..topology.vertices()).filter(|vertex| is_router(*vertex)).map(VertexId).collect();
        for (number, vertex) in (0..).zip(&vertices) {
            numbers[vertex.0 as usize] = Some(number);
        }
        let mut fabric = Self {
            channels: Vec::new(),
            routers: vec![Ports::default(); vertices.len()],
            vertices,
            entries: vec![0; nodes as usize],
            exits: vec![None; nodes as usize],
        };
        for link in (0..topology.link_count()).map(LinkId) {
            let (from, to) = topology.link_ends(link);
            let place = |vertex: u32| numbers[vertex as usize].ok_or(NodeId(vertex));
            fabric.join(place(from.0), place(to.0), wire(link));
        }
        for node in (0..nodes).map(NodeId) {
            if let Some(router) = numbers[node.0 as usize] {
                fabric.join(Err(node), Ok(router), 1);
                let exit = fabric.join(Ok(router), Err(node), 1);
                fabric.exits[node.0 as usize] = Some(exit);
            }
        }
        fabric
    }

    /// Adds a channel between routers, or a node and a router.
    fn join(&mut self, from: Result<u32, NodeId>, to: Result<u32, NodeId>, wire: u32) -> u32 {
        let number = self.channels.len() as u32;
        let plug = |ports: &mut Vec<u32>, router| {
            ports.push(number);
            End::Router { router, port: ports.len() as u32 - 1 }
        };
        let from = match from {
            Ok(router) => plug(&mut self.routers[router as usize].outputs, router),
            Err(node) => {
                self.entries[node.0 as usize] = number;
                End::Node(node)
            }
        };
        let to = match to {
            Ok(router) => plug(&mut self.routers[router as usize].inputs, router),
            Err(node) => End::Node(node),
        };
        self.channels.push(Channel { from, to, wire });
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;

    fn fabric(text: &str) -> Fabric {
        let spec = Catalog::standard().topology(text).expect("a topology");
        Fabric::new(&spec.build(1).expect("it can be built"), |_| 3)
    }

    #[test]
    fn nodes_that_forward_have_routers_and_hosts_have_none() {
        let (mesh, tree) = (fabric("mesh:2x3"), fabric("fat-tree:2x2"));
        assert_eq!((mesh.routers.len(), mesh.channels.len()), (6, 14 + 12));
        assert_eq!((tree.routers.len(), tree.channels.len()), (4, 16));
        assert!(tree.exits.iter().all(Option::is_none));
        assert_eq!(tree.channels[tree.entries[3] as usize].from, End::Node(NodeId(3)));
        let (inward, outward) = (mesh.entries[5], mesh.exits[5].expect("a router"));
        assert_eq!(mesh.channels[inward as usize].from, End::Node(NodeId(5)));
        assert_eq!(mesh.channels[outward as usize].to, End::Node(NodeId(5)));
        assert_eq!((mesh.channels[inward as usize].wire, mesh.channels[0].wire), (1, 3));
        // Corner, edge: links and the channel of the node.
        assert_eq!([0, 1].map(|router: usize| mesh.routers[router].inputs.len()), [3, 4]);
    }
}
