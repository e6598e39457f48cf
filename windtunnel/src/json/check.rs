//! The object of `windtunnel check --json`.

use scenarios::{
    safety::{self, Budget},
    scenario::Request,
};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{Outcome, finding::Finding, hexadecimal};

/// What the safety check found.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Check {
    /// `windtunnel.check/1`.
    schema: &'static str,
    /// Name of the program.
    program: String,
    /// Number of ranks that it began with.
    ranks: u32,
    /// The verdict.
    verdict: String,
    /// The verdict that the scenario expects; null if it expects none.
    expected: Option<String>,
    /// What was found, the most severe first.
    findings: Vec<Finding>,
    /// The smallest buffering that lets it finish; null if it needs none or none helps.
    buffering: Option<Buffering>,
    /// The executions behind the verdict.
    runs: Vec<Execution>,
    /// How far the match orders were followed.
    explored: Explored,
}

/// What the safety check found with several numbers of ranks.
#[cfg(feature = "command-line")]
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Checks {
    /// `windtunnel.checks/1`.
    schema: &'static str,
    /// The most severe verdict.
    verdict: String,
    /// The check with each number of ranks, in the order asked.
    checks: Vec<Check>,
}

#[cfg(feature = "command-line")]
impl Checks {
    pub(crate) fn new(verdict: &str, checks: Vec<Check>) -> Self {
        Self { schema: "windtunnel.checks/1", verdict: verdict.into(), checks }
    }
}

/// How many bytes of buffering a program leans on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Buffering {
    /// The smallest pool that is enough if every rank has the same.
    minimum_bytes_per_rank: u64,
    /// The smallest sum over ranks if each has a pool of its own size.
    minimum_total_bytes: u64,
    /// Number of ranks that need any.
    ranks_that_must_buffer: u32,
    /// Most that one rank filled with unlimited buffering.
    peak_bytes_if_unlimited: u64,
}

/// One execution.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Execution {
    /// Its buffering, and what else made it different from the others.
    policy: String,
    /// How it ended.
    outcome: Outcome,
    /// Simulated time of its end, nanoseconds.
    makespan_ns: f64,
    /// Digest of the run, 16 hexadecimal digits: equal digests mean the same run.
    digest: String,
    /// What `--schedule` takes to run it again; null for an execution of the search for the smallest buffering.
    schedule: Option<String>,
}

/// How far the match orders were followed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Explored {
    /// Number of executions.
    executions: usize,
    /// Whether every match order was followed.
    exhaustive: bool,
    /// The executions that match orders might take, or the time, such as `60s`.
    budget: String,
    /// Different match orders that were followed without buffering, with unlimited buffering, and, if buffering
    /// makes other matches possible and nothing else stalls, with some messages buffered.
    orders: Vec<u64>,
    /// Number of these that were drawn at random, since there are more than the budget allows.
    drawn: u64,
    /// Bounds of the probability that the drawn orders miss a fault; null if all orders were followed.
    missed_at_most: Option<Missed>,
    /// What was watched for accesses of the program itself; null if no memory was.
    watched: Option<Watched>,
    /// How many executions were made with all ranks on one node, since the program splits communicators by node and nothing
    /// says how many ranks a node has; `executions` are those of the check whose verdict is more severe.
    on_one_node: usize,
    /// What ended the check before its end; null if nothing did.
    stopped_by: Option<Stop>,
}

/// The executions in which the memory of pending operations and of windows was watched.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Watched {
    /// Number of executions in which memory was watched.
    executions: usize,
    /// Whether every access to that memory was looked at in each; false if there are too many.
    in_full: bool,
}

impl Watched {
    fn new(report: &safety::Report) -> Option<Self> {
        let executions = report.runs.iter().filter(|run| run.watches_memory()).count();
        (executions > 0).then(|| Self { executions, in_full: !report.is_watched_in_part() })
    }
}

/// Bounds for the probability that drawn orders miss a fault, whatever else happens in them.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Missed {
    /// Upper bound of the probability, from 0 to 1, that a fault is missed which occurs whenever one choice has a
    /// certain outcome; rounded up to 0.0001.
    one_choice: f64,
    /// The same for a fault which occurs whenever two choices have certain outcomes.
    two_choices: f64,
}

impl Missed {
    fn new(report: &safety::Report) -> Self {
        let rounded = |choices| (report.missed(choices) * 1e4).ceil() / 1e4;
        Self { one_choice: rounded(1), two_choices: rounded(2) }
    }
}

/// What ended a check before its end.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum Stop {
    /// The time of `--max-wall` was over.
    MaxWall,
    /// SIGINT or SIGTERM.
    Signal,
}

impl From<workers::Stop> for Stop {
    fn from(stop: workers::Stop) -> Self {
        match stop {
            workers::Stop::Deadline => Self::MaxWall,
            workers::Stop::Signal => Self::Signal,
        }
    }
}

impl Check {
    pub(crate) fn new(
        request: &Request,
        (report, on_one_node): (&safety::Report, usize),
        budget: Budget,
        findings: Vec<Finding>,
    ) -> Self {
        let execution = |run: &safety::PolicyRun| Execution {
            policy: run.policy.to_string(),
            outcome: run.result.ending.into(),
            makespan_ns: run.result.makespan.as_ns_f64(),
            schedule: run.schedule().map(|schedule| schedule.to_string()),
            digest: hexadecimal(run.result.digest),
        };
        Self {
            schema: "windtunnel.check/1",
            program: request.program.clone(),
            ranks: request.ranks,
            verdict: report.verdict.word().into(),
            expected: request.expect.map(|verdict| verdict.word().into()),
            findings,
            buffering: report.minimum.map(|minimum| Buffering {
                minimum_bytes_per_rank: minimum.bytes_per_rank,
                minimum_total_bytes: minimum.total_bytes,
                ranks_that_must_buffer: minimum.ranks,
                peak_bytes_if_unlimited: minimum.peak_bytes,
            }),
            runs: report.runs.iter().map(execution).collect(),
            explored: Explored {
                executions: report.runs.len(),
                exhaustive: report.exhaustive,
                budget: budget.to_string(),
                orders: report.followed.iter().map(|(_, followed)| followed.orders).collect(),
                drawn: report.followed.iter().map(|(_, followed)| followed.drawn).sum(),
                missed_at_most: (!report.exhaustive).then(|| Missed::new(report)),
                watched: Watched::new(report),
                on_one_node,
                stopped_by: report.stopped.map(Stop::from),
            },
        }
    }
}
