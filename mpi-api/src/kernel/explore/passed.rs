//! [`Passed`]: wildcards that were not resolved because others went first.

use std::collections::BTreeMap;

/// Number of times in a row that a wildcard may be passed over before it goes first; larger than in programs whose orders can
/// all be followed.
const PATIENCE: u32 = 64;

/// Rank, context and tag of a wildcard.
pub(super) type Name = (u32, u32, i32);

/// How often each wildcard that could have been resolved was passed over. Without it ranks that exchange messages with
/// each other without end, such as those that look for work, could keep the others from ever receiving theirs.
#[derive(Default)]
pub(crate) struct Passed(BTreeMap<Name, u32>);

impl Passed {
    /// Returns the place of the wildcard that has to go first, if there is one: the one that was passed over most
    /// often, of several the first.
    pub(super) fn starved(&self, ready: &[Name]) -> Option<usize> {
        let times = |at: &usize| self.0.get(&ready[*at]).copied().unwrap_or(0);
        let most = (0..ready.len()).rev().max_by_key(times)?;
        (times(&most) >= PATIENCE).then_some(most)
    }

    /// Records that of these wildcards one is resolved.
    pub(super) fn goes(&mut self, resolved: Name, ready: &[Name]) {
        self.0.retain(|name, _| *name != resolved && ready.contains(name));
        for name in ready.iter().filter(|name| **name != resolved) {
            *self.0.entry(*name).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_over_too_often_goes_first() {
        let [low, high, other]: [Name; 3] = [(0, 1, 7), (3, 1, 7), (5, 1, 7)];
        let mut passed = Passed::default();
        for _ in 0..PATIENCE {
            assert_eq!(passed.starved(&[low, high]), None);
            passed.goes(low, &[low, high]);
        }
        assert_eq!(passed.starved(&[low, high]), Some(1));
        assert_eq!(passed.starved(&[low, other]), None);
        passed.goes(high, &[low, high]);
        assert_eq!(passed.starved(&[low, high]), None);
    }

    #[test]
    fn what_was_not_ready_in_between_is_counted_from_zero() {
        let [low, high]: [Name; 2] = [(0, 1, 7), (3, 1, 7)];
        let mut passed = Passed::default();
        (1..PATIENCE).for_each(|_| passed.goes(low, &[low, high]));
        passed.goes(low, &[low]);
        passed.goes(low, &[low, high]);
        assert_eq!(passed.starved(&[low, high]), None);
    }
}
