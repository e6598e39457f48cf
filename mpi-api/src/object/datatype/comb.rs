//! Equal blocks at equal distances: whether two such combs share a byte follows by arithmetic,
//! however many blocks they have.

use super::{Datatype, shape::Shape};

/// Disjoint blocks of bytes at equal distances, in ascending order of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comb {
    /// First byte of the first block.
    at: i64,
    /// End of the last block, exclusive.
    end: i64,
    /// Number of blocks, at least 1.
    count: i64,
    /// Distance between the starts of blocks, at least the length of one.
    stride: i64,
}

impl Comb {
    /// Creates a single block from its first byte and its end; `None` if it is empty.
    pub fn block(start: i64, end: i64) -> Option<Self> {
        let length = end.checked_sub(start).filter(|length| *length > 0)?;
        Some(Self { at: start, end, count: 1, stride: length })
    }

    fn of_blocks(at: i64, count: i64, stride: i64, length: i64) -> Self {
        Self { at, end: at + (count - 1) * stride + length, count, stride }
    }

    /// Returns the first byte and the end.
    #[inline]
    pub fn range(&self) -> (i64, i64) {
        (self.at, self.end)
    }

    /// Returns the number of bytes in all blocks.
    #[inline]
    pub fn bytes(&self) -> u64 {
        (self.count * self.length()) as u64
    }

    /// Returns the number of blocks, at least 1.
    #[inline]
    pub fn count(&self) -> i64 {
        self.count
    }

    /// Returns the distance between the starts of blocks; with one block, its length.
    #[inline]
    pub fn stride(&self) -> i64 {
        self.stride
    }

    /// Returns first byte and end of every run of bytes, disjoint and in order of address; empty if
    /// there are more than [`SPANS_MAX`](super::SPANS_MAX) blocks.
    pub fn runs(&self) -> Box<[(i64, i64)]> {
        if self.count as u64 > super::SPANS_MAX {
            return Box::default();
        }
        let starts = (0..self.count).map(|block| self.at + block * self.stride);
        super::joined(starts.map(|start| (start, start + self.length())).collect())
    }

    /// Returns the length of a block in bytes, at least 1.
    #[inline]
    pub fn length(&self) -> i64 {
        self.end - self.at - (self.count - 1) * self.stride
    }

    /// Reports whether both contain a common byte; `None` if both have several blocks at different
    /// distances.
    pub fn meets(&self, other: &Self) -> Option<bool> {
        if self.end <= other.at || other.end <= self.at {
            return Some(false);
        }
        if self.count > 1 && other.count > 1 && self.stride != other.stride {
            return None;
        }
        // Block j of the other begins `apart + (j - k) * stride` after our block k. They meet if
        // that is more than -(their length) and less than our length.
        let stride = if self.count > 1 { self.stride } else { other.stride };
        let apart = other.at - self.at;
        let least = (-other.length() - apart).div_euclid(stride) + 1;
        let most = (self.length() - apart - 1).div_euclid(stride);
        Some(least.max(1 - self.count) <= most.min(other.count - 1))
    }
}

impl Datatype {
    /// Returns the bytes of `elements` elements at `base`, if they form a comb within the range of
    /// addresses and there are any.
    pub fn comb(&self, base: i64, elements: i64) -> Option<Comb> {
        let Shape::Blocks { at, count, stride, length } = self.0.draft.shape else { return None };
        if elements < 1 {
            return None;
        }
        let (count, stride) = match (elements, count) {
            (1, _) => (count, stride),
            (_, 1) => (u64::try_from(elements).ok()?, self.extent()),
            _ => return None,
        };
        let (count, length) = (i64::try_from(count).ok()?, i64::try_from(length).ok()?);
        let at = base.checked_add(at)?;
        at.checked_add(count.checked_mul(stride)?)?;
        let stride = if count == 1 { length } else { stride };
        (stride >= length).then(|| Comb::of_blocks(at, count, stride, length))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn comb() -> impl Strategy<Value = Comb> {
        (-60..60_i64, 1..6_i64, 1..5_i64, 0..12_i64)
            .prop_map(|(at, count, length, gap)| Comb::of_blocks(at, count, length + gap, length))
    }

    fn bytes(comb: &Comb) -> BTreeSet<i64> {
        let block = |k| comb.at + k * comb.stride..comb.at + k * comb.stride + comb.length();
        (0..comb.count).flat_map(block).collect()
    }

    proptest! {
        #[test]
        fn combs_meet_where_they_share_bytes(a in comb(), b in comb(), same in any::<bool>()) {
            let stride = if same { a.stride.max(b.length()) } else { b.stride };
            let b = Comb::of_blocks(b.at, b.count, stride, b.length());
            let expected = !bytes(&a).is_disjoint(&bytes(&b));
            match a.meets(&b) {
                Some(told) => prop_assert_eq!(told, expected),
                None => prop_assert!(a.count > 1 && b.count > 1 && a.stride != b.stride),
            }
            prop_assert_eq!(a.meets(&b), b.meets(&a));
        }
    }
}
