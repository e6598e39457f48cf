//! The profile of a run as text.

mod one_sided;

use mpi_api::outcome::{Ending, RunResult};
use sim_core::SimDuration;

use super::text::{aligned, field, selected};
use crate::{
    analysis::{
        AlgorithmUse, CallSite, CollectiveTime, Efficiencies, Profile, WaitState, Waits, largest,
    },
    format::{bytes, count, percent, percent_of, size_range},
};

/// Most ranks that get a line each in the table of wait states; of more, those that wait longest do.
const RANKS: usize = 16;

/// Most characters of a call site.
const PLACE: usize = 44;

/// Returns the line of the efficiencies that every run tells.
pub(super) fn efficiency_line(found: &Efficiencies) -> String {
    if found.communication == 0.0 {
        return field("efficiency", "0 %: no rank computes outside MPI");
    }
    let percent = |value: f64| percent(100.0 * value);
    let [parallel, balance, communication] =
        [found.parallel, found.load_balance, found.communication].map(percent);
    let text = format!("{parallel} = load balance {balance} x communication {communication}");
    field("efficiency", &text)
}

/// Returns what the communication efficiency consists of.
pub(super) fn parts(found: &Efficiencies) -> String {
    let percent = |value: f64| percent(100.0 * value);
    match &found.ideal {
        Err(reason) => format!("parts of the communication efficiency are not known: {reason}"),
        Ok(ideal) => {
            let serial = found.serialisation().map_or("-".into(), percent);
            let transfer = found.transfer().map_or("-".into(), percent);
            format!(
                "communication {} = serialisation {serial} x transfer {transfer} (run time on an ideal network: {ideal})",
                percent(found.communication)
            )
        }
    }
}

/// Returns the sections of a profile: wait states, call sites (at most `lines`, if there is a limit),
/// collectives and message sizes.
pub fn profile(profile: &Profile, result: &RunResult, lines: Option<usize>) -> String {
    let whole = rank_time(result);
    let mut text = vec![String::new()];
    text.extend(wait_states(profile, result));
    text.push(String::new());
    text.extend(call_sites(profile, whole, lines));
    if !profile.collectives.is_empty() {
        text.push(String::new());
        text.extend(collectives(profile, whole));
        text.push(String::new());
        text.extend(algorithms(profile));
    }
    if let Some(found) = &profile.one_sided {
        text.extend(one_sided::sections(found, whole));
    }
    if profile.used_sizes().next().is_some() {
        text.push(String::new());
        text.extend(sizes(profile));
    }
    text.join("\n") + "\n"
}

/// Returns the time of all ranks together, in picoseconds.
pub(super) fn rank_time(result: &RunResult) -> u128 {
    u128::from(result.makespan.as_ps()) * result.ranks.len().max(1) as u128
}

/// Says why no rank was blocked for any time.
pub(super) fn nothing_blocked(ending: Ending) -> &'static str {
    match ending {
        Ending::Completed => "no rank is ever blocked",
        Ending::Stalled | Ending::Failed => {
            "no rank had been blocked for any time when the run ended; its findings say what holds it up"
        }
    }
}

pub(super) fn share(time: SimDuration, whole: u128) -> String {
    percent(percent_of(time.as_ps(), whole))
}

/// Returns blocked time by cause: of all ranks, and of each of the ranks that wait longest.
fn wait_states(profile: &Profile, result: &RunResult) -> Vec<String> {
    let whole = rank_time(result);
    let used: Vec<WaitState> = WaitState::ALL
        .into_iter()
        .filter(|state| profile.total.get(*state) > SimDuration::ZERO)
        .collect();
    if used.is_empty() {
        return vec![nothing_blocked(result.ending).to_owned()];
    }
    let mut head = vec!["blocked time".to_owned()];
    head.extend(used.iter().map(|state| state.name().to_owned()));
    let has_wrong_order = profile.total.wrong_order > SimDuration::ZERO;
    head.extend(has_wrong_order.then(|| "of it wrong order".to_owned()));
    let row = |name: String, waits: &Waits| {
        let mut row = vec![name];
        row.extend(used.iter().map(|state| waits.get(*state).to_string()));
        row.extend(has_wrong_order.then(|| waits.wrong_order.to_string()));
        row
    };
    let mut rows = vec![head, row("all ranks".into(), &profile.total)];
    let mut shares = vec!["of rank time".to_owned()];
    shares.extend(used.iter().map(|state| share(profile.total.get(*state), whole)));
    shares.extend(has_wrong_order.then(|| share(profile.total.wrong_order, whole)));
    rows.push(shares);
    let longest = largest(profile.ranks.iter().enumerate(), RANKS, |(_, waits)| waits.total());
    rows.extend(longest.iter().map(|(rank, waits)| row(format!("rank {rank}"), waits)));
    let mut lines = aligned(&rows, 1);
    lines.extend(selected(RANKS, profile.ranks.len(), "ranks that are blocked longest"));
    lines
}

fn call_sites(profile: &Profile, whole: u128, most: Option<usize>) -> Vec<String> {
    let head = [
        "call",
        "site",
        "calls",
        "sent",
        "received",
        "time",
        "share",
        "waiting",
        "transfer",
        "imbalance",
    ];
    let row = |site: &CallSite| {
        vec![
            site.call.to_owned(),
            shorten_front(&site.place()),
            count(site.calls),
            bytes(site.sent),
            bytes(site.received),
            site.time().to_string(),
            share(site.time(), whole),
            share(site.waits.waiting(), whole),
            share(site.waits.get(WaitState::Transfer), whole),
            format!("{:.2}", site.imbalance()),
        ]
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(profile.sites.iter().take(most.unwrap_or(usize::MAX)).map(row));
    let left = profile.sites.len() + 1 - rows.len();
    let mut lines = aligned(&rows, 2);
    if left > 0 {
        lines.push(format!("({left} more; --profile=all shows each of them)"));
    }
    lines
}

/// Returns a place without the beginning of its path if it is long: the end tells places apart.
fn shorten_front(place: &str) -> String {
    let length = place.chars().count();
    if length <= PLACE {
        return place.to_owned();
    }
    std::iter::once('…').chain(place.chars().skip(length - PLACE + 1)).collect()
}

fn collectives(profile: &Profile, whole: u128) -> Vec<String> {
    let head = ["collective", "calls", "bytes", "time", "share", "overhead", "waiting", "transfer"];
    let row = |one: &CollectiveTime| {
        vec![
            one.operation.to_owned(),
            count(one.calls),
            bytes(one.bytes),
            one.time().to_string(),
            share(one.time(), whole),
            one.overhead.to_string(),
            one.waits.waiting().to_string(),
            one.waits.get(WaitState::Transfer).to_string(),
        ]
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(profile.collectives.iter().map(row));
    aligned(&rows, 1)
}

/// Returns the sizes of data that ranks have in the calls which an algorithm carried out.
pub(super) fn sizes_of(one: &AlgorithmUse) -> String {
    match one.bytes {
        (least, most) if least == most => bytes(least),
        (least, most) => format!("{} to {}", bytes(least), bytes(most)),
    }
}

/// Returns the algorithms that carried out each collective.
fn algorithms(profile: &Profile) -> Vec<String> {
    let head = ["collective", "algorithm", "calls", "data of a rank"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for collective in &profile.collectives {
        rows.extend(collective.algorithms.by_calls().iter().map(|one| {
            vec![
                collective.operation.to_owned(),
                one.algorithm.name().to_owned(),
                count(one.calls),
                sizes_of(one),
            ]
        }));
    }
    aligned(&rows, 2)
}

fn sizes(profile: &Profile) -> Vec<String> {
    let mut head = vec!["message size", "messages", "data", "inside collectives", "data"];
    let has_accesses = profile.has_accesses();
    if has_accesses {
        head.extend(["one-sided", "data"]);
    }
    let mut rows = vec![head.into_iter().map(str::to_owned).collect()];
    for class in profile.used_sizes() {
        let mut row = vec![
            size_range(class.from),
            count(class.messages),
            bytes(class.bytes),
            count(class.inside),
            bytes(class.inside_bytes),
        ];
        if has_accesses {
            row.extend([count(class.accesses), bytes(class.accessed_bytes)]);
        }
        rows.push(row);
    }
    aligned(&rows, 1)
}
