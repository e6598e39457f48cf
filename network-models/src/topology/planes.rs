//! `planes`: several equal networks side by side, joined at the nodes only.

use std::sync::Arc;

use super::{
    Axes, BadSizes, Graph, Labels, LinkId, LinkNumbers, Plan, Shape, Sizes, TopologyDescription,
    TopologyKind, distances::spread_bits,
};

/// Most planes of a topology.
const PLANES_MAX: u32 = 64;

/// Name, syntax and summary of the topologies of several planes.
pub(crate) const PLANES: TopologyDescription = TopologyDescription {
    name: "planes",
    syntax: "planes:N*TOPOLOGY",
    sizes: "N*TOPOLOGY, with 1 to 64 planes of any topology but those of files",
    summary: "N equal networks, of which each pair of nodes uses one, by a hash; a node has a port in \
              each; virtual channels of the topology",
};

/// A topology of several planes.
#[derive(Debug)]
pub(crate) struct PlanesKind {
    count: u32,
    inner: Arc<dyn TopologyKind>,
}

impl PlanesKind {
    /// Divides what follows `planes:` into the number of planes and the topology of each.
    pub(crate) fn split(text: &str) -> Option<(u32, &str)> {
        let (count, inner) = text.split_once('*')?;
        let count = count.parse().ok().filter(|count| (1..=PLANES_MAX).contains(count))?;
        Some((count, inner))
    }

    pub(crate) fn new(count: u32, inner: Arc<dyn TopologyKind>) -> Self {
        Self { count, inner }
    }
}

impl TopologyKind for PlanesKind {
    fn description(&self) -> TopologyDescription {
        TopologyDescription { sizes: self.inner.description().sizes, ..PLANES }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (plan, count) = (self.inner.plan(sizes, needed)?, self.count);
        let (nodes, cables, build) = (plan.nodes, plan.cables, plan.build);
        let name = format!("{count}*{}:{}", self.inner.description().name, plan.sizes);
        let planes = Plan::new(name, nodes, move || Planes::new(count, build()));
        Ok(planes.with_cables(cables.saturating_mul(count.into())))
    }
}

/// Copies of a shape that share its nodes. The switches of the first plane come first, then those of
/// the second and so on; a cable between two nodes is there once for each plane.
#[derive(Debug)]
struct Planes {
    count: u32,
    inner: Arc<dyn Shape>,
    /// The graph of one plane.
    graph: Graph,
}

impl Planes {
    fn new(count: u32, inner: Arc<dyn Shape>) -> Self {
        let graph = Graph::of(&*inner);
        Self { count, inner, graph }
    }

    fn switches(&self) -> u32 {
        self.inner.vertices() - self.inner.nodes()
    }

    /// Returns the vertex of one plane that a vertex is a copy of, and its plane if it is a switch.
    fn place(&self, vertex: u32) -> (u32, Option<u32>) {
        let nodes = self.inner.nodes();
        match vertex.checked_sub(nodes) {
            None => (vertex, None),
            Some(switch) => (nodes + switch % self.switches(), Some(switch / self.switches())),
        }
    }

    /// Returns the copy of a vertex in a plane.
    fn copy(&self, vertex: u32, plane: u32) -> u32 {
        if vertex < self.inner.nodes() { vertex } else { vertex + plane * self.switches() }
    }

    /// Returns the plane of the packets of a pair.
    fn plane(&self, source: u32, target: u32) -> u32 {
        let hash = spread_bits(spread_bits(u64::from(source)) ^ u64::from(target));
        (hash % u64::from(self.count)) as u32
    }
}

impl Shape for Planes {
    fn nodes(&self) -> u32 {
        self.inner.nodes()
    }

    fn vertices(&self) -> u32 {
        self.nodes() + self.count * self.switches()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let (at, plane) = self.place(vertex);
        let planes = plane.map_or(0..self.count, |plane| plane..plane + 1);
        let beside = self.graph.neighbours(at);
        planes.flat_map(|plane| beside.iter().map(move |next| self.copy(*next, plane))).collect()
    }

    fn cables(&self, from: u32, to: u32) -> u32 {
        let ((from, one), (to, other)) = (self.place(from), self.place(to));
        let planes = if one.or(other).is_some() { 1 } else { self.count };
        self.graph.cables(from, to).len() as u32 * planes
    }

    fn link_numbers(&self, from: u32, to: u32, cable: u32) -> LinkNumbers {
        let ((from, _), (to, _)) = (self.place(from), self.place(to));
        let cables = self.graph.cables(from, to).len() as u32;
        self.inner.link_numbers(from, to, cable % cables)
    }

    fn rails(&self) -> u32 {
        self.count
    }

    fn forwards(&self, vertex: u32) -> bool {
        self.inner.forwards(self.place(vertex).0)
    }

    fn is_one_way(&self) -> bool {
        self.inner.is_one_way()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (inside, plane) = self.place(at);
        let plane = plane.unwrap_or_else(|| self.plane(at, target));
        self.copy(self.inner.next_hop(inside, target), plane)
    }

    fn next_link(&self, graph: &Graph, source: u32, at: u32, target: u32) -> LinkId {
        let (inside, plane) = self.place(at);
        let plane = plane.unwrap_or_else(|| self.plane(source, target));
        let link = self.inner.next_link(&self.graph, self.place(source).0, inside, target);
        let next = self.graph.ends(link).1.0;
        let cables = self.graph.cables(inside, next);
        let before = if next.max(inside) < self.nodes() { plane * cables.len() as u32 } else { 0 };
        let first = graph.link(at, self.copy(next, plane)).0;
        LinkId(first + before + link.0 - cables.start)
    }

    fn channels(&self) -> u32 {
        self.inner.channels()
    }

    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        self.inner.channel(self.place(source).0, self.place(at).0, target)
    }

    fn is_free_from_deadlock(&self) -> Option<bool> {
        self.inner.is_free_from_deadlock()
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        self.inner.hops(source, target)
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        self.inner.coordinates(node)
    }

    fn axes(&self) -> Option<Axes> {
        self.inner.axes()
    }

    fn groups(&self) -> Option<u32> {
        self.inner.groups()
    }

    fn is_equidistant(&self) -> bool {
        self.inner.is_equidistant()
    }

    fn bisection(&self) -> Option<u64> {
        Some(self.inner.bisection()? * u64::from(self.count))
    }

    /// Switches of the planes are drawn beside each other.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let (inside, plane) = self.place(vertex);
        let (x, y) = self.inner.layout(inside);
        let aside = f64::from(plane.unwrap_or(0)) / f64::from(self.count);
        (x + aside / 2.0, y + aside)
    }

    fn labels(&self) -> Labels {
        self.inner.labels()
    }

    fn wraps(&self, from: u32, to: u32) -> bool {
        self.inner.wraps(self.place(from).0, self.place(to).0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sim_core::SimTime;

    use super::super::testing::{build, structure, verify};
    use crate::{
        catalog::Catalog,
        model,
        network::{NodeId, Transfer, TransferId},
        topology::{GraphFile, LinkId, Topology, TopologySpec},
    };

    #[test]
    fn planes_are_sound_and_as_long_as_one() {
        verify(&[
            "planes:2*fat-tree:4x2",
            "planes:3*torus:3x4",
            "planes:2*crossbar:5",
            "planes:4*dragonfly:2x4x2x5",
            "planes:2*omega:2x3",
            "planes:1*tree:2x3",
        ]);
        for name in ["fat-tree:4x2", "torus:4x5", "dragonfly:2x4x2x5"] {
            let (one, two) = (structure(name), structure(&format!("planes:2*{name}")));
            assert_eq!((two.nodes, two.links), (one.nodes, 2 * one.links), "{name}");
            assert_eq!((two.diameter, two.mean_hops), (one.diameter, one.mean_hops), "{name}");
            assert_eq!(two.switches, 2 * one.switches, "{name}");
            assert_eq!(build(&format!("planes:2*{name}")).deadlock(), None, "{name}");
        }
        assert_eq!(build("planes:2*hypercube:3").name(), "planes:2*hypercube:3");
    }

    #[test]
    fn pairs_are_spread_over_planes_and_ports() {
        for name in ["planes:4*crossbar:32", "planes:4*torus:4x8"] {
            let topology = build(name);
            assert_eq!(topology.rails(), 4, "{name}");
            let mut used = [0u32; 4];
            for (source, target) in (0..32).flat_map(|a| (0..32).map(move |b| (a, b))) {
                let mut links: Vec<LinkId> = Vec::new();
                topology.route(NodeId(source), NodeId(target), &mut links);
                let [first, .., last] = links[..] else { continue };
                let out = topology.rail(first, NodeId(source));
                assert_eq!(out, topology.rail(last, NodeId(target)), "{name}: one plane");
                used[out as usize] += 1;
            }
            let all: u32 = used.iter().sum();
            assert!(
                used.iter().all(|times| (all / 5..=all / 3).contains(times)),
                "{name}: {used:?}"
            );
        }
    }

    /// Returns when the last of the messages of node 0 to all others arrives. Units: picoseconds.
    fn makespan(topology: &Arc<Topology>, model: &str) -> u64 {
        let hardware = model::test_hardware(0, 1);
        let kind = Catalog::standard().model(model).expect("a model");
        kind.check(&hardware, topology).expect("it fits");
        let mut network = kind.build(&hardware, topology);
        let mut last = SimTime::ZERO;
        for target in 1..topology.nodes() {
            let (source, target) = (NodeId(0), NodeId(target));
            let transfer =
                Transfer { id: TransferId(target.0.into()), source, target, bytes: 100_000 };
            let arrival = network.inject(SimTime::ZERO, transfer).arrival();
            last = arrival.map_or(last, |arrival| last.max(arrival));
        }
        let network = network.event_driven().expect("it has links");
        let mut reports = Vec::new();
        while let Some(next) = network.next_time() {
            network.advance(next, &mut reports);
        }
        reports.iter().map(|report| report.time).fold(last, SimTime::max).as_ps()
    }

    #[test]
    fn each_port_sends_at_the_rate_of_a_port() {
        let file = "switch a b\n".to_owned()
            + &(0..65).map(|node| format!("{node} a\n{node} b\n")).collect::<String>();
        let file = GraphFile::parse(&file, "rails").expect("a graph");
        let rails = Arc::new(TopologySpec::from(file).build(1).expect("it fits"));
        let [one, two] = ["crossbar:65", "planes:2*crossbar:65"].map(|name| Arc::new(build(name)));
        for model in ["link", "fluid", "packet"] {
            // 64 messages of 100 us, of which 32 or a few more take the same port.
            let alone = makespan(&one, model);
            assert!((6_400_000_000..6_410_000_000).contains(&alone), "{model}: {alone}");
            for topology in [&two, &rails] {
                let shared = makespan(topology, model);
                let expected = 3_200_000_000..4_210_000_000;
                assert!(expected.contains(&shared), "{model}, {}: {shared}", topology.name());
            }
        }
    }

    #[test]
    fn sizes() {
        for text in [
            "planes",
            "planes:2",
            "planes:0*ring",
            "planes:65*ring",
            "planes:2*donut",
            "planes:2*mesh:0x1",
            "planes:2*planes:2*ring",
            "planes:x*ring",
        ] {
            assert!(text.parse::<TopologySpec>().is_err(), "{text}");
        }
        let spec: TopologySpec = "planes:2*mesh".parse().expect("a topology");
        assert_eq!(spec.build(12).expect("it fits").name(), "planes:2*mesh:3x4");
    }
}
