//! The section on one-sided communication.

use maud::{Markup, html};
use sim_core::SimDuration;

use crate::{
    analysis::{Accesses, OneSided, Synchronizing},
    format::{bytes, count},
};

/// Most ranks that get a row each, those that take longest.
const RANKS: usize = 64;

/// Most pairs of origin and target that get a row each, those with most bytes.
const PAIRS: usize = 100;

/// Returns the section.
pub(super) fn one_sided(found: &OneSided, share: &dyn Fn(SimDuration) -> String) -> Markup {
    html! {
        h3 { "One-sided communication" }
        @if found.total.used().next().is_some() { (synchronization(found, share)) }
        @if !found.pairs.is_empty() { (accesses(found)) }
    }
}

fn synchronization(found: &OneSided, share: &dyn Fn(SimDuration) -> String) -> Markup {
    let row = |name: String, one: &Synchronizing| {
        html! { tr {
            td.l { (name) } td { (one.total()) } td { (share(one.total())) }
            @for how in found.total.used() { td { (one.time(how)) } }
        } }
    };
    html! {
        p.soft { "Processor time and blocked time in calls that synchronise windows." }
        div.scroll { table {
            thead { tr {
                th.l { "synchronisation" } th { "time" } th { "share" }
                @for how in found.total.used() { th { (how.name()) } }
            } }
            tbody {
                tr {
                    td.l { "calls" }
                    td { (count(found.total.used().map(|how| found.total.calls(how)).sum())) } td { "–" }
                    @for how in found.total.used() { td { (count(found.total.calls(how))) } }
                }
                (row("all ranks".into(), &found.total))
                @for (rank, one) in found.longest(RANKS) { (row(format!("rank {rank}"), one)) }
            }
        } }
        @if found.ranks.len() > RANKS {
            p.soft {
                "The " (RANKS) " of " (count(found.ranks.len() as u64))
                " ranks that synchronise longest; --json lists each."
            }
        }
    }
}

fn accesses(found: &OneSided) -> Markup {
    let cells = |pair: &Accesses| {
        html! { td { (count(pair.accesses)) } td { (bytes(pair.out)) } td { (bytes(pair.back)) } }
    };
    html! {
        p.soft { "Accesses that are complete, and their data by origin and target." }
        div.scroll { table {
            thead { tr {
                th.l { "origin" } th.l { "target" } th { "accesses" } th { "to the target" }
                th { "to the origin" }
            } }
            tbody {
                tr { td.l { "all" } td.l { "all" } (cells(&found.accesses())) }
                @for pair in found.heaviest(PAIRS) { tr {
                    td.l { (pair.origin) } td.l { (pair.target) } (cells(pair))
                } }
            }
        } }
        @if found.pairs.len() > PAIRS {
            p.soft {
                "The " (PAIRS) " of " (count(found.pairs.len() as u64))
                " pairs with most bytes; --json lists each."
            }
        }
    }
}
