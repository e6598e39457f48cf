//! The same configuration under several network models: what they differ by is an estimate of how far
//! off each of them may be.

use sim_core::SimTime;

use crate::{
    comparison::{Differ, Row},
    format::percent,
};

/// Difference between two run times that counts as none, as a share.
pub(super) const EQUAL: f64 = 0.005;

/// One configuration under every model of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Position of the configuration's first row among all rows.
    pub row: usize,
    /// Name of the configuration, without the model.
    pub name: String,
    /// Number of ranks.
    pub ranks: u32,
    /// Run time under each model of the comparison, in the same order for all configurations; `None` for runs that did not
    /// complete, and for a model that cannot run the configuration.
    pub times: Vec<(String, Option<SimTime>)>,
}

/// What one model recommends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Winner {
    /// The model.
    pub network: String,
    /// Names of the fastest configurations with the largest number of ranks: several if the model sees
    /// no difference between them.
    pub names: Vec<String>,
}

impl Winner {
    /// Returns the fastest configuration; `None` if the model is undecided.
    pub fn decided(&self) -> Option<&str> {
        match self.names.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }
}

/// Whether the models of a comparison recommend the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement<'a> {
    /// All models that see a difference recommend this one, and no other model takes it for slower.
    Agree(&'a str),
    /// Two models exclude each other.
    Disagree,
    /// No model sees a difference between the fastest configurations.
    Undecided,
}

impl<'a> Agreement<'a> {
    /// Compares recommendations.
    pub fn of(winners: &'a [Winner]) -> Self {
        let Some(first) = winners.iter().find_map(Winner::decided) else { return Self::Undecided };
        let allows = |winner: &Winner| winner.names.iter().any(|name| name == first);
        if winners.iter().all(allows) { Self::Agree(first) } else { Self::Disagree }
    }
}

impl Spread {
    /// Returns the shortest and the longest run time; `None` if no run completed.
    pub fn bounds(&self) -> Option<(SimTime, SimTime)> {
        let times = || self.times.iter().filter_map(|(_, time)| *time);
        Some((times().min()?, times().max()?))
    }

    /// Returns half of the difference between both bounds, as a share of their middle; `None` if less than two
    /// models have a run time.
    pub fn half_width(&self) -> Option<f64> {
        let (least, most) = self.bounds()?;
        if self.times.iter().filter(|(_, time)| time.is_some()).count() < 2 {
            return None;
        }
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
        && one.settings == other.settings
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
    let models = models(rows);
    if models.len() < 2 {
        return Vec::new();
    }
    let all: Vec<&Row> = rows.iter().collect();
    let differ = Differ { network: false, ..Differ::of(&all) };
    let mut spreads: Vec<Spread> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let same = |spread: &Spread| same_configuration(&rows[spread.row], row);
        let known = spreads.iter().position(same).unwrap_or_else(|| {
            let times = models.iter().map(|model| ((*model).to_owned(), None)).collect();
            spreads.push(Spread { row: place, name: differ.name(row), ranks: row.ranks, times });
            spreads.len() - 1
        });
        let times = &mut spreads[known].times;
        if let Some((_, time)) = times.iter_mut().find(|(network, _)| *network == row.network) {
            *time = row.completed().then_some(row.makespan);
        }
    }
    spreads
}

/// Returns the configurations with the largest number of ranks, of several other circumstances under
/// the last ones.
fn candidates<'a>(rows: &[Row], all: &'a [Spread]) -> impl Iterator<Item = &'a Spread> {
    let most = rows.iter().map(|row| row.ranks).max();
    let last = rows.iter().rev().find(|row| Some(row.ranks) == most).map(Row::conditions);
    let fits = |row: &Row| last.as_ref() == Some(&row.conditions());
    let fitting: Vec<usize> = (0..rows.len()).filter(|place| fits(&rows[*place])).collect();
    all.iter().filter(move |spread| fitting.contains(&spread.row))
}

/// Returns what each model recommends with the largest number of ranks, of several other circumstances
/// under the last ones.
pub fn winners(rows: &[Row]) -> Vec<Winner> {
    let all = spreads(rows);
    let time = |spread: &Spread, model: &str| {
        let found = spread.times.iter().find(|(network, _)| network == model);
        found.and_then(|(_, time)| *time).map(|time| time.as_ps() as f64)
    };
    let candidates = || candidates(rows, &all);
    let winner = |model: &&str| {
        let least = candidates().filter_map(|spread| time(spread, model)).reduce(f64::min)?;
        let wins =
            |spread: &&Spread| time(spread, model).is_some_and(|own| own <= least * (1.0 + EQUAL));
        let names = candidates().filter(wins).map(|spread| spread.name.clone()).collect();
        Some(Winner { network: (*model).to_owned(), names })
    };
    models(rows).iter().filter_map(winner).collect()
}

/// Returns a sentence on which configuration is fastest.
fn on_winners(winners: &[Winner]) -> String {
    let (decided, undecided): (Vec<&Winner>, Vec<&Winner>) =
        winners.iter().partition(|winner| winner.decided().is_some());
    let names = |of: &[&Winner]| {
        of.iter().map(|winner| winner.network.as_str()).collect::<Vec<_>>().join(", ")
    };
    let doubts = || {
        let doubt = |winner: &&Winner| {
            let (network, names) = (&winner.network, winner.names.join(" and "));
            format!("{network} is undecided, since it sees no difference between {names}")
        };
        undecided.iter().map(doubt)
    };
    match Agreement::of(winners) {
        Agreement::Agree(name) if undecided.is_empty() => {
            format!(" All models ({}) agree that {name} is fastest.", names(&decided))
        }
        Agreement::Agree(name) => {
            let (who, verb) = (names(&decided), if decided.len() == 1 { "says" } else { "agree" });
            let doubts = doubts().collect::<Vec<_>>().join("; ");
            format!(" {who} {verb} that {name} is fastest; {doubts}.")
        }
        Agreement::Disagree => {
            let fastest = |winner: &&Winner| {
                let name = winner.decided().unwrap_or_default();
                format!("{name} is fastest under {}", winner.network)
            };
            let each: Vec<String> = decided.iter().map(fastest).chain(doubts()).collect();
            format!(
                " The models disagree about the winner: {}. The choice between these depends on \
                 what the models leave out of each other.",
                each.join(", ")
            )
        }
        Agreement::Undecided => {
            let doubts: Vec<String> = doubts().collect();
            format!(" No model has a winner: {}.", doubts.join("; "))
        }
    }
}

/// Returns sentences on what the models agree about; empty for a single model.
pub(super) fn agreement(rows: &[Row]) -> String {
    let winners = winners(rows);
    if winners.is_empty() {
        return String::new();
    }
    let all = spreads(rows);
    let candidates: Vec<&Spread> = candidates(rows, &all).collect();
    let widest = all.iter().filter_map(Spread::half_width).reduce(f64::max);
    let mut text = if candidates.len() < 2 { String::new() } else { on_winners(&winners) };
    if let Some(widest) = widest {
        text.push_str(&format!(
            " Between the models run times differ by up to ±{} of their middle.",
            percent(100.0 * widest)
        ));
    }
    text
}
