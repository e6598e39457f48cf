//! The options of a simulation: one type for the command line, for scenario files and for their
//! schema.
//!
//! Every option may be left out. [`Options::or`] fills gaps from another set of options, and
//! [`Options::request`] fills the remaining ones with defaults.

mod background;
mod buffering;
mod data;
mod expected;
mod fault;
mod folder;
mod io;
mod noise;
mod or_none;
mod progress;
mod ranks;
pub(crate) mod units;

use mpi_api::policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

pub use self::{
    background::BackgroundTraffic,
    buffering::Buffering,
    data::Data,
    expected::Expected,
    fault::{Cable, Fault},
    folder::Folder,
    io::Io,
    noise::Noise,
    or_none::OrNone,
    progress::Progress,
    ranks::RankCount,
    units::{duration as simulated_time, size_of_any, whole_number},
};
use crate::{
    computing::{Choice, Clocks},
    error::Error,
    json,
    scenario::Request,
};
pub use network_models::size;

/// The network model that `compare` takes where neither an option nor an axis names one.
pub const COMPARED_MODEL: &str = "link";

/// What to run, where. In a scenario file everything but the program may be left out and is then as
/// on the command line; paths are relative to the file's folder.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
// The commands have a group of this name already.
#[cfg_attr(feature = "clap", derive(clap::Args), group(skip))]
#[serde(deny_unknown_fields, expecting = "an object that describes a scenario")]
pub struct Options {
    /// What it shows, for readers.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Name of a built-in program, or path of a compiled one.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[schemars(required, with = "String")]
    pub program: Option<String>,
    /// Arguments of a compiled program, or of one that asks for them.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The verdict that `check` has to give: it then ends with exit code 0 for this verdict, and with 1
    /// for any other.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub expect: Option<Expected>,
    /// Number of ranks [default: 4; of an example, the one it is written for].
    #[cfg_attr(feature = "clap", arg(short = 'n', long, allow_negative_numbers = true))]
    pub ranks: Option<RankCount>,
    /// Machine: a name or a JSON file [default: ideal].
    #[cfg_attr(feature = "clap", arg(long))]
    pub machine: Option<String>,
    /// Topology such as mesh:8x8 or file:PATH; sizes may be left out [default: the machine's].
    #[cfg_attr(feature = "clap", arg(long))]
    pub topology: Option<String>,
    /// Network model: constant, loggp, link, fluid, packet or flit, with options as in
    /// fluid:gamma=65536 [default: the machine's; link for compare].
    #[cfg_attr(feature = "clap", arg(long))]
    pub network: Option<String>,
    /// Placement of ranks on nodes: block (also in-order), cyclic, random, random:SEED, gray or
    /// file:PATH [default: in-order].
    #[cfg_attr(feature = "clap", arg(long))]
    pub placement: Option<String>,
    /// Ranks on each node; if it is given, MPI_Win_allocate_shared fails for ranks of several nodes
    /// [default: 1].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub ranks_per_node: Option<RankCount>,
    /// Ranks on each socket of a node, on machines whose nodes have sockets [default: those of a node
    /// divided equally].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub ranks_per_socket: Option<RankCount>,
    /// Buffering of standard sends: system, infinite, zero, or a size for each rank, as in 64K
    /// [default: system].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub buffering: Option<Buffering>,
    /// Longest message that is sent eagerly: bytes, or with a unit as in 64K [default: the machine's].
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SIZE", value_parser = units::size_of_any, allow_negative_numbers = true)
    )]
    #[serde(rename = "eager_limit_bytes")]
    #[schemars(
        description = "Longest message that is sent eagerly, in bytes [default: the machine's]."
    )]
    pub eager_limit: Option<u64>,
    /// Where one-sided accesses and locks are served: strong when they arrive, weak only while their target is
    /// in a call of MPI, whose processor they take [default: strong; check tries both].
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub progress: Option<Progress>,
    /// Algorithm of a collective (allgather=ring), or a selector: auto, textbook, mpich-4 or ompi-5.0
    /// (see `windtunnel list selectors`) [default: auto].
    #[cfg_attr(feature = "clap", arg(long, value_delimiter = ','))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collectives: Vec<String>,
    /// What holds where editions of the standard disagree, NAME=VALUE (see `windtunnel list
    /// policies`).
    #[cfg_attr(
        feature = "clap",
        arg(long = "policy", value_name = "NAME=VALUE", value_delimiter = ',')
    )]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// Where common MPI libraries go on though the standard does not allow it: library goes on too,
    /// standard tells it (see `windtunnel list policies`) [default: standard for check, else library].
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH"))]
    #[serde(default, with = "units::strictness")]
    #[schemars(with = "Option<units::Strictness>")]
    pub strictness: Option<policy::Strictness>,
    /// Ranks that share an address space [default: 1].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub ranks_per_process: Option<RankCount>,
    /// Ranks there may be at once when a program starts others [default: any number].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub universe: Option<RankCount>,
    /// Folder that holds the files of MPI's input and output: names lead into it, and none leads out. It is
    /// made if there is none [default: the working folder, and names as the program gives them].
    #[cfg_attr(feature = "clap", arg(long, value_name = "FOLDER"))]
    pub files: Option<String>,
    /// The file system that files of MPI are on: a name that the machine's file gives it, or a JSON file with
    /// such a section [default: the machine's, or four servers of 2 GB/s].
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME|FILE"))]
    pub filesystem: Option<String>,
    /// Time of reading and writing files without MPI, by the language of a compiled program: free, or modelled
    /// as that of MPI's files (see --filesystem) [default: free].
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub io: Option<Io>,
    /// Seed of everything random [default: 0].
    #[cfg_attr(
        feature = "clap",
        arg(long, allow_negative_numbers = true, value_parser = units::whole_number)
    )]
    pub seed: Option<u64>,
    /// Program parameter, key=value.
    #[cfg_attr(feature = "clap", arg(short = 'p', value_parser = units::key_value))]
    #[serde(default, with = "units::parameters", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "std::collections::BTreeMap<String, u64>")]
    pub parameters: Vec<(String, String)>,
    /// Stack of each rank, such as 64M; units K, M, G, or none for bytes; at least 256K for compiled
    /// programs [default: 8M, less for more than 256 ranks; for compiled programs as in the shell].
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SIZE", allow_negative_numbers = true, value_parser = units::size_above_zero)
    )]
    #[serde(rename = "stack_size_bytes")]
    #[schemars(
        range(min = 16_384),
        description = "Stack of each rank in bytes; at least 262144 for compiled programs [default: 8388608, \
                       less for more than 256 ranks; for compiled programs as in the shell]."
    )]
    pub stack_size: Option<u64>,
    /// Most events a run may have [default: 2000000000].
    #[cfg_attr(feature = "clap", arg(long, allow_negative_numbers = true))]
    pub max_events: Option<u64>,
    /// Most simulated time a run may take, such as 10ms; units s, ms, us, ns.
    #[cfg_attr(
        feature = "clap",
        arg(long, allow_hyphen_values = true, value_parser = units::duration)
    )]
    #[serde(default, rename = "max_time_ns", with = "units::nanoseconds")]
    #[schemars(
        with = "Option<u64>",
        description = "Most simulated time a run may take, in nanoseconds."
    )]
    pub max_time: Option<SimTime>,
    /// How long programs compute between calls: modelled (as they declare), measured or
    /// measured:FACTOR (the processor time it takes here, multiplied; no two runs are alike), or
    /// recorded:FILE (as in the file, which is measured and written if it is not there) [default:
    /// modelled].
    #[cfg_attr(feature = "clap", arg(long, value_name = "HOW"))]
    pub compute: Option<Choice>,
    /// Clocks that a program sees, sleeping included: simulated or host (no two runs are
    /// alike) [default: simulated].
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH"))]
    pub clocks: Option<Clocks>,
    /// Data of messages that are carried: all, none (counts and flags of up to 64 bytes are, all the
    /// same), or those of messages up to a size, such as 4K; of the others only the size is simulated,
    /// and buffers that receive them stay as they are [default: all].
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", allow_negative_numbers = true))]
    pub data: Option<Data>,
    /// Noise of the operating system on every rank's processor: fixed:PERIOD,DURATION,
    /// exponential:PERIOD,DURATION (mean values) or trace:FILE (lines `begin duration` in
    /// microseconds); drawn from the seed [default: none].
    #[cfg_attr(feature = "clap", arg(long, value_name = "NOISE"))]
    pub noise: Option<OrNone<Noise>>,
    /// A link that is cut or slow from a simulated time on, link:A-B@TIME=cut or link:A-B@TIME=SHARE
    /// of its rate: node numbers, switches as in s0, or names that a file of the topology gives them; may be given
    /// several times.
    #[cfg_attr(feature = "clap", arg(long = "fault", value_name = "FAULT"))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// Traffic of others on the network, PATTERN:LOAD or PATTERN:LOAD:BYTES as in uniform:0.3:65536: a
    /// pattern of `traffic` and the load of each node's port; drawn from the seed [default: none].
    #[cfg_attr(feature = "clap", arg(long, value_name = "TRAFFIC"))]
    pub background: Option<OrNone<BackgroundTraffic>>,
}

impl Options {
    /// Reads a scenario file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a scenario.
    pub fn load(path: &str) -> Result<Self, Error> {
        let text = json::text_of(path)?;
        let mut file: Self = json::read(&text, path)?;
        if file.program.is_none() {
            return Err(json::not_allowed(&text, path, "", "missing field `program`".into()));
        }
        file.resolve_paths(&Folder::of_file(path));
        Ok(file)
    }

    /// Makes paths that are relative to `folder` relative to the working folder.
    pub(crate) fn resolve_paths(&mut self, folder: &Folder) {
        if let Some(files) = &mut self.files {
            *files = folder.path(files);
        }
        if let Some(program) = self.program.as_mut().filter(|program| program.contains('/')) {
            *program = folder.path(program);
        }
        for name in [&mut self.machine, &mut self.filesystem].into_iter().flatten() {
            *name = folder.name_or_file(name);
        }
        for part in [&mut self.topology, &mut self.placement, &mut self.network] {
            *part = part.take().map(|text| folder.part(&text));
        }
        self.noise = self.noise.take().map(|noise| folder.noise(noise));
        if let Some(Choice::Recorded(recording)) = &mut self.compute {
            *recording = folder.path(recording);
        }
    }

    /// Fills options that are left open here from `other`. In lists, the elements of `other` come
    /// first, so that those of `self` take precedence.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let joined = |mut first: Vec<String>, then| {
            first.extend(then);
            first
        };
        let mut parameters = other.parameters;
        parameters.extend(self.parameters);
        Self {
            description: if self.description.is_empty() {
                other.description
            } else {
                self.description
            },
            program: self.program.or(other.program),
            arguments: if self.arguments.is_empty() { other.arguments } else { self.arguments },
            expect: self.expect.or(other.expect),
            ranks: self.ranks.or(other.ranks),
            machine: self.machine.or(other.machine),
            topology: self.topology.or(other.topology),
            network: self.network.or(other.network),
            placement: self.placement.or(other.placement),
            ranks_per_node: self.ranks_per_node.or(other.ranks_per_node),
            ranks_per_socket: self.ranks_per_socket.or(other.ranks_per_socket),
            buffering: self.buffering.or(other.buffering),
            eager_limit: self.eager_limit.or(other.eager_limit),
            progress: self.progress.or(other.progress),
            collectives: joined(other.collectives, self.collectives),
            policies: joined(other.policies, self.policies),
            strictness: self.strictness.or(other.strictness),
            ranks_per_process: self.ranks_per_process.or(other.ranks_per_process),
            universe: self.universe.or(other.universe),
            files: self.files.or(other.files),
            filesystem: self.filesystem.or(other.filesystem),
            io: self.io.or(other.io),
            seed: self.seed.or(other.seed),
            parameters,
            stack_size: self.stack_size.or(other.stack_size),
            max_events: self.max_events.or(other.max_events),
            max_time: self.max_time.or(other.max_time),
            compute: self.compute.or(other.compute),
            clocks: self.clocks.or(other.clocks),
            data: self.data.or(other.data),
            noise: self.noise.or(other.noise),
            faults: other.faults.into_iter().chain(self.faults).collect(),
            background: self.background.or(other.background),
        }
    }

    /// Returns the request of these options. `program` and `ranks` are used if the options name
    /// none.
    pub fn request(self, program: &str, ranks: u32) -> Request {
        let program = self.program.unwrap_or_else(|| program.into());
        let usual = Request::new(program, self.ranks.map_or(ranks, RankCount::get));
        Request {
            parameters: self.parameters.into_iter().collect(),
            arguments: self.arguments,
            expect: self.expect.map(|expected| expected.0),
            machine: self.machine.unwrap_or(usual.machine),
            topology: self.topology,
            network: self.network,
            placement: self.placement.unwrap_or(usual.placement),
            ranks_per_node: self.ranks_per_node.map_or(usual.ranks_per_node, RankCount::get),
            shares_across_nodes: self.ranks_per_node.is_none(),
            ranks_per_socket: self.ranks_per_socket.map(RankCount::get),
            buffering: self.buffering.unwrap_or(usual.buffering),
            eager_limit: self.eager_limit,
            progress: self.progress.unwrap_or(usual.progress),
            collectives: self.collectives,
            policies: self.policies,
            strictness: self.strictness,
            ranks_per_process: self
                .ranks_per_process
                .map_or(usual.ranks_per_process, RankCount::get),
            universe: self.universe.map(RankCount::get),
            files: self.files,
            filesystem: self.filesystem,
            io: self.io.unwrap_or(usual.io),
            seed: self.seed.unwrap_or(usual.seed),
            max_events: self.max_events,
            max_time: self.max_time.unwrap_or(usual.max_time),
            stack_size: self.stack_size,
            compute: self.compute.unwrap_or(usual.compute),
            clocks: self.clocks.unwrap_or(usual.clocks),
            data: self.data.unwrap_or(usual.data),
            noise: self.noise.and_then(|noise| noise.0),
            faults: self.faults,
            background: self.background.and_then(|traffic| traffic.0),
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Options {
        serde_json::from_str(text).expect("options")
    }

    #[test]
    fn what_is_said_wins_over_what_lies_below() {
        let below = read(
            r#"{"program": "a", "ranks": 8, "seed": 3, "buffering": 64, "policies": ["x=1"],
                "parameters": {"blocksize": 2, "sweeps": 3}, "max_time_ns": 5}"#,
        );
        let above = read(
            r#"{"ranks": 2, "policies": ["x=2"], "parameters": {"blocksize": 7}, "clocks": "host"}"#,
        );
        let request = above.or(below).request("b", 4);
        assert_eq!((request.program.as_str(), request.ranks, request.seed), ("a", 2, 3));
        assert_eq!((request.buffering, request.clocks), (Buffering::Bytes(64), Clocks::Host));
        assert_eq!(request.policies, ["x=1", "x=2"]);
        assert_eq!(request.parameters["blocksize"], "7");
        assert_eq!(request.parameters["sweeps"], "3");
        assert_eq!(request.max_time, SimTime::from_ps(5000));
    }

    #[test]
    fn what_nobody_says_is_as_in_a_request() {
        let request = Options::default().request("b", 4);
        assert_eq!(format!("{request:?}"), format!("{:?}", Request::new("b", 4)));
    }

    #[test]
    fn options_are_written_as_they_are_read() {
        let text = r#"{"program":"a","ranks":8,"buffering":"zero","eager_limit_bytes":1024,
            "strictness":"library","parameters":{"blocksize":2},"max_time_ns":5,"compute":"measured:2"}"#;
        let options = read(text);
        let written = serde_json::to_string(&options).expect("they are written");
        assert_eq!(read(&written), options);
        assert_eq!(options.compute, Some(Choice::Measured(2.0)));
    }
}
