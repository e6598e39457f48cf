//! The communication pattern: which places exchange data, and how much.

/// The places that will communicate: a grid, or any weighted graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Size of each dimension and whether it is periodic, if the pattern is a grid (row-major).
    pub(super) grid: Option<Vec<(u32, bool)>>,
    /// Edges from each place to other places.
    pub(super) edges: Edges,
}

/// The outgoing edges of each place: the other end and a weight, in ascending order, one for each
/// pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    first: Vec<usize>,
    list: Vec<(u32, u32)>,
}

impl Pattern {
    /// Creates a grid in row-major order, in which every place sends the same amount to each
    /// neighbour; twice that to a neighbour on both sides, as on a ring of two.
    ///
    /// # Panics
    /// Panics if `dims` and `periods` differ in length.
    pub fn grid(dims: &[u32], periods: &[bool]) -> Self {
        assert_eq!(dims.len(), periods.len(), "one period for each dimension");
        let places: u32 = dims.iter().product();
        let mut list = Vec::with_capacity(2 * dims.len() * places as usize);
        let mut stride = 1;
        for (size, closed) in dims.iter().zip(periods).rev() {
            for from in 0..places {
                let at = from / stride % size;
                if at + 1 < *size {
                    list.extend([(from, from + stride, 1), (from + stride, from, 1)]);
                } else if *closed {
                    let to = from - at * stride;
                    list.extend([(from, to, 1), (to, from, 1)]);
                }
            }
            stride *= size;
        }
        let sizes = dims.iter().copied().zip(periods.iter().copied());
        let grid = sizes.filter(|(size, _)| *size > 1).collect();
        Self { grid: Some(grid), edges: Edges::new(places, list) }
    }

    /// Creates a graph of `places` places from edges (source, target, weight) in any order. Weights
    /// of several edges of one pair are added; edges of a place to itself cost nothing.
    ///
    /// # Panics
    /// Panics if an edge names a place that does not exist.
    pub fn graph(places: u32, edges: impl IntoIterator<Item = (u32, u32, u32)>) -> Self {
        Self { grid: None, edges: Edges::new(places, edges.into_iter().collect()) }
    }

    /// Returns the number of places.
    pub fn places(&self) -> u32 {
        self.edges.places()
    }
}

impl Edges {
    fn new(places: u32, mut list: Vec<(u32, u32, u32)>) -> Self {
        list.retain(|(from, to, weight)| from != to && *weight > 0);
        list.sort_unstable();
        list.dedup_by(|next, kept| {
            let same = (next.0, next.1) == (kept.0, kept.1);
            if same {
                kept.2 = kept.2.saturating_add(next.2);
            }
            same
        });
        let mut first = vec![0; places as usize + 1];
        for (from, to, _) in &list {
            assert!(from.max(to) < &places, "an edge from {from} to {to} of {places} places");
            first[*from as usize + 1] += 1;
        }
        for place in 0..places as usize {
            first[place + 1] += first[place];
        }
        Self { first, list: list.into_iter().map(|(_, to, weight)| (to, weight)).collect() }
    }

    pub(super) fn places(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    pub(super) fn count(&self) -> usize {
        self.list.len()
    }

    /// Returns the edges that leave a place.
    pub(super) fn of(&self, place: u32) -> &[(u32, u32)] {
        &self.list[self.first[place as usize]..self.first[place as usize + 1]]
    }

    /// Iterates over all edges: source, target, weight.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..self.places())
            .flat_map(|from| self.of(from).iter().map(move |(to, weight)| (from, *to, *weight)))
    }

    /// Returns the weight that each pair exchanges in both directions, stored at both of its
    /// places. Weights are scaled down to 24 bits, so that sums of weight times hops do not
    /// overflow.
    pub(super) fn exchanged(&self) -> Self {
        let largest = self.list.iter().map(|edge| edge.1).max().unwrap_or(1);
        let shift = (u32::BITS - largest.leading_zeros()).saturating_sub(23);
        let scaled = |weight: u32| (weight >> shift).max(1);
        let both = self.iter().flat_map(|(from, to, weight)| {
            [(from, to, scaled(weight)), (to, from, scaled(weight))]
        });
        Self::new(self.places(), both.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(pattern: &Pattern) -> Vec<(u32, u32, u32)> {
        pattern.edges.iter().collect()
    }

    #[test]
    fn a_grid_has_an_edge_to_each_neighbour() {
        let line = Pattern::grid(&[3], &[false]);
        assert_eq!(edges(&line), [(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1)]);
        let pair = Pattern::grid(&[2, 1], &[true, true]);
        assert_eq!(edges(&pair), [(0, 1, 2), (1, 0, 2)], "neighbours on both sides");
        let torus = Pattern::grid(&[3, 4], &[true, false]);
        assert_eq!(torus.places(), 12);
        assert_eq!(torus.edges.of(0), [(1, 1), (4, 1), (8, 1)]);
    }

    #[test]
    fn edges_of_a_pair_count_together() {
        let graph = Pattern::graph(3, [(2, 0, 5), (0, 1, 0), (1, 1, 9), (2, 0, u32::MAX)]);
        assert_eq!(edges(&graph), [(2, 0, u32::MAX)]);
        let exchanged = graph.edges.exchanged();
        assert_eq!(exchanged.of(0), [(2, (1 << 23) - 1)]);
        assert_eq!(exchanged.of(2), [(0, (1 << 23) - 1)]);
    }
}
