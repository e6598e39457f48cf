//! The command `windtunnel diff`: two results of `run --json` or of `compare --json` compared.

mod reading;

use std::collections::BTreeMap;

use reports::{
    analysis::{
        Both, ComparisonDifference, ConfigurationPair, Difference, Pair, Place, Results,
        RunDifference, Times,
    },
    render::{self, html},
};
use scenarios::error::Error;
use serde_json::Value;
use sim_core::{SimTime, words::counted};

use self::reading::{Comparison, Profile, Rank, Row, Run, Saved};
use super::described::{PAGES, command};
use crate::{args::Diff, diagnostic, json, output::Destination};

/// Members of a run that say how it was set up, with their names for display.
const SET_UP: [(&str, &str); 29] = [
    ("program", "program"),
    ("parameters", "parameters"),
    ("arguments", "arguments"),
    ("ranks", "ranks"),
    ("universe", "universe"),
    ("machine", "machine"),
    ("topology", "topology"),
    ("network", "network model"),
    ("placement", "placement"),
    ("ranks_per_node", "ranks per node"),
    ("ranks_per_socket", "ranks per socket"),
    ("nics_per_node", "NICs per node"),
    ("nodes_idle", "idle nodes"),
    ("ranks_per_process", "ranks per process"),
    ("buffering", "buffering"),
    ("eager_limit_bytes", "eager limit, bytes"),
    ("progress", "progress"),
    ("strictness", "strictness"),
    ("policies", "policies"),
    ("collectives", "collectives"),
    ("seed", "seed"),
    ("compute", "computing"),
    ("clocks", "clocks"),
    ("data", "data"),
    ("filesystem", "file system"),
    ("io", "files without MPI"),
    ("noise", "noise"),
    ("faults", "faults"),
    ("background", "background"),
];

/// Members that are digests of what a name stands for, with their names for display and the members that
/// explain a difference: a digest is shown only where none of them differs.
const DIGESTS: [(&str, &str, &[&str]); 3] = [
    ("machine_digest", "figures of the machine", &["machine", "filesystem"]),
    ("topology_digest", "links of the topology", &["topology"]),
    (
        "placement_digest",
        "nodes of the ranks",
        &["placement", "ranks", "ranks_per_node", "topology", "nics_per_node", "seed"],
    ),
];

/// Compares two results and prints what differs.
///
/// # Errors
/// Returns an error if a file is no result, both are of different kinds, or the report cannot be
/// written.
pub(crate) fn diff(asked: &Diff) -> Result<u8, Error> {
    let report = Destination::claim_if_asked(asked.report.as_deref(), &PAGES)?;
    let names = [asked.first.clone(), asked.second.clone()];
    let found = match (reading::load(&asked.first)?, reading::load(&asked.second)?) {
        (Saved::Run(a, first), Saved::Run(b, second)) => {
            let set_up = set_up([&[first], &[second]]);
            Difference { names, set_up, results: Results::Runs(Box::new(runs(&a, &b))) }
        }
        (Saved::Comparison(a, first), Saved::Comparison(b, second)) => {
            let set_up = set_up([&first, &second]);
            Difference { names, set_up, results: Results::Comparisons(comparisons(&a, &b)) }
        }
        (Saved::Run(..), Saved::Comparison(..)) | (Saved::Comparison(..), Saved::Run(..)) => {
            return Err(Error::BadFile {
                path: asked.second.clone(),
                reason: format!(
                    "is not the same kind of result as {}: one is a run, the other a comparison",
                    asked.first
                ),
            });
        }
    };
    match asked.json {
        true => json::print(&json::diff::Diff::new(&found)),
        false => print!("{}", diagnostic::printable(&render::difference(&found))),
    }
    if let Some(destination) = report {
        destination.write(html::difference(&found, &command()).as_bytes())?;
    }
    Ok(0)
}

/// Returns the settings of runs that differ; where several runs have several values, all of them. A member
/// that only one side has is not one: it was added to the schema between them.
fn set_up(sides: [&[Value]; 2]) -> Vec<(String, [String; 2])> {
    let different = |key: &str| {
        let [a, b] = sides.map(|runs| values(runs, key));
        (!a.is_empty() && !b.is_empty() && a != b).then(|| [a, b].map(|all| all.join(", ")))
    };
    let named = |(key, name): (&str, &str)| Some((name.to_owned(), different(key)?));
    let behind = |(key, name, explained_by): (&str, &str, &[&str])| {
        let is_explained = explained_by.iter().any(|name| different(name).is_some());
        if is_explained { None } else { named((key, name)) }
    };
    SET_UP.into_iter().filter_map(named).chain(DIGESTS.into_iter().filter_map(behind)).collect()
}

/// Returns the values that runs have of a member, each once, in the order of the runs.
fn values(runs: &[Value], key: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for value in runs.iter().filter_map(|run| run.get(key)).map(shown) {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

/// Returns a JSON value for display.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".into(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "-".into(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<String>>().join(" "),
        Value::Object(members) if members.is_empty() => "-".into(),
        Value::Object(members) => {
            let pairs = members.iter().map(|(key, value)| format!("{key}={}", shown(value)));
            pairs.collect::<Vec<String>>().join(" ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn time(ns: f64) -> SimTime {
    SimTime::from_ps((ns * 1e3).round().max(0.0) as u64)
}

fn times(rank: &Rank) -> Times {
    Times {
        compute: time(rank.busy_ns),
        overhead: time(rank.communicating_ns),
        waiting: time(rank.waiting_ns),
        end: time(rank.finish_ns),
    }
}

/// Returns the mean times of the ranks.
fn means(ranks: &[Rank]) -> Times {
    let mean = |of: fn(&Times) -> SimTime| {
        let sum: u128 = ranks.iter().map(|rank| u128::from(of(&times(rank)).as_ps())).sum();
        SimTime::from_ps((sum / ranks.len().max(1) as u128) as u64)
    };
    Times {
        compute: mean(|times| times.compute),
        overhead: mean(|times| times.overhead),
        waiting: mean(|times| times.waiting),
        end: mean(|times| times.end),
    }
}

fn runs(a: &Run, b: &Run) -> RunDifference {
    let count = a.per_rank.len().max(b.per_rank.len());
    let rank =
        |number: usize| -> Both<Times> { [a, b].map(|run| run.per_rank.get(number).map(times)) };
    let pair = |name: &str, of: fn(&Run) -> u64| Pair { name: name.into(), values: [of(a), of(b)] };
    let told = |run: &Run| -> Vec<String> {
        let findings = run.findings.iter();
        findings.map(|one| format!("{}[{}]: {}", one.severity, one.code, one.message)).collect()
    };
    let [first, second] = [told(a), told(b)];
    let only = |mine: &[String], other: &[String]| -> Vec<String> {
        mine.iter().filter(|text| !other.contains(text)).cloned().collect()
    };
    RunDifference {
        program: if a.program == b.program { a.program.clone() } else { String::new() },
        is_same: a.digest == b.digest,
        outcomes: [a.outcome.clone(), b.outcome.clone()],
        run_times: [time(a.makespan_ns), time(b.makespan_ns)],
        means: [means(&a.per_rank), means(&b.per_rank)],
        ranks: (0..count).map(rank).collect(),
        traffic: [pair("messages", |run| run.messages), pair("data", |run| run.bytes)],
        bounds: [a.bound_by.clone(), b.bound_by.clone()],
        hottest_links: [a, b].map(|run| {
            run.hottest_link.as_ref().map(|link| (link.name.clone(), link.busy_percent))
        }),
        profiles: a.profile.as_ref().zip(b.profile.as_ref()).map(|(a, b)| profiles(a, b)),
        common_findings: first.iter().filter(|text| second.contains(text)).count(),
        findings: [only(&first, &second), only(&second, &first)],
    }
}

/// A call site, operation or cause of one run: name, place, calls and time.
type Entry = (String, String, u64, f64);

/// Returns blocked time by cause, call sites and collective operations of two runs.
fn profiles(a: &Profile, b: &Profile) -> [Vec<Place>; 3] {
    let causes = |profile: &Profile| -> Vec<Entry> {
        let causes = profile.blocked.by_cause_ns.iter();
        causes.map(|(name, ns)| (name.clone(), String::new(), 0, *ns)).collect()
    };
    let sites = |profile: &Profile| -> Vec<Entry> {
        let entry = |site: &reading::Site| {
            let place = site.file.as_ref().zip(site.line);
            let place = place.map(|(file, line)| format!("{file}:{line}")).unwrap_or_default();
            (site.call.clone(), place, site.calls, site.time_ns)
        };
        profile.call_sites.iter().map(entry).collect()
    };
    let operations = |profile: &Profile| -> Vec<Entry> {
        let all = profile.collectives.iter();
        all.map(|one| (one.operation.clone(), String::new(), one.calls, one.time_ns)).collect()
    };
    [
        matched(causes(a), causes(b)),
        matched(sites(a), sites(b)),
        matched(operations(a), operations(b)),
    ]
}

/// Puts the entries of equal names and places beside each other.
fn matched(first: Vec<Entry>, second: Vec<Entry>) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    let mut numbers: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (at, entries) in [first, second].into_iter().enumerate() {
        for (name, place, calls, ns) in entries {
            let number = *numbers.entry((name, place)).or_insert_with_key(|(name, place)| {
                let (name, place) = (name.clone(), place.clone());
                places.push(Place { name, place, calls: [0, 0], times: [SimTime::ZERO; 2] });
                places.len() - 1
            });
            places[number].calls[at] += calls;
            places[number].times[at] += time(ns).since(SimTime::ZERO);
        }
    }
    places
}

fn comparisons(a: &Comparison, b: &Comparison) -> ComparisonDifference {
    let columns = distinguishing([a, b]);
    let mut rows: Vec<ConfigurationPair> = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (at, comparison) in [a, b].into_iter().enumerate() {
        for row in &comparison.rows {
            let number = *numbers.entry(name(row, &columns)).or_insert_with_key(|name| {
                let outcomes = ["not there", "not there"].map(str::to_owned);
                rows.push(ConfigurationPair { name: name.clone(), times: [None, None], outcomes });
                rows.len() - 1
            });
            let completed = row.outcome == reports::analysis::COMPLETED;
            rows[number].times[at] = completed.then(|| time(row.makespan_ns));
            rows[number].outcomes[at].clone_from(&row.outcome);
        }
    }
    ComparisonDifference { rows, advice: [a.advice.clone(), b.advice.clone()] }
}

/// What a column of a comparison says of a configuration.
type Column = fn(&Row) -> String;

/// Returns the columns that distinguish the configurations of a comparison: those in which some of one comparison differ, and
/// topology and ranks if they are the same in both. What only distinguishes the comparisons is what they are compared for.
fn distinguishing(comparisons: [&Comparison; 2]) -> Vec<Column> {
    let shown: [Column; 2] = [|row| row.topology.clone(), |row| counted(row.ranks.into(), "rank")];
    let others: [Column; 4] = [
        |row| row.machine.clone(),
        |row| row.network.clone(),
        |row| row.placement.clone(),
        |row| row.collectives.join(" "),
    ];
    let differs_within = |of: &Column| {
        let differs = |rows: &[Row]| rows.windows(2).any(|two| of(&two[0]) != of(&two[1]));
        comparisons.iter().any(|comparison| differs(&comparison.rows))
    };
    let is_the_same = |of: &Column| {
        let [one, other] = comparisons.map(|comparison| comparison.rows.first().map(of));
        one == other
    };
    let shown = shown.into_iter().filter(|of| differs_within(of) || is_the_same(of));
    shown.chain(others.into_iter().filter(differs_within)).collect()
}

/// Returns what distinguishes a configuration: these columns and the settings of its axes.
fn name(row: &Row, columns: &[Column]) -> String {
    let values = columns.iter().map(|of| of(row)).filter(|value| !value.is_empty());
    let settings = row.settings.iter().map(|setting| format!("{}={}", setting.axis, setting.value));
    let parts: Vec<String> = values.chain(settings).collect();
    if parts.is_empty() { "the configuration".to_owned() } else { parts.join(", ") }
}
