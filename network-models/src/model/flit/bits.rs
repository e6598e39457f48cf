//! [`Bits`]: a set of small numbers.

/// A set of numbers below a limit, visited in ascending order.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Creates an empty set of numbers below `limit`.
    pub(super) fn new(limit: u32) -> Self {
        Self { words: vec![0; limit.div_ceil(64) as usize] }
    }

    pub(super) fn insert(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    pub(super) fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the smallest number of the set that is not below `from`.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let mut place = from as usize / 64;
        let mut word = *self.words.get(place)? & (!0 << (from % 64));
        while word == 0 {
            place += 1;
            word = *self.words.get(place)?;
        }
        Some(place as u32 * 64 + word.trailing_zeros())
    }

    /// Returns the numbers in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let number = self.next(from)?;
            from = number + 1;
            Some(number)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_ascending_order() {
        let mut set = Bits::new(130);
        assert!(set.is_empty() && set.next(0).is_none());
        for number in [129, 63, 64, 0, 5] {
            set.insert(number);
        }
        set.remove(5);
        assert!(set.iter().eq([0, 63, 64, 129]));
        assert_eq!((set.next(65), set.next(130), set.next(1000)), (Some(129), None, None));
    }
}
