//! How vertices and links are named and drawn.

use super::{Labels, LinkId, Topology, VertexId};
use crate::network::NodeId;

impl Topology {
    /// Returns the name of a link for display, as in `node 5 (1,1) -> switch 2`; of several parallel ones
    /// with its number among them, from 1, as in `switch 0 -> switch 2 (cable 3)`.
    pub fn describe_link(&self, link: LinkId) -> String {
        let (from, to) = self.link_ends(link);
        let names = format!("{} -> {}", self.describe(from), self.describe(to));
        let cables = self.graph.cables(from.0, to.0);
        match cables.len() {
            1 => names,
            _ => format!("{names} (cable {})", link.0 - cables.start + 1),
        }
    }

    /// Returns the name of a vertex for display, as in `node 5 (1,1)`.
    pub fn describe(&self, vertex: VertexId) -> String {
        let is_node = vertex.0 < self.nodes();
        if let Some(name) = self.shape.name(vertex.0) {
            return format!("{} {name}", if is_node { "node" } else { "switch" });
        }
        if !is_node {
            return format!("switch {}", vertex.0 - self.nodes());
        }
        if self.nics > 1 {
            return format!("node {} nic {}", vertex.0 / self.nics, vertex.0 % self.nics);
        }
        let coordinates: Vec<String> =
            self.coordinates(NodeId(vertex.0)).iter().map(u32::to_string).collect();
        match coordinates.len() {
            1 => format!("node {}", vertex.0),
            _ => format!("node {} ({})", vertex.0, coordinates.join(",")),
        }
    }

    /// Returns the label of a node's vertex in drawings: its number, or with several NICs per node the node and its
    /// NIC, as in `1.0` for `node 1 nic 0`.
    pub fn label(&self, vertex: VertexId) -> String {
        match self.nics > 1 && self.shape.name(vertex.0).is_none() {
            true => format!("{}.{}", vertex.0 / self.nics, vertex.0 % self.nics),
            false => vertex.0.to_string(),
        }
    }

    /// Returns the name of a vertex in files: of a built-in topology the number of a node, and `s` and
    /// the number of a switch.
    pub(crate) fn short_name(&self, vertex: VertexId) -> String {
        match self.shape.name(vertex.0) {
            Some(name) => name.to_owned(),
            None if vertex.0 < self.nodes() => vertex.0.to_string(),
            None => format!("s{}", vertex.0 - self.nodes()),
        }
    }

    /// Returns where to draw a vertex, in units of the distance between neighbours.
    pub fn layout(&self, vertex: VertexId) -> (f64, f64) {
        self.shape.layout(vertex.0)
    }

    /// Returns where a drawing has the numbers of its nodes.
    pub fn labels(&self) -> Labels {
        self.shape.labels()
    }

    /// Returns whether a link leaves the drawing at one side and enters it at the other.
    pub fn wraps(&self, link: LinkId) -> bool {
        let (from, to) = self.link_ends(link);
        self.shape.wraps(from.0, to.0)
    }
}
