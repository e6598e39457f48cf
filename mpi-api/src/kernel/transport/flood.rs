//! Runs in which messages are sent without end and nobody receives them.

use std::collections::BTreeMap;

use crate::{
    check::limit_reached,
    kernel::{MpiKernel, Sched},
};

impl MpiKernel {
    /// Ends the run if more messages wait for their receives than the settings allow.
    pub(in crate::kernel) fn look_for_flood(&mut self, s: &mut Sched) {
        let most = self.settings.unreceived_max.map_or(usize::MAX, |most| most as usize);
        if self.messages.live() <= most {
            return;
        }
        let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
        for (_, message) in self.messages.iter() {
            *counts.entry((message.source, message.target)).or_default() += 1;
        }
        // Of equal ones the first.
        let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
        let Some(((source, target), count)) = most else { return };
        let place = |rank| self.last_site(rank, limit_reached::was_here(rank));
        let places = [source, target].map(place);
        self.fail(limit_reached::flooded((source, target), count, places), s);
    }
}
