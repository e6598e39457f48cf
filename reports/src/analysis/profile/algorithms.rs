//! [`Algorithms`]: what carried out collective operations.

use std::{cmp::Reverse, collections::BTreeMap};

use mpi_api::collective::algorithm::Algorithm;

/// The calls that one algorithm carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlgorithmUse {
    /// The algorithm that was used, also if another one was chosen that is not applicable.
    pub algorithm: Algorithm,
    /// Number of calls by all ranks.
    pub calls: u64,
    /// Least and most bytes of data of one rank in a call. Ranks without data, such as all but the root of a
    /// broadcast, count only if no rank has any.
    pub bytes: (u64, u64),
}

/// Calls of collective operations by the algorithm that carried them out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Algorithms(BTreeMap<Algorithm, AlgorithmUse>);

impl Algorithms {
    /// Counts a call of one rank with so many bytes of data.
    pub(super) fn count(&mut self, algorithm: Algorithm, bytes: u64) {
        let none = AlgorithmUse { algorithm, calls: 0, bytes: (bytes, bytes) };
        let one = self.0.entry(algorithm).or_insert(none);
        one.calls += 1;
        let (least, most) = one.bytes;
        one.bytes = match (least, bytes) {
            (_, 0) => (least, most),
            (0, _) => (bytes, bytes),
            _ => (least.min(bytes), most.max(bytes)),
        };
    }

    /// Reports whether no call is counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the algorithms, the one with most calls first; ties by name.
    pub fn by_calls(&self) -> Vec<AlgorithmUse> {
        let mut all: Vec<AlgorithmUse> = self.0.values().copied().collect();
        all.sort_by_key(|one| (Reverse(one.calls), one.algorithm.name()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_without_data_do_not_widen_the_sizes() {
        let mut all = Algorithms::default();
        for bytes in [0, 64, 0, 8] {
            all.count(Algorithm::Binomial, bytes);
        }
        all.count(Algorithm::Linear, 0);
        let of = |one: &AlgorithmUse| (one.algorithm, one.calls, one.bytes);
        let found: Vec<_> = all.by_calls().iter().map(of).collect();
        assert_eq!(found, [(Algorithm::Binomial, 4, (8, 64)), (Algorithm::Linear, 1, (0, 0))]);
    }
}
