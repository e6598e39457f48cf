//! [`Run`]: the number of ranks, the machine, the topology and everything else that a run depends
//! on.

use std::time::Duration;

use mpi_api::{api::topology::SimpleCommunicator, outcome::Ending, run::Program};
use network_models::{CatalogError, ModelKind, TopologyKind};
use scenarios::{
    error::Error,
    options::Buffering,
    safety,
    scenario::{Request, Scenario},
};
use sim_core::SimTime;

use super::{
    finished::{Finished, RunError, Unfinished},
    or_panic,
    program::Values,
    report::Report,
};

/// The configuration under which a function is run or checked.
///
/// The defaults are those of the command line: the machine `ideal` with its own topology and
/// network model, ranks placed in order, the machine's buffering, seed 0.
///
/// ```
/// use windtunnel::{Buffering, Run, mpi::{collective::SystemOperation, traits::*}};
///
/// let run = Run::new(8).machine("infiniband-edr").topology("torus:4x2").buffering(Buffering::Zero);
/// let finished = run.run(|world| {
///     let mut sum = 0;
///     world.all_reduce_into(&world.rank(), &mut sum, SystemOperation::sum());
///     sum
/// });
/// assert_eq!(finished.values, [28; 8]);
/// assert!(finished.makespan.as_secs_f64() < 1e-3);
///
/// run.check(|world| world.barrier()).assert_clean();
/// ```
///
/// Names and sizes are checked when the function is run: [`Run::try_run`] and [`Run::try_check`]
/// return an error for an invalid one, [`Run::run`] and [`Run::check`] panic.
#[derive(Clone, Debug)]
pub struct Run {
    request: Request,
    /// Error of the first topology or network model that cannot be added.
    refused: Option<CatalogError>,
}

impl Run {
    /// Creates the configuration of a run with `ranks` ranks, 1 to 4,194,304.
    pub fn new(ranks: u32) -> Self {
        Self { request: Request::new("own", ranks), refused: None }
    }

    /// Sets the machine: a name (`windtunnel list machines`) or a JSON file.
    #[must_use]
    pub fn machine(mut self, machine: impl Into<String>) -> Self {
        self.request.machine = machine.into();
        self
    }

    /// Sets the topology, such as `torus:4x2`; sizes may be left out.
    #[must_use]
    pub fn topology(mut self, topology: impl Into<String>) -> Self {
        self.request.topology = Some(topology.into());
        self
    }

    /// Sets the network model: a name (`windtunnel list networks`).
    #[must_use]
    pub fn network(mut self, network: impl Into<String>) -> Self {
        self.request.network = Some(network.into());
        self
    }

    /// Adds a topology, which [`Run::topology`] can then name.
    #[must_use]
    pub fn add_topology(mut self, kind: impl TopologyKind + 'static) -> Self {
        let added = self.request.catalog.add_topology(kind);
        self.refused = self.refused.or(added.err());
        self
    }

    /// Adds a network model, which [`Run::network`] can then name.
    #[must_use]
    pub fn add_network(mut self, kind: impl ModelKind + 'static) -> Self {
        let added = self.request.catalog.add_model(kind);
        self.refused = self.refused.or(added.err());
        self
    }

    /// Sets the placement of ranks on nodes: `in-order`, `cyclic`, `random`, `random:SEED`, `gray` or
    /// `file:PATH`.
    #[must_use]
    pub fn placement(mut self, placement: impl Into<String>) -> Self {
        self.request.placement = placement.into();
        self
    }

    /// Sets the number of ranks on each node; the default is 1.
    #[must_use]
    pub fn ranks_per_node(mut self, ranks: u32) -> Self {
        self.request.set_ranks_per_node(ranks);
        self
    }

    /// Sets the buffer space of standard sends. [`Run::check`] varies it and ignores this value.
    #[must_use]
    pub fn buffering(mut self, buffering: Buffering) -> Self {
        self.request.buffering = buffering;
        self
    }

    /// Sets the size in bytes of the longest message that is sent eagerly; the default is the
    /// machine's.
    #[must_use]
    pub fn eager_limit(mut self, bytes: u64) -> Self {
        self.request.eager_limit = Some(bytes);
        self
    }

    /// Chooses the algorithm of a collective (`allgather=ring`) or a selector (`auto`, `textbook`).
    /// Later choices take precedence.
    #[must_use]
    pub fn collectives(mut self, choice: impl Into<String>) -> Self {
        self.request.collectives.push(choice.into());
        self
    }

    /// Sets a policy, `NAME=VALUE`: the behaviour where editions of the standard disagree
    /// (`windtunnel list policies`).
    #[must_use]
    pub fn policy(mut self, policy: impl Into<String>) -> Self {
        self.request.policies.push(policy.into());
        self
    }

    /// Sets the number of ranks that may exist at once if the function starts others
    /// (`MPI_UNIVERSE_SIZE`).
    #[must_use]
    pub fn universe(mut self, ranks: u32) -> Self {
        self.request.universe = Some(ranks);
        self
    }

    /// Sets the folder for files ([`mpi::file`](crate::mpi::file)): names lead into it, and none leads out. The
    /// default is the working folder. Without the feature `command-line` a run has no files.
    #[must_use]
    pub fn files(mut self, folder: impl Into<String>) -> Self {
        self.request.files = Some(folder.into());
        self
    }

    /// Sets the seed of all random streams.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// Sets the largest number of events of a run; a run that reaches it ends with a finding.
    #[must_use]
    pub fn max_events(mut self, events: u64) -> Self {
        self.request.max_events = Some(events);
        self
    }

    /// Sets the largest simulated time of a run; a run that reaches it ends with a finding.
    #[must_use]
    pub fn max_time(mut self, time: Duration) -> Self {
        let ps = time.as_nanos().saturating_mul(1000);
        self.request.max_time = SimTime::from_ps(u64::try_from(ps).unwrap_or(u64::MAX));
        self
    }

    /// Sets the stack size of each rank in bytes; the default is 8 MiB, and less for more than 256
    /// ranks.
    #[must_use]
    pub fn stack_size(mut self, bytes: u64) -> Self {
        self.request.stack_size = Some(bytes);
        self
    }

    /// Sets the arguments that [`arguments`](crate::arguments) returns to the ranks after the name
    /// of the program.
    #[must_use]
    pub fn arguments<S: Into<String>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.request.arguments = arguments.into_iter().map(Into::into).collect();
        self
    }

    /// Runs `function` once on every rank, and returns the values of the ranks with the timing of
    /// the run.
    ///
    /// # Panics
    /// Panics with the rendered findings if not every rank finished (a deadlock, a panic, a limit),
    /// and with the error if the configuration is invalid. [`Run::try_run`] returns both as errors.
    #[track_caller]
    pub fn run<T: Send + 'static>(
        &self,
        function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
    ) -> Finished<T> {
        or_panic(self.try_run(function))
    }

    /// Like [`Run::run`], but returns an error instead of panicking.
    ///
    /// ```
    /// use windtunnel::{Run, RunError, mpi::traits::*};
    ///
    /// let alone = Run::new(2).try_run(|world| {
    ///     if world.rank() == 0 {
    ///         world.barrier();
    ///     }
    /// });
    /// let Err(RunError::Unfinished(unfinished)) = alone else { panic!("rank 1 never comes") };
    /// assert_eq!(unfinished.findings[0].code.name(), "WT0022");
    ///
    /// let unknown = Run::new(2).machine("infiniband").try_run(|_| ());
    /// assert!(matches!(unknown, Err(RunError::Input(_))));
    /// ```
    ///
    /// # Errors
    /// Returns [`RunError::Input`] if the configuration is invalid, and [`RunError::Unfinished`] if
    /// not every rank finished.
    pub fn try_run<T: Send + 'static>(
        &self,
        function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
    ) -> Result<Finished<T>, RunError> {
        let (program, values) = Values::of(function);
        let scenario = self.scenario(program)?;
        let result = scenario.run(None)?.result;
        match result.ending {
            Ending::Completed => Ok(Finished::new(&scenario, values.take(), result)),
            Ending::Stalled | Ending::Failed => {
                Err(RunError::Unfinished(Box::new(Unfinished::new(result))))
            }
        }
    }

    /// Checks the safety of `function`: deadlocks, reliance on buffering, mismatches, races, leaks.
    /// Values that `function` returns are dropped.
    ///
    /// # Executions share this process
    /// The check executes the function many times under different conditions, one execution after
    /// the other, all ranks on the calling thread. The command `check` runs each execution in its
    /// own process. That is impossible here, because the test harness has threads and a process
    /// with threads cannot be copied safely. So all ranks **and** all executions share each
    /// `static` (a counter, a `OnceLock`, a cache): a later execution sees what an earlier one
    /// left, and the same holds for files. Keep the state of a rank in its local variables. A call
    /// of `std::process::exit`, a crash or an endless loop without MPI calls ends the whole test.
    ///
    /// # Panics
    /// Panics if the configuration is invalid. Findings do not panic here, but in
    /// [`Report::assert_clean`].
    #[track_caller]
    pub fn check<T>(
        &self,
        function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
    ) -> Report {
        or_panic(self.try_check(function))
    }

    /// Like [`Run::check`], but returns an error instead of panicking.
    ///
    /// # Errors
    /// Returns an error if the configuration is invalid.
    pub fn try_check<T>(
        &self,
        function: impl Fn(&SimpleCommunicator) -> T + Send + Sync + 'static,
    ) -> Result<Report, Error> {
        self.check_program(super::over_world(move |world| drop(function(world))))
    }

    /// Checks a program that initializes MPI itself.
    pub(crate) fn check_program(&self, program: Program) -> Result<Report, Error> {
        let scenario = self.scenario(program)?;
        let checked = safety::check(&scenario);
        Ok(Report::new(scenario.request, checked))
    }

    fn scenario(&self, program: Program) -> Result<Scenario, Error> {
        if let Some(refused) = &self.refused {
            return Err(refused.clone().into());
        }
        #[cfg(feature = "command-line")]
        mpi_abi::host_file::provide();
        self.request.clone().resolve_program(program)
    }
}
