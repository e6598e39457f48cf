//! [`Usage`]: how much links were used, by the reservations of a model.

use sim_core::{SimDuration, SimTime};

use crate::network::{LinkUsage, Occupancy};

/// Reservations that are kept before those that are over are looked for.
const KEPT: usize = 1024;

/// How much links were used, for models that reserve them ahead of time.
///
/// A run may end before what is reserved: then what lies ahead has to be taken off. So reservations are
/// kept until they are over.
#[derive(Clone, Debug)]
pub(crate) struct Usage {
    totals: Vec<LinkUsage>,
    ahead: Vec<Ahead>,
    /// Number of kept reservations at which those that are over are dropped.
    most: usize,
}

/// A reservation that was not over when it was made.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    occupancy: Occupancy,
    bytes: u64,
    ends_message: bool,
}

impl Ahead {
    /// Takes off what has not passed by `end`.
    fn take_off(&self, end: SimTime, usage: &mut LinkUsage) {
        let Occupancy { start, end: last, .. } = self.occupancy;
        if last <= end {
            return;
        }
        let (whole, left) = (last.since(start), last.since(end.max(start)));
        let bytes = u128::from(self.bytes) * u128::from(left.as_ps());
        usage.busy = usage.busy - left;
        usage.bytes -= match start >= end {
            true => self.bytes,
            false => bytes.div_ceil(u128::from(whole.as_ps())) as u64,
        };
        usage.messages -= u64::from(self.ends_message);
    }
}

impl Usage {
    /// Creates the usage of links that were not used.
    pub(crate) fn new(links: usize) -> Self {
        Self { totals: vec![LinkUsage::default(); links], ahead: Vec::new(), most: KEPT }
    }

    /// Returns what was reserved so far.
    pub(crate) fn reserved(&self) -> &[LinkUsage] {
        &self.totals
    }

    /// Adds a reservation that is made at `now`, for this many bytes and maybe the end of a message.
    /// Resources that are no links are left out; returns whether it is of a link.
    #[inline]
    pub(crate) fn add(
        &mut self,
        now: SimTime,
        occupancy: Occupancy,
        (bytes, ends_message): (u64, bool),
    ) -> bool {
        let Occupancy { link, start, end } = occupancy;
        let Some(total) = self.totals.get_mut(link.0 as usize) else { return false };
        total.busy += end.since(start);
        total.bytes += bytes;
        total.messages += u64::from(ends_message);
        if end > now {
            if self.ahead.len() == self.most {
                self.drop_old(now);
            }
            self.ahead.push(Ahead { occupancy, bytes, ends_message });
        }
        true
    }

    #[inline(never)]
    fn drop_old(&mut self, now: SimTime) {
        self.ahead.retain(|ahead| ahead.occupancy.end > now);
        self.most = KEPT.max(2 * self.ahead.len());
    }

    /// Returns what has passed by `end`, which is not before the last reservation was made.
    pub(crate) fn until(&self, end: SimTime) -> Vec<LinkUsage> {
        let mut totals = self.totals.clone();
        for ahead in &self.ahead {
            ahead.take_off(end, &mut totals[ahead.occupancy.link.0 as usize]);
        }
        totals
    }
}

/// Takes a part of a transfer that has not passed a link off its usage.
pub(crate) fn take_off(usage: &mut LinkUsage, busy: SimDuration, bytes: u64) {
    usage.busy = usage.busy - busy.min(usage.busy);
    usage.bytes -= bytes.min(usage.bytes);
    usage.messages = usage.messages.saturating_sub(1);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::{
        catalog::Catalog,
        model::test_hardware,
        network::{NodeId, Transfer, TransferId},
        topology::LinkId,
    };

    fn at(ps: u64) -> SimTime {
        SimTime::from_ps(ps)
    }

    /// Returns busy nanoseconds, bytes and messages of the links in order, those that were not used left out.
    fn used(usage: &[LinkUsage]) -> Vec<(u64, u64, u64)> {
        let used = usage.iter().filter(|usage| usage.busy > SimDuration::ZERO);
        used.map(|one| (one.busy.as_ps() / 1000, one.bytes, one.messages)).collect()
    }

    #[test]
    fn models_count_what_has_passed_when_a_run_ends() {
        let catalog = Catalog::standard();
        let spec = catalog.topology("ring:4").expect("a topology");
        let topology = Arc::new(spec.build(4).expect("it can be built"));
        // Two messages of 10 kB, which takes 10 us on a link, from node 0 over one link to node 1.
        for (model, at_12, at_15) in [
            ("link", (12_000 - 100, 11_900, 1), (14_900, 14_900, 1)),
            // Both share the link; neither is over.
            ("fluid", (11_890, 11_890, 0), (14_890, 14_890, 0)),
        ] {
            let kind = catalog.model(model).expect("a model");
            let mut network = kind.build(&test_hardware(100, 10), &topology);
            for id in [0, 1].map(TransferId) {
                let (source, target) = (NodeId(0), NodeId(1));
                let transfer = Transfer { id, source, target, bytes: 10_000 };
                let _ = network.inject(SimTime::ZERO, transfer);
            }
            let mut reports = Vec::new();
            let mut until = |us: u64| {
                let end = SimTime::ZERO + SimDuration::from_us(us);
                let driven = network.event_driven().expect("it reports");
                while let Some(next) = driven.next_time().filter(|next| *next <= end) {
                    driven.advance(next, &mut reports);
                }
                used(&network.usage_until(end))
            };
            assert_eq!(until(12), [at_12], "{model}");
            assert_eq!(until(15), [at_15], "{model}");
            assert_eq!(until(100), [(20_000, 20_000, 2)], "{model}");
        }
    }

    proptest! {
        /// Reservations of a link follow each other; each is made some time before it begins.
        #[test]
        fn what_has_passed_is_counted_whenever_a_run_ends(
            steps in prop::collection::vec((0..3_u32, 0..5_u64, 1..9_u64, 0..100_u64), 1..3000),
            later in 0..400_u64,
        ) {
            let mut usage = Usage::new(2);
            let (mut now, mut free, mut all) = (0, [0; 3], Vec::new());
            for (link, pause, length, bytes) in steps {
                now += pause;
                let start = free[link as usize].max(now);
                free[link as usize] = start + length;
                let (link, start, end) = (LinkId(link), at(start), at(start + length));
                usage.add(at(now), Occupancy { link, start, end }, (bytes, true));
                all.push((link.0 as usize, start, end, bytes));
            }
            let end = now + later;
            let mut expected = vec![LinkUsage::default(); 2];
            for (link, start, last, bytes) in all {
                let Some(one) = expected.get_mut(link) else { continue };
                let whole = last.since(start).as_ps();
                let passed = at(end).min(last).max(start).since(start);
                one.busy += passed;
                one.bytes += bytes * passed.as_ps() / whole;
                one.messages += u64::from(last <= at(end));
            }
            prop_assert_eq!(usage.until(at(end)), expected);
        }
    }
}
