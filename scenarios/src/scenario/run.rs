//! Execution of a scenario.

use mpi_api::{
    noise::SeededNoise,
    outcome::RunResult,
    run::run,
    settings::{
        CollectiveSynchronization, Computing, Matching, OneSided, Polls, Races, Recorder, Settings,
    },
    trace::{Record, TraceSink},
};
use network_models::{Background, Faulty, Hardware, LinkUsage, Network, NodeId, Protocols};
use sim_core::{Limits, SimDuration, TieBreak};

use super::{Ran, Request, Scenario, most_on_a_node};
use crate::{
    computing::{Choice, Source},
    error::Error,
};

impl Scenario {
    /// Returns the settings that the request asks for.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings {
            nodes: self.nodes.clone(),
            sockets: self.sockets.clone(),
            costs: self.machine.costs(),
            buffering: self.buffering.clone(),
            synchronisation: CollectiveSynchronization::Algorithm,
            selector: self.selector.clone(),
            matching: Matching::Arrival,
            one_sided: OneSided::Prompt,
            progress: self.request.progress.into(),
            races: Races::Overlapping,
            filesystem: self.filesystem.clone(),
            tie_break: TieBreak::InsertionOrder,
            limits: Limits {
                events: self.request.max_events.unwrap_or(Request::EVENTS_MAX),
                time: self.request.max_time,
                stack_bytes: self.request.stack_bytes(),
                stack_is_asked: self.request.stack_size.is_some(),
                ..Limits::standard()
            },
            unreceived_max: None,
            idle_polls_max: Settings::IDLE_POLLS_MAX,
            polls: Polls::Prompt,
            late: None,
            noise: self.noise(),
            environment: self.environment.clone(),
        };
        if let Some(schedule) = &self.request.schedule {
            schedule.apply(&mut settings);
        }
        settings
    }

    /// Returns the noise of the operating system, if any is asked for.
    fn noise(&self) -> Option<SeededNoise> {
        let noise = self.noise.clone()?;
        Some(SeededNoise { noise, seed: self.request.seed })
    }

    /// Returns the size of the longest message that is sent eagerly, in bytes; `None` if all are.
    pub fn eager_limit(&self) -> Option<u64> {
        Some(self.buffering.eager_limit).filter(|limit| *limit < u64::MAX)
    }

    /// Returns the node of each rank.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Returns the number of nodes that hold a rank.
    pub fn nodes_used(&self) -> u32 {
        let mut nodes: Vec<NodeId> = self.nodes.clone();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() as u32
    }

    /// Returns the largest number of ranks on one node, which a placement file may make larger than what was asked for.
    pub fn most_ranks_on_a_node(&self) -> u32 {
        most_on_a_node(&self.nodes)
    }

    /// Returns the number of nodes that have no rank.
    pub fn nodes_idle(&self) -> u32 {
        self.topology.machine_nodes().saturating_sub(self.nodes_used())
    }

    /// Returns the number of ranks on each socket, if the nodes have sockets.
    pub fn ranks_per_socket(&self) -> Option<u32> {
        self.machine.node_shape().map(|shape| self.request.ranks_on_socket(&shape))
    }

    /// Runs the scenario as requested.
    ///
    /// # Errors
    /// Returns an error if the program does not make the calls of its recording.
    pub fn run(&self, sink: Option<Box<dyn TraceSink>>) -> Result<Ran, Error> {
        let meter = self.computing.meter();
        let (result, sink) = self.run_metered(meter.computing(), sink);
        let durations = meter.finish(&self.request.program)?;
        Ok(Ran { result, sink, durations })
    }

    fn run_metered(
        &self,
        computing: Option<Computing>,
        sink: Option<Box<dyn TraceSink>>,
    ) -> (RunResult, Option<Box<dyn TraceSink>>) {
        let mut settings = self.settings();
        settings.environment.computing = computing;
        self.simulate(settings, sink)
    }

    /// Simulates the program on the network of the scenario.
    fn simulate(
        &self,
        settings: Settings,
        sink: Option<Box<dyn TraceSink>>,
    ) -> (RunResult, Option<Box<dyn TraceSink>>) {
        let (mut result, sink) = run(settings, self.fresh_network(), &self.program, sink);
        result.messages_alone = self.messages_alone(&result);
        (result, sink)
    }

    /// Returns how long the messages of a run take at most, one after the other, on a network that carries nothing else
    /// and drops nothing: each as if it were preceded by a request and an answer.
    fn messages_alone(&self, result: &RunResult) -> Option<SimDuration> {
        let dropped = result.losses.is_some_and(|losses| losses.dropped > 0);
        if dropped || !self.faults.is_empty() || self.background.is_some() {
            return None;
        }
        let hardware = self.machine.hardware();
        let Hardware { gap, byte_time, duplex_factor, hop, link_bandwidth, local, .. } = hardware;
        let latency = hardware.latency.max(local.latency);
        let steps = self.machine.protocols();
        let fixed = steps.iter().map(|step| step.latency).max().unwrap_or_default();
        let each = (latency + fixed).as_ps().checked_mul(3)?.checked_add(gap.as_ps())?;
        let of_steps = steps.iter().map(|step| step.byte_time.time_for(result.bytes)).max();
        let crossed = |of: fn(&LinkUsage) -> u64| result.links.iter().map(of).sum::<u64>();
        let all = [
            each.checked_mul(result.messages)?,
            byte_time.time_for(result.bytes).as_ps().checked_mul(duplex_factor)?,
            local.bandwidth.map_or(0, |rate| rate.time_for(result.bytes).as_ps()),
            of_steps.unwrap_or_default().as_ps(),
            hop.as_ps().checked_mul(crossed(|link| link.messages))?,
            link_bandwidth.time_for(crossed(|link| link.bytes)).as_ps(),
        ];
        let all = all.into_iter().try_fold(0u64, u64::checked_add)?;
        Some(SimDuration::from_ps(all))
    }

    /// Returns this scenario with an observer of the calls of its runs.
    #[must_use]
    pub fn observed(mut self, observer: Recorder) -> Self {
        self.environment.recorder = Some(observer);
        self
    }

    /// Returns the path of the file that will record the computing times of the next run.
    pub fn records_to(&self) -> Option<&str> {
        match (&self.request.compute, &self.computing) {
            (Choice::Recorded(path), Source::Measured { .. }) => Some(path),
            _ => None,
        }
    }

    /// Runs the scenario with other settings; programs compute as long as they declare.
    pub fn run_with(&self, settings: Settings) -> RunResult {
        self.simulate(settings, None).0
    }

    /// Reports whether executions of the program may follow each other in this process as if each had its own: those
    /// that were made have left nothing there.
    pub fn is_contained(&self) -> bool {
        self.program.is_contained()
    }

    /// Like [`Scenario::run_with`], but also returns the trace records of the run.
    pub fn trace_with(&self, settings: Settings) -> (RunResult, Vec<Record>) {
        let sink = Box::<mpi_api::trace::Recording>::default();
        let (result, sink) = self.simulate(settings, Some(sink));
        (result, sink.map(|sink| sink.finish()).unwrap_or_default())
    }

    /// Creates the network of one run, with no message in transit.
    fn fresh_network(&self) -> Box<dyn Network> {
        if self.request.variation.ideal {
            return Self::ideal_network();
        }
        let hardware = self.machine.hardware();
        let network: Box<dyn Network> = if self.faults.is_empty() {
            self.model.build(&hardware, &self.topology)
        } else {
            Box::new(Faulty::new(&*self.model, &hardware, &self.topology, &self.faults))
        };
        let network = match &self.background {
            Some(plan) => Box::new(Background::new(network, plan.clone())),
            None => network,
        };
        match self.machine.protocols() {
            steps if steps.is_empty() => network,
            steps => Box::new(Protocols::new(network, steps)),
        }
    }
}
