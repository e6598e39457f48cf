//! [`Queue`]: a link or a port with the packets that wait for it.

use std::collections::VecDeque;

use sim_core::{SimDuration, SimTime};

use crate::units::Bandwidth;

/// A link or a port that serves packets in the order in which they come.
///
/// When a packet comes, all of its service is known: those before it never wait for anything else.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// `None` takes no time.
    pub(super) rate: Option<Bandwidth>,
    /// Time from here to the next queue.
    pub(super) delay: SimDuration,
    /// Whether the whole packet is received before the next queue of this kind sends it.
    pub(super) stores: bool,
    /// Bytes for which there is space, if they are limited.
    space: Option<u64>,
    free: SimTime,
    /// The ends and bytes of the packets that are still in it.
    inside: VecDeque<(SimTime, u64)>,
    bytes: u64,
}

impl Queue {
    pub(super) fn new(
        rate: Option<Bandwidth>,
        delay: SimDuration,
        stores: bool,
        space: Option<u64>,
    ) -> Self {
        let (free, inside) = (SimTime::ZERO, VecDeque::new());
        Self { rate, delay, stores, space, free, inside, bytes: 0 }
    }

    /// Takes a packet whose head is here at `now` and whose tail is at `complete`, and returns when
    /// it is sent, from its first byte to its last; `None` if there is no space for it. A packet takes
    /// space until it has been sent; an empty queue takes any.
    pub(super) fn take(
        &mut self,
        now: SimTime,
        bytes: u64,
        complete: SimTime,
    ) -> Option<(SimTime, SimTime)> {
        let start = now.max(self.free);
        let time = self.rate.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes));
        let end = (start + time).max(complete);
        if let Some(space) = self.space {
            while let Some((_, gone)) = self.inside.pop_front_if(|(end, _)| *end <= now) {
                self.bytes -= gone;
            }
            if !self.inside.is_empty() && self.bytes + bytes > space {
                return None;
            }
            self.inside.push_back((end, bytes));
            self.bytes += bytes;
        }
        self.free = end;
        Some((start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused() {
        let at = SimTime::from_ps;
        let rate = Some(Bandwidth::from_bytes_per_sec(1_000_000_000_000));
        let mut queue = Queue::new(rate, SimDuration::ZERO, false, Some(250));
        let mut take = |now, bytes| {
            let sent = queue.take(at(now), bytes, at(now));
            sent.map(|(start, end)| (start.as_ps(), end.as_ps()))
        };
        assert_eq!(take(0, 400), Some((0, 400)), "an empty queue takes any");
        assert_eq!(take(10, 100), None);
        assert_eq!(take(400, 100), Some((400, 500)));
        assert_eq!(take(400, 100), Some((500, 600)));
        assert_eq!(take(499, 100), None);
        assert_eq!(take(499, 50), Some((600, 650)));
        assert_eq!(take(500, 100), Some((650, 750)));
    }
}
