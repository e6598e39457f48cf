//! The time of all ranks by activity, and what limits the run.

use mpi_api::outcome::{Ending, RunResult};
use network_models::LinkUsage;
use sim_core::{SimDuration, SimTime};

use crate::format::{bytes, percent_of, whole_percent};

/// Totals over all ranks. Shares are percentages of the number of ranks times the makespan.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// How the run ended.
    pub ending: Ending,
    /// Simulated time at which the last rank finished.
    pub makespan: SimTime,
    /// Number of ranks.
    pub ranks: u32,
    /// Number of messages sent.
    pub messages: u64,
    /// Bytes of data in these messages.
    pub bytes: u64,
    /// Time outside MPI, summed over ranks.
    pub compute: SimDuration,
    /// Processor time inside MPI, summed over ranks.
    pub overhead: SimDuration,
    /// Blocked time, summed over ranks.
    pub waiting: SimDuration,
    /// Part of `waiting` for the file system, summed over ranks.
    pub files: SimDuration,
    /// Share of `compute`, in percent.
    pub compute_share: f64,
    /// Share of `overhead`, in percent.
    pub overhead_share: f64,
    /// Share of `waiting`, in percent.
    pub waiting_share: f64,
    /// Share of the time after a rank has finished, in percent.
    pub idle_share: f64,
    /// Largest computing time of a rank divided by the mean; 1 is perfect balance.
    pub imbalance: f64,
    /// One sentence on what limits the run.
    pub bound: String,
    /// Whether messages explain less than half of the run, so that ranks wait for each other rather than for the network.
    turns: bool,
    /// When the first rank has ended.
    first_end: SimTime,
    /// How long the busiest server of the file system is busy.
    busiest_server: SimDuration,
}

/// Reports whether the messages of a run explain less than half of it, even one after the other, and no link is busy for
/// half of it.
fn take_turns(result: &RunResult) -> bool {
    let half = result.makespan.as_ps() / 2;
    let is_quiet = |link: &LinkUsage| link.busy.as_ps() < half;
    let alone = result.messages_alone.is_some_and(|time| time.as_ps() < half);
    alone && result.links.iter().all(is_quiet)
}

fn busiest_server(result: &RunResult) -> SimDuration {
    let loads = result.servers.iter().flat_map(|loads| loads.data.iter().chain([&loads.metadata]));
    loads.map(|load| load.busy).max().unwrap_or_default()
}

impl Summary {
    /// Computes the summary of a run.
    pub fn of(result: &RunResult) -> Self {
        let ranks = result.ranks.len() as u32;
        let compute: SimDuration = result.ranks.iter().map(|rank| rank.compute).sum();
        let overhead: SimDuration = result.ranks.iter().map(|rank| rank.overhead).sum();
        let waiting: SimDuration = result.ranks.iter().map(|rank| rank.waiting).sum();
        let whole = u128::from(result.makespan.as_ps()) * u128::from(ranks);
        let most = result.ranks.iter().map(|rank| rank.compute).max().unwrap_or_default();
        let mean = compute.as_ps() as f64 / f64::from(ranks.max(1));
        let share = |part: SimDuration| percent_of(part.as_ps(), whole);
        let shares = [share(compute), share(overhead), share(waiting)];
        let mut summary = Self {
            ending: result.ending,
            makespan: result.makespan,
            ranks,
            messages: result.messages,
            bytes: result.bytes,
            compute,
            overhead,
            waiting,
            files: result.ranks.iter().map(|rank| rank.files).sum(),
            compute_share: shares[0],
            overhead_share: shares[1],
            waiting_share: shares[2],
            idle_share: if whole == 0 {
                0.0
            } else {
                (100.0 - shares.iter().sum::<f64>()).max(0.0)
            },
            imbalance: if mean > 0.0 { most.as_ps() as f64 / mean } else { 1.0 },
            bound: String::new(),
            turns: take_turns(result),
            first_end: result.ranks.iter().map(|rank| rank.finish).min().unwrap_or_default(),
            busiest_server: busiest_server(result),
        };
        summary.bound = summary.describe_bound();
        summary
    }

    /// Returns the mean size of a message, rounded to bytes, or `None` if there are no messages.
    pub fn mean_message(&self) -> Option<u64> {
        (self.messages > 0).then(|| (self.bytes + self.messages / 2) / self.messages)
    }

    fn describe_bound(&self) -> String {
        if self.makespan == SimTime::ZERO {
            return "nothing: the run took no time".to_owned();
        }
        let unfinished = match self.ending {
            Ending::Completed => "",
            Ending::Stalled => " (up to the stall)",
            Ending::Failed => " (up to the failure)",
        };
        let parts = [
            (self.compute_share, "computation", self.balance()),
            self.waited(),
            (self.overhead_share, "processor time inside MPI", self.size_of_messages()),
            (self.idle_share, "ranks that have ended while others go on", self.cause_of_ends()),
        ];
        let (share, what, why) = parts
            .into_iter()
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .expect("there are four parts");
        format!("{what}: {} of rank time{unfinished}; {why}", whole_percent(share))
    }

    /// Returns the share of waiting, with what was waited for most.
    fn waited(&self) -> (f64, &'static str, String) {
        if self.files > SimDuration::ZERO && self.files.as_ps() >= self.waiting.as_ps() / 2 {
            let part = percent_of(self.files.as_ps(), u128::from(self.waiting.as_ps()));
            let part = whole_percent(part);
            let each = self.files.as_ps() / u64::from(self.ranks.max(1));
            let why = if self.busiest_server.as_ps() < each / 2 {
                format!(
                    "{part} of it in accesses of files, mostly on the way to the servers or between ranks, which exchange \
                     data in collective accesses: no server is busy for half of that time"
                )
            } else {
                format!("{part} of it for the file system")
            };
            return (self.waiting_share, "waiting for files", why);
        }
        (self.waiting_share, "waiting for messages", self.cause_of_waiting())
    }

    fn balance(&self) -> String {
        if self.imbalance <= 1.05 {
            "evenly spread over the ranks".to_owned()
        } else {
            format!("the most loaded rank computes {:.2} times the mean", self.imbalance)
        }
    }

    /// Reports whether uneven computing explains at least half of a share of the run.
    fn is_from_imbalance(&self, share: f64) -> bool {
        // Lower bound of the time that perfect balance would remove.
        let avoidable = self.compute_share * (self.imbalance - 1.0);
        avoidable >= 0.5 * share
    }

    /// Returns why ranks end at different times, or when they do.
    fn cause_of_ends(&self) -> String {
        if self.is_from_imbalance(self.idle_share) {
            return self.balance();
        }
        format!("the first ends at {}, the run at {}", self.first_end, self.makespan)
    }

    fn cause_of_waiting(&self) -> String {
        if self.is_from_imbalance(self.waiting_share) {
            format!("mostly uneven computation ({})", self.balance())
        } else if self.turns {
            // With `--profile` the states of waiting tell more.
            "mostly for ranks that compute meanwhile: they come late or take turns".to_owned()
        } else {
            self.size_of_messages()
        }
    }

    fn size_of_messages(&self) -> String {
        match self.mean_message() {
            None => "no messages were sent".to_owned(),
            Some(mean) if mean < 1 << 10 => {
                format!("latency-dominated (mean message {})", bytes(mean))
            }
            Some(mean) if mean >= 64 << 10 => {
                format!("bandwidth-dominated (mean message {})", bytes(mean))
            }
            Some(mean) => {
                format!("latency and bandwidth both count (mean message {})", bytes(mean))
            }
        }
    }
}
