//! `planes`: several equal networks side by side, joined at the nodes only.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::{
    Axes, BadSizes, Graph, Labels, LinkId, LinkNumbers, Plan, Shape, Sizes, TopologyDescription,
    TopologyKind, bisection::bisection, distances::spread_bits,
};

/// Most planes of a topology.
const PLANES_MAX: u32 = 64;

/// Name, syntax and summary of the topologies of several planes.
pub(crate) const PLANES: TopologyDescription = TopologyDescription {
    name: "planes",
    syntax: "planes:N[:RULE]*TOPOLOGY",
    sizes: "N:RULE*TOPOLOGY, with 1 to 64 planes, by-pair or round-robin, and a topology or file:PATH",
    summary: "N equal networks; each pair of nodes uses one, by a hash, or with RULE round-robin the \
              messages of a node use them in turn; a node has a port in each; virtual channels of the \
              topology",
};

/// The rule by which messages are spread over planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaneRule {
    /// All messages of a pair of nodes use one plane, by a hash.
    ByPair,
    /// The messages of a node use the planes in turn.
    RoundRobin,
}

impl PlaneRule {
    fn named(name: &str) -> Option<Self> {
        [Self::ByPair, Self::RoundRobin].into_iter().find(|rule| rule.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::ByPair => "by-pair",
            Self::RoundRobin => "round-robin",
        }
    }

    /// Returns what follows the number of planes: nothing for the default.
    fn suffix(self) -> &'static str {
        match self {
            Self::ByPair => "",
            Self::RoundRobin => ":round-robin",
        }
    }
}

/// A number of planes and how messages are spread over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneSet {
    count: u32,
    rule: PlaneRule,
}

impl PlaneSet {
    /// Divides what follows `planes:`, as in `2:round-robin*mesh:8x8`, into planes and the topology of
    /// each; `None` if it is not of that form.
    pub fn split(text: &str) -> Option<(Self, &str)> {
        let (planes, inner) = text.split_once('*')?;
        let (count, rule) = match planes.split_once(':') {
            Some((count, rule)) => (count, PlaneRule::named(rule)?),
            None => (planes, PlaneRule::ByPair),
        };
        let count = count.parse().ok().filter(|count| (1..=PLANES_MAX).contains(count))?;
        Some((Self { count, rule }, inner))
    }
}

/// A topology of several planes.
#[derive(Debug)]
pub(crate) struct PlanesKind {
    planes: PlaneSet,
    inner: Arc<dyn TopologyKind>,
}

impl PlanesKind {
    pub(crate) fn new(planes: PlaneSet, inner: Arc<dyn TopologyKind>) -> Self {
        Self { planes, inner }
    }
}

impl TopologyKind for PlanesKind {
    fn description(&self) -> TopologyDescription {
        TopologyDescription { sizes: self.inner.description().sizes, ..PLANES }
    }

    fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
        let (plan, set) = (self.inner.plan(sizes, needed)?, self.planes);
        let (nodes, cables, build, origin) = (plan.nodes, plan.cables, plan.build, plan.origin);
        let PlaneSet { count, rule } = set;
        let inner = self.inner.description().name;
        let name = format!("{count}{}*{inner}:{}", rule.suffix(), plan.sizes);
        let planes = Plan::new(name, nodes, move || Planes::new(set, build()));
        Ok(planes.with_cables(cables.saturating_mul(count.into())).with_origin(origin))
    }
}

/// Copies of a shape that share its nodes. The switches of the first plane come first, then those of
/// the second and so on; a cable between two nodes is there once for each plane.
#[derive(Debug)]
struct Planes {
    count: u32,
    rule: PlaneRule,
    inner: Arc<dyn Shape>,
    /// The graph of one plane.
    graph: Graph,
    /// The names of the switches, if those of one plane have any.
    names: Vec<Option<String>>,
}

impl Planes {
    fn new(PlaneSet { count, rule }: PlaneSet, inner: Arc<dyn Shape>) -> Self {
        let graph = Graph::of(&*inner);
        let switches = inner.nodes()..inner.vertices();
        let name = |plane: u32, switch| Some(format!("{}@{plane}", inner.name(switch)?));
        let names = (0..count).flat_map(|plane| switches.clone().map(move |at| (plane, at)));
        let names = names.map(|(plane, switch)| name(plane, switch)).collect();
        Self { count, rule, inner, graph, names }
    }

    /// Returns the copy in a plane of a link of one plane.
    fn link(&self, graph: &Graph, link: LinkId, plane: u32) -> LinkId {
        let (from, to) = self.graph.ends(link);
        let cables = self.graph.cables(from.0, to.0);
        let direct = from.0.max(to.0) < self.nodes();
        let before = if direct { plane * cables.len() as u32 } else { 0 };
        let first = graph.link(self.copy(from.0, plane), self.copy(to.0, plane)).0;
        LinkId(first + before + link.0 - cables.start)
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
        self.count * self.inner.rails().max(1)
    }

    fn turns(&self) -> u32 {
        match self.rule {
            PlaneRule::ByPair => 1,
            PlaneRule::RoundRobin => self.count,
        }
    }

    fn route_in_turn(
        &self,
        graph: &Graph,
        (source, target): (u32, u32),
        turn: u32,
        route: &mut Vec<LinkId>,
    ) {
        let plane = match self.rule {
            PlaneRule::ByPair => self.plane(source, target),
            PlaneRule::RoundRobin => turn,
        };
        let first = route.len();
        self.inner.route(&self.graph, source, target, route);
        for link in &mut route[first..] {
            *link = self.link(graph, *link, plane);
        }
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
        self.link(graph, link, plane)
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

    fn longest_route(&self) -> Option<u32> {
        self.inner.longest_route()
    }

    fn name(&self, vertex: u32) -> Option<&str> {
        match vertex.checked_sub(self.nodes()) {
            None => self.inner.name(vertex),
            Some(switch) => self.names[switch as usize].as_deref(),
        }
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

    /// Halves of the nodes of one plane are halves of all, whose switches are where those of that plane are.
    fn bisection(&self) -> Option<u64> {
        Some(bisection(&*self.inner, &self.graph) * u64::from(self.count))
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
