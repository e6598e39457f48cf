//! Cartesian virtual topologies (MPI section 8.5).

/// Fills the zero entries of `dims` so that the product is `nodes`, as balanced as possible and
/// not increasing (`MPI_Dims_create`).
///
/// # Errors
/// If the fixed entries do not divide `nodes`; the text says so.
pub fn dims_create(nodes: u32, dims: &mut [u32]) -> Result<(), String> {
    let fixed: u64 = dims.iter().filter(|d| **d > 0).map(|d| u64::from(*d)).product();
    let free = dims.iter().filter(|d| **d == 0).count();
    let bad = || format!("{nodes} nodes cannot be laid out in {dims:?}");
    if !u64::from(nodes).is_multiple_of(fixed) || (free == 0 && fixed != u64::from(nodes)) {
        return Err(bad());
    }
    let mut rest = (u64::from(nodes) / fixed) as u32;
    let mut sizes = Vec::new();
    for left in (1..=free as u32).rev() {
        let size = smallest_fair(rest, left);
        sizes.push(size);
        rest /= size;
    }
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let mut sizes = sizes.into_iter();
    for dim in dims.iter_mut().filter(|d| **d == 0) {
        *dim = sizes.next().unwrap_or(1);
    }
    Ok(())
}

/// The smallest divisor of `rest` whose power `left` is at least `rest`.
fn smallest_fair(rest: u32, left: u32) -> u32 {
    let divides = |size: &u32| rest.is_multiple_of(*size);
    let enough = |size: &u32| u64::from(*size).saturating_pow(left) >= u64::from(rest);
    (1..=rest).find(|size| divides(size) && enough(size)).unwrap_or(1)
}

/// A grid of ranks, row-major.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cart {
    /// Sizes.
    pub dims: Vec<u32>,
    /// Whether each dimension closes to a ring.
    pub periods: Vec<bool>,
}

impl Cart {
    /// Number of places.
    pub fn size(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Rank at the coordinates; periodic ones wrap.
    ///
    /// # Errors
    /// If a coordinate of an open dimension is out of range; the text says which.
    pub fn rank_of(&self, coords: &[i64]) -> Result<u32, String> {
        let mut rank = 0;
        for (at, (size, periodic)) in self.dims.iter().zip(&self.periods).enumerate() {
            let coordinate = coords.get(at).copied().unwrap_or(0);
            let wrapped = coordinate.rem_euclid(i64::from(*size)) as u32;
            if !periodic && i64::from(wrapped) != coordinate {
                return Err(format!(
                    "coordinate {coordinate} of dimension {at} is not in 0..{size}"
                ));
            }
            rank = rank * size + wrapped;
        }
        Ok(rank)
    }

    /// Coordinates of a rank.
    pub fn coords_of(&self, rank: u32) -> Vec<u32> {
        let mut rest = rank;
        let mut coords: Vec<u32> = self
            .dims
            .iter()
            .rev()
            .map(|size| {
                let coordinate = rest % size;
                rest /= size;
                coordinate
            })
            .collect();
        coords.reverse();
        coords
    }

    /// Source and destination of a shift; `None` is the null process (`MPI_Cart_shift`).
    pub fn shift(&self, rank: u32, direction: usize, by: i64) -> (Option<u32>, Option<u32>) {
        let coords: Vec<i64> = self.coords_of(rank).into_iter().map(i64::from).collect();
        let moved = |by: i64| {
            let mut coords = coords.clone();
            coords[direction] += by;
            self.rank_of(&coords).ok()
        };
        (moved(-by), moved(by))
    }

    /// The grid of the kept dimensions, and the colour and key of a rank (`MPI_Cart_sub`).
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
        let dims = |nodes, mut dims: Vec<u32>| dims_create(nodes, &mut dims).map(|()| dims);
        assert_eq!(dims(6, vec![0, 0]), Ok(vec![3, 2]));
        assert_eq!(dims(7, vec![0, 0]), Ok(vec![7, 1]));
        assert_eq!(dims(6, vec![0, 3, 0]), Ok(vec![2, 3, 1]));
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
