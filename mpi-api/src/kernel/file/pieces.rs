//! [`Pieces`]: what is known of the bytes of a file.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    mem,
};

/// Number of pieces of a file that are distinguished.
pub(super) const MOST: usize = 1 << 18;

/// Consecutive bytes of which the same is known.
#[derive(Clone, Copy, Debug)]
struct Piece<T> {
    end: i64,
    known: T,
}

/// What is known of the bytes of a file. Of bytes that no piece has the default is known.
#[derive(Default)]
pub(super) struct Pieces<T> {
    /// By first byte; they do not overlap.
    by_first: BTreeMap<i64, Piece<T>>,
}

impl<T: Copy + Default + PartialEq> Pieces<T> {
    /// Updates what is known of the bytes of these runs, piece by piece, in ascending order within each run. `update` gets
    /// the first byte of each piece. Beyond [`MOST`] pieces the first ones of the file are forgotten.
    pub(super) fn update(&mut self, runs: &[(i64, u64)], mut update: impl FnMut(i64, &mut T)) {
        for (first, bytes) in runs.iter().filter(|run| run.1 > 0) {
            self.update_run((*first, first.saturating_add_unsigned(*bytes)), &mut update);
        }
        while self.by_first.len() > MOST {
            self.by_first.pop_first();
        }
    }

    /// Updates all pieces and keeps those for which `keep` returns true.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
        self.by_first.retain(|_, piece| keep(&mut piece.known));
    }

    /// Returns the first byte, the number of bytes and what is known of each piece.
    pub(super) fn iter(&self) -> impl Iterator<Item = (i64, u64, &T)> {
        self.by_first
            .iter()
            .map(|(first, piece)| (*first, piece.end.abs_diff(*first), &piece.known))
    }

    /// Returns the number of pieces.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.by_first.len()
    }

    /// Updates the bytes from `first` to before `end`.
    fn update_run(&mut self, (first, end): (i64, i64), update: &mut impl FnMut(i64, &mut T)) {
        self.split(first);
        self.split(end);
        let mut at = first;
        while at < end {
            let next = self.by_first.range(at + 1..end).next().map_or(end, |(start, _)| *start);
            let piece = match self.by_first.entry(at) {
                Entry::Occupied(piece) => piece.into_mut(),
                Entry::Vacant(gap) => gap.insert(Piece { end: next, known: T::default() }),
            };
            update(at, &mut piece.known);
            at = piece.end;
        }
        self.join((first, end));
    }

    /// Divides the piece that goes beyond `at`, if one does.
    fn split(&mut self, at: i64) {
        if let Some((_, piece)) = self.by_first.range_mut(..at).next_back()
            && piece.end > at
        {
            let rest = Piece { end: mem::replace(&mut piece.end, at), ..*piece };
            self.by_first.insert(at, rest);
        }
    }

    /// Unites pieces in and beside these bytes of which the same is known.
    fn join(&mut self, (first, end): (i64, i64)) {
        let before = self.by_first.range(..first).next_back();
        let mut left = before.map_or(first, |(start, _)| *start);
        while left < end
            && let Some((start, next)) = self.by_first.range(left + 1..=end).next()
        {
            let (start, next) = (*start, *next);
            let same = |piece: &&mut Piece<T>| piece.end == start && piece.known == next.known;
            match self.by_first.get_mut(&left).filter(same) {
                Some(piece) => {
                    piece.end = next.end;
                    self.by_first.remove(&start);
                }
                None => left = start,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(runs: &[&[(i64, u64)]]) -> Pieces<u32> {
        let mut pieces = Pieces::default();
        for runs in runs {
            pieces.update(runs, |_, known| *known += 1);
        }
        pieces
    }

    #[test]
    fn pieces_are_divided_and_united() {
        let all = |pieces: &Pieces<u32>| {
            pieces.iter().map(|(first, bytes, known)| (first, bytes, *known)).collect::<Vec<_>>()
        };
        let divided = marked(&[&[(0, 10)], &[(4, 2), (20, 0)]]);
        assert_eq!(all(&divided), [(0, 4, 1), (4, 2, 2), (6, 4, 1)]);
        let united = marked(&[&[(0, 4)], &[(8, 4)], &[(4, 4)]]);
        assert_eq!(all(&united), [(0, 12, 1)]);
        let over_gaps = marked(&[&[(2, 2), (6, 2)], &[(0, 10)]]);
        assert_eq!(all(&over_gaps), [(0, 2, 1), (2, 2, 2), (4, 2, 1), (6, 2, 2), (8, 2, 1)]);
    }

    #[test]
    fn pieces_that_are_not_kept_are_forgotten() {
        let mut pieces = marked(&[&[(0, 10)], &[(4, 2)]]);
        pieces.retain(|known| *known == 2);
        assert_eq!(pieces.iter().collect::<Vec<_>>(), [(4, 2, &2)]);
    }
}
