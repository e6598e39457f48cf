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

    /// Returns the vertex with a name: one that its topology gives it, the number of a node, the number of a switch
    /// as in `s3`, or the name for display with or without coordinates.
    pub fn vertex_named(&self, text: &str) -> Option<VertexId> {
        let has_name = |vertex: &VertexId| {
            self.shape.name(vertex.0).is_some_and(|name| name == text)
                || text.contains(' ') && self.describe(*vertex) == text
        };
        let numbered = || match (text.strip_prefix("node "), text.strip_prefix("switch ")) {
            // The vertices of a node with several NICs have other numbers than the node.
            (Some(number), _) => self.node_numbered(number).filter(|_| self.nics == 1),
            (_, Some(number)) => self.switch_numbered(number),
            (None, None) => self
                .node_numbered(text)
                .or_else(|| text.strip_prefix('s').and_then(|number| self.switch_numbered(number))),
        };
        (0..self.vertices()).map(VertexId).find(has_name).or_else(numbered)
    }

    fn node_numbered(&self, number: &str) -> Option<VertexId> {
        number.parse().ok().filter(|number| *number < self.nodes()).map(VertexId)
    }

    fn switch_numbered(&self, number: &str) -> Option<VertexId> {
        let vertex = number.parse::<u32>().ok()?.checked_add(self.nodes())?;
        (vertex < self.vertices()).then_some(VertexId(vertex))
    }

    /// Returns the names that the topology gives its vertices, if they are more than numbers of nodes.
    pub(crate) fn vertex_names(&self) -> impl Iterator<Item = &str> {
        let own = |vertex: u32| self.shape.name(vertex).filter(|name| *name != vertex.to_string());
        (0..self.vertices()).filter_map(own)
    }

    /// Returns the name of a vertex in files: of a built-in topology the number of a node, and `s` and
    /// the number of a switch.
    pub fn short_name(&self, vertex: VertexId) -> String {
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
