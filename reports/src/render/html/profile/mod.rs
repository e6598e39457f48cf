//! The section on where the time of a run went.

mod one_sided;

use maud::{Markup, html};
use mpi_api::outcome::{Ending, RunResult};
use sim_core::SimDuration;

use super::figure;
use crate::{
    analysis::{Algorithms, Efficiencies, Profile, WaitState},
    format::{bytes, count, percent, percent_of, size_range},
    render::{
        profile::{nothing_blocked, rank_time, share, sizes_of},
        svg,
    },
};

/// Most call sites that are listed, the longest ones.
const SITES: usize = 100;

/// Most call sites that are drawn, the longest ones.
const BARS: usize = 10;

/// Returns the sections of a profile.
pub(super) fn profile(
    profile: &Profile,
    efficiencies: Option<&Efficiencies>,
    result: &RunResult,
) -> Markup {
    let whole = rank_time(result);
    let share = |time: SimDuration| share(time, whole);
    html! {
        h2 { "Where the time went" }
        @if let Some(found) = efficiencies { (efficiency(found)) }
        h3 { "Wait states" }
        (wait_states(profile, result.ending, &share))
        h3 { "Call sites" }
        (picture(profile, whole))
        (sites(profile, &share))
        @if !profile.collectives.is_empty() {
            h3 { "Collective operations" }
            (collectives(profile, &share))
        }
        @if let Some(found) = &profile.one_sided { (one_sided::one_sided(found, &share)) }
        (sizes(profile))
    }
}

/// Returns the tables of collective operations, and of the algorithms that carried them out.
fn collectives(profile: &Profile, share: &dyn Fn(SimDuration) -> String) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th.l { "operation" } th { "calls" } th { "bytes" } th { "time" } th { "share" }
                th { "overhead" } th { "waiting" } th { "transfer" }
            } }
            tbody { @for one in &profile.collectives { tr {
                td.l { (one.operation) } td { (count(one.calls)) } td { (bytes(one.bytes)) }
                td { (one.time()) } td { (share(one.time())) } td { (one.overhead) }
                td { (one.waits.waiting()) } td { (one.waits.get(WaitState::Transfer)) }
            } } }
        } }
        div.scroll { table {
            thead { tr { th.l { "operation" } th.l { "algorithm" } th { "calls" } th { "data of a rank" } } }
            tbody { @for one in &profile.collectives { @for used in one.algorithms.by_calls() { tr {
                td.l { (one.operation) } td.l { (used.algorithm) } td { (count(used.calls)) }
                td { (sizes_of(&used)) }
            } } } }
        } }
    }
}

/// Returns the names of algorithms, those with most calls first.
fn names(algorithms: &Algorithms) -> String {
    let names = algorithms.by_calls();
    names.iter().map(|one| one.algorithm.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the section on the sizes of messages.
fn sizes(profile: &Profile) -> Markup {
    let has_accesses = profile.has_accesses();
    let rows: Vec<(String, [u64; 3])> = profile
        .used_sizes()
        .map(|class| (size_range(class.from), [class.messages, class.inside, class.accesses]))
        .collect();
    html! { @if !rows.is_empty() {
        h3 { "Message sizes" }
        (figure(&svg::size_classes(&rows), "Each bar is a power of two; sizes that no message has are left out."))
        div.scroll { table {
            thead { tr {
                th.l { "message size" } th { "messages" } th { "data" } th { "inside collectives" } th { "data" }
                @if has_accesses { th { "one-sided" } th { "data" } }
            } }
            tbody { @for class in profile.used_sizes() { tr {
                td.l { (size_range(class.from)) } td { (count(class.messages)) } td { (bytes(class.bytes)) }
                td { (count(class.inside)) } td { (bytes(class.inside_bytes)) }
                @if has_accesses { td { (count(class.accesses)) } td { (bytes(class.accessed_bytes)) } }
            } } }
        } }
    } }
}

fn efficiency(found: &Efficiencies) -> Markup {
    let percent = |value: f64| percent(100.0 * value);
    html! {
        p {
            "Parallel efficiency " (percent(found.parallel)) " = load balance "
            (percent(found.load_balance)) " × communication efficiency "
            (percent(found.communication)) "."
            @match (&found.ideal, found.serialisation(), found.transfer()) {
                (Ok(ideal), Some(serial), Some(transfer)) => {
                    " Communication = serialisation " (percent(serial)) " × transfer "
                    (percent(transfer)) ": on an ideal network the run takes " (ideal) "."
                }
                (Err(reason), ..) => { " Its parts, serialisation and transfer: " (reason) "." }
                _ => {}
            }
        }
    }
}

fn wait_states(profile: &Profile, ending: Ending, share: &dyn Fn(SimDuration) -> String) -> Markup {
    let used = WaitState::ALL.into_iter();
    let used: Vec<WaitState> =
        used.filter(|state| profile.total.get(*state) > SimDuration::ZERO).collect();
    if used.is_empty() {
        return html! { p { "Blocked time: " (nothing_blocked(ending)) "." } };
    }
    html! {
        div.scroll { table {
            thead { tr { th.l { "cause" } th { "time of all ranks" } th { "share" } } }
            tbody {
                @for state in used { tr {
                    td.l { (state.name()) } td { (profile.total.get(state)) }
                    td { (share(profile.total.get(state))) }
                } }
                @if profile.total.wrong_order > SimDuration::ZERO { tr {
                    td.l { "of late sender: wrong order" } td { (profile.total.wrong_order) }
                    td { (share(profile.total.wrong_order)) }
                } }
            }
        } }
    }
}

fn picture(profile: &Profile, whole: u128) -> Markup {
    let bar = |site: &crate::analysis::CallSite| {
        let parts = [site.overhead, site.waits.waiting(), site.waits.get(WaitState::Transfer)];
        let share = |time: SimDuration| percent_of(time.as_ps(), whole);
        let place = site.place();
        let file = place.rsplit('/').next().unwrap_or(&place).to_owned();
        (format!("{} {file}", site.call), parts.map(share))
    };
    let rows: Vec<(String, [f64; 3])> = profile.sites.iter().take(BARS).map(bar).collect();
    let title = "Share of ranks times run time in the longest call sites";
    html! { @if !rows.is_empty() {
        (figure(&svg::mpi_time(title, &rows),
            "Waiting is time until the last rank that is waited for makes its call; transfer is blocked time after that."))
    } }
}

fn sites(profile: &Profile, share: &dyn Fn(SimDuration) -> String) -> Markup {
    let has_algorithms = profile.sites.iter().any(|site| !site.algorithms.is_empty());
    html! {
        div.scroll { table {
            thead { tr {
                th.l { "call" } th.l { "site" } th { "calls" } th { "sent" } th { "received" } th { "time" }
                th { "share" } th { "waiting" } th { "transfer" } th { "ranks" }
                th { "longest rank" } th { "imbalance" }
                @if has_algorithms { th.l { "algorithms" } }
            } }
            tbody { @for site in profile.sites.iter().take(SITES) { tr {
                td.l { (site.call) } td.l { code { (site.place()) } } td { (count(site.calls)) }
                td { (bytes(site.sent)) } td { (bytes(site.received)) } td { (site.time()) }
                td { (share(site.time())) } td { (share(site.waits.waiting())) }
                td { (share(site.waits.get(WaitState::Transfer))) } td { (site.ranks) }
                td { (site.longest.0) } td { (format!("{:.2}", site.imbalance())) }
                @if has_algorithms { td.l { (names(&site.algorithms)) } }
            } } }
        } }
        @if profile.sites.len() > SITES {
            p.soft { (count((profile.sites.len() - SITES) as u64)) " more are left out; --json lists all." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_waiting_says_so_instead_of_an_empty_table() {
        let page =
            |ending| wait_states(&Profile::default(), ending, &|_| String::new()).into_string();
        let completed = page(Ending::Completed);
        assert!(completed.contains("no rank is ever blocked.") && !completed.contains("<table"));
        let stalled = page(Ending::Stalled);
        assert!(stalled.contains("findings say what holds it up."), "{stalled}");
    }
}
