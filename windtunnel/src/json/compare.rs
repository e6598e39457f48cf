//! The object of `windtunnel compare --json`.

use mpi_api::outcome::RunResult;
use reports::{
    analysis::{self, Agreement},
    comparison,
};
use scenarios::scenario::Scenario;
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use super::{finding::Finding, run::Body};

/// A comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Comparison {
    /// `windtunnel.compare/1`.
    schema: &'static str,
    /// What to choose, in one sentence.
    advice: String,
    /// The configurations under each network model; empty for a single model.
    spreads: Vec<Spread>,
    /// What each network model recommends with the largest number of ranks; empty for a single model.
    winners: Vec<Winner>,
    /// Whether the models that are not undecided recommend the same, and the others have it among the
    /// equally fast; null for a single model, or if all are undecided.
    models_agree: Option<bool>,
    /// The configurations, best first.
    rows: Vec<Row>,
}

/// One configuration under several network models.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Spread {
    /// The topology and what else distinguishes the configuration.
    configuration: String,
    /// Number of ranks.
    ranks: u32,
    /// The shortest run time; null if no run completed.
    least_ns: Option<f64>,
    /// The longest run time.
    most_ns: Option<f64>,
    /// Half of the difference between both, in percent of their middle.
    plus_minus_percent: Option<f64>,
    /// The run time under each model.
    models: Vec<ModelTime>,
}

/// A run time under one model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct ModelTime {
    /// The model as written.
    network: String,
    /// Its run time; null if the run did not complete.
    makespan_ns: Option<f64>,
}

/// The recommendation of one model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Winner {
    /// The model as written.
    network: String,
    /// The fastest configuration; null if the model sees no difference between several.
    configuration: Option<String>,
    /// The configurations that are as fast as the fastest one.
    equally_fast: Vec<String>,
}

impl Spread {
    fn new(spread: &analysis::Spread) -> Self {
        let bounds = spread.bounds();
        Self {
            configuration: spread.name.clone(),
            ranks: spread.ranks,
            least_ns: bounds.map(|(least, _)| least.as_ns_f64()),
            most_ns: bounds.map(|(_, most)| most.as_ns_f64()),
            plus_minus_percent: spread.half_width().map(|half| 100.0 * half),
            models: spread
                .times
                .iter()
                .map(|(network, time)| ModelTime {
                    network: network.clone(),
                    makespan_ns: time.map(|time| time.as_ns_f64()),
                })
                .collect(),
        }
    }
}

/// One configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(crate) struct Row {
    /// `windtunnel.run/1`: a row has the fields of a run.
    schema: &'static str,
    /// The run.
    #[serde(flatten)]
    body: Body,
    /// What was found, the most severe first.
    findings: Vec<Finding>,
    /// How many times faster than with the smallest number of ranks.
    speedup: f64,
    /// Speed-up over the factor by which the ranks grew; 1 is perfect.
    parallel_efficiency: f64,
    /// Mean hops between two nodes.
    mean_hops: f64,
    /// Cables, each serving both directions.
    links: u64,
    /// Vertices that are not nodes.
    switches: u32,
    /// Most cables at one vertex.
    degree: u32,
    /// Most hops between two nodes.
    diameter: u32,
    /// Cables cut by the topology's natural halving.
    bisection: u64,
}

impl Comparison {
    /// Creates the object from the rows of the comparison and the objects of its rows.
    pub(crate) fn new(advice: String, compared: &[comparison::Row], rows: Vec<Row>) -> Self {
        let spreads: Vec<Spread> = analysis::spreads(compared).iter().map(Spread::new).collect();
        let winners = analysis::winners(compared);
        let models_agree = match Agreement::of(&winners) {
            _ if spreads.is_empty() => None,
            Agreement::Agree(_) => Some(true),
            Agreement::Disagree => Some(false),
            Agreement::Undecided => None,
        };
        let winner = |winner: analysis::Winner| Winner {
            configuration: winner.decided().map(str::to_owned),
            network: winner.network,
            equally_fast: winner.names,
        };
        let winners = winners.into_iter().map(winner).collect();
        Self { schema: "windtunnel.compare/1", advice, spreads, winners, models_agree, rows }
    }
}

impl Row {
    /// Creates a row from a row of the comparison and the run behind it.
    pub(crate) fn new(row: &comparison::Row, scenario: &Scenario, result: &RunResult) -> Self {
        let mut body = Body::new(scenario, result);
        // The comparison has already made equal machine names distinct.
        body.machine.clone_from(&row.machine);
        body.topology.clone_from(&row.topology);
        Self {
            schema: "windtunnel.run/1",
            body,
            findings: result.findings.iter().map(|found| Finding::new(found, None)).collect(),
            speedup: row.speedup,
            parallel_efficiency: row.efficiency,
            mean_hops: row.mean_hops,
            links: row.structure.links,
            switches: row.structure.switches,
            degree: row.structure.degree,
            diameter: row.structure.diameter,
            bisection: row.structure.bisection,
        }
    }
}
