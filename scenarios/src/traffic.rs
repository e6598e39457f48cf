//! Synthetic traffic on networks: latency and throughput against offered load.

use std::{ops::RangeInclusive, sync::Arc};

use network_models::{
    Catalog, Hardware, ModelKind, Targets, Topology, TopologyError, TrafficPattern, TrafficPlan,
    TrafficResult, Unmeasured, measure,
};
use rayon::prelude::*;

use crate::{
    error::Error,
    machine::Machine,
    networks::{fitting_model, topology},
    options::RankCount,
};

/// Sizes of messages, bytes.
pub const MESSAGE_BYTES: RangeInclusive<u64> = 1..=1 << 30;

/// Longest warm-up and measured time, in message times.
const SLOTS_MAX: u32 = 1_000_000;

/// Lengths of the time before messages are measured, in message times.
pub const WARM_UP: RangeInclusive<u32> = 0..=SLOTS_MAX;

/// Lengths of the time in which messages are measured, in message times.
pub const MEASURED: RangeInclusive<u32> = 1..=SLOTS_MAX;

/// Number of nodes of topologies whose sizes are left out, unless the study says otherwise.
pub const NODES: u32 = 64;

/// A study of networks under synthetic traffic. Every topology is measured under every model.
#[derive(Clone, Debug)]
pub struct Study {
    /// Machine: a name or a JSON file. Load 1 is the rate of its ports.
    pub machine: String,
    /// Topologies as users write them.
    pub topologies: Vec<String>,
    /// Network models as users write them.
    pub networks: Vec<String>,
    /// Number of nodes of topologies whose sizes are left out, [`NODES`] if there is none. Topologies with sizes
    /// must have just as many if there is one.
    pub nodes: Option<u32>,
    /// Who sends to whom.
    pub pattern: TrafficPattern,
    /// Whether nodes also send to themselves, where the pattern says so.
    pub including_self: bool,
    /// Offered loads, as shares of the rate of a port.
    pub loads: Vec<f64>,
    /// Size of each message.
    pub bytes: u64,
    /// Length of the time before messages are measured, in message times. This and the measured time are
    /// lengthened where they are short against the time of a message.
    pub warm_up: u32,
    /// Length of the time in which messages are measured, in message times.
    pub measured: u32,
    /// Seed of what is random.
    pub seed: u64,
    /// What topologies and network models there are.
    pub catalog: Catalog,
}

/// The measurements of one network.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name of the topology with its sizes.
    pub topology: String,
    /// The network model as written.
    pub network: String,
    /// A result for each load that was measured, in the order of the loads.
    pub results: Vec<TrafficResult>,
    /// The loads that were not, since simulations of this process were asked to stop
    /// ([`sim_core::interrupt`]).
    pub not_measured: Vec<f64>,
}

impl Study {
    /// Measures all networks, each load by itself on the processors of this computer, whose number changes no
    /// result.
    ///
    /// # Errors
    /// Returns the first error that is found: of a name, a number, or a pattern that is not defined
    /// for a topology, before anything is measured; or of a network that deadlocks.
    pub fn run(&self) -> Result<Vec<Curve>, Error> {
        let asked = self.nodes.unwrap_or(NODES);
        RankCount::new("the number of nodes", asked)?;
        let bad = |what: &str, value: String, allowed: &str| Error::BadValue {
            what: what.into(),
            value,
            allowed: allowed.into(),
        };
        if !MESSAGE_BYTES.contains(&self.bytes) {
            let allowed = format!("{} to {}", MESSAGE_BYTES.start(), MESSAGE_BYTES.end());
            return Err(bad("the size of a message", self.bytes.to_string(), &allowed));
        }
        let times = [
            ("the warm-up", self.warm_up, WARM_UP),
            ("the measured time", self.measured, MEASURED),
        ];
        for (what, slots, allowed) in times {
            if !allowed.contains(&slots) {
                let allowed = format!("{} to {} message times", allowed.start(), allowed.end());
                return Err(bad(what, slots.to_string(), &allowed));
            }
        }
        if let Some(load) = self.loads.iter().find(|load| !(**load > 0.0 && **load <= 1.0)) {
            return Err(bad("a load", load.to_string(), "more than 0 and at most 1"));
        }
        let machine = Machine::load_with(&self.machine, &self.catalog)?;
        let hardware = machine.hardware();
        let mut networks = Vec::new();
        for name in &self.topologies {
            let spec = topology(name, &self.catalog)?;
            let built = spec.build(asked).or_else(|error| match error {
                // The sizes were given.
                TopologyError::TooSmall { nodes, .. } => spec.build(nodes),
                other => Err(other),
            });
            let topology = Arc::new(built?);
            if let Some(nodes) =
                self.nodes.filter(|nodes| !spec.grows() && *nodes != topology.nodes())
            {
                let allowed = format!(
                    "{}, the nodes of {}, or any number where the topology is named without sizes",
                    topology.nodes(),
                    topology.name()
                );
                return Err(bad("the number of nodes", nodes.to_string(), &allowed));
            }
            let options = (self.seed, self.including_self);
            let targets = targets_on(&topology, self.pattern, options, "the pattern")?;
            for network in &self.networks {
                let model =
                    fitting_model(network, (&self.catalog, self.seed), &hardware, &topology)?;
                networks.push((Arc::clone(&topology), targets.clone(), network, model));
            }
        }
        let measurements: Vec<(&Case<'_>, f64)> = networks
            .iter()
            .flat_map(|case| self.loads.iter().map(move |load| (case, *load)))
            .collect();
        let measured: Vec<Result<Option<TrafficResult>, Error>> = measurements
            .into_par_iter()
            .with_max_len(1)
            .map(|(case, load)| self.measured(&hardware, case, load))
            .collect();
        // The first error in order is told, whichever came first.
        let mut measured = measured.into_iter();
        networks.iter().map(|case| self.curve(case, measured.by_ref())).collect()
    }

    /// Returns the curve of a network, whose measurements come next.
    fn curve(
        &self,
        (topology, _, network, _): &Case<'_>,
        measured: impl Iterator<Item = Result<Option<TrafficResult>, Error>>,
    ) -> Result<Curve, Error> {
        let (mut results, mut not_measured) = (Vec::new(), Vec::new());
        for (load, measured) in self.loads.iter().zip(measured) {
            match measured? {
                Some(result) => results.push(result),
                None => not_measured.push(*load),
            }
        }
        let (topology, network) = (topology.name().to_owned(), (*network).clone());
        Ok(Curve { topology, network, results, not_measured })
    }

    /// Measures a network under a load; `None` if simulations are asked to stop.
    fn measured(
        &self,
        hardware: &Hardware,
        (topology, targets, network, model): &Case<'_>,
        load: f64,
    ) -> Result<Option<TrafficResult>, Error> {
        let plan = TrafficPlan {
            bytes: self.bytes,
            rate: hardware.injection,
            load,
            warm_up: self.warm_up,
            measured: self.measured,
            seed: self.seed,
        };
        let measured = |plan: &TrafficPlan| {
            let mut built = model.build(hardware, topology);
            match measure(built.as_mut(), targets, topology.nodes(), plan) {
                Ok(result) => Ok(Some(result)),
                Err(Unmeasured::Interrupted) => Ok(None),
                Err(Unmeasured::Deadlock(deadlock)) => Err(Error::NetworkDeadlock {
                    topology: topology.name().to_owned(),
                    network: (*network).clone(),
                    load,
                    deadlock: Box::new(deadlock),
                }),
            }
        };
        let Some(result) = measured(&plan)? else { return Ok(None) };
        match plan.lengthened(&result, SLOTS_MAX) {
            Some(longer) => measured(&longer),
            None => Ok(Some(result)),
        }
    }
}

/// Returns the targets of a pattern, which `what` names in messages, on a topology. The options are the
/// seed of what is random, and whether nodes also send to themselves.
///
/// # Errors
/// Returns an error if the pattern is not defined for the topology, or nobody sends anything.
pub(crate) fn targets_on(
    topology: &Topology,
    pattern: TrafficPattern,
    (seed, including_self): (u64, bool),
    what: &str,
) -> Result<Targets, Error> {
    let mut targets = pattern.on(topology, seed)?;
    if including_self {
        targets = targets.including_self();
    }
    if targets.is_silent() {
        return Err(Error::BadValue {
            what: what.into(),
            value: pattern.to_string(),
            allowed: format!("one that sends something on {}", topology.name()),
        });
    }
    Ok(targets)
}

/// A network to be measured: topology, targets, name of the model, model.
type Case<'a> = (Arc<Topology>, Targets, &'a String, Arc<dyn ModelKind>);
