//! The object of `windtunnel compare --json`.

use mpi_api::outcome::RunResult;
use reports::comparison;
use scenarios::scenario::Scenario;
use schemars::JsonSchema;
use serde::Serialize;

use super::{finding::Finding, run::Body};

/// A comparison.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Comparison {
    /// `windtunnel.compare/1`.
    schema: &'static str,
    /// What to choose, in one sentence.
    advice: String,
    /// The configurations, best first.
    rows: Vec<Row>,
}

/// One configuration.
#[derive(Debug, Serialize, JsonSchema)]
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
    pub(crate) fn new(advice: String, rows: Vec<Row>) -> Self {
        Self { schema: "windtunnel.compare/1", advice, rows }
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
