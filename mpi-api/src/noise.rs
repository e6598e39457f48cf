//! Noise of the operating system: detours for which a rank's processor does something else.
//!
//! Ferreira, Bridges and Brightwell (2008) and Hoefler, Schneider and Lumsdaine (2010) describe the
//! same model: the program has the processor except during detours, which depend on time alone.

use std::{collections::VecDeque, rc::Rc};

use sim_core::{ChaCha8Rng, SimDuration, SimTime, stream};

/// Detours of each rank's processor. Ranks have detours at different times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noise {
    /// One in every period, all equally long; each rank begins at a random time within the period.
    Fixed {
        /// From the beginning of a detour to that of the next one.
        period: SimDuration,
        /// Length of a detour, less than the period.
        duration: SimDuration,
    },
    /// Random detours: lengths and the times between them are exponentially distributed.
    Exponential {
        /// Mean time from the beginning of a detour to that of the next one.
        period: SimDuration,
        /// Mean length of a detour, less than the mean period.
        duration: SimDuration,
    },
    /// Detours that were measured, repeated after the last one; each rank begins at a random time
    /// within the record.
    Recorded {
        /// Beginning and length of each detour, in order and apart from each other.
        detours: Rc<[(SimDuration, SimDuration)]>,
        /// Length of the record, not before the end of the last detour.
        length: SimDuration,
    },
}

/// Noise of a run, with the seed of its random streams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededNoise {
    /// The detours.
    pub noise: Noise,
    /// Seed of the run.
    pub seed: u64,
}

/// Detours of one rank that are remembered after they have ended: threads of a rank may look back
/// so far.
const REMEMBERED: usize = 64;

/// Name of the random streams; the index is the rank.
const STREAM: &str = "noise";

/// The detours of all ranks, made as far as they are needed.
#[derive(Debug)]
pub(crate) struct Detours {
    noise: SeededNoise,
    ranks: Vec<Option<OfRank>>,
}

/// The detours of one rank.
#[derive(Debug)]
struct OfRank {
    random: ChaCha8Rng,
    /// Detours in order, begin and end.
    known: VecDeque<(SimTime, SimTime)>,
    /// Time from which the next detour is made.
    made_until: SimTime,
    /// Next detour of a record, and the time of its beginning.
    next: usize,
    record: SimTime,
}

impl Detours {
    pub(crate) fn new(noise: SeededNoise) -> Self {
        Self { noise, ranks: Vec::new() }
    }

    /// Returns the time from `start` until a rank's processor has worked for `work`.
    ///
    /// Determinism: depends on the seed, the rank and the arguments only.
    pub(crate) fn stretched(
        &mut self,
        rank: u32,
        start: SimTime,
        work: SimDuration,
    ) -> SimDuration {
        let place = rank as usize;
        if place >= self.ranks.len() {
            self.ranks.resize_with(place + 1, || None);
        }
        let noise = &self.noise;
        let of_rank = self.ranks[place].get_or_insert_with(|| OfRank::new(noise, rank));
        let mut end = start + work;
        let mut at = 0;
        loop {
            while at >= of_rank.known.len() {
                of_rank.make(&noise.noise);
            }
            let (begin, finish) = of_rank.known[at];
            if begin >= end {
                break;
            }
            if finish > start {
                end += finish.since(begin.max(start));
            }
            if at < REMEMBERED {
                at += 1;
            } else {
                of_rank.known.pop_front();
            }
        }
        end.since(start)
    }
}

impl OfRank {
    fn new(noise: &SeededNoise, rank: u32) -> Self {
        let mut random = stream(noise.seed, STREAM, rank.into());
        let mut of_rank = |length: SimDuration| below(&mut random, length.as_ps());
        let (mut made_until, mut next, mut record) = (SimTime::ZERO, 0, SimTime::ZERO);
        match &noise.noise {
            Noise::Fixed { period, .. } => {
                made_until = SimTime::from_ps(of_rank(*period));
            }
            Noise::Exponential { .. } => {}
            Noise::Recorded { detours, length } => {
                // The run begins in the middle of the record.
                let phase = SimDuration::from_ps(of_rank(*length));
                next = detours.partition_point(|(begin, _)| *begin < phase);
                record = SimTime::ZERO;
                made_until = SimTime::from_ps(phase.as_ps());
            }
        }
        Self { random, known: VecDeque::new(), made_until, next, record }
    }

    /// Appends the next detour.
    fn make(&mut self, noise: &Noise) {
        let (begin, end) = match noise {
            Noise::Fixed { period, duration } => {
                let begin = self.made_until;
                self.made_until = begin + *period;
                (begin, begin + *duration)
            }
            Noise::Exponential { period, duration } => {
                let quiet = SimDuration::from_ps(period.as_ps() - duration.as_ps());
                let begin = self.made_until + exponential(&mut self.random, quiet);
                let end = begin + exponential(&mut self.random, *duration);
                self.made_until = end;
                (begin, end)
            }
            Noise::Recorded { detours, length } => {
                if self.next == detours.len() {
                    (self.next, self.record) = (0, self.record + *length);
                }
                let (begin, duration) = detours[self.next];
                self.next += 1;
                // `made_until` holds the time in the record at which the run begins.
                let phase = self.made_until.as_ps();
                let begin = (self.record + begin).as_ps() - phase;
                (SimTime::from_ps(begin), SimTime::from_ps(begin) + duration)
            }
        };
        self.known.push_back((begin, end));
    }
}

/// Draws an exponentially distributed duration with this mean.
fn exponential(random: &mut ChaCha8Rng, mean: SimDuration) -> SimDuration {
    SimDuration::from_ps(sim_core::exponential(random, mean.as_ps() as f64))
}

/// Draws a number from 0 to `bound`, `bound` not included; 0 if it is 0.
fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    use rand::Rng;
    ((u128::from(random.next_u64()) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn us(count: u64) -> SimDuration {
        SimDuration::from_ns(1000 * count)
    }

    fn detours(noise: Noise) -> Detours {
        Detours::new(SeededNoise { noise, seed: 1 })
    }

    #[test]
    fn a_fixed_detour_comes_once_in_a_period() {
        let mut detours = detours(Noise::Fixed { period: us(100), duration: us(10) });
        for rank in 0..4 {
            // 900 us of work take 1,000 us, whatever the phase.
            let long = detours.stretched(rank, SimTime::ZERO, us(900));
            assert!(long == us(1000) || long == us(990), "{long:?}");
            // From then on, piece by piece, the same in total.
            let mut at = SimTime::ZERO + us(2000);
            for _ in 0..90 {
                at += detours.stretched(rank, at, us(10));
            }
            let total = at.since(SimTime::ZERO + us(2000));
            assert!((us(990)..=us(1010)).contains(&total), "{total:?}");
        }
        let first = |rank: u32| detours.ranks[rank as usize].as_ref().map(|of| of.known[0]);
        assert_ne!(first(0), first(1));
    }

    #[test]
    fn random_detours_take_their_share() {
        let mut detours = detours(Noise::Exponential { period: us(100), duration: us(10) });
        let long = detours.stretched(0, SimTime::ZERO, us(900_000)).as_ps() as f64;
        let expected = us(1_000_000).as_ps() as f64;
        assert!((long / expected - 1.0).abs() < 0.01, "{long}");
    }

    #[test]
    fn a_record_is_repeated() {
        let record = Rc::from([(us(0), us(1)), (us(40), us(9))]);
        let mut detours = detours(Noise::Recorded { detours: record, length: us(100) });
        let long = detours.stretched(7, SimTime::ZERO, us(9000));
        assert!((us(9990)..=us(10_010)).contains(&long), "{long:?}");
    }

    #[test]
    fn work_that_meets_no_detour_takes_as_long_as_it_takes() {
        let record = Rc::from([(us(50), us(50))]);
        let mut detours = detours(Noise::Recorded { detours: record, length: us(100) });
        let phase = detours.stretched(0, SimTime::ZERO, us(50)).as_ps();
        assert!(phase >= us(50).as_ps());
        let (begin, end) = detours.ranks[0].as_ref().expect("made").known[0];
        let inside = begin + SimDuration::from_ns(1);
        assert_eq!(detours.stretched(0, inside, us(1)), end.since(inside) + us(1));
        assert_eq!(detours.stretched(0, end, us(50)), us(50));
    }
}
