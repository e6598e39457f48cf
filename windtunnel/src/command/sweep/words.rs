//! What `sweep` prints.

use std::collections::BTreeMap;

use sim_core::{SimTime, statistics::median, words::counted};

use super::Axis;
use crate::json::sweep::{AxisSummary, Ended, Header, Misfit, Row, Sweep, ValueSummary};

/// Most reasons that the text shows.
const REASONS_MAX: usize = 8;

/// Returns the summary of a study.
pub(super) fn summary(
    header: &Header,
    axes: &[Axis],
    rows: &BTreeMap<u64, Row>,
    results: String,
) -> Sweep {
    let count = |ended: Ended| rows.values().filter(|row| row.outcome == ended).count() as u64;
    let timed = || rows.values().filter_map(|row| Some((row.makespan_ns?, row)));
    let by_time = |one: &(f64, &Row), other: &(f64, &Row)| one.0.total_cmp(&other.0);
    // Of equal runs `max_by` takes the last, `min_by` the first.
    let slowest = timed().collect::<Vec<_>>().into_iter().rev().max_by(by_time);
    Sweep {
        schema: "windtunnel.sweep/1",
        program: header.program.clone(),
        results,
        configurations: header.configurations,
        done: rows.len() as u64,
        completed: count(Ended::Completed),
        stalled: count(Ended::Stalled),
        failed: count(Ended::Failed),
        impossible: count(Ended::Impossible),
        misfits: misfits(rows),
        fastest: timed().min_by(by_time).map(|(_, row)| row.clone()),
        slowest: slowest.map(|(_, row)| row.clone()),
        axes: axes.iter().map(|axis| axis_summary(axis, rows)).collect(),
    }
}

/// Returns why configurations cannot be run.
fn misfits(rows: &BTreeMap<u64, Row>) -> Vec<Misfit> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut misfits: Vec<Misfit> = Vec::new();
    for row in rows.values().filter(|row| row.outcome == Ended::Impossible) {
        let reason = row.reason.as_deref().unwrap_or_default();
        let place = *places.entry(reason).or_insert(misfits.len());
        match misfits.get_mut(place) {
            Some(known) => known.configurations += 1,
            None => misfits.push(Misfit {
                reason: reason.to_owned(),
                configurations: 1,
                first: row.number,
            }),
        }
    }
    misfits
}

/// Returns the error of a study none of whose configurations can be run: the reason of the first, and whether it is that of
/// all.
pub(super) fn none_possible(configurations: u64, first: &str, of_all: bool) -> String {
    match configurations {
        1 => format!("the only configuration of the study is impossible: {first}"),
        many if of_all => format!("all {many} configurations of the study are impossible: {first}"),
        many => {
            format!("all {many} configurations of the study are impossible, the first: {first}")
        }
    }
}

/// Returns a line for each of the first reasons, and one for those that are left out.
fn misfit_lines(misfits: &[Misfit]) -> String {
    let line = |Misfit { reason, configurations, first }: &Misfit| match configurations {
        1 => format!("impossible   number {first}: {reason}\n"),
        many => format!("impossible   {many}, the first is number {first}: {reason}\n"),
    };
    let mut lines: String = misfits.iter().take(REASONS_MAX).map(line).collect();
    if let Some(others) = misfits.get(REASONS_MAX..).filter(|others| !others.is_empty()) {
        let others = counted(others.len() as u64, "other reason");
        lines.push_str(&format!("impossible   for {others}; the results name them\n"));
    }
    lines
}

fn axis_summary(axis: &Axis, rows: &BTreeMap<u64, Row>) -> AxisSummary {
    let name = axis.name();
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows.values() {
        if let (Some(value), Some(time)) = (row.settings.get(&name), row.makespan_ns) {
            times.entry(value).or_default().push(time);
        }
    }
    let value = |at: usize| {
        let mut times = times.remove(axis.text(at)).unwrap_or_default();
        times.sort_unstable_by(f64::total_cmp);
        ValueSummary {
            value: axis.text(at).to_owned(),
            runs: times.len() as u64,
            median_ns: median(&times),
            least_ns: times.first().copied(),
        }
    };
    AxisSummary { values: (0..axis.len()).map(value).collect(), name }
}

fn time(ns: Option<f64>) -> String {
    ns.map_or("-".into(), |ns| SimTime::from_ps((ns * 1000.0).round() as u64).to_string())
}

fn run(label: &str, row: Option<&Row>, axes: &[AxisSummary]) -> String {
    let Some(row) = row else { return String::new() };
    let setting =
        |axis: &AxisSummary| Some(format!("{}={}", axis.name, row.settings.get(&axis.name)?));
    let varied = axes.iter().filter(|axis| axis.values.len() > 1);
    let settings: Vec<String> = varied.filter_map(setting).collect();
    let settings =
        if settings.is_empty() { String::new() } else { format!(": {}", settings.join(", ")) };
    format!("{label:<12} {}{settings} (number {})\n", time(row.makespan_ns), row.number)
}

/// Returns the summary as text.
pub(super) fn text(sweep: &Sweep) -> String {
    let Sweep { done, configurations, completed, stalled, failed, impossible, .. } = sweep;
    let mut text = format!(
        "study        {}, {done} of {}: {completed} completed, {stalled} stalled, {failed} failed, \
         {impossible} impossible\n",
        sweep.program,
        counted(*configurations, "configuration")
    );
    text.push_str(&format!("results      {}\n", sweep.results));
    text.push_str(&misfit_lines(&sweep.misfits));
    text.push_str(&run("fastest", sweep.fastest.as_ref(), &sweep.axes));
    text.push_str(&run("slowest", sweep.slowest.as_ref(), &sweep.axes));
    for axis in &sweep.axes {
        let values = axis.values.iter().map(|value| value.value.chars().count());
        let width = values.chain([axis.name.chars().count()]).max().unwrap_or_default();
        text.push_str(&format!("\n{:width$}    runs      median       least\n", axis.name));
        for ValueSummary { value, runs, median_ns, least_ns } in &axis.values {
            let (median, least) = (time(*median_ns), time(*least_ns));
            text.push_str(&format!("{value:width$}  {runs:>6}  {median:>10}  {least:>10}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!([median(&[]), median(&[3.0])], [None, Some(3.0)]);
        assert_eq!([median(&[1.0, 2.0]), median(&[1.0, 5.0, 9.0])], [Some(1.5), Some(5.0)]);
    }
}
