//! [`Grid`]: the shape of rings, lines, meshes and tori.

use super::{
    Axes, AxisMetric, Graph, Labels, LinkId, Shape,
    halving::product,
    shape::{on_circle, row_major},
};

/// An n-dimensional grid, row-major, each dimension open or closed to a ring.
///
/// Routing is dimension order, from the last dimension to the first, the shorter way round. Where
/// both ways are equally long, from the places with an even coordinate to +, from the others to -:
/// so exchanges of all with the opposite place use both directions alike.
#[derive(Debug)]
pub(super) struct Grid {
    pub(super) dims: Vec<u32>,
    /// Whether the ends of each dimension are joined.
    pub(super) closed: bool,
}

impl Grid {
    /// Returns whether a route along a dimension goes to +, from `here` to another place `there`.
    fn ascends(&self, size: u32, here: u32, there: u32) -> bool {
        let ahead = if there >= here { there - here } else { there + size - here };
        // Only the first place of a route along a dimension can be opposite its end, so that the
        // rule is the same at all of its places.
        let opposite = 2 * ahead == size;
        if self.closed {
            2 * ahead < size || opposite && here.is_multiple_of(2)
        } else {
            there > here
        }
    }

    /// Returns whether routes around a ring need a second virtual channel. On four places or fewer
    /// a route of two links is only followed by the routes of one other place, and none closes the
    /// circle.
    fn has_dateline(&self, size: u32) -> bool {
        self.closed && size > 4
    }

    /// Visits the vertices of a route, one dimension after the other, without a division at each
    /// step.
    fn walk(&self, source: u32, target: u32, mut visit: impl FnMut(u32)) {
        let (mut at, mut stride) = (source, 1);
        let (mut from, mut to) = (source, target);
        for size in self.dims.iter().rev() {
            let (mut here, there) = (from % size, to % size);
            (from, to) = (from / size, to / size);
            let ascends = self.ascends(*size, here, there);
            while here != there {
                let next = step(*size, here, ascends);
                at = at - here * stride + next * stride;
                here = next;
                visit(at);
            }
            stride *= size;
        }
    }
}

/// Returns the place after `here` along a dimension, with wrap-around.
fn step(size: u32, here: u32, ascends: bool) -> u32 {
    match ascends {
        true if here + 1 == size => 0,
        true => here + 1,
        false if here == 0 => size - 1,
        false => here - 1,
    }
}

impl Shape for Grid {
    fn nodes(&self) -> u32 {
        self.dims.iter().product()
    }

    fn neighbours(&self, at: u32) -> Vec<u32> {
        let mut stride = 1;
        let mut neighbours = Vec::new();
        for (size, coordinate) in self.dims.iter().zip(self.coordinates(at)).rev() {
            if coordinate + 1 < *size {
                neighbours.push(at + stride);
            } else if self.closed && *size > 2 {
                neighbours.push(at - coordinate * stride);
            }
            if coordinate > 0 {
                neighbours.push(at - stride);
            } else if self.closed && *size > 2 {
                neighbours.push(at + (size - 1) * stride);
            }
            stride *= size;
        }
        neighbours
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        let (mut from, mut to, mut stride) = (at, target, 1);
        for size in self.dims.iter().rev() {
            let (here, there) = (from % size, to % size);
            if here != there {
                let next = step(*size, here, self.ascends(*size, here, there));
                return at - here * stride + next * stride;
            }
            (from, to, stride) = (from / size, to / size, stride * size);
        }
        at
    }

    fn route(&self, graph: &Graph, source: u32, target: u32, route: &mut Vec<LinkId>) {
        let mut at = source;
        self.walk(source, target, |next| {
            route.push(graph.link(at, next));
            at = next;
        });
    }

    /// Routes around a ring of five or more places have links in common with their successors all
    /// the way round; a second channel for those that cross the wrap-around link breaks the circle.
    fn channels(&self) -> u32 {
        if self.dims.iter().any(|size| self.has_dateline(*size)) { 2 } else { 1 }
    }

    /// Returns 1 along a dimension in which the packet crosses the wrap-around link, the dateline of
    /// its ring (Dally and Seitz 1987), and 0 along the others.
    ///
    /// Neither channel closes the circle: packets of channel 0 do not use the wrap-around link, and
    /// those of channel 1 are together not longer than the ring. Packets that changed the channel at
    /// the link would use channel 1 less: under uniform traffic this rule gives it a third.
    fn channel(&self, source: u32, at: u32, target: u32) -> u32 {
        let (mut first, mut from, mut to) = (source, at, target);
        for size in self.dims.iter().rev() {
            let (start, here, there) = (first % size, from % size, to % size);
            if here != there {
                let crosses = self.ascends(*size, start, there) == (there < start);
                return u32::from(self.has_dateline(*size) && crosses);
            }
            (first, from, to) = (first / size, from / size, to / size);
        }
        0
    }

    fn hops(&self, source: u32, target: u32) -> Option<u32> {
        let (mut from, mut to, mut hops) = (source, target, 0);
        for size in self.dims.iter().rev() {
            let apart = (from % size).abs_diff(to % size);
            hops += if self.closed { apart.min(size - apart) } else { apart };
            (from, to) = (from / size, to / size);
        }
        Some(hops)
    }

    fn coordinates(&self, node: u32) -> Vec<u32> {
        row_major(node, &self.dims)
    }

    fn axes(&self) -> Option<Axes> {
        let metric = if self.closed { AxisMetric::Rings } else { AxisMetric::Lines };
        Some(Axes { sizes: self.dims.clone(), metric })
    }

    /// A ring must be cut at two places.
    fn bisection(&self) -> Option<u64> {
        Some(product(&self.dims, &|size| if self.closed && size > 2 { 2 } else { 1 }))
    }

    /// Draws planes side by side; one dimension is a line or a circle.
    fn layout(&self, vertex: u32) -> (f64, f64) {
        let coordinates = self.coordinates(vertex);
        let [outer @ .., row, column] = coordinates.as_slice() else {
            return if self.closed {
                on_circle(vertex, self.nodes())
            } else {
                (f64::from(vertex), 0.0)
            };
        };
        let (mut x, mut y) = (f64::from(*column), -f64::from(*row));
        for (depth, coordinate) in outer.iter().rev().enumerate() {
            let shift = f64::from(*coordinate) * (f64::from(self.dims[self.dims.len() - 1]) + 1.0);
            if depth % 2 == 0 { x += shift } else { y -= shift }
        }
        (x, y)
    }

    fn labels(&self) -> Labels {
        match (self.dims.len(), self.closed) {
            (1, true) => Labels::Around,
            (1, false) => Labels::Below,
            _ => Labels::Nowhere,
        }
    }

    /// Returns whether a cable closes a row or a column of a drawn plane.
    fn wraps(&self, from: u32, to: u32) -> bool {
        if self.dims.len() == 1 {
            return false;
        }
        let flat = self.dims.len() - 2;
        let (a, b) = (self.coordinates(from), self.coordinates(to));
        a.iter().zip(&b).skip(flat).any(|(a, b)| a.abs_diff(*b) > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::testing::build;

    #[test]
    fn the_next_hop_is_the_first_of_the_walk() {
        for (dims, closed) in [(vec![7], true), (vec![4, 5], true), (vec![3, 2, 4], false)] {
            let grid = Grid { dims, closed };
            for (a, b) in (0..grid.nodes()).flat_map(|a| (0..grid.nodes()).map(move |b| (a, b))) {
                let mut at = a;
                grid.walk(a, b, |next| {
                    assert_eq!(grid.next_hop(at, b), next, "{grid:?} {a} {b}");
                    at = next;
                });
                assert_eq!(at, b);
            }
        }
    }

    #[test]
    fn routes_take_the_last_dimension_first_and_ties_go_by_the_coordinate() {
        let grid = Grid { dims: vec![4, 4], closed: true };
        let path = |source, target| {
            let mut path = Vec::new();
            grid.walk(source, target, |next| path.push(next));
            path
        };
        assert_eq!(path(0, 10), [1, 2, 6, 10]);
        assert_eq!(path(1, 11), [0, 3, 7, 11]);
        assert_eq!(path(5, 15), [4, 7, 3, 15]);
        assert_eq!(path(0, 15), [3, 15]);
    }

    /// Returns the largest and the smallest load of a link when all nodes send to all others.
    fn loads(name: &str) -> (u32, u32) {
        let topology = build(name);
        let mut loads = vec![0u32; topology.link_count() as usize];
        let (nodes, mut route) = (topology.nodes(), Vec::new());
        for (source, target) in (0..nodes).flat_map(|a| (0..nodes).map(move |b| (a, b))) {
            route.clear();
            topology.shape().route(topology.graph(), source, target, &mut route);
            route.iter().for_each(|link| loads[link.0 as usize] += 1);
        }
        let largest = loads.iter().copied().max().expect("links");
        (largest, loads.into_iter().min().expect("links"))
    }

    #[test]
    fn all_links_carry_the_same_between_all_nodes() {
        // k^2 / 8 crossings of each directed link of a ring of k places, of k rings of each plane.
        assert_eq!(loads("ring:8"), (8, 8));
        assert_eq!(loads("ring:64"), (512, 512));
        assert_eq!(loads("torus:8x8"), (64, 64));
        assert_eq!(loads("torus:4x4x4"), (32, 32));
        assert_eq!(loads("torus:4x8"), (32, 16), "a ring of 8 carries twice a ring of 4");
        assert_eq!(loads("torus:5x5"), (15, 15), "no ties");
        // An odd half cannot be divided: 1 + 2 and the one or two of three ties that cross a link.
        assert_eq!(loads("ring:6"), (5, 4));
    }

    #[test]
    fn only_cables_of_a_drawn_plane_wrap() {
        let torus = Grid { dims: vec![3, 3, 4], closed: true };
        assert!(torus.wraps(0, 3) && torus.wraps(0, 8));
        assert!(!torus.wraps(0, 24) && !torus.wraps(0, 1));
        let ring = Grid { dims: vec![9], closed: true };
        assert!(!ring.wraps(0, 8));
    }

    #[test]
    fn exchange_loads_on_a_mesh() {
        // Largest link load of the stages of a hypercube exchange, by counting.
        let load = |name: &str, bit: u32| {
            let topology = build(name);
            let mut loads = vec![0u32; topology.link_count() as usize];
            for node in 0..topology.nodes() {
                let mut route = Vec::new();
                topology.shape().route(topology.graph(), node, node ^ bit, &mut route);
                route.iter().for_each(|link| loads[link.0 as usize] += 1);
            }
            loads.into_iter().max()
        };
        assert_eq!([4, 2, 1].map(|bit| load("mesh:2x4", bit)), [Some(1), Some(2), Some(1)]);
        assert_eq!([16, 8, 4, 2, 1].map(|bit| load("mesh:4x8", bit).unwrap()), [2, 1, 4, 2, 1]);
        assert_eq!([16, 8, 4, 2, 1].map(|bit| load("hypercube:5", bit).unwrap()), [1; 5]);
    }
}
