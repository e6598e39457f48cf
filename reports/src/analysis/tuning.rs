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
    /// Number of combinations that were tried.
    pub tried: usize,
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
    /// Run time of the best combination with today's value of this setting; `None` if it is not changed, or
    /// that combination is not acceptable.
    pub without: Option<SimTime>,
}

/// One value of a setting, with the other settings as they are today.
#[derive(Clone, Debug, PartialEq)]
pub struct Alone {
    /// Value.
    pub value: String,
    /// Run time; `None` if the combination is not acceptable or was not tried.
    pub time: Option<SimTime>,
    /// Why it is not acceptable, if it is not.
    pub remark: Option<String>,
}

impl TunedSetting {
    /// Returns the best value alone.
    ///
    /// Ties: the first one.
    pub fn best_alone(&self) -> Option<(&str, SimTime)> {
        let known = self.alone.iter().filter_map(|one| Some((one.value.as_str(), one.time?)));
        known.min_by_key(|(_, time)| *time)
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
