//! A scenario file exactly as written, and how it becomes a [`Request`].

use std::{collections::BTreeMap, path::Path};

use mpi_api::policy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::SimTime;

use crate::{
    computing::{Choice, Clocks},
    error::Error,
    json,
    scenario::Request,
};

/// What to run, where. Everything but the program may be left out and is then as on the command
/// line. Paths are relative to the file's folder.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScenarioFile {
    /// What it shows, for readers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Name of a built-in program, or path of a compiled one.
    pub program: String,
    /// Parameters of a built-in program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, u64>,
    /// Number of ranks.
    #[schemars(range(min = 1, max = 4_194_304))]
    pub ranks: Option<u32>,
    /// Machine: a name or a file.
    pub machine: Option<String>,
    /// Topology such as `mesh:8x8`.
    pub topology: Option<String>,
    /// Network model.
    pub network: Option<String>,
    /// Placement of ranks on nodes.
    pub placement: Option<String>,
    /// Ranks on each node.
    #[schemars(range(min = 1, max = 4_194_304))]
    pub ranks_per_node: Option<u32>,
    /// Buffering of standard sends.
    pub buffering: Option<Buffering>,
    /// Longest message that is sent eagerly.
    pub eager_limit_bytes: Option<u64>,
    /// Algorithms of collectives, each `NAME=ALGORITHM` or a selector.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub collectives: Vec<String>,
    /// Where editions of the standard disagree, each `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// How far a run follows the standard where MPI libraries do not.
    pub strictness: Option<Strictness>,
    /// How many ranks share an address space.
    #[schemars(range(min = 1, max = 4_194_304))]
    pub ranks_per_process: Option<u32>,
    /// How many ranks there may be at once when the program starts others.
    #[schemars(range(min = 1, max = 4_194_304))]
    pub universe: Option<u32>,
    /// Seed of everything random.
    pub seed: Option<u64>,
    /// Stack of each rank in bytes.
    #[schemars(range(min = 16_384))]
    pub stack_size_bytes: Option<u64>,
    /// Most events a run may have.
    pub max_events: Option<u64>,
    /// Most simulated time a run may take.
    pub max_time_ns: Option<u64>,
    /// Computing between calls: `modelled`, `measured`, `measured:FACTOR` or `recorded:FILE`.
    pub compute: Option<String>,
    /// Which clocks a compiled program sees.
    pub clocks: Option<Clocks>,
}

/// The words for strictness.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Strictness {
    /// A run goes on wherever common MPI libraries go on.
    Library,
    /// What the standard does not allow is a finding.
    Standard,
}

impl From<Strictness> for policy::Strictness {
    fn from(word: Strictness) -> Self {
        match word {
            Strictness::Library => Self::Library,
            Strictness::Standard => Self::Standard,
        }
    }
}

/// Space for standard sends.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected system, infinite, zero, or a number of bytes for each rank"
)]
pub enum Buffering {
    /// Bytes for each rank.
    Bytes(u64),
    /// One of the words.
    Named(BufferingName),
}

/// The words for buffering.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BufferingName {
    /// As on the machine.
    System,
    /// Every standard send is buffered.
    Infinite,
    /// Every standard send is synchronous.
    Zero,
}

impl Buffering {
    fn words(&self) -> String {
        match self {
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Named(BufferingName::System) => "system".into(),
            Self::Named(BufferingName::Infinite) => "infinite".into(),
            Self::Named(BufferingName::Zero) => "zero".into(),
        }
    }
}

impl ScenarioFile {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If it cannot be read or is no scenario.
    pub fn load(path: &str) -> Result<Self, Error> {
        let text = json::text_of(path)?;
        let mut file: Self = json::read(&text, path)?;
        if let Some(Err(error)) = file.compute.as_deref().map(str::parse::<Choice>) {
            return Err(json::not_allowed(&text, path, "/compute", error.to_string()));
        }
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        let beside = |name: &str| folder.join(name).display().to_string();
        if file.program.contains('/') {
            file.program = beside(&file.program);
        }
        if let Some(machine) = file.machine.as_mut().filter(|name| name.ends_with(".json")) {
            *machine = beside(machine);
        }
        let named = [(&mut file.topology, "file:"), (&mut file.placement, "file:")];
        for (place, prefix) in named.into_iter().chain([(&mut file.compute, "recorded:")]) {
            let listed = place.as_ref().and_then(|text| text.strip_prefix(prefix));
            if let Some(beside) = listed.map(beside) {
                *place = Some(format!("{prefix}{beside}"));
            }
        }
        Ok(file)
    }

    /// As the library takes it; `ranks` stands in when the file gives none.
    pub fn request(self, ranks: u32) -> Request {
        let mut request = Request::new(self.program, self.ranks.unwrap_or(ranks));
        let parameters = self.parameters.into_iter();
        request.parameters = parameters.map(|(key, value)| (key, value.to_string())).collect();
        request.topology = self.topology;
        request.network = self.network;
        request.eager_limit = self.eager_limit_bytes;
        request.collectives = self.collectives;
        request.policies = self.policies;
        request.strictness = self.strictness.map(Into::into);
        request.universe = self.universe;
        request.stack_size = self.stack_size_bytes;
        if let Some(machine) = self.machine {
            request.machine = machine;
        }
        if let Some(placement) = self.placement {
            request.placement = placement;
        }
        if let Some(count) = self.ranks_per_node {
            request.ranks_per_node = count;
        }
        if let Some(count) = self.ranks_per_process {
            request.ranks_per_process = count;
        }
        if let Some(buffering) = self.buffering {
            request.buffering = buffering.words();
        }
        if let Some(seed) = self.seed {
            request.seed = seed;
        }
        if let Some(events) = self.max_events {
            request.max_events = events;
        }
        if let Some(nanoseconds) = self.max_time_ns {
            request.max_time = SimTime::from_ps(nanoseconds.saturating_mul(1000));
        }
        if let Some(compute) = self.compute.and_then(|text| text.parse().ok()) {
            request.compute = compute;
        }
        request.clocks = self.clocks.unwrap_or_default();
        request
    }
}
