//! Errors of bad input: what is wrong, where, and what is allowed.

pub use network_models::nearest;
use network_models::suggested;

/// Why a scenario cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An unknown name.
    #[error("no {kind} is called `{name}`{}; there are {allowed}", suggested(.nearest.as_deref()))]
    UnknownName {
        /// Kind of thing that was named, such as `machine`.
        kind: &'static str,
        /// Name as given.
        name: String,
        /// All allowed names.
        allowed: String,
        /// Most similar allowed name.
        nearest: Option<String>,
    },
    /// No program is named.
    #[error(
        "no program is named; give the name of one (see `windtunnel list programs`), a \
             scenario (FILE.json) or a compiled file"
    )]
    NoProgram,
    /// A file that cannot be read.
    #[error("{path}: {reason}")]
    BadFile {
        /// Path of the file.
        path: String,
        /// What is wrong, with line and column if they are known.
        reason: String,
    },
    /// A file of routes that cannot be read or is malformed.
    #[error("{reason}")]
    BadRoutes {
        /// Path of the file, with the line if one is wrong, and what is allowed.
        reason: String,
    },
    /// A schedule that is not one of this program with these ranks and arguments.
    #[error("the schedule `{schedule}` does not fit: {reason}")]
    Schedule {
        /// The schedule.
        schedule: String,
        /// What does not fit.
        reason: String,
    },
    /// A compiled program that cannot be loaded.
    #[error("{reason}")]
    BadProgram {
        /// Path of the file, what is wrong with it and what to do.
        reason: String,
    },
    /// A JSON file with a value that is not allowed.
    #[error(
        "{path}:{line}:{column}: {}: {reason}{}", pointed(.pointer), suggested(.nearest.as_deref())
    )]
    Json {
        /// Path of the file.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// JSON pointer (RFC 6901) of the value; empty for the whole document.
        pointer: String,
        /// What is wrong and what is allowed.
        reason: String,
        /// Most similar allowed name.
        nearest: Option<String>,
    },
    /// A run that does not fit into memory.
    #[error("{reason}")]
    TooMuchMemory {
        /// The run, the memory that it takes and may take, and what helps.
        reason: String,
    },
    /// The work was stopped before there was a result.
    #[error("stopped before there was a result")]
    Stopped,
    /// A value out of range.
    #[error("{what} is `{value}`; allowed is {allowed}")]
    BadValue {
        /// Name of the value.
        what: String,
        /// Value as given.
        value: String,
        /// Allowed range or values.
        allowed: String,
    },
    /// A number of ranks on which the program cannot run.
    #[error("the number of ranks of {program} is `{ranks}`; allowed is {allowed}")]
    RanksOfProgram {
        /// Name of the program.
        program: String,
        /// Number of ranks.
        ranks: u32,
        /// Allowed numbers, with the reason.
        allowed: String,
    },
    /// A topology that cannot be built.
    #[error(transparent)]
    Topology(#[from] network_models::TopologyError),
    /// A topology with too few places for the NICs of the nodes.
    #[error(
        "topology `{topology}` has {places} places, and {nodes} nodes with {nics} NICs each need \
         {}; take a larger one or put several ranks on a node with --ranks-per-node",
        u64::from(*.nodes) * u64::from(*.nics)
    )]
    TooFewPlaces {
        /// Name and sizes of the topology.
        topology: String,
        /// Number of nodes of the topology, each a place for a NIC.
        places: u32,
        /// Number of nodes of the machine that are needed.
        nodes: u32,
        /// Number of NICs of each.
        nics: u32,
    },
    /// A topology or network model of the user that cannot be added to the catalog.
    #[error(transparent)]
    Catalog(#[from] network_models::CatalogError),
    /// A network model whose options do not fit the topology.
    #[error("network model `{network}`: {misfit}")]
    Misfit {
        /// The model as written.
        network: String,
        /// What does not fit.
        misfit: network_models::ModelMisfit,
    },
    /// A network whose messages wait for each other for ever.
    #[error("{topology}, {network}: the network deadlocks at load {load}: {deadlock}")]
    NetworkDeadlock {
        /// Name of the topology with its sizes.
        topology: String,
        /// The model as written.
        network: String,
        /// Offered load.
        load: f64,
        /// The circle of channels.
        deadlock: Box<network_models::NetworkDeadlock>,
    },
    /// A fault that cannot happen on the topology or the network model.
    #[error(transparent)]
    Fault(#[from] network_models::FaultMismatch),
    /// A traffic pattern that does not fit the topology.
    #[error(transparent)]
    Pattern(#[from] network_models::PatternMismatch),
    /// A placement that does not fit the ranks or the topology.
    #[error(transparent)]
    Placement(#[from] network_models::PlacementError),
}

fn pointed(pointer: &str) -> String {
    if pointer.is_empty() { "the whole file".into() } else { format!("at {pointer}") }
}

impl Error {
    /// Returns whether each part of a configuration is well-formed by itself and only their combination
    /// cannot be run, such as a Gray-code placement on a ring.
    pub fn is_misfit(&self) -> bool {
        use network_models::{PlacementError, TopologyError};
        match self {
            Self::Misfit { .. }
            | Self::Fault(_)
            | Self::Pattern(_)
            | Self::TooFewPlaces { .. }
            | Self::RanksOfProgram { .. } => true,
            // These enums of another crate may grow.
            Self::Topology(error) => matches!(
                error,
                TopologyError::TooSmall { .. }
                    | TopologyError::TooLarge(_)
                    | TopologyError::TooDense(_)
            ),
            Self::Placement(error) => !matches!(error, PlacementError::Unknown(_)),
            Self::UnknownName { .. }
            | Self::NoProgram
            | Self::BadFile { .. }
            | Self::BadRoutes { .. }
            | Self::Schedule { .. }
            | Self::BadProgram { .. }
            | Self::Json { .. }
            | Self::Stopped
            | Self::TooMuchMemory { .. }
            | Self::BadValue { .. }
            | Self::Catalog(_)
            | Self::NetworkDeadlock { .. } => false,
        }
    }

    /// Returns whether the error is about a setting, and does not name the place in a file where this stands.
    pub fn lacks_place(&self) -> bool {
        match self {
            Self::Json { .. }
            | Self::NoProgram
            | Self::Schedule { .. }
            | Self::Stopped
            | Self::TooMuchMemory { .. }
            | Self::NetworkDeadlock { .. } => false,
            Self::UnknownName { .. }
            | Self::BadFile { .. }
            | Self::BadRoutes { .. }
            | Self::BadProgram { .. }
            | Self::BadValue { .. }
            | Self::RanksOfProgram { .. }
            | Self::Topology(_)
            | Self::TooFewPlaces { .. }
            | Self::Catalog(_)
            | Self::Misfit { .. }
            | Self::Fault(_)
            | Self::Pattern(_)
            | Self::Placement(_) => true,
        }
    }

    /// Replaces the name that an error about an unknown name suggests.
    #[must_use]
    pub fn suggesting(self, nearest: Option<String>) -> Self {
        match self {
            Self::UnknownName { kind, name, allowed, .. } => {
                Self::UnknownName { kind, name, allowed, nearest }
            }
            other => other,
        }
    }

    /// Names the option of `compare` that takes several values if several were given where one is wanted.
    pub(crate) fn or_several(self, option: &str, given: &str) -> Self {
        match self {
            Self::UnknownName { kind, name, allowed, .. } if name.contains(',') => {
                let nearest = Some(format!("compare {option} {given}"));
                Self::UnknownName { kind, name, allowed, nearest }
            }
            other => other,
        }
    }

    /// Creates the error for a name that is not in `allowed`, with the most similar allowed one.
    pub fn unknown<'a>(
        kind: &'static str,
        name: &str,
        allowed: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let names: Vec<&str> = allowed.into_iter().collect();
        let nearest = nearest(name, names.iter().copied());
        Self::UnknownName { kind, name: name.into(), allowed: names.join(", "), nearest }
    }
}
