//! Synthetic traffic: latency and throughput against offered load, for any network model.

mod carry;
mod pattern;
mod peak;
mod source;
#[cfg(test)]
mod tests;

use sim_core::{SimDuration, SimTime, interrupt};

#[cfg(test)]
pub(crate) use self::carry::carry;
use self::carry::{Carried, carry_up_to};
pub(crate) use self::source::{Process, Source};
pub use self::{
    pattern::{PatternMismatch, Targets, TrafficPattern},
    peak::{Loaded, PeakLoad},
};
use crate::{
    network::{Network, NetworkDeadlock, NodeId, Progress, Transfer, TransferId},
    units::Bandwidth,
};

/// The parameters of a measurement with synthetic traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrafficPlan {
    /// Size of each message.
    pub bytes: u64,
    /// Rate that is the load 1 of a node.
    pub rate: Bandwidth,
    /// Offered load of each node, as a share of the rate; above 0.
    pub load: f64,
    /// Length of the time before messages are measured, in message times.
    pub warm_up: u32,
    /// Length of the time in which they are measured, in message times.
    pub measured: u32,
    /// Seed of what is random.
    pub seed: u64,
}

impl TrafficPlan {
    /// The shortest warm-up and measured time, in times of a message from its creation to its arrival.
    const LEAST_LATENCIES: u64 = 10;

    /// Returns this plan with a warm-up and a measured time that are long against the time of a message,
    /// if a result of it says that they were not: where messages take longer than the warm-up, none
    /// arrive in the measured time, and the network seems to accept nothing. At most `most` message times
    /// are asked for.
    pub fn lengthened(&self, result: &TrafficResult, most: u32) -> Option<Self> {
        let slot = self.rate.time_for(self.bytes).as_ps().max(1);
        let needed = Self::LEAST_LATENCIES * result.least_latency.as_ps().div_ceil(slot);
        let needed = u32::try_from(needed).unwrap_or(most).min(most);
        let (warm_up, measured) = (self.warm_up.max(needed), self.measured.max(needed));
        let is_longer = (warm_up, measured) != (self.warm_up, self.measured);
        is_longer.then_some(Self { warm_up, measured, ..*self })
    }
}

/// The result of a measurement with synthetic traffic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrafficResult {
    /// Load that the nodes offered in the measured time, as a share of the rate.
    pub offered: f64,
    /// Load that arrived in the measured time, as a share of the rate.
    pub accepted: f64,
    /// Length of the time before that, in message times.
    pub warm_up: u32,
    /// Length of the measured time, in message times.
    pub measured: u32,
    /// Number of messages that were created in the measured time.
    pub messages: u64,
    /// The shortest time of a message from creation to arrival, those of the warm-up included; zero
    /// without messages, here and below.
    pub least_latency: SimDuration,
    /// Mean time of the measured messages from creation to arrival. If the measurement was stopped, messages count with
    /// the time that they had been under way by then.
    pub mean_latency: SimDuration,
    /// The time that 99 of 100 of them do not exceed.
    pub latency_99: SimDuration,
    /// Whether the network accepts less than is offered, so that latencies grow with the measured
    /// time.
    pub saturated: bool,
    /// Why the measurement ended early, if it did.
    pub stopped: Option<Stopped>,
}

/// The early end of a measurement, because too many messages were under way: each event of the model then
/// takes long. What was measured is the time from the end of the warm-up on, or the second half if that
/// is longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Message times from the beginning to the end.
    pub after: u32,
    /// Mean number of messages under way at each node.
    pub under_way: u64,
}

/// Why there is no result of a measurement.
#[derive(Clone, Debug)]
pub enum Unmeasured {
    /// Messages never arrive since they wait for each other inside the network.
    Deadlock(NetworkDeadlock),
    /// The simulations of this process were asked to stop ([`interrupt::requested`]).
    Interrupted,
}

/// The share of the offered load that a network which is not saturated may still owe at the end of
/// the measured time.
const OWED: f64 = 0.05;

/// Measures latency and throughput of a network on which nothing is under way.
///
/// Each node creates messages at random times that depend on nothing (a Poisson process), at the mean
/// rate of `load` in a message time; a message time is that of `bytes` at `rate`. Under a model that
/// works in cycles it creates one at the beginning of each cycle, with the probability `load` divided by
/// the cycles of a message time (a Bernoulli process), unless a cycle is longer than a message time.
/// Messages wait at their nodes without limit, and their latency counts from their creation.
/// After the measured time nothing more is created, and the messages of the measured time are
/// awaited (Dally and Towles, section 23.1).
///
/// Determinism: equal arguments give equal results; each node has a random stream of its own.
///
/// # Errors
/// Returns an error if messages never arrive since they wait for each other inside the network, or simulations
/// are asked to stop.
pub fn measure(
    network: &mut dyn Network,
    targets: &Targets,
    nodes: u32,
    plan: &TrafficPlan,
) -> Result<TrafficResult, Unmeasured> {
    let slot = plan.rate.time_for(plan.bytes).as_ps().max(1);
    let warm = SimTime::from_ps(u64::from(plan.warm_up) * slot);
    let planned = warm + SimDuration::from_ps(u64::from(plan.measured) * slot);
    let process = Process::new(plan.load, slot, network.cycle());
    let created = create(targets, nodes, plan.seed, &process, planned);
    let Arrivals { times, stopped } = arrivals_of(network, &created, plan.bytes, nodes)?;
    let end = stopped.unwrap_or(planned);
    let begin = stopped.map_or(warm, |end| warm.min(SimTime::from_ps(end.as_ps() / 2)));
    let inside = |time: SimTime| begin <= time && time < end;
    let mut latencies: Vec<u64> = created
        .iter()
        .zip(&times)
        .filter(|(message, _)| inside(message.time))
        .map(|(message, arrival)| arrival.unwrap_or(end).since(message.time).as_ps())
        .collect();
    latencies.sort_unstable();
    let least = created
        .iter()
        .zip(&times)
        .filter_map(|(message, arrival)| Some((*arrival)?.since(message.time)))
        .min();
    let slots = end.since(begin).as_ps() as f64 / slot as f64;
    let share = |messages: usize| messages as f64 / f64::from(nodes) / slots;
    let offered = share(latencies.len());
    let accepted = share(times.iter().flatten().filter(|arrival| inside(**arrival)).count());
    let sum: u128 = latencies.iter().map(|latency| u128::from(*latency)).sum();
    let mean = sum.checked_div(latencies.len() as u128).unwrap_or(0) as u64;
    let place = (latencies.len() * 99).div_ceil(100).saturating_sub(1);
    let stopped = stopped.zip(network.crowd()).map(|(time, crowd)| Stopped {
        after: (time.as_ps() / slot) as u32,
        under_way: crowd.most_of_node,
    });
    Ok(TrafficResult {
        offered,
        accepted,
        warm_up: plan.warm_up,
        measured: plan.measured,
        messages: latencies.len() as u64,
        least_latency: least.unwrap_or_default(),
        mean_latency: SimDuration::from_ps(mean),
        latency_99: SimDuration::from_ps(latencies.get(place).copied().unwrap_or(0)),
        saturated: accepted < offered * (1.0 - OWED),
        stopped,
    })
}

/// A message of the measurement.
#[derive(Clone, Copy, Debug)]
struct Created {
    time: SimTime,
    source: NodeId,
    target: NodeId,
}

/// Returns the messages before `end`, in order of time, those of equal times in order of
/// their nodes.
fn create(
    targets: &Targets,
    nodes: u32,
    seed: u64,
    process: &Process,
    end: SimTime,
) -> Vec<Created> {
    let mut list = Vec::new();
    for node in (0..nodes).map(NodeId) {
        // What is made of the list is not used then.
        if interrupt::requested() {
            break;
        }
        let mut source = Source::new(seed, "traffic", node);
        while let Some(time) = source.draw(process, end) {
            if let Some(target) = source.target(targets) {
                list.push(Created { time, source: node, target });
            }
        }
    }
    list.sort_by_key(|message| (message.time, message.source));
    list
}

/// When messages arrive.
struct Arrivals {
    /// Of each message that was sent, in order; `None` if that was not awaited.
    times: Vec<Option<SimTime>>,
    /// When no more were sent, if the measurement was stopped.
    stopped: Option<SimTime>,
}

/// Carries the messages and returns when each arrives.
fn arrivals_of(
    network: &mut dyn Network,
    created: &[Created],
    bytes: u64,
    nodes: u32,
) -> Result<Arrivals, Unmeasured> {
    let transfers = (0..).zip(created).map(|(number, message)| {
        let Created { time, source, target } = *message;
        (time, Transfer { id: TransferId(number), source, target, bytes })
    });
    let Carried { deliveries, reports, stopped, interrupted } =
        carry_up_to(network, transfers, nodes);
    if let Some(deadlock) = network.deadlock() {
        return Err(Unmeasured::Deadlock(deadlock));
    }
    if interrupted {
        return Err(Unmeasured::Interrupted);
    }
    // The arrivals that were not known at once are reported.
    let mut times: Vec<Option<SimTime>> =
        deliveries.iter().map(|delivery| delivery.arrival()).collect();
    for report in reports.iter().filter(|report| report.progress == Progress::Arrived) {
        times[report.id.0 as usize] = Some(report.time);
    }
    Ok(Arrivals { times, stopped })
}
