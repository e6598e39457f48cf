//! The difference between two results as text.

use sim_core::SimTime;

use super::text::{aligned, field, selected};
use crate::{
    analysis::{
        Both, ComparisonDifference, ConfigurationPair, Difference, Place, Results, RunDifference,
        Times, change_between, different,
    },
    format::{bytes, count, counted, percent, signed_percent},
};

/// Most ranks that get a line each.
const RANKS: usize = 16;

/// Most call sites that get a line each.
const SITES: usize = 10;

/// Returns the report on two results.
pub fn difference(found: &Difference) -> String {
    let [first, second] = &found.names;
    let mut parts = vec![vec![field("A", first), field("B", second)]];
    let mut set_up = vec![["set-up", "A", "B"].map(str::to_owned).to_vec()];
    let setting = |(name, [a, b]): &(String, [String; 2])| vec![name.clone(), a.clone(), b.clone()];
    set_up.extend(found.set_up.iter().map(setting));
    parts.push(match found.set_up.is_empty() {
        true => vec!["No difference in the set-up that the files tell.".to_owned()],
        false => aligned(&set_up, 3),
    });
    match &found.results {
        Results::Runs(runs) => run_parts(runs, &mut parts),
        Results::Comparisons(comparisons) => comparison_parts(comparisons, &mut parts),
    }
    let text: Vec<String> = parts.iter().map(|part| part.join("\n") + "\n").collect();
    text.join("\n")
}

fn row(name: &str, a: String, b: String, change: Option<f64>) -> Vec<String> {
    vec![name.to_owned(), a, b, change.map_or(String::new(), signed_percent)]
}

fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// Returns the names of the columns and the cells of the table on the whole runs.
pub(super) fn run_cells(runs: &RunDifference) -> Vec<Vec<String>> {
    let mut rows = vec![head(&["", "A", "B", "change"])];
    let [a, b] = runs.run_times;
    let [first, second] = &runs.outcomes;
    if first != second || runs.change().is_none() {
        rows.push(row("outcome", first.clone(), second.clone(), None));
    }
    rows.push(row("run time", a.to_string(), b.to_string(), runs.change()));
    let [a, b] = &runs.means;
    let parts: [(&str, fn(&Times) -> SimTime); 4] = [
        ("compute, mean of the ranks", |times| times.compute),
        ("overhead in MPI", |times| times.overhead),
        ("waiting", |times| times.waiting),
        ("end of a rank", |times| times.end),
    ];
    for (name, of) in parts {
        let change = change_between(of(a), of(b));
        rows.push(row(name, of(a).to_string(), of(b).to_string(), change));
    }
    for (pair, show) in runs.traffic.iter().zip([count as fn(u64) -> String, bytes]) {
        let [a, b] = pair.values;
        let change = (a > 0).then(|| (b as f64 / a as f64 - 1.0) * 100.0);
        let change = if a == b { Some(0.0) } else { change };
        rows.push(row(&pair.name, show(a), show(b), change));
    }
    rows
}

fn run_parts(runs: &RunDifference, parts: &mut Vec<Vec<String>>) {
    if runs.is_same {
        parts.push(vec!["Both are the same run: their digests are equal.".to_owned()]);
    }
    let mut whole = aligned(&run_cells(runs), 1);
    whole.extend(sentences(runs));
    parts.push(whole);
    parts.push(ranks(runs));
    if let Some([causes, sites, collectives]) = &runs.profiles {
        for (what, places, most) in [
            ("blocked time", causes, usize::MAX),
            ("call", sites, SITES),
            ("collective", collectives, usize::MAX),
        ] {
            parts.push(places_part(what, places, most));
        }
    }
    let names = ["A", "B"];
    let mut findings = Vec::new();
    for (name, only) in names.iter().zip(&runs.findings) {
        findings.extend(only.iter().map(|text| format!("only in {name}: {text}")));
    }
    if runs.common_findings > 0 {
        findings.push(format!("in both: {}", counted(runs.common_findings as u64, "finding")));
    }
    if !findings.is_empty() {
        parts.push(findings);
    }
}

/// Returns what bounds the runs and their busiest links, where they differ.
fn sentences(runs: &RunDifference) -> Vec<String> {
    let mut lines = Vec::new();
    let [a, b] = &runs.bounds;
    if a != b {
        lines.extend([format!("A is bound by {a}"), format!("B is bound by {b}")]);
    }
    let link = |link: &Option<(String, f64)>| match link {
        Some((name, busy)) => format!("{name}, busy {}", percent(*busy)),
        None => "none".to_owned(),
    };
    let [a, b] = runs.hottest_links.each_ref().map(link);
    if a != b {
        lines.push(format!("hottest link in A: {a}; in B: {b}"));
    }
    lines
}

fn ranks(runs: &RunDifference) -> Vec<String> {
    let differ = runs.different_ranks();
    if differ.is_empty() {
        return vec!["No rank spends its time differently.".to_owned()];
    }
    let mut rows = vec![head(&["rank", "end in A", "end in B", "compute", "overhead", "waiting"])];
    let line = |(rank, times): &(usize, &Both<Times>)| {
        let end = |times: &Option<Times>| times.map_or("-".into(), |times| times.end.to_string());
        let mut row = vec![rank.to_string(), end(&times[0]), end(&times[1])];
        let parts: [fn(&Times) -> SimTime; 3] =
            [|times| times.compute, |times| times.overhead, |times| times.waiting];
        row.extend(parts.map(|of| match times {
            [Some(a), Some(b)] => signed(of(a), of(b)),
            _ => "-".into(),
        }));
        row
    };
    rows.extend(differ.iter().take(RANKS).map(line));
    let mut lines = aligned(&rows, 0);
    lines.extend(selected(RANKS, differ.len(), "ranks that differ most"));
    lines
}

/// Returns a difference of times with its sign.
pub(super) fn signed(before: SimTime, after: SimTime) -> String {
    match after.as_ps().abs_diff(before.as_ps()) {
        0 => "0".to_owned(),
        ps if after > before => format!("+{}", SimTime::from_ps(ps)),
        ps => format!("-{}", SimTime::from_ps(ps)),
    }
}

fn places_part(what: &str, places: &[Place], most: usize) -> Vec<String> {
    let differ = different(places);
    if differ.is_empty() {
        return vec![format!("No {what} differs.")];
    }
    let (cells, left) = place_cells(what, &differ[..differ.len().min(most)]);
    let mut lines = aligned(&cells, left);
    if differ.len() > most {
        lines.push(format!("({} more; --json lists each)", differ.len() - most));
    }
    lines
}

/// Returns the names of the columns and the cells of a table of call sites, operations or causes, and how many
/// of the columns are text. Causes have neither a site nor calls, operations have no site.
pub(super) fn place_cells(what: &str, places: &[&Place]) -> (Vec<Vec<String>>, usize) {
    let has_sites = places.iter().any(|place| !place.place.is_empty());
    let has_calls = places.iter().any(|place| place.calls != [0, 0]);
    let row = |name: &str, site: &str, calls: [String; 2], times: [String; 3]| -> Vec<String> {
        let site = has_sites.then(|| site.to_owned());
        let calls = calls.into_iter().filter(|_| has_calls);
        [name.to_owned()].into_iter().chain(site).chain(calls).chain(times).collect()
    };
    let texts = |texts: [&str; 3]| texts.map(str::to_owned);
    let calls = ["calls A", "calls B"].map(str::to_owned);
    let mut rows = vec![row(what, "site", calls, texts(["time A", "time B", "difference"]))];
    rows.extend(places.iter().map(|place| {
        let [a, b] = place.times;
        let times = [a.to_string(), b.to_string(), signed(a, b)];
        row(&place.name, &place.place, place.calls.map(count), times)
    }));
    (rows, if has_sites { 2 } else { 1 })
}

/// Returns the names of the columns and the cells of the table of configurations.
pub(super) fn configuration_cells(found: &ComparisonDifference) -> Vec<Vec<String>> {
    let mut rows = vec![head(&["configuration", "A", "B", "change"])];
    let cell = |pair: &ConfigurationPair, at: usize| match pair.times[at] {
        Some(time) => time.to_string(),
        None => pair.outcomes[at].clone(),
    };
    rows.extend(
        found.rows.iter().map(|pair| row(&pair.name, cell(pair, 0), cell(pair, 1), pair.change())),
    );
    rows
}

fn comparison_parts(found: &ComparisonDifference, parts: &mut Vec<Vec<String>>) {
    parts.push(aligned(&configuration_cells(found), 1));
    let [a, b] = &found.advice;
    if a != b {
        parts.push(vec![format!("Advice of A: {a}"), format!("Advice of B: {b}")]);
    }
}
