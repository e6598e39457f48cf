//! The sections that show one run in full: links, time, messages and critical path.

use maud::{Markup, html};
use sim_core::SimTime;

use super::{explorer::explorer, figure, heat::heat};
use crate::{
    analysis::{CommunicationMatrix, CriticalPath, Gain, HottestLink, Part, Summary, losses},
    comparison::Detail,
    format::{bytes, count, counted, percent, percent_of, whole_percent},
    render::svg,
};

/// Most segments of a critical path that are listed, the longest ones.
const PIECES: usize = 20;

/// Most communicators that are listed, the first ones.
const GAINS: usize = 20;

pub(super) fn section(detail: &Detail) -> Markup {
    let result = &detail.result;
    let ranks = result.ranks.len() as u32;
    let summary = Summary::of(result);
    let height = (ranks * 22).clamp(180, 900) + 140;
    let path = CriticalPath::of(ranks, &detail.records);
    let hottest = HottestLink::of(&result.links, &detail.topology, result.makespan);
    html! {
        h2 id=(anchor(detail)) { (detail.title) }
        p {
            "Bound by " (summary.bound) ". Run time " (result.makespan) ", "
            (counted(result.messages, "message")) ", " (bytes(result.bytes)) "."
            @if let Some(link) = &hottest {
                " Hottest link: " (link.name) ", busy " (percent(link.busy)) ", "
                (bytes(link.bytes)) "."
            }
            @if let Some(packets) = &result.losses {
                " Packets: " (losses(packets)) "."
            }
        }
        (reorderings(detail))
        h3 { "Link heat map" }
        (heat(detail))
        @if result.makespan == SimTime::ZERO {
            h3 { "Space-time diagram" }
            p {
                "No simulated time passed, so there is no timeline: no call that the program made costs anything \
                 here, and what the ranks compute between calls is not counted."
            }
        }
        @if detail.records.is_empty() {
            @if result.makespan > SimTime::ZERO {
                p.soft { "This run was not traced: it has no space-time diagram." }
            }
        } @else {
            @if result.makespan > SimTime::ZERO {
                h3 { "Space-time diagram" }
                (explorer(ranks, &detail.records, result.makespan, &figure(
                    &svg::space_time(ranks, &detail.records, result.makespan, 1120, height),
                    "An arrow runs from the moment a message enters the network to its arrival.",
                )))
            }
            h3 { "Communication matrix" }
            (figure(&svg::matrix(&CommunicationMatrix::of(ranks, &detail.records)),
                "Rows send, columns receive."))
            h3 { "Message sizes by protocol" }
            (figure(
                &svg::message_sizes(&detail.records),
                "Each bar is a power of two; sizes that no message has are left out. Messages inside collectives \
                 count, too.",
            ))
            h3 { "Critical path" }
            (critical(&path))
        }
    }
}

/// Returns the table of gains from reordered ranks.
fn reorderings(detail: &Detail) -> Markup {
    let all = &detail.result.reorderings;
    let gains = all.iter().take(GAINS).map(Gain::of);
    html! { @if !all.is_empty() {
        h3 { "Reordered communicators" }
        p {
            "One message along every edge of the topology, before and after the ranks were numbered \
             to suit the network."
            @if all.len() > GAINS { " The first " (GAINS) " of " (count(all.len() as u64)) ":" }
        }
        div.scroll { table {
            thead { tr {
                th.l { "topology" } th.l { "method" } th { "weighted hops" }
                th { "most loaded link" } th { "longest edge" } th.l { "site" }
            } }
            tbody { @for gain in gains { tr {
                td.l { (gain.what) } td.l { (gain.method) } td { (gain.hops) }
                td { (gain.load.as_deref().unwrap_or("-")) } td { (gain.longest) }
                td.l { @if let Some(site) = gain.site { code { (site) } } }
            } } }
        } }
    } }
}

fn critical(path: &CriticalPath) -> Markup {
    let whole: u128 = path.totals.iter().map(|total| u128::from(total.as_ps())).sum();
    let mut longest: Vec<_> = path.segments.iter().enumerate().collect();
    longest.sort_by_key(|(index, s)| (std::cmp::Reverse(s.end.since(s.start)), *index));
    longest.truncate(PIECES);
    longest.sort_by_key(|(index, _)| *index);
    html! {
        p {
            "The chain of activities that ended last:"
            @for part in Part::ALL {
                " " (part.word()) " " (path.total(part)) " ("
                (whole_percent(percent_of(path.total(part).as_ps(), whole))) ")"
                @if part == Part::Wait { "." } @else { "," }
            }
            @if longest.len() < path.segments.len() {
                " The " (longest.len()) " longest of its " (count(path.segments.len() as u64))
                " pieces, in order of time:"
            }
        }
        div.scroll { table {
            thead { tr {
                th { "start" } th { "length" } th { "rank" } th { "from" } th.l { "what" }
                th.l { "call" } th.l { "site" }
            } }
            tbody { @for (_, piece) in longest { tr {
                td { (piece.start) } td { (piece.end.since(piece.start)) } td { (piece.rank) }
                td { @if let Some(peer) = piece.peer { (peer) } }
                td.l { (piece.what.word()) } td.l { (piece.call) }
                td.l { @if let Some(site) = piece.site { code { (format!("{site:?}")) } } }
            } } }
        } }
    }
}

/// Returns the anchor of a run within the page.
pub(super) fn anchor(detail: &Detail) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    detail.title.chars().map(plain).collect()
}
