//! Cartesian virtual topologies (MPI section 8.5).

use std::cmp::Reverse;

use network_models::row_major;
use serde::{Deserialize, Serialize};
use sim_core::words::out_of_range;

use crate::policy::{Policies, Policy};

/// The order of the sizes that [`dims_create`] finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DimsOrder {
    /// Sizes do not increase.
    NotIncreasing,
    /// Sizes decrease strictly if there are such sizes; otherwise as `NotIncreasing`.
    Decreasing,
}

impl DimsOrder {
    /// Returns the order that applies in a run.
    pub fn of(policies: &Policies) -> Self {
        if policies.differs(Policy::DimsOrder) { Self::Decreasing } else { Self::NotIncreasing }
    }
}

/// Fills the zero entries of `dims` so that the product is `nodes`, as balanced as possible and in
/// order (`MPI_Dims_create`).
///
/// # Errors
/// If the fixed entries do not divide `nodes`; the text says so.
pub fn dims_create(nodes: u32, dims: &mut [u32], order: DimsOrder) -> Result<(), String> {
    let fixed: u64 = dims.iter().filter(|d| **d > 0).map(|d| u64::from(*d)).product();
    let free = dims.iter().filter(|d| **d == 0).count();
    if !u64::from(nodes).is_multiple_of(fixed) || (dims.is_empty() && nodes != 1) {
        return Err(format!("{nodes} nodes cannot be laid out in {dims:?}"));
    }
    // Where nothing is free there is nothing to fill, even if the product is smaller.
    let rest = (u64::from(nodes) / fixed) as u32;
    let strict = match order {
        DimsOrder::Decreasing => decreasing(rest, free, u32::MAX),
        DimsOrder::NotIncreasing => None,
    };
    let mut sizes = strict.unwrap_or_else(|| balanced(rest, free)).into_iter();
    for dim in dims.iter_mut().filter(|d| **d == 0) {
        *dim = sizes.next().unwrap_or(1);
    }
    Ok(())
}

/// Returns `count` sizes with the product `rest`, the largest first: the largest and the smallest
/// are as close to each other as possible; of several such lists the lexicographically largest (MPI
/// 8.5.2).
fn balanced(rest: u32, count: usize) -> Vec<u32> {
    let divisors = divisors(rest);
    let mut ends: Vec<(u32, u32)> = divisors
        .iter()
        .flat_map(|largest| divisors.iter().map(|smallest| (*largest, *smallest)))
        .filter(|(largest, smallest)| {
            smallest <= largest
                && power(*smallest, count) <= u64::from(rest)
                && power(*largest, count) >= u64::from(rest)
        })
        .collect();
    ends.sort_unstable_by_key(|(largest, smallest)| (largest - smallest, Reverse(*largest)));
    ends.into_iter().find_map(|ends| between(&divisors, rest, count, ends)).unwrap_or_default()
}

/// Returns `count` sizes with the product `rest`, the largest first, none outside the bounds; of
/// several such lists the lexicographically largest.
fn between(
    divisors: &[u32],
    rest: u32,
    count: usize,
    (most, least): (u32, u32),
) -> Option<Vec<u32>> {
    if count == 0 {
        return (rest == 1).then(Vec::new);
    }
    let enough = |size: u32| power(size, count) >= u64::from(rest);
    let from = divisors.partition_point(|size| *size < least);
    let to = divisors.partition_point(|size| *size <= most);
    divisors[from..to.max(from)]
        .iter()
        .rev()
        .filter(|size| rest.is_multiple_of(**size) && enough(**size))
        .find_map(|size| {
            let smaller = between(divisors, rest / size, count - 1, (*size, least))?;
            Some([&[*size], &smaller[..]].concat())
        })
}

fn divisors(number: u32) -> Vec<u32> {
    let divides = |size: &u32| number.is_multiple_of(*size);
    let mut list: Vec<u32> = (1..=number.isqrt()).filter(divides).collect();
    let above: Vec<u32> = list.iter().rev().map(|size| number / size).collect();
    list.extend(above);
    list.dedup();
    list
}

fn power(base: u32, exponent: usize) -> u64 {
    u64::from(base).saturating_pow(exponent as u32)
}

/// Returns strictly decreasing sizes, all less than `below`, the largest as small as possible.
fn decreasing(rest: u32, count: usize, below: u32) -> Option<Vec<u32>> {
    if count == 0 {
        return (rest == 1).then(Vec::new);
    }
    let divisors = (1..=rest.min(below - 1)).filter(|size| rest.is_multiple_of(*size));
    divisors
        .filter_map(|size| Some((size, decreasing(rest / size, count - 1, size)?)))
        .map(|(size, smaller)| [&[size], &smaller[..]].concat())
        .next()
}

/// A Cartesian grid of ranks in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cart {
    /// Size of each dimension.
    pub dims: Vec<u32>,
    /// Whether each dimension is periodic.
    pub periods: Vec<bool>,
}

impl Cart {
    /// Returns the number of places in the grid.
    pub fn size(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Returns the rank at the coordinates; periodic ones wrap around.
    ///
    /// # Errors
    /// If a coordinate of a dimension that is not periodic is out of range; the text names it.
    pub fn rank_of(&self, coords: &[i64]) -> Result<u32, String> {
        let mut rank = 0;
        for (at, (size, periodic)) in self.dims.iter().zip(&self.periods).enumerate() {
            let coordinate = coords.get(at).copied().unwrap_or(0);
            let wrapped = coordinate.rem_euclid(i64::from(*size)) as u32;
            if !periodic && i64::from(wrapped) != coordinate {
                let what = format_args!("coordinate {coordinate} of dimension {at}");
                return Err(out_of_range(what, *size));
            }
            rank = rank * size + wrapped;
        }
        Ok(rank)
    }

    /// Returns the coordinates of a rank.
    pub fn coords_of(&self, rank: u32) -> Vec<u32> {
        row_major(rank, &self.dims)
    }

    /// Returns source and destination of a shift (`MPI_Cart_shift`); `None` is the null process.
    pub fn shift(&self, rank: u32, direction: usize, by: i64) -> (Option<u32>, Option<u32>) {
        let coords: Vec<i64> = self.coords_of(rank).into_iter().map(i64::from).collect();
        let moved = |by: i64| {
            let mut coords = coords.clone();
            coords[direction] += by;
            self.rank_of(&coords).ok()
        };
        (moved(-by), moved(by))
    }

    /// Returns the grid of the kept dimensions, and the colour and key of a rank (`MPI_Cart_sub`).
    pub fn sub(&self, rank: u32, keep: &[bool]) -> (Self, u32, i32) {
        let coords = self.coords_of(rank);
        let (mut color, mut key) = (0, 0);
        let mut grid = Self { dims: Vec::new(), periods: Vec::new() };
        for (at, coordinate) in coords.into_iter().enumerate() {
            if keep.get(at) == Some(&true) {
                key = key * self.dims[at] + coordinate;
                grid.dims.push(self.dims[at]);
                grid.periods.push(self.periods[at]);
            } else {
                color = color * self.dims[at] + coordinate;
            }
        }
        (grid, color, key as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dims_of_the_standard() {
        let dims = |nodes, mut dims: Vec<u32>| {
            dims_create(nodes, &mut dims, DimsOrder::NotIncreasing).map(|()| dims)
        };
        assert_eq!(dims(6, vec![0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims(7, vec![0, 0]), Ok(vec![7, 1]));
        assert_eq!(dims(6, vec![0, 3, 0]), Ok(vec![2, 3, 1]));
        assert!(dims(7, vec![0, 3, 0]).is_err());
        assert_eq!(dims(4, vec![1, 2]), Ok(vec![1, 2]));
        assert_eq!((dims(1, vec![]), dims(2, vec![]).is_err()), (Ok(vec![]), true));
    }

    #[test]
    fn dims_are_as_close_to_each_other_as_can_be() {
        for nodes in 1..=240u32 {
            for count in 1..=4 {
                let mut dims = vec![0; count];
                dims_create(nodes, &mut dims, DimsOrder::NotIncreasing).expect("it can be done");
                assert_eq!(dims.iter().product::<u32>(), nodes);
                assert!(dims.is_sorted_by(|a, b| a >= b), "{dims:?}");
                assert_eq!(dims, best(nodes, count), "{nodes}");
            }
        }
    }

    /// Returns all lists of `count` sizes in non-increasing order with this product.
    fn all(product: u32, count: usize, most: u32) -> Vec<Vec<u32>> {
        if count == 0 {
            return if product == 1 { vec![Vec::new()] } else { Vec::new() };
        }
        let sizes = (1..=product.min(most)).filter(|size| product.is_multiple_of(*size));
        sizes
            .flat_map(|size| {
                let rest = all(product / size, count - 1, size);
                rest.into_iter().map(move |rest| [&[size], &rest[..]].concat())
            })
            .collect()
    }

    /// Returns the lexicographically largest list with the least spread, by exhaustive search.
    fn best(nodes: u32, count: usize) -> Vec<u32> {
        let spread = |dims: &Vec<u32>| dims[0] - dims[count - 1];
        let of = |dims: &Vec<u32>| (Reverse(spread(dims)), dims.clone());
        all(nodes, count, nodes).into_iter().max_by_key(of).expect("there is one")
    }

    #[test]
    fn of_equal_spreads_the_lexicographically_largest_is_taken() {
        let tied = |nodes| {
            let lists = all(nodes, 3, nodes);
            let least = lists.iter().map(|dims| dims[0] - dims[2]).min();
            lists.iter().filter(|dims| Some(dims[0] - dims[2]) == least).count() > 1
        };
        let nodes = (1..1_000).find(|nodes| tied(*nodes)).expect("there is a tie");
        let mut dims = vec![0; 3];
        dims_create(nodes, &mut dims, DimsOrder::NotIncreasing).expect("it can be done");
        assert_eq!(dims, best(nodes, 3), "{nodes}");
    }

    #[test]
    fn decreasing_dims_are_not_equal_where_that_can_be() {
        let dims = |nodes, mut dims: Vec<u32>| {
            dims_create(nodes, &mut dims, DimsOrder::Decreasing).map(|()| dims)
        };
        assert_eq!(dims(6, vec![0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims(16, vec![0, 0]), Ok(vec![8, 2]));
        assert_eq!(dims(36, vec![0, 0, 0]), Ok(vec![6, 3, 2]));
        assert_eq!(dims(16, vec![0, 2, 0]), Ok(vec![4, 2, 2]));
        assert_eq!(dims(7, vec![0, 0, 0]), Ok(vec![7, 1, 1]), "there are no others");
        assert!(dims(7, vec![0, 3, 0]).is_err());
    }

    #[test]
    fn shifts_wrap_or_fall_off() {
        let cart = Cart { dims: vec![3, 4], periods: vec![true, false] };
        assert_eq!(cart.rank_of(&[4, 2]), Ok(6));
        assert_eq!(cart.coords_of(6), [1, 2]);
        assert_eq!(cart.shift(0, 0, 1), (Some(8), Some(4)));
        assert_eq!(cart.shift(0, 1, 1), (None, Some(1)));
        let (grid, color, key) = cart.sub(6, &[false, true]);
        assert_eq!((grid.dims, color, key), (vec![4], 1, 2));
    }
}
