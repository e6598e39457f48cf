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
use crate::command::Study;

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
    /// What was varied, in the order in which it is nested.
    axes: Vec<Axis>,
    /// Configurations that cannot be run.
    skipped: Vec<Skipped>,
    /// Whether the work was taken to grow with the ranks (`--weak`): parallel_efficiency is then the run
    /// time with the fewest ranks over the run time, and speedup that times the growth of the ranks.
    weak: bool,
    /// Unit of the costs: `units`, or that of `--prices`.
    cost_unit: String,
    /// Over which range of each circumstance the fastest choice stays the fastest, under the last
    /// network model.
    ranges: Vec<Range>,
}

/// One axis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Axis {
    /// Its name.
    name: String,
    /// Its values as written.
    values: Vec<String>,
    /// Whether the values are circumstances (the size of the problem, the number of ranks) and nothing
    /// to choose.
    condition: bool,
}

/// A configuration that cannot be run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Skipped {
    /// The topology and what else distinguishes the configuration.
    configuration: String,
    /// Number of ranks.
    ranks: u32,
    /// Why it cannot be run.
    reason: String,
}

/// The fastest choices along one axis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Range {
    /// Name of the axis.
    axis: String,
    /// Values of the other circumstances that vary; empty if none does.
    context: String,
    /// Parts of the axis on which one choice stays the fastest.
    stretches: Vec<Stretch>,
}

/// A part of an axis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Stretch {
    /// Its first value.
    first: String,
    /// Its last value.
    last: String,
    /// The choices that are fastest, or within 0.5 % of it, at each of its values; none if nothing
    /// completed.
    fastest: Vec<String>,
    /// Whether something is faster at one of its values that is not for sale, and was left out.
    faster_not_for_sale: bool,
}

/// The value of an axis that has no field of its own.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Setting {
    /// Name of the axis.
    axis: String,
    /// Value as written.
    value: String,
}

/// Numbers of cables by length.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Cables {
    /// Within a rack.
    short: u64,
    /// Between near racks.
    medium: u64,
    /// Between far racks.
    long: u64,
}

/// What the network of a configuration costs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
struct Cost {
    /// Money, in `cost_unit`.
    price: f64,
    /// Power in watts; 0 without `--prices`.
    watts: f64,
    /// Whether all parts are for sale; the others make the price if not.
    for_sale: bool,
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
    /// Cables: each serves both directions, or one in networks whose cables carry one (butterfly, omega, kautz).
    links: u64,
    /// Vertices that are not nodes.
    switches: u32,
    /// Most cables at one vertex.
    degree: u32,
    /// Most hops between two nodes.
    diameter: u32,
    /// Fewest cables between two halves of the nodes that differ by one node at most.
    bisection: u64,
    /// Values of the axes that have no field of their own.
    settings: Vec<Setting>,
    /// Ends of cables.
    ports: u64,
    /// Crosspoints of all switches, and of nodes that forward messages.
    crosspoints: u64,
    /// Cables by length.
    cables: Cables,
    /// What the network costs.
    cost: Cost,
}

impl Comparison {
    /// Creates the object from the rows of the comparison and the objects of its rows.
    pub(crate) fn new(study: &Study, rows: Vec<Row>) -> Self {
        let compared = study.rows.as_slice();
        let advice = analysis::advice(compared, &study.unit, study.weak);
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
        let axis = |axis: &reports::Axis| Axis {
            name: axis.name.clone(),
            values: axis.values.clone(),
            condition: axis.condition,
        };
        let skipped = |left: &reports::Skipped| Skipped {
            configuration: left.name.clone(),
            ranks: left.ranks,
            reason: left.reason.clone(),
        };
        let last = compared.last().map(|row| &row.network);
        let of_last: Vec<comparison::Row> =
            compared.iter().filter(|row| Some(&row.network) == last).cloned().collect();
        Self {
            schema: "windtunnel.compare/1",
            advice,
            spreads,
            winners,
            models_agree,
            rows,
            axes: study.axes.iter().map(axis).collect(),
            skipped: study.skipped.iter().map(skipped).collect(),
            weak: study.weak,
            cost_unit: study.unit.clone(),
            ranges: analysis::ranges(&of_last).into_iter().map(Range::new).collect(),
        }
    }
}

impl Range {
    fn new(range: analysis::Range) -> Self {
        let stretch = |stretch: analysis::Stretch| Stretch {
            first: stretch.first,
            last: stretch.last,
            fastest: stretch.names,
            faster_not_for_sale: stretch.beaten,
        };
        let stretches = range.stretches.into_iter().map(stretch).collect();
        Self { axis: range.axis, context: range.context, stretches }
    }
}

impl Row {
    /// Creates a row from a row of the comparison and the run behind it.
    pub(crate) fn new(row: &comparison::Row, scenario: &Scenario, result: &RunResult) -> Self {
        let mut body = Body::new(scenario, result);
        // The comparison has already made equal machine names distinct.
        body.machine.clone_from(&row.machine);
        body.topology.clone_from(&row.topology);
        let [short, medium, long] = row.bill.cables;
        let setting = |setting: &reports::Setting| Setting {
            axis: setting.axis.clone(),
            value: setting.value.clone(),
        };
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
            settings: row.settings.iter().map(setting).collect(),
            ports: row.bill.ports(),
            crosspoints: row.bill.crosspoints(),
            cables: Cables { short, medium, long },
            cost: Cost {
                price: row.cost.price,
                watts: row.cost.watts,
                for_sale: row.cost.for_sale,
            },
        }
    }
}
