//! [`Budget`]: how far the orders of matches are followed.
#![allow(clippy::disallowed_types, reason = "bounds the time on this machine")]

use std::{
    fmt,
    time::{Duration, Instant},
};

/// How far the orders of matches are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// The default: at most 256 executions, fewer if they have many events.
    Usual,
    /// At most this number of executions.
    Executions(u64),
    /// This time on the host; how far it leads differs from run to run.
    Time(Duration),
}

/// Executions of the usual budget.
const USUAL: u64 = 256;

/// Most events in all executions of the usual budget together. A message takes about four, an unsuccessful test one.
const EVENTS_MAX: u64 = 1 << 25;

/// What is left of a budget.
pub(super) struct Remaining {
    executions: u64,
    events: u64,
    /// Number of executions that were taken from it.
    pub(super) spent: u64,
    end: Option<Instant>,
    began: Instant,
}

impl Budget {
    pub(super) fn open(self) -> Remaining {
        let began = Instant::now();
        let (executions, events, end) = match self {
            Self::Usual => (USUAL, EVENTS_MAX, None),
            Self::Executions(count) => (count, u64::MAX, None),
            Self::Time(time) => (u64::MAX, u64::MAX, Some(began + time)),
        };
        Remaining { executions, events, spent: 0, end, began }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usual => write!(f, "{USUAL}"),
            Self::Executions(count) => write!(f, "{count}"),
            Self::Time(time) => write!(f, "{}s", time.as_secs_f64()),
        }
    }
}

impl Remaining {
    /// Divides what is left: returns a part of it, `share` of it in thousandths.
    pub(super) fn part(&self, share: u64) -> Self {
        let part = |of: u64| match of {
            u64::MAX => of,
            of => (u128::from(of) * u128::from(share) / 1000) as u64,
        };
        let now = Instant::now();
        let end = self
            .end
            .map(|end| now + end.saturating_duration_since(now).mul_f64(share as f64 / 1000.0));
        Self {
            executions: part(self.executions),
            events: part(self.events),
            spent: 0,
            end,
            began: now,
        }
    }

    /// Takes an execution with this many events.
    pub(super) fn spend(&mut self, events: u64) {
        let less = |of: u64, by: u64| if of == u64::MAX { of } else { of.saturating_sub(by) };
        self.spent += 1;
        self.executions = less(self.executions, 1);
        self.events = less(self.events, events);
    }

    /// Returns how many more executions can be afforded; 0 once nothing is left.
    pub(super) fn room(&self) -> u64 {
        let over = self.events == 0 || self.end.is_some_and(|end| Instant::now() >= end);
        if over { 0 } else { self.executions }
    }

    /// Returns an estimate of how many more executions can be afforded, after `made` ones.
    pub(super) fn estimate(&self, made: u64) -> u64 {
        let Some(end) = self.end else { return self.room() };
        let now = Instant::now();
        let each = now.duration_since(self.began).as_secs_f64() / made.max(1) as f64;
        (end.saturating_duration_since(now).as_secs_f64() / each.max(1e-6)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_spent_from() {
        let mut remaining = Budget::Executions(1000).open().part(250);
        assert_eq!(remaining.room(), 250);
        (0..250).for_each(|_| remaining.spend(1 << 40));
        assert_eq!(remaining.room(), 0);
        let mut remaining = Budget::Usual.open();
        remaining.spend(EVENTS_MAX);
        assert_eq!(remaining.room(), 0, "its events are too many");
        assert_eq!(Budget::Time(Duration::ZERO).open().room(), 0);
        assert!(Budget::Time(Duration::from_secs(1000)).open().room() > 1 << 40);
    }
}
