//! [`Sender`]: the congestion control of a connection.

mod scoreboard;
#[cfg(test)]
mod tests;

use sim_core::SimDuration;

use self::scoreboard::Scoreboard;

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
    /// Whether acknowledgements name the packets that have arrived behind a missing one.
    pub(super) selective: bool,
}

/// The sender of a connection: slow start, congestion avoidance, fast retransmit and fast recovery
/// (RFC 5681, NewReno of RFC 6582, or by selective acknowledgements as in RFC 6675) and time-outs (RFC
/// 6298), in packets.
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
    /// What has arrived behind the first missing packet, if acknowledgements tell it.
    board: Option<Scoreboard>,
    /// Whether lost packets are being replaced before others are sent.
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
            board: control.selective.then(Scoreboard::default),
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

    /// Returns the number of packets that are sent and not known to have arrived.
    fn outstanding(&self) -> u32 {
        let arrived = self.board.as_ref().map_or(0, |board| board.count(self.next));
        u32::try_from(self.next - self.first - arrived).unwrap_or(u32::MAX)
    }

    /// Sets the threshold to half of the packets from the first missing one on.
    fn halve(&mut self) {
        let sent = u32::try_from(self.next - self.first).unwrap_or(u32::MAX);
        self.threshold = (sent / 2).max(2);
    }

    /// Begins with the first window again, if the present one is larger: the connection was idle for
    /// longer than a time-out (RFC 5681, section 4.1).
    pub(super) fn restart(&mut self) {
        self.window = self.window.min(self.control.window);
    }

    /// Returns the next packet, if the window has space for one.
    pub(super) fn next(&mut self) -> Option<u64> {
        if self.recovering && self.board.is_some() {
            return self.next_in_recovery();
        }
        while self.board.as_ref().is_some_and(|board| board.has(self.next)) {
            self.next += 1;
        }
        if self.outstanding() >= self.window { None } else { self.next_fresh() }
    }

    /// Returns the next packet in order, if there is one.
    fn next_fresh(&mut self) -> Option<u64> {
        if self.next == self.end {
            return None;
        }
        let number = self.next;
        self.next += 1;
        self.fresh = self.fresh.max(self.next);
        Some(number)
    }

    /// Returns the next packet while lost ones are replaced by selective acknowledgements: one that is
    /// lost, else a new one, else one that is missing (RFC 6675, `NextSeg`).
    fn next_in_recovery(&mut self) -> Option<u64> {
        let sent = self.first..self.next;
        let board = self.board.as_mut()?;
        if board.under_way(sent.clone()) >= self.window.into() {
            return None;
        }
        let mut hole = board.hole(sent.start, false);
        if hole.is_none() && self.next == self.end {
            hole = board.hole(sent.start, true);
        }
        if let Some(number) = hole {
            board.resend(number);
            return hole;
        }
        self.next_fresh()
    }

    /// Notes that the packet `arrived` and all packets before `upto` have arrived. Returns a packet to be
    /// sent again now.
    ///
    /// `sample` is the time from the last of them to this acknowledgement, unless one of them was
    /// sent twice (Karn's rule).
    pub(super) fn acknowledge(
        &mut self,
        upto: u64,
        arrived: u64,
        sample: Option<SimDuration>,
    ) -> Option<u64> {
        let was_full = self.outstanding() >= self.window;
        if let Some(board) = &mut self.board {
            board.note(arrived, upto.max(self.first));
        }
        if upto <= self.first {
            return self.duplicate();
        }
        let arrived = u32::try_from(upto - self.first).unwrap_or(u32::MAX);
        self.first = upto;
        self.next = self.next.max(upto);
        self.duplicates = 0;
        self.backoff = 0;
        if let Some(sample) = sample {
            self.measure(sample);
        }
        if self.recovering && upto < self.recover {
            if self.board.is_some() {
                return None;
            }
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
            self.window = self.window.saturating_add(u32::from(self.board.is_none()));
            return None;
        }
        self.duplicates += 1;
        let is_lost = self.board.as_ref().is_some_and(|board| board.is_lost(self.first));
        // Packets that a time-out sends twice are acknowledged twice: these say nothing of losses.
        if !(is_lost || self.duplicates == DUPLICATES) || self.first < self.recover {
            return None;
        }
        self.halve();
        (self.grown, self.recovering, self.recover) = (0, true, self.fresh);
        match &mut self.board {
            Some(board) => {
                board.begin();
                board.resend(self.first);
                self.window = self.threshold;
            }
            None => self.window = self.threshold.saturating_add(DUPLICATES),
        }
        Some(self.first)
    }

    /// Nothing was acknowledged for the time of [`Sender::timeout`]: all is sent again, from a window
    /// of one packet on.
    pub(super) fn time_out(&mut self) {
        if self.backoff == 0 {
            self.halve();
        }
        self.backoff = (self.backoff + 1).min(BACKOFF_MAX);
        self.window = 1;
        (self.grown, self.duplicates) = (0, 0);
        (self.recovering, self.recover) = (false, self.fresh);
        self.next = self.first;
        if let Some(board) = &mut self.board {
            board.begin();
        }
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
