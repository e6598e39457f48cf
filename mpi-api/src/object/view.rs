//! File views: which bytes of a file a rank sees, and in which order (MPI section 14.3).

use serde::{Deserialize, Serialize};

use crate::error::{ErrorClass, MpiError};

/// A view as bytes: a tile of runs that repeats from the displacement on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// First byte of the first tile.
    pub displacement: u64,
    /// Size of an elementary type in bytes; offsets count these.
    pub etype: u64,
    /// Runs of bytes in a tile, in the order of the data.
    pub tile: Box<[(i64, u64)]>,
    /// Distance between consecutive tiles in bytes.
    pub extent: i64,
}

impl Default for View {
    /// Returns the view of a file that has just been opened: all bytes in order.
    fn default() -> Self {
        Self { displacement: 0, etype: 1, tile: [(0, 1)].into(), extent: 1 }
    }
}

impl View {
    /// Returns the view from byte `displacement` on of elementary types and file types of these sizes, where an
    /// element of the file type has these runs of bytes and this extent (MPI section 14.3).
    ///
    /// # Errors
    /// Returns why there is no such view: the standard wants file types that are made of elementary types and have
    /// no negative or decreasing displacements; in files that are written, they must not overlap. Elements of the
    /// file type may overlap each other, as long as no access writes a byte twice ([`View::writes_twice`]).
    pub fn of(
        displacement: u64,
        (etype, filetype): (u64, u64),
        (tile, extent): (Vec<(i64, u64)>, i64),
        writes: bool,
    ) -> Result<Self, MpiError> {
        let fault = |text: &str| Err(MpiError::new(ErrorClass::Type, text));
        if etype == 0 || !filetype.is_multiple_of(etype) {
            return fault("the file type is not made of elementary types");
        }
        if tile.first().is_some_and(|(at, _)| *at < 0) {
            return fault("the file type has negative displacements");
        }
        if !tile.is_sorted_by(|one, other| one.0 <= other.0) || extent < 0 {
            return fault("the displacements of the file type do not increase");
        }
        if writes && overlap(&tile) {
            return fault("the file type overlaps itself, and the file is open for writing");
        }
        Ok(Self { displacement, etype, tile: tile.into(), extent })
    }

    /// Reports whether runs that [`View::runs`] has returned have a byte in common, as those of tiles that
    /// overlap can.
    pub fn writes_twice(&self, runs: &[(i64, u64)]) -> bool {
        let next = self.tile.first().map_or(0, |(at, _)| at + self.extent);
        if self.reach() <= next {
            return false;
        }
        let mut runs = runs.to_vec();
        runs.sort_unstable();
        overlap(&runs)
    }

    /// Returns the distance from the start of a tile to the end of its last run in bytes.
    fn reach(&self) -> i64 {
        self.tile.last().map_or(0, |(at, bytes)| at + *bytes as i64)
    }

    /// Returns the bytes of data in a tile.
    fn data(&self) -> u64 {
        self.tile.iter().map(|(_, bytes)| bytes).sum()
    }

    /// Reports whether the view has no gaps.
    fn is_dense(&self) -> bool {
        matches!(self.tile[..], [(0, bytes)] if bytes as i64 == self.extent)
    }

    /// Returns the place in the file of a run of a tile; `None` if a file cannot be that large.
    fn place(&self, tile: u64, at: i64) -> Option<i64> {
        let before = i64::try_from(tile).ok()?.checked_mul(self.extent)?;
        i64::try_from(self.displacement).ok()?.checked_add(before)?.checked_add(at)
    }

    /// Returns the place in the file of byte `first` of the data; `None` if there is none.
    pub fn byte(&self, first: u64) -> Option<i64> {
        let data = self.data();
        if data == 0 {
            return (first == 0).then_some(self.displacement as i64);
        }
        let (tile, mut rest) = (first / data, first % data);
        for (at, bytes) in &self.tile {
            if rest < *bytes {
                return self.place(tile, at + rest as i64);
            }
            rest -= bytes;
        }
        None
    }

    /// Returns the runs of bytes in the file that are `bytes` bytes of data from byte `first` on;
    /// `None` if the view has no such bytes.
    pub fn runs(&self, first: u64, bytes: u64) -> Option<Vec<(i64, u64)>> {
        if bytes == 0 {
            return Some(Vec::new());
        }
        first.checked_add(bytes).filter(|end| i64::try_from(*end).is_ok())?;
        if self.is_dense() {
            let start = self.place(0, i64::try_from(first).ok()?)?;
            start.checked_add_unsigned(bytes)?;
            return Some(vec![(start, bytes)]);
        }
        let data = self.data();
        if data == 0 {
            return None;
        }
        let mut list: Vec<(i64, u64)> = Vec::new();
        let (mut tile, mut skipped, mut left) = (first / data, first % data, bytes);
        while left > 0 {
            for (at, length) in &self.tile {
                let skip = skipped.min(*length);
                skipped -= skip;
                let taken = (length - skip).min(left);
                if taken == 0 {
                    continue;
                }
                left -= taken;
                let at = self.place(tile, at + skip as i64)?;
                at.checked_add_unsigned(taken)?;
                match list.last_mut() {
                    Some((before, sum)) if *before + *sum as i64 == at => *sum += taken,
                    _ => list.push((at, taken)),
                }
            }
            tile += 1;
        }
        Some(list)
    }

    /// Returns the number of bytes of data that lie in front of a byte of the file, without those that follow data which do
    /// not.
    pub fn data_before(&self, end: u64) -> u64 {
        let Some(inside) = end.checked_sub(self.displacement) else { return 0 };
        if self.extent <= 0 {
            let runs = self.tile.iter();
            return runs.map(|(at, bytes)| part_before(*at, *bytes, inside as i64)).sum();
        }
        let extent = self.extent as u64;
        let behind = inside.checked_sub(self.reach() as u64);
        let whole = behind.map_or(0, |behind| behind / extent + 1);
        let rest = inside as i64 - (whole * extent) as i64;
        let partial = self.tile.iter().map(|(at, bytes)| part_before(*at, *bytes, rest));
        whole * self.data() + partial.sum::<u64>()
    }

    /// Returns the offset at the end of a file of this size, in elementary types: that of the first
    /// one that does not lie in front of it.
    pub fn end(&self, size: u64) -> i64 {
        self.data_before(size).div_ceil(self.etype.max(1)) as i64
    }
}

/// Returns how many bytes of a run lie in front of a place.
fn part_before(at: i64, bytes: u64, end: i64) -> u64 {
    (end.saturating_sub(at).max(0) as u64).min(bytes)
}

/// Reports whether two of these runs, which are in the order of their places, have a byte in common.
fn overlap(runs: &[(i64, u64)]) -> bool {
    runs.windows(2).any(|pair| pair[0].0 + pair[0].1 as i64 > pair[1].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of every six integers, from byte 10 on.
    fn sparse() -> View {
        View { displacement: 10, etype: 4, tile: [(4, 8)].into(), extent: 24 }
    }

    #[test]
    fn a_new_view_is_the_file() {
        let view = View::default();
        assert_eq!(view.runs(7, 100), Some(vec![(7, 100)]));
        assert_eq!((view.byte(9), view.data_before(55), view.end(55)), (Some(9), 55, 55));
    }

    #[test]
    fn data_are_found_tile_by_tile() {
        let view = sparse();
        assert_eq!(view.runs(0, 8), Some(vec![(14, 8)]));
        assert_eq!(view.runs(4, 12), Some(vec![(18, 4), (38, 8)]));
        assert_eq!(view.runs(8, 0), Some(vec![]));
        assert_eq!((view.byte(0), view.byte(7), view.byte(8)), (Some(14), Some(21), Some(38)));
    }

    #[test]
    fn runs_that_touch_are_one() {
        let view = View { displacement: 0, etype: 1, tile: [(0, 4), (4, 4)].into(), extent: 8 };
        assert_eq!(view.runs(2, 12), Some(vec![(2, 12)]));
    }

    #[test]
    fn the_end_of_a_file_is_counted_in_elementary_types() {
        let view = sparse();
        // The tiles have data at 14 to 21, 38 to 45, 62 to 69.
        for (size, data, end) in
            [(0, 0, 0), (14, 0, 0), (15, 1, 1), (22, 8, 2), (38, 8, 2), (44, 14, 4), (62, 16, 4)]
        {
            assert_eq!((view.data_before(size), view.end(size)), (data, end), "{size}");
        }
    }

    #[test]
    fn elements_of_a_file_type_may_overlap_each_other_but_not_themselves() {
        // A header of 8 bytes and two parts of a row of 12, whose extent is that of the row.
        let view = View::of(0, (4, 16), (vec![(0, 8), (8, 4), (16, 4)], 12), true).expect("a view");
        let writes_twice = |bytes| view.writes_twice(&view.runs(0, bytes).expect("some bytes"));
        assert!(!writes_twice(16) && !writes_twice(20) && writes_twice(24));
        // The second element begins at byte 12, and counts as soon as all of the first is there.
        for (size, data) in [(7, 7), (10, 10), (14, 12), (19, 15), (20, 24)] {
            assert_eq!(view.data_before(size), data, "{size}");
        }
        let itself = View::of(0, (4, 12), (vec![(0, 8), (4, 4)], 12), true);
        assert!(itself.is_err());
    }

    #[test]
    fn places_beyond_any_file_are_refused() {
        assert_eq!(View::default().runs(u64::MAX, 1), None);
        assert_eq!(View::default().runs(i64::MAX as u64, 1), None);
        assert_eq!(sparse().runs(i64::MAX as u64 / 2, 8), None);
        let nothing = View { tile: [].into(), ..sparse() };
        assert_eq!((nothing.runs(0, 1), nothing.byte(0)), (None, Some(10)));
    }
}
