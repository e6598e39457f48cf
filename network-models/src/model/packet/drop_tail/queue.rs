//! [`Queue`]: a link or a port with the packets that wait for it.

use std::collections::VecDeque;

use sim_core::{SimDuration, SimTime};

use super::course::Course;
use crate::units::Bandwidth;

/// A link or a port that serves packets in the order in which they come.
///
/// When a packet comes, all of its service is known: those before it never wait for anything else,
/// and changes of the link are known in advance.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// The rate as long as nothing changes; `None` takes no time.
    rate: Option<Bandwidth>,
    /// Time from here to the next queue.
    pub(super) delay: SimDuration,
    /// Whether the whole packet is received before the next queue of this kind sends it.
    pub(super) stores: bool,
    /// Bytes for which there is space, if they are limited.
    space: Option<u64>,
    /// How the link changes.
    course: Course,
    /// When a packet came last.
    seen: SimTime,
    free: SimTime,
    /// The ends and bytes of the packets that are still in it.
    inside: VecDeque<(SimTime, u64)>,
    bytes: u64,
}

/// The service of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Service {
    /// It is sent, from its first byte to its last.
    Sent(SimTime, SimTime),
    /// There is no space for it.
    Full,
    /// The link is cut before all of it has crossed; it has been on the link for the time between,
    /// which may be none.
    Cut(SimTime, SimTime),
}

impl Queue {
    pub(super) fn new(
        rate: Option<Bandwidth>,
        delay: SimDuration,
        stores: bool,
        space: Option<u64>,
    ) -> Self {
        Self {
            rate,
            delay,
            stores,
            space,
            course: Course::default(),
            seen: SimTime::ZERO,
            free: SimTime::ZERO,
            inside: VecDeque::new(),
            bytes: 0,
        }
    }

    /// Returns the queue of a link that changes.
    pub(super) fn changing(self, course: Course) -> Self {
        Self { course, ..self }
    }

    /// Returns the time that bytes take from `start` on.
    pub(super) fn time_for(&self, start: SimTime, bytes: u64) -> SimDuration {
        let rate = self.course.rate(start).or(self.rate);
        rate.map_or(SimDuration::ZERO, |rate| rate.time_for(bytes))
    }

    /// Takes a packet whose head is here at `now` and whose tail is at `complete`. A packet takes
    /// space until it has been sent; an empty queue takes any. A cut empties the queue.
    pub(super) fn take(&mut self, now: SimTime, bytes: u64, complete: SimTime) -> Service {
        if self.course.is_cut(now) {
            return Service::Cut(now, now);
        }
        if self.course.next_cut(self.seen).is_some_and(|cut| cut <= now) {
            self.inside.clear();
            (self.bytes, self.free) = (0, now);
        }
        self.seen = now;
        let start = now.max(self.free);
        let end = (start + self.time_for(start, bytes)).max(complete);
        if let Some(space) = self.space {
            while let Some((_, gone)) = self.inside.pop_front_if(|(end, _)| *end <= now) {
                self.bytes -= gone;
            }
            if !self.inside.is_empty() && self.bytes + bytes > space {
                return Service::Full;
            }
            self.inside.push_back((end, bytes));
            self.bytes += bytes;
        }
        self.free = end;
        match self.course.next_cut(now).filter(|cut| *cut < end + self.delay) {
            Some(cut) => Service::Cut(start.min(cut), end.min(cut)),
            None => Service::Sent(start, end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ps: u64) -> SimTime {
        SimTime::from_ps(ps)
    }

    /// A byte takes 1 ps.
    const RATE: Bandwidth = Bandwidth::from_bytes_per_sec(1_000_000_000_000);

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut queue = Queue::new(Some(RATE), SimDuration::ZERO, false, Some(250));
        let mut take = |now, bytes| match queue.take(at(now), bytes, at(now)) {
            Service::Sent(start, end) => Some((start.as_ps(), end.as_ps())),
            Service::Full => None,
            Service::Cut(..) => panic!("it is not cut"),
        };
        assert_eq!(take(0, 400), Some((0, 400)), "an empty queue takes any");
        assert_eq!(take(10, 100), None);
        assert_eq!(take(400, 100), Some((400, 500)));
        assert_eq!(take(400, 100), Some((500, 600)));
        assert_eq!(take(499, 100), None);
        assert_eq!(take(499, 50), Some((600, 650)));
        assert_eq!(take(500, 100), Some((650, 750)));
    }

    #[test]
    fn a_cut_loses_what_is_on_the_link_and_what_waits_for_it() {
        let half = Bandwidth::from_bytes_per_sec(RATE.bytes_per_sec() / 2);
        let changes = [(300, Some(half)), (1000, None), (2000, Some(RATE))];
        let course = Course::new(changes.map(|(time, rate)| (at(time), rate)).into());
        let delay = SimDuration::from_ps(10);
        let mut queue = Queue::new(Some(RATE), delay, false, Some(10_000)).changing(course);
        let mut take = |now, bytes| queue.take(at(now), bytes, at(now));
        assert_eq!(take(0, 299), Service::Sent(at(0), at(299)));
        // Begun before the link became slow, and after it.
        assert_eq!(take(0, 1), Service::Sent(at(299), at(300)));
        assert_eq!(take(0, 345), Service::Sent(at(300), at(990)));
        // Its tail is still on the wire.
        assert_eq!(take(1, 1), Service::Cut(at(990), at(992)));
        assert_eq!(take(2, 100), Service::Cut(at(992), at(1000)));
        assert_eq!(take(3, 100), Service::Cut(at(1000), at(1000)), "it waits");
        assert_eq!(take(1000, 1), Service::Cut(at(1000), at(1000)));
        assert_eq!(take(1999, 1), Service::Cut(at(1999), at(1999)));
        assert_eq!(take(2000, 10), Service::Sent(at(2000), at(2010)), "the queue is empty");
        assert_eq!(take(2000, 10), Service::Sent(at(2010), at(2020)));
    }
}
