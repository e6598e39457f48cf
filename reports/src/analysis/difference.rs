//! The difference between two results.

use sim_core::SimTime;

/// A value of each of the two results; `None` where one of them does not have it.
pub type Both<T> = [Option<T>; 2];

/// What two results differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Names of the two files.
    pub names: [String; 2],
    /// What was set up differently: the name of the setting and its values.
    pub set_up: Vec<(String, [String; 2])>,
    /// What came of it.
    pub results: Results,
}

/// The results that are compared.
#[derive(Clone, Debug, PartialEq)]
pub enum Results {
    /// Two runs.
    Runs(Box<RunDifference>),
    /// Two comparisons, by configuration.
    Comparisons(ComparisonDifference),
}

/// Where the time of the ranks went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Time outside MPI.
    pub compute: SimTime,
    /// Processor time inside MPI.
    pub overhead: SimTime,
    /// Blocked time.
    pub waiting: SimTime,
    /// End.
    pub end: SimTime,
}

/// A named time or count of two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair<T> {
    /// Name.
    pub name: String,
    /// Values.
    pub values: [T; 2],
}

/// A call site, a collective operation or a cause of blocked time in two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the call, operation or cause.
    pub name: String,
    /// Source file and line of a call site; empty for others.
    pub place: String,
    /// Number of calls; 0 for causes.
    pub calls: [u64; 2],
    /// Time, summed over the ranks.
    pub times: [SimTime; 2],
}

/// What two runs differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct RunDifference {
    /// Name of the program, if both have the same.
    pub program: String,
    /// Whether both have the same digest: they are the same run.
    pub is_same: bool,
    /// How the runs ended.
    pub outcomes: [String; 2],
    /// Run times.
    pub run_times: [SimTime; 2],
    /// Where the time went, as means over the ranks.
    pub means: [Times; 2],
    /// Where the time of each rank went.
    pub ranks: Vec<Both<Times>>,
    /// Messages, and bytes in them.
    pub traffic: [Pair<u64>; 2],
    /// What bounds each run, in a sentence.
    pub bounds: [String; 2],
    /// Name of the busiest link and the percentage of the run in which it was busy.
    pub hottest_links: Both<(String, f64)>,
    /// Blocked time by cause, call sites and collective operations; `None` unless both results have
    /// profiles.
    pub profiles: Option<[Vec<Place>; 3]>,
    /// Findings of one run only.
    pub findings: [Vec<String>; 2],
    /// Number of findings that both have.
    pub common_findings: usize,
}

/// One configuration of two comparisons.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationPair {
    /// What distinguishes the configuration.
    pub name: String,
    /// Run times; `None` of a run that did not complete, or that one comparison does not have.
    pub times: Both<SimTime>,
    /// How the runs ended, or that the configuration is not there.
    pub outcomes: [String; 2],
}

/// What two comparisons differ in.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparisonDifference {
    /// Configurations, in the order of the first comparison, then those of the second one only.
    pub rows: Vec<ConfigurationPair>,
    /// The advice of each.
    pub advice: [String; 2],
}

impl RunDifference {
    /// Returns by how many percent the second run time differs from the first; `None` if a run did not complete
    /// or the first one took no time.
    pub fn change(&self) -> Option<f64> {
        let completed = self.outcomes.iter().all(|outcome| outcome == COMPLETED);
        let [before, after] = self.run_times;
        super::change_between(before, after).filter(|_| completed)
    }

    /// Returns the ranks whose times differ, those that differ most first.
    ///
    /// Ties: by number.
    pub fn different_ranks(&self) -> Vec<(usize, &Both<Times>)> {
        let differs = |pair: &&(usize, &Both<Times>)| pair.1[0] != pair.1[1];
        let mut found: Vec<(usize, &Both<Times>)> =
            self.ranks.iter().enumerate().filter(|pair| differs(&pair)).collect();
        let distance = |times: &Both<Times>| {
            let [a, b] = times.map(Option::unwrap_or_default);
            let parts = [
                (a.compute, b.compute),
                (a.overhead, b.overhead),
                (a.waiting, b.waiting),
                (a.end, b.end),
            ];
            parts.iter().map(|(a, b)| u128::from(a.as_ps().abs_diff(b.as_ps()))).sum::<u128>()
        };
        found.sort_by_key(|(rank, times)| (std::cmp::Reverse(distance(times)), *rank));
        found
    }
}

/// The outcome of a run that came to its end, as results write it.
pub const COMPLETED: &str = "completed";

/// Returns the places whose calls or times differ, those that differ most first.
///
/// Ties: as given.
pub fn different(places: &[Place]) -> Vec<&Place> {
    let distance = |place: &Place| place.times[0].as_ps().abs_diff(place.times[1].as_ps());
    let differs = |place: &&Place| distance(place) > 0 || place.calls[0] != place.calls[1];
    let mut found: Vec<&Place> = places.iter().filter(differs).collect();
    found.sort_by_key(|place| std::cmp::Reverse(distance(place)));
    found
}

impl ConfigurationPair {
    /// Returns by how many percent the run times differ, if both runs completed.
    pub fn change(&self) -> Option<f64> {
        let [before, after] = self.times;
        super::change_between(before?, after?)
    }
}
