//! The cables between two halves of the nodes of a topology, wherever its switches come to be.

use super::{
    Graph, Shape,
    halving::{PASSES, SEARCHED, fewest_cables, orders},
};

/// Most vertices of which all divisions are looked at.
const ALL: usize = 20;

/// What a node costs that is missing in a half and that no cable can be cut for: more than all cables.
const MISSING: u64 = 1 << 40;

/// Returns the fewest cables between two halves of the nodes that differ by one node at most. The cable
/// of a node counts, if it is cut.
///
/// Shapes with a formula know it. Of at most 20 vertices, not counting nodes with a single cable, all
/// divisions are compared; of others the result is the least that a search finds, and an upper bound.
pub(super) fn bisection(shape: &dyn Shape, graph: &Graph) -> u64 {
    if let Some(exact) = shape.bisection() {
        return exact;
    }
    let machine = Machine::of(shape, graph);
    if machine.joined.len() <= ALL {
        return machine.least();
    }
    let direct = if shape.nodes() == shape.vertices() {
        fewest_cables(&joined(shape, graph))
    } else {
        u64::MAX
    };
    machine.searched().min(direct).min(shape.halving().unwrap_or(u64::MAX))
}

/// Returns the other ends of the cables of each vertex, whatever their direction.
fn joined(shape: &dyn Shape, graph: &Graph) -> Vec<Vec<u32>> {
    let mut joined = vec![Vec::new(); shape.vertices() as usize];
    let is_one_way = shape.is_one_way();
    for (from, to) in graph.pairs() {
        joined[from as usize].push(to);
        if is_one_way {
            joined[to as usize].push(from);
        }
    }
    joined
}

/// A graph without the nodes that have a single cable: the vertices behind these cables count them.
#[derive(Debug)]
struct Machine {
    /// The other ends of the cables of each vertex.
    joined: Vec<Vec<u32>>,
    /// The nodes that a vertex is, or that have their cable at it.
    nodes: Vec<u64>,
    /// Those that have their cable at it.
    hosts: Vec<u64>,
}

/// A division of a machine.
#[derive(Clone, Debug)]
struct Division {
    is_first: Vec<bool>,
    /// Cables between the vertices of both sides.
    cut: u64,
    /// Nodes and hosts of the vertices of both sides, the second one first.
    nodes: [u64; 2],
    hosts: [u64; 2],
}

impl Machine {
    fn of(shape: &dyn Shape, graph: &Graph) -> Self {
        let joined = joined(shape, graph);
        // Of two nodes that are alone with a cable, one stays.
        let is_leaf = |vertex: usize| match joined[vertex].as_slice() {
            [end] => {
                let end = *end as usize;
                vertex < shape.nodes() as usize && (joined[end].len() > 1 || end < vertex)
            }
            _ => false,
        };
        let kept: Vec<usize> = (0..joined.len()).filter(|vertex| !is_leaf(*vertex)).collect();
        let mut numbers = vec![None; joined.len()];
        (0..).zip(&kept).for_each(|(number, vertex)| numbers[*vertex] = Some(number));
        let ends = |vertex: &usize| -> Vec<u32> {
            joined[*vertex].iter().filter_map(|end| numbers[*end as usize]).collect()
        };
        let hosts = |vertex: &usize| {
            joined[*vertex].iter().filter(|end| numbers[**end as usize].is_none()).count() as u64
        };
        let own = |vertex: &usize| u64::from((*vertex as u32) < shape.nodes());
        Self {
            joined: kept.iter().map(ends).collect(),
            nodes: kept.iter().map(|vertex| hosts(vertex) + own(vertex)).collect(),
            hosts: kept.iter().map(hosts).collect(),
        }
    }

    /// Returns the division without a first side.
    fn undivided(&self) -> Division {
        Division {
            is_first: vec![false; self.joined.len()],
            cut: 0,
            nodes: [self.nodes.iter().sum(), 0],
            hosts: [self.hosts.iter().sum(), 0],
        }
    }

    /// Returns by how many cables more the sides are joined once a vertex is on the other one.
    fn change(&self, division: &Division, vertex: usize) -> i64 {
        let side = division.is_first[vertex];
        let ends = self.joined[vertex].iter();
        ends.map(|end| if division.is_first[*end as usize] == side { 1 } else { -1 }).sum()
    }

    fn cross(&self, division: &mut Division, vertex: usize, change: i64) {
        let from = usize::from(division.is_first[vertex]);
        division.is_first[vertex] = from == 0;
        division.cut = division.cut.strict_add_signed(change);
        for (counts, of) in [(&mut division.nodes, &self.nodes), (&mut division.hosts, &self.hosts)]
        {
            counts[from] -= of[vertex];
            counts[1 - from] += of[vertex];
        }
    }

    /// Returns the cables between halves into which a division is made by cutting off hosts of the
    /// larger side, once a vertex has crossed.
    fn cables(&self, division: &Division, crossing: Option<(usize, i64)>) -> u64 {
        let Division { mut nodes, mut hosts, cut, .. } = *division;
        let mut cables = cut;
        if let Some((vertex, change)) = crossing {
            let from = usize::from(division.is_first[vertex]);
            nodes[from] -= self.nodes[vertex];
            nodes[1 - from] += self.nodes[vertex];
            hosts[from] -= self.hosts[vertex];
            cables = cables.strict_add_signed(change);
        }
        let larger = usize::from(nodes[1] > nodes[0]);
        let excess = nodes[larger] - (nodes[0] + nodes[1]).div_ceil(2);
        cables + excess.min(hosts[larger]) + excess.saturating_sub(hosts[larger]) * MISSING
    }

    /// Returns the fewest cables of all divisions, of which each differs from the one before it in one
    /// vertex (a Gray code). The last vertex stays where it is.
    fn least(&self) -> u64 {
        let mut division = self.undivided();
        let mut least = self.cables(&division, None);
        let others = self.joined.len().saturating_sub(1);
        for number in 1..1u64 << others {
            let vertex = number.trailing_zeros() as usize;
            let change = self.change(&division, vertex);
            self.cross(&mut division, vertex, change);
            least = least.min(self.cables(&division, None));
        }
        least
    }

    /// Returns the fewest cables that are found from a few divisions: one without a first side, and those
    /// of the vertices by number and of two breadth-first searches.
    fn searched(&self) -> u64 {
        let orders = orders(&self.joined);
        let divided = orders.iter().map(|order| self.divided(order));
        let divisions = std::iter::once(self.undivided()).chain(divided);
        divisions.map(|division| self.improved(division)).min().unwrap_or(0)
    }

    /// Returns the division whose first side has the first vertices of an order with half of the nodes.
    /// Vertices without nodes follow most of their neighbours, round by round.
    fn divided(&self, order: &[usize]) -> Division {
        let half = self.nodes.iter().sum::<u64>() / 2;
        let mut side = vec![0i64; self.joined.len()];
        let mut first = 0;
        for vertex in order.iter().copied().filter(|vertex| self.nodes[*vertex] > 0) {
            side[vertex] = if first < half { 1 } else { -1 };
            first += self.nodes[vertex];
        }
        loop {
            let open = (0..side.len()).filter(|vertex| side[*vertex] == 0);
            let around = |vertex: usize| -> Option<(usize, i64)> {
                let ends = self.joined[vertex].iter().map(|end| side[*end as usize]);
                let (known, sum) =
                    ends.fold((false, 0), |(known, sum), end| (known || end != 0, sum + end));
                known.then_some((vertex, if sum > 0 { 1 } else { -1 }))
            };
            let decided: Vec<(usize, i64)> = open.filter_map(around).collect();
            if decided.is_empty() {
                break;
            }
            decided.into_iter().for_each(|(vertex, to)| side[vertex] = to);
        }
        let mut division = self.undivided();
        for vertex in (0..side.len()).filter(|vertex| side[*vertex] > 0) {
            let change = self.change(&division, vertex);
            self.cross(&mut division, vertex, change);
        }
        division
    }

    /// Returns the fewest cables on the way from a division: vertices cross one after the other, each once in a
    /// pass, the one that leaves the fewest cables first, and the next pass begins at the best division (Fiduccia
    /// and Mattheyses, "A linear-time heuristic for improving network partitions", 1982). Of more than 2,048
    /// vertices none cross.
    ///
    /// Determinism: of equally good ones the vertex with the lowest number crosses.
    fn improved(&self, mut division: Division) -> u64 {
        let mut best = self.cables(&division, None);
        let passes = if self.joined.len() <= SEARCHED { PASSES } else { 0 };
        for _ in 0..passes {
            let before = best;
            let mut present = division.clone();
            let mut changes: Vec<i64> =
                (0..self.joined.len()).map(|vertex| self.change(&present, vertex)).collect();
            let mut is_free = vec![true; self.joined.len()];
            let mut path = Vec::with_capacity(self.joined.len());
            let mut kept = 0;
            while let Some((cables, vertex)) = self.next(&present, &changes, &is_free) {
                is_free[vertex] = false;
                self.cross(&mut present, vertex, changes[vertex]);
                path.push(vertex);
                changes[vertex] = -changes[vertex];
                for end in self.joined[vertex].iter().map(|end| *end as usize) {
                    let same = present.is_first[end] == present.is_first[vertex];
                    changes[end] += if same { 2 } else { -2 };
                }
                if cables < best {
                    (best, kept) = (cables, path.len());
                }
            }
            if best == before {
                break;
            }
            for vertex in &path[..kept] {
                let change = self.change(&division, *vertex);
                self.cross(&mut division, *vertex, change);
            }
        }
        best
    }

    /// Returns the free vertex that leaves the fewest cables when it crosses, and how many.
    fn next(&self, division: &Division, changes: &[i64], is_free: &[bool]) -> Option<(u64, usize)> {
        let free = (0..self.joined.len()).filter(|vertex| is_free[*vertex]);
        free.map(|vertex| (self.cables(division, Some((vertex, changes[vertex]))), vertex)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{catalog::Catalog, topology::Topology};

    fn built(text: &str) -> Topology {
        let spec = Catalog::standard().topology(text).expect("a topology");
        spec.build(1).expect("it can be built")
    }

    /// Returns the fewest cables between any halves of the nodes, of all divisions of all vertices.
    fn exhaustive(topology: &Topology) -> u64 {
        let (nodes, vertices) = (topology.nodes(), topology.vertices());
        assert!(vertices <= 20, "{}", topology.name());
        let is_one_way = topology.has_one_way_cables();
        let pairs: Vec<u32> = topology
            .graph()
            .pairs()
            .filter(|(from, to)| is_one_way || from < to)
            .map(|(from, to)| 1 << from | 1 << to)
            .collect();
        let among_nodes = (1u32 << nodes) - 1;
        let halves =
            (0..1u32 << vertices).filter(|set| (set & among_nodes).count_ones() == nodes / 2);
        let across =
            |set: u32| pairs.iter().filter(|ends| (*ends & set).count_ones() == 1).count() as u64;
        halves.map(across).min().expect("there are halves")
    }

    #[test]
    fn no_halves_of_small_topologies_have_fewer_cables() {
        for text in [
            "ring:7",
            "linear:6",
            "mesh:3x5",
            "mesh:3x3x2",
            "torus:4x4",
            "torus:3x5",
            "torus:2x3x3",
            "hypercube:4",
            "crossbar:9",
            "star:8",
            "tree:2x4",
            "tree:3x3",
            "fat-tree:2x3",
            "fat-tree:3x2",
            "fat-tree:3x2:3",
            "fat-tree:9x1:3",
            "fat-tree:4,2:2,1",
            "fat-tree:3,4:3,1",
            "fat-tree:6,2:3,1",
            "fat-tree:2,2,2:2,2,1",
            "dragonfly:2x3x1x1",
            "dragonfly:1x2x1x3",
            "dragonfly:2x2x1x3",
            "dragonfly:3x1x3x4",
            "dragonfly-plus:1x2x1x2x3",
            "dragonfly-plus:3x3x2x1x1",
            "dragonfly-plus:2x2x1x1x2",
            "hyperx:3:4",
            "hyperx:5:1",
            "hyperx:2x3:2",
            "hyperx:1:7",
            "butterfly:2x2",
            "butterfly:2x3",
            "butterfly:3x2",
            "butterfly:5x1",
            "omega:2x2",
            "omega:2x3",
            "omega:3x2",
            "kautz:2x2",
            "kautz:2x3",
            "planes:2*crossbar:5",
            "planes:3*hyperx:3:2",
            "planes:2*ring:5",
        ] {
            let topology = built(text);
            assert_eq!(topology.structure().bisection, exhaustive(&topology), "{text}");
        }
    }

    #[test]
    fn the_search_finds_what_all_divisions_show() {
        for text in [
            "fat-tree:4,4:2,1",
            "dragonfly:1x4x1x5",
            "dragonfly:2x2x1x3",
            "dragonfly:4x2x2x5",
            "dragonfly-plus:2x2x2x1x3",
            "dragonfly-plus:4x2x2x2x3",
            "hyperx:3x3:8",
            "hyperx:4x4:1",
            "hyperx:4x5:4",
            "butterfly:2x2",
            "omega:3x2",
        ] {
            let topology = built(text);
            let machine = Machine::of(topology.shape(), topology.graph());
            assert_eq!(machine.searched(), machine.least(), "{text}");
        }
    }

    #[test]
    fn uneven_parts_are_evened_out_by_cables_of_nodes() {
        for (text, expected) in [
            // Four leaves of nine nodes with three cables each, and four nodes.
            ("fat-tree:9x2:3", 16),
            ("fat-tree:16,9:4,1", 24),
            ("hyperx:3x3:8", 12),
            // One node for each router: cheaper than any cut between routers.
            ("slim-fly:7x1", 49),
            ("hyperx:8x8:1", 32),
            // Whole groups, which leave no group over.
            ("dragonfly:4x4x2x6", 9),
            ("dragonfly-plus:4x4x4x2x8", 16),
            ("planes:3*fat-tree:9x2:3", 48),
        ] {
            assert_eq!(built(text).structure().bisection, expected, "{text}");
        }
    }
}
