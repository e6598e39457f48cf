//! The object of `windtunnel run --json`.

use std::collections::BTreeMap;

use mpi_api::outcome::{self, RankTotals, RunResult, ServerLoad, ServerLoads};
use network_models::{Cost, PacketLosses};
use reports::analysis::{HottestLink, Repetitions, Statistics, Summary};
use scenarios::scenario::Scenario;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{Outcome, finding::Finding, hexadecimal, profile::Analyses};

/// One run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Run {
    /// `windtunnel.run/1`.
    schema: &'static str,
    /// The run itself.
    #[serde(flatten)]
    pub(super) body: Body,
    /// The same run with other seeds; null unless `--repeat` asked for it.
    repetitions: Option<Repeated>,
    /// Where its time went.
    #[serde(flatten)]
    analyses: Analyses,
    /// What was found, the most severe first.
    findings: Vec<Finding>,
}

/// Runs that differ in their seeds only.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Repeated {
    /// Number of runs that were asked for.
    asked: u32,
    /// Whether nothing in the run is random, so that fewer runs stand for all.
    constant: bool,
    /// Mean of the makespans of completed runs; null if there are none.
    mean_ns: Option<f64>,
    /// Their median.
    median_ns: Option<f64>,
    /// Lower end of the 95 % confidence interval of the mean (Student).
    confidence_low_ns: Option<f64>,
    /// Its upper end.
    confidence_high_ns: Option<f64>,
    /// Standard deviation of one run.
    deviation_ns: Option<f64>,
    /// The completed runs, by seed.
    runs: Vec<Repetition>,
    /// Seeds with which the run did not complete.
    failed_seeds: Vec<u64>,
}

/// One of them.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Repetition {
    /// Its seed.
    seed: u64,
    /// Its makespan.
    makespan_ns: f64,
}

/// A configuration and what came of it; in comparisons, of each row.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Body {
    /// Name of the program.
    program: String,
    /// Parameters of a built-in program, as written.
    parameters: BTreeMap<String, String>,
    /// Arguments of the program.
    arguments: Vec<String>,
    /// Number of ranks that it began with.
    ranks: u32,
    /// How many ranks there may be at once; null if nothing was said.
    universe: Option<u32>,
    /// Ranks that the program started.
    started: Vec<Started>,
    /// Name of the machine.
    pub(super) machine: String,
    /// Digest of the figures of the machine, sixteen hexadecimal digits.
    machine_digest: String,
    /// Kind and size of the topology, as in `mesh:4x4`.
    pub(super) topology: String,
    /// Digest of the nodes, switches and links of the topology, sixteen hexadecimal digits.
    topology_digest: String,
    /// The network model.
    network: String,
    /// How ranks are put on nodes.
    placement: String,
    /// Digest of the nodes of the ranks, sixteen hexadecimal digits.
    placement_digest: String,
    /// Ranks on a node.
    ranks_per_node: u32,
    /// Ranks on a socket; null if the nodes of the machine have no sockets.
    ranks_per_socket: Option<u32>,
    /// Network interfaces of a node, each a place of the topology.
    nics_per_node: u32,
    /// Nodes without a rank.
    nodes_idle: u32,
    /// Ranks that share an address space.
    ranks_per_process: u32,
    /// Buffering of standard sends: `system`, `infinite`, `zero` or bytes for each rank.
    buffering: String,
    /// Longest message that is sent eagerly; null if all are.
    eager_limit_bytes: Option<u64>,
    /// When one-sided accesses are served at their target: `strong` or `weak`.
    progress: String,
    /// Where common MPI libraries go on though the standard does not allow it: `library` goes on too,
    /// `standard` does not.
    strictness: String,
    /// What holds where editions of the standard disagree, as written.
    policies: Vec<String>,
    /// Data of messages that are carried: `all`, `none`, or those of messages up to this many bytes.
    data: String,
    /// The file system, as `--filesystem` names it; null for that of the machine.
    filesystem: Option<String>,
    /// Time of reading and writing files without MPI: `free`, or `modelled` as that of MPI's files.
    io: String,
    /// Algorithms of collectives, as written.
    collectives: Vec<String>,
    /// Seed of everything random.
    seed: u64,
    /// How long programs compute between calls: `modelled`, `measured` or `recorded`.
    compute: String,
    /// Noise of the operating system, as written; null if there is none.
    noise: Option<String>,
    /// Links that fail, as written.
    faults: Vec<String>,
    /// Traffic of others on the network, as written; null if there is none.
    background: Option<String>,
    /// Which clocks the program sees: `simulated` or `host`.
    clocks: String,
    /// Whether another run gives the same.
    reproducible: bool,
    /// Why not, if not.
    not_reproducible_because: Option<String>,
    /// How it ended.
    outcome: Outcome,
    /// Simulated time at which the last rank ended, nanoseconds.
    makespan_ns: f64,
    /// Messages sent, those inside collectives included.
    messages: u64,
    /// Bytes of data in them.
    bytes: u64,
    /// Events that the simulator handled.
    events: u64,
    /// Identity of the run, sixteen hexadecimal digits: equal configurations of equal programs give
    /// equal digests.
    digest: String,
    /// Where each rank's time went, by rank; ranks that the program started come last.
    per_rank: Vec<Rank>,
    /// The link that was busy longest; null without links or where none was used.
    hottest_link: Option<Link>,
    /// What the servers of the file system did; null if the program used no files of MPI.
    file_servers: Option<FileServers>,
    /// What happened to packets; null if the network model drops none.
    packets: Option<Packets>,
    /// Communicators whose ranks were to be numbered for the network.
    reorderings: Vec<Reordering>,
    /// One sentence on what bounds the run.
    bound_by: String,
}

/// What the servers of the file system did.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct FileServers {
    /// The servers of data, in order; empty if no data were moved.
    data: Vec<FileServer>,
    /// The server of names and attributes.
    metadata: FileServer,
}

/// What one server of the file system did.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct FileServer {
    /// Requests that it worked on.
    requests: u64,
    /// Bytes that were read from it.
    bytes_read: u64,
    /// Bytes that were written to it.
    bytes_written: u64,
    /// Simulated time in which it worked, without latencies, nanoseconds.
    busy_ns: f64,
    /// Percentage of the run in which it worked.
    busy_percent: f64,
}

/// What happened to the packets of a network that drops some, up to the end of the run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Packets {
    /// Packets that left their nodes, those that were sent again included.
    sent: u64,
    /// Packets that reached their targets, some of them more than once.
    delivered: u64,
    /// Packets that were lost, because they found a queue full or their link was cut.
    dropped: u64,
    /// Those of the dropped packets whose link was cut.
    cut: u64,
    /// Packets that were sent again.
    retransmitted: u64,
    /// Time-outs after which a connection sent again.
    timeouts: u64,
}

/// Where one rank's time went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Rank {
    /// Simulated time outside MPI, nanoseconds.
    busy_ns: f64,
    /// Simulated processor time inside MPI, nanoseconds.
    communicating_ns: f64,
    /// Simulated time in which the rank waited, nanoseconds.
    waiting_ns: f64,
    /// Simulated time at which it ended, nanoseconds.
    finish_ns: f64,
    /// Messages it sent.
    messages: u64,
    /// Bytes of data in them.
    bytes: u64,
}

/// One directed link.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct Link {
    /// Its ends, as in `node 1 (0,1) -> node 2 (0,2)`.
    name: String,
    /// Percentage of the run in which it was busy.
    busy_percent: f64,
    /// Bytes that crossed it.
    bytes: u64,
    /// Messages that crossed it.
    messages: u64,
}

/// A communicator whose ranks were to be numbered for the network (MPI 5.0, section 8.4).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Reordering {
    /// Kind and size of the virtual topology.
    topology: String,
    /// Number of its ranks.
    ranks: u32,
    /// How the numbering was found.
    method: String,
    /// Cost of one message along each edge, if ranks kept their order.
    before: Edges,
    /// The same cost with the ranks as they were numbered.
    after: Edges,
    /// Source file of the call; null if it is not known.
    file: Option<String>,
    /// Line of the call, from 1; null if it is not known.
    line: Option<u32>,
}

/// What one message along each edge of a virtual topology costs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Edges {
    /// Weight times hops, summed over the edges.
    weighted_hops: u64,
    /// Weight on the directed link that most crosses; null without links.
    largest_link_load: Option<u64>,
    /// Hops of the longest edge.
    longest_edge: u32,
}

/// Ranks that the program started (MPI 5.0, section 11.8).
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Started {
    /// The first of them, as the run numbers ranks.
    first: u32,
    /// How many; their numbers are consecutive.
    ranks: u32,
    /// The root of the spawn.
    by: u32,
    /// Simulated time at which they began, nanoseconds.
    time_ns: f64,
    /// Source file of the call; null if it is not known.
    file: Option<String>,
    /// Line of the call, from 1; null if it is not known.
    line: Option<u32>,
}

impl Run {
    pub(crate) fn new(
        scenario: &Scenario,
        result: &RunResult,
        repetitions: Option<&Repetitions>,
        analyses: Analyses,
        findings: Vec<Finding>,
    ) -> Self {
        let body = Body::new(scenario, result);
        let repetitions = repetitions.map(Repeated::new);
        Self { schema: "windtunnel.run/1", body, repetitions, analyses, findings }
    }
}

impl Repeated {
    fn new(repetitions: &Repetitions) -> Self {
        let found = repetitions.statistics();
        let ns = |ps: f64| ps / 1e3;
        let statistic = |of: fn(&Statistics) -> f64| found.as_ref().map(|found| ns(of(found)));
        Self {
            asked: repetitions.asked,
            constant: repetitions.constant,
            mean_ns: statistic(|found| found.mean),
            median_ns: statistic(|found| found.median),
            confidence_low_ns: statistic(|found| found.confidence.0),
            confidence_high_ns: statistic(|found| found.confidence.1),
            deviation_ns: statistic(|found| found.deviation),
            runs: repetitions
                .runs
                .iter()
                .map(|(seed, makespan)| Repetition {
                    seed: *seed,
                    makespan_ns: makespan.as_ns_f64(),
                })
                .collect(),
            failed_seeds: repetitions.failed.clone(),
        }
    }
}

impl Body {
    pub(super) fn new(scenario: &Scenario, result: &RunResult) -> Self {
        let request = &scenario.request;
        let hottest = HottestLink::of(&result.links, &scenario.topology, result.makespan);
        Self {
            program: request.program.clone(),
            parameters: request.parameters.clone(),
            arguments: request.arguments.clone(),
            ranks: request.ranks,
            universe: request.universe,
            started: result.started.iter().map(Started::new).collect(),
            machine: scenario.machine.name.clone(),
            machine_digest: hexadecimal(scenario.machine_digest()),
            topology: scenario.topology.name().to_string(),
            topology_digest: hexadecimal(scenario.topology_digest()),
            network: scenario.network.clone(),
            placement: request.placement.clone(),
            placement_digest: hexadecimal(scenario.placement_digest()),
            ranks_per_node: request.ranks_per_node,
            ranks_per_socket: scenario.ranks_per_socket(),
            nics_per_node: scenario.topology.nics(),
            nodes_idle: scenario.nodes_idle(),
            ranks_per_process: request.ranks_per_process,
            buffering: request.buffering.to_string(),
            eager_limit_bytes: scenario.eager_limit(),
            progress: request.progress.to_string(),
            strictness: request.strictness.unwrap_or_default().word().into(),
            policies: request.policies.clone(),
            data: request.data.to_string(),
            filesystem: request.filesystem.clone(),
            io: request.io.to_string(),
            collectives: request.collectives.clone(),
            seed: request.seed,
            compute: request.compute.to_string(),
            noise: request.noise.as_ref().map(ToString::to_string),
            faults: request.faults.iter().map(ToString::to_string).collect(),
            background: request.background.as_ref().map(ToString::to_string),
            clocks: request.clocks.word().into(),
            reproducible: request.irreproducible().is_none(),
            not_reproducible_because: request.irreproducible().map(|reason| reason.to_string()),
            outcome: result.ending.into(),
            makespan_ns: result.makespan.as_ns_f64(),
            messages: result.messages,
            bytes: result.bytes,
            events: result.events,
            digest: hexadecimal(result.digest),
            per_rank: result.ranks.iter().map(Rank::new).collect(),
            hottest_link: hottest.map(Link::new),
            file_servers: result.servers.as_ref().map(|loads| FileServers::new(loads, result)),
            packets: result.losses.map(Packets::new),
            reorderings: result.reorderings.iter().map(Reordering::new).collect(),
            bound_by: Summary::of(result).bound,
        }
    }
}

impl Rank {
    fn new(totals: &RankTotals) -> Self {
        Self {
            busy_ns: totals.compute.as_ns_f64(),
            communicating_ns: totals.overhead.as_ns_f64(),
            waiting_ns: totals.waiting.as_ns_f64(),
            finish_ns: totals.finish.as_ns_f64(),
            messages: totals.messages,
            bytes: totals.bytes,
        }
    }
}

impl FileServers {
    fn new(loads: &ServerLoads, result: &RunResult) -> Self {
        let server = |load: &ServerLoad| FileServer {
            requests: load.requests,
            bytes_read: load.read,
            bytes_written: load.written,
            busy_ns: load.busy.as_ns_f64(),
            busy_percent: load.busy_percent(result.makespan),
        };
        Self { data: loads.data.iter().map(server).collect(), metadata: server(&loads.metadata) }
    }
}

impl Packets {
    fn new(losses: PacketLosses) -> Self {
        let PacketLosses { sent, delivered, dropped, cut, retransmitted, timeouts } = losses;
        Self { sent, delivered, dropped, cut, retransmitted, timeouts }
    }
}

impl Link {
    fn new(link: HottestLink) -> Self {
        let HottestLink { name, busy, bytes, messages, .. } = link;
        Self { name, busy_percent: busy, bytes, messages }
    }
}

impl Reordering {
    fn new(reordering: &outcome::Reordering) -> Self {
        let site = reordering.site.known();
        Self {
            topology: reordering.topology.clone(),
            ranks: reordering.ranks,
            method: reordering.method.name().into(),
            before: Edges::new(reordering.before),
            after: Edges::new(reordering.after),
            file: site.map(|site| site.file.into()),
            line: site.map(|site| site.line),
        }
    }
}

impl Edges {
    fn new(cost: Cost) -> Self {
        Self { weighted_hops: cost.hops, largest_link_load: cost.load, longest_edge: cost.longest }
    }
}

impl Started {
    fn new(family: &outcome::Started) -> Self {
        let site = family.site.known();
        Self {
            first: family.first,
            ranks: family.ranks,
            by: family.by,
            time_ns: family.time.as_ns_f64(),
            file: site.map(|site| site.file.into()),
            line: site.map(|site| site.line),
        }
    }
}
