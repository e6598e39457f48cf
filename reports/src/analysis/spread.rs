//! The same configuration under several network models: what they differ by is an estimate of how far
//! off each of them may be.

use sim_core::SimTime;

use crate::comparison::{Differ, Row};

/// Difference between two run times that counts as none, as a share.
const EQUAL: f64 = 0.005;

/// One configuration under every model of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Position of the configuration's first row among all rows.
    pub row: usize,
    /// Name of the configuration, without the model.
    pub name: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Model and run time, in the order of the comparison; `None` for runs that did not complete.
    pub times: Vec<(String, Option<SimTime>)>,
}

/// What one model recommends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Winner {
    /// The model.
    pub network: String,
    /// Name of the fastest configuration with the largest number of ranks.
    pub name: String,
}

impl Spread {
    /// Returns the shortest and the longest run time; `None` if no run completed.
    pub fn bounds(&self) -> Option<(SimTime, SimTime)> {
        let times = || self.times.iter().filter_map(|(_, time)| *time);
        Some((times().min()?, times().max()?))
    }

    /// Returns half of the difference between both bounds, as a share of their middle.
    pub fn half_width(&self) -> Option<f64> {
        let (least, most) = self.bounds()?;
        let (least, most) = (least.as_ps() as f64, most.as_ps() as f64);
        Some(if most > 0.0 { (most - least) / (most + least) } else { 0.0 })
    }
}

fn same_configuration(one: &Row, other: &Row) -> bool {
    one.topology == other.topology
        && one.ranks == other.ranks
        && one.machine == other.machine
        && one.placement == other.placement
        && one.collectives == other.collectives
}

/// Returns the models of a comparison, in the order of its rows.
fn models(rows: &[Row]) -> Vec<&str> {
    let mut models: Vec<&str> = Vec::new();
    for row in rows {
        if !models.contains(&row.network.as_str()) {
            models.push(&row.network);
        }
    }
    models
}

/// Returns the spread of each configuration, in the order of the rows; nothing for a single model.
pub fn spreads(rows: &[Row]) -> Vec<Spread> {
    if models(rows).len() < 2 {
        return Vec::new();
    }
    let all: Vec<&Row> = rows.iter().collect();
    let differ = Differ { network: false, ..Differ::of(&all) };
    let mut spreads: Vec<Spread> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let time = (row.network.clone(), row.completed().then_some(row.makespan));
        match spreads.iter_mut().find(|spread| same_configuration(&rows[spread.row], row)) {
            Some(spread) => spread.times.push(time),
            None => spreads.push(Spread {
                row: place,
                name: differ.name(row),
                ranks: row.ranks,
                times: vec![time],
            }),
        }
    }
    spreads
}

/// Returns what each model recommends with the largest number of ranks. Of configurations that are
/// equally fast the one that wins under most models counts, then the first.
pub fn winners(rows: &[Row]) -> Vec<Winner> {
    let most = rows.iter().map(|row| row.ranks).max().unwrap_or(0);
    let all = spreads(rows);
    let time = |spread: &Spread, model: &str| {
        let found = spread.times.iter().find(|(network, _)| network == model);
        found.and_then(|(_, time)| *time).map(|time| time.as_ps() as f64)
    };
    let least = |model: &str| {
        let candidates = all.iter().filter(|spread| spread.ranks == most);
        candidates.filter_map(|spread| time(spread, model)).reduce(f64::min)
    };
    let wins = |spread: &Spread, model: &str| {
        time(spread, model)
            .zip(least(model))
            .is_some_and(|(own, least)| own <= least * (1.0 + EQUAL))
    };
    let models = models(rows);
    let count = |spread: &Spread| models.iter().filter(|model| wins(spread, model)).count();
    let best = |model: &str| {
        let candidates = all.iter().filter(|spread| spread.ranks == most && wins(spread, model));
        // The first of several with the same count: `max_by_key` would take the last.
        candidates.rev().max_by_key(|spread| count(spread))
    };
    let winner = |model: &&str| {
        best(model).map(|spread| Winner { network: (*model).to_owned(), name: spread.name.clone() })
    };
    models.iter().filter_map(winner).collect()
}

/// Returns sentences on what the models agree about; empty for a single model.
pub(super) fn agreement(rows: &[Row]) -> String {
    let winners = winners(rows);
    let Some(first) = winners.first() else { return String::new() };
    let most = rows.iter().map(|row| row.ranks).max().unwrap_or(0);
    let all = spreads(rows);
    let widest = all
        .iter()
        .filter(|spread| spread.ranks == most)
        .filter_map(Spread::half_width)
        .fold(0.0, f64::max);
    let names = winners.iter().map(|winner| winner.network.as_str()).collect::<Vec<_>>().join(", ");
    let mut text = if all.iter().filter(|spread| spread.ranks == most).count() < 2 {
        String::new()
    } else if winners.iter().all(|winner| winner.name == first.name) {
        format!(" All models ({names}) agree that {} is fastest.", first.name)
    } else {
        let each: Vec<String> = winners
            .iter()
            .map(|winner| format!("{} is fastest under {}", winner.name, winner.network))
            .collect();
        format!(
            " The models disagree about the winner: {}. The choice between these depends on what \
             the models leave out of each other.",
            each.join(", ")
        )
    };
    text.push_str(&format!(
        " Between the models run times differ by up to ±{:.1} % of their middle.",
        100.0 * widest
    ));
    text
}
