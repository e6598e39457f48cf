//! The comparison of topologies as one page that needs nothing else: no scripts, no loads.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::svg::{self, SpeedupPoint};
use crate::{
    analysis::{CommunicationMatrix, CriticalPath, HottestLink, Part, Summary},
    comparison::{Comparison, Detail, Row, ranked},
    format::{bytes, count, counted, percent_of},
};

const STYLE: &str = include_str!("html.css");
/// The longest pieces of a critical path that are listed.
const PIECES: usize = 20;

/// The page as HTML text in UTF-8.
pub fn comparison(data: &Comparison) -> String {
    let order = ranked(&data.rows);
    let title = format!("Topologies for {} on {}", data.program, data.machine);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p.soft {
                    (counted(data.rows.len() as u64, "configuration")) " simulated by Windtunnel, "
                    "network model " (data.network) ", seed " (data.seed) "."
                }
                p.advice { (data.advice) }
                h2 { "Ranking" }
                (ranking(&order))
                h2 { "Run time" }
                (figure(&svg::bars(&run_times(&order)), "Shorter is better."))
                h2 { "Speed-up and efficiency" }
                (speedups(&order))
                h2 { "Breakdown" }
                (figure(
                    &svg::breakdown(&shares(&order)),
                    "Share of ranks times run time; what is missing to 100 % is the time after a \
                     rank had ended.",
                ))
                @for detail in &data.details { (section(detail)) }
                h2 { "Settings and digests" }
                (settings(data, &order))
                h2 { "Provenance of the machine" }
                (pairs(&data.machine_summary))
            }
        }
    };
    page.into_string()
}

fn ranking(order: &[&Row]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                th { "#" } th.l { "topology" } th { "ranks" } th.l { "placement" }
                th.l { "collectives" } th { "run time" } th { "speed-up" } th { "efficiency" }
                th { "links" } th { "switches" } th { "degree" } th { "diameter" }
                th { "mean hops" } th { "bisection" } th { "messages" } th { "data" }
                th.l { "hottest link" } th { "busy" }
            } }
            tbody { @for (index, row) in order.iter().enumerate() {
                tr.best[index == 0] {
                    td { (index + 1) } td.l { (row.topology) } td { (row.ranks) }
                    td.l { (row.placement) } td.l { (row.collectives) } td { (row.makespan) }
                    td { (format!("{:.2}", row.speedup)) }
                    td { (format!("{:.0} %", 100.0 * row.efficiency)) }
                    td { (count(row.structure.links)) } td { (row.structure.switches) }
                    td { (row.structure.degree) } td { (row.structure.diameter) }
                    td { (format!("{:.2}", row.mean_hops)) }
                    td { (count(row.structure.bisection)) }
                    td { (count(row.messages)) } td { (bytes(row.bytes)) }
                    @match &row.hottest_link {
                        Some((name, busy)) => { td.l { (name) } td { (format!("{busy:.1} %")) } }
                        None => { td.l { "–" } td { "–" } }
                    }
                }
            } }
        } }
        p.soft { "Links are cables, each serving both directions." }
    }
}

fn run_times(order: &[&Row]) -> Vec<(String, f64)> {
    labels(order)
        .into_iter()
        .zip(order)
        .map(|(l, r)| (l, r.makespan.as_ps() as f64 / 1e9))
        .collect()
}

fn shares(order: &[&Row]) -> Vec<(String, [f64; 3])> {
    let part = |row: &Row| [row.compute_share, row.overhead_share, row.waiting_share];
    labels(order).into_iter().zip(order).map(|(label, row)| (label, part(row))).collect()
}

/// What tells the rows apart: the parts all share are left out.
fn labels(order: &[&Row]) -> Vec<String> {
    let differ = |of: fn(&Row) -> &str| order.iter().any(|row| of(row) != of(order[0]));
    let (placements, collectives) = (differ(|r| &r.placement), differ(|r| &r.collectives));
    let label = |row: &&Row| {
        let mut text = row.label();
        if placements {
            text.push_str(&format!(", {}", row.placement));
        }
        if collectives {
            text.push_str(&format!(", {}", row.collectives));
        }
        text
    };
    order.iter().map(label).collect()
}

fn speedups(order: &[&Row]) -> Markup {
    let mut series: Vec<(String, Vec<SpeedupPoint>)> = Vec::new();
    // From fast to slow, so the first row of a kind and number of ranks is the best one.
    for row in order {
        let point =
            SpeedupPoint { ranks: row.ranks, speedup: row.speedup, efficiency: row.efficiency };
        match series.iter_mut().find(|(kind, _)| kind == row.kind()) {
            Some((_, points)) if points.iter().any(|p| p.ranks == row.ranks) => {}
            Some((_, points)) => points.push(point),
            None => series.push((row.kind().to_owned(), vec![point])),
        }
    }
    html! {
        @if order.iter().all(|row| row.ranks == order[0].ranks) {
            p { "All configurations have the same number of ranks, so there are no lines to draw: "
                "the ranking above gives speed-up and efficiency." }
        } @else {
            (figure(
                &svg::speedup_lines(&series, "best configuration of each kind and number of ranks"),
                "Where several configurations share a topology and a number of ranks, the fastest \
                 is drawn. The dashed line is the ideal speed-up.",
            ))
        }
    }
}

fn section(detail: &Detail) -> Markup {
    let result = &detail.result;
    let ranks = result.ranks.len() as u32;
    let summary = Summary::of(result);
    let height = (ranks * 22).clamp(180, 900) + 140;
    let path = CriticalPath::of(ranks, &detail.records);
    let hottest = HottestLink::of(&result.links, &detail.topology, result.makespan);
    html! {
        h2 { (detail.title) }
        p {
            "Bound by " (summary.bound) ". Run time " (result.makespan) ", "
            (counted(result.messages, "message")) ", " (bytes(result.bytes)) "."
            @if let Some(link) = &hottest {
                " Hottest link: " (link.name) ", busy " (format!("{:.1}", link.busy)) " %, "
                (bytes(link.bytes)) "."
            }
        }
        h3 { "Link heat map" }
        (figure(
            &svg::link_heat(&detail.topology, &result.links, result.makespan),
            "Each cable is drawn as two lines, one for each direction.",
        ))
        @if detail.records.is_empty() {
            p.soft { "This run was not traced: it has no space-time diagram." }
        } @else {
            h3 { "Space-time diagram" }
            (figure(
                &svg::space_time(ranks, &detail.records, result.makespan, 1120, height),
                "An arrow runs from the moment a message enters the network to its arrival.",
            ))
            h3 { "Communication matrix" }
            (figure(&svg::matrix(&CommunicationMatrix::of(ranks, &detail.records)),
                "Rows send, columns receive."))
            h3 { "Critical path" }
            (critical(&path))
        }
    }
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
                (format!("{:.0} %", percent_of(path.total(part).as_ps(), whole))) ")"
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

fn settings(data: &Comparison, order: &[&Row]) -> Markup {
    let entry = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    html! {
        (pairs(&[
            entry("program", &data.program),
            entry("machine", &data.machine),
            entry("network model", &data.network),
            entry("seed", &data.seed.to_string()),
        ]))
        p { "The same page again: " code { (data.command) } }
        details {
            summary { "Digests" }
            div.scroll { table {
                thead { tr { th.l { "configuration" } th.l { "digest" } } }
                tbody { @for row in order { tr {
                    td.l { (row.label()) ", " (row.placement) ", " (row.collectives) }
                    td.l { code { (format!("{:016x}", row.digest)) } }
                } } }
            } }
        }
    }
}

fn pairs(entries: &[(String, String)]) -> Markup {
    html! {
        div.scroll { table { tbody { @for (name, value) in entries {
            tr { th.l { (name) } td.l { (value) } }
        } } } }
    }
}

fn figure(picture: &str, caption: &str) -> Markup {
    // Inside a page the name space is known, and nothing on the page may look like a load.
    let inline = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", " role=\"img\"", 1);
    html! { figure { (PreEscaped(inline)) figcaption { (caption) } } }
}
