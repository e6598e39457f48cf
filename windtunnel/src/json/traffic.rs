//! The object of `windtunnel traffic --json`.

use network_models::TrafficResult;
use scenarios::traffic::{Curve, Study};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Latency and throughput of networks by offered load.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Traffic {
    /// `windtunnel.traffic/1`.
    schema: &'static str,
    /// Name or file of the machine.
    machine: String,
    /// Who sends to whom.
    pattern: &'static str,
    /// Whether nodes also send to themselves, where the pattern says so.
    includes_self: bool,
    /// Size of each message.
    message_bytes: u64,
    /// Seed of what is random.
    seed: u64,
    /// The networks, in the order of the topologies and then of the models.
    networks: Vec<Network>,
}

/// The measurements of one network.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Network {
    /// Name of the topology with its sizes.
    topology: String,
    /// The network model.
    network: String,
    /// A measurement for each load.
    loads: Vec<Load>,
    /// The loads for which there is none, since the time of `--max-wall` was over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_measured: Vec<f64>,
}

/// One measurement. Loads are shares of the rate of a port.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Load {
    /// Load that the nodes offered in the measured time.
    offered: f64,
    /// Load that arrived in the measured time.
    accepted: f64,
    /// Length of the time before messages are measured, in message times: what was asked for, or more where
    /// that is short against the time of a message.
    warm_up_message_times: u32,
    /// Length of the time in which they are measured, in message times.
    measured_message_times: u32,
    /// Number of messages that were created in the measured time.
    messages: u64,
    /// Their mean time from creation to arrival; if `stopped` is there, to the end for those that had not
    /// arrived. Null without messages.
    mean_latency_ns: Option<f64>,
    /// The time that 99 of 100 of them do not exceed. Null without messages.
    latency_99_ns: Option<f64>,
    /// Whether the network accepts less than is offered.
    saturated: bool,
    /// Why the measurement ended early, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<Stopped>,
}

/// The early end of a measurement: each event of the model takes time in proportion to the messages under
/// way.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Stopped {
    /// Message times from the beginning to the end.
    after_message_times: u32,
    /// Mean number of messages under way at each node.
    under_way_per_node: u64,
}

impl Traffic {
    pub(crate) fn new(study: &Study, curves: &[Curve]) -> Self {
        let load = |result: &TrafficResult| Load {
            offered: result.offered,
            accepted: result.accepted,
            warm_up_message_times: result.warm_up,
            measured_message_times: result.measured,
            messages: result.messages,
            mean_latency_ns: (result.messages > 0).then(|| result.mean_latency.as_ns_f64()),
            latency_99_ns: (result.messages > 0).then(|| result.latency_99.as_ns_f64()),
            saturated: result.saturated,
            stopped: result.stopped.map(|stopped| Stopped {
                after_message_times: stopped.after,
                under_way_per_node: stopped.under_way,
            }),
        };
        let network = |curve: &Curve| Network {
            topology: curve.topology.clone(),
            network: curve.network.clone(),
            loads: curve.results.iter().map(load).collect(),
            not_measured: curve.not_measured.clone(),
        };
        Self {
            schema: "windtunnel.traffic/1",
            machine: study.machine.clone(),
            pattern: study.pattern.name(),
            includes_self: study.including_self,
            message_bytes: study.bytes,
            seed: study.seed,
            networks: curves.iter().map(network).collect(),
        }
    }
}
