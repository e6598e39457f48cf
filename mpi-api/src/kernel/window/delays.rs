//! [`Delays`]: drawn delays of atomic accesses and requests of locks.
//!
//! Which of them comes first is otherwise a matter of distance: a rank always reaches its own memory before the others
//! do. In executions with a seed each departs after a delay that is drawn. The standard allows any order. Where ranks share
//! memory, they leave calls that synchronise at different times there.

use sim_core::{ChaCha8Rng, SimDuration};

use crate::{kernel::delay, settings::Matching};

/// The delays of an execution.
pub(super) struct Delays {
    /// Whether there was anything to delay that excludes or changes what others do.
    pub(super) competes: bool,
    /// Whether ranks share memory.
    pub(super) shares: bool,
    /// `None` where nothing is delayed.
    draws: Option<Box<ChaCha8Rng>>,
}

impl Delays {
    /// Returns delays for executions with a seed, and none for others.
    pub(super) fn new(matching: &Matching) -> Self {
        Self { competes: false, shares: false, draws: delay::stream_of(matching, "windows") }
    }

    /// Draws a delay. `competes` says whether what is delayed may exclude others, or be changed by them.
    pub(super) fn draw(&mut self, competes: bool) -> SimDuration {
        self.competes |= competes;
        self.draws.as_mut().map_or(SimDuration::ZERO, |draws| delay::draw(draws))
    }

    /// Draws how much later than others a rank leaves a call, if ranks share memory: what they do there has no other
    /// order.
    pub(super) fn stagger(&mut self) -> SimDuration {
        if self.shares { self.draw(false) } else { SimDuration::ZERO }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_order_is_drawn_with_some_seed() {
        let order = |seed| {
            let mut delays = Delays::new(&Matching::Seeded(seed));
            let mut order: Vec<(SimDuration, u32)> =
                (0..3).map(|access| (delays.draw(true), access)).collect();
            order.sort_unstable();
            order.into_iter().map(|(_, access)| access).collect::<Vec<u32>>()
        };
        let orders: BTreeSet<Vec<u32>> = (0..100).map(order).collect();
        assert_eq!(orders.len(), 6);
        assert_eq!(order(7), order(7));
        assert_eq!(Delays::new(&Matching::Arrival).draw(true), SimDuration::ZERO);
    }
}
