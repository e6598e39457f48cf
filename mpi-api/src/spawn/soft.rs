//! Acceptable numbers of processes from the key `soft`: a list of Fortran triplets (MPI section
//! 11.8.4).

use serde::{Deserialize, Serialize};

/// A set of numbers of processes, as the key `soft` lists them; numbers below 1 are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Soft(Vec<Triplet>);

impl Soft {
    /// Parses a list of `a`, `a:b` and `a:b:c`; `None` if the text has another form.
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(Triplet::parse).collect::<Option<_>>().map(Self)
    }

    /// Returns the largest number allowed that is at most `most`.
    pub fn largest(&self, most: u32) -> Option<u32> {
        let each = self.0.iter().filter_map(|triplet| triplet.largest(i64::from(most)));
        u32::try_from(each.max()?).ok()
    }
}

/// A Fortran triplet `a`, `a:b` or `a:b:c`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Triplet {
    first: i64,
    last: i64,
    step: i64,
}

impl Triplet {
    fn parse(text: &str) -> Option<Self> {
        let numbers: Option<Vec<i64>> =
            text.split(':').map(|word| word.trim().parse().ok()).collect();
        let (first, last, step) = match numbers?[..] {
            [only] => (only, only, 1),
            [first, last] => (first, last, 1),
            [first, last, step] if step != 0 => (first, last, step),
            _ => return None,
        };
        let forward = last > first && step > 0;
        (first == last || forward == (step > 0)).then_some(Self { first, last, step })
    }

    /// Returns the largest member from 1 to `most`.
    fn largest(&self, most: i64) -> Option<i64> {
        let steps = (self.last - self.first) / self.step;
        let (low, high) = match self.step {
            1.. => (self.first, self.first + steps * self.step),
            _ => (self.first + steps * self.step, self.first),
        };
        let apart = self.step.abs();
        let found = if most >= high { high } else { most - (most - low).rem_euclid(apart) };
        (found >= low.max(1)).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn largest(text: &str, most: u32) -> Option<u32> {
        Soft::parse(text)?.largest(most)
    }

    fn allowed(text: &str, most: u32) -> Vec<u32> {
        let mut numbers: Vec<u32> = (1..=most).filter_map(|n| largest(text, n)).collect();
        numbers.dedup();
        numbers
    }

    #[test]
    fn triplets_mean_what_the_standard_says() {
        assert_eq!(allowed("2:10:2,7", 20), [2, 4, 6, 7, 8, 10]);
        assert_eq!(allowed("0:9", 5), [1, 2, 3, 4, 5]);
        assert_eq!(allowed("2:10000:2", 9), [2, 4, 6, 8]);
        assert_eq!(allowed("1,2,4,8,16,32", 20), [1, 2, 4, 8, 16]);
        assert_eq!(allowed("10:2:-3", 20), [4, 7, 10]);
        assert_eq!(allowed("5", 20), [5]);
        assert_eq!(allowed("-3:3", 20), [1, 2, 3]);
    }

    #[test]
    fn the_largest_number_is_started() {
        assert_eq!(largest("2:10:2,7", 9), Some(8));
        assert_eq!(largest("2:10:2,7", 7), Some(7));
        assert_eq!(largest("4:8", 3), None);
        for wrong in ["", "a", "1:2:0", "1:2:3:4", "5:1", "1:5:-1", "1,,2"] {
            assert_eq!(largest(wrong, 100), None, "{wrong}");
        }
    }
}
