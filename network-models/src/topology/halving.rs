//! Halves of a graph with few cables between them: of products of lines, rings or complete graphs by a
//! formula, as of trees, of others by a search.

/// Most vertices of a graph whose halves are searched for.
pub(super) const SEARCHED: usize = 2048;

/// Most passes over all vertices; two or three are usual.
pub(super) const PASSES: usize = 16;

/// Returns the cables between two halves of a product of graphs with these sizes, of which `cut` has the
/// cables between the halves of one with a size.
///
/// Lines along a dimension are cut in their middle. If that is a vertex, the layer of these vertices is
/// halved in the same way along the other dimensions, so that both halves have the same number of vertices,
/// or one has one more (Azizoglu and Egecioglu, "The bisection width and the isoperimetric number of
/// arrays", 2004). The order of the dimensions with the fewest cables counts.
pub(super) fn product(sizes: &[u32], cut: &dyn Fn(u64) -> u64) -> u64 {
    let along = |at: usize| {
        let mut others = sizes.to_vec();
        let size = others.swap_remove(at);
        let lines: u64 = others.iter().map(|size| u64::from(*size)).product();
        let middle = if size % 2 == 1 { product(&others, cut) } else { 0 };
        cut(size.into()) * lines + middle
    };
    // Equal sizes give the same.
    let is_new = |at: &usize| sizes[*at] > 1 && !sizes[..*at].contains(&sizes[*at]);
    (0..sizes.len()).filter(is_new).map(along).min().unwrap_or(0)
}

/// Returns the fewest cables by which subtrees are cut off that have half of the nodes together. Each kind of subtree
/// has a number of nodes and one of cables that lead up from it; the smallest is a node, and kinds increase.
///
/// A larger subtree must not have more cables than the smaller ones in it together.
pub(super) fn halved_by_subtrees(nodes: u64, subtrees: &[(u64, u64)]) -> u64 {
    let halves = [nodes / 2, nodes.div_ceil(2)];
    halves.into_iter().map(|half| cut_off(half, subtrees)).min().unwrap_or(0)
}

/// Returns the fewest cables of subtrees whose nodes, added or subtracted, are so many.
fn cut_off(nodes: u64, subtrees: &[(u64, u64)]) -> u64 {
    let Some(((size, cables), smaller)) = subtrees.split_last() else { return 0 };
    let (count, rest) = (nodes / size, nodes % size);
    if smaller.is_empty() {
        return nodes * cables;
    }
    let below = count * cables + cut_off(rest, smaller);
    below.min((count + 1) * cables + cut_off(size - rest, smaller))
}

/// A division of the vertices into two halves.
#[derive(Debug)]
struct Halves<'a> {
    /// The other ends of the cables of each vertex, whatever their direction.
    joined: &'a [Vec<u32>],
    is_first: Vec<bool>,
    /// By how many cables fewer the halves were joined if the vertex were on the other side.
    gains: Vec<i64>,
}

/// Returns the fewest cables that were found between two halves of the vertices, of which each has
/// the other ends of its cables: an upper bound of the bisection.
///
/// The halves are first those of three orders ([`orders`]); of each, pairs of vertices are exchanged as long as a sequence of
/// exchanges helps (Kernighan and Lin, "An efficient heuristic procedure for partitioning graphs",
/// 1970). Of more than 2,048 vertices nothing is exchanged.
///
/// Determinism: of equally good exchanges that of the lowest numbers is made.
pub(super) fn fewest_cables(joined: &[Vec<u32>]) -> u64 {
    orders(joined).iter().map(|order| halved(joined, order)).min().unwrap_or(0)
}

/// Returns the orders of the vertices whose halves a search begins with: by number, that of a breadth-first
/// search, and that of another one from the vertex that the first has found last.
pub(super) fn orders(joined: &[Vec<u32>]) -> [Vec<usize>; 3] {
    let near = in_breadth(joined, 0);
    let far = in_breadth(joined, near.last().copied().unwrap_or(0));
    [(0..joined.len()).collect(), near, far]
}

/// Returns all vertices in the order of a breadth-first search from `begin` on, those that no cable leads to
/// by number.
fn in_breadth(joined: &[Vec<u32>], begin: usize) -> Vec<usize> {
    let mut is_known = vec![false; joined.len()];
    let mut order: Vec<usize> = Vec::with_capacity(joined.len());
    let mut searched = 0;
    for root in std::iter::once(begin).chain(0..joined.len()).filter(|root| *root < joined.len()) {
        if !std::mem::replace(&mut is_known[root], true) {
            order.push(root);
        }
        while let Some(vertex) = order.get(searched).copied() {
            searched += 1;
            for other in &joined[vertex] {
                if !std::mem::replace(&mut is_known[*other as usize], true) {
                    order.push(*other as usize);
                }
            }
        }
    }
    order
}

/// Returns the fewest cables that exchanges lead to from the halves of an order of the vertices.
fn halved(joined: &[Vec<u32>], order: &[usize]) -> u64 {
    let mut is_first = vec![false; joined.len()];
    order[..joined.len() / 2].iter().for_each(|vertex| is_first[*vertex] = true);
    let mut halves = Halves { joined, is_first, gains: Vec::new() };
    if joined.len() <= SEARCHED {
        for _ in 0..PASSES {
            if !halves.improve() {
                break;
            }
        }
    }
    halves.cables()
}

impl Halves<'_> {
    fn cables(&self) -> u64 {
        let across = |vertex: usize| {
            let others = self.joined[vertex].iter();
            others.filter(|other| self.is_first[vertex] && !self.is_first[**other as usize]).count()
        };
        (0..self.joined.len()).map(across).sum::<usize>() as u64
    }

    /// Exchanges the pairs of the best sequence that is found; returns whether that helps.
    fn improve(&mut self) -> bool {
        let gain = |vertex: usize| {
            let differs = |other: &&u32| self.is_first[**other as usize] != self.is_first[vertex];
            let others = self.joined[vertex].iter();
            2 * others.filter(differs).count() as i64 - self.joined[vertex].len() as i64
        };
        self.gains = (0..self.joined.len()).map(gain).collect();
        let mut is_free = vec![true; self.joined.len()];
        let (mut exchanged, mut sum, mut best) = (Vec::new(), 0, (0, 0));
        while let Some((pair, gain)) = self.best_pair(&is_free) {
            for vertex in pair {
                is_free[vertex] = false;
                self.cross(vertex);
            }
            exchanged.push(pair);
            sum += gain;
            if sum > best.0 {
                best = (sum, exchanged.len());
            }
        }
        for vertex in exchanged[best.1..].iter().flatten() {
            self.is_first[*vertex] = !self.is_first[*vertex];
        }
        best.0 > 0
    }

    /// Returns the free vertex with the largest gain of the first half, the best one to exchange it with,
    /// and what both gain together.
    fn best_pair(&self, is_free: &[bool]) -> Option<([usize; 2], i64)> {
        let free = |first: bool| {
            (0..self.joined.len()).filter(move |at| is_free[*at] && self.is_first[*at] == first)
        };
        // Of equal ones the last would be taken, but for the reversed order.
        let one = free(true).rev().max_by_key(|vertex| self.gains[*vertex])?;
        let together = |other: &usize| {
            let cables = self.joined[one].iter().filter(|end| **end as usize == *other).count();
            self.gains[one] + self.gains[*other] - 2 * cables as i64
        };
        let other = free(false).rev().max_by_key(together)?;
        Some(([one, other], together(&other)))
    }

    /// Moves a vertex to the other half.
    fn cross(&mut self, vertex: usize) {
        self.is_first[vertex] = !self.is_first[vertex];
        self.gains[vertex] = -self.gains[vertex];
        for other in &self.joined[vertex] {
            let other = *other as usize;
            let change = if self.is_first[other] == self.is_first[vertex] { -2 } else { 2 };
            self.gains[other] += change;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the ends of each vertex of cables between `size` vertices.
    fn joined(size: u32, cables: impl IntoIterator<Item = (u32, u32)>) -> Vec<Vec<u32>> {
        let mut joined = vec![Vec::new(); size as usize];
        for (one, other) in cables {
            joined[one as usize].push(other);
            joined[other as usize].push(one);
        }
        joined
    }

    #[test]
    fn rings_and_cliques_in_any_order_are_cut_where_they_are_thin() {
        // A ring whose neighbours are 7 numbers apart.
        let ring = (0..30u32).map(|at| (at * 7 % 30, (at + 1) * 7 % 30));
        assert_eq!(fewest_cables(&joined(30, ring)), 2);
        // Two complete graphs, of the even and of the odd numbers, and one cable between them.
        let cliques =
            (0..20u32).flat_map(|one| (one + 2..20).step_by(2).map(move |other| (one, other)));
        assert_eq!(fewest_cables(&joined(20, cliques.chain([(0, 1)]))), 1);
        assert_eq!(fewest_cables(&joined(0, [])) + fewest_cables(&joined(1, [])), 0);
    }

    #[test]
    fn products_are_halved_by_no_more_cables_than_any_halves_have() {
        use crate::topology::testing::build;
        for name in [
            "mesh:3x3",
            "mesh:3x5",
            "mesh:2x3x2",
            "mesh:4x3",
            "torus:3x3",
            "torus:2x3",
            "torus:5x3",
            "hyperx:3x3:1",
            "hyperx:3x5:1",
            "hyperx:4x3:1",
        ] {
            let topology = build(name);
            let switches = topology.vertices() - topology.nodes();
            // Of a hyperx the switches are halved.
            let first = if switches > 0 { topology.nodes() } else { 0 };
            let size = topology.vertices() - first;
            let pairs: Vec<(u32, u32)> = topology
                .graph()
                .pairs()
                .filter(|(from, to)| *from >= first && *to >= first)
                .map(|(from, to)| (from - first, to - first))
                .collect();
            let across = |set: &u32| {
                let is_in = |vertex: u32| set >> vertex & 1 == 1;
                pairs.iter().filter(|(from, to)| is_in(*from) && !is_in(*to)).count() as u64
            };
            let halves = (0..1u32 << size).filter(|set| set.count_ones() == size / 2);
            let least = halves.map(|set| across(&set)).min().expect("there are halves");
            let shape = topology.shape();
            assert_eq!(shape.bisection().or(shape.halving()), Some(least), "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_halves_have_fewer_cables_than_all_of_them(
            cables in proptest::collection::vec((0..9u32, 0..9u32), 0..24),
        ) {
            let joined = joined(9, cables.into_iter().filter(|(one, other)| one != other));
            let across = |set: u32| -> u64 {
                let is_in = |vertex: u32| set >> vertex & 1 == 1;
                let ends = |one: u32| joined[one as usize].iter().filter(|end| !is_in(**end)).count();
                (0..9).filter(|one| is_in(*one)).map(ends).sum::<usize>() as u64
            };
            let least = (0..1u32 << 9).filter(|set| set.count_ones() == 4).map(across).min();
            let by_number = across(0b1111);
            let found = fewest_cables(&joined);
            prop_assert!(least.is_some_and(|least| least <= found) && found <= by_number);
        }
    }
}
