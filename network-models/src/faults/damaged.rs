//! [`Damaged`]: a topology some of whose links are cut or slow.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    topology::{Axes, Distances, Graph, Labels, LinkId, LinkNumbers, Shape},
    units::Bandwidth,
};

/// A shape without some of its links. Routes are those of the shape itself as long as they cross no
/// cut link. Others follow shortest paths on what is left, to the neighbour with the lowest number
/// of several, until the shape's own route is whole again.
///
/// A route ends: on a shortest path the distance falls with each hop, and a route of the shape that
/// is whole stays whole. Links keep their numbers; no route leads over a cut one.
#[derive(Debug)]
pub(super) struct Damaged {
    inner: Arc<dyn Shape>,
    graph: Graph,
    /// Pairs of vertices whose cables are cut, in both orders.
    cut: BTreeSet<(u32, u32)>,
    /// Rates of slow links, in both orders.
    slow: BTreeMap<(u32, u32), Bandwidth>,
    left: Graph,
    distances: Distances,
}

impl Damaged {
    pub(super) fn new(
        inner: Arc<dyn Shape>,
        graph: Graph,
        cut: BTreeSet<(u32, u32)>,
        slow: BTreeMap<(u32, u32), Bandwidth>,
    ) -> Self {
        let vertices = inner.vertices();
        let left = graph.without(vertices, &cut);
        let distances = Distances::new(&left, vertices, |vertex| inner.forwards(vertex));
        Self { inner, graph, cut, slow, left, distances }
    }

    /// Returns the length of the shortest path that is left; `u32::MAX` if there is none.
    fn hops_from(&self, at: u32, target: u32) -> u32 {
        // A target whose only cable is cut has no row of its own.
        if at != target && self.left.neighbours(target).is_empty() {
            return u32::MAX;
        }
        let forwards = at == target || self.inner.forwards(at);
        if forwards { self.distances.between(at, target) } else { u32::MAX }
    }

    /// Returns whether one of some links is cut.
    fn crosses_cut(&self, graph: &Graph, links: &[LinkId]) -> bool {
        let is_cut = |link: &LinkId| {
            let (from, to) = graph.ends(*link);
            self.cut.contains(&(from.0, to.0))
        };
        !self.cut.is_empty() && links.iter().any(is_cut)
    }

    /// Returns whether the shape's own route from `at` on crosses no cut link.
    fn is_whole(&self, source: u32, at: u32, target: u32) -> bool {
        let mut at = at;
        while at != target {
            let link = self.inner.next_link(&self.graph, source, at, target);
            let (from, to) = self.graph.ends(link);
            if self.cut.contains(&(from.0, to.0)) {
                return false;
            }
            at = to.0;
        }
        true
    }
}

impl Shape for Damaged {
    fn nodes(&self) -> u32 {
        self.inner.nodes()
    }

    fn vertices(&self) -> u32 {
        self.inner.vertices()
    }

    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        self.inner.neighbours(vertex)
    }

    fn cables(&self, from: u32, to: u32) -> u32 {
        self.inner.cables(from, to)
    }

    fn link_numbers(&self, from: u32, to: u32, cable: u32) -> LinkNumbers {
        let numbers = self.inner.link_numbers(from, to, cable);
        match self.slow.get(&(from, to)) {
            Some(rate) => LinkNumbers { bandwidth: Some(*rate), ..numbers },
            None => numbers,
        }
    }

    fn is_cut(&self, from: u32, to: u32) -> bool {
        self.cut.contains(&(from, to))
    }

    fn reaches(&self, from: u32, to: u32) -> bool {
        from == to
            || self.left.neighbours(from).iter().any(|next| self.hops_from(*next, to) < u32::MAX)
    }

    fn rails(&self) -> u32 {
        self.inner.rails()
    }

    fn turns(&self) -> u32 {
        self.inner.turns()
    }

    /// Takes the next turn whose route is whole, and a detour if there is none.
    fn route_in_turn(&self, graph: &Graph, pair: (u32, u32), turn: u32, route: &mut Vec<LinkId>) {
        let (first, turns) = (route.len(), self.turns());
        for later in 0..turns {
            self.inner.route_in_turn(graph, pair, (turn + later) % turns, route);
            if !self.crosses_cut(graph, &route[first..]) {
                return;
            }
            route.truncate(first);
        }
        self.route(graph, pair.0, pair.1, route);
    }

    fn forwards(&self, vertex: u32) -> bool {
        self.inner.forwards(vertex)
    }

    fn is_one_way(&self) -> bool {
        self.inner.is_one_way()
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        self.graph.ends(self.next_link(&self.graph, at, at, target)).1.0
    }

    fn next_link(&self, graph: &Graph, source: u32, at: u32, target: u32) -> LinkId {
        if !self.cut.is_empty() && !self.is_whole(source, at, target) {
            let nearest = |next: &&u32| (self.hops_from(**next, target), **next);
            let next = self.left.neighbours(at).iter().min_by_key(nearest);
            if let Some(next) = next.filter(|next| self.hops_from(**next, target) < u32::MAX) {
                return graph.link(at, *next);
            }
        }
        self.inner.next_link(graph, source, at, target)
    }

    fn route(&self, graph: &Graph, source: u32, target: u32, route: &mut Vec<LinkId>) {
        let first = route.len();
        self.inner.route(graph, source, target, route);
        if self.crosses_cut(graph, &route[first..]) {
            route.truncate(first);
            let mut at = source;
            while at != target {
                let link = self.next_link(graph, source, at, target);
                route.push(link);
                at = graph.ends(link).1.0;
            }
        }
    }

    fn channels(&self) -> u32 {
        self.inner.channels()
    }

    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        self.inner.channel(source, at, target)
    }

    fn is_free_from_deadlock(&self) -> Option<bool> {
        // Detours follow no rule that would prevent circles.
        if self.cut.is_empty() { self.inner.is_free_from_deadlock() } else { Some(false) }
    }

    fn longest_route(&self) -> Option<u32> {
        if self.cut.is_empty() {
            return self.inner.longest_route();
        }
        let (mut route, mut longest) = (Vec::new(), 0);
        for source in 0..self.nodes() {
            for target in (0..self.nodes()).filter(|target| self.reaches(source, *target)) {
                route.clear();
                self.route(&self.graph, source, target, &mut route);
                longest = longest.max(route.len() as u32);
            }
        }
        Some(longest)
    }

    fn name(&self, vertex: u32) -> Option<&str> {
        self.inner.name(vertex)
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        self.inner.coordinates(node)
    }

    fn axes(&self) -> Option<Axes> {
        None
    }

    fn groups(&self) -> Option<u32> {
        self.inner.groups()
    }

    fn layout(&self, vertex: u32) -> (f64, f64) {
        self.inner.layout(vertex)
    }

    fn labels(&self) -> Labels {
        self.inner.labels()
    }

    fn wraps(&self, from: u32, to: u32) -> bool {
        self.inner.wraps(from, to)
    }
}
