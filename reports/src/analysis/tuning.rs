//! The result of a search for the best settings of a program.

use sim_core::SimTime;

use crate::format::{count, counted};

/// What a search for the best settings has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// Name of the program.
    pub program: String,
    /// Number of ranks that it has today.
    pub ranks: u32,
    /// Machine, topology and network model of today.
    pub system: [String; 3],
    /// Run time with today's settings; `None` if the run does not complete.
    pub today: Option<SimTime>,
    /// Shortest run time; `None` if no combination is acceptable.
    pub best: Option<SimTime>,
    /// Settings, in the order in which they were given.
    pub settings: Vec<TunedSetting>,
    /// Number of combinations to choose from that were tried.
    pub tried: usize,
    /// Numbers of combinations that were simulated: of those to choose from, and of others, with values of today
    /// that are not to be chosen, which show what each setting is worth.
    pub simulated: [usize; 2],
    /// Number of those that cannot be run, do not complete, or are unsafe.
    pub rejected: usize,
    /// Number of all combinations.
    pub combinations: u128,
    /// Whether the time was over before the budget.
    pub stopped: bool,
    /// Command line of a run with the best settings.
    pub command: String,
    /// What the best settings change of the machine, for which there are no options.
    pub machine: Vec<String>,
    /// Digest of the run with the best settings.
    pub digest: Option<u64>,
}

/// One setting.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedSetting {
    /// Name.
    pub name: String,
    /// Each value alone, with the other settings as they are today.
    pub alone: Vec<Alone>,
    /// Value in the best combination; `None` if there is none.
    pub best: Option<String>,
    /// Whether that value is not today's.
    pub is_changed: bool,
    /// The best combination with today's value of this setting; `None` if it is not changed.
    pub without: Option<Trial>,
}

/// What is known of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// It was simulated, with this run time.
    Ran(SimTime),
    /// It was tried and is not acceptable.
    Rejected,
    /// It was not tried.
    NotTried,
}

impl Trial {
    /// Returns the run time, if it is known.
    pub fn time(self) -> Option<SimTime> {
        match self {
            Self::Ran(time) => Some(time),
            Self::Rejected | Self::NotTried => None,
        }
    }

    /// Returns whether the combination was tried.
    pub fn is_tried(self) -> bool {
        match self {
            Self::Ran(_) | Self::Rejected => true,
            Self::NotTried => false,
        }
    }
}

/// One value of a setting, with the other settings as they are today.
#[derive(Clone, Debug, PartialEq)]
pub struct Alone {
    /// Value.
    pub value: String,
    /// Whether it is today's.
    pub is_today: bool,
    /// What is known of this combination.
    pub trial: Trial,
    /// Why it is not acceptable, if it is not.
    pub remark: Option<String>,
}

impl TunedSetting {
    /// Returns the best value alone; `None` if no other value than today's was tried.
    ///
    /// Ties: the first one.
    pub fn best_alone(&self) -> Option<(&str, SimTime)> {
        if !self.alone.iter().any(|one| one.trial.is_tried() && !one.is_today) {
            return None;
        }
        let time = |one: &Alone| one.trial.time();
        let known = self.alone.iter().filter_map(|one| Some((one.value.as_str(), time(one)?)));
        known.min_by_key(|(_, time)| *time)
    }

    /// Returns how many values were tried alone.
    pub fn tried_alone(&self) -> usize {
        self.alone.iter().filter(|one| one.trial.is_tried()).count()
    }
}

impl Tuning {
    /// Returns whether every combination was tried, so that none is better than the best one.
    pub fn is_exhaustive(&self) -> bool {
        self.tried as u128 == self.combinations
    }

    /// Returns by how many percent a run time differs from today's.
    pub fn change(&self, time: SimTime) -> Option<f64> {
        percent(self.today?, time)
    }

    /// Returns what is known of the best combination, as in `the best of 200 of 1,296 combinations`.
    pub fn claim(&self) -> String {
        let all = u64::try_from(self.combinations).map_or_else(
            |_| format!("more than {} combinations", count(u64::MAX)),
            |all| counted(all, "combination"),
        );
        let tried = count(self.tried as u64);
        match (self.is_exhaustive(), self.stopped) {
            (true, _) => format!("the best of all {all}"),
            (false, true) => {
                format!(
                    "the best of {tried} of {all} when the time was over; another may be better"
                )
            }
            (false, false) => format!("the best of {tried} of {all}; another may be better"),
        }
    }
}

/// Returns by how many percent `time` differs from `base`.
pub(crate) fn percent(base: SimTime, time: SimTime) -> Option<f64> {
    match base.as_ps() {
        _ if base == time => Some(0.0),
        0 => None,
        before => Some((time.as_ps() as f64 / before as f64 - 1.0) * 100.0),
    }
}
