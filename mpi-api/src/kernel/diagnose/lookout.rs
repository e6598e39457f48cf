//! When to look for ranks that wait for ever while others go on, and which of them do: see `lasting`.

use std::ops::RangeInclusive;

/// Number of events for each rank before the first look, and its bounds; each further look comes after twice as many. A
/// look takes a time for each rank.
const FIRST_LOOK_EACH: u64 = 1 << 12;
const FIRST_LOOK: RangeInclusive<u64> = 1 << 14..=1 << 18;

/// When to look for ranks that wait for ever, and which were found.
pub(in crate::kernel) struct Lookout {
    next: u64,
    /// The ranks that were found to wait for ever, for which the run was ended.
    pub(super) stuck: Vec<u32>,
}

impl Lookout {
    /// The looks at a run with this many ranks.
    pub(in crate::kernel) fn new(ranks: u32) -> Self {
        let next = u64::from(ranks).saturating_mul(FIRST_LOOK_EACH);
        Self { next: next.clamp(*FIRST_LOOK.start(), *FIRST_LOOK.end()), stuck: Vec::new() }
    }

    /// Reports whether it is time to look, after this many events.
    pub(super) fn is_due(&mut self, events: u64) -> bool {
        let is_due = events >= self.next;
        if is_due {
            self.next = events.saturating_mul(2);
        }
        is_due
    }
}

/// What a blocked rank needs in order to go on.
pub(super) enum Needs {
    /// Each of these.
    All(Vec<Need>),
    /// One of these.
    Any(Vec<Need>),
}

/// One thing that a rank waits for: what any one of these ranks does.
pub(super) type Need = Vec<u32>;

impl Needs {
    /// Reports whether the rank waits for ever if these ranks do.
    fn are_out_of_reach(&self, stuck: &[bool]) -> bool {
        let is_out_of_reach = |need: &Need| need.iter().all(|rank| stuck[*rank as usize]);
        match self {
            Self::All(needs) => needs.iter().any(is_out_of_reach),
            Self::Any(needs) => needs.iter().all(is_out_of_reach),
        }
    }
}

/// Returns the ranks that wait for ever, of those that `need` something. Those that have `finished` do nothing any more.
pub(super) fn stuck_for_ever(needs: &[Option<Needs>], finished: &[bool]) -> Vec<u32> {
    let mut stuck: Vec<bool> =
        needs.iter().zip(finished).map(|(needs, ended)| needs.is_some() || *ended).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (rank, needs) in needs.iter().enumerate() {
            let Some(needs) = needs else { continue };
            if stuck[rank] && !needs.are_out_of_reach(&stuck) {
                stuck[rank] = false;
                changed = true;
            }
        }
    }
    (0..)
        .zip(needs)
        .filter(|(rank, needs)| needs.is_some() && stuck[*rank as usize])
        .map(|at| at.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(needs: &[&[u32]]) -> Option<Needs> {
        Some(Needs::All(needs.iter().map(|need| need.to_vec()).collect()))
    }

    fn any(needs: &[&[u32]]) -> Option<Needs> {
        Some(Needs::Any(needs.iter().map(|need| need.to_vec()).collect()))
    }

    #[test]
    fn ranks_are_stuck_if_all_that_they_need_is() {
        let none = [false; 5];
        let cycle = [all(&[&[1]]), all(&[&[0], &[2]]), None, all(&[&[0, 2]]), all(&[&[3]])];
        assert_eq!(stuck_for_ever(&cycle, &none), [0, 1], "rank 2 may send to rank 3");
        let cycle = [all(&[&[1]]), all(&[&[0], &[2]]), None, all(&[&[0, 1]]), all(&[&[3]])];
        assert_eq!(stuck_for_ever(&cycle, &none), [0, 1, 3, 4]);
        assert!(stuck_for_ever(&[all(&[&[1]]), any(&[&[0], &[2]]), None], &none[..3]).is_empty());
        assert_eq!(stuck_for_ever(&[all(&[&[1]]), any(&[&[0], &[0]]), None], &none[..3]), [0, 1]);
        assert!(stuck_for_ever(&[all(&[]), None], &none[..2]).is_empty(), "it is not known");
    }

    #[test]
    fn who_has_finished_does_nothing_any_more() {
        let needs = [all(&[&[1]]), None, None];
        assert_eq!(stuck_for_ever(&needs, &[false, true, false]), [0]);
        assert!(stuck_for_ever(&needs, &[false, false, true]).is_empty());
    }

    #[test]
    fn looks_come_after_ever_more_events() {
        let due = |ranks: u32| -> Vec<u64> {
            let mut lookout = Lookout::new(ranks);
            (0..9 << 18).step_by(1 << 12).filter(|events| lookout.is_due(*events)).collect()
        };
        assert_eq!(due(1)[..3], [1 << 14, 1 << 15, 1 << 16]);
        assert_eq!(due(8)[..3], [1 << 15, 1 << 16, 1 << 17]);
        assert_eq!(due(1 << 20), [1 << 18, 1 << 19, 1 << 20, 1 << 21]);
    }
}
