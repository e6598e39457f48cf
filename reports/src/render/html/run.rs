//! The page of a single run.

use maud::{Markup, html};
use mpi_api::outcome::{ServerLoad, ServerLoads};
use sim_core::SimTime;

use super::{
    check::{CheckSummary, check},
    command_line, embedded, figure, page, pairs,
    profile::profile,
    provenance,
    section::section,
    what_if::what_if,
};
use crate::{
    analysis::{Efficiencies, Profile, Repetitions, WhatIf},
    comparison::{Detail, MachineNotes},
    format::{bytes, count, percent},
    render::svg,
};

/// The contents of the page of a single run.
#[derive(Clone, Debug)]
pub struct RunPage {
    /// Name of the program.
    pub program: String,
    /// Machine of the run.
    pub machine: MachineNotes,
    /// Settings, each with name and value.
    pub settings: Vec<(String, String)>,
    /// Command line that repeats this run.
    pub command: String,
    /// Why another run may have another result, if it may.
    pub caution: Option<String>,
    /// Other runs of the same with other seeds.
    pub repetitions: Option<Repetitions>,
    /// Findings, as text.
    pub findings: Vec<String>,
    /// Where the time went.
    pub profile: Option<Profile>,
    /// The efficiencies, if the run took time.
    pub efficiencies: Option<Efficiencies>,
    /// What would change the run time, if that was asked.
    pub what_if: Option<WhatIf>,
    /// What a check has found, if the run is one of its executions.
    pub check: Option<CheckSummary>,
    /// The run itself.
    pub detail: Detail,
}

/// Returns the page as HTML text in UTF-8.
pub fn run(data: &RunPage) -> String {
    let title = match &data.check {
        Some(check) => format!("Check of {}: {}", data.program, check.verdict),
        None => format!("{} on {}", data.program, data.machine.name),
    };
    page(
        &title,
        html! {
            @if data.check.is_none() { p.soft { "One run simulated by Windtunnel." } }
            @if let Some(caution) = &data.caution { p.caution { (caution) } }
            @match &data.check {
                Some(summary) => (check(summary)),
                None => @for finding in &data.findings { pre.finding { (finding) } },
            }
            @if let Some(repetitions) = &data.repetitions { (repeated(repetitions)) }
            @if let Some(found) = &data.profile {
                (profile(found, data.efficiencies.as_ref(), &data.detail.result))
            }
            @if let Some(loads) = &data.detail.result.servers {
                (servers(loads, data.detail.result.makespan))
            }
            @if let Some(answers) = &data.what_if { (what_if(answers)) }
            (section(&data.detail))
            h2 { "Settings" }
            (pairs(&data.settings))
            p { "The same page again: " (command_line(&data.command)) }
            (provenance(std::slice::from_ref(&data.machine)))
            (embedded::script())
        },
    )
}

/// Most servers that get a row each, the busiest ones.
const SERVERS: usize = 64;

/// Returns the section of the servers of files.
fn servers(loads: &ServerLoads, makespan: SimTime) -> Markup {
    let share = |load: &ServerLoad| percent(load.busy_percent(makespan));
    let mut data: Vec<(usize, &ServerLoad)> = loads.data.iter().enumerate().collect();
    data.sort_by_key(|(_, load)| std::cmp::Reverse(load.busy));
    let left = data.len().saturating_sub(SERVERS);
    data.truncate(SERVERS);
    data.sort_by_key(|(place, _)| *place);
    html! {
        h2 { "Servers of files" }
        div.scroll { table {
            thead { tr {
                th.l { "server" } th { "requests" } th { "read" } th { "written" } th { "busy" }
                th { "share of the run" }
            } }
            tbody {
                @for (place, load) in &data { tr {
                    td.l { (place) } td { (count(load.requests)) }
                    td { (bytes(load.read)) } td { (bytes(load.written)) }
                    td { (load.busy) } td { (share(load)) }
                } }
                tr {
                    td.l { "metadata" } td { (count(loads.metadata.requests)) }
                    td { "–" } td { "–" }
                    td { (loads.metadata.busy) } td { (share(&loads.metadata)) }
                }
            }
        } }
        @if left > 0 {
            p.soft { "The " (SERVERS) " busiest servers; " (left) " more are in the output of --json." }
        }
    }
}

/// Most runs that are drawn, those with the lowest seeds.
const BARS: usize = 60;

/// Returns the section of a run's repetitions.
fn repeated(repetitions: &Repetitions) -> Markup {
    let bar = |(seed, makespan): &(u64, sim_core::SimTime)| {
        (format!("seed {seed}"), makespan.as_ps() as f64 / 1e9)
    };
    let bars: Vec<(String, f64)> = repetitions.runs.iter().take(BARS).map(bar).collect();
    html! {
        h2 { "Repetitions" }
        p { (repetitions.sentence()) "." }
        @if !repetitions.constant && bars.len() > 1 {
            (figure(&svg::bars("Run time of each repetition, fastest first", &bars), "The sections below show the run of the first seed."))
        }
    }
}
