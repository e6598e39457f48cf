//! [`CommandLine`]: the command line with a user's own program, topologies and network models.

use std::process::ExitCode;

use mpi_api::{api::topology::SimpleCommunicator, run::Program};
use network_models::{Catalog, CatalogError, ModelKind, TopologyKind};

use crate::{
    command::program::{Own, OwnProgram},
    start,
    testing::over_world,
};

/// The command line of Windtunnel with parts of one's own.
///
/// Its commands take these parts by name, beside those that come with Windtunnel: `run`, `check`,
/// `compare` and `mpiexec` in `--topology` and `--network`, scenario and machine files likewise,
/// and `list` shows them.
///
/// ```no_run
/// use windtunnel::{
///     CommandLine,
///     mpi::traits::*,
///     network::{BadSizes, Plan, Shape, Sizes, TopologyDescription, TopologyKind},
/// };
///
/// /// Nodes that are all joined to each other.
/// #[derive(Debug)]
/// struct Clique;
///
/// impl TopologyKind for Clique {
///     fn description(&self) -> TopologyDescription {
///         TopologyDescription {
///             name: "clique",
///             syntax: "clique[:NODES]",
///             sizes: "NODES",
///             summary: "a cable between any two nodes",
///         }
///     }
///
///     fn plan(&self, sizes: Sizes, needed: u32) -> Result<Plan, BadSizes> {
///         let nodes = sizes.one()?.unwrap_or(needed);
///         Ok(Plan::new(nodes, nodes.into(), move || Graph(nodes)))
///     }
/// }
///
/// #[derive(Debug)]
/// struct Graph(u32);
///
/// impl Shape for Graph {
///     fn nodes(&self) -> u32 {
///         self.0
///     }
///
///     fn neighbours(&self, vertex: u32) -> Vec<u32> {
///         (0..self.0).filter(|other| *other != vertex).collect()
///     }
///
///     fn next_hop(&self, _: u32, target: u32) -> u32 {
///         target
///     }
/// }
///
/// fn main() -> std::process::ExitCode {
///     CommandLine::new().program("hello", |world| world.barrier()).topology(Clique).main()
/// }
/// ```
#[derive(Default)]
#[must_use = "nothing happens before `main` is called"]
pub struct CommandLine {
    own: Own,
    error: Option<CatalogError>,
}

impl CommandLine {
    /// Creates the command line that Windtunnel has.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a program called `name`, which is also meant when none is named. Every rank calls
    /// `program` with the communicator of all ranks. A second program replaces the first.
    ///
    /// The function may not share state between ranks: each is a process of its own in the model.
    pub fn program(
        self,
        name: &str,
        program: impl Fn(&SimpleCommunicator) + Send + Sync + 'static,
    ) -> Self {
        self.program_of(name, over_world(program))
    }

    /// Like [`CommandLine::program`], for a program that calls [`initialize`] itself.
    ///
    /// [`initialize`]: crate::mpi::initialize
    pub fn program_of(mut self, name: &str, program: Program) -> Self {
        self.own.program = Some(OwnProgram { name: name.into(), program });
        self
    }

    /// Adds a topology. [`CommandLine::main`] refuses a name that is taken.
    pub fn topology(self, kind: impl TopologyKind + 'static) -> Self {
        self.add(|catalog| catalog.add_topology(kind))
    }

    /// Adds a network model. [`CommandLine::main`] refuses a name that is taken.
    pub fn network(self, kind: impl ModelKind + 'static) -> Self {
        self.add(|catalog| catalog.add_model(kind))
    }

    fn add(mut self, add: impl FnOnce(&mut Catalog) -> Result<(), CatalogError>) -> Self {
        let added = add(&mut self.own.catalog);
        self.error = self.error.or(added.err());
        self
    }

    /// Runs the command line of this process. Exit codes: 0 clean, 1 findings, 2 bad input.
    pub fn main(self) -> ExitCode {
        if let Some(error) = self.error {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
        start(&self.own)
    }
}
