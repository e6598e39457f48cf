//! The object of `windtunnel diff --json`.

use reports::analysis::{
    Both, ComparisonDifference, ConfigurationPair, Difference, Place, Results, RunDifference, Times,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;
use sim_core::SimTime;

/// What two results differ in; A is the first file, B the second.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Diff {
    /// `windtunnel.diff/1`.
    schema: &'static str,
    /// The first file.
    a: String,
    /// The second file.
    b: String,
    /// Settings that differ; only those that both files have.
    set_up: Vec<Setting>,
    /// What two runs differ in; null for comparisons.
    run: Option<Run>,
    /// What two comparisons differ in; null for runs.
    comparison: Option<Comparison>,
}

/// A setting that differs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Setting {
    /// Its name.
    name: String,
    /// Its value in A, as text.
    a: String,
    /// Its value in B, as text.
    b: String,
}

/// Two runs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Run {
    /// Whether the digests are equal: they are the same run.
    same: bool,
    /// How A ended.
    outcome_a: String,
    /// How B ended.
    outcome_b: String,
    /// Makespan of A, in nanoseconds of simulated time.
    makespan_a_ns: f64,
    /// Makespan of B, in nanoseconds of simulated time.
    makespan_b_ns: f64,
    /// Change of the makespan from A to B, in percent of A; null if one of both did not complete, or A took no
    /// time.
    change_percent: Option<f64>,
    /// Messages in A.
    messages_a: u64,
    /// Messages in B.
    messages_b: u64,
    /// Bytes of data in A.
    bytes_a: u64,
    /// Bytes of data in B.
    bytes_b: u64,
    /// Mean times of the ranks in A.
    mean_a: RankTimes,
    /// Mean times of the ranks in B.
    mean_b: RankTimes,
    /// Ranks whose times differ, by number.
    ranks: Vec<Rank>,
    /// Blocked time by cause, over all ranks; null unless both files have profiles.
    blocked: Option<Vec<Entry>>,
    /// Call sites; null unless both files have profiles.
    call_sites: Option<Vec<Entry>>,
    /// Collective operations; null unless both files have profiles.
    collectives: Option<Vec<Entry>>,
    /// Findings of A that B does not have.
    findings_only_in_a: Vec<String>,
    /// Findings of B that A does not have.
    findings_only_in_b: Vec<String>,
}

/// Where the time of a rank went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct RankTimes {
    /// Time outside MPI, in nanoseconds of simulated time.
    busy_ns: f64,
    /// Processor time inside MPI, in nanoseconds of simulated time.
    communicating_ns: f64,
    /// Time in which the rank waited, in nanoseconds of simulated time.
    waiting_ns: f64,
    /// Simulated time at which it ended, in nanoseconds.
    finish_ns: f64,
}

/// One rank.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Rank {
    /// Its number.
    rank: u32,
    /// Its times in A; null if A has no such rank.
    a: Option<RankTimes>,
    /// Its times in B; null if B has no such rank.
    b: Option<RankTimes>,
}

/// A cause, call site or operation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Entry {
    /// Name of the cause, call or operation.
    name: String,
    /// Source file and line; empty if they are not known, or there are none.
    place: String,
    /// Calls in A; 0 for causes.
    calls_a: u64,
    /// Calls in B; 0 for causes.
    calls_b: u64,
    /// Time in A, in nanoseconds of simulated time, summed over the ranks.
    time_a_ns: f64,
    /// Time in B, in nanoseconds of simulated time, summed over the ranks.
    time_b_ns: f64,
}

/// Two comparisons.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Comparison {
    /// Advice of A.
    advice_a: String,
    /// Advice of B.
    advice_b: String,
    /// Configurations in the order of A, then those of B only.
    configurations: Vec<Configuration>,
}

/// A configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Configuration {
    /// What distinguishes it.
    configuration: String,
    /// How it ended in A, or `not there`.
    outcome_a: String,
    /// How it ended in B, or `not there`.
    outcome_b: String,
    /// Makespan in A, in nanoseconds of simulated time; null if it did not complete or is not there.
    makespan_a_ns: Option<f64>,
    /// Makespan in B, in nanoseconds of simulated time; null if it did not complete or is not there.
    makespan_b_ns: Option<f64>,
    /// Change of the makespan from A to B, in percent of A; null if one of both is null, or A took no time.
    change_percent: Option<f64>,
}

impl Diff {
    pub(crate) fn new(found: &Difference) -> Self {
        let [a, b] = found.names.clone();
        let setting = |(name, [a, b]): &(String, [String; 2])| Setting {
            name: name.clone(),
            a: a.clone(),
            b: b.clone(),
        };
        let (run, comparison) = match &found.results {
            Results::Runs(runs) => (Some(Run::new(runs)), None),
            Results::Comparisons(both) => (None, Some(Comparison::new(both))),
        };
        let set_up = found.set_up.iter().map(setting).collect();
        Self { schema: "windtunnel.diff/1", a, b, set_up, run, comparison }
    }
}

impl Run {
    fn new(runs: &RunDifference) -> Self {
        let [outcome_a, outcome_b] = runs.outcomes.clone();
        let [before, after] = runs.run_times;
        let [messages, bytes] = &runs.traffic;
        let mut ranks: Vec<Rank> = runs.different_ranks().into_iter().map(Rank::new).collect();
        ranks.sort_by_key(|rank| rank.rank);
        let entries = |at: usize| -> Option<Vec<Entry>> {
            runs.profiles.as_ref().map(|all| all[at].iter().map(Entry::new).collect())
        };
        let [findings_only_in_a, findings_only_in_b] = runs.findings.clone();
        Self {
            same: runs.is_same,
            outcome_a,
            outcome_b,
            makespan_a_ns: before.as_ns_f64(),
            makespan_b_ns: after.as_ns_f64(),
            change_percent: runs.change(),
            messages_a: messages.values[0],
            messages_b: messages.values[1],
            bytes_a: bytes.values[0],
            bytes_b: bytes.values[1],
            mean_a: RankTimes::new(&runs.means[0]),
            mean_b: RankTimes::new(&runs.means[1]),
            ranks,
            blocked: entries(0),
            call_sites: entries(1),
            collectives: entries(2),
            findings_only_in_a,
            findings_only_in_b,
        }
    }
}

impl RankTimes {
    fn new(times: &Times) -> Self {
        Self {
            busy_ns: times.compute.as_ns_f64(),
            communicating_ns: times.overhead.as_ns_f64(),
            waiting_ns: times.waiting.as_ns_f64(),
            finish_ns: times.end.as_ns_f64(),
        }
    }
}

impl Rank {
    fn new((rank, times): (usize, &Both<Times>)) -> Self {
        let [a, b] = times.each_ref().map(|times| times.as_ref().map(RankTimes::new));
        Self { rank: rank as u32, a, b }
    }
}

impl Entry {
    fn new(place: &Place) -> Self {
        let ([calls_a, calls_b], [before, after]) = (place.calls, place.times);
        Self {
            name: place.name.clone(),
            place: place.place.clone(),
            calls_a,
            calls_b,
            time_a_ns: before.as_ns_f64(),
            time_b_ns: after.as_ns_f64(),
        }
    }
}

impl Comparison {
    fn new(found: &ComparisonDifference) -> Self {
        let [advice_a, advice_b] = found.advice.clone();
        let configuration = |pair: &ConfigurationPair| {
            let [outcome_a, outcome_b] = pair.outcomes.clone();
            let [before, after] = pair.times.map(|time| time.map(SimTime::as_ns_f64));
            Configuration {
                configuration: pair.name.clone(),
                outcome_a,
                outcome_b,
                makespan_a_ns: before,
                makespan_b_ns: after,
                change_percent: pair.change(),
            }
        };
        let configurations = found.rows.iter().map(configuration).collect();
        Self { advice_a, advice_b, configurations }
    }
}
