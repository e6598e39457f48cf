//! `table`: routes that a file lists.

use std::{collections::BTreeMap, sync::Arc};

use super::{Decision, Hop, Queues, Routing, RoutingDescription, RoutingKind, deadlock};
use crate::{
    network::NodeId,
    topology::{LinkId, Topology, VertexId, spread_bits},
};

/// Most nodes of a topology with listed routes, since there is one for each pair.
const NODES_MAX: u32 = 4096;

/// The routing `table`: a route for each pair of nodes.
///
/// A line holds the vertices of a route: its source, its target, and then those between them in
/// order. A node of a built-in topology is named by its number, a switch by `s` and its number; those
/// of a file by their names there. `#` starts a comment.
#[derive(Clone, Debug)]
pub struct RouteTable {
    name: String,
    /// Line numbers and vertices.
    lines: Arc<[(usize, Vec<String>)]>,
}

/// Why a text is not a table of routes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line}: expected `SOURCE TARGET VIA…`, the two ends of a route and the vertices between"
)]
pub struct RouteTableError {
    /// The number of the line, from 1.
    pub line: usize,
}

impl RouteTable {
    /// Reads the lines of a table. `name` is for messages, such as the file's path. The routes are
    /// checked when the topology is known.
    ///
    /// # Errors
    /// Returns an error if a line has fewer than two vertices.
    pub fn parse(text: &str, name: &str) -> Result<Self, RouteTableError> {
        let mut lines = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            let words = text.split('#').next().unwrap_or_default().split_whitespace();
            match words.map(str::to_owned).collect::<Vec<_>>() {
                words if words.is_empty() => {}
                words if words.len() == 1 => return Err(RouteTableError { line }),
                words => lines.push((line, words)),
            }
        }
        Ok(Self { name: name.to_owned(), lines: lines.into() })
    }

    /// Returns the routes on a topology.
    fn resolve(&self, topology: &Topology) -> Result<Routes, String> {
        let nodes = topology.nodes();
        if nodes > NODES_MAX {
            return Err(format!("has a route for each pair of at most {NODES_MAX} nodes"));
        }
        let names: BTreeMap<String, u32> =
            (0..topology.vertices()).map(|at| (topology.short_name(VertexId(at)), at)).collect();
        let mut routes = Routes { links: Vec::new(), places: BTreeMap::new() };
        let mut lines: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for (line, words) in self.lines.iter() {
            let bad =
                |reason: String| format!("cannot follow {}: line {line}: {reason}", self.name);
            let vertex = |word: &String| {
                names.get(word).copied().ok_or_else(|| {
                    let last = topology.short_name(VertexId(topology.vertices() - 1));
                    let first = topology.short_name(VertexId(0));
                    let of = topology.name();
                    bad(format!("{of} has no vertex `{word}`; there are {first} to {last}"))
                })
            };
            let (source, target) = (vertex(&words[0])?, vertex(&words[1])?);
            if source == target || source >= nodes || target >= nodes {
                return Err(bad("a route leads from a node to another one".into()));
            }
            if let Some(before) = lines.insert((source, target), *line) {
                return Err(bad(format!("line {before} has the route of these nodes already")));
            }
            let first = routes.links.len();
            let inner = words[2..].iter().map(vertex).collect::<Result<Vec<u32>, _>>()?;
            let mut at = source;
            for (to, place) in inner.iter().chain([&target]).zip(0u64..) {
                if !topology.graph().neighbours(at).contains(to) {
                    let (from, to) = (VertexId(at), VertexId(*to));
                    let (from, to) = (topology.short_name(from), topology.short_name(to));
                    return Err(bad(format!("no cable leads from `{from}` to `{to}`")));
                }
                if *to != target && !topology.forwards(VertexId(*to)) {
                    let name = topology.short_name(VertexId(*to));
                    return Err(bad(format!("node `{name}` forwards no packets")));
                }
                let cables = topology.graph().cables(at, *to);
                let pair = spread_bits(u64::from(source)) ^ u64::from(target);
                let hash = spread_bits(spread_bits(pair) ^ place) % cables.len() as u64;
                routes.links.push(LinkId(cables.start + hash as u32));
                at = *to;
            }
            routes.places.insert((source, target), (first, routes.links.len()));
        }
        let pairs =
            (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))).filter(|(a, b)| a != b);
        let missing: Vec<(u32, u32)> = pairs.filter(|pair| !lines.contains_key(pair)).collect();
        if let Some((source, target)) = missing.first() {
            let (source, target) = (VertexId(*source), VertexId(*target));
            return Err(format!(
                "has no route from `{}` to `{}` in {}, and none for {} pairs of nodes in all",
                topology.short_name(source),
                topology.short_name(target),
                self.name,
                missing.len()
            ));
        }
        Ok(routes)
    }

    /// Returns the routes with the classes of their hops.
    fn listed(&self, topology: &Topology) -> Listed {
        let routes =
            self.resolve(topology).unwrap_or_else(|reason| panic!("routing `table` {reason}"));
        let mut listed = Listed { routes: Arc::new(routes), by_hop: false };
        listed.by_hop = deadlock::cycle(topology, &listed, 1).is_some();
        listed
    }
}

impl RoutingKind for RouteTable {
    fn description(&self) -> RoutingDescription {
        RoutingDescription {
            name: "table",
            summary: "the route that a file has for each pair of nodes",
            channels: "1 where the routes have no cycle of dependencies; else one for each hop",
            source: "the user",
        }
    }

    /// # Panics
    /// Panics if the table does not fit the topology.
    fn classes(&self, topology: &Topology) -> u32 {
        let listed = self.listed(topology);
        if listed.by_hop { listed.routes.longest() } else { 1 }
    }

    fn fits(&self, topology: &Topology) -> Result<(), String> {
        self.resolve(topology).map(drop)
    }

    fn decides(&self) -> Decision {
        Decision::ByPair
    }

    /// # Panics
    /// Panics if the table does not fit the topology.
    fn on(&self, topology: &Arc<Topology>, _: u64) -> Box<dyn Routing> {
        Box::new(self.listed(topology))
    }
}

#[derive(Debug)]
struct Routes {
    links: Vec<LinkId>,
    /// The range of the links of each pair.
    places: BTreeMap<(u32, u32), (usize, usize)>,
}

impl Routes {
    /// Returns the links of the route of a pair; none of a node to itself.
    fn of(&self, source: NodeId, target: NodeId) -> &[LinkId] {
        if source == target {
            return &[];
        }
        let (first, end) = self.places[&(source.0, target.0)];
        &self.links[first..end]
    }

    fn longest(&self) -> u32 {
        self.places.values().map(|(first, end)| (end - first) as u32).max().unwrap_or(1)
    }
}

#[derive(Debug)]
struct Listed {
    routes: Arc<Routes>,
    /// Whether the class of a hop is its number.
    by_hop: bool,
}

impl Listed {
    fn hops(&self, source: NodeId, target: NodeId) -> impl Iterator<Item = Hop> {
        let class = |hop| if self.by_hop { hop } else { 0 };
        let links = (0..).zip(self.routes.of(source, target));
        links.map(move |(hop, link)| Hop { link: *link, class: class(hop) })
    }
}

impl Routing for Listed {
    fn path(&mut self, source: NodeId, target: NodeId, _: &dyn Queues, path: &mut Vec<Hop>) {
        path.extend(self.hops(source, target));
    }

    fn paths(&self, source: NodeId, target: NodeId, visit: &mut dyn FnMut(&[Hop])) {
        let path: Vec<Hop> = self.hops(source, target).collect();
        visit(&path);
    }
}
