//! [`Reluctance`]: the requests and probes that fail on purpose.

use std::collections::BTreeMap;

use rand::RngExt;
use sim_core::{ChaCha8Rng, SimDuration};

use crate::{
    kernel::delay,
    settings::{Polls, Settings},
};

/// The number of polls in a row that fail on purpose is below 2 to this power where it is drawn.
const MAGNITUDES: u32 = 3;

/// The polls that are made to fail.
pub(crate) struct Reluctance {
    /// How many polls of each request still fail: by its slot and generation, with 0 for the whole request and 1 + number
    /// for a partition.
    requests: BTreeMap<(u32, u32, u64), u32>,
    /// The same for probes, by rank and pattern.
    probes: BTreeMap<(u32, u32, u32, i32), u32>,
    /// The numbers of polls that fail, in executions with a seed.
    draws: Option<Box<ChaCha8Rng>>,
    /// Whether polls fail at all.
    is_active: bool,
    /// How long the poll in progress takes that fails, in executions with a seed: others do something meanwhile.
    lag: Option<SimDuration>,
    /// Whether the program polls at all.
    pub(crate) polled: bool,
}

impl Reluctance {
    /// Returns the reluctance that the settings ask for.
    pub(super) fn new(settings: &Settings) -> Self {
        let draws = delay::stream_of(&settings.matching, "polls");
        let is_active = draws.is_some() || settings.polls == Polls::Reluctant;
        let (requests, probes) = (BTreeMap::new(), BTreeMap::new());
        Self { requests, probes, draws, is_active, lag: None, polled: false }
    }

    /// Records that the program polls. Returns whether polls may be made to fail.
    pub(super) fn poll(&mut self) -> bool {
        self.polled = true;
        self.is_active
    }

    /// Returns how many polls of something new fail: one, or a number that is drawn.
    fn draw(&mut self) -> u32 {
        self.draws.as_mut().map_or(1, |draws| {
            let bound = 1_u32 << draws.random_range(0..=MAGNITUDES);
            draws.random_range(0..bound)
        })
    }

    /// Reports whether a poll of a request fails.
    pub(super) fn refuses(&mut self, request: (u32, u32, u64)) -> bool {
        let left = self.requests.get(&request).copied();
        let left = left.unwrap_or_else(|| self.draw());
        self.requests.insert(request, left.saturating_sub(1));
        self.lag(left > 0)
    }

    /// Lets polls of a request succeed.
    pub(super) fn trust(&mut self, request: (u32, u32, u64)) {
        if self.is_active {
            self.requests.insert(request, 0);
        }
    }

    /// Reports whether a probe fails. After one that succeeds the number is drawn again.
    pub(super) fn refuses_probe(&mut self, probe: (u32, u32, u32, i32)) -> bool {
        match self.probes.remove(&probe).unwrap_or_else(|| self.draw()) {
            0 => false,
            left => {
                self.probes.insert(probe, left - 1);
                self.lag(true)
            }
        }
    }

    /// Takes the time that the poll in progress takes, if it was made to fail and that is drawn.
    pub(super) fn take_lag(&mut self) -> Option<SimDuration> {
        self.lag.take()
    }

    /// Draws how long a poll takes if it fails.
    fn lag(&mut self, refuses: bool) -> bool {
        if let Some(draws) = self.draws.as_mut().filter(|_| refuses) {
            self.lag = Some(delay::draw(draws));
        }
        refuses
    }
}
