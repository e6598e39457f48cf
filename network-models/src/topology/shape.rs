//! The shapes: who is next to whom, and which way a message goes.

use std::f64::consts::TAU;

use super::FatTree;

/// A shape with its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An n-dimensional grid, row-major; each dimension open or closed to a ring. Dimension
    /// order routing, from the last dimension to the first; the shorter way round, ties to +.
    Grid {
        /// Sizes.
        dims: Vec<u32>,
        /// Whether the ends are joined.
        closed: bool,
    },
    /// 2^d nodes, neighbours differ in one bit; e-cube routing from the lowest bit up.
    Hypercube(u32),
    /// Nodes around one ideal switch.
    Crossbar(u32),
    /// Node 0 is the hub of all others.
    Star(u32),
    /// A complete k-ary tree whose vertices are all nodes, numbered level by level.
    Tree {
        /// Children of a vertex.
        arity: u32,
        /// Levels.
        levels: u32,
    },
    /// Switches in levels with the nodes as leaves.
    FatTree(FatTree),
    /// Any graph of nodes: neighbours of each, and the next hop of each pair.
    Custom {
        /// Neighbours by node, ascending.
        neighbours: Vec<Vec<u32>>,
        /// Next hop from `from` to `to` at `to * nodes + from`.
        next: Vec<u16>,
    },
}

impl Shape {
    /// Places for ranks.
    pub fn nodes(&self) -> u32 {
        match self {
            Self::Grid { dims, .. } => dims.iter().product(),
            Self::Hypercube(dimension) => 1 << dimension,
            Self::Crossbar(nodes) | Self::Star(nodes) => *nodes,
            Self::Tree { arity, levels } => (0..*levels).map(|level| arity.pow(level)).sum(),
            Self::FatTree(tree) => tree.nodes(),
            Self::Custom { neighbours, .. } => neighbours.len() as u32,
        }
    }

    /// Nodes and switches.
    pub fn vertices(&self) -> u32 {
        match self {
            Self::Crossbar(nodes) => nodes + 1,
            Self::FatTree(tree) => tree.vertices(),
            _ => self.nodes(),
        }
    }

    pub(super) fn neighbours(&self, at: u32) -> Vec<u32> {
        match self {
            Self::Grid { dims, closed } => grid_neighbours(dims, *closed, at),
            Self::Hypercube(dimension) => (0..*dimension).map(|bit| at ^ (1 << bit)).collect(),
            Self::Crossbar(nodes) if at == *nodes => (0..*nodes).collect(),
            Self::Crossbar(nodes) => vec![*nodes],
            Self::Star(nodes) if at == 0 => (1..*nodes).collect(),
            Self::Star(_) => vec![0],
            Self::Tree { arity, .. } => {
                let children = (at * arity + 1..=at * arity + arity).filter(|c| *c < self.nodes());
                children.chain((at > 0).then(|| (at - 1) / arity)).collect()
            }
            Self::FatTree(tree) => tree.neighbours(at),
            Self::Custom { neighbours, .. } => neighbours[at as usize].clone(),
        }
    }

    /// Visits the vertices from `source` to `target`, the source left out.
    pub(super) fn walk(&self, source: u32, target: u32, mut visit: impl FnMut(u32)) {
        if let Self::Grid { dims, closed } = self {
            return grid_walk(dims, *closed, source, target, visit);
        }
        let mut at = source;
        while at != target {
            at = self.next_hop(at, target);
            visit(at);
        }
    }

    /// Links between two nodes.
    pub(super) fn hops(&self, source: u32, target: u32) -> u32 {
        match self {
            Self::Grid { dims, closed } => grid_hops(dims, *closed, source, target),
            Self::Hypercube(_) => (source ^ target).count_ones(),
            _ if source == target => 0,
            Self::Crossbar(_) => 2,
            Self::Star(_) => {
                if source == 0 || target == 0 {
                    1
                } else {
                    2
                }
            }
            Self::FatTree(tree) => tree.hops(source, target),
            Self::Tree { arity, .. } => tree_hops(*arity, source, target),
            Self::Custom { .. } => {
                let mut hops = 0;
                self.walk(source, target, |_| hops += 1);
                hops
            }
        }
    }

    fn next_hop(&self, at: u32, target: u32) -> u32 {
        match self {
            Self::Grid { .. } => unreachable!("a grid is walked whole"),
            Self::Hypercube(_) => at ^ (1 << (at ^ target).trailing_zeros()),
            Self::Crossbar(nodes) if at == *nodes => target,
            Self::Crossbar(nodes) => *nodes,
            Self::Star(_) if at == 0 => target,
            Self::Star(_) => 0,
            Self::Tree { arity, .. } => tree_next(*arity, at, target),
            Self::FatTree(tree) => tree.next_hop(at, target),
            Self::Custom { neighbours, next } => {
                u32::from(next[target as usize * neighbours.len() + at as usize])
            }
        }
    }

    pub(super) fn coordinates(&self, node: u32) -> Vec<u32> {
        match self {
            Self::Grid { dims, .. } => grid_coordinates(dims, node),
            Self::Hypercube(dimension) => {
                (0..*dimension).rev().map(|bit| node >> bit & 1).collect()
            }
            _ => vec![node],
        }
    }

    pub(super) fn bisection(&self) -> Option<u64> {
        match self {
            Self::Grid { dims, closed } => {
                let (at, longest) = dims.iter().enumerate().max_by_key(|(_, size)| **size)?;
                let wrap = if *closed && *longest > 2 { 2 } else { 1 };
                let rest: u64 = dims
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != at)
                    .map(|(_, size)| u64::from(*size))
                    .product();
                Some(if *longest > 1 { wrap * rest } else { 0 })
            }
            Self::Hypercube(0) => Some(0),
            Self::Hypercube(dimension) => Some(1 << (dimension - 1)),
            Self::Crossbar(nodes) | Self::Star(nodes) => Some(u64::from(nodes / 2)),
            Self::Tree { .. } => Some(1),
            Self::FatTree(tree) => Some(tree.bisection()),
            Self::Custom { .. } => None,
        }
    }

    pub(super) fn layout(&self, vertex: u32) -> (f64, f64) {
        let nodes = self.nodes();
        match self {
            Self::Grid { dims, .. } if dims.len() > 1 => grid_layout(dims, vertex),
            Self::Grid { closed: false, .. } => (f64::from(vertex), 0.0),
            Self::Hypercube(dimension) => cube_layout(*dimension, vertex),
            Self::Crossbar(_) if vertex == nodes => (0.0, 0.0),
            Self::Star(_) if vertex == 0 => (0.0, 0.0),
            Self::Tree { arity, .. } => tree_layout(*arity, vertex),
            Self::FatTree(tree) => tree.layout(vertex),
            _ => on_circle(vertex, nodes),
        }
    }
}

fn on_circle(vertex: u32, nodes: u32) -> (f64, f64) {
    let radius = f64::from(nodes.max(3)) / TAU;
    let angle = TAU * f64::from(vertex) / f64::from(nodes.max(1));
    (radius * angle.sin(), radius * angle.cos())
}

fn grid_coordinates(dims: &[u32], node: u32) -> Vec<u32> {
    let mut rest = node;
    let mut coordinates: Vec<u32> = dims
        .iter()
        .rev()
        .map(|size| {
            let coordinate = rest % size;
            rest /= size;
            coordinate
        })
        .collect();
    coordinates.reverse();
    coordinates
}

fn grid_layout(dims: &[u32], vertex: u32) -> (f64, f64) {
    let coordinates = grid_coordinates(dims, vertex);
    let (rows, columns) = (coordinates[dims.len() - 2], coordinates[dims.len() - 1]);
    let (mut x, mut y) = (f64::from(columns), -f64::from(rows));
    for (depth, coordinate) in coordinates[..dims.len() - 2].iter().rev().enumerate() {
        let shift = f64::from(*coordinate) * (f64::from(dims[dims.len() - 1]) + 1.0);
        if depth % 2 == 0 { x += shift } else { y -= shift }
    }
    (x, y)
}

fn cube_layout(dimension: u32, vertex: u32) -> (f64, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    for bit in 0..dimension {
        if vertex >> bit & 1 == 1 {
            let reach = 1.0 + 1.35 * f64::from(bit / 2 * (bit / 2 + 1) / 2 + bit / 2);
            let lean = 0.28 * f64::from(bit / 2);
            if bit % 2 == 0 {
                x += reach;
                y += lean;
            } else {
                y += reach;
                x += lean;
            }
        }
    }
    (x, y)
}

fn tree_layout(arity: u32, vertex: u32) -> (f64, f64) {
    let (mut level, mut first, mut width) = (0, 0, 1);
    while vertex >= first + width {
        first += width;
        width *= arity;
        level += 1;
    }
    let place = (f64::from(vertex - first) + 0.5) / f64::from(width);
    (place * 16.0, -2.0 * f64::from(level))
}

fn grid_neighbours(dims: &[u32], closed: bool, at: u32) -> Vec<u32> {
    let coordinates = grid_coordinates(dims, at);
    let mut stride = 1;
    let mut neighbours = Vec::new();
    for (size, coordinate) in dims.iter().zip(coordinates).rev() {
        if coordinate + 1 < *size {
            neighbours.push(at + stride);
        } else if closed && *size > 2 {
            neighbours.push(at - coordinate * stride);
        }
        if coordinate > 0 {
            neighbours.push(at - stride);
        } else if closed && *size > 2 {
            neighbours.push(at + (size - 1) * stride);
        }
        stride *= size;
    }
    neighbours
}

fn grid_hops(dims: &[u32], closed: bool, source: u32, target: u32) -> u32 {
    let (mut from, mut to, mut hops) = (source, target, 0);
    for size in dims.iter().rev() {
        let apart = (from % size).abs_diff(to % size);
        hops += if closed { apart.min(size - apart) } else { apart };
        (from, to) = (from / size, to / size);
    }
    hops
}

/// Dimension by dimension, without dividing at each step.
fn grid_walk(dims: &[u32], closed: bool, source: u32, target: u32, mut visit: impl FnMut(u32)) {
    let (mut at, mut stride) = (source, 1);
    let (mut from, mut to) = (source, target);
    for size in dims.iter().rev() {
        let (mut here, there) = (from % size, to % size);
        (from, to) = (from / size, to / size);
        let ahead = if there >= here { there - here } else { there + size - here };
        let plus = if closed { 2 * ahead <= *size } else { there > here };
        while here != there {
            let next = match plus {
                true if here + 1 == *size => 0,
                true => here + 1,
                false if here == 0 => size - 1,
                false => here - 1,
            };
            at = at - here * stride + next * stride;
            here = next;
            visit(at);
        }
        stride *= size;
    }
}

/// The larger number is not above the other one: it climbs until they meet.
fn tree_hops(arity: u32, source: u32, target: u32) -> u32 {
    let (mut low, mut high, mut hops) = (source.min(target), source.max(target), 0);
    while low != high {
        let parent = (high - 1) / arity;
        (low, high) = (low.min(parent), low.max(parent));
        hops += 1;
    }
    hops
}

fn tree_next(arity: u32, at: u32, target: u32) -> u32 {
    let mut below = target;
    while below > at {
        let parent = (below - 1) / arity;
        if parent == at {
            return below;
        }
        below = parent;
    }
    (at - 1) / arity
}
