//! Advice on which topology to choose.

use super::spread::agreement;
use crate::{
    comparison::{Differ, Row, ranked},
    format::{count, counted},
};

/// Percentage by which a cheaper network may be slower and still be recommended.
const TOLERANCE_PERCENT: u64 = 5;

/// Returns one paragraph of advice: with the largest number of ranks, the fastest configuration, or
/// a cheaper one that is hardly slower, and its cost.
///
/// Of several network models the last one of the comparison counts; further sentences say whether
/// the others agree with it.
pub fn advice(rows: &[Row]) -> String {
    let last = rows.last().map(|row| row.network.clone());
    let of_last: Vec<Row> =
        rows.iter().filter(|row| Some(&row.network) == last.as_ref()).cloned().collect();
    if of_last.len() == rows.len() {
        return of_one_model(rows);
    }
    let model = last.unwrap_or_default();
    format!("Under {model}: {}{}", of_one_model(&of_last), agreement(rows))
}

/// Returns the advice of one network model.
fn of_one_model(rows: &[Row]) -> String {
    let Some(most) = rows.iter().map(|row| row.ranks).max() else {
        return "There is nothing to choose from: no configuration was run.".to_owned();
    };
    let all = ranked(rows);
    let order: Vec<&Row> =
        all.iter().filter(|row| row.ranks == most && row.completed()).copied().collect();
    let Some(fastest) = order.first() else {
        let count = counted(u64::from(most), "rank");
        return format!("There is nothing to choose from: no run with {count} completed.");
    };
    let allowed = fastest.makespan.as_ps() / 100 * (100 + TOLERANCE_PERCENT);
    let chosen = order
        .iter()
        .filter(|row| row.makespan == fastest.makespan || row.makespan.as_ps() <= allowed)
        .min_by_key(|row| (row.structure.links, row.makespan))
        .expect("the fastest is within the tolerance of itself");
    let differ = Differ::of(&all);
    let mut text = format!(
        "With {} choose {}: it runs in {} and costs {}, with a diameter of {}.",
        counted(u64::from(most), "rank"),
        differ.name(chosen),
        chosen.makespan,
        cost(chosen),
        counted(u64::from(chosen.structure.diameter), "hop"),
    );
    match &chosen.hottest_link {
        Some((name, busy)) => {
            text.push_str(&format!(" Its hottest link, {name}, is busy {busy:.1} % of the run."));
        }
        None => text.push_str(" The network model has no links that could be shared."),
    }
    if std::ptr::eq(*chosen, *fastest) {
        text.push_str(&runner_up(chosen, &order));
    } else {
        text.push_str(&format!(
            " {} would be {:.1} % faster ({}) but needs {}: {}.",
            differ.name(fastest),
            100.0 * (1.0 - ratio(fastest, chosen)),
            fastest.makespan,
            cost(fastest),
            extra(fastest.structure.links, chosen.structure.links),
        ));
    }
    text.push_str(&scaling(chosen, &all));
    text
}

/// Returns a sentence if fewer ranks of the same configuration are about as fast.
fn scaling(chosen: &Row, all: &[&Row]) -> String {
    let same = |row: &&&Row| {
        row.kind == chosen.kind
            && row.machine == chosen.machine
            && row.placement == chosen.placement
            && row.collectives == chosen.collectives
            && row.completed()
    };
    // The rows are sorted from fast to slow, so the first match is the best number of ranks.
    match all.iter().find(same) {
        Some(best) if best.ranks < chosen.ranks => format!(
            " The run time of {} grows from {} with {} to {} with {}: so many ranks pay only if the \
             work grows with them.",
            chosen.kind,
            best.makespan,
            counted(u64::from(best.ranks), "rank"),
            chosen.makespan,
            counted(u64::from(chosen.ranks), "rank"),
        ),
        _ => String::new(),
    }
}

fn runner_up(chosen: &Row, order: &[&Row]) -> String {
    let next =
        order.iter().find(|row| row.topology != chosen.topology && row.ranks == chosen.ranks);
    let Some(next) = next else {
        return " No other topology was run with as many.".to_owned();
    };
    let slower = 100.0 * (ratio(next, chosen) - 1.0);
    let speed =
        if slower < 0.05 { "takes as long".to_owned() } else { format!("is {slower:.1} % slower") };
    let cost = match next.structure.links.cmp(&chosen.structure.links) {
        std::cmp::Ordering::Less => {
            format!("saves {} of them", { count(chosen.structure.links - next.structure.links) })
        }
        std::cmp::Ordering::Equal => "costs as many".to_owned(),
        std::cmp::Ordering::Greater => format!("costs {}", count(next.structure.links)),
    };
    format!(
        " The next topology, {}, {speed} ({}); in links it {cost}.",
        next.topology, next.makespan
    )
}

fn cost(row: &Row) -> String {
    let links = counted(row.structure.links, "link");
    match row.structure.switches {
        0 => links,
        1 => format!("{links} and 1 switch"),
        switches => format!("{links} and {switches} switches"),
    }
}

fn ratio(a: &Row, b: &Row) -> f64 {
    a.makespan.as_ps() as f64 / (b.makespan.as_ps() as f64).max(1.0)
}

fn extra(more: u64, fewer: u64) -> String {
    if fewer == 0 {
        return "the chosen one needs no links".to_owned();
    }
    format!("{:.0} % more links", 100.0 * (more as f64 / fewer as f64 - 1.0))
}
