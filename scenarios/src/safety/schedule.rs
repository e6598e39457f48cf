//! [`Schedule`]: what one execution of a check varies, as text.

use std::{fmt, str::FromStr};

use mpi_api::{
    outcome::{Ending, RunResult},
    settings::{CollectiveSynchronization, Matching, OneSided, Polls, Progress, Settings},
};
use sim_core::{SimDuration, TieBreak};

use super::Space;
use crate::error::Error;

/// What one execution of a check varies: with it the execution can be run again.
///
/// Its text is what `--schedule` takes: the buffering, `zero`, `infinite` or `partial` (a standard send is
/// buffered where the order says so), and then, each after a `+`, what differs from an ordinary run: `synchronising` (collectives synchronise all ranks), `polls`
/// (the first test or probe that could succeed does not), `late-accesses` (one-sided accesses take
/// effect late), `weak-progress` (they are served while their target is in a call of MPI), `late=RANK:PS` (a rank starts this many picoseconds late), `seeded=SEED` (simultaneous
/// events and matches in a drawn order) and `order=A.B.C` (the alternatives of the choices of matches,
/// from 0; those that follow are 0).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    space: Space,
    synchronising: bool,
    polls: bool,
    late_accesses: bool,
    weak_progress: bool,
    late: Option<(u32, u64)>,
    seed: Option<u64>,
    order: Option<Vec<u32>>,
}

impl Schedule {
    /// Returns the schedule of an execution of a check.
    pub fn of(space: Space, settings: &Settings) -> Self {
        let (seed, order) = match &settings.matching {
            Matching::Arrival | Matching::Sampled(_) => (None, None),
            Matching::Seeded(seed) => (Some(*seed), None),
            Matching::Explore(list) => (None, Some(list.clone())),
            Matching::Planned(plan) => (None, Some(plan.choices.clone())),
        };
        Self {
            space,
            synchronising: match settings.synchronisation {
                CollectiveSynchronization::Full => true,
                CollectiveSynchronization::Minimal | CollectiveSynchronization::Algorithm => false,
            },
            polls: settings.polls == Polls::Reluctant,
            late_accesses: settings.one_sided == OneSided::Late,
            weak_progress: settings.progress == Progress::Weak,
            late: settings.late.map(|(rank, delay)| (rank, delay.as_ps())),
            seed,
            order,
        }
    }

    /// Reports whether nothing but the buffering is given.
    pub fn is_plain(&self) -> bool {
        let Self { synchronising, polls, late_accesses, weak_progress, .. } = self;
        let Self { late, seed, order, .. } = self;
        !(*synchronising || *polls || *late_accesses || *weak_progress)
            && late.is_none()
            && seed.is_none()
            && order.is_none()
    }

    /// Returns the buffering.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Checks that this was the schedule of an execution with this result: that it made the choices that
    /// the schedule names.
    ///
    /// # Errors
    /// Returns [`Error::Schedule`] if the schedule belongs to another program, or to other arguments or ranks.
    pub fn fits(&self, result: &RunResult) -> Result<(), Error> {
        let misfit = |reason: String| Err(Error::Schedule { schedule: self.to_string(), reason });
        let ranks = result.ranks.len();
        if let Some((rank, _)) = self.late.filter(|(rank, _)| *rank as usize >= ranks) {
            return misfit(format!("it delays rank {rank}, and there are {ranks} ranks"));
        }
        let order = self.order.as_deref().unwrap_or_default();
        for (number, listed) in (1..).zip(order) {
            let Some(made) = result.choices.get(number - 1) else {
                // An execution whose process ended at once has not told its choices.
                if result.ending == Ending::Failed {
                    break;
                }
                let (given, there) = (order.len(), result.choices.len());
                return misfit(format!("it lists {given} choices, and the execution has {there}"));
            };
            if made.taken != *listed {
                let most = made.alternatives.saturating_sub(1);
                return misfit(format!(
                    "its choice {number} is {listed}, and the execution has 0 to {most} there"
                ));
            }
        }
        Ok(())
    }

    /// Changes the settings of an ordinary run to those of the execution.
    pub fn apply(&self, settings: &mut Settings) {
        settings.buffering = self.space.buffering();
        settings.synchronisation = match self.synchronising {
            true => CollectiveSynchronization::Full,
            false => CollectiveSynchronization::Minimal,
        };
        settings.polls = if self.polls { Polls::Reluctant } else { Polls::Prompt };
        settings.one_sided = if self.late_accesses { OneSided::Late } else { OneSided::Prompt };
        if self.weak_progress {
            settings.progress = Progress::Weak;
        }
        settings.late = self.late.map(|(rank, ps)| (rank, SimDuration::from_ps(ps)));
        if let Some(seed) = self.seed {
            settings.tie_break = TieBreak::Seeded(seed);
            settings.matching = Matching::Seeded(seed);
        }
        if let Some(order) = &self.order {
            settings.matching = Matching::Explore(order.clone());
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { space, synchronising, polls, late_accesses, weak_progress, .. } = self;
        let Self { late, seed, order, .. } = self;
        write!(f, "{space}")?;
        for (given, word) in [
            (synchronising, "synchronising"),
            (polls, "polls"),
            (late_accesses, "late-accesses"),
            (weak_progress, "weak-progress"),
        ] {
            if *given {
                write!(f, "+{word}")?;
            }
        }
        if let Some((rank, ps)) = late {
            write!(f, "+late={rank}:{ps}")?;
        }
        if let Some(seed) = seed {
            write!(f, "+seeded={seed}")?;
        }
        if let Some(order) = order {
            let numbers: Vec<String> = order.iter().map(u32::to_string).collect();
            write!(f, "+order={}", numbers.join("."))?;
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let allowed = |part: &str| {
            format!(
                "a schedule as a finding tells it, such as infinite+order=0.2.1, zero+polls or \
                 infinite+late=3:1200; not `{part}`"
            )
        };
        let mut parts = text.trim().split('+');
        let first = parts.next().unwrap_or_default();
        let mut schedule = Self {
            space: first.parse().map_err(|()| allowed(first))?,
            synchronising: false,
            polls: false,
            late_accesses: false,
            weak_progress: false,
            late: None,
            seed: None,
            order: None,
        };
        for part in parts {
            schedule.read(part).ok_or_else(|| allowed(part))?;
        }
        if schedule.space == Space::Partial && schedule.order.is_none() {
            return Err("partial+order=..., since only an order says what is buffered; a schedule is such as \
                        infinite+order=0.2.1".into());
        }
        Ok(schedule)
    }
}

impl Schedule {
    /// Reads what follows a `+`; `None` if it is no part of a schedule.
    fn read(&mut self, part: &str) -> Option<()> {
        match part.split_once('=') {
            None => match part {
                "synchronising" => self.synchronising = true,
                "polls" => self.polls = true,
                "late-accesses" => self.late_accesses = true,
                "weak-progress" => self.weak_progress = true,
                _ => return None,
            },
            Some(("late", value)) => {
                let (rank, ps) = value.split_once(':')?;
                self.late = Some((rank.parse().ok()?, ps.parse().ok()?));
            }
            Some(("seeded", value)) => self.seed = Some(value.parse().ok()?),
            Some(("order", "")) => self.order = Some(Vec::new()),
            Some(("order", value)) => {
                let numbers = value.split('.').map(|number| number.parse().ok());
                self.order = Some(numbers.collect::<Option<Vec<u32>>>()?);
            }
            Some(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use mpi_api::settings::Buffering;

    use super::*;

    #[test]
    fn a_schedule_is_read_as_it_is_written() {
        for text in [
            "infinite",
            "zero+synchronising",
            "infinite+polls",
            "zero+late-accesses",
            "infinite+weak-progress",
            "infinite+late=3:1200",
            "zero+seeded=7",
            "infinite+order=",
            "zero+polls+late=0:1+order=0.2.1",
            "partial+order=1",
        ] {
            let schedule: Schedule = text.parse().expect(text);
            assert_eq!(schedule.to_string(), text);
            assert_eq!(schedule.is_plain(), !text.contains('+'), "{text}");
        }
        for text in [
            "",
            "one",
            "infinite+order=1.",
            "infinite+order=-1",
            "zero+late=3",
            "zero+",
            "x=1",
            "partial=1",
            "partial",
            "partial+polls",
        ] {
            let refused = text.parse::<Schedule>().expect_err(text);
            assert!(refused.contains("such as"), "{refused}");
        }
    }

    #[test]
    fn a_schedule_has_the_settings_it_came_from() {
        let mut settings = Settings::free(Vec::new(), Buffering::infinite());
        let order: Schedule = "zero+polls+order=0.1".parse().expect("a schedule");
        order.apply(&mut settings);
        assert_eq!(settings.matching, Matching::Explore(vec![0, 1]));
        assert_eq!(settings.buffering, Buffering::zero());
        assert_eq!(Schedule::of(Space::Zero, &settings), order);
    }
}
