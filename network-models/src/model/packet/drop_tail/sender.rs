//! [`Sender`]: the congestion control of a connection.

use sim_core::SimDuration;

/// Acknowledgements of the same packet after which the next one is taken for lost.
const DUPLICATES: u32 = 3;

/// Most doublings of the time-out; those of Linux end at 120 s, too.
const BACKOFF_MAX: u32 = 16;

/// The longest time-out.
const TIMEOUT_MAX: SimDuration = SimDuration::from_ns(120_000_000_000);

/// The numbers of a connection that do not change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Control {
    /// The shortest time-out.
    pub(super) least: SimDuration,
    /// Packets of the first window.
    pub(super) window: u32,
}

/// The sender of a connection: slow start, congestion avoidance, fast retransmit and fast recovery
/// (RFC 5681, NewReno of RFC 6582) and time-outs (RFC 6298), in packets.
///
/// It decides which packet may be sent, and knows neither time nor bytes.
#[derive(Clone, Debug)]
pub(super) struct Sender {
    control: Control,
    /// The first packet that is not acknowledged.
    first: u64,
    /// The packet that is sent next.
    next: u64,
    /// The first packet that has never been sent.
    fresh: u64,
    /// Packets that the program has handed over.
    end: u64,
    window: u32,
    /// Window below which it grows by one with each acknowledgement.
    threshold: u32,
    /// Acknowledgements since it has grown otherwise.
    grown: u32,
    duplicates: u32,
    /// Whether a lost packet is being replaced before others are sent.
    recovering: bool,
    /// The first packet that had never been sent when the last loss was found.
    recover: u64,
    round_trip: SimDuration,
    deviation: SimDuration,
    backoff: u32,
}

impl Sender {
    /// Creates the sender of a connection that is open; opening it has measured the round trip.
    pub(super) fn new(control: Control, round_trip: SimDuration) -> Self {
        Self {
            control,
            first: 0,
            next: 0,
            fresh: 0,
            end: 0,
            window: control.window,
            threshold: u32::MAX,
            grown: 0,
            duplicates: 0,
            recovering: false,
            recover: 0,
            round_trip,
            deviation: SimDuration::from_ps(round_trip.as_ps() / 2),
            backoff: 0,
        }
    }

    /// Adds packets of the program.
    pub(super) fn add(&mut self, packets: u64) {
        self.end += packets;
    }

    /// Returns whether all packets are acknowledged.
    pub(super) fn is_idle(&self) -> bool {
        self.first == self.end
    }

    /// Returns whether packets are sent and not acknowledged.
    pub(super) fn has_outstanding(&self) -> bool {
        self.first < self.next
    }

    /// Returns the first packet that is not acknowledged.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    fn outstanding(&self) -> u32 {
        u32::try_from(self.next - self.first).unwrap_or(u32::MAX)
    }

    /// Begins with the first window again, if the present one is larger: the connection was idle for
    /// longer than a time-out (RFC 5681, section 4.1).
    pub(super) fn restart(&mut self) {
        self.window = self.window.min(self.control.window);
    }

    /// Returns the next packet, if the window has space for one.
    pub(super) fn next(&mut self) -> Option<u64> {
        if self.next == self.end || self.outstanding() >= self.window {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.fresh = self.fresh.max(self.next);
        Some(number)
    }

    /// Notes that all packets before `upto` have arrived. Returns a packet to be sent again now.
    ///
    /// `sample` is the time from the last of them to this acknowledgement, unless one of them was
    /// sent twice (Karn's rule).
    pub(super) fn acknowledge(&mut self, upto: u64, sample: Option<SimDuration>) -> Option<u64> {
        if upto <= self.first {
            return self.duplicate();
        }
        let was_full = self.outstanding() >= self.window;
        let arrived = u32::try_from(upto - self.first).unwrap_or(u32::MAX);
        self.first = upto;
        self.next = self.next.max(upto);
        self.duplicates = 0;
        self.backoff = 0;
        if let Some(sample) = sample {
            self.measure(sample);
        }
        if self.recovering && upto < self.recover {
            // The next hole; what has left the network leaves the window, but for the packet that is
            // sent again.
            self.window = self.window.saturating_sub(arrived).max(1).saturating_add(1);
            return Some(upto);
        }
        if self.recovering {
            self.recovering = false;
            self.window = self.threshold;
        } else if was_full {
            self.grow();
        }
        None
    }

    fn grow(&mut self) {
        if self.window < self.threshold {
            self.window = self.window.saturating_add(1);
            return;
        }
        self.grown += 1;
        if self.grown >= self.window {
            self.grown = 0;
            self.window = self.window.saturating_add(1);
        }
    }

    /// A packet has arrived behind one that is missing.
    fn duplicate(&mut self) -> Option<u64> {
        if !self.has_outstanding() {
            return None;
        }
        if self.recovering {
            self.window = self.window.saturating_add(1);
            return None;
        }
        self.duplicates += 1;
        // Packets that a time-out sends twice are acknowledged twice: these say nothing of losses.
        if self.duplicates != DUPLICATES || self.first < self.recover {
            return None;
        }
        self.threshold = (self.outstanding() / 2).max(2);
        self.window = self.threshold.saturating_add(DUPLICATES);
        (self.grown, self.recovering, self.recover) = (0, true, self.fresh);
        Some(self.first)
    }

    /// Nothing was acknowledged for the time of [`Sender::timeout`]: all is sent again, from a window
    /// of one packet on.
    pub(super) fn time_out(&mut self) {
        if self.backoff == 0 {
            self.threshold = (self.outstanding() / 2).max(2);
        }
        self.backoff = (self.backoff + 1).min(BACKOFF_MAX);
        self.window = 1;
        (self.grown, self.duplicates) = (0, 0);
        (self.recovering, self.recover) = (false, self.fresh);
        self.next = self.first;
    }

    fn measure(&mut self, sample: SimDuration) {
        let (mean, sample) = (self.round_trip.as_ps(), sample.as_ps());
        let away = mean.abs_diff(sample);
        self.deviation = SimDuration::from_ps((3 * self.deviation.as_ps() + away) / 4);
        self.round_trip = SimDuration::from_ps((7 * mean + sample) / 8);
    }

    /// Returns the time after which a packet that is not acknowledged is taken for lost.
    pub(super) fn timeout(&self) -> SimDuration {
        let measured = self.round_trip + self.deviation * 4;
        let once = measured.max(self.control.least).as_ps();
        SimDuration::from_ps(once.saturating_mul(1 << self.backoff)).min(TIMEOUT_MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTROL: Control = Control { least: SimDuration::from_us(100), window: 2 };

    fn sender() -> Sender {
        let mut sender = Sender::new(CONTROL, SimDuration::from_us(10));
        sender.add(1000);
        sender
    }

    fn sent(sender: &mut Sender) -> Vec<u64> {
        std::iter::from_fn(|| sender.next()).collect()
    }

    #[test]
    fn the_window_doubles_in_each_round_until_the_threshold() {
        let mut sender = sender();
        sender.threshold = 8;
        let mut flying = sent(&mut sender);
        let mut rounds = Vec::new();
        for _ in 0..6 {
            rounds.push(flying.len());
            let mut next = Vec::new();
            for number in flying {
                assert_eq!(sender.acknowledge(number + 1, None), None);
                next.extend(sent(&mut sender));
            }
            flying = next;
        }
        assert_eq!(rounds, [2, 4, 8, 9, 10, 11]);
    }

    #[test]
    fn a_window_that_is_not_used_does_not_grow() {
        let mut sender = Sender::new(CONTROL, SimDuration::from_us(10));
        for number in 0..50 {
            sender.add(1);
            assert_eq!(sent(&mut sender), [number]);
            sender.acknowledge(number + 1, None);
        }
        assert_eq!(sender.window, 2);
    }

    #[test]
    fn three_duplicates_halve_the_window_and_replace_one_packet_after_the_other() {
        let mut sender = sender();
        sender.window = 10;
        assert_eq!(sent(&mut sender), (0..10).collect::<Vec<_>>());
        // Packets 0 and 4 are lost: 1, 2, 3, 5, 6, 7, 8, 9 ask for 0.
        let again: Vec<_> = (0..8).map(|_| sender.acknowledge(0, None)).collect();
        assert_eq!(again, [None, None, Some(0), None, None, None, None, None]);
        // Half of 10, and the 8 that have left the network.
        assert_eq!((sender.threshold, sender.window), (5, 13));
        assert_eq!(sent(&mut sender), [10, 11, 12]);
        assert_eq!(sender.acknowledge(4, None), Some(4), "the next hole");
        assert_eq!(sender.acknowledge(10, None), None);
        assert_eq!((sender.recovering, sender.window), (false, 5));
    }

    #[test]
    fn a_time_out_sends_all_again_and_doubles_until_an_acknowledgement() {
        let mut sender = sender();
        sender.window = 8;
        assert_eq!(sent(&mut sender).len(), 8);
        assert_eq!(sender.timeout(), SimDuration::from_us(100));
        sender.time_out();
        assert_eq!((sender.threshold, sent(&mut sender)), (4, vec![0]));
        sender.time_out();
        assert_eq!((sender.threshold, sent(&mut sender)), (4, vec![0]));
        assert_eq!(sender.timeout(), SimDuration::from_us(400));
        // Packets that were in order behind the lost one have arrived before.
        assert_eq!(sender.acknowledge(5, None), None);
        assert_eq!(sender.timeout(), SimDuration::from_us(100));
        assert_eq!(sent(&mut sender), [5, 6]);
        // They arrive twice, which is no loss.
        let again: Vec<_> = (0..4).map(|_| sender.acknowledge(5, None)).collect();
        assert_eq!(again, [None; 4]);
    }

    #[test]
    fn the_time_out_follows_the_round_trip() {
        let mut sender = Sender::new(CONTROL, SimDuration::from_us(80));
        assert_eq!(sender.timeout(), SimDuration::from_us(240));
        sender.add(1);
        sent(&mut sender);
        sender.acknowledge(1, Some(SimDuration::from_us(160)));
        // Mean 90, deviation (3 · 40 + 80) / 4 = 50.
        assert_eq!(sender.timeout(), SimDuration::from_us(290));
    }
}
